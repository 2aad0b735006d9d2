import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../shared/model/job.ts';
import type { NodeStatus } from '../../../../shared/model/node.ts';
import { endedJob, sampleJob, sampleProof } from '../../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../../shared/testing/sampleNodeStatus.ts';
import { sampleWallet } from '../../../../shared/testing/sampleWallet.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { rendered, startWith } from '../../../state/testing/rendered.tsx';

installFakeFerry();
const { JobOutcome } = await import('./JobOutcome.tsx');
const { useNewWallets } = await import('../../../state/backupsStore.ts');
const { useApp } = await import('../../../state/appStore.ts');
const { useJobs } = await import('../../../state/jobsStore.ts');
const { useWallets } = await import('../../../state/walletsStore.ts');

const error = { code: 'cannot_connect', message: 'No node.', hint: 'Start it.' } as const;
const markupOf = (fields: Partial<Job>) =>
  rendered(<Outcome job={sampleJob({ kind: 'restore-migrate', error, ...fields })} />);

function Outcome({ job }: { job: Job }) {
  return <JobOutcome job={job} newWallets={useNewWallets([job])} />;
}

const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: null } as const;
const migration = { kind: 'migrate', walletName: 'w', watchonlyName: null, solvablesName: null } as const;
const migrated = { ...migration, backupPath: null, backupSeen: null };
const done = { kind: 'restore', state: 'done', error: null } as const;

