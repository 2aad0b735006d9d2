import { expect, it } from 'vitest';
import type { Job, Step } from '../../../../shared/model/job.ts';
import type { Connection } from '../../../../shared/model/node.ts';
import { sampleJob } from '../../../../shared/testing/sampleJob.ts';
import { sampleNodeStatus } from '../../../../shared/testing/sampleNodeStatus.ts';
import type { Route } from '../../../state/appStore.ts';
import type { Draft } from '../../../state/draftsStore.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';
import { rendered, startWith } from '../../../state/testing/rendered.tsx';

installFakeFerry();
const { RunCard } = await import('./RunCard.tsx');
const { ConnectionBanner } = await import('../../../shell/App.tsx');
const { useApp } = await import('../../../state/appStore.ts');
const { useDrafts } = await import('../../../state/draftsStore.ts');
const { useJobs } = await import('../../../state/jobsStore.ts');

const node = sampleNodeStatus();
const error = { code: 'cannot_connect', message: 'No answer.', hint: 'Start it.' } as const;
const itsPage: Route = { at: 'wallet', source: { by: 'wallet', name: 'w' } };

/** What the page of a job shows below the banner, in the middle of a rescan. */
function renderCard(
  connection: 'ok' | 'lost',
  route = itsPage,
  sent: Step['state'] = 'done',
  change: Partial<Job> = {},
) {
  const steps: Step[] = [{ phase: 'sent', state: sent }];
  const app: Connection =
    connection === 'ok' ? { state: 'connected', node } : { state: 'lost', node, error, since: 100 };
  const progress = { wallet: 'w', fraction: 0.42, block: 42, blocks: 100, secondsLeft: null, fast: null };
  const job = sampleJob({
    connection,
    progress,
    steps,
    ...(connection === 'lost' ? { silentSince: 100 } : {}),
    ...change,
  });
  startWith(useApp, { connection: app, route });
  startWith(useJobs, { jobs: [job] });
  const banner = rendered(<ConnectionBanner />);
  const card = rendered(<RunCard job={job} />);
  return { banner, card };
}

it('shows how far a job is, and promises that the node continues, while the node answers', () => {
  const { banner, card } = renderCard('ok');
  expect(card).toContain('role="progressbar"');
  expect(card).toContain('your node continues');
  expect(banner + card).not.toContain('Disconnected');
});

it('says of a node that is gone to start it, and doubts no settings that worked', () => {
  const other = { at: 'wallet', source: { by: 'wallet', name: 'other' } } as const;
  const { banner } = renderCard('lost', other);
  expect(banner).toContain('Start the node if it stopped.');
  expect(banner).not.toContain(error.hint);
});

it('says that the wallet stays unlocked if the app is closed', () => {
  expect(renderCard('ok').card).not.toContain('unlocked');
  const { card } = renderCard('ok', itsPage, 'done', { unlocks: true });
  expect(card).toContain('You can quit: your node continues. The wallet stays unlocked.');
});

it.each(['done', 'waiting'] as const)('says that no other wallet of its batch starts: call %s', (sent) => {
  const { card: alone } = renderCard('ok', itsPage, sent);
  expect(alone).not.toContain('Other wallets');
  const draft = (runState: Draft['runState']) => ({ batch: true, runState }) as Draft;
  const drafts = [draft({ state: 'started', jobId: sampleJob().id }), draft({ state: 'waiting' })];
  startWith(useDrafts, { batch: 'running', drafts });
  expect(renderCard('ok', itsPage, sent).card).toContain('Other wallets start only while the app is open.');
  startWith(useDrafts, { batch: 'none', drafts: [] });
});

it('promises nothing of the node before it has the call', () => {
  const { card } = renderCard('ok', itsPage, 'waiting');
  expect(card).not.toContain('node continues');
  expect(card).toContain('If you quit now, nothing changes.');
});

it('does not promise that the engine changes nothing once it works', () => {
  const { card } = renderCard('ok', itsPage, 'done', { node: { ...sampleJob().node, offline: true } });
  expect(card).toContain('>If you quit, the app checks it next time.');
  expect(card).not.toContain('nothing changes');
});

it('says of a job that is only being checked that it is done', () => {
  const job = sampleJob({ steps: [{ phase: 'proving', state: 'running' }] });
  const card = rendered(<RunCard job={job} />);
  expect(card).toContain('Done. If you quit, the app checks it next time.');
  expect(card).not.toContain('nothing changes');
});

it('says once that the node is disconnected, with no bar and no promise', () => {
  const { banner, card } = renderCard('lost');
  expect((banner + card).match(/>Disconnected</g)).toHaveLength(1);
  expect(card).toContain('If the node runs, it continues; if not, start it.');
  expect(card).toContain('Stop waiting');
  expect(banner + card).not.toContain('progressbar');
  expect(card).not.toContain('42');
  expect(banner + card).not.toContain('node continues');
});

it('says so in the banner on every other page', () => {
  const { banner } = renderCard('lost', { at: 'home' });
  expect(banner).toContain('Disconnected');
  expect(banner).toContain('No answer.');
});
