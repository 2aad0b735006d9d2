/** Derives lost keys of a legacy wallet from its own seed, and finds what is still missing: gaps in its chains, and keys that records name. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import type { RescueFacts } from '../../../shared/model/safety.ts';
import { listOf } from '../../walletfile/bytes/lists.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import { extendedKeyOfSeed } from '../../walletfile/keys/extendedKey.ts';
import { damagedKeyNames, publicKeyOf } from '../../walletfile/keys/publicKey.ts';
import { secretIn } from '../../walletfile/legacy/legacyKeys.ts';
import { scriptsLeftInMetadata } from '../../walletfile/legacy/legacyScripts.ts';
import {
  type Branch,
  branchKeys,
  chainStepOf,
  counterOf,
  type HdChain,
  hdChains,
  isOfOthersKey,
  keyPathOf,
  legacyWallet,
  needsFirstKey,
} from '../../walletfile/legacy/legacyWallet.ts';
import { storedHistory, sumOfCoins } from '../../walletfile/legacy/storedHistory.ts';
import {
  parseRecord,
  type RecordOfType,
  type RecordsByType,
  recordsByType,
  writeRecord,
} from '../../walletfile/records/records.ts';
import { addressOf, scriptIfAddress } from '../../walletfile/script/address.ts';
import { encryptedKeyRecord, type KeyOwnership, plainKeyRecord } from './provedKeys.ts';

/**
 * Repairs the names in a wallet's records: metadata with the damaged public key of a key that is there, the damaged id of a seed that
 * is there, and a watched script that only its metadata still names. `there`, `proved`: public keys as `toLatin1`. The encryption of a
 * key without its passphrase does not prove its public key, but a name that is no public key at all is the damaged one.
 */
export function withRepairedNames(
  entries: readonly RawRecord[],
  there: ReadonlySet<string>,
  proved: ReadonlySet<string>,
): RawRecord[] {
  const records = recordsByType(entries);
  const metadata = records.of('keymeta');
  const lost = metadata.filter(({ publicKey }) => !there.has(toLatin1(publicKey)));
  const keyOf = damagedKeyNames(lost.length > 0 ? proved : [], lost.length > 0 ? there : []);
  const described = new Set(metadata.map(({ publicKey }) => toLatin1(publicKey)));
  const damaged = new Set<string>();
  const renamed = lost.flatMap((record) => {
    const key = keyOf(toLatin1(record.publicKey));
    if (key === undefined) return [];
    damaged.add(toLatin1(writeRecord(record).key));
    if (described.has(key)) return [];
    described.add(key);
    return [writeRecord({ ...record, publicKey: fromLatin1(key) })];
  });
  const unwatched = scriptsLeftInMetadata(records);
  const own = new Set(
    unwatched.length > 0 ? [...there].flatMap((key) => scriptsOfKey(fromLatin1(key)).map(toLatin1)) : [],
  );
  const restored = unwatched
    .filter((script) => !own.has(toLatin1(script)))
    .map((script) => writeRecord({ type: 'watchs', script, watched: 0x31 }));
  const kept = damaged.size > 0 ? entries.filter(({ key }) => !damaged.has(toLatin1(key))) : entries;
  return [...withRepairedSeeds([...kept, ...renamed], records, there), ...restored];
}

/** `records`: those of the entries. */
function withRepairedSeeds(
  entries: RawRecord[],
  records: RecordsByType,
  there: ReadonlySet<string>,
): RawRecord[] {
  const named = [...records.of('hdchain'), ...records.of('keymeta').flatMap(({ hd }) => hd ?? [])];
  const ids = new Set(named.map(({ seedId }) => toLatin1(seedId)));
  const hashes = ids.size > 0 ? [...there].map((key) => quickHash160(fromLatin1(key))) : [];
  for (const hash of hashes) ids.delete(hash);
  const idOf = damagedKeyNames(ids.size > 0 ? hashes : [], []);
  const repairs = new Map([...ids].map((id) => [id, idOf(id)]));
  if ([...repairs.values()].every((id) => id === undefined)) return entries;
  const repaired = <T extends { seedId: Uint8Array }>(one: T): T => {
    const id = repairs.get(toLatin1(one.seedId));
    return id === undefined ? one : { ...one, seedId: fromLatin1(id) };
  };
  return entries.map((entry) => {
    const record = parseRecord(entry.key, entry.value);
    if (record.type === 'hdchain') return writeRecord(repaired(record));
    return record.type === 'keymeta' && record.hd
      ? writeRecord({ ...record, hd: repaired(record.hd) })
      : entry;
  });
}

