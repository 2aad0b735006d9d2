/**
 * The requests and events between page and back end. The page's client, the preload's allow-list, the handlers and the HTTP
 * routes derive from this table. The sender encodes each value to plain JSON and the receiver decodes it, so both check it.
 */
import { z } from 'zod/mini';
import { appErrorShape } from './model/errors.ts';
import { exportFormat, fileFacts, folderListing, foundBackup, searchPlace } from './model/files.ts';
import { fileKind } from './model/findings/fileKinds.ts';
import { textLines, textNote } from './model/findings/textLines.ts';
import { inspection } from './model/inspection.ts';
import { job } from './model/job.ts';
import { walletPart } from './model/migrationPreview.ts';
import { network } from './model/network.ts';
import { connection, foundNode, nodeAddress, profile } from './model/node.ts';
import { answers, plan, planRequest, rehearsal, walletSource } from './model/plan.ts';
import { recordParts } from './model/record.ts';
import { check, interruption, safetyCopy } from './model/safety.ts';
import {
  imageSearchResult,
  passphraseClues,
  passphraseCount,
  passphraseSearchResult,
  searchProgress,
} from './model/searches.ts';
import { count, path, sha256, textUpTo } from './model/shapes.ts';
import { wallet } from './model/wallet.ts';

/** Columns of the table of wallets, in the order of the screen. */
export const WALLET_COLUMNS = ['name', 'kind', 'encrypted', 'balance', 'size', 'backup'] as const;

/** The settings of the app. */
export const settings = z.object({
  /** `system`: follows the computer's setting. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Whether the system notifies the user when a long job ends (desktop app). */
  notifications: z.boolean(),
  /** Whether the app reconnects at its start to the node that it used last. */
  reconnect: z.boolean(),
  /** The column that sorts the table of wallets; `down`: in descending order. */
  order: z.object({ by: z.enum(WALLET_COLUMNS), down: z.boolean() }),
});
export type Settings = z.infer<typeof settings>;

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  notifications: true,
  reconnect: true,
  order: { by: 'name', down: false },
};

const nothing = z.object({});
const walletName = textUpTo(4096);
const id = z.string().check(z.minLength(1), z.maxLength(200));
const secret = textUpTo(100_000);
/** In UTF-16 code units. A dump of 60,000 keys fits. */
export const MAX_PASTED_LENGTH = 10_000_000;
/** Names the work for `tasks.cancel`. The work also ends when its page is reloaded or closed. */
const task = z.optional(id);
/** `network`: assumed if the file does not show its network. */
const walletFile = { source: walletSource, network: z.optional(network), task };
const byName = { input: z.object({ name: walletName }), output: z.object({ warnings: z.array(z.string()) }) };
const login = z.discriminatedUnion('by', [
  z.object({ by: z.literal('cookie'), cookieFile: path }),
  z.object({ by: z.literal('password'), user: textUpTo(1000), password: secret, save: z.boolean() }),
]);

/** Facts about the app and the system that the page runs on. */
const appInfo = z.object({
  version: z.string(),
  /** Electron has the system's file dialogs. In a browser the page shows its own, with `files.browse`. */
  entry: z.enum(['electron', 'browser']),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  /** For `~` in its place; null on Windows, where paths stay as they are, and where it is unknown. */
  homeFolder: z.nullable(path),
  /** The app's data folder, and the folder of the safety copies in it. */
  dataFolder: path,
  copiesFolder: path,
  /** The app's log: codes and times, nothing private. */
  logPath: path,
  canShowInFolder: z.boolean(),
  canSaveSecrets: z.boolean(),
  canSavePdf: z.boolean(),
  settings,
});

/** The node to connect to. `found` and `profile` name a node that the page got from the back end. */
const target = z.discriminatedUnion('by', [
  z.object({ by: z.literal('found'), id }),
  z.object({ by: z.literal('profile'), id, password: z.optional(secret) }),
  z.object({ by: z.literal('hand'), address: nodeAddress, login }),
]);

const reportOf = z.object({ id, which: z.enum(['record', 'for-help']) });

