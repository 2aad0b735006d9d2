/** Tasks on a file that leave it unchanged: inspect it, try a passphrase, rehearse, export, and open a text with keys. */

import { rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FileTaskName, Input, Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { PASTED_STEM } from '../../../shared/model/files.ts';
import { needsRescue } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Rehearsal, WalletSource } from '../../../shared/model/plan.ts';
import { fileKindAdvice, fileKindText } from '../../../shared/wording/findings/fileKindWords.ts';
import { asSentence, nothingChanged } from '../../../shared/wording/findings/hints.ts';
import { nameInSentence } from '../../../shared/wording/format/names.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Call } from '../../bitcoind/calls/call.ts';
import { backupCall, backupInto, listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { isOpenInOther, walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { writeNewFile } from '../../files/durableFile.ts';
import { isOpenElsewhere } from '../../files/lock/fileInUse.ts';
import { realPath } from '../../files/openFile.ts';
import { createTemporaryFolders, removeFolder, type TemporaryFolders } from '../../files/temporaryFolders.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { suggestName } from '../../walletfile/inspect/suggestName.ts';
import type { RescueRequest } from '../../workers/repairRequest.ts';
import type { TriedPassphrase } from '../../workers/rescueFile.ts';
import type { WalletTask, WalletTaskKind, WalletTaskResults } from '../../workers/walletTask.ts';
import type { WalletWork } from '../../workers/walletWork.ts';

export type WalletFiles = ReturnType<typeof createWalletFiles>;

/** How to read the file for a rescue. */
interface Rescuable {
  readonly rescue?: RescueRequest | undefined;
}

export type InspectOptions = Pick<SourceOptions, 'isLoaded' | 'onSent'> & Rescuable;
type InspectInput = Omit<FileTaskInput<'wallet.inspect'>, 'rescue'> &
  InspectOptions & { passphrase?: string | undefined; otherwise?: RescueRequest | undefined };
type RehearseInput = Pick<FileTaskInput<'wallet.export'>, 'source' | 'network' | 'passphrase'> & Rescuable;

/** The input of a request for work on a file, without the name by which it can be cancelled. */
export type FileTaskInput<N extends FileTaskName> = Omit<Input<N>, 'task'>;

interface WalletFilesOptions {
  /** Throws `not_connected` where there is no node in use. */
  readonly session: () => Session;
  readonly work: WalletWork;
  /** The folder for copies of loaded wallets while they are read. */
  readonly copiesFolder: string;
}

/** Each throws AppError: what `withWalletFile` and the task throw, `cancelled` when the app closes, and the signal's reason. */
export function createWalletFiles({ session, work, copiesFolder }: WalletFilesOptions) {
  const folders = createTemporaryFolders(copiesFolder);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  function run<K extends WalletTaskKind>(
    source: WalletSource,
    need: Pick<SourceOptions, 'need' | 'isLoaded' | 'onSent'>,
    callerSignal: AbortSignal,
    taskOf: (file: WalletFile) => WalletTask<K>,
  ): Promise<WalletTaskResults[K]> {
    const signal = AbortSignal.any([callerSignal, closing.signal]);
    const result = withWalletFile(source, { session, folders, ...need, signal }, async (file) => {
      signal.throwIfAborted();
      return work(taskOf(file), signal);
    });
    running.add(result);
    const forget = () => running.delete(result);
    result.then(forget, forget);
    return result;
  }

  return {
    /** Also tries the passphrase, if there is one. */
    inspect: async (
      { source, isLoaded, onSent, network, passphrase, rescue, otherwise, isFirstLook }: InspectInput,
      signal: AbortSignal,
    ): Promise<WalletTaskResults['inspect']> => {
      const found = await run(source, { need: 'whole', isLoaded, onSent }, signal, (file) => ({
        kind: 'inspect',
        task: {
          path: file.path,
          network: network ?? file.network,
          passphrase,
          rescue,
          otherwise,
          isFirstLook,
        },
      }));
      const { inspection } = found;
      const mayBeOpen = source.by === 'file' && (inspection.incomplete !== null || needsRescue(inspection));
      return mayBeOpen && (await isOpen(source.path, orNull(session), signal))
        ? { ...found, inspection: { ...inspection, isOpen: true } }
        : found;
    },

    async tryPassphrase(
      {
        source,
        ...typed
      }: FileTaskInput<'wallet.tryPassphrase'> & Rescuable & { isThorough?: boolean | undefined },
      signal: AbortSignal,
    ): Promise<TriedPassphrase> {
      return orRescued(typed.rescue, (rescue) =>
        run(source, { need: 'any' }, signal, ({ path }) => ({
          kind: 'tryPassphrase',
          task: { ...typed, path, rescue },
        })),
      );
    },

    /** The data for trying passphrases; null for a wallet without encryption. */
    encryption: (source: WalletSource, signal: AbortSignal): Promise<WalletTaskResults['encryption']> =>
      orRescued(undefined, (rescue) =>
        run(source, { need: 'any' }, signal, ({ path }) => ({ kind: 'encryption', task: { path, rescue } })),
      ),

    /** Migrates a copy and discards the result. Also throws `wallet_error` if something would be lost. */
    rehearse: (
      { source, network, passphrase, rescue }: RehearseInput,
      signal: AbortSignal,
    ): Promise<Rehearsal> =>
      run(source, { need: 'whole' }, signal, (file) => ({
        kind: 'rehearse',
        task: { path: file.path, name: file.name, network: network ?? file.network, passphrase, rescue },
      })),

    export: (
      { source, network, ...request }: FileTaskInput<'wallet.export'>,
      signal: AbortSignal,
    ): Promise<Output<'wallet.export'>> =>
      run(source, { need: 'whole' }, signal, (file) => ({
        kind: 'export',
        task: { ...request, path: file.path, name: file.name, network: network ?? file.network },
      })),

    /**
     * Opens a text with keys: from its descriptors it makes a wallet, else the text itself can be rescued. A private folder keeps
     * that wallet, or else the pasted text, until the app closes. Throws `bad_input` for a pasted text without a key.
     */
    async fromText(
      { from, network, withoutDamaged }: FileTaskInput<'wallet.fromText'>,
      callerSignal: AbortSignal,
    ): Promise<Output<'wallet.fromText'>> {
      const folder = await folders.keep();
      try {
        const path = from.by === 'file' ? from.path : join(folder, `${PASTED_STEM}.txt`);
        if (from.by === 'text') writeNewFile(path, from.text);
        const signal = AbortSignal.any([callerSignal, closing.signal]);
        const task = { path, folder, network, withoutDamaged, isPasted: from.by === 'text' };
        const { newFile, hasKeys, asks, ...found } = await work({ kind: 'openText', task }, signal);
        const { lines } = found;
        if (lines !== null && asks) {
          removeFolder(folder);
          return { action: 'correct', lines };
        }
        if (from.by === 'text' && !hasKeys) throw await noKeysError(from.text);
        if (from.by === 'file' && newFile === null) removeFolder(folder);
        if (from.by === 'text' && newFile !== null) await rm(path);
        return newFile === null
          ? { path, action: 'rescue', ...found }
          : { path: newFile, action: 'restore', ...found };
      } catch (error) {
        removeFolder(folder);
        throw error;
      }
    },

    /** Aborts running tasks and accepts no more. */
    async close(): Promise<void> {
      closing.abort(new AppError('cancelled', say('The app is closing.'), say('The file is unchanged.')));
      folders.close();
      await Promise.allSettled(running);
    },
  };
}

/** Repeats the work on what a rescue can save if the file is not recognised as a wallet. */
async function orRescued<T>(
  rescue: RescueRequest | undefined,
  work: (rescue: RescueRequest | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await work(rescue);
  } catch (error) {
    if (rescue !== undefined || !(error instanceof AppError) || error.code !== 'not_a_wallet') throw error;
    return work({ logs: 'beside' }).catch(() => {
      throw error;
    });
  }
}

async function noKeysError(text: string): Promise<AppError> {
  const { seedIn } = await import('../../walletfile/text/seedWords.ts');
  const seed = seedIn(text);
  return seed
    ? new AppError(
        'bad_input',
        say('Not for Bitcoin Core: {kind}.', { kind: fileKindText(seed) }),
        fileKindAdvice(seed) ?? '',
      )
    : new AppError(
        'bad_input',
        say('No keys in this text.'),
        `${say('Check that it is complete.')} ${say('Addresses are not keys.')}`,
      );
}

interface WalletFile {
  readonly path: string;
  /** The wallet's name, or a name suggested by the file's name. */
  readonly name: string;
  readonly network: Network | undefined;
}

interface SourceOptions {
  /** Throws `not_connected` without a node in use. */
  readonly session: () => Session;
  /** For copies of wallets that the node has loaded. */
  readonly folders: TemporaryFolders;
  /** `whole`: needs a file that nobody writes to. `any`: the file as it is. */
  readonly need: 'whole' | 'any';
  /** Whether the node has the wallet loaded. Undefined: ask the node. */
  readonly isLoaded?: boolean | undefined;
  /** Called with the call that makes the node write a copy. */
  readonly onSent?: ((call: Call) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Does `work` with the file. If the work needs a whole file and the node has the wallet loaded, the node copies it with
 * `backupwallet`, and the copy is removed afterwards. If the node cannot write the copy, the work reads the file itself, and the
 * result says that it was not closed.
 *
 * @throws AppError `not_connected`, `not_available_here` for a wallet on another machine or in an unknown folder,
 * `wallet_not_found`, and what `work` throws.
 */
export async function withWalletFile<T>(
  source: WalletSource,
  { session, folders, need, isLoaded: known, onSent, signal }: SourceOptions,
  work: (file: WalletFile) => Promise<T>,
): Promise<T> {
  if (source.by === 'file') {
    const { path } = source;
    const real = await realPath(path).catch(() => path);
    return work({ path, name: suggestName(real, homedir()), network: undefined });
  }
  const { name } = source;
  const currentSession = session();
  const { network } = currentSession.status;
  const path = await pathOfWallet(currentSession.status, name);
  if (need === 'any' || !(known ?? (await isLoaded(currentSession, name, signal))))
    return work({ path, name, network });
  return folders.during(async (folder) => {
    const copy = join(folder, 'wallet.dat');
    const call = backupCall(name, copy);
    onSent?.(call);
    const copied = await copyThroughNode(currentSession, call, copy, signal);
    return work({ path: copied ? copy : path, name, network });
  });
}

async function pathOfWallet({ local, walletsFolder }: NodeStatus, name: string): Promise<string> {
  if (walletsFolder === null) {
    throw new AppError(
      'not_available_here',
      local ? asSentence(say('Unknown wallets folder')) : say('It is on the node’s machine.'),
      nothingChanged(say('Copy a backup to this computer.')),
    );
  }
  const path = await walletFilePath(walletsFolder, name);
  if (path !== null) return path;
  throw new AppError(
    'wallet_not_found',
    say('Not in the node’s wallets folder: {wallet}.', { wallet: nameInSentence(name) }),
    nothingChanged(say('It may have moved.')),
  );
}

async function isOpen(path: string, node: Session | null, signal: AbortSignal): Promise<boolean> {
  if (!isOpenElsewhere(path)) return false;
  const loaded = node === null ? [] : await listWallets(node.client, signal).catch(() => []);
  return isOpenInOther(path, node?.status.walletsFolder ?? null, loaded);
}

/** False if the node does not answer: the file is then read as it is. */
async function isLoaded({ client }: Session, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await listWallets(client, signal)).includes(name);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Milliseconds. A busy node may never start the copy. */
const COPY_TIMEOUT_MS = 60_000;

/** Errors that show that somebody else can change the app's folder. They are reported even if the file could be read. */
const MEDDLING = new Set<AppError['code']>(['not_available_here', 'file_changed']);

/** Whether the node wrote the copy. A node of another user, or in a container, cannot write there. */
async function copyThroughNode(
  session: Session,
  call: Call,
  copy: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await backupInto(session, call, copy, AbortSignal.any([signal, AbortSignal.timeout(COPY_TIMEOUT_MS)]));
    return (await stat(copy)).size > 0;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppError && MEDDLING.has(thrown.code)) throw thrown;
    return false;
  }
}
