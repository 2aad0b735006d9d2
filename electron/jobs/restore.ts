/** Restores a backup with `restorewallet`, and reports the outcome. */

import { AppError } from '../../shared/model/errors.ts';
import type { JobResult } from '../../shared/model/job.ts';
import { mainPart } from '../../shared/model/money.ts';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { say } from '../../shared/wording/say.ts';
import {
  type LoadResult,
  parseRestoreResult,
  walletBalances,
  walletInfo,
} from '../bitcoind/calls/walletCalls.ts';
import { balanceOnNode } from '../bitcoind/calls/walletShapes.ts';
import type { Session } from '../bitcoind/rpc/session.ts';
import { fileChanged } from '../files/openRegularFile.ts';
import type { Continuation, Course, Ending, Means, Preparation } from './course.ts';
import { paymentsFound } from './paymentsFound.ts';
import { backupAfter, refuseAnother, type SeenBackup } from './placing/seenBackup.ts';
import { contentsOf, copyForNode, type Looked, type Renamed, type RestoreFacts } from './plan/checkFacts.ts';
import { mendedFile } from './plan/checkRescue.ts';
import type { MemoryOf } from './plan/memory.ts';
import { backupAfterwards, unloadsFor } from './plan/setAside.ts';
import type { Prover } from './proof/proof.ts';
import { mendDescriptors } from './rescue.ts';
import { copyChosen, interruptedOf, makeRoom, provedFolder } from './restoreMigrate.ts';

/** Restores the planned backup; for a rescue, the repaired file that is first made from it. */
export function restore(facts: RestoreFacts, means: Means): Course<LoadResult> {
  const { name, looked, mark, undoes, setAside } = facts;
  const mended = mendedFile(facts);
  const copy = copyForNode(facts);
  const backupFile = copy ?? backupAfterwards(facts);
  const seen: SeenBackup | null =
    looked.state === 'seen' && looked.sha256 !== null
      ? { path: backupFile, sha256: looked.sha256, facts: copy === null ? mark : null }
      : null;
  const memory: MemoryOf<'restore'> = {
    ...{ kind: 'restore', name, backupFile },
    ...(seen ? { sha256: seen.sha256 } : {}),
    ...(undoes ? { setAside: [...setAside] } : {}),
    ...interruptedOf(facts),
    ...(mended === null ? {} : { mended: { path: mended, rescue: null } }),
    ...birthOf(looked),
  };
  return {
    ...continueRestore(memory, means.prover),
    // The node opens the file by itself: the app can only look right before and after.
    async prepare(preparation) {
      if (mended !== null) await mendDescriptors(facts, memory, means, preparation);
      else if (copy !== null) await copyToSend(facts, copy, means, preparation);
      else if (seen !== null) await refuseAnother({ ...seen, path: facts.backupFile });
      if (facts.putsBack !== null && setAside.length > 0) {
        await makeRoom(facts, memory, await provedFolder(preparation.session), preparation);
      }
    },
    calls: () => means.calls.slice(unloadsFor(facts).length),
    parse: parseRestoreResult,
    conclude: (session, answer) =>
      concludeRestore(session, { ...memory, name: answer.name }, { warnings: answer.warnings, seen }),
  };
}

/** Copies to the planned path, which the node is sent. Throws AppError `file_changed` if the file or journal changed. */
async function copyToSend(
  facts: RestoreFacts,
  planned: string,
  { copies }: Means,
  preparation: Preparation,
): Promise<void> {
  const { path } = await copyChosen(facts, copies, preparation);
  if (path !== planned) throw fileChanged();
}

/** A restore whose answer is not known. */
export function continueRestore(memory: MemoryOf<'restore'>, prover: Prover): Continuation {
  const { setAside = [] } = memory;
  return {
    memory,
    method: 'restorewallet',
    // It is unknown which call was refused. The first renames may have succeeded.
    explain: (error) =>
      setAside.length === 0
        ? error
        : AppError.fromShape({ ...errorShapeOf(error), hint: undoHint(setAside) }),
    // After a rescue, compares the damaged file with the restored wallet.
    async prove(session, result, signal) {
      const { rescue = null, path: before } = memory.mended ?? {};
      if (rescue === null || before === undefined || result.kind !== 'restore') return null;
      const wallets = { walletName: result.walletName, watchonlyName: null, solvablesName: null };
      return prover(session, { before, balanceBefore: null, rescue, restored: true }, wallets, signal);
    },
  };
}

function birthOf(looked: Looked): { birth?: number } {
  const birth = contentsOf(looked)?.birth;
  return birth?.known === 'exactly' ? { birth: birth.time } : {};
}

function seenBefore({ backupFile: path, sha256 }: MemoryOf<'restore'>): SeenBackup | null {
  return sha256 === undefined ? null : { path, sha256, facts: null };
}

interface Restored {
  readonly warnings: readonly string[];
  readonly seen?: SeenBackup | null;
  /** The kind of its file, where the node has not loaded it. */
  readonly found?: 'legacy' | 'descriptor';
}

export async function concludeRestore(
  session: Session,
  memory: MemoryOf<'restore'>,
  { warnings, seen = seenBefore(memory), found }: Restored,
): Promise<Ending> {
  const { name: walletName, backupFile, setAside, interrupted, mended, birth } = memory;
  // The restore is certain. The wallet's kind and balance are extras that may stay unknown.
  const { client } = session;
  const [info, balances, after, payments] = await Promise.all([
    walletInfo(client, walletName).catch(() => null),
    walletBalances(client, walletName).catch(() => null),
    seen === null ? undefined : backupAfter(seen),
    paymentsFound(session, walletName, birth),
  ]);
  const watchOnly = info?.privateKeys === false;
  const result: JobResult = {
    kind: 'restore',
    walletName,
    walletKind: info === null ? (found ?? 'unknown') : info.descriptors ? 'descriptor' : 'legacy',
    ...(found === undefined ? {} : { leftUnloaded: true as const }),
    balance: balances === null ? null : mainPart(balanceOnNode(balances, watchOnly), watchOnly),
    ...(after === undefined ? {} : { backupAfter: after }),
    backupFile,
    ...(setAside === undefined ? {} : { undone: setAside }),
    ...(interrupted === undefined ? {} : { setAside: interrupted }),
    ...(mended?.rescue ? { rescue: mended.rescue } : {}),
    ...payments,
  };
  return { state: 'done', result, warnings };
}

export function undoHint(setAside: readonly Renamed[]): string {
  const renamed = setAside.map((one) => say('“{name}” may be “{newName}” now.', { ...one }));
  return [say('Nothing is lost.'), ...renamed, say('Try again.')].join(' ');
}
