/** Finds the file of what is to be read: a file of this machine, or that of a wallet of the node in use. */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { WalletSource } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { nameInSentence } from '../../../shared/wording/walletLabel.ts';
import { backupInto } from '../../bitcoind/calls/backupInto.ts';
import type { Call } from '../../bitcoind/calls/call.ts';
import { backupCall, listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import type { TemporaryFolders } from '../../files/temporaryFolders.ts';
import { suggestedName } from '../../walletfile/inspect/suggestedName.ts';

export interface WalletFile {
  readonly path: string;
  /** The wallet's, or one suggested by the file's. */
  readonly name: string;
  /** The node's, of one of its wallets. */
  readonly network: Network | undefined;
}

export interface SourceOptions {
  /** Throws `not_connected` where there is no node in use. */
  readonly session: () => Session;
  /** Where a wallet that the node has loaded is copied to. */
  readonly folders: TemporaryFolders;
  /** `whole`: closed and at rest. `any`: as it lies there. */
  readonly need: 'whole' | 'any';
  /** Whether the node has the wallet loaded, where that is known: else the node is asked. */
  readonly isLoaded?: boolean | undefined;
  /** Told of the call that the node is sent to write a copy. */
  readonly onSent?: ((call: Call) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Does `work` with the file. One that the node has loaded is not read under its feet where it is needed whole: the node
 * copies it with `backupwallet`, and the copy is gone when the work ends. Where the node cannot write such a copy, the
 * file itself is taken, and what is read tells that it was not closed.
 *
 * @throws AppError `not_connected`, `not_available_here` for a wallet that lies on another machine or at an unknown place,
 * `wallet_not_found`, and what `work` throws.
 */
export async function withWalletFile<T>(
  source: WalletSource,
  { session, folders, need, isLoaded: known, onSent, signal }: SourceOptions,
  work: (file: WalletFile) => Promise<T>,
): Promise<T> {
  if (source.by === 'file') {
    const { path } = source;
    const real = await realpath(path).catch(() => path);
    return work({ path, name: suggestedName(real, homedir()), network: undefined });
  }
  const { name } = source;
  const now = session();
  const { network } = now.status;
  const path = await pathOfWallet(now.status, name);
  if (need === 'any' || !(known ?? (await isLoaded(now, name, signal)))) return work({ path, name, network });
  return folders.during(async (folder) => {
    const copy = join(folder, 'wallet.dat');
    const call = backupCall(name, copy);
    onSent?.(call);
    const copied = await copyThroughNode(now, call, copy, signal);
    return work({ path: copied ? copy : path, name, network });
  });
}

async function pathOfWallet({ local, walletsFolder }: NodeStatus, name: string): Promise<string> {
  if (!local || walletsFolder === null) {
    throw new AppError(
      'not_available_here',
      local
        ? say('The node’s wallets folder is not known.')
        : say('The wallet file is on the node’s machine.'),
      say('Nothing was changed. Bring a backup to this computer and choose it.'),
    );
  }
  const path = await walletFilePath(walletsFolder, name);
  if (path !== null) return path;
  throw new AppError(
    'wallet_not_found',
    say('Not in the node’s wallets folder: {wallet}.', { wallet: nameInSentence(name) }),
    say('Nothing was changed. It may have been renamed or moved.'),
  );
}

/** A node that does not answer holds nothing open that could be asked for: the file is then read as it is. */
async function isLoaded({ client }: Session, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await listWallets(client, signal)).includes(name);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Milliseconds. A node that is at work on the wallet for longer does not get to it. */
const LONGEST_COPY = 60_000;

/** Somebody else can change the app's own folder, or did: that is told, whatever can be read all the same. */
const MEDDLING = new Set<AppError['code']>(['not_available_here', 'file_changed']);

/** Whether there is a copy now. A node of another user, or one in a container, cannot write there. */
async function copyThroughNode(
  session: Session,
  call: Call,
  copy: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await backupInto(session, call, copy, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_COPY)]));
    return (await stat(copy)).size > 0;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppError && MEDDLING.has(thrown.code)) throw thrown;
    return false;
  }
}
