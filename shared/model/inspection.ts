/** What inspecting a wallet file tells: no secret. Satoshi, Unix seconds; ids, hashes and scripts in shown hex. */
import { z } from 'zod';
import { inspectedCoin } from './coin.ts';
import { condition } from './conditions.ts';
import { finding } from './findings/finding.ts';
import { migrationPreview } from './migrationPreview.ts';
import { balanceInFile, mainPart, satoshi, watchedPart } from './money.ts';
import { network } from './network.ts';
import { count, listed } from './shapes.ts';

const time = z.number();

export const inspectedNetwork = z.object({
  name: z.union([network, z.literal('unknown')]),
  /**
   * `file`: the number in the head of a descriptor wallet. `genesis-block`: the first block of the chain, in the
   * list of blocks that the wallet saw. `asked`: as the caller said. `keys`, `addresses`: by how they are written.
   */
  from: z.enum(['file', 'genesis-block', 'asked', 'keys', 'addresses', 'nothing']),
  /** Where the name is unknown: those it can be. The test networks write addresses and keys alike. */
  candidates: z.array(network).readonly(),
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
      /** Whether only the last page is not: releases 30.0 to 31.0 do not look at that one. */
      onlyLastUnclean: z.boolean(),
      /**
       * What Bitcoin Core's own reader, which every migration uses since 28, refuses about it all the same. `version`: of
       * Berkeley DB 6 or later. `length`: other than the file says. `tree`: keys too long for its pages, or no `main`.
       */
      refused: z.enum(['version', 'length', 'tree']).nullable(),
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

/** `right-cut-at-zero`: right up to a zero byte, as releases before 25 took it. `cannot-be-tried`: damaged records. */
export const passphraseVerdict = z.enum([
  'right',
  'wrong',
  'right-cut-at-zero',
  'not-encrypted',
  'not-tried',
  'cannot-be-tried',
  'too-many-rounds',
]);
export type PassphraseVerdict = z.infer<typeof passphraseVerdict>;

/** When the first key was made. `at-latest`: some have no date, so that a rescan starts at the first block. */
const birth = z.discriminatedUnion('known', [
  z.object({ known: z.literal('exactly'), time }),
  z.object({ known: z.literal('at-latest'), time, undated: count }),
  z.object({ known: z.literal('no'), undated: count }),
]);
export type Birth = z.infer<typeof birth>;

const keyCounts = z.object({
  /** Public keys whose private key lies open in the file. One key can serve several descriptors. */
  plain: count,
  /** Public keys whose private key is encrypted in the file. */
  encrypted: count,
  /** Of these two: written uncompressed, so that they have no segwit address. */
  uncompressed: count,
  /** Of a legacy wallet's: seeds of HD chains, keys of these chains, and all others. */
  seeds: count,
  fromChains: count,
  single: count,
  /** Public keys that are watched, without private key. */
  watched: count,
  /** Kept ready for addresses to come (`keypoolsize`). */
  unused: z.object({ external: count, internal: count }),
  /** Records of private keys that do not fit the checksum beside them: the key in there is not to be trusted. */
  damaged: count,
});
export type KeyCounts = z.infer<typeof keyCounts>;

const inspectedHdChain = z.object({
  /** As `getwalletinfo.hdseedid` shows it. */
  seedId: z.string(),
  active: z.boolean(),
  /** 1: one chain of keys. 2: another one for change. */
  version: z.number(),
  /** Keys made so far, those in the pool included. */
  externalKeys: z.number(),
  internalKeys: z.number().nullable(),
  /** Of the chain's root, eight hex digits. Null where no key's record tells. */
  fingerprint: z.string().nullable(),
  /** Whether the file holds the private key of the seed, open or encrypted. */
  hasSeed: z.boolean(),
});
export type InspectedHdChain = z.infer<typeof inspectedHdChain>;

export const inspectedDescriptor = z.object({
  /** Public, as `listdescriptors` prints it. Null where it cannot be read, or told without a private key. */
  text: z.string().nullable(),
  active: z.boolean(),
  /** Only of active ones. */
  internal: z.boolean().nullable(),
  addressType: z.enum(['legacy', 'p2sh-segwit', 'bech32', 'bech32m']).nullable(),
  /** First and last index; null for a descriptor without range. */
  range: z.tuple([z.number(), z.number()]).readonly().nullable(),
  next: z.number().nullable(),
  /** Of those that no scripts are worked out for here, and of `unused`, which has none. Null for all others. */
  form: z.enum(['miniscript', 'musig', 'script-tree', 'key-only']).nullable(),
  created: time,
});
export type InspectedDescriptor = z.infer<typeof inspectedDescriptor>;

/** `solvable`: not watched, but can help to sign. `not-mine`: watched, spendable by nobody; a migration drops it. */
export const standing = z.enum(['spendable', 'watched', 'solvable', 'not-mine']);
export type Standing = z.infer<typeof standing>;

const inspectedScript = z.object({
  script: z.string(),
  /** Null for scripts without one, and where the network is not known. */
  address: z.string().nullable(),
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
  /** Of a multisig script, or one inside of p2sh or p2wsh. `own`: keys of it whose private key is in the file. */
  multisig: z.object({ required: count, keys: count, own: count }).nullable(),
  standing,
});
export type InspectedScript = z.infer<typeof inspectedScript>;

const inspectedLabel = z.object({
  address: z.string(),
  /** Null: in the address book without a label. */
  label: z.string().nullable(),
  /** `receive`, `send`, or what else old wallets wrote. */
  purpose: z.string().nullable(),
});
export type InspectedLabel = z.infer<typeof inspectedLabel>;

/** `unconfirmed`: in no block as far as the wallet knew. */
const inspectedState = z.enum(['confirmed', 'unconfirmed', 'conflicted', 'abandoned']);
export type InspectedState = z.infer<typeof inspectedState>;

const moved = z.object({ received: satoshi, spent: satoshi });

const inspectedTransaction = z.object({
  txid: z.string(),
  time,
  state: inspectedState,
  coinbase: z.boolean(),
  /** Paid to scripts that the wallet can spend from, and taken from them. */
  spendable: moved,
  /** The same for scripts that it only watches. */
  watched: moved,
});
export type InspectedTransaction = z.infer<typeof inspectedTransaction>;

const balanceParts = z.object({
  confirmed: satoshi,
  /** In transactions that are in no block as far as the wallet knew. */
  unconfirmed: satoshi,
  /** Of `confirmed`: block rewards. */
  ofBlockRewards: satoshi,
  /** Of these: in the last 100 blocks as far as the file tells, and not spendable yet. */
  immature: satoshi,
  /** Of both: in transactions that cannot be true. */
  untrue: satoshi,
  /** On how many scripts these coins lie. */
  addresses: count,
});
export type BalanceParts = z.infer<typeof balanceParts>;

export const lastKnownBalance = z.object({
  spendable: balanceParts,
  watched: balanceParts,
  /** On scripts of a legacy wallet that it neither watches nor can spend from alone. */
  notYours: satoshi,
  /** The newest transaction's time; null without one. */
  newestTransaction: time.nullable(),
  /** The newest block that the wallet knew, but for the first of all; null where it never saw the chain. */
  lastBlock: z.string().nullable(),
});
export type LastKnownBalance = z.infer<typeof lastKnownBalance>;

const countOfType = listed(z.object({ type: z.string(), count }));

const recordCounts = z.object({
  total: count,
  /** By type, of all that could be read. */
  byType: z.record(z.string(), count).readonly(),
  /** Types that are not known here. They are kept as they are. */
  unknown: countOfType,
  /** Of known types, with content that is not what the type should have. */
  damaged: countOfType,
});
export type RecordCounts = z.infer<typeof recordCounts>;

/** Something about a wallet file that a person should know, told beside what could be read. */
const fileProblem = z.object({
  /** The page it is about, counted from 0, where it is about one. */
  page: z.number().nullable(),
  /** Never holds bytes of the file: they may be secret. */
  finding,
  /** Whether entries may be missing from what was read. */
  lost: z.boolean(),
});
export type FileProblem = z.infer<typeof fileProblem>;

export const inspection = z.object({
  kind: z.enum(['legacy', 'descriptor']),
  /**
   * What a migration that was cut off left: an SQLite file that still has records of a legacy wallet, or a descriptor wallet
   * without descriptors. Null for a whole wallet.
   */
  cutOff: z.enum(['legacy-records', 'no-descriptors']).nullable(),
  network: inspectedNetwork,
  coin: inspectedCoin,
  file: inspectedFile,
  /** Null for a wallet without encryption. Iterations are those that turn the passphrase into a key. */
  encryption: z
    .object({
      masterKeys: count,
      iterations: count,
      /** About how long a try of a passphrase takes on this computer; null where that is a moment. */
      secondsPerTry: count.nullable(),
    })
    .nullable(),
  passphrase: passphraseVerdict,
  birth,
  /** The release that last wrote the file. Null when the file does not say. */
  lastWrittenBy: z.object({ version: z.number(), text: z.string() }).nullable(),
  /** The oldest format that a release must know: 169900 for all that may still be in use. Null: not said. */
  formatVersion: z.number().nullable(),
  /** As `getwalletinfo` names them; `unknown_flag_<bit>` for others. */
  flags: z.array(z.string()).readonly(),
  keys: keyCounts,
  /** Of a legacy wallet. */
  hdChains: listed(inspectedHdChain),
  /** Of a descriptor wallet, sorted by their text. */
  descriptors: listed(inspectedDescriptor),
  /** Scripts of a legacy wallet that are more than one of its own keys: watched ones, and multisig. */
  scripts: listed(inspectedScript),
  labels: listed(inspectedLabel),
  /** The newest first. */
  transactions: listed(inspectedTransaction),
  /** Coins that the user locked against spending. */
  lockedCoins: listed(z.object({ txid: z.string(), index: count })),
  balance: lastKnownBalance,
  records: recordCounts,
  /** What is wrong or odd, and whether something is missing because of it. */
  problems: z.array(fileProblem).readonly(),
  /** What releases of Bitcoin Core would meet in it when they load or migrate it. */
  conditions: z.array(condition).readonly(),
  /** Null for descriptor wallets. */
  migration: migrationPreview.nullable(),
});
export type Inspection = z.infer<typeof inspection>;

/**
 * The main amount of a wallet: what it can spend or, if it has no private keys and watches something, what it
 * watches. `total` in satoshi.
 */
export function mainBalance({ balance, flags, keys }: Pick<Inspection, 'balance' | 'flags' | 'keys'>) {
  const counted = balanceInFile(balance);
  const watches = keys.watched > 0 || counted.watched > 0n || flags.includes('disable_private_keys');
  const onlyWatches = keys.plain + keys.encrypted === 0 && counted.spendable === 0n && watches;
  return {
    onlyWatches,
    parts: onlyWatches ? balance.watched : balance.spendable,
    total: mainPart(counted, onlyWatches),
    beside: watchedPart(counted, onlyWatches),
  };
}
