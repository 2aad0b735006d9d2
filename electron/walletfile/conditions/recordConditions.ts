/**
 * Conditions of a legacy wallet's keys and encryption (`LoadKey`, `LoadCryptedKey`, and what `MigrateToDescriptor` asserts), and of the
 * records of both kinds of wallets: unreadable ones, unknown flags, and transactions with their metadata and blocks.
 */

import type { Condition, ConditionCode } from '../../../shared/model/conditions.ts';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import { groupedBy, listInFinding, shortText } from '../bytes/lists.ts';
import { once, orNull } from '../bytes/once.ts';
import { ByteReader } from '../bytes/serialization.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { isBitcoinsFirstBlock } from '../coin/coins.ts';
import { decryptsAny } from '../keys/crypter.ts';
import { extendedKeyOfSeed } from '../keys/extendedKey.ts';
import { readDer } from '../keys/privateKey.ts';
import { isHybrid, publicKeyOf } from '../keys/publicKey.ts';
import {
  isCompressed,
  isWholeEncryptedKey,
  isWholeKey,
  type KeyMatcher,
  type LegacyKey,
  matchedInAnotherThread,
  secretIn,
} from '../legacy/legacyKeys.ts';
import {
  ABSENT_IF_DAMAGED,
  type Branch,
  branchChildren,
  counterOf,
  type DerivedKey,
  type DerivedKeys,
  HARMLESS_TYPES,
  type HdChain,
  keyPathOf,
  type LegacyWallet,
  REPLACED_TYPES,
  seedIdOf,
} from '../legacy/legacyWallet.ts';
import {
  flagsOf,
  hasUnknownMandatoryFlag,
  isRecordType,
  type RecordOfType,
  type RecordsByType,
  type RecordType,
  recordOf,
} from '../records/records.ts';
import { factsOf } from '../records/transactionFacts.ts';
import { lastBlockOf, stateOf } from '../records/walletTransaction.ts';
import { hasKeyLength } from '../script/script.ts';
import { transaction, transactionId, witnessTransactionId } from '../script/transaction.ts';

/** Each plain key takes about 50 microseconds, most of them for `fits`. */
export function keyConditions(records: RecordsByType, fits: KeyMatcher): Condition[] {
  const plain = records.of('key');
  const encrypted = records.of('ckey');
  const damaged = [...plain, ...encrypted].filter((record) => !isLoaded(record, fits));
  const damagedKeys = new Set<RecordOfType<'key' | 'ckey'>>(damaged);
  const unread =
    records.entries('key').length + records.entries('ckey').length - plain.length - encrypted.length;
  const whole = plain.filter((record) => !damagedKeys.has(record));
  const hybrid = [...plain, ...encrypted].filter(({ publicKey }) => isHybrid(publicKey));
  const mismatched = whole.filter((record) => !isHybrid(record.publicKey) && !keysMatch(record, fits));
  const defaults = records.entries('defaultkey');
  const right = records.of('defaultkey').filter(({ publicKey }) => hasKeyLength(publicKey));
  return [
    ...conditionOf('key-damaged', [
      ...namesOf(damaged.map(({ publicKey }) => publicKey)),
      ...Array.from({ length: unread }, () => 'key'),
    ]),
    ...conditionOf('key-form', namesOf(hybrid.map(({ publicKey }) => publicKey))),
    ...conditionOf('key-misfit', namesOf(mismatched.map(({ publicKey }) => publicKey))),
    ...conditionOf('keys-mixed', plain.length > 0 && encrypted.length > 0 ? ['key', 'ckey'] : []),
    ...conditionOf('default-key', defaults.length > right.length ? ['defaultkey'] : []),
  ];
}

export function masterConditions({ records, watchesOnly }: LegacyWallet): Condition[] {
  const masters = records.of('mkey').length;
  const plain = records.entries('key').length;
  const encrypted = records.entries('ckey').length;
  const isNeedless = masters > 0 && encrypted === 0;
  return [
    // `LegacyDataSPKM::GetKey` then searches the plain keys, and `MigrateToDescriptor` asserts that it finds each key.
    ...conditionOf('master-missing', encrypted > 0 && masters === 0 ? ['mkey'] : []),
    // `CheckDecryptionKey` asserts that an encrypted wallet has no plain keys.
    ...conditionOf('master-needless', isNeedless && plain > 0 ? ['mkey'] : []),
    // `EraseMasterKey` fails because a migration opens the file read-only.
    ...conditionOf('master-watching', isNeedless && watchesOnly ? ['mkey'] : []),
  ];
}

