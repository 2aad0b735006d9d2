/** The tasks on whole wallet files: their inputs, results and implementations. Worker threads run them. */
import { basename, dirname, extname, join } from 'node:path';
import { listsPrivateKeys } from '../../shared/model/files.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { type Inspection, isDamaged, mainBalance } from '../../shared/model/inspection.ts';
import type { WalletPart } from '../../shared/model/migrationPreview.ts';
import { balanceInFile } from '../../shared/model/money.ts';
import { type Network, networks } from '../../shared/model/network.ts';
import type { Rehearsal } from '../../shared/model/plan.ts';
import type { RescueFacts } from '../../shared/model/safety.ts';
import { type Wallet, type WalletIds, walletIdsOf } from '../../shared/model/wallet.ts';
import { refuseTaken, writeNewFile } from '../files/durableFile.ts';
import { sha256Of } from '../files/hash.ts';
import { othersMayRead, refuseSharedOutput } from '../files/lock/refuseSharedFolder.ts';
import { fileTooLargeError, type OpenedWallet, withWallet } from '../files/readWallet.ts';
import { networksOfText, parseText } from '../recovery/keyImport/readText.ts';
import { walletOfText } from '../recovery/keyImport/walletOfText.ts';
import type { PassphraseToTry } from '../recovery/repair/savedKeys.ts';
import { type FileBytes, sourceOf } from '../walletfile/bytes/byteSource.ts';
import { undoConversion } from '../walletfile/database/fileStart.ts';
import { lossOf, remarkOf } from '../walletfile/database/problemLog.ts';
import {
  type ExportOptions,
  exportDescriptors,
  exportKeys,
  type KeyExportOptions,
} from '../walletfile/inspect/exportWallet.ts';
import { identifyWallet } from '../walletfile/inspect/identifyWallet.ts';
import { inspect, inspectLoaded } from '../walletfile/inspect/inspect.ts';
import { byChecksum } from '../walletfile/legacy/legacyKeys.ts';
import { type RehearsalRequest, rehearseMigration } from '../walletfile/migrate/migrateWallet.ts';
import { type Encryption, findRightPassphrase, judgePassphrase } from '../walletfile/records/encryption.ts';
import {
  areSameWallet,
  compareMigrated,
  compareRestoredFiles,
  examineFile,
  type Help,
  inspectOnce,
} from './examineFile.ts';
import type { RescueRequest } from './repairRequest.ts';
import {
  encryptionIn,
  inspectRescued,
  lockOf,
  openRescued,
  repairInto,
  type TriedPassphrase,
  withRescued,
} from './rescueFile.ts';
import { carveImage, scanImage } from './searchImage.ts';
import { copyStates, saveRecovered, saveWhole, withLoggedWallet, withUsableLog } from './wholeCopy.ts';

/** What the list of wallets shows of a wallet. */
type WalletFacts = Pick<
  Wallet,
  'kind' | 'encrypted' | 'watchOnly' | 'balance' | 'spendable' | 'transactions'
> &
  WalletIds & {
    /** Whether something in it is lost to damage. */
    damaged: boolean;
  };

/** Whether a node has loaded the listed wallets: then it knows all of them but the conditions and the id of the keys. */
export type ListedWallets = 'loaded' | 'unloaded';

/** All facts of an unloaded wallet. Of a loaded one, see `inspectLoaded`. */
export type ListedFacts = Partial<WalletFacts & Pick<Inspection, 'conditions'>>;

/** The input of each kind of task. */
export type WalletTasks = { readonly [K in WalletTaskKind]: Parameters<(typeof tasks)[K]>[0] };
export type WalletTaskResults = { readonly [K in WalletTaskKind]: Awaited<ReturnType<(typeof tasks)[K]>> };
export type WalletTaskKind = keyof typeof tasks;

export type WalletTask<K extends WalletTaskKind = WalletTaskKind> = {
  [Kind in K]: { readonly kind: Kind; readonly task: WalletTasks[Kind] };
}[K];

/** Runs the task in this thread. Throws AppError, whatever the file contains. */
export function doWalletTask<K extends WalletTaskKind>(
  { kind, task }: WalletTask<K>,
  help?: Help,
): Promise<WalletTaskResults[K]> {
  const handlers: {
    [K in WalletTaskKind]: (task: WalletTasks[K], help?: Help) => Promise<WalletTaskResults[K]>;
  } = tasks;
  return handlers[kind](task, help);
}

interface Rescuable {
  /** The wallet's file. */
  readonly path: string;
  /** If set, the task uses what a rescue can save of the file. */
  readonly rescue?: RescueRequest | undefined;
}

