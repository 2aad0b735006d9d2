/** Problems of a wallet's records. They never contain bytes of the file. */
import { MAX_FIRST_KEYS } from '../../../shared/model/conditions.ts';
import type {
  FileProblem,
  InspectedFile,
  InspectedNetwork,
  Inspection,
} from '../../../shared/model/inspection.ts';
import { MAX_SATOSHI } from '../../../shared/model/money.ts';
import type { InspectedCoin, Network } from '../../../shared/model/network.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { lossOf, remarkOf } from '../database/problemLog.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { canBeTried } from '../keys/crypter.ts';
import { hasRightChecksum, readStoredKey, type StoredKey } from '../keys/privateKey.ts';
import { damagedKeyNames } from '../keys/publicKey.ts';
import type { KeyMatcher } from '../legacy/legacyKeys.ts';
import { hasItsHash, scriptsLeftInMetadata } from '../legacy/legacyScripts.ts';
import { isHarmless, isOfOthersKey, type LegacyWallet } from '../legacy/legacyWallet.ts';
import type { KnownHistory } from '../legacy/storedHistory.ts';
import { flagsOf, hasUnknownMandatoryFlag, type RecordsByType, type RecordType } from '../records/records.ts';
import { networkProblem } from './identifyWallet.ts';

interface ProblemSources {
  records: RecordsByType;
  format: InspectedFile['format']['kind'];
  counts: Inspection['records'];
  keys: Inspection['keys'];
  network: InspectedNetwork;
  coin: InspectedCoin;
  /** The network that the caller expects. */
  expected: Network | undefined;
  history: KnownHistory;
  /** Unix seconds. */
  now: number;
}

export function inspectionProblems(sources: ProblemSources): FileProblem[] {
  const { records, format, counts, keys, network, coin, expected, history, now } = sources;
  const { damaged, encrypted, plain } = keys;
  const { spendable, watched, newestTransaction } = history.balance;
  const masterKeys = records.of('mkey');
  const hasMasterKey = masterKeys.length > 0;
  const unknown = counts.unknown.shown.reduce((sum, { count }) => sum + count, 0);
  const ofNetwork =
    coin.verdict === 'bitcoin'
      ? networkProblem(network, expected)
      : ({ code: 'not_surely_bitcoin', coin } as const);
  const satoshi = [spendable, watched].reduce((sum, part) => sum + part.confirmed + part.unconfirmed, 0n);
  const found = [
    ...counts.damaged.shown.map((type) => {
      const problemOf = isHarmless(type.type, format) ? remarkOf : lossOf;
      return problemOf({ code: 'records_of_type_unreadable', ...type });
    }),
    unknown > 0 && remarkOf({ code: 'records_of_unknown_types', count: unknown }),
    history.damaged.length > 0 && lossOf({ code: 'transactions_damaged', count: history.damaged.length }),
    hasUnknownMandatoryFlag(flagsOf(records)) && remarkOf({ code: 'newer_release_needed' }),
    damaged > 0 && lossOf({ code: 'keys_damaged', count: damaged }),
    encrypted > 0 && !hasMasterKey && lossOf({ code: 'master_key_missing' }),
    encrypted > 0 &&
      hasMasterKey &&
      !masterKeys.some(canBeTried) &&
      lossOf({ code: 'encryption_record_damaged' }),
    encrypted > 0 && plain > 0 && remarkOf({ code: 'keys_not_encrypted', count: plain }),
    hasMasterKey && encrypted === 0 && remarkOf({ code: 'passphrase_cannot_be_proved' }),
    ofNetwork !== null && remarkOf(ofNetwork),
    history.invalid > 0 && remarkOf({ code: 'transactions_invalid', count: history.invalid }),
    newestTransaction !== null &&
      newestTransaction > now + MAX_AHEAD &&
      remarkOf({ code: 'transaction_in_future' }),
    satoshi > MAX_SATOSHI && remarkOf({ code: 'more_than_all_bitcoin' }),
  ];
  return found.filter((problem) => problem !== false);
}

/** Two hours: a block's time may be as far ahead. */
const MAX_AHEAD = 7200;