describe('JobOutcome', () => {
  it('names a copy that is left in the node’s folder, with what to do, and does not call it taken away', () => {
    const leftCopy = { path: '/node/wallets/back/wallet.dat', why: 'out-of-reach' } as const;
    for (const state of ['failed', 'unknown'] as const) {
      const markup = markupOf({ state, leftCopy });
      expect(markup).toContain('Left in the wallets folder');
      expect(markup).toContain('back/wallet.dat');
      expect(markup).toContain('Connect the wallets folder’s disk.');
      expect(markup).not.toContain('The app removes the placed copy');
    }
    const gone = markupOf({ state: 'failed' });
    expect(gone).toContain('The app removes the placed copy');
    expect(gone).not.toContain('Copy left');
  });

  it('shows the verified copy of a failed job with its one button, and folds the exact answer', () => {
    const own = { path: '/copies/w/wallet.dat', source: '/w.dat', size: 8, sha256: 'ab'.repeat(32) };
    const files = [{ ...own, state: 'whole' }] as const;
    const node = { label: 'node', network: 'regtest' } as const;
    const copy = { id: 'c', wallet: 'w', node, made: 1_795_651_085, how: 'copied', note: null } as const;
    const failed = {
      kind: 'migrate',
      state: 'failed',
      error: { ...error, node: { code: -4, message: 'Disk full' } },
    } as const;
    const markup = markupOf({ ...failed, safetyCopy: { ...copy, files: [...files] } });
    expect(markup).toMatch(/role="alert".*<h2>Not migrated<\/h2>.*No node\..*a copy was made first/s);
    expect(markup).toMatch(
      /complete, checked.*\/copies\/w\/wallet\.dat.*<summary>Details<.*Start it\..*Try again.*error -4/s,
    );
    // Screen readers are interrupted by what happened and what is safe, not by the whole card.
    const [, spoken] = /role="alert">(.*?)<\/div>/s.exec(markup) ?? [];
    expect(spoken).toMatch(/Not migrated.*No node\..*a copy was made first[^<]*<\/p>$/s);
    expect(markup).not.toContain('Disk full');
    const damaged = { ...copy, files: [{ ...own, state: 'damaged' as const }] };
    expect(markupOf({ ...failed, safetyCopy: damaged })).not.toContain('complete, checked');
  });

  it('says that a backup was changed while the node restored it', () => {
    const changed = { ...restored, backupAfter: 'changed' } as const;
    expect(markupOf({ ...done, result: changed })).toContain('changed meanwhile');
    expect(markupOf({ ...done, result: restored })).not.toContain('meanwhile');
  });

  it('says that nothing was compared where there is no proof of a migration', () => {
    const markup = markupOf({ ...done, kind: 'migrate', result: migrated, proof: null });
    expect(markup).toContain('Nothing was compared');
    expect(markupOf({ ...done, result: restored })).not.toContain('Nothing was compared');
  });

  it('offers to compare wallets that are left unloaded once they are loaded, and says why once', () => {
    const result = { ...restored, leftUnloaded: true } as const;
    const message = 'Load it to see what it holds.';
    const proofError = { code: 'wallet_not_found', message, hint: '' } as const;
    const proof = sampleProof('partly');
    startWith(useApp, { connection: { state: 'connected', node: sampleNodeStatus() } });
    const restore = { ...done, result, proof, proofError } as const;
    const markupWith = (loaded: boolean, fields: Partial<Job> = {}) => {
      startWith(useWallets, { wallets: [sampleWallet({ name: 'w', loaded })] });
      return markupOf({ ...restore, ...fields });
    };
    expect(markupWith(false).match(/Load it to see/g)).toHaveLength(1);
    expect(markupWith(false)).not.toContain('Try again');
    expect(markupWith(true)).toContain('Try again');
    expect(markupWith(false, { proofError: error })).toContain('No node.');
    // A wallet of its name is loaded in the node in use, which is another one.
    const elsewhere = { ...sampleJob().node, walletsFolder: '/elsewhere' };
    expect(markupWith(true, { node: elsewhere }).match(/Load it to see/g)).toHaveLength(1);
  });

  it('says how far a syncing node was, until it is synced', () => {
    const result = { ...restored, syncing: { blocks: 10, headers: 20 } };
    const isSaid = (node: NodeStatus | null) => {
      startWith(useApp, { connection: node ? { state: 'connected', node } : { state: 'none' } });
      const markup = markupOf({ ...done, result });
      return markup.includes('The node was still syncing at block 10: newer payments were missing.');
    };
    const synced = sampleNodeStatus();
    expect(isSaid({ ...synced, initialBlockDownload: true })).toBe(true);
    expect(isSaid({ ...synced, blocks: synced.headers - 500 })).toBe(true);
    expect(isSaid({ ...synced, network: 'signet' })).toBe(true);
    expect(isSaid(synced)).toBe(false);
    expect(isSaid(null)).toBe(true);
  });

  it('says once, in the proof, why the files were not compared, and tries again only with their node', () => {
    const proof = { ...sampleProof('partly'), unknown: ['Its file is gone.'] };
    const job = { ...done, result: restored, proof, proofError: error };
    const connection = { state: 'connected', node: sampleNodeStatus() } as const;
    startWith(useApp, { connection });
    expect(markupOf(job)).toMatch(
      /aria-label="Proof".*>Not compared<.*Its file is gone.*No node\..*Try again/s,
    );
    expect(markupOf(job).match(/No node\./g)).toHaveLength(1);
    expect(markupOf(job)).not.toContain('Nothing was compared');
    const asksFolder = markupOf({ ...job, proofError: { ...error, code: 'not_available_here' } });
    expect(asksFolder).toContain('Choose the folder…');
    expect(asksFolder).not.toContain('Try again');
    startWith(useApp, { connection: { ...connection, state: 'lost', error, since: 1 } });
    expect(markupOf(job)).toMatch(/aria-disabled="true"[^>]*>(?:<[^>]*>)*Try again/);
    startWith(useApp, { connection: { state: 'none' } });
    expect(markupOf(job)).toContain('No node.');
    expect(markupOf(job)).not.toContain('Try again');
  });

  it('keeps a saved backup although a later try failed', () => {
    const job = { ...done, result: restored };
    const failed = endedJob('backup', 'w', { state: 'failed', id: 'failed', error });
    const markupAfter = (...backups: Job[]) => {
      startWith(useJobs, { jobs: [...backups, sampleJob(job)] });
      return markupOf(job);
    };
    const isDone = 'Save a backup<span';
    const proof = { path: '/w.bak', seen: true, size: 8, sha256: 'ab'.repeat(32) } as const;
    const saved = endedJob('backup', 'w', { result: { kind: 'backup', walletName: 'w', proof } });
    expect(markupAfter(failed, saved)).toMatch(/Size and SHA-256.*No node\./s);
    expect(markupAfter(saved, failed)).not.toContain('No node.');
    // It is done, but nothing shows that it has all keys, so its step is not ticked.
    const unchecked = markupAfter(failed, endedJob('backup', 'w'));
    expect(unchecked).toMatch(/Save a backup.*>Done<.*No node\./s);
    expect(unchecked).not.toContain(isDone);
    expect(markupAfter(failed)).not.toContain(isDone);
    // The backup of an earlier wallet of this name.
    startWith(useJobs, { jobs: [sampleJob(job), endedJob('backup', 'w')] });
    expect(markupOf(job)).not.toContain(isDone);
  });

  it.each(['same', 'partly', 'different'] as const)(
    'shows the proof before the next steps: %s',
    (verdict) => {
      const none = { before: 0, after: 0, missing: { total: 0, shown: [] } };
      const balance = { file: 1n, fileTime: null, before: null, after: 1n, change: 'same' } as const;
      const compared = { scripts: none, labels: none, transactions: none, balance };
      const proof = { verdict, ...compared, wallets: [], differences: [], unknown: [] };
      const markup = markupOf({ ...done, kind: 'migrate', result: migrated, proof });
      expect(markup).toMatch(/aria-label="Proof".*Before.*aria-label="Next"/s);
    },
  );

  it.each(['restore', 'migrate'] as const)('shows where the incomplete file is after a %s', (kind) => {
    const path = '/node/wallets/w.interrupted-20261121-045512';
    const movedWallets = [{ name: 'w', newName: 'w.interrupted-20261121-045512', path }];
    const result = { ...(kind === 'restore' ? restored : migrated), movedWallets };
    const markup = markupOf({ state: 'done', error: null, result });
    expect(markup).toContain('Kept as “w.interrupted-20261121-045512”');
    expect(markup).toContain(path);
  });
});
