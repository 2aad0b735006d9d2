/** Makes a descriptor wallet of the descriptors, the extended keys or the database dump in a text. */
import { hexToBytes } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { TextNote } from '../../../shared/model/findings/textLines.ts';
import type { Network } from '../../../shared/model/network.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { makeSqlite, writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import {
  addressTypeOf,
  type Descriptor,
  descriptorError,
  isRanged,
  keysOf,
  type PrivateKeys,
} from '../../walletfile/descriptor/descriptor.ts';
import { cacheOf, expand, expander } from '../../walletfile/descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../../walletfile/descriptor/descriptorParse.ts';
import { MAX_RANGE } from '../../walletfile/descriptor/descriptorScripts.ts';
import { descriptorId, writeForRecord } from '../../walletfile/descriptor/descriptorWrite.ts';
import { networksOfAddresses, networksOfKeys } from '../../walletfile/inspect/identifyWallet.ts';
import { HARDENED } from '../../walletfile/keys/extendedKey.ts';
import { storedKeyOf } from '../../walletfile/keys/privateKey.ts';
import { newWalletRecords } from '../../walletfile/migrate/migratedRecords.ts';
import { descriptorRecords, type PlannedDescriptor } from '../../walletfile/migrate/plannedDescriptor.ts';
import { receivingRecords } from '../../walletfile/records/addressBook.ts';
import { type RecordsByType, RecordWriter, recordsByType } from '../../walletfile/records/records.ts';
import { ADDRESS_NETWORKS, addressOf } from '../../walletfile/script/address.ts';
import type { RecordDump } from '../../walletfile/text/recordDump.ts';
import { type KeyText, parseText } from './readText.ts';
import { type ImportRequest, requestsIn } from './requestsInText.ts';

interface TextWallet {
  /** The bytes of the wallet file. */
  bytes: Uint8Array;
  network: Network;
  notes: TextNote[];
}

/**
 * Null for a text without any of these; it may have keys for `readText`. Skips damaged keys and descriptors: the caller must have
 * asked the user. `fallback`: the network if the text does not show it. Throws `bad_input` if the network is needed, or if the keys are
 * of other networks than the fallback.
 */
export async function walletOfText(
  source: Uint8Array | KeyText,
  fallback: Network | undefined,
): Promise<TextWallet | null> {
  const text = source instanceof Uint8Array ? parseText(source) : source;
  if (text === null) return null;
  if ('recordDump' in text) return walletOfDump(text.recordDump, fallback);
  const { requests, notes } = requestsIn(text.contents);
  if (requests.length === 0) return null;
  const { network, read } = readAll(requests, fallback);
  const all = joinRequests(read);
  const withKeys = all.filter(({ privateKeys }) => privateKeys.size > 0);
  // A wallet has private keys for all of its descriptors or for none.
  const wallet = withKeys.length > 0 ? withKeys : all;
  const known = wallet.length < all.length ? knownTo(wallet, all) : all;
  return {
    bytes: await writeSqlite([...recordsOf(wallet, network), ...labelRecords(known, network)], network),
    network,
    notes: [...notes, ...(known.length < all.length ? (['watch-only'] as const) : [])],
  };
}

/** The requests whose scripts the wallet has with private keys. Only a range can cover a range. */
function knownTo(wallet: readonly ReadRequest[], all: readonly ReadRequest[]): ReadRequest[] {
  const singles = wallet.filter(({ descriptor }) => !isRanged(descriptor));
  const ranges = wallet
    .filter(({ descriptor }) => isRanged(descriptor))
    .map((one) => ({ end: rangeEndOf(one), scriptsAt: scriptsOf(one) }));
  const inSingles = new Set(singles.flatMap((one) => scriptsOf(one)(0)));
  const atIndex = new Map<number, ReadonlySet<string>>();
  const inRanges = (index: number) => {
    const found = () => ranges.flatMap(({ end, scriptsAt }) => (index < end ? scriptsAt(index) : []));
    const scripts = atIndex.get(index) ?? new Set(found());
    atIndex.set(index, scripts);
    return scripts;
  };
  return all.filter((request) => {
    if (request.privateKeys.size > 0) return true;
    const [own, isRange] = [scriptsOf(request)(0), isRanged(request.descriptor)];
    // An address from a range has its index as the last step of its path.
    const steps = keysOf(request.descriptor.script).map(
      ({ origin }) => (origin?.path.at(-1) ?? 0) % HARDENED,
    );
    const places = isRange ? [inRanges(0)] : [inSingles, ...[0, ...steps].map(inRanges)];
    return own.length > 0 && own.every((script) => places.some((place) => place.has(script)));
  });
}

