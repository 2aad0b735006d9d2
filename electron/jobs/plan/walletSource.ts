/** Finds the file to read: a file on this machine, or the file of a wallet of the node in use. */

import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { WalletSource } from '../../../shared/model/plan.ts';
import { unchanged } from '../../../shared/wording/findings/hints.ts';
import { nameInSentence } from '../../../shared/wording/format/walletLabel.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Call } from '../../bitcoind/calls/call.ts';
import { backupCall, backupInto, listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { realPath } from '../../files/openFile.ts';
import type { TemporaryFolders } from '../../files/temporaryFolders.ts';
import { suggestedName } from '../../walletfile/inspect/suggestedName.ts';

export interface WalletFile {
  readonly path: string;
  /** The wallet's name, or a name suggested by the file's name. */
  readonly name: string;
  readonly network: Network | undefined;
}

export interface SourceOptions {
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
      local ? say('Unknown wallets folder.') : say('It is on the node’s machine.'),
      unchanged(say('Copy a backup to this computer.')),
    );
  }
  const path = await walletFilePath(walletsFolder, name);
  if (path !== null) return path;
  throw new AppError(
    'wallet_not_found',
    say('Not in the node’s wallets folder: {wallet}.', { wallet: nameInSentence(name) }),
    unchanged(say('It may have moved.')),
  );
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
const LONGEST_COPY = 60_000;

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
    await backupInto(session, call, copy, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_COPY)]));
    return (await stat(copy)).size > 0;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppError && MEDDLING.has(thrown.code)) throw thrown;
    return false;
  }
}
