import { cp, mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureFile, sha256 } from '../../e2e/testNode/walletFixture.ts';
import { writeSqlite } from '../walletfile/database/walletDatabase.ts';
import { brokenWallet, brokenWallets } from '../walletfile/testing/foreignWallets.ts';
import { keyRecords, sampleKey } from '../walletfile/testing/sampleWallet.ts';
import { entriesOf } from '../walletfile/testing/wallets.ts';
import type { Evidence, Outcome } from './jobKind.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import { resumedJobOf } from './run/runJob.ts';
import { createBench, infoOf, proveNothing } from './testing/bench.ts';
import {
  BACKUP_TIME,
  interruptedAreHere,
  interruptedStates,
  layInterrupted,
  wholeLegacy,
} from './testing/interruptedStates.ts';

const before = {
  name: 'big',
  loadedBefore: [],
  onDiskBefore: ['big'],
  gavePassphrase: false,
  encrypted: false,
  before: null,
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

/** A node whose wallets folder is laid by `lay`, asked or gone. */
async function bench() {
  const all = await createBench();
  const { folder, session, interruptions, node } = all;
  node.handlers.listwalletdir = async () => {
    const names = await readdir(folder, { withFileTypes: true });
    return { wallets: names.filter((one) => one.isDirectory()).map(({ name }) => ({ name })) };
  };
  const told = (
    checkpoint: Checkpoint,
    { gone = false, ...look }: Partial<Evidence> & { gone?: boolean } = {},
  ) =>
    resumedJobOf(checkpoint, { prover: proveNothing, interruptions }).resolve({
      session: gone ? null : session,
      walletsFolder: folder,
      ...{ stillRunning: false, log, readable: true, signal: new AbortController().signal, ...look },
    });
  return { ...all, told };
}

const stateOf = (outcome: Outcome | null) => outcome?.state ?? null;

describe.runIf(interruptedAreHere)('a wallet whose migration was cut off by the end of a real node', () => {
  for (const checkpoint of kinds) {
    it.each(interruptedStates)(`of ${checkpoint.kind} is interrupted: %s`, async (state, cause) => {
      const { folder, told } = await bench();
      const { backup } = layInterrupted(folder, state);
      const copies = [
        {
          path: backup,
          from: 'legacy-backup',
          made: BACKUP_TIME,
          size: wholeLegacy().length,
          sha256: sha256(wholeLegacy()),
          matches: false,
        },
      ];
      const expected = {
        state: 'interrupted',
        error: { code: 'interrupted', message: 'Interrupted. Your wallet is safe.' },
        interruption: { wallet: 'big', file: join(folder, 'big', 'wallet.dat'), cause, copies },
      };
      expect(await told(checkpoint)).toMatchObject(expected);
      expect(await told(checkpoint, { stillRunning: true })).toBe(null);
    });
  }

  it('is interrupted where a full disk left keys of both kinds', async () => {
    const { folder, told } = await bench();
    const { file, backup } = layInterrupted(folder, 'legacy-in-sqlite');
    const records = [...(await entriesOf('descriptor-hd')), ...keyRecords(sampleKey(1))];
    await writeFile(file, await writeSqlite(records, 'regtest'));
    expect(await told(migration)).toMatchObject({
      state: 'interrupted',
      interruption: { cause: 'legacy-records', copies: [{ path: backup }] },
    });
  });

  it('is told by its files while the node is gone, once they rest', async () => {
    const { folder, told } = await bench();
    const { file } = layInterrupted(folder, 'converting');
    for (const path of [file, `${file}-journal`]) await utimes(path, new Date(), new Date());
    expect(await told(migration, { gone: true })).toBe(null);
    const earlier = new Date(Date.now() - 60_000);
    for (const path of [file, `${file}-journal`]) await utimes(path, earlier, earlier);
    expect(await told(migration, { gone: true })).toMatchObject({ state: 'interrupted' });
  });

  it('is interrupted also where the node has loaded what is left', async () => {
    const { folder, node, told } = await bench();
    layInterrupted(folder, 'empty-descriptor');
    node.handlers.listwallets = () => ['big'];
    node.handlers.getwalletinfo = () => infoOf({ txcount: 0 });
    node.handlers.listdescriptors = () => ({ descriptors: [] });
    expect(await told(migration)).toMatchObject({
      state: 'interrupted',
      interruption: { cause: 'no-descriptors' },
    });
  });

  it('is not called safe without a whole copy, and a damaged one is none', async () => {
    const { folder, told } = await bench();
    const { backup } = layInterrupted(folder, 'legacy-in-sqlite');
    await truncate(backup, 40_000);
    const outcome = await told(migration);
    expect(outcome).toMatchObject({ state: 'interrupted', interruption: { copies: [] } });
    expect(outcome).toMatchObject({
      error: { message: 'Interrupted.', hint: expect.stringContaining('.legacy.bak') },
    });
    // A half-made file under the name of a copy is none either.
    await cp(join(folder, 'big', 'wallet.dat'), backup);
    expect(await told(migration)).toMatchObject({ interruption: { copies: [] } });
  });

  it('is interrupted where the file is gone, and put back from the newest whole copy', async () => {
    const { folder, told } = await bench();
    const { backup } = layInterrupted(folder, 'converting');
    await rm(join(folder, 'big'), { recursive: true });
    const older = join(folder, `big-${BACKUP_TIME - 5000}.legacy.bak`);
    await writeFile(older, wholeLegacy());
    expect(await told(migration)).toMatchObject({
      interruption: { cause: 'missing', file: null, copies: [{ path: backup }, { path: older }] },
    });
  });
});

describe('a migration of which the answer is lost', () => {
  const lay = async (folder: string, file: string, name = 'big') => {
    await mkdir(join(folder, name));
    await cp(file, join(folder, name, 'wallet.dat'));
    const earlier = new Date(Date.now() - 60_000);
    await utimes(join(folder, name, 'wallet.dat'), earlier, earlier);
  };

  it('is unchanged while the file is the legacy wallet, with the node and without', async () => {
    const { folder, told } = await bench();
    await lay(folder, fixtureFile('legacy-hd'));
    for (const gone of [false, true]) {
      expect(await told(migration, { gone })).toMatchObject({
        state: 'failed',
        error: { code: 'connection_lost', hint: expect.stringContaining('Nothing was changed') },
      });
    }
  });

  it('is done once the file is a whole descriptor wallet, which only the node concludes', async () => {
    const { folder, told } = await bench();
    await lay(folder, fixtureFile('descriptor-hd'));
    expect(await told(migration, { gone: true })).toBe(null);
    expect(await told(migration)).toMatchObject({ state: 'done', result: { leftUnloaded: true } });
  });

  it('is done by its files alone once the job no longer waits for the node', async () => {
    const { folder, told } = await bench();
    await lay(folder, fixtureFile('descriptor-hd'));
    const result = { walletName: 'big', leftUnloaded: true };
    expect(await told(migration, { gone: true, filesAlone: true })).toMatchObject({ state: 'done', result });
  });

  it('of a wallet that only watched is done, not interrupted, with its watch-only wallet', async () => {
    const { folder, told } = await bench();
    await lay(folder, fixtureFile('descriptor-hd'), 'big_watchonly');
    expect(await told(migration, { gone: true })).toBe(null);
    const result = { walletName: 'big_watchonly', watchonlyName: 'big_watchonly', solvablesName: null };
    expect(await told(migration, { gone: true, filesAlone: true })).toMatchObject({ state: 'done', result });
  });

  it('of a node elsewhere is told by its answers alone', async () => {
    const { told, node, session } = await bench();
    const there = {
      session: { ...session, status: { ...session.status, local: false } },
      walletsFolder: null,
    };
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'big' }] });
    expect(stateOf(await told(migration, there))).toBe('unknown');
    node.handlers.listwallets = () => ['big'];
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.listdescriptors = () => ({ descriptors: [] });
    expect(stateOf(await told(migration, there))).toBe('interrupted');
    // Blank by intention.
    node.handlers.getwalletinfo = () => infoOf({ blank: true });
    expect(stateOf(await told(migration, there))).toBe('done');
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.listdescriptors = () => ({ descriptors: [{}] });
    expect(stateOf(await told(migration, there))).toBe('done');
  });
});

