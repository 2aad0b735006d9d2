/** The contents of a wallet file, without secrets. Satoshi, Unix seconds; ids, hashes and scripts in hex as shown. */
import { z } from 'zod/mini';
import { type ConditionCode, condition, FIRST_NEW_IDS } from './conditions.ts';
import { finding } from './findings/finding.ts';
import { type Hazard, migrationPreview } from './migrationPreview.ts';
import { balanceInFile, mainAmount, otherWatchedAmount, satoshi } from './money.ts';
import { inspectedCoin, network } from './network.ts';
import { type PassphraseVariant, passphraseVariant } from './passphraseVariants.ts';
import { count, truncatedList } from './shapes.ts';
import { walletIds } from './wallet.ts';

const time = z.number();

const inspectedNetwork = z.object({
  name: z.union([network, z.literal('unknown')]),
  /**
   * `file`: the application id of a descriptor wallet. `genesis-block`: the first block that the wallet saw. `asked`: the
   * caller named it. `keys`, `addresses`: their encoding shows it.
   */
  from: z.enum(['file', 'genesis-block', 'asked', 'keys', 'addresses', 'nothing']),
  /** The possible networks of an unknown name. The test networks encode addresses and keys alike. */
  candidates: z.readonly(z.array(network)),
});
export type InspectedNetwork = z.infer<typeof inspectedNetwork>;

const inspectedFile = z.object({
  /** Bytes. */
  size: count,
  format: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('berkeley-db'),
      pageSize: count,
      byteOrder: z.enum(['little', 'big']),
      /** False when it was not closed cleanly: releases from 30 on refuse such a file. */
      cleanlyClosed: z.boolean(),
      uncleanPages: count,
      /** Whether only the last page is unclean. Releases 30.0 to 31.0 ignore that page. */
      onlyLastUnclean: z.boolean(),
      /**
       * Every reason why Bitcoin Core's own reader, which migrations use since release 28, or Berkeley DB refuses the file.
       * `version`: Berkeley DB 6 or later. `length`: not what the header says. `tree`: keys too long for their pages, pages
       * with checksums, or not `main` alone. `partial-page`: only Berkeley DB itself refuses it, for bytes after the last whole page.
       */
      refusals: z.array(z.enum(['version', 'length', 'tree', 'partial-page'])),
    }),
    z.object({
      kind: z.literal('sqlite'),
      pageSize: count,
      applicationId: z.number(),
      userVersion: z.number(),
    }),
  ]),
});
export type InspectedFile = z.infer<typeof inspectedFile>;

/**
 * `right-cut-at-zero`: right up to its zero byte, where releases before 25 stopped. `right-trimmed` and the like: wrong, but that
 * variant is right. `cannot-be-tried`: damaged records.
 */
const passphraseVerdict = z.enum([
  'right',
  'wrong',
  'right-cut-at-zero',
  'right-trimmed',
  'right-spaced',
  'right-composed',
  'right-decomposed',
  'not-encrypted',
  'not-tried',
  'cannot-be-tried',
  'too-many-rounds',
]);
export type PassphraseVerdict = z.infer<typeof passphraseVerdict>;

/** The right variant of a wrong passphrase; null if there is none. */
export function rightVariant(verdict: PassphraseVerdict | null): PassphraseVariant | null {
  return passphraseVariant.options.find((variant) => verdict === `right-${variant}`) ?? null;
}

/** Whether the passphrase was tried and does not open the wallet as it is typed. */
export function isWrongPassphrase(verdict: PassphraseVerdict): boolean {
  return verdict === 'wrong' || verdict === 'right-cut-at-zero' || rightVariant(verdict) !== null;
}

/** When the first key was created. `at-latest`: some keys have no date, so a rescan starts at the first block. */
const birth = z.discriminatedUnion('known', [
  z.object({ known: z.literal('exactly'), time }),
  z.object({ known: z.literal('at-latest'), time, undated: count }),
  z.object({ known: z.literal('no'), undated: count }),
]);
export type Birth = z.infer<typeof birth>;

