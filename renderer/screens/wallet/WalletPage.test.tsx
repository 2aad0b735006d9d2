import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { Job } from '../../../shared/model/job.ts';
import { journeyOf } from '../../../shared/model/journey.ts';
import type { PlanAction, WalletSource } from '../../../shared/model/plan.ts';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { release31, sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import { samplePlan } from '../../../shared/testing/samplePlan.ts';
import type { NewWallets } from '../../state/backupsStore.ts';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered } from '../../state/testing/rendered.tsx';
import type { WalletPageState } from '../../state/useWalletPage.ts';

installFakeFerry();
const { Journey, Main, NoWallet, Steps, WhichNetwork } = await import('./WalletPage.tsx');
const { mergeLooks, shownJob } = await import('../../state/useWalletPage.ts');
const { newDraft } = await import('../../state/draftsStore.ts');

const NONE = { newBackups: null, isBackedUp: null } as unknown as NewWallets;
const NODE = sampleNodeStatus({ release: release31 });
const MIGRATION = ['Your file', 'Safety copy', 'Migrate', 'Proof', 'New backup'];

const draftOf = (action: PlanAction, source: WalletSource, look: object) =>
  newDraft({ action, source }, { isPlanning: false, batch: false, chosen: false, waits: 'no', ...look });

/** The tone of the stop at which an interrupted job ended. `copies`: the whole copies of the wallet. */
function toneOf(copies: readonly object[]): string | undefined {
  const interruption = { copies } as unknown as NonNullable<Job['interruption']>;
  const job = sampleJob({ state: 'interrupted', interruption });
  const markup = rendered(<Journey stops={journeyOf(job, null, null)} job={job} />);
  return /data-state="failed"[^>]*><span[^>]*data-tone="(\w+)"/.exec(markup)?.[1];
}

it('marks the stop of an interrupted job red only if no whole copy was found', () => {
  expect(toneOf([{ path: '/w.legacy.bak' }])).toBe('read');
  expect(toneOf([])).toBe('danger');
});

it('asks for the network of a damaged file that shows nothing, because its rescue needs it', () => {
  const network = { name: 'unknown', from: 'asked', candidates: [] } as const;
  const lost = { finding: { code: 'master_key_missing' }, lost: true, page: null } as const;
  const asked = (problems: Inspection['problems']) => {
    const inspection = sampleInspection({ network, problems });
    const page = { inspection, network: null, facts: null } as unknown as WalletPageState;
    return rendered(<WhichNetwork page={{ ...page, inspection }} />).includes('Which network?');
  };
  expect(asked([lost])).toBe(true);
  expect(asked([])).toBe(false);
});

describe('mergeLooks', () => {
  const known = (found: string) => ({ state: 'known', found }) as const;
  const looking = (before: string | null) => ({ state: 'looking', before }) as const;

  it('shows the first facts of a large wallet while all its keys are compared, not those of an earlier version', () => {
    expect(mergeLooks(known('first'), looking(null))).toEqual(looking('first'));
    expect(mergeLooks(known('first'), looking('earlier'))).toEqual(looking('first'));
    expect(mergeLooks(looking('first'), looking('whole'))).toEqual(looking('whole'));
  });

  it('ends with the whole look, and with an error if that fails', () => {
    const failed = { state: 'failed', error: { code: 'cancelled', message: '', hint: '' } } as const;
    expect(mergeLooks(known('first'), known('whole'))).toEqual(known('whole'));
    expect(mergeLooks(known('first'), failed)).toBe(failed);
    expect(mergeLooks(failed, { state: 'none' })).toBe(failed);
    expect(mergeLooks(known('first'), { state: 'none' })).toEqual(known('first'));
  });
});

it('shows what a job made of an interrupted wallet before the list of wallets says so', () => {
  const putBack = sampleJob({ kind: 'restore-migrate', state: 'done', ended: 5 });
  const shown = (listedAt: number) =>
    shownJob([putBack], { wallet: { kind: 'interrupted' }, listedAt, chosen: false });
  expect([shown(4), shown(6)]).toEqual([putBack, null]);
  // The clock was set back after its end.
  putBack.ended = Date.now() / 1000 + 3600;
  expect(shown(6)).toBeNull();
});