/** Public keys whose private key the master key does not decrypt. If all have checksums, a node tries only one. */
export function undecryptableKeys(records: RecordsByType, masterKey: Uint8Array): string[] {
  const sealed = records.of('ckey').filter((key) => !decryptsAny(masterKey, [key]));
  return sealed.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'));
}

function namesOf(publicKeys: readonly Uint8Array[]): string[] {
  return publicKeys.map((publicKey) => Buffer.from(publicKey.subarray(0, 65)).toString('hex'));
}

/** Whether a node loads a key. */
function isLoaded(record: RecordOfType<'key' | 'ckey'>, fits: KeyMatcher): boolean {
  if (!hasKeyLength(record.publicKey)) return false;
  if (fits === matchedInAnotherThread) return true;
  return record.type === 'key' ? isWholeKey(record, fits) : isWholeEncryptedKey(record);
}

function keysMatch({ publicKey, der }: RecordOfType<'key'>, fits: KeyMatcher): boolean {
  if (fits === matchedInAnotherThread) return true;
  const secret = readDer(der);
  return secret !== null && fits(secret, publicKey);
}

export interface ChainKeys {
  /** Paths of keys below a chain's counter that are not in the file. */
  missing: readonly string[];
  /** Paths of keys in the file whose metadata names no chain: a node counts their scripts twice. */
  apart: readonly string[];
  /** Ids of seeds that repeat another seed under a second id. */
  twice: readonly string[];
  /** Ids of encrypted seeds; deriving their keys needs the passphrase. */
  unknown: readonly string[];
  /** The wallet's keys that the chains derive; null if a chain could not be derived. */
  keys: ReadonlySet<LegacyKey> | null;
  /** The same by their places. A chain has no key at the place of a missing one. */
  derived: DerivedKeys;
}

/**
 * Derives the key chains of a legacy wallet to see whether it has every key: `MigrateToDescriptor` derives each chain from
 * its seed up to its counter, and asserts that it removes each of the chain's scripts exactly once from the wallet's. Skips
 * chains without their seed. `masterKey`: 32 bytes, for an encrypted wallet with a known passphrase.
 */
export function deriveChainKeys(wallet: LegacyWallet, masterKey: Uint8Array | null): ChainKeys {
  const missing: string[] = [];
  const apart: string[] = [];
  const twice: string[] = [];
  const unknown: string[] = [];
  const bySecret = once(() => keysByPrivateKey(wallet));
  const keys = new Set<LegacyKey>();
  const derived = new Map<HdChain, Record<Branch, DerivedKey[]>>();
  const roots = new Set<string>();
  for (const chain of wallet.chains) {
    const seed = wallet.seedOf(chain);
    if (!seed || branchCounters(chain, wallet).every(({ counter }) => counter === 0)) continue;
    const secret = secretIn(seed, masterKey);
    const name = seedIdOf(chain);
    if (!secret) {
      unknown.push(name);
      continue;
    }
    const root = extendedKeyOfSeed(secret);
    const rootName = toLatin1(root.publicKey);
    if (roots.has(rootName)) twice.push(name);
    roots.add(rootName);
    secret.fill(0);
    const ofChain: Record<Branch, DerivedKey[]> = { 0: [], 1: [] };
    derived.set(chain, ofChain);
    for (const { branch, counter } of branchCounters(chain, wallet)) {
      const childAt = branchChildren(root, branch);
      for (let index = 0; index < counter; index += 1) {
        const { privateKey, chainCode } = childAt(index);
        const key =
          bySecret().get(toLatin1(privateKey)) ??
          (seed.record.type === 'ckey' ? wallet.keys.ofPublicKey(publicKeyOf(privateKey)) : undefined);
        privateKey.fill(0);
        if (key) {
          keys.add(key);
          ofChain[branch][index] = { key, chainCode };
          if (!wallet.chainOf(key)) apart.push(keyPathOf(branch, index));
        } else missing.push(keyPathOf(branch, index));
        if (missing.length >= MAX_MISSING) break;
      }
    }
  }
  return { missing, apart, twice, unknown, keys: unknown.length === 0 ? keys : null, derived };
}

