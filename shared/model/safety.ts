/** The safety of a migration: checks before it, the app's own copy, the proof after it, and interruptions. */
import { z } from 'zod/mini';
import { appErrorShape } from './errors.ts';
import { finding } from './findings/finding.ts';
import { walletPart } from './migrationPreview.ts';
import { balance, satoshi } from './money.ts';
import { network } from './network.ts';
import { folderMark } from './node.ts';
import { passphraseVariant } from './passphraseVariants.ts';
import { count, nodeText, path, sha256, textUpTo, truncatedList, unixSeconds } from './shapes.ts';

const sentence = textUpTo(4000);

/** `warning`: read it before the run. `blocker`: the plan cannot run. `unseen`: unchecked, but the plan can run. */
export const check = z.object({
  id: z.enum([
    'wallet-exists',
    'wallet-loaded',
    'interrupted',
    'file-readable',
    'release',
    'unnamed-wallet',
    'pruned',
    'not-closed',
    'names-taken',
    'space',
    'syncing',
    'loaded-elsewhere',
    'stray-transactions',
    'lost-addresses',
    'pool-keys',
    'obstacles',
    'passphrase',
    'unconfirmed',
    'rescan',
    'birth',
    'network',
    'coin',
    'backup-file',
    'backup-place',
    'rehearsal',
    'wallets-folder',
    'name',
    'rescue',
    'logs',
    'node-user',
    'folder-rights',
    'same-folder',
  ]),
  verdict: z.enum(['fine', 'warning', 'blocker', 'unseen']),
  title: sentence,
  /** What the app found and what it means, in paragraphs; empty if the title says it all. */
  text: z.array(sentence),
  /** What to do. Empty for `fine` and `unseen`. */
  todo: z.array(sentence),
  /** Of a wrong passphrase: what is right instead. */
  variant: z.optional(passphraseVariant),
});
export type Check = z.infer<typeof check>;
/** Higher is worse. */
export const SEVERITY: Readonly<Record<Check['verdict'], number>> = {
  fine: 0,
  unseen: 1,
  warning: 2,
  blocker: 3,
};
export type CheckId = Check['id'];

/**
 * The state of a copy when the app read it. Only a `whole` one is called a safety copy. `not-closed`: it lacks the log with
 * the last changes. `half-migrated`: of an interrupted migration. `unknown`: not read, or changed since.
 */
const copyState = z.enum(['whole', 'not-closed', 'half-migrated', 'damaged', 'unknown']);
export type CopyState = z.infer<typeof copyState>;

/** A copy from before a migration or a rescue, in the app's own folder or, by a node on another machine, beside its log. Only the user removes it. */
export const safetyCopy = z.object({
  id: z.string(),
  wallet: nodeText,
  node: z.object({
    label: z.string(),
    network,
    /** Null if it was unknown. Absent in copies of an earlier version of the app. */
    walletsFolder: z.optional(z.nullable(path)),
    /** Null and absent as above: then another disk may have taken the path since. */
    walletsFolderMark: z.optional(z.nullable(folderMark)),
  }),
  /** Unix seconds. */
  made: z.number(),
  how: z.enum(['copied', 'backupwallet']),
  /** What else the app did to make it, and what it did not copy or see, in sentences. */
  note: z.nullable(sentence),
  /** The wallet's own file first; for an unnamed wallet also every wallet file next to it. */
  files: z.array(
    z.object({
      path,
      /** The equal file that it was copied from; null for a copy that the node wrote. */
      source: z.nullable(path),
      /** Bytes. Null for a file on the node's machine, where the app cannot look. */
      size: z.nullable(count),
      sha256: z.nullable(sha256),
      /** Absent in copies of an earlier version of the app that were not listed since. */
      state: z.optional(copyState),
      /** Whether it merges `source` and the SQLite journal next to it, and so equals neither. */
      withJournal: z.optional(z.boolean()),
      /** The name of the wallet that it is a copy of. Absent in copies of an earlier version of the app. */
      wallet: z.optional(nodeText),
    }),
  ),
});
export type SafetyCopy = z.infer<typeof safetyCopy>;