it('keeps saying that the file changed where nothing can be done with what is there now', () => {
  const error = { code: 'file_changed', message: 'It changed.', hint: '' } as const;
  const timesSaid = (source: WalletSource, more: object) => {
    const draft = { ...draftOf('migrate', source, {}), worse: true, runState: { state: 'refused', error } };
    const parts = { route: { at: 'wallet', source }, job: null, inspection: null, wallet: null, node: null };
    const page = { ...parts, draft, ...more } as unknown as WalletPageState;
    return rendered(<Main page={page} newWallets={NONE} />).split('It changed.').length - 1;
  };
  expect(timesSaid({ by: 'wallet', name: 'w' }, {})).toBe(1);
  // The card of what is half migrated now says it too.
  const inspection = sampleInspection({ incomplete: 'legacy-records' });
  const copies = [{ path: '/w.legacy.bak', from: 'legacy-backup', made: 1, matches: true, network: 'main' }];
  const left = (copies: object[]) => ({ wallet: null, file: null, cause: 'no-format', copies });
  const file = { by: 'file', path: '/w.dat' } as const;
  expect(timesSaid(file, { inspection, interruption: left(copies) })).toBe(1);
  expect(timesSaid(file, { inspection, interruption: null })).toBe(1);
});

describe('NoWallet', () => {
  const of = (code: string, more: object = {}) => {
    const facts = { path: '/w/wallet.dat', name: 'wallet.dat', kind: 'other', fileKind: { code } };
    const route = { at: 'wallet', source: { by: 'file', path: facts.path } };
    const page = { route, facts, interruption: null, inspection: null, ...more };
    return rendered(<NoWallet page={page as unknown as WalletPageState} />);
  };
  const filled = (markup: string) =>
    /data-variant="filled".*?(Choose a file…|Search it for keys)/s.exec(markup)?.[1];

  it('takes what it does not know for a damaged wallet, and searches it', () => {
    expect(of('unknown')).toContain('A damaged wallet?');
    expect(filled(of('unknown'))).toBe('Search it for keys');
    expect(filled(of('pdf'))).toBe('Choose a file…');
    expect(of('pdf')).toContain('Not a Bitcoin Core wallet');
  });

  it('keeps a wallet that a node only began to write', () => {
    expect(of('other_sqlite')).toContain('.legacy.bak');
    const copies = [{ path: '/w.legacy.bak', from: 'legacy-backup', made: 1, matches: true, network: null }];
    const known = of('other_sqlite', {
      interruption: { wallet: null, file: null, cause: 'no-format', copies },
    });
    expect(known).toContain('The old wallet is whole.');
    expect(known).not.toContain('Type:');
  });
});

it('leads from a file to the wallet that it became, and offers the job again only in a fold', () => {
  const source = { by: 'file', path: '/old.dat' } as const;
  const draft = draftOf('restore', source, { waits: 'start' });
  const inspection = sampleInspection({ kind: 'legacy' });
  const of = (earlier: Job | null) => {
    const page = {
      ...{ route: { at: 'wallet', source }, facts: null, node: null, wallet: null },
      ...{ job: null, network: null, inspection, draft, earlier },
    } as unknown as WalletPageState;
    return [
      rendered(<Main page={page} newWallets={NONE} />),
      rendered(<Steps page={page} newWallets={NONE} />),
    ] as const;
  };
  const [first, steps] = of(null);
  expect(first).toContain('<form');
  expect(steps).toContain('aria-current="step"');
  const [again, none] = of(sampleJob({ state: 'done' }));
  expect(again).toMatch(/data-variant="filled".*See the new wallet.*<summary>Start again/);
  expect(again).not.toContain('<form');
  expect(none).not.toContain('<ol');
});