export function chainConditions({ apart, twice, unknown }: ChainKeys): Condition[] {
  return [
    ...conditionOf('chain-apart', apart),
    ...conditionOf('chain-twice', twice),
    ...conditionOf('chain-unknown', unknown),
  ];
}

/** More missing keys than this mean that the counter is damaged. */
const MAX_MISSING = 10_000;

function branchCounters(chain: HdChain, { hasInternalChains }: LegacyWallet) {
  const branches: Branch[] = hasInternalChains ? [0, 1] : [0];
  return branches.map((branch) => ({ branch, counter: counterOf(chain, branch) }));
}

/** Compressed plain keys by the `toLatin1` of their private keys: chains derive no others. */
function keysByPrivateKey({ keys }: LegacyWallet): Map<string, LegacyKey> {
  const open = new Map<string, LegacyKey>();
  for (const key of keys.all) {
    const secret = key.record.type === 'key' && isCompressed(key.publicKey) ? readDer(key.record.der) : null;
    if (secret) open.set(toLatin1(secret), key);
  }
  return open;
}

/** A condition with the records that have it; none without records. */
export function conditionOf(code: ConditionCode, records: readonly (string | Fault)[]): Condition[] {
  const excerpt = (record: string | Fault) => (typeof record === 'string' ? shortText(record) : record);
  return records.length === 0 ? [] : [{ code, records: listInFinding(records, excerpt) }];
}

/**
 * Damage to these types never stops a release: no release reads them any more, a warning is all that follows, or they have a
 * condition of their own.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  ...HARMLESS_TYPES,
  ...ABSENT_IF_DAMAGED,
  ...REPLACED_TYPES,
  'wtxvariant',
  'wkey',
  'key',
  'ckey',
  'defaultkey',
  'walletdescriptor',
  'walletdescriptorkey',
  'activeexternalspk',
  'activeinternalspk',
] as const);

export function recordConditions(records: RecordsByType): Condition[] {
  const unreadable = records
    .unread()
    .damaged.map(({ name }) => name)
    .filter((name) => !HARMLESS.has(name));
  const flags = flagsOf(records);
  const first = lastBlockOf(records)?.first;
  // Another coin's wallet has no conditions. A node refuses an unknown first block (`AttachChain`, from release 24 on).
  const locator = first === undefined || isBitcoinsFirstBlock(first) ? [] : ['bestblock'];
  return [
    ...conditionOf('record-unreadable', [...unreadable, ...locator]),
    ...conditionOf('flags-unknown', hasUnknownMandatoryFlag(flags) ? [`0x${flags.toString(16)}`] : []),
  ];
}

/**
 * Records with bytes after their last field. A migration reads the file with a cursor that keeps what one record leaves unread, and
 * reads it as the start of the next record of the type.
 */
export function longerRecords(records: RecordsByType): Condition[] {
  const longerOf = (type: RecordType) => {
    if (!records.of(type).some(({ trailing }) => trailing)) return [];
    const entries = records.entries(type);
    const last = entries.reduce((one, other) => (Buffer.compare(one.key, other.key) > 0 ? one : other));
    const longer = entries.filter((entry) => entry !== last && recordOf(type, entry)?.trailing);
    return longer.map(() => type);
  };
  const inTurn = records.types.filter(isRecordType).filter(isReadInTurn);
  const found = inTurn.filter((type) => !records.isWholeBook(type)).flatMap(longerOf);
  return [...conditionOf('record-longer', found), ...conditionOf('pool-longer', longerOf('pool'))];
}

/** Whether a migration reads all records of a type, one after the other. */
function isReadInTurn(type: RecordType): boolean {
  return type === 'key' || type === 'ckey' || !(HARMLESS.has(type) || type === 'lockedutxo');
}

type Stored = RecordOfType<'tx'>;

/** Conditions of a wallet's transactions: their bytes, metadata and blocks. */
export function transactionConditions(records: RecordsByType): Condition[] {
  const stored = records.of('tx');
  const wrongId = stored.filter((record) => !factsOf(record).hasOwnId());
  const wrongAmount = stored.filter((record) => {
    const facts = factsOf(record);
    return !facts.hasPossibleAmounts && facts.hasOwnId();
  });
  return [
    ...conditionOf('transaction-id', idsOf(wrongId)),
    ...conditionOf('transaction-amount', idsOf(wrongAmount)),
    ...conditionOf('transaction-notes', idsOf(stored.filter(hasUnknownMetadata))),
    ...conditionOf('transaction-variant', damagedVariants(records)),
    ...conditionOf('transaction-place', idsOf([...misplacedTransactions(stored)])),
    ...conditionOf('reward-conflicted', idsOf(stored.filter(isConflictedReward))),
    ...conditionOf('reward-spent', idsOf(spentRewards(stored))),
  ];
}

