/** Faults of the node, its log, its wallets folder and the clock during a job. */
import { describe, expect, it } from 'vitest';
import { ON_WINDOWS } from '../../electron/files/testing/system.ts';
import type { Scenario } from '../testNode/testNode.ts';
import {
  expectKnownOutcomes,
  isCampaign,
  metBy,
  type Row,
  rowOf,
  runTrial,
  sampleOf,
  usual,
} from './reliability.ts';
import { type App, hurried, type Kind, type Trial } from './trial.ts';

const rows: Row[] = [];

const trial = async (...trialOf: Parameters<typeof runTrial>) => {
  rows.push(await runTrial(...trialOf));
};

/** Pauses the node in the middle of a rescan. */
const RESCANNING: Scenario = { rescan: { shares: [0.2, 0.4], ms: 20, hold: true } };

/** Starts the job, and waits until the node pauses. */
async function startPaused(on: Trial, app: App): Promise<string> {
  const { id } = await app.start();
  await on.node.untilPaused();
  return id;
}

const MIGRATIONS: readonly Kind[] = usual.filter((kind) => kind !== 'restore');

/** The points at which the node is killed, each just before it logs a line. `losses.test.ts` loses the node during every job. */
const stages: readonly {
  readonly where: string;
  readonly scenario: Scenario;
  readonly of: readonly Kind[];
}[] = [
  {
    where: 'when it has received the call',
    scenario: { holdAt: 'Last client version' },
    of: sampleOf(usual, ['restore', 'migrate']),
  },
  {
    where: 'before its backup',
    scenario: { holdAt: 'copied ' },
    of: sampleOf(MIGRATIONS, ['restore-migrate']),
  },
  {
    where: 'after its backup',
    scenario: { holdAt: 'Migrating wallet storage' },
    of: sampleOf(MIGRATIONS, ['migrate']),
  },
  {
    where: 'while it converts',
    scenario: { holdAt: 'Wallet migration complete' },
    of: sampleOf(MIGRATIONS, ['restore-migrate']),
  },
  {
    where: 'after the conversion',
    scenario: { holdAt: 'Loading new wallets' },
    of: sampleOf(MIGRATIONS, ['migrate']),
  },
  { where: 'during the rescan', scenario: RESCANNING, of: sampleOf(usual, ['restore', 'restore-migrate']) },
];

describe.concurrent.each(stages)('a node killed $where and restarted', ({ where, scenario, of }) => {
  it.each(of)('lets the %s end well', (kind) =>
    trial(kind, scenario, async (on) => {
      const app = await on.open();
      const id = await startPaused(on, app);
      await on.node.kill();
      await app.until(id, ({ connection }) => connection === 'lost');
      await on.node.restart();
      return rowOf(on, 'node killed and restarted', where, await app.ended(id));
    }),
  );
});

const logLost = {
  nothing: 'log of the node removed',
  folder: 'log of the node replaced by a folder',
} as const;

const logFaults: Record<string, (on: Trial) => void> = {
  'log of the node rotated': ({ node }) => node.rotateLog(),
  'log of the node emptied': ({ node }) => node.truncateLog(),
  [logLost.nothing]: ({ node }) => node.loseLog('nothing'),
  // Windows gives the name of an open file to nothing else.
  ...(ON_WINDOWS ? {} : { [logLost.folder]: ({ node }) => node.loseLog('folder') }),
};

const jumps = [
  { fault: 'clock set forward an hour', seconds: 3600 },
  { fault: 'clock set back an hour', seconds: -3600 },
] as const;

describe.concurrent.each(usual)('a %s ends well on a node', (kind) => {
  it.runIf(isCampaign || kind === 'migrate')('that is killed and not restarted', () =>
    trial(kind, RESCANNING, async (on) => {
      const app = await on.open();
      const id = await startPaused(on, app);
      await on.node.kill();
      const lost = await app.until(id, ({ connection }) => connection === 'lost');
      const row = await rowOf(on, 'node killed and not restarted', 'during the rescan', lost);
      await app.call('jobs.stopWaiting', { id });
      rows.push(
        await rowOf(
          on,
          'node killed and not restarted, the user stops waiting',
          'during the rescan',
          await app.ended(id),
        ),
      );
      return row;
    }),
  );

  it.runIf(isCampaign || kind === 'restore')('that has changed its cookie since the app connected', () =>
    trial(kind, {}, async (on) => {
      const app = await on.open();
      const before = on.node.cookiePassword();
      await on.node.restart();
      expect(on.node.cookiePassword()).not.toBe(before);
      const { id } = await app.start();
      return rowOf(on, 'node restarted with another cookie', 'before the job starts', await app.ended(id));
    }),
  );

  it.each(metBy(kind, Object.entries(logFaults)))('with its %s', (fault, inject) =>
    trial(kind, RESCANNING, async (on) => {
      const app = await on.open();
      const { id } = await app.start();
      await app.until(id, ({ progress }) => progress !== null);
      inject(on);
      on.node.resume();
      return rowOf(on, fault, 'during the rescan', await app.ended(id));
    }),
  );

  it.each(metBy(kind, ['nothing', 'folder'] as const, 1))('with %s in place of its log', (replacement) =>
    trial(kind, {}, async (on) => {
      const app = await on.open();
      on.node.loseLog(replacement);
      const { id } = await app.start();
      const ended = await app.ended(id);
      expect(ended.measured).not.toBe('log');
      return rowOf(on, logLost[replacement], 'before the job starts', ended);
    }),
  );

  it.runIf(isCampaign || kind === 'restore-migrate')('that loses its log and its connection', () =>
    trial(kind, { holdAt: 'Last client version' }, async (on) => {
      const app = await on.open();
      on.node.loseLog('nothing');
      const place = 'before the last byte of the answer';
      on.connection.setFault({ method: on.method, place, does: 'cut' });
      const id = await startPaused(on, app);
      on.node.resume();
      return rowOf(on, `${logLost.nothing}, and connection cut`, place, await app.ended(id));
    }),
  );

  it.each(metBy(kind, jumps))('with the $fault', ({ fault, seconds }) =>
    trial(kind, RESCANNING, async (on) => {
      let offset = 0;
      const app = await on.open({ ...hurried, now: () => Date.now() / 1000 + offset });
      const { id } = await app.start();
      await app.until(id, ({ progress }) => progress !== null);
      offset = seconds;
      on.node.resume();
      return rowOf(on, fault, 'during the rescan', await app.ended(id));
    }),
  );

  it.each(metBy(kind, jumps, 2))('with the $fault while the app is closed', ({ fault, seconds }) =>
    trial(kind, RESCANNING, async (on) => {
      const app = await on.open({ ...hurried, now: () => Date.now() / 1000 - seconds });
      const id = await startPaused(on, app);
      await app.close();
      const next = await on.open();
      on.node.resume();
      return rowOf(on, fault, 'while the app is closed', await next.ended(id));
    }),
  );
});

describe.concurrent.each(['restore', 'migrate'] as const)('a %s ends well on a node', (kind) => {
  it('that may not write to its wallets folder', () =>
    trial(kind, { readOnlyWallets: true }, async (on) => {
      const app = await on.open();
      const { id } = await app.start();
      return rowOf(
        on,
        'wallets folder not writable for the node',
        'when it has received the call',
        await app.ended(id),
      );
    }));
});

it('has the known outcomes', () => expectKnownOutcomes('The node', rows));