export const requests = {
  /** `languages`: the user's BCP 47 tags, best first. They decide the format of dates in reports. */
  'app.info': {
    input: z.object({ languages: z.optional(z.array(textUpTo(60)).check(z.maxLength(40))) }),
    output: appInfo,
  },

  /** The page's route, for the desktop app's menu. `waits`: plans or backups of the page wait for their start, and end with it. */
  'app.at': { input: z.object({ route: textUpTo(40), waits: z.optional(z.boolean()) }), output: nothing },
  'settings.change': { input: settings, output: nothing },

  'nodes.discover': { input: nothing, output: z.object({ nodes: z.array(foundNode) }) },
  'nodes.profiles': { input: nothing, output: z.object({ profiles: z.array(profile) }) },
  'nodes.forget': { input: z.object({ id }), output: nothing },
  /** Connects and keeps the connection. `connection` events report how a starting node gets ready. */
  'nodes.connect': { input: target, output: connection },
  /** Sets the node's wallets folder if it is unknown. Throws if the node does not list a wallet that is placed there. */
  'nodes.useWalletsFolder': { input: z.object({ path }), output: connection },
  'nodes.disconnect': { input: nothing, output: nothing },
  'nodes.connection': { input: nothing, output: connection },

  /**
   * Returns at once. Details of loaded wallets follow as `wallet` events until `pending` is false. `closed`: folders and files in the
   * wallets folder that the app cannot read, so that a wallet in them is not listed.
   */
  'wallets.list': { input: nothing, output: z.object({ wallets: z.array(wallet), closed: z.array(path) }) },
  'wallets.load': byName,
  'wallets.unload': byName,

  /** Reads the first bytes of a file on this machine. Throws unless it is a readable regular file. */
  'files.inspect': { input: z.object({ path }), output: fileFacts },
  /** Every kind of file and text that the app recognises. */
  'files.kinds': { input: nothing, output: z.object({ kinds: z.array(fileKind) }) },
  /** `.legacy.bak` files in the node's wallets folder, newest first; empty if the app cannot see the folder. */
  'files.backups': { input: nothing, output: z.object({ backups: z.array(foundBackup) }) },
  'files.browse': { input: z.object({ path: z.nullable(path) }), output: folderListing },
  /** The system's dialog (Electron). Null if the user closed it. */
  'files.pick': {
    input: z.object({
      purpose: z.enum([
        'wallet',
        'cookie',
        'wallets-folder',
        'backups-folder',
        'search-folder',
        'save-backup',
        'save-descriptors',
        'save-report',
      ]),
      suggestedName: z.optional(textUpTo(300)),
    }),
    output: z.object({ path: z.nullable(path) }),
  },
  /** The usual places of wallet files: nodes' data folders, the home folder, mounted disks and sticks. */
  'files.places': { input: nothing, output: z.object({ places: z.array(searchPlace) }) },
  /**
   * Searches these folders for wallet files. `searched` events with the same task report files and progress. `filesRead`: files whose
   * first bytes were read. `unread`: how many folders and files could not be read. `unreadable`: the first five of them.
   */
  'files.search': {
    input: z.object({ task: id, folders: z.array(path).check(z.maxLength(100)) }),
    output: z.object({ filesRead: count, unread: count, unreadable: z.array(path) }),
  },
  /**
   * Searches a disk image, a device or a folder of fragments for deleted wallets. With `folder`, writes each to a new file
   * there, for a rescue. `searchProgress` events with the same task report progress. Continues a stopped search.
   */
  'files.searchImage': {
    input: z.object({ path, folder: z.nullable(path), task: id }),
    output: imageSearchResult,
  },
  /** Recently opened files that still exist, the last one first. */
  'files.recent': { input: nothing, output: z.object({ files: z.array(fileFacts) }) },
  /** Removes a file from the recent ones; null: all files. */
  'files.forget': { input: z.object({ path: z.nullable(path) }), output: nothing },
  'files.show': { input: z.object({ path }), output: nothing },

  /**
   * Reads a whole wallet file without a node. `rescue`: reads any file, and its log, for what a rescue could save, as it does a
   * wallet with a damaged start. `unlisted`: does not add the file to the recent ones. `isFirstLook`: trusts the checksums of keys
   * beyond `MAX_FIRST_KEYS`, as a node does: comparing takes long. Throws `not_a_wallet` and the errors of reading files.
   */
  'wallet.inspect': {
    input: z.object({
      ...walletFile,
      rescue: z.optional(z.boolean()),
      unlisted: z.optional(z.boolean()),
      isFirstLook: z.optional(z.boolean()),
    }),
    /** `sha256`: of the bytes that were read. */
    output: z.extend(inspection, { sha256: z.optional(sha256) }),
  },
  /**
   * Finds what an interrupted migration left of a wallet, and its whole copies; null for a whole wallet. `forPutBack`: for a
   * plan that puts the wallet back, so a missing file counts as interrupted, and the file `copy` as a copy.
   */
  'wallet.interruption': {
    input: z.object({
      source: walletSource,
      copy: z.optional(path),
      forPutBack: z.optional(z.boolean()),
      task,
    }),
    /** `isWhole`: the file was read and is whole. If it is false and `interruption` null, the app cannot see the file. */
    output: z.object({ interruption: z.nullable(interruption), isWhole: z.boolean() }),
  },
  /** A wrong passphrase takes as long as a right one. */
  'wallet.tryPassphrase': {
    input: z.object({ source: walletSource, passphrase: secret, task }),
    output: check,
  },
  /** Writes a new file for this user alone, except outside the profile on Windows. `part`: of a rehearsed migration. */
  'wallet.export': {
    input: z.object({
      ...walletFile,
      passphrase: z.optional(secret),
      part: z.optional(walletPart),
      private: z.boolean(),
      /** `importdescriptors`: JSON. `lines`: a descriptor each. `electrum`, `wif`: all private keys, for sweeping, whatever `private`. */
      format: exportFormat,
      destination: path,
    }),
    /**
     * `keys`: of an export for sweeping. `used`: its first lines, with used keys. `p2pk`: paid scripts that name a public key.
     * `leftOut`: scripts that no single key spends, and the `taproot` descriptors that Electrum cannot.
     */
    output: z.object({
      path,
      size: count,
      /** Whether other users of this Windows computer may be able to read private keys in it. */
      othersMayRead: z.boolean(),
      descriptors: count,
      keys: z.nullable(
        z.object({ total: count, lines: count, used: count, p2pk: count, leftOut: count, taproot: count }),
      ),
    }),
  },

  /**
   * Turns a text with keys into a file: descriptors and extended keys into a wallet to restore, other texts into a file to
   * rescue. The app removes pasted text when it closes. `network`: assumed if the text does not show it. `networks`: those whose keys
   * a text to rescue may have. `lines`: the result of each line; null for a dump of records.
   * `correct`: keys are damaged, or a pasted text has lines without a key, so no file is written; `withoutDamaged` leaves them out.
   */
  'wallet.fromText': {
    input: z.object({
      from: z.discriminatedUnion('by', [
        z.object({ by: z.literal('text'), text: textUpTo(MAX_PASTED_LENGTH) }),
        z.object({ by: z.literal('file'), path }),
      ]),
      network: z.optional(network),
      withoutDamaged: z.optional(z.boolean()),
      task,
    }),
    output: z.discriminatedUnion('action', [
      z.object({ action: z.literal('correct'), lines: textLines }),
      z.object({
        action: z.enum(['restore', 'rescue']),
        path,
        network: z.nullable(network),
        networks: z.array(network),
        notes: z.array(textNote),
        lines: z.nullable(textLines),
      }),
    ]),
  },

  /** Estimates a passphrase search. Throws `beyond_limits` for more than `MAX_TRIES`. */
  'passphrase.count': {
    input: z.object({ source: walletSource, clues: passphraseClues, task }),
    output: passphraseCount,
  },
  /**
   * Searches on all cores, without a time limit. `searchProgress` events with the same task report progress. `resume`:
   * continues a stopped search on the same wallet, if it has as many tries.
   */
  'passphrase.search': {
    input: z.object({ source: walletSource, clues: passphraseClues, resume: z.boolean(), task: id }),
    output: passphraseSearchResult,
  },

  /** Ends work on a file. Its request then throws `cancelled`. */
  'tasks.cancel': { input: z.object({ task: id }), output: nothing },

  /** The default wallets folder of *Work without a node*. */
  'engine.place': { input: z.object({ network }), output: z.object({ walletsFolder: path }) },
  /** Starts the offline engine and connects to it. It runs until the app ends or another engine starts. */
  'engine.start': { input: z.object({ walletsFolder: z.nullable(path), network }), output: connection },

  /** Changes no wallet; a node writes a copy of a wallet that it has open. `previousPlan`: a plan for the same action and source, whose facts are used again. */
  'plan.make': { input: z.extend(planRequest, { previousPlan: z.optional(id), task }), output: plan },
  /** Tries the passphrase on the plan's file. A wrong one takes as long as a right one. `isThorough`: also repairs its record, in seconds. */
  'plan.tryPassphrase': {
    input: z.object({ plan: id, passphrase: secret, isThorough: z.optional(z.boolean()), task }),
    output: check,
  },
  /**
   * Migrates a copy and discards the result. Returns the plan with a check of the rehearsal. Throws `wallet_unlock_needed`
   * and `wrong_passphrase`.
   */
  'plan.rehearse': {
    input: z.object({ plan: id, answers, passphrase: z.optional(secret), task }),
    output: z.object({ plan, rehearsal: z.nullable(rehearsal) }),
  },
  /**
   * Reads all facts once more and runs the plan: sends exactly its calls. If a verdict got worse, a call changed or a question
   * is open, nothing runs, and `plan` is the new plan. Throws `plan_gone` for a plan that the app no longer has,
   * `wrong_passphrase`, and the errors of starting a job. Its task can be cancelled until the job begins.
   */
  'plan.run': {
    input: z.object({ plan: id, answers, passphrase: z.optional(secret), task }),
    output: z.discriminatedUnion('began', [
      z.object({ began: z.literal(true), job }),
      z.object({ began: z.literal(false), plan }),
    ]),
  },

  /** The app's own copies, newest first. */
  'copies.list': { input: nothing, output: z.object({ copies: z.array(safetyCopy) }) },

  /**
   * Newest first, without the logs of ended ones. `unreadable`: paths of entries that the app cannot read. `newer`: of those that a
   * newer version of the app wrote.
   */
  'jobs.list': {
    input: nothing,
    output: z.object({ jobs: z.array(job), unreadable: z.array(path), newer: z.array(path) }),
  },
  'jobs.log': { input: z.object({ id }), output: z.object({ lines: z.array(z.string()) }) },
  /**
   * Plain text without secrets. `record`: for the user, with names, paths, hashes and amounts. `for-help`: to send when asking for
   * help, also without addresses, keys and amounts.
   */
  'jobs.report': { input: reportOf, output: z.object({ text: z.string() }) },
  'jobs.record': { input: z.object({ id }), output: recordParts },
  /**
   * Saves the report as a new file: a PDF if the path ends in `.pdf` and `canSavePdf` is true, else text. Never overwrites a
   * file. A browser saves the text itself.
   */
  'jobs.saveReport': {
    input: z.extend(reportOf, { destination: path }),
    output: z.object({ path, size: count }),
  },
  /** Makes the node stop a rescan. The wallet keeps the transactions found so far. */
  'jobs.cancelRescan': { input: z.object({ id }), output: nothing },
  /** Stops waiting for a job whose connection is lost. The node continues. */
  'jobs.stopWaiting': { input: z.object({ id }), output: nothing },
  /**
   * Resolves jobs with an unknown outcome again. The app also does so whenever it connects to their node. `id`: instead, compares
   * again what this finished job could not compare.
   */
  'jobs.resolve': { input: z.object({ id: z.optional(id) }), output: nothing },
} as const satisfies Record<string, { input: z.ZodMiniType; output: z.ZodMiniType }>;