it('calls pasted keys keys, in its steps and on its card, and no file', () => {
  const source = { by: 'file', path: '/tmp/pasted-keys.dat' } as const;
  const draft = draftOf('restore', source, { waits: 'start' });
  const wordsOf = (temporary: boolean) => {
    const facts = { path: source.path, name: 'pasted-keys.dat', temporary };
    const page = {
      ...{ route: { at: 'wallet', source }, facts, inspection: sampleInspection(), draft },
      ...{ node: null, wallet: null, job: null, network: null, earlier: null },
    } as unknown as WalletPageState;
    return (
      rendered(<Steps page={page} newWallets={NONE} />) + rendered(<Main page={page} newWallets={NONE} />)
    );
  };
  expect(wordsOf(true)).toContain('Your keys');
  expect(wordsOf(true)).not.toContain('Your file');
  expect(wordsOf(false)).toMatch(/Your file.*Your file is only read/s);
});

/** The file that the steps of a page show: its name, and whether the page's own path or another one. */
function fileOf(action: PlanAction, { plan, job }: { plan?: string; job?: Partial<Job> } = {}) {
  const facts = { path: '/page.dat', temporary: false, kind: 'sqlite' };
  const planned =
    plan === undefined
      ? null
      : samplePlan({ action, kind: 'restore-migrate', facts: { ...samplePlan().facts, path: plan } });
  const source = { by: 'file', path: '/page.dat' } as const;
  const page = {
    ...{ route: { at: 'wallet', source }, facts, inspection: null, node: null },
    draft: { ...draftOf(action, source, { isPlanning: planned === null }), plan: planned },
    job: job === undefined ? null : sampleJob({ kind: 'restore', state: 'done', ...job }),
  } as unknown as WalletPageState;
  const markup = rendered(<Steps page={page} newWallets={NONE} />);
  const [, list = ''] = markup.split('aria-label="Files"');
  const shown = /<span id="[^"]*">(.*?)<\/span>.*?<code>(.*?)<\/code>/s.exec(list);
  return shown === null ? null : [shown[1], shown[2]?.replace(/<[^>]*>/g, '')];
}

const restored = { kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null } as const;
const backupFile = { result: { ...restored, backupFile: '/w.bak' } };

// The page of an interrupted wallet is of its broken file, which must not be taken for the backup.
it.each([
  ['a restore', 'restore', {}, ['Your file', '/page.dat']],
  ['an undo', 'undo', {}, ['Backup', '/page.dat']],
  ['a put-back before its plan', 'put-back', {}, null],
  ['a planned put-back', 'put-back', { plan: '/w.bak' }, ['Backup', '/w.bak']],
  ['a running put-back', 'put-back', { job: { state: 'running', action: 'put-back' } }, null],
  [
    'a put-back that is done',
    'put-back',
    { job: { ...backupFile, action: 'put-back' } },
    ['Backup', '/w.bak'],
  ],
  ['an undo that is done', 'undo', { job: { ...backupFile, action: 'undo' } }, ['Backup', '/w.bak']],
  ['a restore that is done', 'restore', { job: backupFile }, ['Your file', '/page.dat']],
] as const)('names the file of %s, and shows where it is', (_, action, given, shown) => {
  expect(fileOf(action, given)).toEqual(shown);
});

it.each([
  ['an undo on a node', 'undo', NODE, ['Backup', 'Restore', 'Rescan', 'New backup']],
  ['an undo in the engine', 'undo', sampleNodeStatus({ offline: true }), ['Backup', 'Restore', 'New backup']],
  ['a restore on a node that loads no legacy wallet', 'restore', NODE, MIGRATION],
  ['a restore where none is connected', 'restore', null, MIGRATION],
  [
    'a restore on an older node',
    'restore',
    sampleNodeStatus(),
    ['Your file', 'Restore', 'Rescan', 'New backup'],
  ],
] as const)('shows the steps of %s of a legacy file before it is planned', (_, action, node, steps) => {
  const source = { by: 'file', path: '/w.bak' } as const;
  const draft = draftOf(action, source, { isPlanning: true, chosen: true });
  const facts = { kind: 'legacy-wallet' };
  const page = { route: { at: 'wallet', source }, facts, inspection: null, node, draft, job: null };
  const markup = rendered(<Steps page={page as unknown as WalletPageState} newWallets={NONE} />);
  const [strip = ''] = markup.split('aria-label="Files"');
  const names = [...strip.matchAll(/<li.*?<\/span><span[^>]*>([^<]*)</gs)].map(([, name]) => name);
  expect(names).toEqual(steps);
});