interface InspectRequest extends Rescuable {
  /** How to rescue a file whose start is damaged, so that it does not look like a wallet. Such a file is refused without it. */
  readonly otherwise?: RescueRequest | undefined;
  readonly network?: Network | undefined;
  readonly passphrase?: string | undefined;
  /** See `inspectOnce`. */
  readonly isFirstLook?: boolean | undefined;
}

interface InspectResult {
  readonly inspection: Inspection;
  /** Of the bytes that were read, in lower-case hex. */
  readonly sha256: string;
  /** Whether a journal was applied to the bytes. The file alone has another hash and is another wallet. */
  readonly recovered: boolean;
  /** What a rescue can save, if requested. */
  readonly rescue?: RescueFacts | undefined;
  readonly opened?: TriedPassphrase['opened'];
  /** See `RescuedFile`. */
  readonly conversion?: Inspection['problems'][number] | null;
}

const tasks = {
  async inspect(request: InspectRequest, help?: Help): Promise<InspectResult> {
    const { path, network, passphrase, rescue, otherwise, isFirstLook } = request;
    if (rescue) {
      const { lock, ...locked } = await withRescued(path, rescue, {}, async (rescued) => ({
        ...(await inspectRescued(rescued, { network })),
        sha256: rescued.sha256,
        recovered: false,
        lock: await lockOf(rescued),
      }));
      if (passphrase === undefined) return locked;
      const { verdict, opened } = await openRescued(path, rescue, { passphrase, lock });
      return { ...locked, inspection: { ...locked.inspection, passphrase: verdict }, opened };
    }
    const inspectSaved = async (how: RescueRequest, lost: Inspection['problems']): Promise<InspectResult> => {
      const saved = await tasks.inspect({ ...request, rescue: how }, help).catch(async (error) => {
        if (!(error instanceof FileError) || error.finding.code !== 'network_needed') throw error;
        // The keys of the test networks are alike.
        const rescue = { ...how, network: undefined, nodeNetwork: 'testnet3' } as const;
        const found = await tasks.inspect({ ...request, network: undefined, rescue }, help);
        const candidates = networks.filter((one) => one !== 'main');
        const unknown = { name: 'unknown', from: 'keys', candidates } as const;
        return { ...found, inspection: { ...found.inspection, network: unknown } };
      });
      // A converted file has other problems than its original.
      const problems = [...(saved.conversion ? [saved.conversion] : lost), ...saved.inspection.problems];
      return { ...saved, inspection: { ...saved.inspection, problems } };
    };
    let isConverted = false;
    const found = await withWallet<InspectResult>(path, async (read) => {
      const { inMemory } = sourceOf(read.content);
      isConverted = otherwise !== undefined && inMemory !== null && undoConversion(inMemory) !== null;
      const sha256 = read.sha256();
      const options = { network, passphrase, isFirstLook, help };
      const logged = await withUsableLog(path, read.content);
      const [content, hash] = logged ? [logged.bytes, sha256Of(logged.bytes)] : [read.content, sha256];
      const found = await inspectOnce(content, hash, options);
      const problems = [
        ...found.problems,
        ...(found.incomplete === null ? [] : [INCOMPLETE[found.incomplete]]),
        ...(logged === null ? journalProblems(read) : [IN_LOG]),
      ];
      // Without the log beside it, a node refuses the file.
      const inspection = { ...found, file: logged?.file ?? found.file, problems };
      return { inspection, sha256, recovered: read.recovered };
    }).catch((error) => {
      if (otherwise === undefined || !mayHaveLostStart(error)) throw error;
      return inspectSaved(otherwise, [START_UNREADABLE]).catch(() => {
        throw error;
      });
    });
    const isReadable = !isConverted && !isNothingReadable(found.inspection);
    if (otherwise === undefined || found.rescue || isReadable) return found;
    return inspectSaved(otherwise, found.inspection.problems).catch(() => found);
  },

  examine: examineFile,

  areSameWallet,

  /** In the order of the paths. Null for an unreadable file. */
  async readFacts({ paths, of: which }: { readonly paths: readonly string[]; readonly of: ListedWallets }) {
    const read = which === 'loaded' ? conditionsOf : factsOf;
    const facts: (ListedFacts | null)[] = [];
    for (const path of paths) facts.push(await read(path).catch(() => null));
    return facts;
  },

  async tryPassphrase({
    path,
    rescue,
    isThorough = false,
    ...tried
  }: Rescuable & PassphraseToTry & { readonly passphrase: string }): Promise<TriedPassphrase> {
    if (!rescue) return { verdict: await judgePassphrase(await encryptionAt(path), tried.passphrase) };
    const lock = await withRescued(path, rescue, {}, lockOf);
    return openRescued(path, rescue, { ...tried, isThorough, lock });
  },

  /** Null for a wallet without encryption. */
  encryption: async ({ path, rescue }: Rescuable) =>
    rescue ? withRescued(path, rescue, {}, ({ bytes }) => encryptionIn(bytes)) : encryptionAt(path),

  /** The index of the passphrase that fits; null for none. Reads no file. `encryption`: the result of that task. */
  tryPassphrases: (task: { readonly encryption: Encryption; readonly passphrases: readonly Uint8Array[] }) =>
    findRightPassphrase(task.encryption, task.passphrases),

  async rehearse({ path, rescue, ...request }: RehearsalRequest & Rescuable) {
    const { passphrase } = request;
    const bytes = await bytesOf({ path, rescue }, passphrase);
    const { network, wallets, proof } = await rehearseMigration(bytes, request);
    const found: Rehearsal['wallets'] = [];
    for (const { part, name, bytes } of wallets) {
      found.push({ part, name, found: await inspect(bytes, { network, passphrase }) });
    }
    return { wallets: found, proof };
  },

  /**
   * Result: `size` in bytes, the number of `descriptors`, and `keys` of an export for sweeping. Throws also `bad_input` for a part
   * that the migration does not produce.
   */
  async export({ path, ...request }: ExportRequest & { readonly path: string }) {
    const { destination, private: secret, format, passphrase } = request;
    const folder = refuseTaken(destination);
    // No other user may read the keys or replace the file.
    const hasKeys = secret || listsPrivateKeys(format);
    if (hasKeys) refuseSharedOutput(dirname(destination));
    const written = { path: destination, othersMayRead: hasKeys && othersMayRead(dirname(destination)) };
    // Write only after the whole wallet was read: a file that has changed meanwhile must leave no keys behind.
    const { text, ...counts } = await withLoggedWallet(path, async (content) => {
      if (listsPrivateKeys(format)) {
        const { text, ...keys } = await exportKeys(content, { ...request, format });
        return { text, descriptors: 0, keys };
      }
      const wallet = await descriptorWallet(path, content, request);
      const text = await exportDescriptors(wallet, { private: secret, format, passphrase });
      return { text, descriptors: countOf(text, format), keys: null };
    });
    return { ...written, ...counts, size: writeNewFile(destination, text, folder).size };
  },

  compare: compareMigrated,
  compareRestored: compareRestoredFiles,

  repair: repairInto,
  saveRecovered,
  saveWhole,
  copyStates,
  scanImage,
  carveImage,
  openText,
};

