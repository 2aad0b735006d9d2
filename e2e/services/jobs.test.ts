/** Each kind of job on the recorded releases, as a caller of the contract sees it. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixtureFile, fixturePassphrase, releases } from '../testNode/testNode.ts';
import { sha256 } from '../testNode/walletFixture.ts';
import { type Bench, migrating, restoring, startBench } from './services.ts';

const DEPRECATED =
  'Wallet loaded successfully. The legacy wallet type is being deprecated and support for creating and opening legacy wallets will be removed in the future. Legacy wallets can be migrated to a descriptor wallet with migratewallet.';

async function connected(...[release, scenario]: Parameters<typeof startBench>): Promise<Bench> {
  const bench = await startBench(release, scenario);
  onTestFinished(bench.close);
  await bench.connect();
  return bench;
}

/** The releases that also migrate an encrypted wallet: the oldest, and one for each form of the answer. */
const WITH_PASSPHRASE: ReadonlySet<string> = new Set(['25.2', '28.1', '31.0']);

describe.each(releases)('on release %s', (release) => {
  it('restores a descriptor backup', async () => {
    const { node, run } = await connected(release);
    const file = join(node.backupsFolder, 'descriptor.bak');
    const { action, source } = restoring(file, 'from backup');
    const done = await run({ action, source, answers: { name: 'from backup', loadOnStartup: true } });
    expect(done).toMatchObject({
      state: 'done',
      warnings: [],
      error: null,
      result: { kind: 'restore', walletName: 'from backup', walletKind: 'descriptor', balance: 930_000_000n },
    });
    expect(done.steps.map(({ state }) => state)).not.toContain('running');
    expect(done.log.some((line) => line.includes('[from backup] Wallet completed loading'))).toBe(true);
    expect(node.calls.filter(({ method }) => method === 'restorewallet')).toMatchObject([
      { params: { wallet_name: 'from backup', backup_file: file, load_on_startup: true } },
    ]);
    expect(readFileSync(join(node.walletsFolder, 'from backup', 'wallet.dat'))).toEqual(readFileSync(file));
    expect(readFileSync(join(node.dataFolder, 'regtest/settings.json'), 'utf8')).toContain('from backup');
    expect(node.unrecorded).toEqual([]);
  });

  it.runIf(Number.parseFloat(release) < 30)(
    'restores a legacy backup, and quotes the node’s warnings',
    async () => {
      const { node, run } = await connected(release);
      const done = await run(restoring(join(node.backupsFolder, 'legacy.bak'), 'old one'));
      expect(done).toMatchObject({ state: 'done', result: { walletKind: 'legacy' } });
      expect(done.warnings).toEqual(Number.parseFloat(release) < 28 ? [] : [DEPRECATED]);
      expect(node.unrecorded).toEqual([]);
    },
  );

  it.runIf(Number.parseFloat(release) >= 30)('restores and migrates a legacy backup in one job', async () => {
    const { node, run } = await connected(release);
    const file = join(node.backupsFolder, 'watched.bak');
    copyFileSync(fixtureFile('legacy-watchonly'), file);
    const done = await run(restoring(file, 'old one'));
    expect(done).toMatchObject({
      kind: 'restore-migrate',
      state: 'done',
      proof: { verdict: 'same' },
      result: { walletName: 'old one', watchonlyName: 'old one_watchonly', solvablesName: null },
    });
    expect(node.countCalls('restorewallet')).toBe(0);
    expect(node.countCalls('migratewallet')).toBe(1);
    expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));
    expect(node.unrecorded).toEqual([]);
  });

  it.runIf(release !== '23.0')('migrates a wallet to two new ones, and backs up both', async () => {
    const { node, run, folder } = await connected(release);
    const name = 'legacy-watchonly';
    const done = await run(migrating(name));
    expect(done).toMatchObject({
      state: 'done',
      proof: { verdict: 'same' },
      result: { walletName: name, watchonlyName: `${name}_watchonly`, solvablesName: null },
    });
    const path = (done.result?.kind === 'migrate' && done.result.backupPath) || '';
    expect(path.startsWith(node.walletsFolder)).toBe(true);
    expect(readFileSync(path)).toEqual(readFileSync(fixtureFile(name)));
    for (const migrated of [name, `${name}_watchonly`]) {
      const destination = join(folder, `${migrated}.bak`);
      const source = { by: 'wallet', name: migrated } as const;
      await run({ action: 'backup', source, answers: { destination } });
      const file = join(node.walletsFolder, migrated, 'wallet.dat');
      expect(readFileSync(destination)).toEqual(readFileSync(file));
    }
    expect(node.unrecorded).toEqual([]);
  });

  it.runIf(WITH_PASSPHRASE.has(release))(
    'migrates an encrypted wallet, and backs up the new one',
    async () => {
      const { node, run, folder } = await connected(release);
      const name = 'legacy-hd-encrypted';
      // The app tries the passphrase on the file, without the node.
      await expect(run(migrating(name, 'wrong'))).rejects.toMatchObject({ code: 'wrong_passphrase' });
      expect(node.countCalls('migratewallet')).toBe(0);
      const done = await run(migrating(name, fixturePassphrase(name)));
      expect(done).toMatchObject({
        state: 'done',
        result: {
          kind: 'migrate',
          walletName: name,
          watchonlyName: null,
          solvablesName: null,
          backupSeen: true,
        },
      });
      const path = done.result?.kind === 'migrate' ? done.result.backupPath : null;
      expect(readFileSync(path ?? '')).toEqual(readFileSync(fixtureFile(name)));
      const destination = join(folder, 'new.bak');
      const source = { by: 'wallet', name } as const;
      const backup = await run({ action: 'backup', source, answers: { destination } });
      expect(backup).toMatchObject({
        state: 'done',
        result: {
          kind: 'backup',
          proof: { seen: true, path: destination, sha256: sha256(readFileSync(destination)) },
        },
      });
      expect(node.unrecorded).toEqual([]);
    },
  );
});

it('migrates on a pruned node of release 32 without loading the new wallets, and says so', async () => {
  const { node, run, call } = await connected('32.0-pre', { pruneHeight: 136 });
  const name = 'legacy-watchonly';
  const migration = migrating(name);
  await expect(run(migration)).rejects.toMatchObject({ stops: [{ id: 'pruned' }] });
  expect(node.countCalls('migratewallet')).toBe(0);
  const done = await run({ ...migration, answers: { loadAfterwards: false } });
  expect(done).toMatchObject({
    state: 'done',
    proof: { verdict: 'partly', differences: [], scripts: { missing: { total: 0 } } },
    result: { walletName: name, watchonlyName: `${name}_watchonly`, leftUnloaded: true },
  });
  const [migrateCall] = node.calls.filter(({ method }) => method === 'migratewallet');
  expect(migrateCall).toMatchObject({ params: { wallet_name: name, load_wallet: false } });
  expect(await call('wallets.list')).toMatchObject({
    wallets: expect.arrayContaining([expect.objectContaining({ name, loaded: false })]),
  });
});