function idsOf(records: readonly Stored[]): string[] {
  return records.map(({ txid }) => txid);
}

/** Release 32 throws on metadata names that it does not know (`CWalletTx::Unserialize`). */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  'comment',
  'from',
  'fromaccount',
  'message',
  'n',
  'replaced_by_txid',
  'replaces_txid',
  'spent',
  'timesmart',
  'to',
]);
export const ORDER_NAMES: ReadonlySet<string> = new Set(['Message', 'PaymentRequest']);

function hasUnknownMetadata({ mapValue, orderForm }: Stored): boolean {
  return (
    mapValue.some(({ name }) => !METADATA_NAMES.has(name)) ||
    orderForm.some(({ name }) => !ORDER_NAMES.has(name))
  );
}

/** Damaged variants of stored transactions: a node reads no others. */
function damagedVariants(records: RecordsByType): string[] {
  const variants = records.of('wtxvariant');
  if (variants.length === 0) return [];
  const ids = new Set(idsOf(records.of('tx')));
  const known = new Set<string>();
  return variants
    .filter((variant) => {
      if (!ids.has(variant.txid)) return false;
      const id = variantId(variant);
      const isRight = id !== null && !known.has(id);
      if (id !== null) known.add(id);
      return !isRight;
    })
    .map(({ txid }) => txid);
}

/** The id that covers its witnesses; null if its bytes are not a form of the transaction. */
export function variantId({ txid, transaction: bytes }: RecordOfType<'wtxvariant'>): string | null {
  const read = orNull(() => transaction.read(new ByteReader(bytes), {}));
  return read !== null && transactionId(read) === txid ? witnessTransactionId(read) : null;
}

/** In a block: the smallest transaction weighs 240 of its 4,000,000 units. */
const MAX_PLACES = 16_666;

/**
 * Transactions at a place where their block cannot have them: only the reward is the first, no two are at one place, and before 0.9 a
 * proof of the place has its depth. A rescan of the block ends the node, because `AddToWallet` asserts the place that it finds there.
 */
export function misplacedTransactions(stored: readonly Stored[]): Set<Stored> {
  const misplaced = new Set<Stored>();
  const atPlace = new Map<string, Stored>();
  for (const record of stored) {
    const state = stateOf(record);
    if (state.state !== 'confirmed') continue;
    const { blockHash, index } = state;
    const depth = record.merkleBranch.length;
    const isBelow = index < MAX_PLACES && (depth === 0 || index < 2 ** depth);
    if (!isBelow || factsOf(record).isCoinbase !== (index === 0)) misplaced.add(record);
    const place = `${blockHash} ${index}`;
    const other = atPlace.get(place);
    if (other && other.txid !== record.txid) misplaced.add(record).add(other);
    atPlace.set(place, record);
  }
  return misplaced;
}

/** `GetTxBlocksToMaturity` asserts that a reward is never marked as conflicted. */
export function isConflictedReward(record: Stored): boolean {
  return factsOf(record).isCoinbase && stateOf(record).state === 'conflicted';
}

/**
 * Rewards outside a block whose spend is in one: `AbandonTransaction` asserts that none exists. Rewards recorded as abandoned
 * do not count.
 */
export function spentRewards(stored: readonly Stored[]): Stored[] {
  const rewards = stored.filter(
    (record) => factsOf(record).isCoinbase && stateOf(record).state === 'inactive',
  );
  if (rewards.length === 0) return [];
  const spends = groupedBy(
    stored.flatMap((record) => factsOf(record).inputs.map(({ txid }) => ({ of: txid, by: record }))),
    (spend) => spend.of,
  );
  return rewards.filter((reward) => {
    const chain = new Set([reward.txid]);
    for (const txid of chain)
      for (const { by } of spends.get(txid) ?? []) {
        const { state } = stateOf(by);
        if (state === 'confirmed') return true;
        if (state === 'inactive') chain.add(by.txid);
      }
    return false;
  });
}