/**
 * A copy of a backup, with its keys, that the app placed for a node and could not remove, an incomplete wallet that it could not move
 * back, or a wallet that it has unloaded.
 */
export const leftCopy = z.object({
  /** Or the name of the unloaded wallet, empty for the unnamed one. */
  path: nodeText,
  /** Why it is still there. `not-recorded`: an earlier version of the app placed it, and recorded no inodes. Absent in older jobs. */
  why: z.optional(
    z.enum([
      'may-be-used',
      'slow',
      'not-asked',
      'in-use',
      'not-removable',
      'out-of-reach',
      'replaced',
      'from-node',
      'changed',
      'not-recorded',
      'not-moved-back',
      'not-loaded-again',
    ]),
  ),
  /** The reason in a sentence, in jobs of an earlier version of the app, or in the node's words. */
  text: z.optional(nodeText),
});
export type LeftCopyReason = NonNullable<LeftCopy['why']>;
export type LeftCopy = z.infer<typeof leftCopy>;

/** Counts before and after; `missing` lists at most 1,000 of the lost ones. */
const compared = z.object({ before: count, after: count, missing: truncatedList(z.string()) });
export type Compared = z.infer<typeof compared>;

const proofPart = z.object({
  part: walletPart,
  name: nodeText,
  descriptors: z.nullable(count),
  labels: z.nullable(count),
  transactions: z.nullable(count),
  /** The node's whole balance, spendable and watched. Null if it did not say. */
  balance: z.nullable(satoshi),
  /** The part of it that an earlier wallet in the list counts too. Absent in older proofs. */
  twice: z.optional(satoshi),
  /** It has no private keys. Absent in other wallets, in older proofs, and if the file was not read. */
  watches: z.optional(z.literal(true)),
  /** An external device signs for it. Absent as above. */
  signsOutside: z.optional(z.literal(true)),
  /** Whether its migration was interrupted. Absent if the file was not read, and in older proofs. */
  incomplete: z.optional(z.boolean()),
  /** Its file. Absent if the app does not see the node's files, and in older proofs. */
  path: z.optional(path),
});

/** `notYours` is null where only a node can find the coins of a new wallet. */
const balanceParts = z.extend(balance, { notYours: z.nullable(balance.shape.notYours) });
export type BalanceParts = z.infer<typeof balanceParts>;

/** Compares the old wallet with the new ones. */
export const proof = z.object({
  /** `partly`: no coins are in danger, but something could not be compared, which `unknown` names, or a `minor` difference was found. */
  verdict: z.enum(['same', 'partly', 'different']),
  /** Output scripts of the old file against those of the new wallets' descriptors. Null: not compared. */
  scripts: z.nullable(compared),
  /**
   * Addresses (scripts in hex if they have none) of the old file that are only in a wallet where they do not belong, and
   * descriptors of the main wallet that lack a private key which the old file has: at most 1,000 of each. Absent where the files
   * were not compared, and in a proof of an earlier version of the app.
   */
  misplaced: z.optional(truncatedList(z.string())),
  keyless: z.optional(truncatedList(z.string())),
  /** How many private keys the old legacy wallet stored. Absent for others, and in older proofs. */
  keys: z.optional(count),
  labels: z.nullable(compared),
  transactions: z.nullable(compared),
  balance: z.object({
    /** The last known balance of the old file, and the time (Unix seconds) of its newest transaction. */
    file: z.nullable(satoshi),
    fileTime: z.nullable(z.number()),
    /** The node's balance before and after, spendable and watched together. */
    before: z.nullable(satoshi),
    after: z.nullable(satoshi),
    /** `after` against `before`, else `file`. `unclear`: less by the unconfirmed amount, or on a node that is syncing. Absent: not compared, or older. */
    change: z.optional(z.enum(['same', 'more', 'less', 'unclear'])),
    /** Each coin once, so that the three parts sum to the whole. Null if unknown; absent in older proofs. */
    split: z.optional(z.object({ before: z.nullable(balanceParts), after: z.nullable(balanceParts) })),
  }),
  /** Of a rescue: each loss in a sentence. Absent without known losses, and in older proofs. */
  lost: z.optional(z.array(sentence)),
  wallets: z.array(proofPart),
  /** `minor`: no key or script is missing, so no coins are lost. Absent in older proofs. */
  differences: z.array(z.object({ title: sentence, meaning: sentence, minor: z.optional(z.literal(true)) })),
  /** What the app could not compare, and why. */
  unknown: z.array(sentence),
  /** The job's `proofError`, in proofs of an earlier version of the app. */
  error: z.optional(appErrorShape),
});
export type Proof = z.infer<typeof proof>;

