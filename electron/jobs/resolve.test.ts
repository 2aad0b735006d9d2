import { chmod, cp, mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureFile, sha256 } from '../../e2e/testNode/walletFixture.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { canLockAsNode, lockAsNode } from '../files/testing/lockAsNode.ts';
import { writeSqlite } from '../walletfile/database/walletDatabase.ts';
import { typeIn } from '../walletfile/records/records.ts';
import { brokenWallet, brokenWallets } from '../walletfile/testing/foreignWallets.ts';
import { keyRecords, sampleKey } from '../walletfile/testing/sampleWallet.ts';
import { entriesOf } from '../walletfile/testing/wallets.ts';
import type { Evidence, Outcome } from './jobKind.ts';
import { concludeMigration } from './migrate.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import { createResumedJob } from './run/runJob.ts';
import { createBench, infoOf, proveNothing } from './testing/bench.ts';
import {
  BACKUP_TIME,
  interruptedStates,
  wholeLegacy,
  writeInterrupted,
} from './testing/interruptedStates.ts';

const before = {
  name: 'big',
  loadedBefore: [],
  onDiskBefore: ['big'],
  gavePassphrase: false,
  encrypted: false,
  fileForProof: null,
  balanceBefore: null,
};
const migration = { kind: 'migrate', ...before } as const;
const ofBackup = { backupFile: '/gone/big.dat', placed: null };

const kinds: readonly Checkpoint[] = [
  migration,
  { kind: 'restore-migrate', ...before, ...ofBackup },
  { kind: 'rescue', ...before, ...ofBackup, rescue: null },
];

const log = { backupPath: null, separated: [] } as unknown as Evidence['log'];

/** A node and its wallets folder. `resolve` finds the outcome of a job, by the files alone if the node is `gone`. */
async function bench() {
  const all = await createBench();
  const { folder, session, interruptions, node } = all;
  node.handlers.listwalletdir = async () => {
    const names = await readdir(folder, { withFileTypes: true });
    return { wallets: names.filter((one) => one.isDirectory()).map(({ name }) => ({ name })) };
  };
  const resolve = (
    checkpoint: Checkpoint,
    { gone = false, ...evidence }: Partial<Evidence> & { gone?: boolean } = {},
  ) =>
    createResumedJob(checkpoint, { prover: proveNothing, interruptions }).resolve({
      session: gone ? null : session,
      walletsFolder: folder,
      stillRunning: false,
      log,
      logWasRead: true,
      signal: new AbortController().signal,
      ...evidence,
    });
  return { ...all, resolve };
}

/** Has the node show these descriptor wallets as loaded. */
function load(node: Awaited<ReturnType<typeof bench>>['node'], ...names: string[]): void {
  node.handlers.listwallets = () => names;
  node.handlers.getwalletinfo = () => infoOf();
  node.handlers.listdescriptors = () => ({ descriptors: [{}] });
}

const stateOf = (outcome: Outcome | null) => outcome?.state ?? null;