/** A function that gives the scripts of a descriptor at an index, as `toLatin1` does. None without a key that they need. */
function scriptsOf({ descriptor, privateKeys }: ReadRequest): (index: number) => string[] {
  const expandAt = expander(descriptor, { privateKeys });
  return (index) => orNull(() => expandAt(index).scripts.map(toLatin1)) ?? [];
}

interface ReadRequest extends ImportRequest {
  readonly descriptor: Descriptor;
  readonly privateKeys: PrivateKeys;
}

/** All test networks have the same forms of keys. */
function readAll(
  requests: readonly ImportRequest[],
  fallback: Network | undefined,
): { network: Network; read: readonly ReadRequest[] } {
  const readFor = (network: Network) => ({
    network,
    read: requests.map((request) => ({ ...request, ...parseDescriptor(request.desc, { network }) })),
  });
  try {
    return readFor(fallback ?? 'main');
  } catch (error) {
    const fitting = ADDRESS_NETWORKS.filter((network) => orNull(() => readFor(network)) !== null);
    if (fitting.includes('main')) return readFor('main');
    throw fitting.length > 0 ? networkUnknownError() : error;
  }
}

/** A text can have a descriptor twice. What each says is joined so that no payment is hidden. */
function joinRequests(requests: readonly ReadRequest[]): ReadRequest[] {
  const byId = new Map<string, ReadRequest>();
  for (const request of requests) {
    const id = toLatin1(descriptorId(request.descriptor));
    const known = byId.get(id);
    const both = known && {
      ...known,
      privateKeys: new Map([...known.privateKeys, ...request.privateKeys]),
      createTime: Math.min(known.createTime, request.createTime),
      next: Math.max(known.next, request.next),
      last: Math.max(known.last ?? DEFAULT_LAST_INDEX, request.last ?? DEFAULT_LAST_INDEX),
      active: moreActive(known.active, request.active),
      label: known.label || request.label || (known.label ?? request.label),
    };
    byId.set(id, both ?? request);
  }
  return [...byId.values()];
}

/** The one of two roles of a descriptor with which a wallet makes all addresses of both. */
function moreActive(one: ImportRequest['active'], other: ImportRequest['active']): ImportRequest['active'] {
  const [active] = [one, other].filter((found) => typeof found === 'object' && found !== null);
  return active ?? one ?? other;
}

function recordsOf(read: readonly ReadRequest[], network: Network): RawRecord[] {
  const roles = rolesOf(read);
  const planned = new Map(
    read.map((request) => {
      const plan = plannedOf(request, roles.get(request) ?? null);
      return [toLatin1(plan.id), plan] as const;
    }),
  );
  const writer = new RecordWriter();
  return [
    ...newWalletRecords(
      read.some(({ privateKeys }) => privateKeys.size > 0),
      network,
    ),
    ...[...planned.values()].flatMap((plan) => descriptorRecords(plan, writer)),
  ];
}

/** The role of each active descriptor. The last request for a role wins; without requests, the path decides (BIP 44). */
function rolesOf(read: readonly ReadRequest[]): Map<ReadRequest, NonNullable<PlannedDescriptor['active']>> {
  const byRole = new Map<string, readonly [ReadRequest, NonNullable<PlannedDescriptor['active']>]>();
  const saysActive = (request: ReadRequest) => request.active !== null;
  for (const request of [
    ...read.filter((one) => !saysActive(one)).toReversed(),
    ...read.filter(saysActive),
  ]) {
    const { descriptor, active } = request;
    const addressType = addressTypeOf(descriptor.script);
    const internal = active === null ? isForChange(descriptor) : active === 'no' ? null : active.internal;
    if (addressType === null || internal === null || !isRanged(descriptor)) continue;
    byRole.set(`${addressType} ${internal}`, [request, { addressType, internal }]);
  }
  return new Map(byRole.values());
}