/** Whether every new wallet only watches its coins, so that none of them can be spent. */
export function watchesOnly({ wallets }: Pick<Proof, 'wallets'>): boolean {
  return (
    wallets.length > 0 &&
    wallets.every(
      ({ part, watches, signsOutside }) => part === 'watchonly' || (watches === true && !signsOutside),
    )
  );
}

/** Whether a comparison found a difference, minor or not. */
export function hasDifferences(compared: Proof | null | undefined): boolean {
  return compared !== null && compared !== undefined && compared.differences.length > 0;
}

/** What a rescue saved of a wallet file, and what is missing. Encrypted keys are unproved without their passphrase. */
export const rescueFacts = z.object({
  /** Changes that its log restored. Null if no log was used. */
  log: z.nullable(
    z.object({
      folder: path,
      /** Changes that the file lacked, and uncommitted ones that it had. */
      redone: count,
      undone: count,
      lastCommit: z.nullable(unixSeconds),
      /** Why only records were taken from it: its other changes are lost. */
      problem: z.optional(finding),
    }),
  ),
  /** The file was not closed cleanly and no whole log was used: its last changes may be missing. */
  unclean: z.boolean(),
  saved: z.object({
    keys: count,
    /** Lost keys that the wallet's own seed derived again. */
    derived: count,
    seeds: count,
    labels: count,
    transactions: count,
  }),
  /**
   * Incomplete records, and `pages` of the file that are missing, or unreadable in whole or in part: what was on them may be lost.
   * Absent for none, and in older results.
   */
  damaged: z.object({ keys: count, others: count, pages: z.optional(count) }),
  /** Records saved with a bit put right, and transactions that lost their notes. Absent in older results. */
  repaired: z.optional(count),
  missing: z.object({
    /** Public keys without their private keys. */
    keys: count,
    /** Keys below the counter of a chain whose seed is lost too. */
    chainKeys: count,
    /** How many keys are in both numbers. Absent for none. */
    countedTwice: z.optional(count),
    /** Descriptors that other records name. Absent for legacy wallets, and in older results, like the next. */
    descriptors: z.optional(count),
    /** Receiving addresses that no saved descriptor produces. */
    addresses: z.optional(count),
    /** The record with the number of created keys. */
    counter: z.boolean(),
    /** The record that decrypts the keys with a passphrase. */
    masterKey: z.boolean(),
  }),
  /** Of descriptors: address types without an active descriptor for receiving, or for change. */
  unused: z.optional(z.object({ addresses: z.array(z.string()), change: z.array(z.string()) })),
  /** `sealed`: keys left out for lack of their passphrase. `damagedTextKeys`: of a text with keys. */
  sealed: count,
  /** Descriptors left out because only a passphrase gives their keys. Absent for legacy wallets, and in older results. */
  sealedDescriptors: z.optional(count),
  damagedTextKeys: count,
  /** Of a text: lines of which every key is taken, of all lines with keys. Absent for other files. */
  lines: z.optional(z.object({ taken: count, of: count })),
  /** Whole private keys in free space of the file that nothing links to this wallet. They are left out. */
  unowned: count,
  /** The same of a cut file: they are saved. Absent for none, and in older results. */
  doubtful: z.optional(count),
  /** Unencrypted private keys in an encrypted wallet's file. Absent for others, and in older results. */
  open: z.optional(count),
  /** Keys with a hybrid public key, on which Bitcoin Core exits: stored compressed and uncompressed instead. */
  otherForms: z.optional(count),
  /**
   * Coins on scripts whose private keys are missing, by the file's own transactions; `on` lists their addresses. `mayBeMore`:
   * not all of these scripts are known. Absent if the network is unknown, and in older results.
   */
  lostCoins: z.optional(
    z.object({
      amount: satoshi,
      coins: count,
      on: truncatedList(z.string()),
      mayBeMore: z.optional(z.boolean()),
    }),
  ),
  /** The balance of the unrepaired file in satoshi. Null if it says nothing of its coins without repair. */
  balanceInFile: z.optional(
    z.nullable(z.object({ spendable: satoshi, watched: satoshi, newest: z.nullable(z.number()) })),
  ),
  /** Transaction ids and receiving addresses that are left out because Bitcoin Core would refuse to migrate them. */
  excluded: z.object({ transactions: truncatedList(z.string()), addresses: truncatedList(z.string()) }),
  /** The file that lists these; null if there are none, or not yet. */
  excludedFile: z.nullable(path),
});
export type RescueFacts = z.infer<typeof rescueFacts>;

