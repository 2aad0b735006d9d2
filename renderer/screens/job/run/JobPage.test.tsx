import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../shared/model/job.ts';
import type { Proof } from '../../../../shared/model/safety.ts';
import { sampleJob } from '../../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../../shared/testing/sampleNodeStatus.ts';
import type { Draft } from '../../../state/draft.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';

installFakeFerry();
const { useApp } = await import('../../../state/appStore.ts');
const { useJobs } = await import('../../../state/jobsStore.ts');
const { usePlans } = await import('../../../state/plansStore.ts');
const { BatchPage } = await import('./BatchPage.tsx');
const { JobPage } = await import('./JobPage.tsx');

const whole = { before: 3, after: 3, missing: { total: 0, shown: [] } };
const proof: Proof = {
  verdict: 'same',
  scripts: whole,
  labels: whole,
  transactions: whole,
  balance: { file: 900n, fileTime: null, before: null, after: 900n, standing: 'same' },
  wallets: [{ part: 'primary', name: 'w', descriptors: 4, labels: 1, transactions: 3, balance: 900n }],
  differences: [],
  unknown: [],
};
const result = {
  kind: 'migrate',
  walletName: 'w',
  watchonlyName: 'w_watchonly',
  solvablesName: null,
  backupPath: '/node/w.legacy.bak',
  backupSeen: true,
} as const;
const migrated = sampleJob({ state: 'done', ended: 9, result, proof });

/** A page that is drawn once is drawn of what the stores begin with. */
function stored(jobs: Job[]): void {
  const connection = { state: 'connected', node: sampleNodeStatus() } as const;
  Object.assign(useApp.getInitialState(), { connection });
  Object.assign(useJobs.getInitialState(), { jobs });
}

const rendered = (page: React.ReactNode) => renderToStaticMarkup(<MantineProvider>{page}</MantineProvider>);
const markupOf = (fields: Partial<Job>) => {
  stored([sampleJob(fields)]);
  return rendered(<JobPage id="one" />);
};

