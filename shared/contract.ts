/**
 * The one table both sides keep to. The page's typed client, the preload's allow-list, the main binding and the
 * HTTP routes all come from it. Values are encoded on the sending side and decoded on the receiving one, so
 * that what crosses is plain JSON and both borders check it.
 */
import { z } from 'zod';
import { appErrorShape } from './model/errors.ts';
import { exportFormat, fileFacts, folderListing, foundBackup, searchPlace } from './model/files.ts';
import { fileKind } from './model/findings/fileKinds.ts';
import { textLines } from './model/findings/textLines.ts';
import { inspection, passphraseVerdict } from './model/inspection.ts';
import { job } from './model/job.ts';
import { walletPart } from './model/migrationPreview.ts';
import { network } from './model/network.ts';
import { connection, foundNode, nodeAddress, profile } from './model/node.ts';
import { answers, plan, planRequest, rehearsal, walletSource } from './model/plan.ts';
import { check, interruption, safetyCopy } from './model/safety.ts';
import { passphraseCount, passphraseFound, passphraseMemory } from './model/search/passphraseMemory.ts';
import { imageFound, searchProgress } from './model/search/searches.ts';
import { settings } from './model/settings.ts';
import { count, path } from './model/shapes.ts';
import { wallet } from './model/wallet.ts';

const nothing = z.object({});
const walletName = z.string().max(4096);
const id = z.string().min(1).max(200);
const secret = z.string().max(100_000);
/** By which `tasks.cancel` ends it. It ends without that too when its page is reloaded or gone. */
const task = id.optional();
/** `network`: the one to expect where the file does not tell. */
const walletFile = { source: walletSource, network: network.optional(), task };
const byName = {
  input: z.object({ name: walletName }),
  output: z.object({ warnings: z.array(z.string()) }),
};
const login = z.discriminatedUnion('by', [
  z.object({ by: z.literal('cookie'), cookieFile: path }),
  z.object({ by: z.literal('password'), user: z.string().max(1000), password: secret, save: z.boolean() }),
]);

/** What the page must know of where it runs. */
const appInfo = z.object({
  version: z.string(),
  /** In Electron the page asks for the system's dialogs, else it shows the app's own, over `files.browse`. */
  entry: z.enum(['electron', 'browser']),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  /** Where the app keeps what it remembers, and in it the folder of the safety copies. */
  dataFolder: path,
  copiesFolder: path,
  /** The app's log: codes and times, nothing private. */
  logPath: path,
  canShowInFolder: z.boolean(),
  /** True only when the system truly encrypts what is saved. */
  canSaveSecrets: z.boolean(),
  /** Whether reports can be saved as PDF too. */
  canSavePdf: z.boolean(),
  settings,
});

/** Which node to connect to. `found` and `profile` name one that the app already told the page of. */
const target = z.discriminatedUnion('by', [
  z.object({ by: z.literal('found'), id }),
  z.object({ by: z.literal('profile'), id, password: secret.optional() }),
  z.object({ by: z.literal('hand'), address: nodeAddress, login }),
]);