const keyCounts = z.object({
  /** Public keys whose private key is unencrypted in the file. One key can serve several descriptors. */
  plain: count,
  /** Public keys whose private key is encrypted in the file. */
  encrypted: count,
  /** Of both: uncompressed keys, which have no segwit address. */
  uncompressed: count,
  /** Keys of a legacy wallet: seeds of HD chains, keys of these chains, and all others. */
  seeds: count,
  fromChains: count,
  single: count,
  /** Watched public keys without private key. */
  watched: count,
  /** Reserved for future addresses (`keypoolsize`). */
  unused: z.object({ external: count, internal: count }),
  /** Records of private keys with a wrong checksum, whose key cannot be trusted. */
  damaged: count,
});
export type KeyCounts = z.infer<typeof keyCounts>;

const inspectedHdChain = z.object({
  /** As `getwalletinfo.hdseedid` shows it. */
  seedId: z.string(),
  active: z.boolean(),
  /** 1: one chain of keys. 2: another one for change. */
  version: z.number(),
  /** Keys created so far, including the pool. */
  externalKeys: z.number(),
  internalKeys: z.nullable(z.number()),
  /** Fingerprint of the chain's root, eight hex digits. Null if no key's record holds it. */
  fingerprint: z.nullable(z.string()),
  /** Whether the file holds the private key of the seed, plain or encrypted. */
  hasSeed: z.boolean(),
});
export type InspectedHdChain = z.infer<typeof inspectedHdChain>;

const inspectedDescriptor = z.object({
  /** The public form that `listdescriptors` prints. Null if unreadable, or if deriving it needs a private key. */
  text: z.nullable(z.string()),
  active: z.boolean(),
  /** Only of active ones. */
  internal: z.nullable(z.boolean()),
  addressType: z.nullable(z.enum(['legacy', 'p2sh-segwit', 'bech32', 'bech32m'])),
  /** First and last index; null for a descriptor without range. */
  range: z.nullable(z.readonly(z.tuple([z.number(), z.number()]))),
  next: z.nullable(z.number()),
  /** Set for descriptors that the app derives no scripts for, and for `unused`, which has none. Null for others. */
  form: z.nullable(z.enum(['miniscript', 'musig', 'script-tree', 'key-only'])),
  created: time,
});
export type InspectedDescriptor = z.infer<typeof inspectedDescriptor>;

/** `solvable`: unwatched, but can help to sign. `not-mine`: watched, spendable by nobody; a migration drops it. */
const scriptOwnership = z.enum(['spendable', 'watched', 'solvable', 'not-mine']);
export type ScriptOwnership = z.infer<typeof scriptOwnership>;

const inspectedScript = z.object({
  script: z.string(),
  /** Null for a script without address, and if the network is unknown. */
  address: z.nullable(z.string()),
  kind: z.enum([
    'p2pk',
    'p2pkh',
    'p2sh',
    'p2wpkh',
    'p2wsh',
    'p2tr',
    'anchor',
    'witness-unknown',
    'multisig',
    'null-data',
    'nonstandard',
  ]),
  /** Of a multisig script, bare or inside p2sh or p2wsh. `own`: keys whose private key is in the file. */
  multisig: z.nullable(z.object({ required: count, keys: count, own: count })),
  ownership: scriptOwnership,
});
export type InspectedScript = z.infer<typeof inspectedScript>;

const inspectedLabel = z.object({
  address: z.string(),
  /** Null: in the address book without a label. */
  label: z.nullable(z.string()),
  /** `receive`, `send`, or another word of an old wallet. */
  purpose: z.nullable(z.string()),
});
export type InspectedLabel = z.infer<typeof inspectedLabel>;

/** `unconfirmed`: in no block that the wallet knew. */
const inspectedState = z.enum(['confirmed', 'unconfirmed', 'conflicted', 'abandoned']);
export type InspectedState = z.infer<typeof inspectedState>;

const moved = z.object({ received: satoshi, spent: satoshi });

const inspectedTransaction = z.object({
  txid: z.string(),
  time,
  state: inspectedState,
  coinbase: z.boolean(),
  /** Amounts received and spent on scripts that the wallet can spend from. */
  spendable: moved,
  /** The same for watched scripts. */
  watched: moved,
});
export type InspectedTransaction = z.infer<typeof inspectedTransaction>;

const balanceParts = z.object({
  confirmed: satoshi,
  /** In transactions that are in no block that the wallet knew. */
  unconfirmed: satoshi,
  /** The block rewards in `confirmed`. */
  ofBlockRewards: satoshi,
  /** The rewards of the last 100 blocks in the file, which cannot be spent yet. */
  immature: satoshi,
  /** The part of both that lies in invalid transactions. */
  invalid: satoshi,
  /** The number of scripts with these coins. */
  addresses: count,
});
export type BalanceParts = z.infer<typeof balanceParts>;