describe('JobPage', () => {
  it('shows the one phase under way, how far it is, and that it may be left', () => {
    const markup = markupOf({
      wallet: 'savings',
      steps: [
        { phase: 'sent', state: 'done' },
        { phase: 'rescanning', state: 'running' },
      ],
      progress: {
        ...{ wallet: 'savings', fraction: 0.64, block: null, blocks: null, fast: null },
        secondsLeft: 300,
      },
    });
    expect(markup).toContain('Migrating “savings”');
    expect(markup).toContain('Rescanning the block chain');
    expect(markup).not.toContain('Sent to the node');
    expect(markup).toContain('64\u00a0%');
    expect(markup).toContain('about 5 min left');
    expect(markup).toContain('You can leave or quit. The node continues');
    expect(markup).not.toContain('Go to wallets');
  });

  it('promises nothing of the offline engine after the end of the app', () => {
    const { node } = sampleJob();
    const markup = markupOf({ node: { ...node, offline: true } });
    expect(markup).toContain('If you quit, it ends; the wallet stays as it was.');
    expect(markup).not.toContain('The node continues');
  });

  it('lets waiting be stopped while the node is not heard, and then only', () => {
    for (const trouble of [
      { connection: 'lost' },
      { connection: 'another-node' },
      { silentSince: 1 },
    ] as const) {
      expect(markupOf(trouble)).toContain('Stop waiting');
    }
    expect(markupOf({})).not.toContain('Stop waiting');
  });

  it('is headed by the proof, with a line and a backup to make for each new wallet', () => {
    const markup = markupOf(migrated);
    expect(markup).toContain('Everything arrived');
    expect(markup).toContain('Result: 2 wallets');
    expect(markup).toContain('w_watchonly');
    expect(markup).toContain('0 of 2 backed up');
    expect(markup).toContain('Save new backups…');
    expect(markup).toContain('Back up later');
    expect(markup).toContain('The node’s backup. There is no safety copy.');
    expect(markup).toContain('>Undo<');
    expect(markup).toContain('Older backups, once the new ones are safe.');
    const here = markupOf({ ...migrated, node: { ...migrated.node, offline: true } });
    expect(here).toContain('The old wallet’s backup');
    expect(here).not.toContain('The node’s');
    const different = markupOf({ ...migrated, proof: { ...proof, verdict: 'different' } });
    expect(different).toContain('Something differs');
    expect(different).not.toContain('Older backups of this wallet');
  });

  it('counts the backups that were made since, and asks for those that are left', () => {
    const made = (wallet: string, started: number) =>
      sampleJob({
        ...{ id: wallet, kind: 'backup', wallet, started, state: 'done' },
        result: { kind: 'backup', walletName: wallet, proof: { seen: false, path: `/new/${wallet}.bak` } },
      });
    stored([made('w', 10), made('w_watchonly', 2), migrated]);
    const markup = rendered(<JobPage id="one" />);
    expect(markup).toContain('1 of 2 backed up');
    expect(markup).toContain('/new/w.bak');
    expect(markup).not.toContain('/new/w_watchonly.bak');
    expect(markup).toContain('Save new backups…');
  });

  it('lists first the wallet whose backup was not made', () => {
    const failed = sampleJob({
      ...{ id: 'failed', kind: 'backup', wallet: 'w_watchonly', started: 10, state: 'failed' },
      error: { code: 'no_space', message: 'The disk is full.', hint: '' },
    });
    stored([failed, migrated]);
    const markup = rendered(<JobPage id="one" />);
    const list = markup.slice(markup.indexOf('aria-label="New wallets"'));
    expect(list.indexOf('Watch-only wallet')).toBeLessThan(list.indexOf('Main wallet'));
  });

  it('tells why a backup was not made, with another place for it', () => {
    const error = { code: 'no_space', message: 'The disk is full.', hint: '' } as const;
    const failed = sampleJob({ id: 'b', kind: 'backup', started: 10, state: 'failed', error });
    stored([failed, migrated]);
    const markup = rendered(<JobPage id="one" />);
    expect(markup).toContain('The disk is full.');
    expect(markup.match(/Choose another folder…/g)).toHaveLength(1);
    expect(markup).toContain('0 of 2 backed up');
  });

  it('does nothing to a wallet of that name on another node', () => {
    const { node } = migrated;
    const elsewhere = { ...node, address: { ...node.address, port: 1 } };
    const markup = markupOf({ ...migrated, node: elsewhere });
    expect(markup).toContain('On another node');
    expect(markup).not.toContain('Save new backups…');
  });

  it('offers to try again what failed, and not what nobody knows the end of', () => {
    const error = { code: 'wallet_error', message: 'It refused.', hint: '' } as const;
    expect(markupOf({ state: 'failed', error })).toContain('Try again');
    const unknown = markupOf({ state: 'unknown', error });
    expect(unknown).toContain('Outcome not known');
    expect(unknown).not.toContain('Try again');
  });

  it('offers to migrate a legacy wallet that was restored', () => {
    const restored = { kind: 'restore', walletName: 'w', balance: null } as const;
    const legacy = markupOf({
      ...{ kind: 'restore', state: 'done' },
      result: { ...restored, walletKind: 'legacy' },
    });
    expect(legacy).toContain('>Migrate<');
    const descriptor = markupOf({
      ...{ kind: 'restore', state: 'done' },
      result: { ...restored, walletKind: 'descriptor' },
    });
    expect(descriptor).not.toContain('>Migrate<');
    expect(descriptor).toContain('>Back up<');
  });
});

describe('BatchPage', () => {
  const draft = (key: string, standing: Draft['standing']): Draft => ({
    ...{ key, standing, action: 'migrate', source: { by: 'wallet', name: key }, answers: {} },
    ...{ plan: null, stale: false, looking: false, error: null, worse: false, typed: false },
    ...{ tried: { state: 'none' }, rehearsing: { state: 'none' }, takesPart: true },
  });
  const page = (last: Draft['standing']) => {
    const drafts = [
      draft('a', { state: 'begun', jobId: 'one' }),
      draft('b', { state: 'begun', jobId: 'two' }),
      draft('c', last),
    ];
    Object.assign(usePlans.getInitialState(), { drafts, run: 'many' });
    return rendered(<BatchPage drafts={drafts} />);
  };
  const waits = { state: 'waiting' } as const;
  const left = { state: 'not-begun', why: 'stopped' } as const;

  it('counts how they stand, and makes backups once none runs any more', () => {
    stored([migrated, sampleJob({ id: 'two', wallet: 'x' })]);
    const running = page(waits);
    expect(running).toContain('1 of 3 done');
    expect(running).toContain('Migrating “x”');
    expect(running).toContain('Queued');
    expect(running).toContain('Stop after this one');
    expect(page(left)).not.toContain('Save new backups…');

    const error = { code: 'wallet_error', message: 'It refused.', hint: '' } as const;
    stored([migrated, sampleJob({ id: 'two', wallet: 'x', state: 'failed', error })]);
    const over = page(left);
    expect(over).toContain('1 of 3 done, 1 failed, 1 not started');
    expect(over).toContain('It refused.');
    expect(over).toContain('Save new backups…');
    expect(over).toContain('Go to wallets');
    expect(over).not.toContain('Try again');
    expect(page({ state: 'refused', error })).toContain('Try again');
  });
});
