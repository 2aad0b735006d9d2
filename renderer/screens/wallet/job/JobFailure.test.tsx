import { expect, it } from 'vitest';
import type { Interruption } from '../../../../shared/model/safety.ts';
import { sampleInspection } from '../../../../shared/testing/sampleInspection.ts';
import { sampleJob } from '../../../../shared/testing/sampleJob.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { liveRegions } from '../../../state/testing/liveRegions.ts';
import { rendered } from '../../../state/testing/rendered.tsx';
import type { WalletPageState } from '../../../state/useWalletPage.ts';

installFakeFerry();
const { InterruptedSource, JobFailure } = await import('./JobFailure.tsx');

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
  const found = { wallet: null, file: '/w.dat', cause: 'legacy-records', copies: [] } as const;
  expect(renderFailure({ ...found, copies: [] })).toContain(suggested);
});

it('does not repeat the message that is above it', () => {
  const error = { code: 'no_space', message: 'Not enough space.', hint: 'Free some.' } as const;
  const markupOf = (quiet: boolean) =>
    rendered(<JobFailure job={sampleJob({ kind: 'backup', state: 'failed', error })} quiet={quiet} />);
  expect(markupOf(false)).toContain('Not enough space.');
  expect(markupOf(true)).not.toContain('Not enough space.');
  expect(markupOf(true)).toMatch(/Not backed up.*Free some\./s);
});

it('speaks at once that a wallet is incomplete and where its copy is, and leaves the list and the button to be read', () => {
  const copy = {
    path: '/w.bak',
    from: 'legacy-backup',
    made: 1,
    size: 1,
    sha256: 'ab',
    matches: true,
  } as const;
  const found = { wallet: 'w', file: '/w.dat', copies: [copy] } as const;
  const [half, ...others] = liveRegions(renderFailure({ ...found, cause: 'legacy-records', copies: [copy] }));
  expect(others.map(({ role }) => role)).not.toContain('alert');
  expect(half).toMatchObject({ role: 'alert' });
  const { inside = '' } = half ?? {};
  expect(inside).toContain('The old wallet is whole.');
  expect(inside).toMatch(/backup: .*\/w\.bak/);
  expect(inside).toContain('The half-migrated wallet is kept too.');
  expect(inside).not.toMatch(/<ul|<button/);
  const [missing] = liveRegions(renderFailure({ ...found, cause: 'missing', copies: [copy] }));
  expect(missing?.inside).not.toContain('<p></p>');
  expect(missing?.inside).not.toContain(':</h2>');
});

it('speaks why a wallet cannot be put back', () => {
  const interruption = {
    wallet: 'w',
    file: '/w.dat',
    cause: 'legacy-records',
    copies: [{ path: '/w.bak', from: 'legacy-backup', made: 1, size: 1, sha256: 'ab', matches: true }],
  } as unknown as Interruption;
  const job = sampleJob({
    state: 'interrupted',
    interruption,
    node: { ...sampleJob().node, network: 'signet' },
  });
  const markup = rendered(<JobFailure job={job} />);
  const [alert] = liveRegions(markup);
  expect(alert?.inside).toContain(`Connect to ${job.node.label}.`);
});