const lastKnownBalance = z.object({
  spendable: balanceParts,
  watched: balanceParts,
  /** On scripts that a legacy wallet neither watches nor can spend from alone. */
  notYours: satoshi,
  /** The newest transaction's time; null without one. */
  newestTransaction: z.nullable(time),
  /** The newest block that the wallet knew, except the genesis block; null if it never saw the chain. */
  lastBlock: z.nullable(z.string()),
});
export type LastKnownBalance = z.infer<typeof lastKnownBalance>;

const countOfType = truncatedList(z.object({ type: z.string(), count }));

const recordCounts = z.object({
  total: count,
  /** The readable records by type. */
  byType: z.readonly(z.record(z.string(), count)),
  /** Types that the app does not know, and keeps unchanged. */
  unknown: countOfType,
  /** Records of known types with invalid content. */
  damaged: countOfType,
});
export type RecordCounts = z.infer<typeof recordCounts>;

/** A problem of a wallet file, shown next to its readable contents. */
const fileProblem = z.object({
  /** The page with the problem, counted from 0. */
  page: z.nullable(z.number()),
  /** Never holds bytes of the file: they may be secret. */
  finding,
  /** Whether entries may be missing from what was read. */
  lost: z.boolean(),
});
export type FileProblem = z.infer<typeof fileProblem>;

export const inspection = z.object({
  kind: z.enum(['legacy', 'descriptor']),
  /** What an interrupted migration left: an SQLite file with legacy records, or without any descriptors. Null for a whole wallet. */
  incomplete: z.nullable(z.enum(['legacy-records', 'no-descriptors'])),
  /** Set if another program has the file open, which may be why it seems incomplete or damaged. */
  isOpen: z.optional(z.boolean()),
  network: inspectedNetwork,
  coin: inspectedCoin,
  file: inspectedFile,
  ...walletIds.shape,
  /** Null for an unencrypted wallet. `iterations` turn the passphrase into a key. */
  encryption: z.nullable(
    z.object({
      masterKeys: count,
      iterations: count,
      /** About how long this computer needs to try a passphrase; null for a moment. */
      secondsPerTry: z.nullable(count),
    }),
  ),
  passphrase: passphraseVerdict,
  birth,
  /** The release that last wrote the file. Null when the file does not say. */
  lastWrittenBy: z.nullable(z.object({ version: z.number(), text: z.string() })),
  /** The oldest format that a release must know: 169900 for every release in use. Null if the file does not say. */
  formatVersion: z.nullable(z.number()),
  /** As `getwalletinfo` names them; `unknown_flag_<bit>` for others. */
  flags: z.readonly(z.array(z.string())),
  keys: keyCounts,
  /** Of a legacy wallet. */
  hdChains: truncatedList(inspectedHdChain),
  /** Of a descriptor wallet, sorted by text. */
  descriptors: truncatedList(inspectedDescriptor),
  /** Scripts of a legacy wallet beyond those of its own keys: watched and multisig ones. */
  scripts: truncatedList(inspectedScript),
  labels: truncatedList(inspectedLabel),
  /** The newest first. */
  transactions: truncatedList(inspectedTransaction),
  /** Coins that the user locked against spending. */
  lockedCoins: truncatedList(z.object({ txid: z.string(), index: count })),
  balance: lastKnownBalance,
  records: recordCounts,
  /** Problems, each with whether entries may be missing because of it. */
  problems: z.readonly(z.array(fileProblem)),
  /** Conditions that releases of Bitcoin Core meet when they load or migrate the wallet. */
  conditions: z.readonly(z.array(condition)),
  /** Null for descriptor wallets. */
  migration: z.nullable(migrationPreview),
});
export type Inspection = z.infer<typeof inspection>;

/** The main amount of a wallet, `total` in satoshi: what it can spend or, without private keys that a node uses, what it watches. */
export function mainBalance({ balance, flags, keys }: Pick<Inspection, 'balance' | 'flags' | 'keys'>) {
  const counted = balanceInFile(balance);
  const isDisabled = flags.includes('disable_private_keys');
  const watches = keys.watched > 0 || counted.watched > 0n || isDisabled;
  const usesNoKeys = keys.plain + keys.encrypted === 0 || isDisabled;
  const onlyWatches = usesNoKeys && counted.spendable === 0n && watches;
  return {
    onlyWatches,
    parts: onlyWatches ? balance.watched : balance.spendable,
    total: mainAmount(counted, onlyWatches),
    beside: otherWatchedAmount(counted, onlyWatches),
  };
}