/** Names of requests, each with what it takes and what it gives. */
export const requests = {
  /** `languages`: BCP 47 tags of the user, best first, for the form of dates in reports. */
  'app.info': {
    input: z.object({ languages: z.array(z.string().max(60)).max(40).optional() }),
    output: appInfo,
  },

  /** The page's current route, for the menu of the desktop app. */
  'app.at': { input: z.object({ route: z.string().max(40) }), output: nothing },
  'settings.change': { input: settings, output: nothing },

  'nodes.discover': { input: nothing, output: z.object({ nodes: z.array(foundNode) }) },
  'nodes.profiles': { input: nothing, output: z.object({ profiles: z.array(profile) }) },
  'nodes.forget': { input: z.object({ id }), output: nothing },
  /** Connects, and stays with the node. A node that is starting up is waited for; `connection` events tell. */
  'nodes.connect': { input: target, output: connection },
  /** Names the folder of the node's wallets, where it is not known. Throws where the node does not list what is put there. */
  'nodes.useWalletsFolder': { input: z.object({ path }), output: connection },
  'nodes.disconnect': { input: nothing, output: nothing },
  'nodes.connection': { input: nothing, output: connection },

  /** The wallets at once; details of loaded ones follow as `wallet` events until `pending` is false. */
  'wallets.list': { input: nothing, output: z.object({ wallets: z.array(wallet) }) },
  'wallets.load': byName,
  'wallets.unload': byName,

  /** Reads the header of a file on this machine. Throws for what is not a readable regular file. */
  'files.inspect': { input: z.object({ path }), output: fileFacts },
  /** Every kind of file and text that the app recognises. */
  'files.kinds': { input: nothing, output: z.object({ kinds: z.array(fileKind) }) },
  /** `.legacy.bak` files beside the node's wallets, newest first; empty when the folder cannot be seen. */
  'files.backups': { input: nothing, output: z.object({ backups: z.array(foundBackup) }) },
  'files.browse': { input: z.object({ path: path.nullable() }), output: folderListing },
  /** The system's own dialog (Electron). Null when the user closed it. */
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
      suggestedName: z.string().max(300).optional(),
    }),
    output: z.object({ path: path.nullable() }),
  },
  /** Where wallet files usually lie: the data folders of nodes, the home folder, disks and sticks that are there. */
  'files.places': { input: nothing, output: z.object({ places: z.array(searchPlace) }) },
  /**
   * Looks for wallet files below these folders. `searched` events with the same task tell what was found and how far it is.
   */
  'files.search': {
    input: z.object({ task: id, folders: z.array(path).max(100) }),
    output: z.object({ looked: count, unread: count }),
  },
  /**
   * Wallets that were deleted, in a disk image, a device, or a folder of fragments; with `folder`, each is written to a new
   * file there, for a rescue. `searchProgress` events with the same task tell how far it is. One that was stopped goes on.
   */
  'files.searchImage': {
    input: z.object({ path, folder: path.nullable(), task: id }),
    output: imageFound,
  },
  /** Those opened lately that are still there, the last one first. */
  'files.recent': { input: nothing, output: z.object({ files: z.array(fileFacts) }) },
  /** Forgets that a file was opened; null: all of them. */
  'files.forget': { input: z.object({ path: path.nullable() }), output: nothing },
  'files.show': { input: z.object({ path }), output: nothing },

  /**
   * All that a wallet file tells, without a node; with `rescue`, what could be saved of any file, with the log beside it.
   * Throws `not_a_wallet`, and what reading a file throws.
   */
  'wallet.inspect': {
    input: z.object({ ...walletFile, rescue: z.boolean().optional(), unlisted: z.boolean().optional() }),
    output: inspection,
  },
  /**
   * What a migration that was cut off left of a wallet or in a file, and the whole copies; null for a whole wallet. With
   * `isWanted` as a plan that puts it back would find it: a file that is gone counts too, and so does the copy that is named.
   */
  'wallet.interruption': {
    input: z.object({
      source: walletSource,
      copy: path.optional(),
      isWanted: z.boolean().optional(),
      task,
    }),
    /** `isWhole`: its file was read and is a whole wallet. Neither: the app cannot look. */
    output: z.object({ interruption: interruption.nullable(), isWhole: z.boolean() }),
  },
  /** Takes as long for a wrong passphrase as for a right one. */
  'wallet.tryPassphrase': {
    input: z.object({ source: walletSource, passphrase: secret, task }),
    output: z.object({ verdict: passphraseVerdict }),
  },
  /** To a new file that only this user can read, private keys to nothing else. `part`: of a rehearsed migration. */
  'wallet.export': {
    input: z.object({
      ...walletFile,
      passphrase: secret.optional(),
      part: walletPart.optional(),
      private: z.boolean(),
      /**
       * `importdescriptors`: the JSON that this RPC takes. `lines`: one descriptor per line. `electrum`, `wif`: private keys for
       * sweeping, whatever `private` says, and of the whole wallet.
       */
      format: exportFormat,
      destination: path,
    }),
    /** `keys`: of those for sweeping, how many in how many lines, how many of these stand first as used, and what no key spends. */
    output: z.object({
      path,
      size: z.number().int().nonnegative(),
      descriptors: count,
      keys: z.object({ total: count, lines: count, used: count, leftOut: count }).nullable(),
    }),
  },

  /**
   * A file to go on with, of a text with keys: a wallet to restore where it tells descriptors or extended keys, else the text
   * itself, for a rescue. What is pasted lies in the app's own folder until it ends. `network`: where the text does not tell it.
   * `unchecked`: a descriptor stood without its checksum. `lines`: what became of each line; null for a dump of records.
   * `correct`: keys of the text are damaged, and nothing is made of it. `withoutDamaged` goes on without them.
   */
  'wallet.fromText': {
    input: z.object({
      from: z.discriminatedUnion('by', [
        z.object({ by: z.literal('text'), text: secret }),
        z.object({ by: z.literal('file'), path }),
      ]),
      network: network.optional(),
      withoutDamaged: z.boolean().optional(),
      task,
    }),
    output: z.discriminatedUnion('action', [
      z.object({ action: z.literal('correct'), lines: textLines }),
      z.object({
        action: z.enum(['restore', 'rescue']),
        path,
        network: network.nullable(),
        unchecked: z.boolean(),
        lines: textLines.nullable(),
      }),
    ]),
  },

  /** What searching a passphrase nearly remembered takes. Throws `beyond_limits` for more tries than are ever made. */
  'passphrase.count': {
    input: z.object({ source: walletSource, memory: passphraseMemory, task }),
    output: passphraseCount,
  },
  /**
   * Searches it on all cores, for as long as it takes; `searchProgress` events with the same task tell how far it is.
   * `goOn`: from where the last search was stopped, if that had as many tries on the same wallet.
   */
  'passphrase.search': {
    input: z.object({ source: walletSource, memory: passphraseMemory, goOn: z.boolean(), task: id }),
    output: passphraseFound,
  },

  /** Ends work on a file, whose question is then answered with `cancelled`. */
  'tasks.cancel': { input: z.object({ task: id }), output: nothing },

  /** The folder that *Work without a node* keeps its wallets in, if no other one is chosen. */
  'engine.place': { input: z.object({ network }), output: z.object({ walletsFolder: path }) },
  /** Starts the offline engine and connects to it. One runs at a time, until the app ends or another is started. */
  'engine.start': {
    input: z.object({ walletsFolder: path.nullable(), network }),
    output: connection,
  },

  /** Changes nothing. `previousPlan`: a plan for the same action and source. Its facts are kept, and only the answers are new. */
  'plan.make': { input: planRequest.extend({ previousPlan: id.optional(), task }), output: plan },
  /** Tries the passphrase on the file of the plan; the verdict is a check. Takes as long for a wrong one as for a right one. */
  'plan.tryPassphrase': { input: z.object({ plan: id, passphrase: secret, task }), output: check },
  /**
   * Migrates a copy and throws it away. Gives the plan again, with a check of what came of it. Throws `wallet_unlock_needed`
   * and `wrong_passphrase`.
   */
  'plan.rehearse': {
    input: z.object({ plan: id, answers, passphrase: secret.optional(), task }),
    output: z.object({ plan, rehearsal: rehearsal.nullable() }),
  },
  /**
   * Looks at everything once more, and runs the plan: what it says is sent, and nothing else. Where a verdict got worse, a
   * call would be another one by now, or something is still asked, it is not run, and `plan` is how it stands now.
   * Throws `plan_gone` for one that the app does not know any more, `wrong_passphrase`, and what keeps a job from
   * beginning.
   */
  'plan.run': {
    input: z.object({ plan: id, answers, passphrase: secret.optional() }),
    output: z.discriminatedUnion('began', [
      z.object({ began: z.literal(true), job }),
      z.object({ began: z.literal(false), plan }),
    ]),
  },

  /** The app's own copies, newest first. */
  'copies.list': { input: nothing, output: z.object({ copies: z.array(safetyCopy) }) },

  /** Newest first, without the logs of ended ones. `unreadable`: paths of entries that the app cannot read. */
  'jobs.list': {
    input: nothing,
    output: z.object({ jobs: z.array(job), unreadable: z.array(path) }),
  },
  'jobs.log': { input: z.object({ id }), output: z.object({ lines: z.array(z.string()) }) },
  /** What to send along when asking for help: plain text without secrets, addresses, keys or amounts. */
  'jobs.report': { input: z.object({ id }), output: z.object({ text: z.string() }) },
  /** For the user's own records: plain text with names, paths, hashes and amounts, without secrets. */
  'jobs.ownReport': { input: z.object({ id }), output: z.object({ text: z.string() }) },
  /**
   * Either of them in a file that the system's dialog gave: a PDF where the path ends so and `canSavePdf`, else text.
   * Never over a file. A browser saves the text by itself.
   */
  'jobs.saveReport': {
    input: z.object({ id, which: z.enum(['own', 'others']), destination: path }),
    output: z.object({ path, size: z.number().int().nonnegative() }),
  },
  /** Has the node stop a rescan, which then ends. What was found so far stays. */
  'jobs.cancelRescan': { input: z.object({ id }), output: nothing },
  /** Stops waiting for a job whose line is lost. What the node does, it goes on doing. */
  'jobs.stopWaiting': { input: z.object({ id }), output: nothing },
  /** Asks again what came of those of which that is not known. The app does so by itself, whenever it meets the node. */
  'jobs.askAgain': { input: nothing, output: nothing },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export const events = {
  connection,
  settings,
  wallet,
  job,
  /** How many files were looked at, in which folder the search is, and the wallet files found since the last event. */
  searched: z.object({ task: id, looked: count, folder: path, found: z.array(fileFacts) }),
  /** How far the search for a passphrase, or of a disk image, is. */
  searchProgress: searchProgress.extend({ task: id }),
  /** A file given to the app from outside: dropped on its icon or opened with it. */
  openFile: z.object({ path }),
  /** Chosen in the menu of the desktop app: a page, or `open` to choose a file. */
  showRoute: z.object({
    route: z.enum(['home', 'open', 'wallets', 'history', 'connect', 'settings', 'help']),
  }),
} as const satisfies Record<string, z.ZodType>;

