import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBench, infoOf, proveNothing } from '../testing/bench.ts';
import { concludeMigration, continueMigration } from './migrate.ts';

const answer = { walletName: 'w', watchonlyName: null, solvablesName: null, backupPath: null };
const named = async (asked: string, walletName: string, more: Partial<typeof answer> = {}) => {
  const memory = { kind: 'migrate', name: asked } as Parameters<typeof concludeMigration>[0];
  const ending = await concludeMigration(memory, { ...answer, ...more, walletName }, true);
  if (ending.state !== 'done' || ending.result.kind !== 'migrate') throw new Error('It is not done.');
  const { watchonlyName, solvablesName } = ending.result;
  return { walletName: ending.result.walletName, watchonlyName, solvablesName };
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
} as unknown as Parameters<ReturnType<typeof continueMigration>['decide']>[1];

describe('decide', () => {
  it.each([
    { kind: 'migrate', ...beforeIt } as const,
    { kind: 'restore-migrate', ...beforeIt, backupFile: '/w.bak', placed: null } as const,
  ])('says of what was not migrated ($kind) that nothing was changed', async (memory) => {
    const { node, session } = await createBench();
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => ({ ...infoOf(), descriptors: false });
    const ending = await continueMigration(memory, proveNothing).decide(session, look);
    if (ending?.state !== 'failed') throw new Error('It is not told.');
    expect(ending.error.hint).toContain('Nothing was changed. Try again');
  });

  it('names no companion wallet that was there before, on the disk or loaded', async () => {
    const { node, session } = await createBench();
    node.handlers.listwallets = () => ['w', 'w_watchonly'];
    node.handlers.listwalletdir = () => ({ wallets: ['w', 'w_watchonly'].map((name) => ({ name })) });
    node.handlers.getwalletinfo = () => infoOf();
    const named = async (known: { loadedBefore?: string[]; onDiskBefore?: string[] }) => {
      const memory = { kind: 'migrate', ...beforeIt, ...known } as const;
      const ending = await continueMigration(memory, proveNothing).decide(session, look);
      if (ending?.state !== 'done' || ending.result.kind !== 'migrate') throw new Error('It is not done.');
      return ending.result.watchonlyName;
    };
    expect(await named({})).toBe('w_watchonly');
    expect(await named({ onDiskBefore: ['w'] })).toBe('w_watchonly');
    expect(await named({ onDiskBefore: ['w', 'w_watchonly'] })).toBeNull();
    expect(await named({ loadedBefore: ['w_watchonly'] })).toBeNull();
  });

  it('calls nothing done while the backup that the node named is not there', async () => {
    const { node, session, folder } = await createBench();
    const backupPath = join(folder, 'w', 'w_1.legacy.bak');
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => infoOf();
    const decided = (path: string, { status } = session) =>
      continueMigration({ kind: 'migrate', ...beforeIt }, proveNothing).decide(
        { ...session, status },
        { ...look, log: { ...look.log, backupPath: path } },
      );
    expect(await decided(backupPath)).toMatchObject({
      state: 'unknown',
      error: { code: 'outcome_unknown', hint: expect.stringContaining(backupPath) },
    });
    expect(await decided('/in/a/container/w_1.legacy.bak')).toMatchObject({ state: 'done' });
    const remote = { ...session, status: { ...session.status, local: false } };
    expect(await decided(backupPath, remote)).toMatchObject({ state: 'done' });
    await mkdir(join(folder, 'w'));
    await writeFile(backupPath, '');
    expect(await decided(backupPath)).toMatchObject({ state: 'done', result: { backupSeen: true } });
  });
});
