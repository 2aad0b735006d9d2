/** For tests: a migration that has just started, with the test's changes. */
import type { Job } from '../model/job.ts';
import type { Proof } from '../model/safety.ts';
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

/** The proof of a finished migration as far as the words need it: `different` has a difference. */
export function sampleProof(verdict: Proof['verdict']): Proof {
  const differences =
    verdict === 'different' ? [{ title: 'Missing: 1 address', meaning: 'Keep all backups.' }] : [];
  return {
    verdict,
    differences,
    scripts: null,
    labels: null,
    transactions: null,
    wallets: [],
    unknown: [],
    balance: { file: null, fileTime: null, before: null, after: null },
  };
}

/** A main wallet as a proof read it. */
export function sampleProvedWallet(change: Partial<Proof['wallets'][number]> = {}): Proof['wallets'][number] {
  return { part: 'primary', name: 'w', descriptors: 1, labels: 0, transactions: 0, balance: 0n, ...change };
}

/** A job of this kind that is done. */
export function endedJob(kind: Job['kind'], wallet: string, change: Partial<Job> = {}): Job {
  return sampleJob({ id: `${kind} ${wallet}`, kind, wallet, state: 'done', ended: 2, ...change });
}

/** A finished migration that also made a watch-only wallet. */
export function migratedJob(wallet: string, change: Partial<Job> = {}): Job {
  return endedJob('migrate', wallet, {
    result: {
      kind: 'migrate',
      walletName: wallet,
      watchonlyName: `${wallet}_watchonly`,
      solvablesName: null,
      backupPath: null,
      backupSeen: null,
    },
    ...change,
  });
}
