import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Evidence } from './jobKind.ts';
import { concludeMigration, resumedMigration } from './migrate.ts';
import type { MigrationCheckpoint } from './plan/checkpoint.ts';
import { createBench, infoOf, proveNothing } from './testing/bench.ts';

const answer = { walletName: 'w', watchonlyName: null, solvablesName: null, backupPath: null };
const named = async (asked: string, walletName: string, more: Partial<typeof answer> = {}) => {
  const checkpoint = { kind: 'migrate', name: asked } as Parameters<typeof concludeMigration>[0];
  const outcome = await concludeMigration(checkpoint, { ...answer, ...more, walletName }, true);
  if (outcome.state !== 'done' || outcome.result.kind !== 'migrate') throw new Error('It is not done.');
  const { watchonlyName, solvablesName } = outcome.result;
  return { walletName: outcome.result.walletName, watchonlyName, solvablesName };
};

describe('concludeMigration', () => {
  it('names a main wallet as the watch-only or solvables wallet that it is', async () => {
    const nothing = { watchonlyName: null, solvablesName: null };
    expect(await named('w', 'w_watchonly')).toEqual({
      ...nothing,
      walletName: 'w_watchonly',
      watchonlyName: 'w_watchonly',
    });
    expect(await named('', 'default_wallet_watchonly')).toMatchObject({
      watchonlyName: 'default_wallet_watchonly',
    });
    expect(await named('w', 'w_solvables')).toEqual({
      ...nothing,
      walletName: 'w_solvables',
      solvablesName: 'w_solvables',
    });
  });

  it('leaves a wallet with keys the main one, whatever its name ends in', async () => {
    for (const name of ['w', 'x_watchonly', '']) {
      expect(await named(name, name)).toEqual({
        walletName: name,
        watchonlyName: null,
        solvablesName: null,
      });
    }
    expect(await named('', 'default_wallet')).toMatchObject({ watchonlyName: null });
  });
});

const beforeIt = {
  name: 'w',
  loadedBefore: [],
  gavePassphrase: false,
  encrypted: null,
  before: null,
  balanceBefore: null,
};
const look = {
  stillRunning: false,
  readable: true,
  log: { backupPath: null, separated: ['watchonly'] },
  signal: new AbortController().signal,
} as unknown as Omit<Evidence, 'session' | 'walletsFolder'>;

/** As the app asks a node that it is connected to. */
const decided = (
  checkpoint: MigrationCheckpoint,
  { session, interruptions }: Pick<Awaited<ReturnType<typeof createBench>>, 'session' | 'interruptions'>,
  changed: Partial<typeof look> = {},
) => {
  const { local, walletsFolder } = session.status;
  const asked = { ...look, ...changed, session, walletsFolder: local ? walletsFolder : null };
  return resumedMigration(checkpoint, { prover: proveNothing, interruptions }).resolve(asked);
};

describe('a migration whose answer was lost', () => {
  it.each([
    { kind: 'migrate', ...beforeIt } as const,
    { kind: 'restore-migrate', ...beforeIt, backupFile: '/w.bak', placed: null } as const,
  ])('says of what was not migrated ($kind) that nothing was changed', async (checkpoint) => {
    const bench = await createBench();
    const { node } = bench;
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => ({ ...infoOf(), format: 'bdb', descriptors: false });
    const outcome = await decided(checkpoint, bench);
    if (outcome?.state !== 'failed') throw new Error('It is not told.');
    expect(outcome.error.hint).toContain('Nothing was changed. Try again');
  });

  it('names no companion wallet that was there before, on the disk or loaded', async () => {
    const bench = await createBench();
    const { node } = bench;
    node.handlers.listwallets = () => ['w', 'w_watchonly'];
    node.handlers.listdescriptors = () => ({ descriptors: [{}] });
    node.handlers.listwalletdir = () => ({ wallets: ['w', 'w_watchonly'].map((name) => ({ name })) });
    node.handlers.getwalletinfo = () => infoOf();
    const named = async (known: { loadedBefore?: string[]; onDiskBefore?: string[] }) => {
      const checkpoint = { kind: 'migrate', ...beforeIt, ...known } as const;
      const outcome = await decided(checkpoint, bench);
      if (outcome?.state !== 'done' || outcome.result.kind !== 'migrate') throw new Error('It is not done.');
      return outcome.result.watchonlyName;
    };
    expect(await named({})).toBe('w_watchonly');
    expect(await named({ onDiskBefore: ['w'] })).toBe('w_watchonly');
    expect(await named({ onDiskBefore: ['w', 'w_watchonly'] })).toBeNull();
    expect(await named({ loadedBefore: ['w_watchonly'] })).toBeNull();
  });

  // SECURITY.md: A false node on this machine
  it('calls nothing done while the backup that the node named is not there', async () => {
    const bench = await createBench();
    const { node, session, folder } = bench;
    node.handlers.listdescriptors = () => ({ descriptors: [{}] });
    const backupPath = join(folder, 'w', 'w_1.legacy.bak');
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => infoOf();
    const told = (path: string, { status } = session) =>
      decided(
        { kind: 'migrate', ...beforeIt },
        { ...bench, session: { ...session, status } },
        { log: { ...look.log, backupPath: path } },
      );
    expect(await told(backupPath)).toMatchObject({
      state: 'unknown',
      error: { code: 'outcome_unknown', hint: expect.stringContaining(backupPath) },
    });
    expect(await told('/in/a/container/w_1.legacy.bak')).toMatchObject({ state: 'done' });
    const remote = { ...session, status: { ...session.status, local: false } };
    expect(await told(backupPath, remote)).toMatchObject({ state: 'done' });
    await mkdir(join(folder, 'w'));
    await writeFile(backupPath, '');
    expect(await told(backupPath)).toMatchObject({ state: 'done', result: { backupSeen: true } });
  });
});
