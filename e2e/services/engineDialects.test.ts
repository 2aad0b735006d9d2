/**
 * Jobs on the offline engine, which imitates several releases. It restores and migrates real wallet files, and the tests
 * compare the results with those of nodes. `electron/engine/replay.test.ts` compares the engine's answers with the
 * recordings; `e2e/specs/offline.spec.ts` tests work without a node on the page.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startTestEngine } from '../../electron/engine/testing/testEngine.ts';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import { unclosedWallet } from '../../electron/walletfile/testing/berkeleyLogs.ts';
import { requests } from '../../shared/contract.ts';
import type { Job } from '../../shared/model/job.ts';
import { checksOf, findBlocker, plan } from '../../shared/model/plan.ts';
import { hashesBelow } from '../app/filesBelow.ts';
import type { EngineRelease } from '../app/startEngine.ts';
import { migrationFacts, sortedDescriptors } from '../app/walletFacts.ts';
import { type FixtureName, fixtureFile } from '../testNode/testNode.ts';
import { byCookie, migrating, openServices, restoring, type Start, start } from './services.ts';

/** The balances of the fixtures, in satoshi, as their files last recorded them. */
const DESCRIPTOR_BALANCE = 930_000_000n;
const LEGACY_BALANCE = 859_997_180n;
/** Leaves out `verdict`: the engine runs in this process and may report a balance too late on a busy machine (`partly`). */
const NOTHING_LOST = { scripts: expect.any(Object), transactions: expect.any(Object), differences: [] };
// The engine derives thousands of scripts.
vi.setConfig({ testTimeout: 300_000 });

type Connected = Awaited<ReturnType<typeof connected>>;

/** The app's back end, connected to an engine with these wallets, by name. */
async function connected(release: EngineRelease, copies: Readonly<Record<string, FixtureName>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-engine-'));
  const test = await startTestEngine(join(folder, 'engine'), { release, copies });
  const { services, call, until } = openServices(join(folder, 'data'));
  onTestFinished(async () => {
    await services.close();
    await test.engine.stop();
    await removeTestFolder(folder);
  });
  const port = Number(new URL(test.engine.url).port);
  await call('nodes.connect', byCookie({ port, cookieFile: test.engine.cookie }));
  const planOf = async ({ action, source, answers = {} }: Start) =>
    plan.parse(await call('plan.make', { action, source, answers }));
  return {
    ...test,
    /** Calls the engine directly, past the app. */
    callEngine: async (method: string, params: unknown[], wallet?: string) =>
      test.call(method, params, wallet === undefined ? '/' : `/wallet/${encodeURIComponent(wallet)}`),
    bytesOf: (name: string) => readFileSync(join(test.walletsFolder, name, 'wallet.dat')),
    planOf,
    run: async (job: Start): Promise<Job> => {
      const { id } = await start(call, job);
      return until(id, ({ state }) => state !== 'running');
    },
    /** The wallet in the app's list of wallets. */
    listed: async (name: string) => {
      const { wallets } = requests['wallets.list'].output.parse(await call('wallets.list'));
      return wallets.find((one) => one.name === name);
    },
  };
}

const bytesOfFixture = (name: FixtureName) => readFileSync(fixtureFile(name));

// Release 25 changed the shape of the warnings.
it.each([23, 30] as const)('restores a descriptor wallet under a new name on release %s', async (release) => {
  const { run, listed, bytesOf } = await connected(release);
  expect(await run(restoring(fixtureFile('descriptor-hd'), 'restored'))).toMatchObject({
    state: 'done',
    result: { walletKind: 'descriptor', balance: DESCRIPTOR_BALANCE },
  });
  expect(bytesOf('restored')).toEqual(bytesOfFixture('descriptor-hd'));
  expect(await listed('restored')).toMatchObject({ kind: 'descriptor' });
});

it('restores a legacy wallet unchanged on release 23, which cannot migrate', async () => {
  const { run, listed, bytesOf } = await connected(23);
  expect(await run(restoring(fixtureFile('legacy-hd'), 'old one'))).toMatchObject({
    kind: 'restore',
    state: 'done',
    warnings: [],
    result: { walletKind: 'legacy', balance: LEGACY_BALANCE },
  });
  expect(bytesOf('old one')).toEqual(bytesOfFixture('legacy-hd'));
  expect(await listed('old one')).toMatchObject({ kind: 'legacy' });
});

it('rescues an unclean file with a lost page, using the log beside it', async () => {
  const { run, listed, callEngine } = await connected(30);
  const folder = mkdtempSync(join(tmpdir(), 'ferry-broken-'));
  onTestFinished(() => removeTestFolder(folder));
  const { bytes, log } = unclosedWallet(bytesOfFixture('legacy-hd'));
  bytes.fill(0, 6 * 4096, 7 * 4096);
  const file = join(folder, 'wallet.dat');
  mkdirSync(join(folder, 'database'));
  writeFileSync(file, bytes);
  writeFileSync(join(folder, 'database', log.name), log.bytes);
  const before = hashesBelow(folder);
  const job = await run({ ...restoring(file, 'saved'), action: 'rescue' });
  expect(job).toMatchObject({
    kind: 'rescue',
    state: 'done',
    proof: NOTHING_LOST,
    result: { rescue: { log: { redone: 2 }, saved: { keys: 68 }, unclean: false }, backupSeen: true },
  });
  expect(await listed('saved')).toMatchObject({ kind: 'descriptor' });
  expect((await callEngine('getbalances', [], 'saved')).result).toMatchObject({
    mine: { trusted: Number(LEGACY_BALANCE) / 1e8 },
  });
  expect(hashesBelow(folder)).toEqual(before);
  expect(Object.keys(hashesBelow(dirname(job.safetyCopy?.files[0]?.path ?? '')))).toEqual([
    'copy.json',
    'wallet.dat',
  ]);
});