interface DerivedKeys {
  keys: { record: RawRecord; publicKey: Uint8Array }[];
  /** Replaces the lost or wrong metadata of keys in a chain. */
  metadata: RawRecord[];
  /** By the `toLatin1` of the seed's id: the indexes that may still be missing in each chain with a known seed. */
  chains: ReadonlyMap<string, LostIndexes[]>;
}

interface LostIndexes {
  branch: Branch;
  indexes: number[];
}

/**
 * Derives the lost keys of chains with a saved seed: m/0'/0'/i' for addresses and m/0'/1'/i' for change
 * (`LegacyScriptPubKeyMan::DeriveNewChildKey`). Up to the last key that derivation proves or a record names, the wallet had all of
 * them. Above it, up to the unproved counter of the chain, it had those that `owns` accepts. If nothing shows how many, derives as many
 * as a new wallet has. Without the master key of an encrypted seed, finds none. `saved`: public keys as `toLatin1`.
 */
export function rederiveLostKeys(
  records: readonly RawRecord[],
  saved: ReadonlySet<string>,
  masterKey: Uint8Array | null,
  { owns, names }: Pick<KeyOwnership, 'owns' | 'names'>,
): DerivedKeys {
  const wallet = legacyWallet(recordsByType(records));
  const metadata = wallet.records.of('keymeta');
  const keys: DerivedKeys['keys'] = [];
  const newMetadata: RawRecord[] = [];
  const metadataOf = new Map(metadata.map((record) => [toLatin1(record.publicKey), record]));
  const seeds = new Set(wallet.chains.filter(wallet.seedOf).map(({ seedHash }) => seedHash));
  /** Saved keys without a place in a known chain. A flipped bit in a seed's id moves a key to a chain that never existed. */
  const unplaced = new Set(
    [...saved].filter((key) => {
      const known = metadataOf.get(key);
      return !known || (known.hd && !seeds.has(toLatin1(known.hd.seedId)));
    }),
  );
  const chains = new Map<string, LostIndexes[]>();
  const hasActive = wallet.chains.some(({ active }) => active);
  for (const chain of wallet.chains) {
    const seed = wallet.seedOf(chain);
    const secret = seed && secretIn(seed, masterKey);
    if (!seed || !secret) continue;
    const root = extendedKeyOfSeed(secret);
    secret.fill(0);
    const isUnused = BRANCHES.every(
      (one) => counterOf(chain, one) + stepsOf(chain, one, metadata).length === 0,
    );
    const lock = seed.record.type === 'ckey' ? masterKey : null;
    const unsure = BRANCHES.map((branch) => {
      const privateKeyAt = branchKeys(root, branch);
      const keyAt = (index: number) => {
        const privateKey = privateKeyAt(index);
        return { privateKey, publicKey: publicKeyOf(privateKey) };
      };
      const steps = stepsOf(chain, branch, metadata);
      const nameAt = (index: number) => toLatin1(keyAt(index).publicKey);
      const stored = counterOf(chain, branch);
      const proved = Math.max(provedEnd(steps, nameAt), branch === 0 && needsFirstKey(chain, seed) ? 1 : 0);
      const isCounted = chain.active && stored === proved && stored > 0;
      const isOfChain = branch === 0 || wallet.hasInternalChains;
      // All of these are derived below. The keys of an older chain show its end.
      const unused = isUnused && isOfChain ? UNUSED_KEYS : 0;
      const uncounted = isUnused || (hasActive && !chain.active) ? MAX_APART : UNUSED_KEYS;
      const apart = isCounted ? (unplaced.size > 0 ? MAX_APART : 0) : uncounted;
      const known = endWithKnown(Math.max(proved, unused), apart, (index) => {
        const { publicKey } = keyAt(index);
        return unplaced.has(toLatin1(publicKey)) || names(publicKey);
      });
      // A node never fills a chain that starts empty.
      const end = chain.active && known === 0 && isOfChain ? UNUSED_KEYS : known;
      const counter = Math.min(stored, end + MAX_BEHIND);
      const indexes: number[] = [];
      // Derive each key, because its metadata can be wrong as well as lost.
      for (let index = 0; index < Math.max(end, counter) && indexes.length < MAX_LOST; index += 1) {
        const { privateKey, publicKey } = keyAt(index);
        const isSaved = saved.has(toLatin1(publicKey));
        const wasThere = index < end || owns(publicKey);
        if (!isSaved && wasThere) {
          const record = lock
            ? encryptedKeyRecord(lock, publicKey, privateKey)
            : plainKeyRecord(privateKey, true);
          keys.push({ record, publicKey });
        } else if (!isSaved) indexes.push(index);
        const known = metadataOf.get(toLatin1(publicKey));
        const step = known && stepOn(chain, known);
        // Bitcoin Core aborts if the metadata of a key below the counter names no chain or another one.
        if ((isSaved || wasThere) && (step?.branch !== branch || step.index !== index)) {
          const hd = { keyPath: keyPathOf(branch, index), seedId: fromLatin1(chain.seedHash) };
          newMetadata.push(metadataRecord(publicKey, known?.createTime ?? 1, hd));
        }
        privateKey.fill(0);
      }
      return { branch, indexes };
    });
    chains.set(chain.seedHash, unsure);
  }
  return { keys, metadata: newMetadata, chains };
}

