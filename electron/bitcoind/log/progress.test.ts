import { describe, expect, it } from 'vitest';
import { recordedLog, stepStates } from '../../jobs/testing/bench.ts';
import { concernedWallets } from '../../walletfile/migrate/companionNames.ts';
import { readLogLine } from './nodeLog.ts';
import {
  addSample,
  completedSteps,
  foldLogLine,
  initialLogState,
  type LogState,
  progressOf,
  type Sample,
  secondsLeft,
  stepsOf,
} from './progress.ts';

const fold = (state: LogState, lines: readonly string[]) =>
  lines.reduce((before, text) => {
    const line = readLogLine(text, concernedWallets(state.kind, state.wallet));
    return line === null ? before : foldLogLine(before, line);
  }, state);

const statesOf = (state: LogState) => stepStates({ steps: stepsOf(state) });

/** The phases after each line, without repetitions. */
const phasesThrough = (start: LogState, lines: readonly string[]) => {
  const phases: string[] = [];
  lines.reduce((state, line) => {
    const next = fold(state, [line]);
    const phase = `${next.phase}${next.phaseDone ? ' done' : ''}`;
    if (phase !== phases.at(-1)) phases.push(phase);
    return next;
  }, start);
  return phases;
};

describe('foldLogLine on recorded migrations', () => {
  it.each([
    // Release 25 rescans for the main wallet only.
    ['25.2', 'legacy-watchonly'],
    ['28.1', 'legacy-watchonly_watchonly'],
    ['29.3', 'legacy-watchonly_watchonly'],
    ['30.0', 'legacy-watchonly_watchonly'],
    ['31.0', 'legacy-watchonly_watchonly'],
  ])('reports every phase of a migration into two wallets on %s', (release, rescannedLast) => {
    const log = recordedLog(release, 'migrate-watchonly');
    expect(phasesThrough(initialLogState('migrate', 'legacy-watchonly'), log)).toEqual([
      'safety-copy',
      'backing-up',
      'backing-up done',
      'converting',
      'separating',
      'loading',
      'rescanning',
    ]);
    const end = fold(initialLogState('migrate', 'legacy-watchonly'), log);
    expect(end.separated).toEqual(['watchonly']);
    expect(end.encrypted).toBe(false);
    expect(end.backupPath).toMatch(/legacy-watchonly[-_]\d+\.legacy\.bak$/);
    expect(end.rescan).toMatchObject({ wallet: rescannedLast, fraction: 1, fast: false });
  });

  it('skips the separation of a wallet that stays in one', () => {
    const end = fold(initialLogState('migrate', 'legacy-hd'), recordedLog('31.0', 'migrate-positional'));
    expect(statesOf(end)).toEqual({
      'safety-copy': 'done',
      sent: 'done',
      'backing-up': 'done',
      converting: 'done',
      separating: 'skipped',
      loading: 'done',
      rescanning: 'running',
      proving: 'waiting',
    });
    const ofBlocks = { fraction: 1, block: 137, blocks: 17 };
    expect(progressOf(end, null)).toEqual({
      wallet: 'legacy-hd',
      ...ofBlocks,
      secondsLeft: null,
      fast: false,
    });
  });

  // The log of each release: `jobs/migrate.test.ts`.
  it('stops after the backup if the passphrase is wrong', () => {
    const log = recordedLog('31.0', 'migrate-encrypted-wrong-passphrase');
    const end = fold(initialLogState('migrate', 'legacy-hd-encrypted'), log);
    expect(end).toMatchObject({ encrypted: true, phase: 'backing-up', phaseDone: true });
    expect(statesOf(end)).toMatchObject({ sent: 'done', 'backing-up': 'done', converting: 'waiting' });
  });

  it('follows a wallet without keys to its end, although the node does not log its conversion', () => {
    const log = recordedLog('30.0', 'migrate-endpoint-no-arguments');
    const end = fold(initialLogState('migrate', 'legacy-blank'), log);
    expect(end).toMatchObject({ phase: 'rescanning', rescan: { blocks: 0, fraction: 1 } });
  });

  it('ignores the migration of another wallet', () => {
    const end = fold(initialLogState('migrate', 'other'), recordedLog('31.0', 'migrate-watchonly'));
    expect(end).toEqual(initialLogState('migrate', 'other'));
  });
});

