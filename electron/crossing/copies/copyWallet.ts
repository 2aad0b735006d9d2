/** Copies the file of a wallet of a node, and those beside an unnamed one, into a folder of the app. */
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, errorShapeOf } from '../../../shared/errors.ts';
import type { SafetyCopy } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { copySafely } from '../../disk/copySafely.ts';
import { flushFile } from '../../disk/durableFile.ts';
import { fileError } from '../../disk/fileError.ts';
import { hashFile } from '../../disk/hash.ts';
import { inspectFile } from '../../disk/inspect.ts';
import { backupInto } from '../../node/calls/backupInto.ts';
import { type Call, send } from '../../node/calls/call.ts';
import { listWallets, loadWallet, unloadWallet } from '../../node/calls/walletCalls.ts';
import type { Session } from '../../node/rpc/session.ts';
import type { CopyPlan } from './copyPlan.ts';

type CopiedFile = SafetyCopy['files'][number];

export type MadeFiles = Pick<SafetyCopy, 'how' | 'note' | 'files'>;

interface Making {
  signal: AbortSignal;
  /** Told before the wallet is unloaded, which is done only where the node refuses to write the copy itself. */
  onUnload: () => void;
}

/** Its own file first. Throws `stopped_by_check` and what `copySafely` and the node throw; what was unloaded stays so. */
export async function copyWallet(
  session: Session,
  name: string,
  plan: CopyPlan,
  making: Making,
): Promise<MadeFiles> {
  const own = await copyOne(session, name, plan, making);
  const beside: CopiedFile[] = [];
  for (const { name: other, file, place, call } of plan.beside) {
    if (call !== null) beside.push(await copyLoadedNeighbour(session, other, { place, call }, making.signal));
    else if (file !== null) beside.push(await copyFile(other, file, place, making.signal));
  }
  const notes = [own.note, lackOf(plan.lacking)].filter((note) => note !== null);
  return { ...own, note: notes.length > 0 ? notes.join(' ') : null, files: [...own.files, ...beside] };
}

async function copyOne(
  session: Session,
  name: string,
  { file, folder, written, calls }: CopyPlan,
  { signal, onUnload }: Making,
): Promise<MadeFiles> {
  const backup = calls.find(({ method, wallet }) => method === 'backupwallet' && wallet === name);
  if (written === null || backup === undefined) {
    if (file === null || folder === null) throw new Error('no copy was planned');
    return { how: 'copied', note: null, files: [await copyFile(name, file, join(folder, OWN_FILE), signal)] };
  }
  if (file === null) return writtenThere(session, name, { calls, written }, signal);
  try {
    await backupInto(session, backup, written, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError) || thrown.node === undefined) throw thrown;
    await rm(written, { force: true });
    onUnload();
    await unloadWallet(session.client, name, signal);
    return {
      how: 'copied',
      note: say('The node could not write the copy: the wallet was unloaded and its closed file copied.'),
      files: [await copyFile(name, file, written, signal)],
    };
  }
  return { how: 'backupwallet', note: null, files: [await seen(name, written, signal)] };
}

const OWN_FILE = 'wallet.dat';

/** On the node's machine, in the folder of its log. */
async function writtenThere(
  { client }: Session,
  name: string,
  { calls, written }: { calls: CopyPlan['calls']; written: string },
  signal: AbortSignal,
): Promise<MadeFiles> {
  for (const call of calls) await send(client, call, { timeoutMs: null, signal });
  return {
    how: 'backupwallet',
    note: say('The copy is on the node’s machine, where the app cannot look.'),
    files: [{ path: written, source: null, size: null, sha256: null, wallet: name }],
  };
}

/** It stays loaded: only the wallet that is migrated may be unloaded without being asked. */
async function copyLoadedNeighbour(
  session: Session,
  name: string,
  { place, call }: { place: string; call: Call },
  signal: AbortSignal,
): Promise<CopiedFile> {
  try {
    await backupInto(session, call, place, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError) || thrown.node === undefined) throw thrown;
    throw new AppError(
      'stopped_by_check',
      say('The node could not copy the wallet “{name}”.', { name }),
      say('Nothing was changed. Unload that wallet and try again.'),
      thrown.node,
    );
  }
  return seen(name, place, signal);
}

function lackOf(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return say('Not found, and not copied: {names}.', {
    names: names.map((name) => `“${name}”`).join(', '),
  });
}

/** Equal to its source before and after, and read-only. Throws AppError: what `copySafely` throws. */
export async function copyFile(
  wallet: string,
  source: string,
  place: string,
  signal: AbortSignal,
): Promise<CopiedFile> {
  return { path: place, source, ...(await copySafely(source, place, { mode: READ_ONLY, signal })), wallet };
}

/** What the node wrote, whole, flushed and read-only. Equal to no file: the node writes on into its own. */
async function seen(wallet: string, path: string, signal: AbortSignal): Promise<CopiedFile> {
  const { kind, truncated } = await inspectFile(path);
  if (kind === 'other' || truncated) {
    throw new AppError(
      'not_a_wallet',
      say('The copy that the node wrote is not a whole wallet.'),
      say('Nothing was changed. Check that the disk is not full, then try again.'),
    );
  }
  try {
    await flushFile(path);
    const sha256 = await hashFile(path, signal);
    await chmod(path, READ_ONLY);
    return { path, source: null, size: (await stat(path)).size, sha256, wallet };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw fileError(thrown, path);
  }
}

const READ_ONLY = 0o400;

/** The error to tell: `cause` where the wallet is loaded as before, else one that says that it is not. Never throws. */
export async function loadAgain({ client }: Session, name: string, cause: unknown): Promise<unknown> {
  try {
    if (!(await listWallets(client)).includes(name)) await loadWallet(client, name);
    return cause;
  } catch (thrown) {
    const { code, message } = errorShapeOf(cause);
    return new AppError(
      code,
      message,
      say(
        'Nothing was migrated. But the wallet was unloaded for the copy: load it in the list of wallets, or migrate it as it is.',
      ),
      errorShapeOf(thrown).node,
    );
  }
}
