/** Descriptors, extended keys and dumps of descriptor wallets that a text tells, as a new descriptor wallet. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { damaged } from '../../walletfile/database/problemLog.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { writeSqlite } from '../../walletfile/database/writeSqlite.ts';
import {
  type Descriptor,
  descriptorError,
  isRanged,
  keysOf,
  type PrivateKeys,
  type ScriptExpression,
} from '../../walletfile/descriptor/descriptor.ts';
import { cacheOf, expand } from '../../walletfile/descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../../walletfile/descriptor/descriptorParse.ts';
import { descriptorId, writePublic } from '../../walletfile/descriptor/descriptorWrite.ts';
import { makeStoredKey } from '../../walletfile/keys/privateKey.ts';
import { newWalletRecords } from '../../walletfile/migrate/migratedRecords.ts';
import { descriptorRecords, type PlannedDescriptor } from '../../walletfile/migrate/plannedDescriptor.ts';
import type { AddressType } from '../../walletfile/records/recordShapes.ts';
import { RecordWriter, writeRecord } from '../../walletfile/records/records.ts';
import { type RecordsByType, recordsByType } from '../../walletfile/records/recordsByType.ts';
import { addressOf } from '../../walletfile/script/address.ts';
import { readRecordDump, textIn } from './readText.ts';
import { apart, type Request, requestsIn } from './requestsInText.ts';

export interface TextWallet {
  /** Of its file. */
  bytes: Uint8Array;
  /** Whether a descriptor stood without its checksum: a slip in it would make another wallet of it. */
  unchecked: boolean;
}

/**
 * Null for a text without any of these, which may hold keys that `readText` reads. `asked` decides where the text does not tell
 * the network. Throws `bad_input` for a descriptor that is wrong (nothing is left out), and where the network must be
 * told, and `not_a_wallet` for a dump that is not whole.
 */
export async function walletOfText(
  bytes: Uint8Array,
  asked: Network | undefined,
): Promise<TextWallet | null> {
  const text = textIn(bytes)?.trimStart();
  if (!text || text.startsWith('# Wallet dump created by')) return null;
  if (text.startsWith('BITCOIN_CORE_WALLET_DUMP,')) return walletOfDump(text, asked);
  const told = requestsIn(text);
  if (told.length === 0) return null;
  const { network, read } = readAll(told, asked);
  return {
    bytes: await writeSqlite(recordsOf(read, network), network),
    unchecked: told.some((request) => request.unchecked),
  };
}

interface ReadRequest extends Request {
  readonly descriptor: Descriptor;
  readonly privateKeys: PrivateKeys;
}

/** Keys of test networks are alike on all of them. */
function readAll(
  told: readonly Request[],
  asked: Network | undefined,
): { network: Network; read: readonly ReadRequest[] } {
  const readOn = (network: Network) => ({
    network,
    read: told.map((request) => ({ ...request, ...parseDescriptor(request.desc, { network }) })),
  });
  try {
    return readOn(asked ?? 'main');
  } catch (error) {
    if (asked === undefined && orNull(() => readOn('testnet3')) !== null) throw networkUnknown();
    throw error;
  }
}

function recordsOf(read: readonly ReadRequest[], network: Network): RawRecord[] {
  const withKeys = read.filter(({ privateKeys }) => privateKeys.size > 0).length;
  // No wallet has both.
  if (withKeys > 0 && withKeys < read.length) throw apart();
  const roles = rolesOf(read);
  const planned = new Map(
    read.map((request) => {
      const plan = plannedOf(request, roles.get(request) ?? null);
      return [byteText(plan.id), plan] as const;
    }),
  );
  const writer = new RecordWriter();
  return [
    ...newWalletRecords(withKeys > 0, network),
    ...[...planned.values()].flatMap((plan) => [...descriptorRecords(plan, writer)]),
    ...labelRecords(read, network),
  ];
}

/** What each is in use for: one of a kind, the last that says so. Where none says so, what its path says (BIP 44). */
function rolesOf(read: readonly ReadRequest[]): Map<ReadRequest, NonNullable<PlannedDescriptor['active']>> {
  const byRole = new Map<string, readonly [ReadRequest, NonNullable<PlannedDescriptor['active']>]>();
  const told = (request: ReadRequest) => request.active !== null;
  for (const request of [...read.filter((one) => !told(one)).toReversed(), ...read.filter(told)]) {
    const { descriptor, active } = request;
    const addressType = addressTypeOf(descriptor.script);
    const internal = active === null ? isForChange(descriptor) : active === 'no' ? null : active.internal;
    if (addressType === null || internal === null || !isRanged(descriptor)) continue;
    byRole.set(`${addressType} ${internal}`, [request, { addressType, internal }]);
  }
  return new Map(byRole.values());
}