describe('a migration that a killed node left incomplete', () => {
  for (const checkpoint of kinds) {
    it.each(interruptedStates)(`of ${checkpoint.kind} is interrupted: %s`, async (state, cause) => {
      const { folder, resolve } = await bench();
      const { file, backup } = writeInterrupted(folder, state);
      const [size, hash] = [wholeLegacy().length, sha256(wholeLegacy())];
      const found = { from: 'legacy-backup', made: BACKUP_TIME, size, sha256: hash, matches: false };
      const message = expect.stringMatching(
        /^Interrupted: the wallet was left (half migrated|incomplete)\.$/,
      );
      expect(await resolve(checkpoint)).toMatchObject({
        state: 'interrupted',
        error: { code: 'interrupted', message, hint: expect.stringContaining('Your coins are safe.') },
        interruption: { wallet: 'big', file, cause, copies: [{ path: backup, ...found }] },
      });
      expect(await resolve(checkpoint, { stillRunning: true })).toBe(null);
    });
  }

  it('is interrupted if a full disk left keys of both kinds', async () => {
    const { folder, resolve } = await bench();
    const { file, backup } = writeInterrupted(folder, 'legacy-in-sqlite');
    const records = [...(await entriesOf('descriptor-hd')), ...keyRecords(sampleKey(1))];
    await writeFile(file, await writeSqlite(records, 'regtest'));
    expect(await resolve(migration)).toMatchObject({
      state: 'interrupted',
      interruption: { cause: 'legacy-records', copies: [{ path: backup }] },
    });
  });

  it('is found by its files while the node is gone, once they are at rest', async () => {
    const { folder, resolve } = await bench();
    const { file } = writeInterrupted(folder, 'converting');
    const touch = async (time: Date) => {
      for (const path of [file, `${file}-journal`]) await utimes(path, time, time);
    };
    // The files are young for three seconds, which may pass before a busy machine reads them.
    const resolveYoung = async () => {
      await touch(new Date());
      return resolve(migration, { gone: true });
    };
    await expect.poll(resolveYoung).toBe(null);
    await touch(new Date(Date.now() - 60_000));
    expect(await resolve(migration, { gone: true })).toMatchObject({ state: 'interrupted' });
  });

  it('is interrupted even if the node has loaded the incomplete wallet', async () => {
    const { folder, node, resolve } = await bench();
    writeInterrupted(folder, 'empty-descriptor');
    node.handlers.listwallets = () => ['big'];
    node.handlers.getwalletinfo = () => infoOf({ txcount: 0 });
    node.handlers.listdescriptors = () => ({ descriptors: [] });
    expect(await resolve(migration)).toMatchObject({
      state: 'interrupted',
      interruption: { cause: 'no-descriptors' },
    });
  });

  it('is not called safe without a whole copy, and a damaged copy is not whole', async () => {
    const { folder, resolve } = await bench();
    const { backup } = writeInterrupted(folder, 'legacy-in-sqlite');
    await truncate(backup, 40_000);
    const outcome = await resolve(migration);
    const message = 'Interrupted: the wallet was left half migrated.';
    const error = { message, hint: expect.stringMatching(/^(?!.*\bsafe\b).*\.legacy\.bak/) };
    expect(outcome).toMatchObject({ state: 'interrupted', error, interruption: { copies: [] } });
    // Neither is an incomplete file with the name of a copy.
    await cp(join(folder, 'big', 'wallet.dat'), backup);
    expect(await resolve(migration)).toMatchObject({ interruption: { copies: [] } });
  });

  it('is interrupted if the file is gone, with the newest whole copy first', async () => {
    const { folder, resolve } = await bench();
    const { backup } = writeInterrupted(folder, 'converting');
    await rm(join(folder, 'big'), { recursive: true });
    const older = join(folder, `big-${BACKUP_TIME - 5000}.legacy.bak`);
    await writeFile(older, wholeLegacy());
    expect(await resolve(migration)).toMatchObject({
      interruption: { cause: 'missing', file: null, copies: [{ path: backup }, { path: older }] },
    });
  });
});