describe('foldLogLine', () => {
  const range = '[w] Rescanning last 1000 blocks (from block 5000)...';
  const still = (block: number, share: string) =>
    `[w] Still rescanning. At block ${block}. Progress=${share}`;
  const completed = '[w] Rescan completed in 9ms';

  it('measures a rescan by its own blocks', () => {
    const started = '[w] Rescan started from block 00ff... (fast variant using block filters)';
    const state = fold(initialLogState('restore', 'w'), [range, started, still(5250, '0.900000')]);
    const ofBlocks = { fraction: 0.25, block: 5250, blocks: 1000 };
    expect(progressOf(state, 90)).toEqual({ wallet: 'w', ...ofBlocks, secondsLeft: 90, fast: true });
  });

  it('uses the node’s own progress if it missed the start of the rescan', () => {
    const state = fold(initialLogState('restore', 'w'), [still(5250, '0.9')]);
    expect(progressOf(state, null)).toMatchObject({ fraction: 0.9, block: 5250, blocks: null, fast: null });
  });

  it.each([
    [6003, '1.0', 1],
    [4999, '0.1', 0],
  ])('stays between 0 and 1 while the chain grows (block %i)', (block, share, fraction) => {
    const state = fold(initialLogState('restore', 'w'), [range, still(block, share)]);
    expect(progressOf(state, null)?.fraction).toBe(fraction);
  });

  it('names the wallet that is rescanned if a migration loads several', () => {
    const first = fold(initialLogState('migrate', 'w'), [range, still(5900, '0.9'), completed]);
    expect(progressOf(first, null)).toMatchObject({ wallet: 'w', fraction: 1, block: 6000 });
    const second = fold(first, ['[w_watchonly] Rescanning last 500 blocks (from block 5500)...']);
    const rescan = { wallet: 'w_watchonly', fraction: 0, block: null, blocks: 500 };
    expect(progressOf(second, null)).toMatchObject(rescan);
  });

  it('shows a rescan before the migration, but not as the last phase', () => {
    const early = fold(initialLogState('migrate', 'w'), [range, still(5100, '0.5')]);
    expect(progressOf(early, null)?.fraction).toBe(0.1);
    expect(early.phase).toBe('safety-copy');
    const backedUp = fold(early, ['copied wallet.dat to /n/wallets/w/w-1795181064.legacy.bak']);
    expect(statesOf(backedUp)).toMatchObject({ 'backing-up': 'done', rescanning: 'waiting' });
  });

  it('is over once that of a restore has completed: later ones are of other clients', () => {
    const end = fold(initialLogState('restore', 'w'), [range, completed]);
    expect(fold(end, [still(5250, '0.9'), completed])).toBe(end);
  });

  it('keeps the progress of an aborted rescan', () => {
    const aborted = '[w] Rescan aborted at block 5600.';
    const state = fold(initialLogState('restore', 'w'), [range, still(5500, '0.5'), aborted]);
    expect(progressOf(state, null)).toMatchObject({ fraction: 0.5, block: 5600 });
  });

  it('ignores the rescan and the backup of another wallet', () => {
    const start = initialLogState('migrate', 'w');
    const foreign = [
      '[ww] Rescanning last 10 blocks (from block 1)...',
      '[w_other] Wallet migration complete.',
      'init message: Loading wallet…',
      'copied /n/wallets/ww/wallet.dat to /n/wallets/ww_1795180638.legacy.bak',
      'copied /n/wallets/w/wallet.dat to /home/me/w.bak',
      'copied /n/wallets/a/w2/wallet.dat to /n/wallets/w_1795180638.legacy.bak',
      'copied /n/wallets/default_wallet/wallet.dat to /n/wallets/default_wallet_1795180638.legacy.bak',
    ];
    expect(fold(start, foreign)).toBe(start);
    const [unnamed, nested] = [initialLogState('migrate', ''), initialLogState('migrate', 'b/w2')];
    expect([fold(unnamed, foreign.slice(3)), fold(nested, foreign)]).toEqual([unnamed, nested]);
  });

  it.each([
    ['family/alice', '/n/wallets/family/alice/wallet.dat', '/n/wallets/alice_1795180638.legacy.bak'],
    ['family/alice', 'wallet.dat', '/n/wallets/family/alice/alice-1795180638.legacy.bak'],
    ['w.dat', '/n/wallets/w.dat', '/n/wallets/w.dat_1795180638.legacy.bak'],
    ['/elsewhere/w', '/elsewhere/w/wallet.dat', '/elsewhere/w/w_1795180638.legacy.bak'],
    ['D:\\w', 'D:\\w\\wallet.dat', 'D:\\w\\w_1795180638.legacy.bak'],
    ['', '/n/wallets/wallet.dat', '/n/wallets/default_wallet_1795180638.legacy.bak'],
    ['', 'wallet.dat', '/n/wallets/-1795180638.legacy.bak'],
    ['w', 'C:\\n\\wallets\\w\\wallet.dat', 'C:\\n\\wallets\\w_1795180638.legacy.bak'],
  ])('recognises the backup of %j, copied from %s to %s', (wallet, from, to) => {
    expect(fold(initialLogState('migrate', wallet), [`copied ${from} to ${to}`]).backupPath).toBe(to);
  });

  it('recognises the wallets that the unnamed one is split into', () => {
    const line = '[default_wallet_watchonly] Rescanning last 10 blocks (from block 1)...';
    expect(fold(initialLogState('migrate', ''), [line]).rescan?.wallet).toBe('default_wallet_watchonly');
  });

  it('follows a restore', () => {
    const log = recordedLog('23.0', 'restore-nested-name');
    expect(phasesThrough(initialLogState('restore', 'family/alice'), log)).toEqual(['sent', 'loading']);
  });

  it('ignores the log during a backup', () => {
    const start = initialLogState('backup', 'w');
    expect(fold(start, [range])).toBe(start);
  });
});