/** For a chain with an unknown seed: the indexes below its counters whose key no record names. */
function lostIndexes(chain: HdChain, metadata: readonly RecordOfType<'keymeta'>[]): LostIndexes[] {
  // An index far above the number of known keys is damaged.
  const most = 2 * metadata.length + MAX_BEHIND;
  return BRANCHES.map((branch) => {
    const known = new Set(stepsOf(chain, branch, metadata).map(({ index }) => index));
    const end = Math.min(counterOf(chain, branch), most);
    const indexes: number[] = [];
    for (let index = 0; index < end && indexes.length < MAX_LOST; index += 1)
      if (!known.has(index)) indexes.push(index);
    return { branch, indexes };
  });
}

const BRANCHES: readonly Branch[] = [0, 1];
/** A counter further above all known keys is damaged. Wallets keep 1,000 unused keys by default. */
const MAX_BEHIND = 2000;
/** Bounds the work to some seconds. */
const MAX_LOST = 20_000;
/** Bounds the derivations for records with too high an index. */
const MAX_TRIES = 200;

interface Step {
  index: number;
  publicKey: string;
}

function stepsOf(chain: HdChain, branch: Branch, metadata: readonly RecordOfType<'keymeta'>[]): Step[] {
  return metadata.flatMap((record) => {
    const step = stepOn(chain, record);
    return step?.branch === branch ? [{ index: step.index, publicKey: toLatin1(record.publicKey) }] : [];
  });
}

/** The index after the highest one whose metadata is proved by derivation. */
function provedEnd(steps: readonly Step[], keyAt: (index: number) => string): number {
  const highest = [...steps].sort((one, other) => other.index - one.index).slice(0, MAX_TRIES);
  const proved = highest.find(({ index, publicKey }) => keyAt(index) === publicKey);
  return proved ? proved.index + 1 : 0;
}

/** How many keys in a row may be lost before a saved key without a place. */
const MAX_APART = 100;
/** The default `-keypool` of a node. */
export const UNUSED_KEYS = 1000;

/** Extends the end by keys that are known, with at most `apart` others before each: the wallet had all keys before such a key. */
function endWithKnown(end: number, apart: number, isKnown: (index: number) => boolean): number {
  let last = end;
  for (let index = end; index < last + apart; index += 1) if (isKnown(index)) last = index + 1;
  return last;
}

/** The place of a key on this chain by its metadata; null if it names another chain or none. */
function stepOn({ seedHash }: HdChain, record: RecordOfType<'keymeta'>) {
  return record.hd && toLatin1(record.hd.seedId) === seedHash ? chainStepOf(record) : null;
}

/** The metadata of a key with its place in a chain. `createTime`: Unix seconds; 1 if unknown. */
export function metadataRecord(
  publicKey: Uint8Array,
  createTime: number,
  hd: RecordOfType<'keymeta'>['hd'] = null,
): RawRecord {
  const version = hd === null ? 1 : WITH_PATH;
  return writeRecord({ type: 'keymeta', publicKey, version, createTime, hd, origin: null });
}

/** Source: `CKeyMetadata::VERSION_WITH_HDDATA`. */
const WITH_PATH = 10;

export interface MissingKeys {
  /** Public keys that records name without a private key that can be used, and that the wallet does not watch. */
  keys: Uint8Array[];
  /**
   * By chain: indexes below its counter without a key, of a lost seed only those that `keys` does not name. If the seed is saved, a
   * wallet made from it has those keys too.
   */
  chains: (LostIndexes & {
    /** Hash160 of the seed's public key. */
    seedId: Uint8Array;
    seedSaved: boolean;
  })[];
  /**
   * How many of `keys` are among `chains` too, with a lost seed: those that only the pool names. 0 unless that is sure: if the counter
   * is lost or the wallet has keys of no chain, they may be other keys.
   */
  countedTwice: number;
  /** Whether the counters of the wallet's chains are lost. */
  chainLost: boolean;
}