describe('a migration whose answer was lost', () => {
  const lay = async (folder: string, file: string, name = 'big') => {
    await mkdir(join(folder, name));
    await cp(file, join(folder, name, 'wallet.dat'));
    const earlier = new Date(Date.now() - 60_000);
    await utimes(join(folder, name, 'wallet.dat'), earlier, earlier);
  };

  it('failed with nothing changed while the file is the legacy wallet, with and without the node', async () => {
    const { folder, resolve } = await bench();
    await lay(folder, fixtureFile('legacy-hd'));
    const error = { code: 'connection_lost', hint: expect.stringContaining('Nothing was changed') };
    for (const gone of [false, true])
      expect(await resolve(migration, { gone })).toMatchObject({ state: 'failed', error });
  });

  it('is done once the file is a whole descriptor wallet and the node answers', async () => {
    const { folder, resolve } = await bench();
    await lay(folder, fixtureFile('descriptor-hd'));
    expect(await resolve(migration, { gone: true })).toBe(null);
    const backupPath = '/n/big_1.legacy.bak';
    const result = { walletName: 'big', leftUnloaded: true };
    const outcome = await resolve(migration, { log: { ...log, backupPath } });
    expect(outcome).toMatchObject({ state: 'done', result: { ...result, backupPath } });
    // Nor does it wait for the node once the user stops waiting.
    const alone = await resolve(migration, { gone: true, filesSuffice: true });
    expect(alone).toMatchObject({ state: 'done', result });
  });

  it('is done with the watch-only wallet if the old one only watched', async () => {
    const { folder, node, resolve } = await bench();
    await lay(folder, fixtureFile('descriptor-hd'), 'big_watchonly');
    expect(await resolve(migration, { gone: true })).toBe(null);
    const result = { walletName: 'big_watchonly', watchonlyName: 'big_watchonly', solvablesName: null };
    const alone = await resolve(migration, { gone: true, filesSuffice: true });
    expect(alone).toMatchObject({ state: 'done', result });
    node.handlers.listwallets = () => ['big_watchonly'];
    node.handlers.getwalletinfo = () => infoOf();
    expect(await resolve(migration)).toMatchObject({ state: 'done', result });
  });

  it.each([migration, { kind: 'restore-migrate', ...before, ...ofBackup } as const])(
    'failed with nothing changed if the node has loaded the legacy wallet ($kind)',
    async (checkpoint) => {
      const { node, resolve } = await bench();
      node.handlers.listwallets = () => ['big'];
      node.handlers.getwalletinfo = () => infoOf({ format: 'bdb', descriptors: false });
      const hint = expect.stringContaining('Nothing was changed. Try again');
      expect(await resolve(checkpoint)).toMatchObject({ state: 'failed', error: { hint } });
    },
  );

  it.each([
    [{}, 'big_watchonly'],
    [{ onDiskBefore: ['big'] }, 'big_watchonly'],
    [{ onDiskBefore: ['big', 'big_watchonly'] }, null],
    [{ loadedBefore: ['big_watchonly'] }, null],
  ])('names no companion that was there before, on the disk or loaded: %o', async (known, watchonlyName) => {
    const { node, resolve } = await bench();
    load(node, 'big', 'big_watchonly');
    node.handlers.listwalletdir = () => ({ wallets: ['big', 'big_watchonly'].map((name) => ({ name })) });
    const outcome = await resolve({ ...migration, onDiskBefore: [], ...known });
    expect(outcome).toMatchObject({ state: 'done', result: { watchonlyName } });
  });

  // SECURITY.md: Another node that answers after a lost connection
  it('is not done while the backup that the node named is missing', async () => {
    const { node, session, folder, resolve } = await bench();
    load(node, 'big');
    const backupPath = join(folder, 'big', 'big_1.legacy.bak');
    const resolveWith = (path: string, status = session.status) =>
      resolve(migration, { log: { ...log, backupPath: path }, session: { ...session, status } });
    const error = { code: 'outcome_unknown', hint: expect.stringContaining(backupPath) };
    expect(await resolveWith(backupPath)).toMatchObject({ state: 'unknown', error });
    expect(stateOf(await resolveWith('/in/a/container/big_1.legacy.bak'))).toBe('done');
    expect(
      stateOf(await resolveWith(backupPath, { ...session.status, local: false, walletsFolder: null })),
    ).toBe('done');
    await mkdir(join(folder, 'big'));
    await writeFile(backupPath, '');
    expect(await resolveWith(backupPath)).toMatchObject({ state: 'done', result: { backupSeen: true } });
  });

  it.each([
    // No wallet with keys is left: the answer names a companion.
    ['w', 'w_watchonly', { watchonlyName: 'w_watchonly', solvablesName: null }],
    ['', 'default_wallet_watchonly', { watchonlyName: 'default_wallet_watchonly', solvablesName: null }],
    ['w', 'w_solvables', { watchonlyName: null, solvablesName: 'w_solvables' }],
    // The wallet with keys is the main one, whatever its name.
    ['w', 'w', { watchonlyName: null, solvablesName: null }],
    ['x_watchonly', 'x_watchonly', { watchonlyName: null, solvablesName: null }],
    ['', '', { watchonlyName: null, solvablesName: null }],
    ['', 'default_wallet', { watchonlyName: null, solvablesName: null }],
  ])('of “%s” names “%s” as the companion that it is', async (name, walletName, companions) => {
    const answer = { walletName, watchonlyName: null, solvablesName: null, backupPath: null };
    const outcome = await concludeMigration({ ...migration, name }, answer, {
      local: true,
      walletsFolder: null,
    });
    expect(outcome).toMatchObject({ state: 'done', result: { walletName, ...companions } });
  });

  it('has the legacy backup with the bytes of the safety copy, also if no log names it', async () => {
    const { folder, appFolder } = await bench();
    const fileForProof = join(appFolder, 'copy.dat');
    await cp(fixtureFile('legacy-hd'), fileForProof);
    const backupPath = join(folder, `big_${BACKUP_TIME}.legacy.bak`);
    await cp(fileForProof, backupPath);
    await writeFile(
      join(folder, `big_${BACKUP_TIME + 1}.legacy.bak`),
      (await readFile(fileForProof)).fill(0, 0, 1),
    );
    await cp(fileForProof, join(folder, `other_${BACKUP_TIME}.legacy.bak`));
    const answer = { walletName: 'big', watchonlyName: null, solvablesName: null, backupPath: null };
    const conclude = (copy: string | null) =>
      concludeMigration({ ...migration, fileForProof: copy }, answer, { local: true, walletsFolder: folder });
    expect(await conclude(fileForProof)).toMatchObject({ result: { backupPath, backupSeen: true } });
    expect(await conclude(null)).toMatchObject({ result: { backupPath: null, backupSeen: null } });
  });

  it('is found by the answers alone on a node elsewhere', async () => {
    const { resolve, node, session } = await bench();
    const status = { ...session.status, local: false, walletsFolder: null };
    const there = { session: { ...session, status }, walletsFolder: null };
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'big' }] });
    expect(stateOf(await resolve(migration, there))).toBe('unknown');
    // A release that loads no legacy wallets warns of them alone.
    const on31 = { ...there, session: { ...session, status: { ...status, release: releaseOf(310_000) } } };
    expect(stateOf(await resolve(migration, on31))).toBe('unknown');
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'big', warnings: ['a legacy wallet'] }] });
    expect(await resolve(migration, on31)).toMatchObject({
      state: 'failed',
      error: { message: 'Not migrated.' },
    });
    node.handlers.listwallets = () => ['big'];
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.listdescriptors = () => ({ descriptors: [] });
    expect(stateOf(await resolve(migration, there))).toBe('interrupted');
    // The wallet was created blank.
    node.handlers.getwalletinfo = () => infoOf({ blank: true });
    expect(stateOf(await resolve(migration, there))).toBe('done');
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.listdescriptors = () => ({ descriptors: [{}] });
    expect(stateOf(await resolve(migration, there))).toBe('done');
  });
});

