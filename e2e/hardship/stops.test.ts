/** Ends the engine during a migration: by a signal, and by a call. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, bundleEngine, type EngineProcess, launchEngine } from '../app/engineProcess.ts';
import { largeWallet } from './largeWallet.ts';
import { filesOf } from './subject.ts';

describe('an engine that is to end while it migrates a large wallet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stops-'));
  const wallets = join(folder, 'regtest', 'wallets');
  const legacy = Buffer.from(largeWallet(1500));
  let program: string;

  beforeAll(async () => {
    program = await bundleEngine(join(folder, 'bundle'));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    rmSync(join(folder, 'regtest'), { recursive: true, force: true });
    mkdirSync(join(wallets, 'large'), { recursive: true });
    writeFileSync(join(wallets, 'large', 'wallet.dat'), legacy);
  });

  /** Resolves once the migration is at its long work: the log tells of the backup before it. */
  async function atWork(): Promise<void> {
    const log = () => readFileSync(join(folder, 'regtest', 'debug.log'), 'utf8');
    await expect.poll(log, { timeout: 20_000, interval: 10 }).toContain('Z copied ');
  }

  const stopped = (answer: Answer) =>
    answer.kind === 'cut' || (answer.kind === 'error' && answer.message.includes('The engine was stopped'));

  function isAsBefore(): void {
    expect(filesOf(wallets)).toEqual([join('large', 'wallet.dat')]);
    expect(readFileSync(join(wallets, 'large', 'wallet.dat')).equals(legacy)).toBe(true);
  }

  async function endedInSeconds(engine: EngineProcess, since: number): Promise<void> {
    expect(await engine.exited).toBe(0);
    expect(performance.now() - since).toBeLessThan(10_000);
  }

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s leaves all as it was, and answers',
    async (signal) => {
      const engine = await launchEngine({ program, wallets, release: 30 });
      const answer = engine.call('migratewallet', ['large']);
      await atWork();
      const since = performance.now();
      engine.child.kill(signal);
      expect(await answer).toSatisfy(stopped);
      await endedInSeconds(engine, since);
      isAsBefore();
    },
    60_000,
  );

  it('by a call leaves all as it was, with two migrations of the wallet under way', async () => {
    const engine = await launchEngine({ program, wallets, release: 28 });
    const answers = [engine.call('migratewallet', ['large']), engine.call('migratewallet', ['large'])];
    await atWork();
    const since = performance.now();
    expect(await engine.call('stop')).toMatchObject({ kind: 'result' });
    for (const answer of await Promise.all(answers)) expect(answer).toSatisfy(stopped);
    await endedInSeconds(engine, since);
    isAsBefore();
  }, 60_000);
});
