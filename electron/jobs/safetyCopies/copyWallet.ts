/** Copies a node's wallet into a folder of the app; for the unnamed wallet, the other wallets in the folder too. */
import { chmod, rm, stat } from 'node:fs/promises';
import { AppError } from '../../../shared/model/errors.ts';
import type { SafetyCopy } from '../../../shared/model/safety.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { unchanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { send } from '../../bitcoind/calls/call.ts';
import { backupInto, listWallets, loadWallet, unloadWallet } from '../../bitcoind/calls/walletCalls.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { copySafely, OWNER_ONLY } from '../../files/copySafely.ts';
import { flushFile } from '../../files/durableFile.ts';
import { fileError } from '../../files/fileError.ts';
import { hashFile } from '../../files/hash.ts';
import { inspectFile } from '../../files/inspect.ts';
import { fileChanged } from '../../files/openFile.ts';
import { journalsBeside } from '../../files/walletJournals.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import type { WrittenFile } from '../../workers/wholeCopy.ts';
import type { CopyPlan, PlannedCopy } from './copyPlan.ts';

type CopiedFile = SafetyCopy['files'][number];

export type CopiedFiles = Pick<SafetyCopy, 'how' | 'note' | 'files'>;

interface CopyOptions {
  signal: AbortSignal;
  work: WalletWork;
  /** Called before the wallet is unloaded, which happens only if the node refuses to write the copy. */
  onUnload: () => void;
}

/** Its own file first. Throws `stopped_by_check` and what `copySafely` and the node throw. An unloaded wallet stays unloaded. */
export async function copyWallet(
  session: Session,
  { file, copies: [own, ...beside], calls, notFound }: CopyPlan,
  options: CopyOptions,
): Promise<CopiedFiles> {
  const { signal, onUnload } = options;
  if (own === undefined) throw new Error('no copy was planned');
  const { name, from, place } = own;
  if (file === null) return copyOnNode(session, own, calls, signal);
  const ownCopy = await copyOne(session, own, options, async () => {
    await rm(place, { force: true });
    onUnload();
    await unloadWallet(session.client, name, signal);
    return copyFile(name, file, place, options);
  });
  const files = [ownCopy];
  for (const one of beside) {
    const copied = await copyOne(session, one, options, (refusal) => {
      // It stays loaded: only the wallet that is migrated may be unloaded without being asked.
      throw new AppError(
        'stopped_by_check',
        say('The node could not copy “{name}”.', { name: one.name }),
        unchanged(say('Unload it, then try again.')),
        refusal.node,
      );
    });
    files.push(copied);
  }
  const how = ownCopy.source === null ? 'backupwallet' : 'copied';
  const notes = [
    how === 'copied' && typeof from !== 'string'
      ? say('The node could not write it: the app copied the unloaded file.')
      : null,
    notFound.length > 0
      ? say('Not copied: {names}.', { names: notFound.map((each) => `“${each}”`).join(', ') })
      : null,
  ].filter((note) => note !== null);
  return { how, note: notes.length > 0 ? notes.join(' ') : null, files };
}

/** `ifRefused` runs if the node answers that it cannot write the copy. */
async function copyOne(
  session: Session,
  { name, from, place }: PlannedCopy,
  options: Pick<CopyOptions, 'signal' | 'work'>,
  ifRefused: (refusal: AppError) => Promise<CopiedFile>,
): Promise<CopiedFile> {
  const { signal } = options;
  if (typeof from === 'string') return copyFile(name, from, place, options);
  try {
    await backupInto(session, from, place, signal);
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof AppError) || thrown.node === undefined) throw thrown;
    return ifRefused(thrown);
  }
  return verifyNodeCopy(name, place, signal);
}

/** The node writes the copy on its machine, in the folder of its log. */
async function copyOnNode(
  { client }: Session,
  { name, place }: PlannedCopy,
  calls: CopyPlan['calls'],
  signal: AbortSignal,
): Promise<CopiedFiles> {
  for (const call of calls) await send(client, call, { timeoutMs: null, signal });
  return {
    how: 'backupwallet',
    note: say('On the node’s machine, not seen by the app.'),
    files: [{ path: place, source: null, size: null, sha256: null, wallet: name }],
  };
}

/**
 * Copies one file and checks that the copy equals it. Joins a file and its journal into one file, because the file alone may
 * lack keys. Throws AppError: what `copySafely` and `readWallet` throw.
 */
export async function copyFile(
  wallet: string,
  source: string,
  place: string,
  { signal, work }: Pick<CopyOptions, 'signal' | 'work'>,
): Promise<CopiedFile> {
  const saved = journalsBeside(source)
    ? await work({ kind: 'saveRecovered', task: { path: source, destination: place } }, signal)
    : null;
  const copied = await savedOrCopied(saved, source, place, signal);
  return { path: place, source, ...copied, ...(saved === null ? {} : { withJournal: true }), wallet };
}

/**
 * Copies the file. If a worker has already `saved` it at `place`, together with its journal or log, checks that copy
 * instead. Size in bytes, SHA-256 in lower-case hex. Throws what `copySafely` throws, and AppError `file_changed`.
 */
export async function savedOrCopied(
  saved: WrittenFile | null,
  source: string,
  place: string,
  signal: AbortSignal,
): Promise<WrittenFile> {
  if (saved === null) return copySafely(source, place, signal);
  if ((await hashFile(place, signal)) !== saved.sha256) throw fileChanged();
  return saved;
}

/** Checks that the node's copy is complete, flushes it and makes it private. It equals no file, because the node keeps writing. */
async function verifyNodeCopy(wallet: string, path: string, signal: AbortSignal): Promise<CopiedFile> {
  const { kind, truncated } = await inspectFile(path);
  if (kind === 'other' || truncated) {
    throw new AppError(
      'not_a_wallet',
      say('The node’s copy is not a whole wallet.'),
      unchanged(say('The disk may be full.')),
    );
  }
  try {
    await flushFile(path);
    const sha256 = await hashFile(path, signal);
    await chmod(path, OWNER_ONLY);
    return { path, source: null, size: (await stat(path)).size, sha256, wallet };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw fileError(thrown, path);
  }
}

/** Loads the wallet again. Returns `cause`, or an error that says that the wallet stayed unloaded. Never throws. */
export async function loadAgain({ client }: Session, name: string, cause: unknown): Promise<unknown> {
  try {
    if (!(await listWallets(client)).includes(name)) await loadWallet(client, name);
    return cause;
  } catch (thrown) {
    const { code, message } = errorShapeOf(cause);
    return new AppError(
      code,
      message,
      say('Nothing was migrated. The wallet was unloaded for the copy: load it, or migrate it.'),
      errorShapeOf(thrown).node,
    );
  }
}