/** Whether the path is for change; null if it does not say. */
function isForChange({ script }: Descriptor): boolean | null {
  const [first] = keysOf(script);
  const step = first?.key.kind === 'tree' ? first.key.path.at(-1) : undefined;
  return step === 0 ? false : step === 1 ? true : null;
}

/** The last index of a node's default range. */
export const DEFAULT_LAST_INDEX = 999;

/** The index after the last one. */
function rangeEndOf({ descriptor, last, next }: ReadRequest): number {
  return isRanged(descriptor) ? Math.max(last ?? DEFAULT_LAST_INDEX, next) + 1 : 1;
}

function plannedOf(request: ReadRequest, active: PlannedDescriptor['active']): PlannedDescriptor {
  const { descriptor, privateKeys, createTime, next } = request;
  const ranged = isRanged(descriptor);
  const rangeEnd = rangeEndOf(request);
  if (rangeEnd > MAX_RANGE) throw descriptorError({ code: 'descriptor_range_too_long' });
  return {
    id: descriptorId(descriptor),
    text: writeForRecord(descriptor),
    createTime,
    nextIndex: ranged ? next : 0,
    rangeEnd,
    keys: [...privateKeys].map(([hex, privateKey]) => {
      const publicKey = hexToBytes(hex);
      return { publicKey, secret: storedKeyOf(privateKey, publicKey) };
    }),
    cache: cacheOf(descriptor, privateKeys, rangeEnd),
    active,
  };
}

/** Ranged descriptors cannot have labels (`importdescriptors`). */
function labelRecords(read: readonly ReadRequest[], network: Network): RawRecord[] {
  const labels = new Map<string, string>();
  for (const { descriptor, privateKeys, label } of read) {
    if (label === null || isRanged(descriptor)) continue;
    for (const script of expand(descriptor, 0, { privateKeys })) {
      const address = addressOf(script, network);
      if (address !== null) labels.set(address, label || (labels.get(address) ?? ''));
    }
  }
  return [...labels].flatMap(([address, label]) => receivingRecords(address, label));
}

/** Null for a dump of a legacy wallet, or a damaged one: a rescue reads both. */
async function walletOfDump(
  { records, isSqlite, unread }: RecordDump,
  fallback: Network | undefined,
): Promise<TextWallet | null> {
  if (!isSqlite || unread > 0) return null;
  const { name: network } = networkOf(recordsByType(records), fallback);
  return { bytes: await writeSqlite(records, network), network, notes: [] };
}

/** The records of a dump in a file, for a rescue. `unread`: number of damaged lines. Null for other files. */
export function fileOfDump(source: Uint8Array): { bytes: Uint8Array; unread: number } | null {
  const text = parseText(source);
  if (text === null || !('recordDump' in text)) return null;
  const { records, unread } = text.recordDump;
  const byKey = new Map(records.map((record) => [toLatin1(record.key), record]));
  return { bytes: makeSqlite([...byKey.values()], 'main'), unread };
}

/**
 * The network of a descriptor wallet by its keys; otherwise `fallback`, which may be wrong in a damaged file. Keys of test networks
 * do not show which one, but addresses may. `from`: what shows it. Throws `bad_input` if the network is needed.
 */
export function networkOf(records: RecordsByType, fallback: Network | undefined) {
  const own = networksOfKeys(records);
  if (own[0] === 'main') return { name: own[0], from: 'keys' } as const;
  if (fallback !== undefined && (own.length === 0 || own.includes(fallback)))
    return { name: fallback, from: 'asked' } as const;
  const [byAddresses, ...others] = networksOfAddresses(records).filter((one) => own.includes(one));
  if (byAddresses === undefined || others.length > 0) throw networkUnknownError();
  return { name: byAddresses, from: 'addresses' } as const;
}

function networkUnknownError(): FileError {
  return new FileError('bad_input', { code: 'network_needed' });
}
