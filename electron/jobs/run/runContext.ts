/** The context of a running job, and its first snapshot. */
import { randomUUID } from 'node:crypto';
import type { Job } from '../../../shared/model/job.ts';
import type { NodeIdentity } from '../../../shared/model/node.ts';
import { stepsOf } from '../../bitcoind/log/progress.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import type { Tracked, Watch } from './watch.ts';

export interface RunContext {
  tracked: Tracked;
  watch: Watch;
  /** The node as it is reached now. Throws AppError `not_connected` while the app is with none or another one. */
  session: () => Session;
  /** The node as it was when this was begun. What came of it is concluded from no other one's answers. */
  known: NodeIdentity;
  /** Aborted when nobody waits for the job any more. */
  signal: AbortSignal;
  /** How often the node is asked while the line is lost, or while the log cannot be read. */
  askEveryMs: number;
  /** How often the node is asked whether it still works on a call that it has not answered. */
  silenceMs: number;
  /** The wallets folder of a node that no longer runs, on this machine; null while it may. */
  stoppedNodeFolder: (known: NodeIdentity) => Promise<string | null>;
  /** Unix seconds. */
  now: () => number;
  /** Writes what is known to the disk. `sent`: from now on the call may reach the node. Throws AppError. */
  keep: (sent: boolean) => void;
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