it('a migration whose legacy wallet the crash damaged is interrupted if the safety copy is whole', async () => {
  const { folder, appFolder, resolve } = await bench();
  const bytes = await readFile(fixtureFile('legacy-hd'));
  const fileForProof = join(appFolder, 'copy.dat');
  await writeFile(fileForProof, bytes);
  const damaged = Buffer.from(bytes).fill(0, 5 * 4096, 9 * 4096);
  await mkdir(join(folder, 'big'));
  const file = join(folder, 'big', 'wallet.dat');
  await writeFile(file, damaged);
  await utimes(file, 1, 1);
  const checkpoint = { ...migration, fileForProof };
  const interruption = { cause: 'cut-short', copies: [{ path: fileForProof }] };
  for (const gone of [false, true])
    expect(await resolve(checkpoint, { gone })).toMatchObject({ state: 'interrupted', interruption });
  // It was damaged before.
  await writeFile(fileForProof, damaged);
  expect(stateOf(await resolve(checkpoint))).toBe('failed');
});

it.runIf(canLockAsNode)(
  'an open bare wallet is not damaged, and a closed one beside an open one may be',
  async () => {
    const { node, folder, appFolder, resolve } = await bench();
    const bytes = await readFile(fixtureFile('legacy-hd'));
    const fileForProof = join(appFolder, 'copy.dat');
    await writeFile(fileForProof, bytes);
    await writeFile(join(folder, 'big'), bytes.fill(0, 5 * 4096, 9 * 4096));
    await cp(fixtureFile('legacy-imported'), join(folder, 'wallet.dat'));
    const checkpoint = { ...migration, fileForProof };
    // The app may not see the locks of the node.
    node.handlers.listwallets = () => ['', 'big'];
    expect(stateOf(await resolve(checkpoint))).toBe('failed');
    await lockAsNode(join(folder, '.walletlock'));
    expect(stateOf(await resolve(checkpoint))).toBe('failed');
    node.handlers.listwallets = () => [''];
    expect(stateOf(await resolve(checkpoint))).toBe('interrupted');
  },
);

