/** Removes the copy that was placed for a migration that failed, or says why it is still there. */
import { basename, dirname, join } from 'node:path';
import type { Job, LeftCopy } from '../../../shared/model/job.ts';
import { say } from '../../../shared/wording/say.ts';
import { listWallets } from '../../bitcoind/calls/walletCalls.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { removeQuietly } from '../../files/durableFile.ts';
import { hashFile } from '../../files/hash.ts';
import { EXCLUDED_FILE, REPAIRED_FILE } from '../../workers/repairRequest.ts';
import type { Checkpoint, PlacedWallet } from '../plan/checkpoint.ts';
import { moveBack } from './moveWallets.ts';
import { isAsPlaced, takeBackWallet, type WhyLeft } from './placedWallet.ts';

/** `never`: the call did not reach the node. `refused`: the node answered and did nothing. `open`: unknown. */
export type CallFate = 'never' | 'refused' | 'open';

/**
 * Uses the file system alone if the call never reached the node, which may be gone. If the node refused, asks it first whether
 * the wallet is loaded. Removes nothing while the outcome is open. Once no copy is left, clears it in the checkpoint, moves the
 * other wallets back and returns null. Never throws.
 */
export async function takeBackPlaced(
  checkpoint: Checkpoint,
  session: Session | null,
  call: CallFate,
): Promise<LeftCopy | null> {
  const left = await takeBackCopy(checkpoint, session, call);
  if (left === null && call !== 'open') await moveBack(checkpoint);
  return left;
}

async function takeBackCopy(
  checkpoint: Checkpoint,
  session: Session | null,
  call: CallFate,
): Promise<LeftCopy | null> {
  if (!('placed' in checkpoint) || checkpoint.placed === null) return null;
  const { placed, name } = checkpoint;
  if (call === 'open') return (await isAsPlaced(placed)) ? left(placed.file, 'open') : null;
  if (call === 'refused' && (await isAsPlaced(placed))) {
    const why = await whyNotTouched(session, name);
    if (why !== null) return left(placed.file, why);
  }
  const why = await takeBackWallet(placed);
  if (why === 'replaced' && (await isSameContent(placed))) return left(placed.file, 'from-node');
  if (why !== null) return left(placed.file, why);
  checkpoint.placed = null;
  return null;
}

/** The copy that may still be there, for a caller that cannot wait for its removal. */
export function remainingCopy(checkpoint: Checkpoint, call: CallFate): LeftCopy | null {
  if (!('placed' in checkpoint) || checkpoint.placed === null) return null;
  return left(checkpoint.placed.file, call === 'open' ? 'open' : 'slow');
}

/**
 * Removes what a job no longer needs after its end: of a rescue, the files next to its safety copy, also unfinished ones. The same
 * rescue can make the repaired file again. The list of excluded records stays if a result names it. Of a backup, an unfinished one. `interrupted` and `unknown`: keeps the repaired file, which may be the only whole copy.
 * Never throws.
 */
export function removeLeftovers(checkpoint: Checkpoint, state: Job['state']): void {
  if (checkpoint.kind === 'backup' && checkpoint.part !== undefined) removeQuietly(checkpoint.part);
  if (state === 'interrupted' || state === 'unknown') return;
  const repaired = repairedFile(checkpoint);
  if (repaired === null) return;
  removeQuietly(repaired);
  if (state !== 'done') removeQuietly(join(dirname(repaired), EXCLUDED_FILE));
}

/** The file that a rescue repairs next to its safety copy, whether it is there or not; null for other jobs. */
export function repairedFile(checkpoint: Checkpoint): string | null {
  const path =
    checkpoint.kind === 'restore'
      ? checkpoint.repaired?.path
      : checkpoint.kind === 'rescue'
        ? checkpoint.fileForProof
        : null;
  return path && basename(path) === REPAIRED_FILE ? path : null;
}

/** A node whose migration fails restores the wallet from its legacy backup (`RestoreWallet` in `wallet.cpp`). */
async function isSameContent({ file, sha256 }: PlacedWallet): Promise<boolean> {
  return (await hashFile(file).catch(() => null)) === sha256;
}

type WhyStill = WhyLeft | 'from-node' | 'open' | 'slow' | 'not-asked';

async function whyNotTouched(session: Session | null, name: string): Promise<'not-asked' | 'in-use' | null> {
  if (session === null) return 'not-asked';
  try {
    return (await listWallets(session.client)).includes(name) ? 'in-use' : null;
  } catch {
    return 'not-asked';
  }
}

function left(path: string, why: WhyStill): LeftCopy {
  return { path, text: WORDS[why] };
}

const CHECK_IT = say('Check it, then remove the folder.');

const WORDS: Readonly<Record<WhyStill, string>> = {
  open: say('If the node does not use it, remove the folder.'),
  slow: say('The disk is slow. The app will still remove it.'),
  'not-asked': say('The app removes it when connected again.'),
  'in-use': say('Unload it; the app removes it later.'),
  'not-removable': say('Make the wallets folder writable; the app tries again later.'),
  'out-of-reach': say('Connect the wallets folder’s disk.'),
  replaced: say('Something else is there now. Find the copy.'),
  'from-node': say('The node restored it here. Migrate it from the wallet list.'),
  changed: `${say('It has changed.')} ${CHECK_IT}`,
  unmarked: `${say('An earlier version placed it.')} ${CHECK_IT}`,
};
