/** For tests: a migration that has just started, with the test's changes. */
import type { Job } from '../model/job.ts';
import { sampleNodeStatus } from './sampleNodeStatus.ts';

export function sampleJob(change: Partial<Job> = {}): Job {
  const { label, address, network, release } = sampleNodeStatus();
  return {
    id: 'one',
    kind: 'migrate',
    wallet: 'w',
    node: { label, address, network, release: release.text },
    state: 'running',
    connection: 'ok',
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
    logLength: 0,
    ...change,
  };
}