describe('a migration with another wallet in its place', () => {
  it('is not done, whether the node has loaded that or is gone', async () => {
    const { node, folder, appFolder, resolve } = await bench();
    const fileForProof = join(appFolder, 'copy.dat');
    await cp(fixtureFile('legacy-hd'), fileForProof);
    await mkdir(join(folder, 'big'));
    const file = join(folder, 'big', 'wallet.dat');
    await cp(fixtureFile('descriptor-hd'), file);
    await utimes(file, 1, 1);
    const checkpoint = { ...migration, fileForProof };
    expect(stateOf(await resolve(checkpoint))).toBe('unknown');
    expect(stateOf(await resolve(checkpoint, { gone: true, filesSuffice: true }))).toBe('unknown');
    load(node, 'big');
    expect(stateOf(await resolve(checkpoint))).toBe('unknown');
    await rm(fileForProof);
    expect(stateOf(await resolve(checkpoint))).toBe('unknown');
  });
});

describe('a restore whose answer was lost', () => {
  const restoreOf = (backupFile: string, bytes: Uint8Array) =>
    ({ kind: 'restore', name: 'big', backupFile, sha256: sha256(bytes) }) as const;

  it.each(['legacy-hd', 'descriptor-hd'] as const)(
    'is found by the file in the wallets folder: %s',
    async (fixture) => {
      const { folder, appFolder, resolve } = await bench();
      const bytes = await readFile(fixtureFile(fixture));
      const backup = join(appFolder, 'backup.dat');
      await writeFile(backup, bytes);
      const checkpoint = restoreOf(backup, bytes);
      expect(stateOf(await resolve(checkpoint))).toBe('failed');
      expect(stateOf(await resolve(checkpoint, { gone: true }))).toBe('failed');
      const file = join(folder, 'big', 'wallet.dat');
      await mkdir(join(folder, 'big'));
      await writeFile(file, bytes.subarray(0, bytes.length / 2));
      const interruption = { cause: 'cut-short', copies: [{ path: backup, from: 'backup', matches: true }] };
      expect(await resolve(checkpoint)).toMatchObject({ state: 'interrupted', interruption });
      await writeFile(file, bytes);
      const result = { leftUnloaded: true, walletKind: fixture.split('-', 1)[0] };
      expect(await resolve(checkpoint)).toMatchObject({ state: 'done', result });
    },
  );

  it.each([
    ['descriptor-hd', 'descriptor-encrypted'],
    ['legacy-hd', 'legacy-imported'],
  ] as const)('is not done if another program put another wallet there: %s, %s', async (fixture, other) => {
    const { node, folder, appFolder, interruptions, resolve } = await bench();
    const backup = join(appFolder, 'backup.dat');
    await cp(fixtureFile(fixture), backup);
    await mkdir(join(folder, 'big'));
    const file = join(folder, 'big', 'wallet.dat');
    await cp(fixtureFile(other), file);
    await utimes(file, 1, 1);
    load(node, 'big');
    const checkpoint = restoreOf(backup, await readFile(backup));
    expect(stateOf(await resolve(checkpoint))).toBe('failed');
    expect(stateOf(await resolve(checkpoint, { gone: true, filesSuffice: true }))).toBe('failed');
    expect(await resolve(checkpoint, { stillRunning: true })).toBeNull();
    await cp(backup, file);
    expect(stateOf(await resolve(checkpoint))).toBe('done');
    // The stick with the backup is not there.
    const keysId = (await interruptions.examine(backup, new AbortController().signal))?.keysId ?? undefined;
    await rm(backup);
    expect(stateOf(await resolve({ ...checkpoint, keysId }))).toBe('done');
    await cp(fixtureFile(other), file);
    for (const one of [checkpoint, { ...checkpoint, keysId }])
      expect(stateOf(await resolve(one))).toBe('unknown');
  });

  it.runIf(brokenWallets.length > 0)(
    'is done if the file is whole with its log, and interrupted without it',
    async () => {
      const { folder, appFolder, resolve } = await bench();
      const { bytes, logs } = brokenWallet('unclean-new-keys');
      const backup = join(appFolder, 'backup.dat');
      await writeFile(backup, bytes);
      const checkpoint = restoreOf(backup, bytes);
      await mkdir(join(folder, 'big', 'database'), { recursive: true });
      await writeFile(join(folder, 'big', 'wallet.dat'), bytes);
      for (const log of logs) await writeFile(join(folder, 'big', 'database', basename(log.name)), log.bytes);
      const result = { leftUnloaded: true, walletKind: 'legacy' };
      expect(await resolve(checkpoint)).toMatchObject({ state: 'done', result });
      await rm(join(folder, 'big', 'database'), { recursive: true });
      const whole = await readFile(fixtureFile('legacy-hd'));
      await writeFile(backup, whole);
      const interruption = { cause: 'cut-short', copies: [{ path: backup }] };
      expect(await resolve(restoreOf(backup, whole))).toMatchObject({ state: 'interrupted', interruption });
    },
  );
});

