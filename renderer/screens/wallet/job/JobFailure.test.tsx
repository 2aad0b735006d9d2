import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../shared/model/node.ts';
import type { Interruption } from '../../../../shared/model/safety.ts';
import { sampleInspection } from '../../../../shared/testing/sampleInspection.ts';
import { sampleJob } from '../../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../../shared/testing/sampleNodeStatus.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { liveRegions, rendered, startWith } from '../../../state/testing/rendered.tsx';
import type { WalletPageState } from '../../../state/useWalletPage.ts';

installFakeFerry();
const { useApp } = await import('../../../state/appStore.ts');
const { useJobs } = await import('../../../state/jobsStore.ts');
const { InterruptedSource, JobFailure } = await import('./JobFailure.tsx');

const copy = {
  path: '/w.bak',
  from: 'legacy-backup',
  made: 1,
  size: 1,
  sha256: 'ab',
  matches: true,
} as const;
const interruption: Interruption = { wallet: 'w', file: '/w.dat', cause: 'legacy-records', copies: [copy] };

/** The page of an incomplete file with legacy records, with what is known of its copies. */
function renderFailure(interruption: Interruption | null) {
  const page = {
    route: { at: 'wallet', source: { by: 'file', path: '/w.dat' } },
    inspection: sampleInspection({ incomplete: 'legacy-records' }),
    interruption,
    network: null,
    draft: null,
  } as unknown as WalletPageState;
  return rendered(<InterruptedSource page={page} />);
}

it('suggests no rescue of an interrupted file before its copies are looked for', () => {
  const suggested = 'Searching for nodes';
  expect(renderFailure(null)).not.toContain(suggested);
  expect(renderFailure({ ...interruption, wallet: null, copies: [] })).toContain(suggested);
});

it('does not repeat the message that is above it', () => {
  const error = { code: 'no_space', message: 'Not enough space.', hint: 'Free some.' } as const;
  const markupOf = (quiet: boolean) =>
    rendered(<JobFailure job={sampleJob({ kind: 'backup', state: 'failed', error })} quiet={quiet} />);
  expect(markupOf(false)).toContain('Not enough space.');
  expect(markupOf(true)).not.toContain('Not enough space.');
  expect(markupOf(true)).toMatch(/Not backed up.*Free some\./s);
});

it('does not let the list of wallets answer what only the balance and addresses can', () => {
  const markupOf = (code: string, hint = 'It may be.') => {
    const error = {
      code: 'outcome_unknown',
      message: 'Not known.',
      hint,
      finding: { code },
    } as const;
    return rendered(<JobFailure job={sampleJob({ kind: 'restore', state: 'unknown', error })} />);
  };
  expect(markupOf('other')).toContain('If listed, it was restored.');
  expect(markupOf('may_be_another')).not.toContain('If listed');
  const earlier = 'It may be another wallet. Compare balance and addresses first.';
  expect(markupOf('other', earlier)).not.toContain('If listed');
});

it('speaks at once that a wallet is incomplete and where its copy is, and leaves the list and the button to be read', () => {
  const [half, ...others] = liveRegions(renderFailure(interruption));
  expect(others.map(({ role }) => role)).not.toContain('alert');
  expect(half).toMatchObject({ role: 'alert' });
  const { inside = '' } = half ?? {};
  expect(inside).toContain('The old wallet is whole.');
  expect(inside).toMatch(/backup: .*\/w\.bak/);
  expect(inside).toContain('The half-migrated wallet is kept too.');
  expect(inside).not.toMatch(/<ul|<button/);
  const [missing] = liveRegions(renderFailure({ ...interruption, cause: 'missing' }));
  expect(missing?.inside).not.toContain('<p></p>');
  expect(missing?.inside).not.toContain(':</h2>');
  const alone = renderFailure({ ...interruption, copies: [] });
  expect(alone).not.toContain('safe');
  expect(alone).toContain('.legacy.bak');
  expect(renderFailure({ ...interruption, cause: 'missing', copies: [] })).toContain('Choose a file…');
  for (const markup of [alone, renderFailure(interruption)]) expect(markup).not.toContain('Choose a file…');
});

describe('an interrupted job', () => {
  const node = { ...sampleNodeStatus(), walletsFolder: '/wallets' };
  const job = sampleJob({ state: 'interrupted', interruption });
  const markupOf = (connection: Connection, walletsFolder: string | null = '/wallets') => {
    startWith(useApp, { connection });
    return rendered(<JobFailure job={{ ...job, node: { ...job.node, walletsFolder } }} />);
  };
  const error = { code: 'cannot_connect', message: 'No answer.', hint: 'Start it.' } as const;
  const lost: Connection = { state: 'lost', node, error, since: 100 };

  it('is rescued on its node if there is no copy of it', () => {
    const alone = { ...job, interruption: { ...interruption, copies: [] } };
    startWith(useApp, { connection: { state: 'connected', node } });
    const markup = rendered(
      <JobFailure job={{ ...alone, node: { ...job.node, walletsFolder: '/wallets' } }} />,
    );
    expect(markup).toContain('>Rescue this wallet<');
    expect(markup).not.toContain('Put the old wallet back');
  });

  it('is not put back a second time while its file is read again', () => {
    const putBack = sampleJob({ id: 'putBack', kind: 'restore', action: 'put-back', state: 'done' });
    startWith(useJobs, { jobs: [putBack, job] });
    expect(markupOf({ state: 'connected', node })).not.toContain('Put the old wallet back');
    // Without its node, nothing is looked at: it may have been interrupted again.
    expect(markupOf({ state: 'none' })).toContain('The migration stopped halfway.');
    startWith(useJobs, { jobs: [] });
  });

  it('is put back on its node while that answers', () => {
    const markup = markupOf({ state: 'connected', node });
    expect(markup).toContain('Put the old wallet back');
    expect(markup).not.toContain('Work without a node');
  });

  it.each<[string, Connection]>([
    ['does not answer', lost],
    ['is not connected', { state: 'none' }],
  ])('is put back without its node while that %s, if its folder is on this computer', (_, connection) => {
    const markup = markupOf(connection);
    expect(liveRegions(markup)[0]?.inside).toContain(`Connect to ${job.node.label} (`);
    expect(markup).not.toContain('Put the old wallet back');
    expect(markup).toContain('Work without a node');
    expect(markupOf(connection, null)).not.toContain('Work without a node');
  });
});
