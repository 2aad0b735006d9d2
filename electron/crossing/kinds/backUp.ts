/** Makes a new backup with `backupwallet`, never over another file, and looks at what was written. */
import type { BackupProof } from '../../../shared/crossing.ts';
import { AppError, errorShapeOf } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { copySafely } from '../../disk/copySafely.ts';
import { hashFile } from '../../disk/hash.ts';
import { inspectFile } from '../../disk/inspect.ts';
import { listWallets } from '../../node/calls/walletCalls.ts';
import type { NodeClient } from '../../node/rpc/session.ts';
import type { BackupFacts } from '../plan/checkFacts.ts';
import type { MemoryOf } from '../plan/memory.ts';
import { type Continuation, type Course, cannotTell, type Ending, type Means } from './course.ts';

/** Makes the backup as it was planned: by the node, or by a copy of the file of a wallet that the node does not load. */
export function backUp(facts: BackupFacts, { calls }: Means): Course<void> {
  const { name, destination, place, status, loaded, isLegacy, file } = facts;
  const written = place ?? destination;
  const unloads = !isLegacy && !loaded.includes(name) ? { unloads: true as const } : {};
  const memory: MemoryOf<'backup'> = { kind: 'backup', name, destination: written, ...unloads };
  return {
    ...continueBackup(memory),
    async prepare({ signal }) {
      if (isLegacy && file !== null) await copySafely(file, written, signal);
    },
    calls: () => calls,
    parse: () => undefined,
    conclude: async ({ client }, _, signal) =>
      withLoading(client, memory, await verified(name, written, status.local, signal)),
  };
}

/** Says that the wallet is loaded still, where it was loaded for the backup alone. */
async function withLoading(
  client: NodeClient,
  { name, unloads }: MemoryOf<'backup'>,
  ending: Ending,
): Promise<Ending> {
  if (!unloads || ending.state !== 'done' || ending.result.kind !== 'backup') return ending;
  const loaded = await listWallets(client).catch((): string[] => []);
  return loaded.includes(name) ? { ...ending, result: { ...ending.result, leftLoaded: true } } : ending;
}

/** A backup whose answer is not known. */
export function continueBackup(memory: MemoryOf<'backup'>): Continuation {
  const { name, destination } = memory;
  return {
    memory,
    method: 'backupwallet',
    async decide({ client, status: { local } }, { stillRunning, signal }) {
      if (stillRunning) return null;
      if (local) return withLoading(client, memory, await verified(name, destination, local, signal));
      return cannotTell(
        say('The app cannot tell whether the backup was made.'),
        say(
          'The wallet is as it was. Look for {destination} on the node’s machine, or back up under another name.',
          { destination },
        ),
      );
    },
  };
}

/** Looks at the file that the node says it wrote. */
async function verified(name: string, path: string, local: boolean, signal: AbortSignal): Promise<Ending> {
  const done = (proof: BackupProof): Ending => ({
    state: 'done',
    result: { kind: 'backup', walletName: name, proof },
    warnings: [],
  });
  if (!local) return done({ seen: false, path });
  try {
    const { size, kind, description, truncated } = await inspectFile(path);
    if (kind === 'other' || truncated) {
      const reason = truncated ? say('it is cut short') : description;
      throw new AppError(
        'not_a_wallet',
        say('Not a whole wallet ({reason}): {path}', { path, reason }),
        say('The wallet is as it was. Check that the disk is not full, and back up elsewhere.'),
      );
    }
    return done({ seen: true, path, size, sha256: await hashFile(path, signal) });
  } catch (thrown) {
    const error = errorShapeOf(thrown);
    // The node may run as a user whose files are closed to this one: then it is there, but cannot be looked into.
    if (error.code === 'file_unreadable') return done({ seen: false, path });
    if (error.code !== 'file_missing') return { state: 'failed', error };
    const message = say('There is no backup at {path}.', { path });
    const hint = say('The wallet is as it was. The node may see other folders than the app. Choose another.');
    return { state: 'failed', error: { ...error, message, hint } };
  }
}
