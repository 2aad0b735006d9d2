/** How a crossing stands before anything is done. */
import { randomUUID } from 'node:crypto';
import type { Crossing } from '../../../shared/crossing.ts';
import { stepsOf } from '../../node/log/progress.ts';
import type { Session } from '../../node/rpc/session.ts';
import type { Watch } from './watch.ts';

/** `started` in Unix seconds. */
export function firstSnapshot(
  kind: Crossing['kind'],
  wallet: string,
  { client, status }: Session,
  watch: Watch,
  started: number,
): Crossing {
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
    line: 'ok',
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
  };
}