/** Signs of a forged wallet: keys that do not fit each other. */
export function forgedKeys(records: RecordsByType, fits: KeyMatcher): FileProblem[] {
  const plain = [...records.of('key'), ...records.of('walletdescriptorkey')];
  const mismatched = plain.slice(0, MAX_FIRST_KEYS).filter((record) => isMismatched(record, fits)).length;
  const encryptedKeys = [...records.of('ckey'), ...records.of('walletdescriptorckey')];
  // Each key's encryption uses its public key as initial vector, so only equal keys repeat. Descriptors can share a key.
  const distinct = (bytes: readonly Uint8Array[]) => new Set(bytes.map(toLatin1)).size;
  const repeats =
    distinct(encryptedKeys.map(({ encrypted }) => encrypted)) <
    distinct(encryptedKeys.map(({ publicKey }) => publicKey));
  return [
    ...(mismatched > 0 ? [remarkOf({ code: 'keys_do_not_fit', count: mismatched })] : []),
    ...(repeats ? [remarkOf({ code: 'encrypted_keys_repeat' })] : []),
  ];
}

/** Signs of a forged legacy wallet: own addresses without keys. `givenOut`: scripts of receiving addresses that no key derives. */
export function keylessAddresses(
  wallet: LegacyWallet,
  givenOut: readonly (Uint8Array | null)[],
): FileProblem[] {
  // A wallet made for watching has a flag for it.
  if (wallet.watchesOnly) return [];
  const count = givenOut.filter((script) => script && wallet.ownerOf(script) === null).length;
  const hasNoKeys = wallet.keys.all.length === 0;
  const onlyWatches = hasNoKeys && wallet.scripts.mine.size > 0;
  // Its passphrase protected keys.
  if (hasNoKeys && count > 0 && wallet.records.of('mkey').length > 0) return [KEYS_LOST];
  if (onlyWatches || (hasNoKeys && count > 0)) return [NO_KEYS];
  return count === 0 ? [] : [remarkOf({ code: 'addresses_without_key', count })];
}

/**
 * Private keys that the wallet had, because their metadata is there, and that are neither in it now nor watched, apart from the damaged
 * metadata of its plain keys. The checksum of an encrypted key does not cover its public key, so a damaged one looks like another key, unless
 * it is no public key at all.
 */
export function lostKeys(wallet: LegacyWallet): FileProblem[] {
  const lost = wallet.records
    .of('keymeta')
    .filter(
      (metadata) =>
        !isOfOthersKey(metadata) &&
        !wallet.keys.ofPublicKey(metadata.publicKey) &&
        scriptsOfKey(metadata.publicKey).every((script) => wallet.ownerOf(script) === null),
    );
  if (lost.length === 0) return [];
  const proved = wallet.records.of('key').filter(hasRightChecksum);
  const namesOf = (keys: readonly { publicKey: Uint8Array }[]) =>
    keys.map(({ publicKey }) => toLatin1(publicKey));
  const keyOf = damagedKeyNames(namesOf(proved), namesOf(wallet.records.of('ckey')));
  const count = lost.filter(({ publicKey }) => keyOf(toLatin1(publicKey)) === undefined).length;
  return [
    ...(count > 0 ? [lossOf({ code: 'keys_missing', count })] : []),
    ...unreadable('keymeta', lost.length - count),
  ];
}

/** Watched scripts that only their metadata still names, unless the wallet has their keys. */
export function lostScripts(wallet: LegacyWallet): FileProblem[] {
  const lost = scriptsLeftInMetadata(wallet.records).filter((script) => wallet.ownerOf(script) === null);
  return unreadable('watchs', lost.length);
}

/** Scripts that are not those of their records' hashes: the payments to them are missing from the balance. */
export function damagedScripts(records: RecordsByType): FileProblem[] {
  return unreadable('cscript', records.of('cscript').filter((record) => !hasItsHash(record)).length);
}

function unreadable(type: RecordType, count: number): FileProblem[] {
  return count > 0 ? [lossOf({ code: 'records_of_type_unreadable', type, count })] : [];
}

export const NO_KEYS = remarkOf({ code: 'only_addresses' });
/** Of a wallet that surely had private keys. */
export const KEYS_LOST = lossOf({ code: 'only_addresses' });

/** Only keys with a valid checksum: a wrong checksum is damage, which is reported elsewhere. */
function isMismatched(record: StoredKey, fits: KeyMatcher): boolean {
  const key = readStoredKey(record, fits);
  if (!key) return false;
  try {
    return !fits(key.privateKey, record.publicKey);
  } finally {
    key.privateKey.fill(0);
  }
}
