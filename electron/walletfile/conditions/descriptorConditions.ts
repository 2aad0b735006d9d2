/** Conditions of descriptor wallets: `LoadDescriptorWalletRecords` and `LoadActiveSPKMs`, step by step. */
import { equalBytes } from '@noble/curves/utils.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Condition } from '../../../shared/model/conditions.ts';
import type { Network } from '../../../shared/model/network.ts';
import { groupedBy } from '../bytes/lists.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import {
  addressTypeOf,
  type Descriptor,
  isAggregate,
  isHardened,
  isRanged,
  keyIndexesOf,
  keysOf,
} from '../descriptor/descriptor.ts';
import { storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { decryptsAny, ENCRYPTED_SIZE } from '../keys/crypter.ts';
import { readExtendedPublicKeyRecord } from '../keys/extendedKey.ts';
import { keyChecksum, readDer } from '../keys/privateKey.ts';
import {
  flagsOf,
  hasFlag,
  legacyTypes,
  type RecordOfType,
  type RecordsByType,
  recordOf,
} from '../records/records.ts';
import { hasKeyLength } from '../script/script.ts';
import {
  misfitConditions,
  type ParsedDescriptorRecord,
  readDescriptors,
  textsOf,
} from './misfitConditions.ts';
import { conditionOf } from './recordConditions.ts';

/** `network`: the network of the descriptors' keys. `masterKey`: 32 bytes, for an encrypted wallet with a known passphrase. */
export function descriptorConditions(
  records: RecordsByType,
  network: Network,
  masterKey: Uint8Array | null,
): Condition[] {
  const { read, known } = readDescriptors(records, network, masterKey);
  const flags = flagsOf(records);
  const storesKeys = read.some(({ keys }) => keys.length > 0);
  const active = [...records.entries('activeexternalspk'), ...records.entries('activeinternalspk')];
  return [
    ...conditionOf(
      'flags-missing',
      !hasFlag(flags, 'descriptor_wallet') && active.length > 0 ? ['flags'] : [],
    ),
    ...conditionOf(
      'descriptor-flag-watching',
      storesKeys && hasFlag(flags, 'disable_private_keys') ? ['disable_private_keys'] : [],
    ),
    ...conditionOf(
      'descriptor-flag-signer',
      storesKeys && hasFlag(flags, 'external_signer') ? ['external_signer'] : [],
    ),
    ...conditionOf(
      'legacy-record',
      legacyTypes.filter((type) => records.entries(type).length > 0),
    ),
    ...conditionOf('descriptor-unknown', [
      ...read.filter(({ loaded }) => loaded === null).map(({ publicText }) => publicText),
      ...unreadableDescriptors(records),
    ]),
    ...conditionOf('descriptor-id', textsOf(known.filter(({ idOf }) => idOf() === 'none'))),
    ...conditionOf('descriptor-id-earlier', textsOf(known.filter(({ idOf }) => idOf() === 'before 31'))),
    ...conditionOf('descriptor-id-later', textsOf(known.filter(({ idOf }) => idOf() === 'from 31 on'))),
    ...conditionOf('descriptor-range', textsOf(known.filter(hasNoRange))),
    ...conditionOf('descriptor-range-negative', textsOf(known.filter(hasNegativeRange))),
    ...conditionOf('descriptor-cache', textsOf(known.filter(lacksCache))),
    ...conditionOf('descriptor-cache-key', cacheFaults(records)),
    ...conditionOf(
      'descriptor-cache-locked',
      textsOf(known.filter((each) => lacksHardenedCache(each, flags))),
    ),
    ...misfitConditions(records, network, { read, known }),
    ...conditionOf('descriptor-key', keyFaults(records)),
    ...plainKeyConditions(records),
    ...conditionOf('descriptor-key-sealed', sealedKeys(records, masterKey, known)),
    ...conditionOf('descriptor-next', textsOf(known.filter(({ stored }) => stored.record.nextIndex < 0))),
    ...conditionOf('descriptor-orphan', orphansIn(records)),
    ...conditionOf('descriptor-seed', textsOf(known.filter((each) => lacksSeed(each, records)))),
    ...conditionOf('descriptor-size', textsOf(known.filter(isHuge))),
    ...activeConditions(records, known, active),
  ];
}

/** The conditions that crash a node only after it has loaded the wallet. Reads no keys. */
export function laterDescriptorConditions(records: RecordsByType, network: Network): Condition[] {
  const stored = storedDescriptors(records, network);
  const odd = stored.filter((one) => {
    if (!one.active || USUALLY_ACTIVE.test(one.record.descriptor)) return false;
    // A newer node may know functions that the app does not.
    return one.loaded !== null && !hasType(one.loaded);
  });
  return [
    ...conditionOf(
      'descriptor-next',
      stored.filter(({ record }) => record.nextIndex < 0).map(({ publicText }) => publicText),
    ),
    ...conditionOf(
      'active-kind',
      odd.map(({ publicText }) => publicText),
    ),
  ];
}

/** Descriptors with an address type, which need not be parsed to know it. */
const USUALLY_ACTIVE = /^(?:pkh|sh|wpkh|wsh|tr)\(/;

/** Ids of descriptor records that end too early. */
function unreadableDescriptors(records: RecordsByType): string[] {
  const entries = records.entries('walletdescriptor');
  if (entries.length === records.of('walletdescriptor').length) return [];
  return entries
    .filter((entry) => recordOf('walletdescriptor', entry) === null)
    .map(({ key }) => bytesToHex(key.subarray(1 + 'walletdescriptor'.length)));
}

/** A range over a descriptor without `*`: every index gives the same script, and `SetCache` throws. */
function hasNoRange({ stored: { record }, descriptor }: ParsedDescriptorRecord): boolean {
  return !isRanged(descriptor) && record.rangeEnd - record.rangeStart > 1;
}

function hasNegativeRange({ stored: { record }, descriptor }: ParsedDescriptorRecord): boolean {
  return isRanged(descriptor) && record.rangeStart < 0 && record.rangeEnd > record.rangeStart;
}

/** `BIP32PubkeyProvider::GetPubKey` reads extended keys only from the cache, even if it could derive them. */
function lacksCache({ stored, descriptor, idOf }: ParsedDescriptorRecord): boolean {
  const { record } = stored;
  const [first, end] = isRanged(descriptor) ? [record.rangeStart, record.rangeEnd] : [0, record.rangeEnd];
  if (end <= first || first < 0 || idOf() === 'none') return false;
  // Damaged entries count as cached here: `descriptor-cache-key` reports them.
  const cached = new Set(
    stored.cached.map(({ keyIndex, derivationIndex }) => `${keyIndex} ${derivationIndex}`),
  );
  return [...keyIndexesOf(descriptor.script)].some(([expression, place]) => {
    if (isAggregate(expression) || expression.key.kind === 'single') return false;
    if (expression.key.children !== 'hardened' && cached.has(`${place} null`)) return false;
    for (let index = first; index < end; index += 1) if (!cached.has(`${place} ${index}`)) return true;
    return false;
  });
}

/** Extended keys whose public key is off the curve: deriving from one, or writing it, crashes the node. */
function cacheFaults(records: RecordsByType): string[] {
  const cached = [...records.of('walletdescriptorcache'), ...records.of('walletdescriptorlhcache')];
  const known = new Set<string>();
  return cached
    .filter(({ extendedPublicKey }) => {
      // Descriptors of a wallet share extended keys; check each once.
      const text = toLatin1(extendedPublicKey);
      if (known.has(text)) return false;
      const isWhole = readExtendedPublicKeyRecord(extendedPublicKey) !== null;
      if (isWhole) known.add(text);
      return !isWhole;
    })
    .map(({ descriptorId: id }) => bytesToHex(id));
}

/**
 * Encrypted keys that the master key does not decrypt: a node then unlocks the wallet with no passphrase. Without the master key, those
 * that contradict another record of their key, which gives the same bytes. `known`: has the keys that were decrypted already.
 */
export function sealedKeys(
  records: RecordsByType,
  masterKey: Uint8Array | null,
  known: readonly ParsedDescriptorRecord[] = [],
): string[] {
  if (records.entries('walletdescriptorckey').length === 0) return [];
  const nameOf = (id: Uint8Array, publicKey: Uint8Array) => toLatin1(id) + bytesToHex(publicKey);
  const plain = new Set(
    records.of('walletdescriptorkey').map((one) => nameOf(one.descriptorId, one.publicKey)),
  );
  const opened = new Set(
    known.flatMap(({ stored: { record }, sources }) =>
      [...sources.privateKeys.keys()].map((hex) => toLatin1(record.descriptorId) + hex),
    ),
  );
  const isOpened = ({ descriptorId: id, publicKey }: EncryptedKeyRecord) =>
    opened.has(nameOf(id, publicKey)) && !plain.has(nameOf(id, publicKey));
  const kinds = groupedBy(
    records.of('walletdescriptorckey'),
    ({ publicKey, encrypted }) => toLatin1(publicKey) + toLatin1(encrypted),
  );
  const mostFirst = [...kinds.values()].sort((one, other) => other.length - one.length);
  const seen = new Set<string>();
  return mostFirst.flatMap((kind) => {
    const names = kind.map(({ publicKey }) => bytesToHex(publicKey));
    const isRight = masterKey
      ? kind.some(isOpened) || decryptsAny(masterKey, kind)
      : kind.every(({ encrypted }) => encrypted.length === ENCRYPTED_SIZE) &&
        !names.some((name) => seen.has(name));
    for (const name of names) seen.add(name);
    return isRight ? [] : names;
  });
}

type EncryptedKeyRecord = RecordOfType<'walletdescriptorckey'>;

export function keyFaults(records: RecordsByType): string[] {
  const entries = records.entries('walletdescriptorkey');
  const whole = records
    .of('walletdescriptorkey')
    .filter(
      ({ publicKey, der, checksum }) =>
        hasKeyLength(publicKey) && equalBytes(keyChecksum(publicKey, der), checksum) && readDer(der) !== null,
    );
  const encrypted = records.of('walletdescriptorckey').filter(({ publicKey }) => !hasKeyLength(publicKey));
  return [
    ...Array.from({ length: entries.length - whole.length }, () => 'walletdescriptorkey'),
    ...encrypted.map(() => 'walletdescriptorckey'),
  ];
}

/** With a plain key in an encrypted wallet, `CheckDecryptionKey` rejects every passphrase. Release 32 loads no mixed descriptor. */
function plainKeyConditions(records: RecordsByType): Condition[] {
  const plain = records.of('walletdescriptorkey');
  const encrypted = records.of('walletdescriptorckey');
  const withEncrypted = new Set(encrypted.map(({ descriptorId: id }) => toLatin1(id)));
  const mixed = plain.filter(({ descriptorId: id }) => withEncrypted.has(toLatin1(id)));
  const isEncrypted = encrypted.length > 0 || records.of('mkey').length > 0;
  return [
    ...conditionOf(
      'descriptor-keys-mixed',
      mixed.map(({ descriptorId: id }) => bytesToHex(id)),
    ),
    ...conditionOf(
      'descriptor-keys-open',
      isEncrypted ? plain.map(({ publicKey }) => bytesToHex(publicKey)) : [],
    ),
  ];
}

/** Ids with stored keys but no descriptor. Releases before 26 assume that the descriptor exists. */
function orphansIn(records: RecordsByType): string[] {
  const ids = new Set(records.entries('walletdescriptor').map(({ key }) => toLatin1(key.subarray(-32))));
  const naming = TYPES_WITH_DESCRIPTOR_ID.flatMap((type): { descriptorId: Uint8Array }[] => [
    ...records.of(type),
  ]);
  const orphans = naming.filter(({ descriptorId: id }) => !ids.has(toLatin1(id)));
  return [...new Set(orphans.map(({ descriptorId: id }) => bytesToHex(id)))];
}

const TYPES_WITH_DESCRIPTOR_ID = [
  'walletdescriptorkey',
  'walletdescriptorckey',
  'walletdescriptorcache',
  'walletdescriptorlhcache',
] as const;

/** `UpgradeDescriptorCache` derives the keys that releases before 22 did not cache, and needs the private key. */
function lacksSeed({ stored, descriptor, idOf }: ParsedDescriptorRecord, records: RecordsByType): boolean {
  if (hasFlag(flagsOf(records), 'last_hardened_xpub_cached') || records.of('mkey').length > 0) return false;
  if (stored.hasHardenedCache || idOf() === 'none') return false;
  const open = new Set(
    stored.keys.flatMap(({ type, publicKey }) =>
      type === 'walletdescriptorkey' ? [toLatin1(publicKey)] : [],
    ),
  );
  return keysOf(descriptor.script).some(
    ({ key }) => key.kind === 'tree' && isHardened(key) && !open.has(toLatin1(key.root.publicKey)),
  );
}

/** While it is locked, `listdescriptors` fails. A node caches the keys that releases before 22 did not when it is unlocked first. */
function lacksHardenedCache({ stored, descriptor, sources }: ParsedDescriptorRecord, flags: bigint): boolean {
  if (!hasFlag(flags, 'last_hardened_xpub_cached')) return false;
  const encrypted = new Set(
    stored.keys.flatMap(({ type, publicKey }) =>
      type === 'walletdescriptorckey' ? [toLatin1(publicKey)] : [],
    ),
  );
  return [...keyIndexesOf(descriptor.script)].some(([expression, place]) => {
    if (isAggregate(expression) || expression.key.kind === 'single') return false;
    const { key } = expression;
    if (key.children === 'hardened' || !isHardened(key)) return false;
    return encrypted.has(toLatin1(key.root.publicKey)) && !sources.cache.lastHardened.has(place);
  });
}

/** More addresses than any release creates or imports. Deriving them takes hours and all memory. */
function isHuge({ stored: { record } }: ParsedDescriptorRecord): boolean {
  return Math.max(record.rangeEnd, record.nextIndex) > MAX_ADDRESSES;
}

const MAX_ADDRESSES = 10_000_000;

function activeConditions(
  records: RecordsByType,
  known: readonly ParsedDescriptorRecord[],
  active: readonly RawRecord[],
): Condition[] {
  // Descriptors under a wrong id, and unreadable ones, have conditions of their own.
  const ids = new Set([
    ...records.entries('walletdescriptor').map(({ key }) => toLatin1(key.subarray(-32))),
    ...known.map(({ id }) => toLatin1(id())),
  ]);
  const readable = [...records.of('activeexternalspk'), ...records.of('activeinternalspk')];
  const unknown = readable.filter(({ descriptorId: id }) => !ids.has(toLatin1(id)));
  // The byte after the name is the address type. 4 is `UNKNOWN`; higher numbers have no name.
  const untyped = active.filter(({ key }) => (key[1 + (key[0] ?? 0)] ?? 0) > UNKNOWN_TYPE);
  const wellFormed = active.filter(
    (entry) => recordOf('activeexternalspk', entry) ?? recordOf('activeinternalspk', entry),
  );
  const unreadable = active.length - wellFormed.length - untyped.length;
  const withoutType = known.filter(({ stored, descriptor }) => stored.active && !hasType(descriptor));
  return [
    ...conditionOf('active-unknown', [
      ...unknown.map(({ descriptorId: id }) => bytesToHex(id)),
      ...Array.from({ length: Math.max(0, unreadable) }, () => 'activeexternalspk'),
    ]),
    ...conditionOf(
      'active-type',
      untyped.map(({ value }) => bytesToHex(value)),
    ),
    ...conditionOf('active-kind', textsOf(withoutType)),
  ];
}

const UNKNOWN_TYPE = 4;

/** Whether it has an address type, as `listdescriptors` asserts for active descriptors. That of `addr()` depends on the address. */
function hasType({ script }: Descriptor): boolean {
  return script.kind === 'addr' || addressTypeOf(script) !== null;
}