// The release does not change what a migration creates, so each recorded wallet is migrated on just one.
it('migrates legacy-solvable on release 30 to the same wallets as a node', async () => {
  await migrated(30, 'legacy-solvable');
});

/** Migrates the fixture and expects the wallets that nodes created. Returns the engine and the path of the legacy backup. */
async function migrated(release: EngineRelease, fixture: FixtureName) {
  const it = await connected(release, { [fixture]: fixture });
  expect(await it.listed(fixture)).toMatchObject({ kind: 'legacy' });
  const done = await it.run(migrating(fixture));
  expect(done).toMatchObject({ state: 'done', proof: NOTHING_LOST });
  const backup = (done.result?.kind === 'migrate' && done.result.backupPath) || '';
  expect(readFileSync(backup)).toEqual(bytesOfFixture(fixture));
  expect(basename(backup)).toMatch(
    new RegExp(`^${fixture}${release === 25 ? '-' : '_'}\\d+\\.legacy\\.bak$`),
  );
  await expectNodesWallets(it, fixture, release);
  for (const { name } of migrationFacts(fixture, release)) {
    expect(await it.listed(name)).toMatchObject({ kind: 'descriptor' });
  }
  return { ...it, backup };
}

it('migrates legacy-hd on release 25, and restores its backup under another name', async () => {
  const { run, listed, bytesOf, callEngine, backup } = await migrated(25, 'legacy-hd');
  expect(await run({ ...restoring(backup, 'before'), action: 'undo' })).toMatchObject({
    state: 'done',
    result: { balance: LEGACY_BALANCE },
  });
  expect(await listed('before')).toMatchObject({ kind: 'legacy' });
  expect(await listed('legacy-hd')).toMatchObject({ kind: 'descriptor' });
  const [fact] = migrationFacts('legacy-hd', 25);
  expect((await callEngine('getbalances', [], 'legacy-hd')).result).toMatchObject({
    mine: { trusted: fact?.balance },
  });
  expect(bytesOf('before')).toEqual(bytesOfFixture('legacy-hd'));
});

it('migrates legacy-watchonly on release 28, undoes that, and keeps the migrated wallets', async () => {
  const name = 'legacy-watchonly';
  const { run, planOf, listed, bytesOf, walletsFolder, backup } = await migrated(28, name);
  const companion = bytesOf(`${name}_watchonly`);
  const undoing = { action: 'undo', source: { by: 'file', path: backup } } as const;

  const before = await planOf({ ...undoing, answers: { name } });
  expect(checksOf(before).map(({ verdict }) => verdict)).not.toContain('warning');
  expect(findBlocker(before, false)).toBeNull();
  const moved = backup.replace(join(walletsFolder, name), join(walletsFolder, `${name} (migrated)`));
  expect(before.calls.map(({ method, params }) => [method, params])).toEqual([
    ['renamewallet', { wallet_name: name, new_name: `${name} (migrated)` }],
    ['renamewallet', { wallet_name: `${name}_watchonly`, new_name: `${name} (migrated)_watchonly` }],
    ['restorewallet', { wallet_name: name, backup_file: moved }],
  ]);
  // The default name is the one in the backup's name.
  expect((await planOf(undoing)).calls).toEqual(before.calls);

  expect(await run({ ...undoing, answers: { name } })).toMatchObject({
    state: 'done',
    result: {
      walletName: name,
      walletKind: 'legacy',
      backupFile: moved,
      renamedWallets: [{ newName: `${name} (migrated)` }, { newName: `${name} (migrated)_watchonly` }],
    },
  });
  expect(bytesOf(name)).toEqual(bytesOfFixture(name));
  expect(readFileSync(moved)).toEqual(bytesOfFixture(name));
  expect(bytesOf(`${name} (migrated)_watchonly`)).toEqual(companion);
  expect(await listed(`${name} (migrated)`)).toMatchObject({ kind: 'descriptor' });

  // Now a legacy wallet has the name, and the app renames descriptor wallets only.
  const taken = await planOf({ action: 'undo', source: { by: 'file', path: moved }, answers: { name } });
  expect(taken.calls).toHaveLength(1);
  expect(findBlocker(taken, false)).toMatchObject({ check: { verdict: 'blocker' } });
});

/** Expects the wallets that nodes created, with the same descriptors, each in its own SQLite file, and no others. */
async function expectNodesWallets(
  { callEngine, bytesOf, walletsFolder }: Connected,
  fixture: FixtureName,
  release: EngineRelease,
): Promise<void> {
  const facts = migrationFacts(fixture, release);
  for (const { name, descriptors, balance } of facts) {
    // Nobody watched the solvable scripts before, so only a rescan of a chain finds their coins.
    const trusted = name.endsWith('_solvables') ? 0 : balance;
    expect((await callEngine('getbalances', [], name)).result).toMatchObject({ mine: { trusted } });
    expect(sortedDescriptors((await callEngine('listdescriptors', [], name)).result)).toEqual(descriptors);
    expect(bytesOf(name).subarray(0, 15).toString()).toBe('SQLite format 3');
  }
  const folders = readdirSync(walletsFolder, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(facts.map(({ name }) => name).sort());
}