describe('a backup whose answer was lost', () => {
  it('is not known of a node whose disk the app may not see, and unloads the wallet once', async () => {
    const { appFolder, session, node, resolve } = await bench();
    node.handlers.unloadwallet = () => ({});
    const checkpoint = {
      kind: 'backup',
      name: 'big',
      newBackup: join(appFolder, 'b.dat'),
      unloads: true,
    } as const;
    const there = { session: { ...session, status: { ...session.status, walletsFolder: null } } };
    const look = () => resolve(checkpoint, { ...there, walletsFolder: null, sameRun: true });
    expect([stateOf(await look()), stateOf(await look())]).toEqual(['unknown', 'unknown']);
    // The user may have loaded it again in between.
    expect(node.calls.filter(({ method }) => method === 'unloadwallet')).toHaveLength(1);
  });

  it('is done with the keys that its file has, unless they are another wallet’s', async () => {
    const { folder, appFolder, resolve } = await bench();
    await mkdir(join(folder, 'big'));
    await cp(fixtureFile('legacy-hd'), join(folder, 'big', 'wallet.dat'));
    const newBackup = join(appFolder, 'backup.dat');
    const checkpoint = { kind: 'backup', name: 'big', newBackup } as const;
    await cp(fixtureFile('legacy-imported'), newBackup);
    await chmod(newBackup, 0o644);
    const { mode } = await stat(newBackup);
    for (const gone of [false, true])
      expect(await resolve(checkpoint, { gone })).toMatchObject({
        state: 'failed',
        error: { code: 'not_a_wallet' },
      });
    expect((await stat(newBackup)).mode).toBe(mode);
    await cp(fixtureFile('legacy-hd'), newBackup);
    const saved = { kind: 'legacy', encrypted: false, keysId: expect.any(String) };
    expect(await resolve(checkpoint)).toMatchObject({ state: 'done', result: { saved } });
  });

  it('is done if the wallet has only some of its keys, as one from before the wallet changed', async () => {
    const { folder, appFolder, resolve } = await bench();
    const newBackup = join(appFolder, 'backup.dat');
    await cp(fixtureFile('descriptor-hd'), newBackup);
    await mkdir(join(folder, 'big'));
    const records = await entriesOf('descriptor-hd');
    const first = records.findIndex(({ key }) => typeIn(key) === 'walletdescriptor');
    const own = await writeSqlite(records.toSpliced(first, 1), 'regtest');
    await writeFile(join(folder, 'big', 'wallet.dat'), own);
    expect(await resolve({ kind: 'backup', name: 'big', newBackup })).toMatchObject({ state: 'done' });
  });
});