describe('a restore of which the answer is lost', () => {
  const restoreOf = (backupFile: string, bytes: Uint8Array) =>
    ({ kind: 'restore', name: 'big', backupFile, sha256: sha256(bytes) }) as const;

  it.each(['legacy-hd', 'descriptor-hd'] as const)('is told by what lies there: %s', async (fixture) => {
    const { folder, appFolder, told } = await bench();
    const bytes = await readFile(fixtureFile(fixture));
    const backup = join(appFolder, 'backup.dat');
    await writeFile(backup, bytes);
    const checkpoint = restoreOf(backup, bytes);
    expect(stateOf(await told(checkpoint))).toBe('failed');
    expect(stateOf(await told(checkpoint, { gone: true }))).toBe('failed');
    const file = join(folder, 'big', 'wallet.dat');
    await mkdir(join(folder, 'big'));
    await writeFile(file, bytes.subarray(0, bytes.length / 2));
    expect(await told(checkpoint)).toMatchObject({
      state: 'interrupted',
      interruption: { cause: 'cut-short', copies: [{ path: backup, from: 'backup', matches: true }] },
    });
    await writeFile(file, bytes);
    expect(await told(checkpoint)).toMatchObject({
      state: 'done',
      result: { leftUnloaded: true, walletKind: fixture === 'legacy-hd' ? 'legacy' : 'descriptor' },
    });
  });

  it.runIf(brokenWallets.length > 0)(
    'is done if the file is whole with its log, and interrupted without it',
    async () => {
      const { folder, appFolder, told } = await bench();
      const { bytes, logs } = brokenWallet('unclean-new-keys');
      const backup = join(appFolder, 'backup.dat');
      await writeFile(backup, await readFile(fixtureFile('legacy-hd')));
      const checkpoint = restoreOf(backup, await readFile(backup));
      await mkdir(join(folder, 'big', 'database'), { recursive: true });
      await writeFile(join(folder, 'big', 'wallet.dat'), bytes);
      for (const log of logs) await writeFile(join(folder, 'big', 'database', basename(log.name)), log.bytes);
      expect(await told(checkpoint)).toMatchObject({
        state: 'done',
        result: { leftUnloaded: true, walletKind: 'legacy' },
      });
      await rm(join(folder, 'big', 'database'), { recursive: true });
      expect(await told(checkpoint)).toMatchObject({
        state: 'interrupted',
        interruption: { cause: 'cut-short', copies: [{ path: backup }] },
      });
    },
  );
});

describe('a backup of which the answer is lost', () => {
  it('is done where the file is whole, and failed where it is not', async () => {
    const { appFolder, told } = await bench();
    const destination = join(appFolder, 'new.bak');
    const checkpoint = { kind: 'backup', name: 'big', backupFile: destination } as const;
    expect(stateOf(await told(checkpoint))).toBe('failed');
    const bytes = await readFile(fixtureFile('descriptor-hd'));
    // Its header says more pages than there are, or the last ones are zeros.
    await writeFile(destination, bytes.subarray(0, 8192));
    expect(stateOf(await told(checkpoint))).toBe('failed');
    await writeFile(destination, new Uint8Array(bytes).fill(0, 8192));
    expect(await told(checkpoint)).toMatchObject({ state: 'failed', error: { code: 'not_a_wallet' } });
    await writeFile(destination, bytes);
    expect(await told(checkpoint)).toMatchObject({ state: 'done', result: { proof: { seen: true } } });
    expect(stateOf(await told(checkpoint, { gone: true }))).toBe('done');
  });
});