/** Whether the readers find nothing in a damaged file. */
function isNothingReadable(found: Inspection): boolean {
  const { keys, descriptors, scripts, transactions, labels, problems } = found;
  const lists = [descriptors, scripts, transactions, labels];
  return isDamaged(problems) && keys.plain + keys.encrypted === 0 && lists.every(({ total }) => total === 0);
}

/** Whether it refuses a file that begins like a wallet, or like nothing that the app knows. */
function mayHaveLostStart(error: unknown): boolean {
  if (!(error instanceof FileError) || error.code !== 'not_a_wallet') return false;
  const { finding } = error;
  return finding.code !== 'not_core_wallet' || finding.kind.code === 'unknown';
}

const START_UNREADABLE = lossOf({ code: 'wallet_damaged', fault: { code: 'start_unreadable' } });

const encryptionAt = (path: string) => withLoggedWallet(path, encryptionIn);

async function bytesOf({ path, rescue }: Rescuable, passphrase?: string): Promise<Uint8Array> {
  // A file that is too large for memory is refused before the work.
  const mostInMemory = Number.POSITIVE_INFINITY;
  const inMemoryOf = async (content: FileBytes) => {
    const { inMemory } = sourceOf(content);
    if (inMemory === null) throw fileTooLargeError();
    return inMemory;
  };
  if (!rescue) return withLoggedWallet(path, inMemoryOf, { mostInMemory });
  return withRescued(path, rescue, { passphrase, mostInMemory }, ({ bytes }) => inMemoryOf(bytes));
}

const conditionsOf = (path: string): Promise<ListedFacts> =>
  withWallet(path, ({ content }) => inspectLoaded(content));

async function factsOf(path: string): Promise<WalletFacts> {
  const found = await withWallet(path, ({ content }) =>
    inspect(content, { fits: byChecksum, isBrief: true }),
  );
  const { kind, incomplete, encryption, transactions, problems } = found;
  const { onlyWatches } = mainBalance(found);
  return {
    kind: incomplete === null ? kind : 'interrupted',
    encrypted: encryption !== null,
    watchOnly: onlyWatches,
    balance: balanceInFile(found.balance),
    spendable: null,
    transactions: transactions.total,
    ...walletIdsOf(found),
    damaged: incomplete === null && isDamaged(problems),
  };
}

