/** Removes intact records that Bitcoin Core refuses to load, crashes on, or aborts a migration over. */

import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import type { ExcludedRecords } from '../../../shared/model/safety.ts';
import { encode } from '../../walletfile/bytes/serialization.ts';
import { decodeUtf8, fromLatin1, toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { isBitcoinsFirstBlock, repairedFirstBlock } from '../../walletfile/coin/coins.ts';
import {
  isConflictedReward,
  METADATA_NAMES,
  misplacedTransactions,
  ORDER_NAMES,
  spentRewards,
  variantId,
} from '../../walletfile/conditions/recordConditions.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import { decryptKey } from '../../walletfile/keys/crypter.ts';
import { makeStoredKey, readDer } from '../../walletfile/keys/privateKey.ts';
import { isHybrid } from '../../walletfile/keys/publicKey.ts';
import { chainStepOf, legacyWallet } from '../../walletfile/legacy/legacyWallet.ts';
import { assignTransactions, planMigration } from '../../walletfile/legacy/migrationPlan.ts';
import { assignAddresses, collectPreservedRecords } from '../../walletfile/migrate/migratedRecords.ts';
import { isGivenOut, readAddress } from '../../walletfile/records/addressBook.ts';
import { knownBirth } from '../../walletfile/records/recordShapes.ts';
import {
  flagBits,
  parseRecord,
  type RecordOfType,
  type RecordsByType,
  recordOf,
  recordsByType,
  typeIn,
  type WalletRecord,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { ABANDONED } from '../../walletfile/records/walletTransaction.ts';
import { scriptIfAddress } from '../../walletfile/script/address.ts';
import { hasKeyLength } from '../../walletfile/script/script.ts';
import { transaction } from '../../walletfile/script/transaction.ts';
import { type MissingKeys, metadataRecord } from '../salvage/derivedKeys.ts';
import { encryptedKeyRecord } from '../salvage/provedKeys.ts';

interface LoadableRecords {
  records: RawRecord[];
  /** Number of keys with a hybrid public key, which are stored under the compressed and the uncompressed one instead. */
  otherForms: number;
  /** Number of encrypted keys with a hybrid public key that are left out, because converting them needs the passphrase. */
  sealed: number;
  /** Number of transactions that lose their block, because it cannot have them where they are. */
  misplaced: number;
}

/** `masterKey`: 32 bytes, for an encrypted wallet with a known passphrase. */
export function loadableRecords(
  records: readonly RawRecord[],
  masterKey: Uint8Array | null,
): LoadableRecords {
  const byType = recordsByType(records);
  const hasKeys = byType.entries('key').length + byType.entries('ckey').length > 0;
  const isEncrypted = byType.entries('ckey').length > 0;
  const metadata = new Map(byType.of('keymeta').map((one) => [toLatin1(one.publicKey), one]));
  const misplaced = misplacedTransactions(byType.of('tx'));
  const impossible = impossibleIn(byType, misplaced);
  let otherForms = 0;
  let sealed = 0;
  const loadable = records.flatMap((stored): RawRecord[] => {
    const { record, parsed } = withoutTrailing(stored);
    switch (parsed.type) {
      case 'flags':
        return [writeRecord({ ...parsed, flags: legacyFlags(parsed.flags, hasKeys) })];
      case 'activeexternalspk':
      case 'activeinternalspk':
        return [];
      case 'mkey':
        return isEncrypted ? [record] : [];
      case 'pool':
      case 'defaultkey':
        return hasKeyLength(parsed.publicKey) ? [record] : [];
      case 'bestblock':
      case 'bestblock_nomerkle':
        return withKnownChain(record, parsed);
      case 'version':
        return isEncrypted && REWRITTEN.has(parsed.version) ? [] : [record];
      case 'keymeta':
        return isHybrid(parsed.publicKey) ? [] : withKnownBirth(record, parsed);
      case 'watchmeta':
        return withKnownBirth(record, parsed);
      case 'key':
      case 'ckey': {
        if (!isHybrid(parsed.publicKey)) return [record];
        const keyMetadata = metadata.get(toLatin1(parsed.publicKey)) ?? null;
        const converted = withoutHybrid(parsed, keyMetadata, masterKey);
        if (converted !== null) otherForms += 1;
        else if (parsed.type === 'ckey') sealed += 1;
        return converted ?? (parsed.type === 'key' ? [record] : []);
      }
      default:
        return loadableTransaction(record, parsed, impossible);
    }
  });
  return { records: loadable, otherForms, sealed, misplaced: misplaced.size };
}

/** Repairs the first block of a list, or drops a list of an unknown chain: a node refuses it. */
function withKnownChain(
  record: RawRecord,
  parsed: RecordOfType<'bestblock' | 'bestblock_nomerkle'>,
): RawRecord[] {
  const stored = parsed.blockHashes.at(-1);
  if (stored === undefined || isBitcoinsFirstBlock(stored)) return [record];
  const first = repairedFirstBlock(stored);
  const blockHashes = [...parsed.blockHashes.slice(0, -1), first];
  return isBitcoinsFirstBlock(first) ? [writeRecord({ ...parsed, blockHashes })] : [];
}

function withKnownBirth(record: RawRecord, metadata: RecordOfType<'keymeta' | 'watchmeta'>): RawRecord[] {
  const createTime = knownBirth(metadata.createTime);
  return [createTime < metadata.createTime ? writeRecord({ ...metadata, createTime }) : record];
}

/**
 * The records of a key with a hybrid public key under its compressed and its uncompressed one. Null for a damaged key, or one that is
 * encrypted with an unknown master key.
 */
function withoutHybrid(
  key: RecordOfType<'key' | 'ckey'>,
  metadata: RecordOfType<'keymeta'> | null,
  masterKey: Uint8Array | null,
): RawRecord[] | null {
  const secret = key.type === 'key' ? readDer(key.der) : masterKey && decryptKey(masterKey, key);
  if (!secret) return null;
  const records = [true, false].flatMap((compressed) => {
    const stored = makeStoredKey({ privateKey: secret, compressed });
    return [
      key.type === 'ckey' && masterKey
        ? encryptedKeyRecord(masterKey, stored.publicKey, secret)
        : writeRecord({ type: 'key', ...stored }),
      ...(metadata ? [writeRecord({ ...metadata, publicKey: stored.publicKey })] : []),
    ];
  });
  secret.fill(0);
  return records;
}

/** Removes bytes after the last field of a record of a known type. A migration would read them as the start of the next record. */
function withoutTrailing(record: RawRecord): { record: RawRecord; parsed: WalletRecord } {
  const parsed = parseRecord(record.key, record.value);
  if (parsed.type === 'unknown' || parsed.type === 'damaged' || !parsed.trailing) return { record, parsed };
  const end = record.value.length - parsed.trailing.length;
  return {
    record: { key: record.key, value: record.value.subarray(0, end) },
    parsed: { ...parsed, trailing: undefined },
  };
}

/** Keeps the flags that a legacy wallet may have. A wallet with keys is neither blank nor watch-only. */
function legacyFlags(flags: bigint, hasKeys: boolean): bigint {
  const optional = flags & 0xffffffffn;
  const kept = hasKeys ? 0n : flags & (flagBits.blank | flagBits.disable_private_keys);
  return optional | kept;
}

/** Versions whose encrypted wallets Bitcoin Core rewrites at load (`NEED_REWRITE`), which a migration cannot. */
const REWRITTEN: ReadonlySet<number> = new Set([40_000, 50_000]);

/** The same for the transactions among records, which both kinds of wallets have. */
export function loadableTransactions(records: readonly RawRecord[]): RawRecord[] {
  const impossible = impossibleIn(recordsByType(records));
  return records.flatMap((record) =>
    loadableTransaction(record, parseRecord(record.key, record.value), impossible),
  );
}

export function misplacedIn(records: RecordsByType): number {
  return misplacedTransactions(records.of('tx')).size;
}

/** The ids of transactions in a state that ends a node. */
function impossibleIn(
  records: RecordsByType,
  misplaced = misplacedTransactions(records.of('tx')),
): ReadonlySet<string> {
  const stored = records.of('tx');
  const found = [...spentRewards(stored), ...misplaced, ...stored.filter(isConflictedReward)];
  return new Set(found.map(({ txid }) => txid));
}

/**
 * Removes metadata that release 32 does not know and damaged variants of transactions. A transaction in an impossible
 * state becomes abandoned, so that a rescan finds its block. Other records stay. `impossible`: see `impossibleIn`.
 */
function loadableTransaction(
  record: RawRecord,
  parsed: WalletRecord,
  impossible: ReadonlySet<string>,
): RawRecord[] {
  if (parsed.type === 'wtxvariant') return variantId(parsed) === parsed.wtxid ? [record] : [];
  if (parsed.type !== 'tx') return [record];
  const mapValue = parsed.mapValue.filter(({ name }) => METADATA_NAMES.has(name));
  const orderForm = parsed.orderForm.filter(({ name }) => ORDER_NAMES.has(name));
  const isImpossible = impossible.has(parsed.txid);
  const isKnown = mapValue.length + orderForm.length === parsed.mapValue.length + parsed.orderForm.length;
  if (!isImpossible && isKnown) return [record];
  const abandoned = isImpossible ? { blockHash: ABANDONED, index: -1 } : {};
  return [writeRecord({ ...parsed, mapValue, orderForm, ...abandoned })];
}

/** Excludes nothing from a wallet without keys and scripts, or without a network. */
export function excludeOrphaned(
  records: RawRecord[],
  network: Network | undefined,
): { records: RawRecord[]; excluded: ExcludedRecords } {
  const byType = recordsByType(records);
  const wallet = legacyWallet(byType);
  if (!network || !wallet.isLegacy) return { records, excluded: { transactions: [], addresses: [] } };
  const kept = collectPreservedRecords(byType);
  const plan = planMigration(wallet, network);
  const stored = kept.transactions.map(({ record }) => record);
  const unownedIds = new Set(assignTransactions(stored, plan.partOfScript).unowned);
  // No descriptor can express such a script, so the node finds no new wallet for its address.
  const inexpressible = new Set(plan.inexpressible().map(toLatin1));
  const unowned = new Set(assignAddresses(kept, wallet, plan, network).unowned);
  const invalid = new Set<string>();
  const givenOut = kept.purposes.filter(isGivenOut).map((entry) => {
    const address = toLatin1(readAddress(entry));
    const script = scriptIfAddress(address, network);
    if (script === null) invalid.add(address);
    else if (inexpressible.has(toLatin1(script))) unowned.add(address);
    return { address, entry };
  });
  const left = new Set<RawRecord>([
    ...kept.transactions.filter(({ record }) => unownedIds.has(record.txid)).map(({ entry }) => entry),
    ...givenOut
      .filter(({ address }) => unowned.has(address) || invalid.has(address))
      .map(({ entry }) => entry),
  ]);
  return {
    records: records.filter((record) => !left.has(record)),
    excluded: {
      transactions: stored
        .filter(({ txid }) => unownedIds.has(txid))
        .map(({ txid, transaction: read }) => ({ txid, hex: bytesToHex(encode(transaction, read)) })),
      addresses: [...unowned, ...invalid]
        .filter(wallet.watchesOnly ? needsReport(byType, network) : () => true)
        .map((address) => ({
          address: decodeUtf8(fromLatin1(address)),
          isReadable: !invalid.has(address),
        })),
    },
  };
}

/**
 * Whether a rescue must report an excluded address of a wallet that only watches. Once one form of a pool key is paid, a node lists all its
 * forms without a label, even those that the wallet does not watch (`MarkReserveKeysAsUsed`).
 */
function needsReport(records: RecordsByType, network: Network): (address: string) => boolean {
  const named = [...records.of('keymeta'), ...records.of('pool')].map(({ publicKey }) => publicKey);
  const own = new Set(named.flatMap(scriptsOfKey).map(toLatin1));
  const labelled = new Set(records.of('name').flatMap(({ address, label }) => (label ? [address] : [])));
  return (address) =>
    labelled.has(address) || !own.has(toLatin1(scriptIfAddress(address, network) ?? new Uint8Array()));
}

/**
 * A migration fails halfway on a chain whose seed is lost, or that lacks a key below its counter. Turns the keys of a chain
 * without a seed, and those after a gap, into single keys.
 */
export function withWholeChains(records: readonly RawRecord[], { chains: gaps }: MissingKeys): RawRecord[] {
  const { chains, seedOf, keys } = legacyWallet(recordsByType(records));
  const lost = new Set(chains.filter((chain) => !seedOf(chain)).map(({ seedHash }) => seedHash));
  const firstGaps = new Map(
    gaps.map(({ seedId, branch, indexes }) => [`${branch} ${toLatin1(seedId)}`, Math.min(...indexes)]),
  );
  const end = (seedId: Uint8Array, branch: number) =>
    firstGaps.get(`${branch} ${toLatin1(seedId)}`) ?? Number.POSITIVE_INFINITY;
  /** The record of a counter may be an older copy than the keys. */
  const counted = (seedId: Uint8Array, branch: number, counter: number) => {
    const reached = keys.all.reduce((most, { metadata }) => {
      const isItsSeed = metadata?.hd && toLatin1(metadata.hd.seedId) === toLatin1(seedId);
      const step = isItsSeed ? chainStepOf(metadata) : null;
      return step?.branch === branch ? Math.max(most, step.index + 1) : most;
    }, counter);
    return Math.min(reached, end(seedId, branch));
  };
  return records.flatMap((record) => {
    if (!CHAIN_TYPES.has(typeIn(record.key))) return [record];
    const parsed = parseRecord(record.key, record.value);
    if (parsed.type === 'hdchain') {
      const { seedId, externalCounter, internalCounter } = parsed;
      if (lost.has(toLatin1(seedId))) return [];
      const counters = {
        externalCounter: counted(seedId, 0, externalCounter),
        internalCounter: internalCounter === null ? null : counted(seedId, 1, internalCounter),
      };
      return [writeRecord({ ...parsed, ...counters })];
    }
    if (parsed.type !== 'keymeta' || !parsed.hd) return [record];
    const { publicKey, createTime } = parsed;
    const step = chainStepOf(parsed);
    const isBehind = step !== null && step.index >= end(parsed.hd.seedId, step.branch);
    if (!isBehind && !lost.has(toLatin1(parsed.hd.seedId))) return [record];
    return [metadataRecord(publicKey, createTime)];
  });
}

const CHAIN_TYPES: ReadonlySet<string> = new Set(['hdchain', 'keymeta']);

/** Leaves out the metadata of keys that are lost: the repaired wallet never had them. */
export function withoutLostKeys(records: RawRecord[], { keys }: MissingKeys): RawRecord[] {
  const lost = new Set(keys.map(toLatin1));
  if (lost.size === 0) return records;
  return records.filter((record) => {
    const metadata = typeIn(record.key) === 'keymeta' ? recordOf('keymeta', record) : null;
    return metadata === null || !lost.has(toLatin1(metadata.publicKey));
  });
}
