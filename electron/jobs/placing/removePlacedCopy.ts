/** Takes back what a failed job changed before its call: removes the placed copy, or says why it is still there. */
import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Job } from '../../../shared/model/job.ts';
import type { LeftCopy } from '../../../shared/model/safety.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { listWallets, loadWallet } from '../../bitcoind/calls/walletCalls.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { orNullAfter } from '../../files/concurrency.ts';
import { isGone, removeQuietly } from '../../files/durableFile.ts';
import { hashFile } from '../../files/hash.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { EARLIER_EXCLUDED_FILE, EXCLUDED_FILE, REPAIRED_FILE } from '../../workers/repairRequest.ts';
import type { Checkpoint } from '../plan/checkpoint.ts';
import { moveBack } from './moveWallets.ts';
import { isUnchanged, removePlacedWallet } from './placedWallet.ts';

/** `not-sent`: the call did not reach the node. `refused`: the node answered and did nothing. */
export type CallOutcome = 'not-sent' | 'refused' | 'unknown';

/**
 * Removes the placed copy, clears it in the checkpoint, moves the other wallets back and loads those again that the app unloaded. Null
 * once nothing is left. If the node refused the call, asks it first whether it has the copy loaded. Removes nothing while the outcome
 * is unknown. Never throws.
 */
export async function removePlacedCopy(
  checkpoint: Checkpoint,
  session: Session | null,
  call: CallOutcome,
): Promise<LeftCopy | null> {
  const left = await removeCopy(checkpoint, session, call);
  if (left !== null || call === 'unknown') return left;
  return (await moveBack(checkpoint, session)) ?? loadAgain(checkpoint, session);
}

/** Null once all of them are loaded. */
async function loadAgain(checkpoint: Checkpoint, session: Session | null): Promise<LeftCopy | null> {
  const [name, ...others] = checkpoint.unloaded ?? [];
  if (name === undefined) return null;
  const left = { path: name, why: 'not-loaded-again' } as const;
  if (session === null) return left;
  const { client } = session;
  const load = async () => (await listWallets(client)).includes(name) || loadWallet(client, name);
  const slow = slowLoads.get(checkpoint);
  const loading = slow?.name === name ? slow.loading : load();
  slowLoads.set(checkpoint, { name, loading });
  try {
    if ((await orNullAfter(loading, LOAD_TIMEOUT_MS)) === null) return left;
    slowLoads.delete(checkpoint);
  } catch (thrown) {
    slowLoads.delete(checkpoint);
    return { ...left, text: errorShapeOf(thrown).node?.message };
  }
  checkpoint.unloaded = others.length > 0 ? others : undefined;
  return loadAgain(checkpoint, session);
}

const slowLoads = new WeakMap<Checkpoint, { name: string; loading: Promise<unknown> }>();

/** The load that `removePlacedCopy` did not wait for to its end, if there is one. */
export function slowLoadOf(checkpoint: Checkpoint): Promise<unknown> | undefined {
  return slowLoads.get(checkpoint)?.loading;
}

/** Plans wait for this. */
const LOAD_TIMEOUT_MS = 10_000;

async function removeCopy(
  checkpoint: Checkpoint,
  session: Session | null,
  call: CallOutcome,
): Promise<LeftCopy | null> {
  if (!('placed' in checkpoint) || checkpoint.placed === null) return null;
  const { placed, name } = checkpoint;
  if (call === 'unknown')
    return (await isUnchanged(placed)) ? { path: placed.file, why: 'may-be-used' } : null;
  if (call === 'refused' && (await isUnchanged(placed))) {
    const why = await whyNotRemoved(session, name);
    if (why !== null) return { path: placed.file, why };
  }
  const why = await removePlacedWallet(placed);
  // A node whose migration fails restores the wallet from its legacy backup (`RestoreWallet` in `wallet.cpp`).
  const isRestored = why === 'replaced' && (await hashFile(placed.file).catch(() => null)) === placed.sha256;
  if (isRestored) return { path: placed.file, why: 'from-node' };
  if (why !== null) return { path: placed.file, why };
  checkpoint.placed = null;
  return null;
}

/** The copy that may still be there, for a caller that cannot wait for its removal. */
export function remainingCopy(checkpoint: Checkpoint, call: CallOutcome): LeftCopy | null {
  if (!('placed' in checkpoint) || checkpoint.placed === null) return null;
  return { path: checkpoint.placed.file, why: call === 'unknown' ? 'may-be-used' : 'slow' };
}

/**
 * Removes the files that a job leaves behind when it ends: an unfinished backup, and the repaired file of a rescue, which the same
 * rescue can make again. Keeps the repaired file of an `interrupted` or `unknown` job, because it may be the only whole copy, and
 * the list of excluded records of a `done` job, because the result names it. Never throws.
 */
export function removeJobFiles(checkpoint: Checkpoint, state: Job['state']): void {
  if (checkpoint.kind === 'backup' && checkpoint.part !== undefined) {
    const { part, newBackup } = checkpoint;
    // A crash on a disk without hard links leaves the new name empty: see `moveFile`.
    const stats = isGone(part) ? null : orNull(() => lstatSync(newBackup));
    if (stats?.isFile() && stats.size === 0) removeQuietly(newBackup);
    removeQuietly(part);
  }
  if (state === 'interrupted' || state === 'unknown') return;
  const repaired = repairedFile(checkpoint);
  if (repaired === null) return;
  removeQuietly(repaired);
  if (state === 'done') return;
  for (const name of [EXCLUDED_FILE, EARLIER_EXCLUDED_FILE]) removeQuietly(join(dirname(repaired), name));
}

/** The file that a rescue repairs next to its safety copy, whether it is there or not; null for other jobs. */
function repairedFile(checkpoint: Checkpoint): string | null {
  const path =
    checkpoint.kind === 'restore'
      ? checkpoint.repaired?.path
      : checkpoint.kind === 'rescue'
        ? checkpoint.fileForProof
        : null;
  return path && basename(path) === REPAIRED_FILE ? path : null;
}

async function whyNotRemoved(session: Session | null, name: string): Promise<'not-asked' | 'in-use' | null> {
  if (session === null) return 'not-asked';
  try {
    return (await listWallets(session.client)).includes(name) ? 'in-use' : null;
  } catch {
    return 'not-asked';
  }
}
