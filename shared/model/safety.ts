/** What keeps a wallet safe around a migration: checks before it, the app's own copy, and the proof after it. */
import { z } from 'zod';
import { walletPart } from './migrationPreview.ts';
import { balance, satoshi } from './money.ts';
import { network } from './network.ts';
import { count, listed, nodeText, path, sha256, unixSeconds } from './shapes.ts';

const sentence = z.string().max(4000);

/** `warning`: read it before the run. `blocker`: the plan cannot run. `unseen`: the app could not look, and the plan can run. */
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
  ]),
  verdict: z.enum(['fine', 'warning', 'blocker', 'unseen']),
  title: sentence,
  /** What was found and what it means; paragraphs, empty where the title says all. */
  text: z.array(sentence),
  /** What to do. Empty for `fine` and `unseen`. */
  todo: z.array(sentence),
});
export type Check = z.infer<typeof check>;
export type CheckId = Check['id'];

/**
 * What a copy was found to be when it was read. Only a `whole` one is called a safety copy. `not-closed`: its last changes
 * are in a log that is not in it. `half-migrated`: of a wallet whose migration was cut off. `unknown`: not read.
 */
export const copyState = z.enum(['whole', 'not-closed', 'half-migrated', 'damaged', 'unknown']);
export type CopyState = z.infer<typeof copyState>;

/** A copy that the app made before a migration. It lies in the app's own folder and is never removed unasked. */
export const safetyCopy = z.object({
  id: z.string(),
  wallet: nodeText,
  node: z.object({ label: z.string(), network }),
  /** Unix seconds. */
  made: z.number(),
  how: z.enum(['copied', 'backupwallet']),
  /** What else was done to make it, in a sentence. */
  note: sentence.nullable(),
  /** The wallet's own file first; for an unnamed wallet then every wallet file beside it. */
  files: z.array(
    z.object({
      path,
      /** The file that it was copied from and is equal to; null for what the node wrote, held against nothing. */
      source: path.nullable(),
      /** Bytes. Null for a file on the node's machine, where the app cannot look. */
      size: count.nullable(),
      sha256: sha256.nullable(),
      /** Absent in copies of an earlier version of the app, until they are listed. */
      state: copyState.optional(),
      /** Whether it is the wallet that `source` and the journal beside that are together: equal to neither. */
      withJournal: z.boolean().optional(),
      /** The name of the wallet that it is a copy of. Absent in copies of an earlier version of the app. */
      wallet: nodeText.optional(),
    }),
  ),
});
export type SafetyCopy = z.infer<typeof safetyCopy>;

/** One kind of thing before and after; `missing` are at most 1,000 of those that are not there any more. */
const compared = z.object({
  before: count,
  after: count,
  missing: listed(z.string()),
});
export type Compared = z.infer<typeof compared>;

const proofPart = z.object({
  part: walletPart,
  name: nodeText,
  descriptors: count.nullable(),
  labels: count.nullable(),
  transactions: count.nullable(),
  /** All that the node counts for it, spendable or watched. Null where it did not tell. */
  balance: satoshi.nullable(),
  /** Of this, coins that are in a wallet before it in the list too, and are counted there. Absent in older proofs. */
  twice: satoshi.optional(),
  /** Whether its migration stopped before the end. Absent where it was not read, and in older proofs. */
  cutOff: z.boolean().optional(),
});

/** What a migration kept, told by comparing the wallet before it with the wallets after it. */
export const proof = z.object({
  /** `partly`: nothing differs, but something could not be compared; `unknown` says what. */
  verdict: z.enum(['same', 'partly', 'different']),
  /** Output scripts of the old file against those of the new wallets' descriptors. Null: not compared. */
  scripts: compared.nullable(),
  /**
   * Scripts (hex) of the old file that are only in a wallet where they do not belong, and descriptors of the main wallet
   * that lack a private key which the old file has: at most 1,000 of each. Absent where the files were not compared, and
   * in a proof of an earlier version of the app.
   */
  misplaced: listed(z.string()).optional(),
  keyless: listed(z.string()).optional(),
  labels: compared.nullable(),
  transactions: compared.nullable(),
  balance: z.object({
    /** What the old file last knew, and the time (Unix seconds) of its newest transaction. */
    file: satoshi.nullable(),
    fileTime: z.number().nullable(),
    /** What the node said before and says now, spendable and watched together. */
    before: satoshi.nullable(),
    after: satoshi.nullable(),
    /** `after` against `before`, else `file`. `unclear`: less by what was unconfirmed. Absent: not compared, or older. */
    standing: z.enum(['same', 'more', 'less', 'unclear']).optional(),
    /** Each coin once, so that the three parts are the whole. Null: not known; absent in older proofs. */
    parts: z.object({ before: balance.nullable(), after: balance.nullable() }).optional(),
  }),
  /** Of a rescue: what could not be saved, a sentence each. Absent where nothing is known to be lost, and in older proofs. */
  lost: z.array(sentence).optional(),
  wallets: z.array(proofPart),
  differences: z.array(z.object({ title: sentence, meaning: sentence })),
  /** What could not be compared, and why. */
  unknown: z.array(sentence),
});
export type Proof = z.infer<typeof proof>;

