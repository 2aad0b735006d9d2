/** For tests: a migration that has just begun on a node in good order, but for what the test says. */
import type { Operation } from '../operation.ts';
import { madeNodeStatus } from './madeNodeStatus.ts';

export function madeOperation(change: Partial<Operation> = {}): Operation {
  const { label, address, network, release } = madeNodeStatus();
  return {
    id: 'one',
    kind: 'migrate',
    wallet: 'w',
    node: { label, address, network, release: release.text },
    state: 'running',
    line: 'ok',
    steps: [],
    measured: 'log',
    progress: null,
    started: 1,
    ended: null,
    warnings: [],
    result: null,
    error: null,
    safetyCopy: null,
    proof: null,
    resumed: false,
    log: [],
    ...change,
  };
}
