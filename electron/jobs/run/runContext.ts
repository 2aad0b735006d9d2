/** The context of a running job, and its first snapshot. */
import { randomUUID } from 'node:crypto';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { stepsOf } from '../../bitcoind/log/progress.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import type { JobTracker, Watch } from './watch.ts';

export interface RunContext {
  tracker: JobTracker;
  watch: Watch;
  /** The current session of the job's node. Throws AppError `not_connected` if the app is connected to none or another one. */
  session: () => Session;
  /** The node on which the job started. Answers of other nodes are ignored. */
  node: NodeIdentity;
  /** Aborted when nobody waits for the job any more. */
  signal: AbortSignal;
  /** Milliseconds between questions to the node while the connection is lost or the log cannot be read. */
  askEveryMs: number;
  /** Milliseconds between questions whether the node still works on an unanswered call. */
  silenceMs: number;
  /** The wallets folder of a node that no longer runs, on this machine; null while it may. */
  stoppedNodeFolder: (known: NodeIdentity) => Promise<string | null>;
  /** Unix seconds. */
  now: () => number;
  /** Writes the journal entry. `sent`: whether the call may reach the node from now on. Throws AppError `journal_unwritable`. */
  writeEntry: (sent: boolean) => void;
}

/** `started` in Unix seconds. */
export function firstSnapshot(
  kind: Job['kind'],
  wallet: string,
  { client, status }: Session,
  watch: Watch,
  started: number,
): Job {
  return {
    id: randomUUID(),
    kind,
    wallet,
    node: {
      label: status.label,
      address: { ...client.address },
      network: status.network,
      release: status.release.text,
      offline: status.offline,
    },
    state: 'running',
    connection: 'ok',
    steps: stepsOf(watch.state()),
    measured: watch.readable ? 'log' : 'time',
    progress: null,
    started,
    ended: null,
    warnings: [],
    result: null,
    error: null,
    safetyCopy: null,
    proof: null,
    resumed: false,
    log: [],
    logLength: 0,
  };
}