export type RequestName = keyof typeof requests;
export type EventName = keyof typeof events;

export type Input<N extends RequestName> = z.infer<(typeof requests)[N]['input']>;
export type Output<N extends RequestName> = z.infer<(typeof requests)[N]['output']>;
/** Those that read whole files: each takes the name of a task, by which `tasks.cancel` ends it. */
export type FileTaskName = Exclude<
  { [N in RequestName]: 'task' extends keyof Input<N> ? N : never }[RequestName],
  'tasks.cancel'
>;
export type EventValue<N extends EventName> = z.infer<(typeof events)[N]>;
export type AppInfo = z.infer<typeof appInfo>;
export type Target = z.infer<typeof target>;
export type Login = z.infer<typeof login>;
export type { WalletSource } from './model/plan.ts';

/** The same tables, written so that a generic name keeps its own types. */
export const requestTable: {
  [N in RequestName]: { input: z.ZodType<Input<N>>; output: z.ZodType<Output<N>> };
} = requests;
export const eventTable: { [N in EventName]: z.ZodType<EventValue<N>> } = events;

export function isRequestName(name: string): name is RequestName {
  return Object.hasOwn(requests, name);
}

export function isFileTask(name: RequestName): name is FileTaskName {
  const { input } = requests[name];
  return 'shape' in input && 'task' in input.shape && name !== 'tasks.cancel';
}

/** How an answer crosses: the encoded output, or the error. */
export const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: appErrorShape }),
]);
export type Answer = z.infer<typeof answer>;
