import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fixtureFile, fixturePassphrase, releases } from '../testNode/testNode.ts';
import { sha256 } from '../testNode/walletFixture.ts';
import { type Bench, startBench } from './services.ts';

let bench: Bench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

async function connected(...[release, scenario]: Parameters<typeof startBench>): Promise<Bench> {
  bench = await startBench(release, scenario);
  await bench.connect();
  return bench;
}

describe.each(releases)('on release %s', (release) => {
  it('restores a descriptor backup', async () => {
    const { node, run } = await connected(release);
    const done = await run('restore.start', {
      name: 'from backup',
      backupFile: join(node.backupsFolder, 'descriptor.bak'),
      loadOnStartup: null,
    });
    expect(done).toMatchObject({
      state: 'done',
      warnings: [],
      error: null,
      result: { kind: 'restore', walletName: 'from backup', walletKind: 'descriptor', balance: 930_000_000n },
    });
    expect(done.steps.map(({ state }) => state)).not.toContain('running');
    expect(done.log.some((line) => line.includes('[from backup] Wallet completed loading'))).toBe(true);
    expect(node.unrecorded).toEqual([]);
  });

  it.runIf(release !== '23.0')('migrates an encrypted wallet, and backs up what came of it', async () => {
    const { node, run, folder } = await connected(release);
    const name = 'legacy-hd-encrypted';
    const wrong = await run('migrate.start', { name, passphrase: 'not it' });
    expect(wrong).toMatchObject({ state: 'failed', error: { code: 'wrong_passphrase', node: { code: -4 } } });
    const done = await run('migrate.start', { name, passphrase: fixturePassphrase(name) });
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
    const backup = await run('backup.start', { name, destination });
    expect(backup).toMatchObject({
      state: 'done',
      result: {
        kind: 'backup',
        proof: { seen: true, path: destination, sha256: sha256(readFileSync(destination)) },
      },
    });
    expect(node.unrecorded).toEqual([]);
  });
});

it('does not migrate on a release that cannot', async () => {
  const { node, call } = await connected('23.0');
  await expect(call('migrate.start', { name: 'legacy-hd' })).rejects.toMatchObject({
    code: 'release_unsupported',
  });
  expect(node.countCalls('migratewallet')).toBe(0);
});

it('sends one name only, so that path and call cannot disagree', async () => {
  const { node, run } = await connected('31.0');
  await run('migrate.start', { name: 'legacy-hd' });
  const [sent] = node.calls.filter(({ method }) => method === 'migratewallet');
  expect(sent).toMatchObject({ wallet: null, params: { wallet_name: 'legacy-hd' } });
});

it('says in the node’s words why a restore failed, and what is safe', async () => {
  const { node, call, run } = await connected('31.0');
  const restore = (name: string, file: string) =>
    run('restore.start', { name, backupFile: join(node.backupsFolder, file), loadOnStartup: null });
  await expect(
    call('restore.start', {
      name: 'savings',
      backupFile: join(node.backupsFolder, 'descriptor.bak'),
      loadOnStartup: null,
    }),
  ).rejects.toMatchObject({ code: 'name_taken' });
  for (const file of ['notes.txt', 'empty.bak', 'truncated.bak', 'legacy.bak', 'missing.bak']) {
    const outcome = await restore('new', file).catch((thrown: unknown) => thrown);
    const error = outcome instanceof Error ? outcome : (outcome as { error: unknown }).error;
    expect(error, file).toMatchObject({ message: expect.any(String), hint: expect.stringMatching(/.{10}/) });
    expect(existsSync(join(node.walletsFolder, 'new'))).toBe(false);
  }
});

it('follows a rescan in the log, through its rotation', async () => {
  const { node, call, until } = await connected('31.0', {
    rescan: { shares: [0.1, 0.42], ms: 200, hold: true },
  });
  const { id } = (await call('restore.start', {
    name: 'long',
    backupFile: join(node.backupsFolder, 'descriptor.bak'),
    loadOnStartup: null,
  })) as { id: string };
  const far = await until(id, ({ progress }) => (progress?.fraction ?? 0) > 0.4);
  expect(far).toMatchObject({ measured: 'log', progress: { source: 'log', wallet: 'long', blocks: 137 } });
  node.rotateLog();
  node.letGo();
  expect(await until(id, ({ state }) => state !== 'running')).toMatchObject({ state: 'done' });
});

it('finds out how a migration ended whose line was cut', async () => {
  const { node, call, until } = await connected('31.0', { rescan: { shares: [0.5], ms: 50, hold: true } });
  const { id } = (await call('migrate.start', { name: 'legacy-hd' })) as { id: string };
  await until(id, ({ progress }) => progress !== null);
  await node.cut();
  await until(id, ({ line }) => line === 'lost');
  node.letGo();
  await node.mend();
  const ended = await until(id, ({ state }) => state !== 'running');
  expect(ended).toMatchObject({ state: 'done', result: { kind: 'migrate', walletName: 'legacy-hd' } });
});

it('keeps secrets out of every snapshot and event', async () => {
  const { node, events, run, call } = await connected('31.0');
  const passphrase = fixturePassphrase('legacy-hd-encrypted');
  await run('migrate.start', { name: 'legacy-hd-encrypted', passphrase: `${passphrase} wrong` });
  await run('migrate.start', { name: 'legacy-hd-encrypted', passphrase });
  const told = JSON.stringify([events, await call('operations.list'), await call('nodes.connection')]);
  expect(told).not.toContain(passphrase);
  expect(told).not.toContain(node.cookiePassword());
});