describe('an undo that was interrupted', () => {
  const [both, one] = [
    ['w', 'w_watchonly'],
    ['w (migrated)', 'w_watchonly'],
  ];
  const aside = ['w (migrated)', 'w (migrated)_watchonly'];
  const renamedWallets = both.map((name, at) => ({ name, newName: aside[at] ?? '' }));
  it.each([
    // Nothing was renamed, so the loaded wallet is the migrated one.
    ['before its first call', ['w'], both, 'failed', /try again/i],
    ['between two renames', [], one, 'failed', /“w” may be “w \(migrated\)” now/],
    ['before the restore', [], aside, 'failed', /Nothing is lost/],
    ['after the restore', [], ['w', ...aside], 'unknown', /backup file is unchanged/],
    ['once it was loaded', ['w'], ['w', ...aside], 'done', null],
  ])('is found by the names in the wallets folder: %s', async (_, loaded, onDisk, state, hint) => {
    const { node, resolve } = await bench();
    node.handlers.listwallets = () => loaded;
    node.handlers.listwalletdir = () => ({ wallets: onDisk.map((name) => ({ name })) });
    const checkpoint = { kind: 'restore', name: 'w', backupFile: '/b', renamedWallets } as const;
    const outcome = await resolve(checkpoint, { walletsFolder: null });
    expect(outcome?.state).toBe(state);
    if (hint === null) expect(outcome).toMatchObject({ result: { renamedWallets, backupFile: '/b' } });
    else expect(outcome).toMatchObject({ error: { hint: expect.stringMatching(hint) } });
  });

  it.each([[one], [aside]])(
    'gives the wallets their names back, but not in a later session: %j',
    async (renamed) => {
      const { node, resolve } = await bench();
      let onDisk = [...renamed];
      node.handlers.listwallets = () => [];
      node.handlers.listwalletdir = () => ({ wallets: onDisk.map((name) => ({ name })) });
      node.handlers.renamewallet = ({ params }) => {
        const { wallet_name: from, new_name: to } = params as Record<string, string>;
        onDisk = onDisk.map((name) => (name === from ? (to ?? '') : name));
        return { name: to };
      };
      const checkpoint = { kind: 'restore', name: 'w', backupFile: '/b', renamedWallets } as const;
      const error = { hint: expect.stringContaining('Nothing was changed') };
      expect(stateOf(await resolve(checkpoint, { walletsFolder: null }))).toBe('failed');
      expect(onDisk).toEqual(renamed);
      const evidence = { walletsFolder: null, isSender: true };
      expect(await resolve(checkpoint, evidence)).toMatchObject({ state: 'failed', error });
      expect(onDisk).toEqual(both);
    },
  );
});

describe('a backup whose answer was lost', () => {
  it('is done if the file is whole, failed if it is not, and unknown if the app cannot see it', async () => {
    const { appFolder, session, resolve } = await bench();
    const destination = join(appFolder, 'new.bak');
    const checkpoint = { kind: 'backup', name: 'big', newBackup: destination } as const;
    expect(stateOf(await resolve(checkpoint))).toBe('failed');
    const bytes = await readFile(fixtureFile('descriptor-hd'));
    // The header claims more pages, or the last pages are zeros.
    await writeFile(destination, bytes.subarray(0, 8192));
    expect(stateOf(await resolve(checkpoint))).toBe('failed');
    await writeFile(destination, new Uint8Array(bytes).fill(0, 8192));
    expect(await resolve(checkpoint)).toMatchObject({ state: 'failed', error: { code: 'not_a_wallet' } });
    await writeFile(destination, bytes);
    expect(await resolve(checkpoint)).toMatchObject({ state: 'done', result: { proof: { seen: true } } });
    expect(stateOf(await resolve(checkpoint, { gone: true }))).toBe('done');
    const elsewhere = {
      session: { ...session, status: { ...session.status, local: false, walletsFolder: null } },
    };
    const outcome = await resolve(checkpoint, { ...elsewhere, walletsFolder: null });
    expect(outcome).toMatchObject({ state: 'unknown', error: { code: 'outcome_unknown' } });
  });
});