it('marks phases as skipped at the end if the log shows none of them', () => {
  const steps = (kind: 'migrate' | 'restore', logRead: boolean, separated: boolean) =>
    stepStates({ steps: completedSteps(initialLogState(kind, 'w'), { logRead, separated, proved: false }) });
  expect(steps('migrate', true, false)).toMatchObject({ separating: 'skipped', rescanning: 'skipped' });
  expect(steps('migrate', false, true)).toMatchObject({ separating: 'done', rescanning: 'done' });
  expect(steps('restore', true, false)).toEqual({
    sent: 'done',
    loading: 'done',
    rescanning: 'skipped',
    proving: 'skipped',
  });
});

/** Samples written as “seconds: share”. */
const samplesOf = (text: string) =>
  [...text.matchAll(/([\d.]+): ([\d.]+)/g)].reduce<readonly Sample[]>(
    (all, [, at, done]) => addSample(all, { at: Number(at), done: Number(done) }),
    [],
  );

describe('secondsLeft', () => {
  it('predicts the end at a steady speed, and counts down between samples', () => {
    const samples = samplesOf('0: 0.1, 60: 0.2, 120: 0.3');
    expect(secondsLeft(samples, 120)).toBeCloseTo(420);
    expect(secondsLeft(samples, 150)).toBeCloseTo(390);
    expect(secondsLeft(samples, 9999)).toBe(0);
  });

  it.each([
    ['without a sample', '', 0],
    ['before there are three samples', '0: 0.1, 60: 0.2', 60],
    ['before they span twenty seconds', '0: 0.1, 6: 0.2, 12: 0.3', 12],
    ['while the predicted end jumps forth', '0: 0.1, 60: 0.5, 120: 0.52', 120],
    ['while the predicted end jumps back', '0: 0.1, 60: 0.11, 120: 0.4', 120],
    ['without progress', '0: 0.4, 60: 0.4, 120: 0.4', 120],
  ])('is null %s', (_, samples, now) => {
    expect(secondsLeft(samplesOf(samples), now)).toBeNull();
  });

  it('predicts the end after twenty seconds, and again once a slower speed is steady', () => {
    expect(secondsLeft(samplesOf('0: 0.1, 10: 0.2, 20: 0.3'), 20)).toBeCloseTo(70);
    const slowing = '0: 0, 60: 0.3, 120: 0.32';
    expect(secondsLeft(samplesOf(slowing), 120)).toBeNull();
    const steady = Array.from({ length: 12 }, (_, n) => `${180 + n * 60}: ${0.34 + n * 0.02}`);
    expect(secondsLeft(samplesOf([slowing, ...steady].join()), 840)).toBeCloseTo(1320);
  });
});

describe('addSample', () => {
  it('starts again with another rescan', () => {
    expect(samplesOf('0: 0.5, 60: 0.9, 120: 0')).toEqual([{ at: 120, done: 0 }]);
  });

  it('skips samples that are too close, and keeps the newest twelve', () => {
    const spaced = samplesOf('0: 0.1, 1: 0.2, 4.9: 0.3, 5: 0.4');
    expect(spaced.map(({ at }) => at)).toEqual([0, 5]);
    const many = samplesOf(Array.from({ length: 100 }, (_, n) => `${n * 60}: ${n / 100}`).join());
    expect(many).toHaveLength(12);
    expect(many.at(-1)).toEqual({ at: 5940, done: 0.99 });
  });
});
