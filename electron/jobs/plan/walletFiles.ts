/** Tasks that read a wallet file without changing it: inspect it, try a passphrase, rehearse, export. */
import { rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { FileTaskName, Input, Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { FileFacts } from '../../../shared/model/files.ts';
import type { Rehearsal, WalletSource } from '../../../shared/model/plan.ts';
import { fileKindAdvice, fileKindText } from '../../../shared/wording/findings/fileKindWords.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { writeNewFile } from '../../files/durableFile.ts';
import { inspectFile } from '../../files/inspect.ts';
import { createTemporaryFolders, removeFolder } from '../../files/temporaryFolders.ts';
import type { RescueRequest } from '../../workers/repairRequest.ts';
import type { WalletTask, WalletTaskKind, WalletTaskResults } from '../../workers/walletTask.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { type SourceOptions, type WalletFile, withWalletFile } from './walletSource.ts';

/** Each throws AppError: what `withWalletFile` and the task throw, `cancelled` when the app closes, and the signal's reason. */
export interface WalletFiles {
  /** Also tries the passphrase, if there is one. `isLoaded` and `onSent` as for `withWalletFile`. */
  inspect(
    input: Omit<FileTaskInput<'wallet.inspect'>, 'rescue'> & {
      passphrase?: string | undefined;
    } & InspectOptions,
    signal: AbortSignal,
  ): Promise<WalletTaskResults['inspect']>;
  tryPassphrase(
    input: FileTaskInput<'wallet.tryPassphrase'> & Rescuable,
    signal: AbortSignal,
  ): Promise<Output<'wallet.tryPassphrase'>>;
  /** The data for trying passphrases; null for a wallet without encryption. */
  encryption(source: WalletSource, signal: AbortSignal): Promise<WalletTaskResults['encryption']>;
  /** Migrates a copy and discards the result. Also throws `wallet_error` if something would be lost. */
  rehearse(
    input: Pick<FileTaskInput<'wallet.export'>, 'source' | 'network' | 'passphrase'> & Rescuable,
    signal: AbortSignal,
  ): Promise<Rehearsal>;
  export(input: FileTaskInput<'wallet.export'>, signal: AbortSignal): Promise<Output<'wallet.export'>>;
  /**
   * Keeps the pasted text, and the wallet made from descriptors, in a private folder until the app closes. Throws `bad_input` if
   * the text contains no key.
   */
  fromText(input: FileTaskInput<'wallet.fromText'>, signal: AbortSignal): Promise<Output<'wallet.fromText'>>;
  /** Aborts running tasks and accepts no more. */
  close(): Promise<void>;
}

/** How to read the file for a rescue. */
interface Rescuable {
  readonly rescue?: RescueRequest | undefined;
}

export type InspectOptions = Pick<SourceOptions, 'isLoaded' | 'onSent'> & Rescuable;

/** The input of a request for work on a file, without the name by which it can be cancelled. */
export type FileTaskInput<N extends FileTaskName> = Omit<Input<N>, 'task'>;

interface WalletFilesOptions {
  /** Throws `not_connected` where there is no node in use. */
  readonly session: () => Session;
  readonly work: WalletWork;
  /** The folder for copies of loaded wallets while they are read. */
  readonly copiesFolder: string;
}

export function createWalletFiles({ session, work, copiesFolder }: WalletFilesOptions): WalletFiles {
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
    inspect: ({ source, network, passphrase, isLoaded, onSent, rescue }, signal) =>
      run(source, { need: 'whole', isLoaded, onSent }, signal, (file) => ({
        kind: 'inspect',
        task: { path: file.path, network: network ?? file.network, passphrase, rescue },
      })),

    async tryPassphrase({ source, passphrase, rescue }, signal) {
      const verdict = await orRescued(rescue, (how) =>
        run(source, { need: 'any' }, signal, ({ path }) => ({
          kind: 'tryPassphrase',
          task: { path, passphrase, rescue: how },
        })),
      );
      return { verdict };
    },

    encryption: (source, signal) =>
      orRescued(undefined, (rescue) =>
        run(source, { need: 'any' }, signal, ({ path }) => ({ kind: 'encryption', task: { path, rescue } })),
      ),

    rehearse: ({ source, network, passphrase, rescue }, signal) =>
      run(source, { need: 'whole' }, signal, (file) => ({
        kind: 'rehearse',
        task: { path: file.path, name: file.name, network: network ?? file.network, passphrase, rescue },
      })),

    export: ({ source, network, ...request }, signal) =>
      run(source, { need: 'whole' }, signal, (file) => ({
        kind: 'export',
        task: { ...request, path: file.path, name: file.name, network: network ?? file.network },
      })),

    async fromText({ from, network, withoutDamaged }, callerSignal) {
      const folder = await folders.keep();
      try {
        const path = from.by === 'file' ? from.path : join(folder, `${PASTED}.txt`);
        if (from.by === 'text') writeNewFile(path, from.text);
        const signal = AbortSignal.any([callerSignal, closing.signal]);
        const task = { path, folder, network, withoutDamaged };
        const { newFile, hasKeys, ...found } = await work({ kind: 'openText', task }, signal);
        const { lines } = found;
        if (lines !== null && lines.damaged.length > 0 && withoutDamaged !== true) {
          removeFolder(folder);
          return { action: 'correct', lines };
        }
        if (from.by === 'text' && !hasKeys) throw await noKeys(from.text);
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

    async close() {
      closing.abort(new AppError('cancelled', say('The app is closing.'), say('The file is unchanged.')));
      folders.close();
      await Promise.allSettled(running);
    },
  };
}

/** File name of pasted keys in a temporary folder. The new wallet's name derives from it. */
const PASTED = 'pasted-keys';

/** The facts of a file under the name that a person reads: pasted keys have a file name of the app's. Throws as `inspectFile`. */
export async function nameAndInspect(path: string): Promise<FileFacts> {
  const facts = await inspectFile(path);
  const isPasted = facts.temporary && basename(facts.name, extname(facts.name)) === PASTED;
  return isPasted ? { ...facts, name: say('Pasted keys') } : facts;
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

async function noKeys(text: string): Promise<AppError> {
  const { seedIn } = await import('../../walletfile/text/seedWords.ts');
  const seed = seedIn(text);
  return seed
    ? new AppError(
        'bad_input',
        say('Not for Bitcoin Core: {kind}.', { kind: fileKindText(seed) }),
        fileKindAdvice(seed) ?? '',
      )
    : new AppError('bad_input', say('No keys in this text.'), say('Check that it is complete.'));
}