/**
 * Why releases refuse a file for its form, or cannot migrate it; null if they accept it. A rescue writes its records into a file that
 * none refuses. `version`: nodes built with Berkeley DB 6 or later load it. Only old releases refuse bytes after the last whole page.
 */
export function formFault({
  format,
}: Pick<InspectedFile, 'format'>): 'not-closed' | 'damaged' | 'version' | null {
  if (format.kind !== 'berkeley-db') return null;
  if (!format.cleanlyClosed) return 'not-closed';
  const { refusals } = format;
  if (refusals.includes('length') || refusals.includes('tree')) return 'damaged';
  return refusals.includes('version') ? 'version' : null;
}

/**
 * About how long this computer needs to try a passphrase on a file, null for a moment. `opensAll`: only a passphrase opens keys of the
 * text, which are all BIP 38 keys. `isSearchable`: a wallet's passphrase, which can be searched. Null without encrypted keys.
 */
export function passphraseNeed({
  encryption,
  keys,
  problems,
}: Pick<Inspection, 'encryption' | 'keys' | 'problems'>) {
  const locked = problems.map(({ finding }) => (finding.code === 'keys_locked' ? finding.count : 0));
  const sealed = Math.max(0, ...locked);
  if (encryption === null && sealed === 0) return null;
  const seconds = (encryption?.secondsPerTry ?? 0) + Math.round(sealed * SECONDS_PER_SEALED_KEY);
  return {
    secondsPerTry: seconds === 0 ? null : seconds,
    opensAll: encryption === null && keys.plain === 0,
    isSearchable: encryption !== null,
  };
}

/** BIP 38 runs scrypt with 16 MB for each key, about a quarter of a second. */
const SECONDS_PER_SEALED_KEY = 0.25;

/** Whether something in a file is lost, or a node refuses the file although nothing is: a damaged index of an SQLite file. */
export function isDamaged(problems: Inspection['problems']): boolean {
  return problems.some(({ finding, lost }) => lost || finding.code === 'wallet_damaged');
}

/** Whether this release, or else any, refuses the wallet's file, or aborts the migration of a legacy one, because of its contents. */
export function needsRescue(
  inspection: Pick<Inspection, 'kind' | 'isOpen' | 'file' | 'problems' | 'conditions' | 'migration'>,
  release = Number.POSITIVE_INFINITY,
): boolean {
  const { kind, file, problems, conditions, migration } = inspection;
  if (inspection.isOpen) return false;
  const isRead = (code: ConditionCode) => code === 'descriptor-id-earlier' && release < FIRST_NEW_IDS;
  if (conditions.some(({ code }) => !UNREPAIRED_CONDITIONS.has(code) && !isRead(code))) return true;
  if (kind === 'descriptor') return isDamaged(problems);
  if (file.format.kind !== 'berkeley-db') return false;
  if (formFault(file) !== null || isDamaged(problems)) return true;
  if (migration === null) return false;
  const { hazards, unownedTransactions } = migration;
  return unownedTransactions.total > 0 || hazards.some((hazard) => REPAIRED_HAZARDS.has(hazard));
}

/** Conditions that a rescue leaves unchanged, those that only releases before 30 or 31 refuse, and one that all releases load. */
const UNREPAIRED_CONDITIONS: ReadonlySet<ConditionCode> = new Set([
  'descriptor-cache-locked',
  'descriptor-id-later',
  'transaction-amount',
  'descriptor-orphan',
  'flags-blank',
  'master-missing',
  'pool-damaged',
  'pool-longer',
  'pool-key',
  'chain-twice',
  'chain-unknown',
]);

/** Hazards for which every release stops a migration, and which a rescue repairs or leaves out. */
const REPAIRED_HAZARDS: ReadonlySet<Hazard> = new Set([
  'wkey',
  'no-seed',
  'chain-gap',
  'unowned-labels',
  'unreadable-labels',
  'unused-seed',
  'labels-without-descriptor',
]);