export const events = {
  connection,
  settings,
  wallet,
  job,
  /** `filesRead`: files so far. `folder`: the current one. `found`: wallet files since the last event. */
  searched: z.object({ task: id, filesRead: count, folder: path, found: z.array(fileFacts) }),
  /** Progress of a passphrase or image search. */
  searchProgress: z.extend(searchProgress, { task: id }),
  /** A file given to the app from outside: dropped on its icon or opened with it. */
  openFile: z.object({ path }),
  /** Chosen in the menu of the desktop app: a page, or `open` to choose a file. */
  showRoute: z.object({
    route: z.enum(['home', 'open', 'wallets', 'history', 'connect', 'settings', 'help']),
  }),
} as const satisfies Record<string, z.ZodMiniType>;

export type RequestName = keyof typeof requests;
export type EventName = keyof typeof events;

export type Input<N extends RequestName> = z.infer<(typeof requests)[N]['input']>;
export type Output<N extends RequestName> = z.infer<(typeof requests)[N]['output']>;
/** Requests that read whole files: each takes a task, which `tasks.cancel` ends. */
export type FileTaskName = Exclude<
  { [N in RequestName]: 'task' extends keyof Input<N> ? N : never }[RequestName],
  'tasks.cancel'
>;
export type EventValue<N extends EventName> = z.infer<(typeof events)[N]>;
export type AppInfo = z.infer<typeof appInfo>;
export type NodeTarget = z.infer<typeof target>;
export type Login = z.infer<typeof login>;
/** The same tables, typed so that a generic name keeps its own input and output. */
export const requestTable: {
  [N in RequestName]: { input: z.ZodMiniType<Input<N>>; output: z.ZodMiniType<Output<N>> };
} = requests;
export const eventTable: { [N in EventName]: z.ZodMiniType<EventValue<N>> } = events;

export function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(requests, name);
}

export function isFileTask(name: RequestName): name is FileTaskName {
  const { input } = requests[name];
  return 'shape' in input && 'task' in input.shape && name !== 'tasks.cancel';
}

/** The answer to a request: the encoded output, or the error. */
export const replyShape = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: appErrorShape }),
]);
export type RequestReply = z.infer<typeof replyShape>;