/** Source: `GetOutputType` of `descriptor.cpp`. */
export function addressTypeOf(script: ScriptExpression): AddressType | null {
  switch (script.kind) {
    case 'pkh':
      return 'legacy';
    case 'sh':
      return script.inner.kind === 'wpkh' || script.inner.kind === 'wsh' ? 'p2sh-segwit' : 'legacy';
    case 'wpkh':
    case 'wsh':
      return 'bech32';
    case 'tr':
    case 'rawtr':
      return 'bech32m';
    default:
      return null;
  }
}

/** Null where the path says nothing. */
function isForChange({ script }: Descriptor): boolean | null {
  const [first] = keysOf(script);
  const step = first?.key.kind === 'tree' ? first.key.path.at(-1) : undefined;
  return step === 0 ? false : step === 1 ? true : null;
}

/** The last index of what a node keeps ready. */
export const USUAL_LAST = 999;
/** `ParseDescriptorRange` */
const MOST_INDEXES = 1_000_000;

function plannedOf(request: ReadRequest, active: PlannedDescriptor['active']): PlannedDescriptor {
  const { descriptor, privateKeys, createTime, next, last } = request;
  const ranged = isRanged(descriptor);
  const rangeEnd = ranged ? Math.max(last ?? USUAL_LAST, next) + 1 : 1;
  if (rangeEnd > MOST_INDEXES) throw descriptorError({ code: 'descriptor_range_too_long' });
  return {
    id: descriptorId(descriptor),
    text: writePublic(descriptor),
    createTime,
    nextIndex: ranged ? next : 0,
    rangeEnd,
    keys: [...privateKeys].map(([hex, privateKey]) => {
      const publicKey = hexToBytes(hex);
      return {
        publicKey,
        held: makeStoredKey({ privateKey, compressed: publicKey.length === 33 }, publicKey),
      };
    }),
    cache: cacheOf(descriptor, privateKeys, rangeEnd),
    active,
  };
}

/** Those of ranges have none (`importdescriptors`). */
function labelRecords(read: readonly ReadRequest[], network: Network): RawRecord[] {
  const labels = new Map(
    read.flatMap(({ descriptor, privateKeys, label }) => {
      if (label === null || isRanged(descriptor)) return [];
      return expand(descriptor, 0, { privateKeys }).flatMap((script) => {
        const address = addressOf(script, network);
        return address === null ? [] : [[address, label] as const];
      });
    }),
  );
  return [...labels].flatMap(([address, label]) => [
    writeRecord({ type: 'name', address, label }),
    writeRecord({ type: 'purpose', address, purpose: 'receive' }),
  ]);
}

/** `DumpWallet` of `dump.cpp`: null for one of a legacy wallet. */
async function walletOfDump(text: string, asked: Network | undefined): Promise<TextWallet | null> {
  if (!/^format,sqlite\r?$/m.test(text)) return null;
  const { records, unread } = readRecordDump(text);
  const end = text.indexOf('\nchecksum,') + 1;
  const whole = bytesToHex(sha256(sha256(utf8ToBytes(text.slice(0, end).replaceAll('\r', '')))));
  const isWhole = end > 0 && text.slice(end).trim() === `checksum,${whole}`;
  if (!isWhole || unread > 0) throw damaged({ code: 'dump_incomplete' });
  const bytes = await writeSqlite(records, networkOf(recordsByType(records), asked));
  return { bytes, unchecked: false };
}

/**
 * What its keys say of a descriptor wallet's network; else `told`, whose bits may be damaged. Keys of test networks do not tell
 * of which. Throws `bad_input`.
 */
export function networkOf(records: RecordsByType, told: Network | undefined): Network {
  const texts = records.of('walletdescriptor').map(({ descriptor }) => descriptor);
  const network = texts.some((text) => text.includes('xpub')) ? 'main' : told;
  const isTest = texts.some((text) => text.includes('tpub'));
  if (network === undefined || (network === 'main' && isTest)) throw networkUnknown();
  return network;
}

function networkUnknown(): FileError {
  return new FileError('bad_input', { code: 'network_needed' });
}