/** `entries`: the saved and the unproved records. `there`, `proved`: the public keys of the keys among them, as `toLatin1`. */
export function findMissingKeys(
  entries: readonly RawRecord[],
  there: ReadonlySet<string>,
  proved: ReadonlySet<string>,
  rederived: DerivedKeys['chains'],
): MissingKeys {
  const records = recordsByType(entries);
  const metadata = records.of('keymeta');
  const named = new Set(
    [
      ...metadata.filter((record) => !isOfOthersKey(record)),
      ...records.of('pool'),
      ...records.of('defaultkey'),
      ...records.of('ckey'),
    ].map(({ publicKey }) => toLatin1(publicKey)),
  );
  const hashes = new Set([...there].map((key) => quickHash160(fromLatin1(key))));
  const chains = hdChains(metadata, records.one('hdchain'));
  const watched = new Set(records.of('watchs').map(({ script }) => toLatin1(script)));
  const isWatched = (key: string) =>
    watched.size > 0 && scriptsOfKey(fromLatin1(key)).some((script) => watched.has(toLatin1(script)));
  const unnamed = [...named].filter((key) => !there.has(key) && !isWatched(key));
  const keyOf = damagedKeyNames(unnamed.length > 0 ? proved : [], unnamed.length > 0 ? there : []);
  const keys = unnamed.filter((key) => keyOf(key) === undefined);
  const lost = chains.flatMap(({ seedHash, ...chain }) =>
    (rederived.get(seedHash) ?? lostIndexes({ seedHash, ...chain }, metadata))
      .filter(({ indexes }) => indexes.length > 0)
      .map((lost) => ({ seedId: fromLatin1(seedHash), seedSaved: hashes.has(seedHash), ...lost })),
  );
  return {
    keys: keys.map(fromLatin1),
    countedTwice: countTwice(records, there, lost),
    chains: lost,
    chainLost: records.of('hdchain').length === 0 && chains.length > 0,
  };
}

/** See `MissingKeys`. */
function countTwice(
  records: RecordsByType,
  there: ReadonlySet<string>,
  chains: MissingKeys['chains'],
): number {
  const metadata = records.of('keymeta');
  const placed = new Set(metadata.map(({ publicKey }) => toLatin1(publicKey)));
  const areAllInChains =
    metadata.every(({ hd }) => hd !== null) && [...there].every((key) => placed.has(key));
  if (!areAllInChains) return 0;
  const active = toLatin1(records.one('hdchain')?.seedId ?? new Uint8Array());
  const indexes = chains
    .filter(({ seedId, seedSaved }) => !seedSaved && toLatin1(seedId) === active)
    .reduce((sum, { indexes }) => sum + indexes.length, 0);
  const pool = new Set(records.of('pool').map(({ publicKey }) => toLatin1(publicKey)));
  return Math.min(indexes, [...pool].filter((key) => !there.has(key) && !placed.has(key)).length);
}

/**
 * The unspent coins on keys without a private key, on addresses that the wallet gave out without a key, and on lost scripts
 * (`outputs`). Counts by the file's transactions only: spending transactions may be lost, and newer ones are unknown.
 */
export function lostCoins(
  transactions: readonly RecordOfType<'tx'>[],
  {
    publicKeys,
    addresses,
    outputs = [],
  }: { publicKeys: readonly Uint8Array[]; addresses: readonly string[]; outputs?: readonly Uint8Array[] },
  network: Network,
): NonNullable<RescueFacts['lostCoins']> {
  const scripts = [
    ...outputs,
    ...publicKeys.flatMap(scriptsOfKey),
    ...addresses.flatMap((one) => scriptIfAddress(one, network) ?? []),
  ];
  return coinsOn(transactions, new Set(scripts.map(bytesToHex)), network);
}

/** The unspent coins on these scripts (hex). */
export function coinsOn(
  transactions: readonly RecordOfType<'tx'>[],
  scripts: ReadonlySet<string>,
  network: Network,
): NonNullable<RescueFacts['lostCoins']> {
  const { coins } = storedHistory(transactions, {
    ownerOf: (script) => (scripts.has(bytesToHex(script)) ? 'spendable' : null),
  });
  const on = new Set(coins.map(({ script }) => addressOf(script, network) ?? bytesToHex(script)));
  return {
    amount: sumOfCoins(coins),
    coins: coins.length,
    on: listOf([...on], (address) => address),
  };
}
