/** Faults of the node, its log, its wallets folder, and of the clock, while a job is under way. */
import { describe, expect, it } from 'vitest';
import type { Scenario } from '../testNode/testNode.ts';
import { expectKnownOutcomes, metBy, type Row, rowOf, runTrial, usual } from './reliability.ts';
import { type App, hurried, type Kind, type Trial } from './trial.ts';

const rows: Row[] = [];

const trial = async (...trialOf: Parameters<typeof runTrial>) => {
  rows.push(await runTrial(...trialOf));
};

/** The node stands still in the middle of a rescan. */
const RESCANNING: Scenario = { rescan: { shares: [0.2, 0.4], ms: 20, hold: true } };

/** Starts the job, and waits until the node stands still. */
async function startHeld(on: Trial, app: App): Promise<string> {
  const { id } = await app.start();
  await on.node.untilPaused();
  return id;
}

const MIGRATIONS: readonly Kind[] = usual.filter((kind) => kind !== 'restore');

/** Where a node is killed, by the line of its log that it did not come to. */
const stages: readonly {
  readonly where: string;
  readonly scenario: Scenario;
  readonly of: readonly Kind[];
}[] = [
  { where: 'when it has the call', scenario: { holdAt: 'Last client version' }, of: usual },
  { where: 'before its backup', scenario: { holdAt: 'copied ' }, of: MIGRATIONS },
  {
    where: 'after its backup',
    scenario: { holdAt: 'Migrating wallet storage' },
    of: MIGRATIONS,
  },
  {
    where: 'while it converts',
    scenario: { holdAt: 'Wallet migration complete' },
    of: MIGRATIONS,
  },
  {
    where: 'after the conversion',
    scenario: { holdAt: 'Loading new wallets' },
    of: MIGRATIONS,
  },
  { where: 'during the rescan', scenario: RESCANNING, of: usual },
];

describe.concurrent.each(stages)('a node killed $where', ({ where, scenario, of }) => {
  it.each(of)('and started again: %s', (kind) =>
    trial(kind, scenario, async (on) => {
      const app = await on.open();
      const id = await startHeld(on, app);
      await on.node.kill();
      await app.until(id, ({ connection }) => connection === 'lost');
      await on.node.restart();
      return rowOf(on, 'node killed and started again', where, await app.ended(id));
    }),
  );
});

const logLost = {
  nothing: 'log of the node gone',
  folder: 'log of the node replaced by a folder',
} as const;

const logFaults: Record<string, (on: Trial) => void> = {
  'log of the node rotated': ({ node }) => node.rotateLog(),
  'log of the node cut to nothing': ({ node }) => node.truncateLog(),
  [logLost.nothing]: ({ node }) => node.loseLog('nothing'),
  [logLost.folder]: ({ node }) => node.loseLog('folder'),
};

const jumps = [
  { fault: 'clock set forward an hour', seconds: 3600 },
  { fault: 'clock set back an hour', seconds: -3600 },
] as const;

describe.concurrent.each(usual)('%s on a node', (kind) => {
  it('that is killed and stays away', () =>
    trial(kind, RESCANNING, async (on) => {
      const app = await on.open();
      const id = await startHeld(on, app);
      await on.node.kill();
      const lost = await app.until(id, ({ connection }) => connection === 'lost');
      const row = await rowOf(on, 'node killed and not started again', 'during the rescan', lost);
      await app.call('jobs.stopWaiting', { id });
      rows.push(
        await rowOf(
          on,
          'node killed and not started again, the user stops waiting',
          'during the rescan',
          await app.ended(id),
        ),
      );
      return row;
    }));

  it('that has another cookie since the app connected', () =>
    trial(kind, {}, async (on) => {
      const app = await on.open();
      const before = on.node.cookiePassword();
      await on.node.restart();
      expect(on.node.cookiePassword()).not.toBe(before);
      const { id } = await app.start();
      return rowOf(on, 'node started again, with another cookie', 'before it begins', await app.ended(id));
    }));

  it.each(metBy(kind, Object.entries(logFaults)))('whose %s', (fault, happen) =>
    trial(kind, RESCANNING, async (on) => {
      const app = await on.open();
      const { id } = await app.start();
      await app.until(id, ({ progress }) => progress !== null);
      happen(on);
      on.node.resume();
      return rowOf(on, fault, 'during the rescan', await app.ended(id));
    }),
  );

  it.each(metBy(kind, ['nothing', 'folder'] as const, 1))('that has %s in place of its log', (inItsPlace) =>
    trial(kind, {}, async (on) => {
      const app = await on.open();
      on.node.loseLog(inItsPlace);
      const { id } = await app.start();
      const ended = await app.ended(id);
      expect(ended.measured).not.toBe('log');
      return rowOf(on, logLost[inItsPlace], 'before it begins', ended);
    }),
  );

  it('whose log is gone and whose connection is cut', () =>
    trial(kind, { holdAt: 'Last client version' }, async (on) => {
      const app = await on.open();
      on.node.loseLog('nothing');
      const place = 'before the last byte of the answer';
      on.line.setFault({ method: on.method, place, does: 'cut' });
      const id = await startHeld(on, app);
      on.node.resume();
      return rowOf(on, `${logLost.nothing}, and line cut`, place, await app.ended(id));
    }));

  it.each(metBy(kind, jumps))('while the clock is $fault', ({ fault, seconds }) =>
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

  it.each(metBy(kind, jumps, 2))('while the app is closed and the clock $fault', ({ fault, seconds }) =>
    trial(kind, RESCANNING, async (on) => {
      const app = await on.open({ ...hurried, now: () => Date.now() / 1000 - seconds });
      const id = await startHeld(on, app);
      await app.close();
      const next = await on.open();
      on.node.resume();
      return rowOf(on, fault, 'while the app is closed', await next.ended(id));
    }),
  );
});

describe.concurrent.each(['restore', 'migrate'] as const)('%s on a node', (kind) => {
  it('that may not write to its wallets folder', () =>
    trial(kind, { readOnlyWallets: true }, async (on) => {
      const app = await on.open();
      const { id } = await app.start();
      return rowOf(on, 'wallets folder closed to the node', 'when it has the call', await app.ended(id));
    }));
});

it('comes to the known outcomes', () => expectKnownOutcomes('The node', rows));