/** What a rescue could save of a wallet file, and what it is known to lack. Without its passphrase, encrypted keys are not proved. */
export const rescueFacts = z.object({
  /** What was done again by the log beside it. Null: no log was taken. */
  log: z
    .object({
      folder: path,
      /** Changes that the file lacked, and those in it that were never committed. */
      redone: count,
      undone: count,
      lastCommit: unixSeconds.nullable(),
    })
    .nullable(),
  /** The file was not closed cleanly and no log was taken: its last changes may be missing. */
  unclean: z.boolean(),
  saved: z.object({
    keys: count,
    /** Of these keys: lost ones that the wallet's own seed gave again. */
    derived: count,
    seeds: count,
    labels: count,
    transactions: count,
  }),
  /** Records that are there in part. */
  damaged: z.object({ keys: count, others: count }),
  missing: z.object({
    /** Public keys that it names without having their private keys. */
    keys: count,
    /** Of chains of keys, below their counters, where the seed is lost too. */
    chainKeys: count,
    /** Descriptors that other records name. Absent for legacy wallets, and in older results, like the next. */
    descriptors: count.optional(),
    /** Addresses that were given out and that no descriptor which was saved gives. */
    addresses: count.optional(),
    /** The record that tells how many keys were made. */
    counter: z.boolean(),
    /** The record that a passphrase opens the keys by. */
    masterKey: z.boolean(),
  }),
  /** Of descriptors: the types that the wallet gives no new addresses of, or no new change. */
  unused: z.object({ addresses: z.array(z.string()), change: z.array(z.string()) }).optional(),
  /** Keys that are left out without their passphrase: single ones of a text, or of descriptors. Lines that cannot be read. */
  sealed: count,
  unread: count,
  /** Whole private keys from free room of the file that nothing ties to this wallet. They are left out. */
  unowned: count,
  /** Of an encrypted wallet: private keys in its file that need no passphrase. Absent for others, and in older results. */
  open: count.optional(),
  /** Keys under a public key of hybrid form, which Bitcoin Core ends over: kept under the compressed and the uncompressed one. */
  otherForms: count.optional(),
  /**
   * Coins, by the file's own transactions, on scripts whose private keys are missing; `on` are their addresses. Absent in
   * older results, and where the network is not known.
   */
  lostCoins: z.object({ amount: satoshi, coins: count, on: listed(z.string()) }).optional(),
  /** What the file's own page told of it: satoshi, spendable and watched together. Null where it cannot be read as it is. */
  balanceInFile: z
    .object({ spendable: satoshi, watched: satoshi, newest: z.number().nullable() })
    .nullable()
    .optional(),
  /** What would keep Bitcoin Core from migrating it, and is left out: ids of transactions, and addresses given out. */
  excluded: z.object({ transactions: listed(z.string()), addresses: listed(z.string()) }),
  /** Where these are listed; null where there are none, or not yet. */
  excludedFile: path.nullable(),
});
export type RescueFacts = z.infer<typeof rescueFacts>;

/** What a rescue leaves out of a legacy wallet because Bitcoin Core would give up its migration over it. */
export interface ExcludedRecords {
  /** Pay nothing to it and spend nothing of it. `hex` is the raw transaction. */
  transactions: readonly { txid: string; hex: string }[];
  /** Given out to be paid at; their keys are not there, or they are no addresses of the network. Their labels stay. */
  addresses: readonly { address: string; isReadable: boolean }[];
}

/** A copy of a wallet that the app has read from its first to its last byte and found whole. */
const wholeCopy = z.object({
  path,
  /** `legacy-backup`: the node's copy before the migration. `safety-copy`: the app's. `backup`: the user's file. */
  from: z.enum(['legacy-backup', 'safety-copy', 'backup']),
  /** Unix seconds. */
  made: unixSeconds,
  /** Bytes. */
  size: count,
  sha256,
  /** Whether the app wrote down this very hash when it made or first read the file. */
  matches: z.boolean(),
  /** Its keys are of another wallet than those of the half-made file. */
  isOther: z.literal(true).optional(),
});
export type WholeCopy = z.infer<typeof wholeCopy>;

export const interruption = z.object({
  /** The wallet's name on its node; null for a file elsewhere. */
  wallet: nodeText.nullable(),
  /** The half-made file; null where none is left. */
  file: path.nullable(),
  /**
   * `legacy-records`: an SQLite file that still has records of a legacy wallet. `no-descriptors`: a descriptor wallet
   * without any. `no-format`: no wallet yet. `cut-short`: a copy that was not written to its end. `missing`: no file.
   */
  cause: z.enum(['legacy-records', 'no-descriptors', 'no-format', 'cut-short', 'missing']),
  /** The likeliest first, those of other wallets last. Empty where the app finds none. */
  copies: z.array(wholeCopy),
  /** How many files that may be copies were not read. Absent where all were that are needed. */
  unread: count.optional(),
  /** The whole wallet of the node that it was put back as. Absent where there is none. */
  backAs: nodeText.optional(),
});
export type Interruption = z.infer<typeof interruption>;