const INCOMPLETE = {
  'legacy-records': remarkOf({ code: 'half_migrated' }),
  'no-descriptors': remarkOf({ code: 'empty_wallet' }),
};

/** Problems with the journals of a file. None for a journal that SQLite ignores. */
function journalProblems({ journal, wal }: OpenedWallet): Inspection['problems'][number][] {
  const problems: Inspection['problems'][number][] = [];
  if (journal === 'used') problems.push(remarkOf({ code: 'change_undone_by_journal' }));
  if (wal === 'used') problems.push(IN_LOG);
  if (journal === 'other' || wal === 'other') problems.push(remarkOf({ code: 'journal_of_other_file' }));
  if (journal === 'damaged' || wal === 'damaged') problems.push(lossOf({ code: 'journal_damaged' }));
  return problems;
}

const IN_LOG = remarkOf({ code: 'changes_read_from_log' });

interface ExportRequest extends RehearsalRequest {
  /** For a legacy wallet: which of the migrated wallets. Default: the primary one. */
  readonly part?: WalletPart | undefined;
  readonly private: ExportOptions['private'];
  readonly format: ExportOptions['format'] | KeyExportOptions['format'];
  /** A new file. */
  readonly destination: string;
}

/** The wallet itself, or of a legacy wallet one of those that its migration in memory makes. */
async function descriptorWallet(
  path: string,
  content: FileBytes,
  request: ExportRequest,
): Promise<FileBytes> {
  const { part = 'primary' } = request;
  const { kind } = await identifyWallet(content, request.network);
  if (kind === 'descriptor') {
    if (part !== 'primary') throw new FileError('bad_input', { code: 'descriptor_wallet_without_parts' });
    return content;
  }
  const bytes = sourceOf(content).inMemory ?? (await bytesOf({ path }));
  const { wallets } = await rehearseMigration(bytes, request);
  const wallet = wallets.find((one) => one.part === part);
  if (wallet) return wallet.bytes;
  throw new FileError('bad_input', { code: 'part_not_made', part, parts: wallets.map((one) => one.part) });
}

function countOf(text: string, format: ExportOptions['format']): number {
  if (format === 'lines') return text.split('\n').length - 1;
  const requests: unknown = JSON.parse(text);
  return Array.isArray(requests) ? requests.length : 0;
}

interface TextRequest {
  readonly path: string;
  /** For the new wallet file. */
  readonly folder: string;
  /** Used if the text does not show its network. */
  readonly network?: Network | undefined;
  /** Whether to leave out damaged keys. Otherwise nothing is made of a text with any. */
  readonly withoutDamaged?: boolean | undefined;
  /** Whether nothing is made of a text that also has lines without a key. */
  readonly isPasted?: boolean;
}

/**
 * Makes a wallet file of a text's descriptors. `newFile`: null without descriptors. `hasKeys`: in any form. `asks`: whether to correct `lines` first.
 * `network`: as the keys show it (a test network as requested); null if they show none, or could be of any. Throws AppError as
 * `walletOfText`, `withWallet` and `writeNewFile` do.
 */
async function openText({ path, folder, network, withoutDamaged = false, isPasted = false }: TextRequest) {
  const text = await withWallet(
    path,
    async ({ content }) => {
      // A larger file is no text.
      const { inMemory } = sourceOf(content);
      return inMemory && parseText(inMemory);
    },
    { accepts: 'anything' },
  );
  const lines = text !== null && 'contents' in text ? text.contents.lines : null;
  const none = { newFile: null, hasKeys: false, asks: false, network: null, networks: [], notes: [], lines };
  if (text === null) return none;
  const isKeyless = isPasted && lines !== null && lines.keys > 0 && lines.states.includes('other');
  if (lines !== null && (isKeyless || lines.damaged.length > 0) && !withoutDamaged)
    return { ...none, asks: true };
  const wallet = await walletOfText(text, network);
  if (wallet !== null) {
    const newFile = join(folder, `${basename(path, extname(path))}.dat`);
    const { bytes: made, ...found } = wallet;
    writeNewFile(newFile, made);
    return { ...none, newFile, hasKeys: true, ...found };
  }
  const { main, test } = networksOfText(text);
  const testNetwork = network === 'main' || network === undefined ? null : network;
  const known: Network | null = main === test ? null : main ? 'main' : testNetwork;
  const readable = networks.filter((one) => (one === 'main' ? main : test));
  return { ...none, hasKeys: readable.length > 0, network: known, networks: readable };
}