/** Whether a rescue leaves something out that only a passphrase gives. */
export function isPartlySealed({ sealed, sealedDescriptors = 0 }: RescueFacts): boolean {
  return sealed + sealedDescriptors > 0;
}

/** What a rescue leaves out of a legacy wallet because Bitcoin Core would abort the migration. */
export interface ExcludedRecords {
  /** They neither pay the wallet nor spend from it. `hex` is the raw transaction. */
  transactions: readonly { txid: string; hex: string }[];
  /** Receiving addresses without keys, or of another network. Their labels stay. */
  addresses: readonly { address: string; isReadable: boolean }[];
}

/** A copy of a wallet that the app has read completely and found whole. */
const wholeCopy = z.object({
  path,
  /** `legacy-backup`: the node's copy before the migration. `safety-copy`: the app's. `backup`: the user's file. */
  from: z.enum(['legacy-backup', 'safety-copy', 'backup']),
  made: unixSeconds,
  /** Bytes. */
  size: count,
  sha256,
  /** Whether the app recorded the same hash when it made or first read the file. */
  matches: z.boolean(),
  /** It belongs to another wallet, by its keys or its folder. */
  isOther: z.optional(z.literal(true)),
  /** Set with `isOther` if neither shows whose it is. */
  isUnproved: z.optional(z.literal(true)),
  /** Absent if its addresses do not show it. */
  network: z.optional(network),
});
export type WholeCopy = z.infer<typeof wholeCopy>;

export const interruption = z.object({
  /** The wallet's name on its node; null for a file elsewhere. */
  wallet: z.nullable(nodeText),
  /** The incomplete file; null if none is left. */
  file: z.nullable(path),
  /** Finds the file again if its owner renames or moves it, where the system keeps births. Absent without a file, and in older jobs. */
  fileMark: z.optional(folderMark),
  /**
   * `legacy-records`: an SQLite file that still has records of a legacy wallet. `no-descriptors`: a descriptor wallet
   * without any. `no-format`: no wallet yet. `cut-short`: a copy that was not written to its end. `missing`: no file. `companion`: a
   * whole one that moved away with the incomplete wallet.
   */
  cause: z.enum(['legacy-records', 'no-descriptors', 'no-format', 'cut-short', 'missing', 'companion']),
  /** The likeliest first, those of other wallets last. */
  copies: z.array(wholeCopy),
  /** The number of possible copies that were not read. Absent if the app read all it needs. */
  skippedCopies: z.optional(count),
  /** The node's whole wallet that replaced it, if any. */
  restoredAs: z.optional(nodeText),
});
export type Interruption = z.infer<typeof interruption>;
