/** Searches the node's blocks for a wallet's payments with `rescanblockchain`, and reports what it found. */
import { AppError } from '../../shared/model/errors.ts';
import type { JobResult } from '../../shared/model/job.ts';
import { mainAmount } from '../../shared/model/money.ts';
import { asSentence } from '../../shared/wording/findings/hints.ts';
import { say } from '../../shared/wording/say.ts';
import { blockHashAt, tryClosing } from '../bitcoind/calls/call.ts';
import { lockCall, parseRescanResult } from '../bitcoind/calls/walletCalls.ts';
import { balanceOnNode, syncingOf, walletBalances, walletInfo } from '../bitcoind/calls/walletInfo.ts';
import type { NodeClient, Session } from '../bitcoind/rpc/session.ts';
import type { Evidence, JobDeps, JobKind, LogEvidence, Outcome, ResumedJob } from './jobKind.ts';
import { connectionLostOutcome, STILL_UNLOCKED } from './outcomes.ts';
import type { RescanFacts } from './plan/checkFacts.ts';
import type { CheckpointOf } from './plan/checkpoint.ts';
import { walletInfoIfLoaded } from './plan/gatherFacts.ts';

type Range = ReturnType<typeof parseRescanResult>;
type Holdings = Extract<JobResult, { kind: 'rescan' }>['after'];

/** The job of the planned rescan. */
export function createRescanJob(
  { name, from, status, loadState, heldInFile }: RescanFacts,
  { gavePassphrase }: Pick<JobDeps, 'gavePassphrase'>,
): JobKind<Range> {
  const range = { from, to: Math.max(from, status.blocks) };
  const checkpoint: CheckpointOf<'rescan'> = {
    kind: 'rescan',
    name,
    range,
    holdingsBefore: null,
    ...(gavePassphrase && { unlocked: true }),
  };
  return {
    ...createResumedRescan(checkpoint),
    async prepare({ session }) {
      const start = await blockHashAt(session.client, from);
      if (start !== null) checkpoint.start = start;
      checkpoint.holdingsBefore = loadState === 'loaded' ? await holdings(session.client, name) : heldInFile;
    },
    parse: parseRescanResult,
    conclude: (session, answer) => concludeRescan(session, checkpoint, answer),
  };
}

/** A rescan whose answer may be lost. The wallet stays whole, and a rescan can start again. */
export function createResumedRescan(checkpoint: CheckpointOf<'rescan'>): ResumedJob {
  return {
    checkpoint,
    method: 'rescanblockchain',
    explain(error, { log }) {
      const stopped = checkpoint.cancelled === true || log.rescan?.end === 'aborted';
      if (!stopped) return error;
      return new AppError('cancelled', say('Rescan stopped.'), STOPPED, error.node);
    },
    resolve: (evidence) => resolveRescan(checkpoint, evidence),
  };
}

/**
 * The outcome of a rescan whose answer was lost. The log shows whether it finished; if the node stopped, it did not. Null while the
 * node still scans. Of a node whose log the app cannot read, nothing shows whether it finished.
 */
async function resolveRescan(
  checkpoint: CheckpointOf<'rescan'>,
  { session, stillRunning, log, logWasRead, sameRun }: Evidence,
): Promise<Outcome | null> {
  const { name, range, cancelled } = checkpoint;
  if (session === null) {
    if (isComplete(log, checkpoint)) return concludeRescan(null, checkpoint, range);
    return logWasRead ? connectionLostOutcome(NOT_FINISHED, STOPPED) : null;
  }
  const { client } = session;
  const info = await walletInfoIfLoaded(client, name);
  // A call that waits in the node's queue does not scan yet, and needs the unlocked wallet.
  const waits = stillRunning && (info === null || !isComplete(log, checkpoint));
  if (waits || (info !== null && info.scanning !== null)) return null;
  // The lost answer would have been followed by this call. The node may have been restarted, and the wallet locked or unloaded.
  const isLocked = checkpoint.unlocked ? await tryClosing(client, lockCall(name)) : true;
  if (isLocked === null) return null;
  const hint = isLocked ? STOPPED : `${STOPPED} ${STILL_UNLOCKED}`;
  const isUncertain = !isComplete(log, checkpoint);
  if (isUncertain && logWasRead === null) return null;
  if (isUncertain && (logWasRead || cancelled)) return connectionLostOutcome(NOT_FINISHED, hint);
  // Without its log, a node only shows that a rescan has begun and ended.
  const hasEnded = sameRun === true && info !== null && log.phase === 'rescanning';
  if (isUncertain && !hasEnded) return connectionLostOutcome(say('The connection was lost.'), hint);
  const warnings = [...(isUncertain ? [ANSWER_LOST] : []), ...(isLocked ? [] : [STILL_UNLOCKED])];
  return { ...(await concludeRescan(session, checkpoint, range)), warnings };
}

const ANSWER_LOST = say('The answer was lost. The rescan may be incomplete.');

const NOT_FINISHED = asSentence(say('Rescan not finished'));
const STOPPED = `${say('Nothing is lost.')} ${say('Rescan at any time.')}`;

/** The log gives a range only for the rescan of a wallet that is being loaded. Another program's rescan began at another block. */
function isComplete({ rescan }: LogEvidence['log'], { start }: CheckpointOf<'rescan'>): boolean {
  if (rescan === null || rescan.end !== 'completed' || rescan.from !== null) return false;
  return rescan.start === null || start === undefined || rescan.start === start;
}

async function concludeRescan(
  session: Session | null,
  checkpoint: CheckpointOf<'rescan'>,
  { from, to }: Range,
): Promise<Extract<Outcome, { state: 'done' }>> {
  const { name: walletName, holdingsBefore: before } = checkpoint;
  const after = session && (await holdings(session.client, walletName));
  const result = {
    kind: 'rescan',
    walletName,
    from,
    to,
    before,
    after,
    ...syncingOf(session?.status ?? null),
  } as const;
  return { state: 'done', result, warnings: [] };
}

/** Null if the node does not answer. */
async function holdings(client: NodeClient, name: string): Promise<Holdings> {
  try {
    const [info, balances] = await Promise.all([walletInfo(client, name), walletBalances(client, name)]);
    const watchOnly = !info.privateKeys;
    const balance = mainAmount(balanceOnNode(balances, watchOnly), watchOnly);
    return { balance, transactions: info.txcount };
  } catch {
    return null;
  }
}
