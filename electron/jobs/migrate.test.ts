import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rpc } from '../../e2e/testNode/scriptedNode.ts';
import { fixtureFile, fixturePassphrase } from '../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../shared/model/errors.ts';
import { releaseOf, type Session } from '../bitcoind/rpc/session.ts';
import { failing } from '../files/testing/failing.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import { createJobs } from './run/jobs.ts';
import type { JournalEntry } from './run/journal.ts';
import type { SafetyCopies } from './safetyCopies/safetyCopies.ts';
import {
  createBench,
  infoOf,
  journalWith,
  putWallet,
  recordedLog,
  running,
  stepStates,
} from './testing/bench.ts';
import type { PlanNotRun } from './testing/planNotRun.ts';

/** A node whose folder holds these wallets, none loaded. */
const benchWith = async (names: string[], ...options: Parameters<typeof createBench>) => {
  const bench = await createBench(...options);
  bench.node.handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
  return bench;
};

const refusal = () => rpc(-4, 'Error: something about the wallet');

describe('a migration', () => {
  it('does not start for another wallet than the plan showed', async () => {
    const { plan, run, node, folder } = await benchWith(['w']);
    await mkdir(join(folder, 'w'));
    const file = join(folder, 'w', 'wallet.dat');
    await cp(fixtureFile('legacy-hd'), file);
    node.handlers.listwallets = () => [];
    const shown = await plan({ action: 'migrate', source: { by: 'wallet', name: 'w' }, answers: {} });
    await cp(fixtureFile('legacy-imported'), file);
    await expect(run(shown, { answers: {} })).rejects.toMatchObject({ code: 'file_changed' });
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  });

  it('reports the new wallets and whether the backup exists', async () => {
    const prover = () => Promise.reject(new AppError('connection_lost', 'The connection was lost.', ''));
    const { migrate, node, writeLog, folder, ended } = await benchWith(['legacy-solvable'], {}, { prover });
    const backupPath = join(folder, 'legacy-solvable_1795181064.legacy.bak');
    await writeFile(backupPath, 'backup');
    const nextCall = node.hold('migratewallet');
    const [name, solvables] = ['legacy-solvable', 'legacy-solvable_solvables'];
    const started = await migrate({ name, passphrase: 'secret words' });
    expect(started).toMatchObject({ kind: 'migrate', wallet: name, state: 'running', measured: 'log' });
    const call = await nextCall();
    expect(call.params).toEqual({ wallet_name: name, passphrase: 'secret words' });
    writeLog(...recordedLog('31.0', 'migrate-solvable'));
    call.answer({ wallet_name: name, solvables_name: solvables, backup_path: backupPath });
    const end = await ended();
    const names = { walletName: name, watchonlyName: null, solvablesName: solvables };
    const result = { kind: 'migrate', ...names, backupPath, backupSeen: true };
    const legacyBackup = expect.stringMatching(/legacy-solvable_1795181064\.legacy\.bak$/);
    expect(end).toMatchObject({ state: 'done', result, legacyBackup });
    expect(stepStates(end)).toEqual({
      'safety-copy': 'skipped',
      sent: 'done',
      'backing-up': 'done',
      converting: 'done',
      separating: 'done',
      loading: 'done',
      rescanning: 'done',
      proving: 'skipped',
    });
  });

  it.each([
    ['that is missing', true, '', false],
    ['in the folder of a container as unknown', true, '/gone', null],
    ['on another machine as unknown', false, '/gone', null],
  ])('reports a backup %s', async (_, local, place, backupSeen) => {
    const { node, migrate, ended, folder } = await benchWith(['w'], { local }, { log: local });
    const backupPath = join(place || folder, 'w_1.legacy.bak');
    node.handlers.migratewallet = () => ({ wallet_name: 'w', backup_path: backupPath });
    await migrate({ name: 'w' });
    expect(await ended()).toMatchObject({ result: { backupPath, backupSeen } });
  });

  it('does not start if the safety copy of a whole wallet is damaged', async () => {
    const { node, folder, migrate, ended } = await createBench({ release: releaseOf(290_300) });
    await putWallet(folder, 'w', 'legacy-hd');
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    node.handlers.listwallets = () => ['w'];
    node.handlers.backupwallet = async ({ params }) => {
      const destination = String((params as unknown[])[0]);
      const bytes = await readFile(fixtureFile('legacy-hd'));
      await writeFile(destination, destination.includes('copies') ? bytes.fill(0, 20_480, 36_864) : bytes);
      return null;
    };
    await migrate({ name: 'w' });
    const message = 'The node’s copy is not a whole wallet.';
    expect(await ended()).toMatchObject({ state: 'failed', error: { message } });
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  });

  it('sends no passphrase if the user gave none', async () => {
    const { migrate, node, ended } = await benchWith(['w']);
    node.handlers.migratewallet = () => ({ wallet_name: 'w', backup_path: '/x.legacy.bak' });
    await migrate({ name: 'w', passphrase: '' });
    await ended();
    expect(node.calls.find(({ method }) => method === 'migratewallet')?.params).toEqual({ wallet_name: 'w' });
  });

  it('never puts the passphrase into a snapshot', async () => {
    const { jobs, migrate, node, emitted, ended } = await benchWith(['w']);
    node.handlers.migratewallet = failing(refusal());
    await migrate({ name: 'w', passphrase: 'correct horse battery staple' });
    await ended();
    expect(JSON.stringify([emitted, jobs.list()])).not.toContain('correct horse');
  });
});

it.each([
  [{ path: '/there/wallet.bak', source: null, size: null, sha256: null }, null],
  [
    { path: '/copies/wallet.dat', source: '/w/wallet.dat', size: 1, sha256: 'cd'.repeat(32) },
    '/copies/wallet.dat',
  ],
])('compares with the copy of the wallet itself, never with that of another: %o', async (own, compared) => {
  const beside = { path: '/copies/beside 1 other.dat', source: '/w/other', size: 1, sha256: 'ab'.repeat(32) };
  const untold = failing(new Error('not to be called'));
  const copies: SafetyCopies = {
    planFor: async () => ({
      how: 'backupwallet',
      text: '',
      file: null,
      folder: null,
      copies: [],
      calls: [],
      otherWalletsSize: 0,
      notFound: [],
    }),
    folderFor: async () => '/none',
    copyWallet: async () => ({
      id: 'one',
      wallet: '',
      node: { label: 'a', network: 'regtest' },
      made: 1,
      how: 'backupwallet',
      note: null,
      files: [own, beside],
    }),
    copyFile: untold,
    list: untold,
    cleanup: untold,
  };
  const checkpoints: Checkpoint[] = [];
  const journal = journalWith(({ checkpoint }) => checkpoints.push(checkpoint));
  const bench = await benchWith([''], { release: releaseOf(310_000) }, { copies, journal });
  bench.node.handlers.migratewallet = () => ({ wallet_name: '', backup_path: '/x.legacy.bak' });
  await bench.migrate({ name: '' });
  await bench.ended();
  expect(checkpoints.at(-1)).toMatchObject({ fileForProof: compared });
});

it('keeps the names of the wallets in the folder, loaded or not', async () => {
  const entries: JournalEntry[] = [];
  const journal = journalWith((entry) => entries.push(entry));
  const { migrate, node } = await benchWith(['w', 'w_watchonly'], {}, { journal });
  node.hold('migratewallet');
  await migrate({ name: 'w' });
  expect(entries[0]?.checkpoint).toMatchObject({ loadedBefore: [], onDiskBefore: ['w', 'w_watchonly'] });
});

describe('before a migration', () => {
  it('the user confirms a copy of a wallet that the app cannot copy', async () => {
    const bench = await benchWith(['w'], { release: releaseOf(310_000) });
    bench.node.handlers.migratewallet = () => ({ wallet_name: 'w', backup_path: '/x.legacy.bak' });
    const request = { action: 'migrate', source: { by: 'wallet', name: 'w' } } as const;
    const ask = (value: boolean) => expect.arrayContaining([{ ask: 'own-copy', value }]);
    const { plan } = await bench.start({ ...request, answers: { hasOwnCopy: false } }).then(
      () => expect.fail('it started'),
      (thrown: PlanNotRun) => thrown,
    );
    expect(plan.asks).toEqual(ask(false));
    expect(bench.emitted).toEqual([]);
    const again = await bench.plan({ ...request, answers: { hasOwnCopy: true }, previousPlan: plan.id });
    expect(again).toMatchObject({ id: plan.id, asks: ask(true) });
    await bench.run(again);
    expect(await bench.ended()).toMatchObject({ state: 'done', safetyCopy: null });
  });

  it('the offline engine accepts the unnamed wallet, although it reports release 30.0', async () => {
    const engine = await benchWith([''], { release: releaseOf(300_000), offline: true });
    engine.node.handlers.migratewallet = () => ({ wallet_name: '', backup_path: '/x.legacy.bak' });
    await engine.migrate({ name: '' });
    expect(await engine.ended()).toMatchObject({ state: 'done' });
  });
});

describe('a migration that the node refuses', () => {
  const refuse = async (
    log: string[] | null,
    {
      passphrase,
      loaded,
      offline = false,
      isFileSeen = false,
    }: {
      passphrase?: string;
      loaded?: Record<string, unknown>;
      offline?: boolean;
      isFileSeen?: boolean;
    } = {},
  ) => {
    const name = 'legacy-hd-encrypted';
    const bench = await benchWith([name], { offline }, { log: log !== null });
    if (isFileSeen) await putWallet(bench.folder, name, name);
    if (loaded) {
      bench.node.handlers.listwallets = () => [name];
      bench.node.handlers.getwalletinfo = () => infoOf({ descriptors: false, format: 'bdb', ...loaded });
    }
    bench.node.handlers.migratewallet = () => {
      bench.writeLog(...(log ?? []));
      throw refusal();
    };
    await bench.migrate({ name, ...(passphrase === undefined ? {} : { passphrase }) });
    const { state, error } = await bench.ended();
    expect(state).toBe('failed');
    expect(error?.node).toEqual({ code: -4, message: 'Error: something about the wallet' });
    return error;
  };

  it.each([['25.2'], ['28.1'], ['29.3'], ['30.0'], ['31.0']])(
    'because of the passphrase is recognised by the log of %s, not by the words',
    async (release) => {
      const log = recordedLog(release, 'migrate-encrypted-wrong-passphrase');
      const error = await refuse(log, { passphrase: 'wrong' });
      expect(error?.code).toBe('wrong_passphrase');
      expect(error?.hint).toMatch(/^Nothing was changed.*legacy-hd-encrypted[-_]\d+\.legacy\.bak/);
    },
  );

  /** A loaded wallet that the node cannot copy, so that the app unloads it. */
  async function unloadedForCopy(release = 290_300, options = {}) {
    const all = await benchWith(['w'], { release: releaseOf(release) }, options);
    const { node, folder } = all;
    const file = await putWallet(folder, 'w', 'legacy-hd');
    const state = { loaded: ['w'], failures: 0 };
    node.handlers.listwallets = () => state.loaded;
    node.handlers.getwalletinfo = () => infoOf({ descriptors: false, format: 'bdb' });
    node.handlers.backupwallet = failing(refusal());
    node.handlers.unloadwallet = () => {
      state.loaded = [];
      return {};
    };
    node.handlers.loadwallet = () => {
      state.failures -= 1;
      if (state.failures >= 0) throw refusal();
      state.loaded = ['w'];
      return { name: 'w' };
    };
    node.handlers.migratewallet = failing(refusal());
    return { ...all, file, state };
  }

  it.each([240_000, 290_300])(
    'loads the wallet again that was unloaded for its copy: %s',
    async (release) => {
      const { state, migrate, ended } = await unloadedForCopy(release);
      // Release 24.0 gets the wallet loaded before its migration.
      state.failures = release === 240_000 ? 1 : 0;
      await migrate({ name: 'w' });
      expect(await ended()).toMatchObject({ state: 'failed', safetyCopy: { how: 'copied' } });
      expect(state.loaded).toEqual(['w']);
    },
  );

  it('loads it again later if the node refuses that, and says so', async () => {
    const { state, migrate, ended, last, node, file, jobs } = await unloadedForCopy();
    const unload = node.handlers.unloadwallet;
    node.handlers.unloadwallet = async (call) => {
      await rm(file);
      return unload?.(call);
    };
    state.failures = 1;
    await migrate({ name: 'w' });
    const leftCopy = { path: 'w', why: 'not-loaded-again', text: refusal().node?.message };
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'file_missing' }, leftCopy });
    await jobs.removeLeftCopies();
    expect(last().leftCopy).toBeUndefined();
    expect(state.loaded).toEqual(['w']);
  });

  it('loads it again if the user stops the job meanwhile', async () => {
    const { state, migrate, ended, last, node, jobs } = await unloadedForCopy();
    const unload = node.handlers.unloadwallet;
    node.handlers.unloadwallet = (call) => {
      jobs.stopWaiting(last().id);
      return unload?.(call);
    };
    await migrate({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'failed', leftCopy: { path: 'w' } });
    await expect.poll(() => last().leftCopy).toBeUndefined();
    expect(state.loaded).toEqual(['w']);
  });

  it.each([true, false])('loads it again at the next start (call sent: %s)', async (sent) => {
    const all = await unloadedForCopy(290_300, { journal: 'kept' });
    const { state, migrate, node, jobs, journal, options, session } = all;
    const nextCall = node.hold('migratewallet');
    await migrate({ name: 'w' });
    await nextCall();
    jobs.close();
    node.handlers.getrpcinfo = () => running();
    const [entry] = (await journal.read()).entries;
    if (entry === undefined) throw new Error('nothing was written');
    journal.write({ ...entry, sent });
    const connection: { session: () => Session } = {
      session: failing(new AppError('not_connected', 'none', '')),
    };
    const next = createJobs({ ...options, session: () => connection.session() });
    onTestFinished(() => next.close());
    const first = async () => (await next.list())[0];
    if (!sent) expect(await first()).toMatchObject({ state: 'failed', leftCopy: { path: 'w' } });
    expect(state.loaded).toEqual([]);
    connection.session = () => session;
    await next.removeLeftCopies();
    await expect.poll(() => state.loaded).toEqual(['w']);
    await expect.poll(first).toMatchObject({ state: 'failed' });
    expect((await first())?.leftCopy).toBeUndefined();
  });

  it('without a passphrase asks for it', async () => {
    const error = await refuse(recordedLog('31.0', 'migrate-encrypted-no-passphrase'));
    expect(error?.code).toBe('wallet_unlock_needed');
  });

  it('after the conversion started is not blamed on the passphrase', async () => {
    const log = [
      ...recordedLog('31.0', 'migrate-encrypted-wrong-passphrase'),
      '[legacy-hd-encrypted] Migrating wallet storage database from BerkeleyDB to SQLite.',
    ];
    const error = await refuse(log, { passphrase: 'right' });
    expect(error).toMatchObject({ code: 'wallet_error', hint: expect.stringContaining('.legacy.bak') });
  });

  const ofClient = { code: 'wallet_error', hint: 'Hint of the client.' };

  it('does not mention a backup that the engine removed', async () => {
    const log = ['copied /n/legacy-hd-encrypted/wallet.dat to /legacy-hd-encrypted_1795181064.legacy.bak'];
    expect(await refuse(log, { offline: true })).toMatchObject(ofClient);
    const wrong = { passphrase: 'wrong', loaded: { unlocked_until: 0 } };
    const error = await refuse(log, { ...wrong, offline: true });
    expect(error).toMatchObject({ code: 'wrong_passphrase', hint: expect.not.stringContaining('backup') });
    // The node of a container names paths of its own.
    expect((await refuse(log, wrong))?.hint).toContain(
      'may be at /legacy-hd-encrypted_1795181064.legacy.bak',
    );
  });

  it('before the backup, or without encryption, is not blamed on the passphrase either', async () => {
    expect(await refuse([], { passphrase: 'x' })).toMatchObject(ofClient);
    const plain = [
      '[legacy-hd-encrypted] Legacy Wallet Keys: 7 plaintext, 0 encrypted, 7 w/ metadata, 7 total.',
      'copied /n/legacy-hd-encrypted/wallet.dat to /n/legacy-hd-encrypted_1795181064.legacy.bak',
    ];
    expect(await refuse(plain, { passphrase: 'x' })).toMatchObject({ code: 'wallet_error' });
  });

  it('counts a wallet as encrypted if the node said so before', async () => {
    const log = ['copied /n/legacy-hd-encrypted/wallet.dat to /n/legacy-hd-encrypted_1795181064.legacy.bak'];
    const error = await refuse(log, { passphrase: 'wrong', loaded: { unlocked_until: 0 } });
    expect(error?.code).toBe('wrong_passphrase');
  });

  it('is not blamed on a passphrase that the wallet’s file proved right', async () => {
    const seen = { passphrase: fixturePassphrase('legacy-hd-encrypted'), isFileSeen: true };
    const log = recordedLog('31.0', 'migrate-encrypted-wrong-passphrase');
    expect(await refuse(log, seen)).toMatchObject({ code: 'wallet_error' });
    expect(await refuse(null, seen)).toMatchObject({ hint: expect.not.stringContaining('passphrase') });
  });

  it('without a readable log names the passphrase as a possible cause only', async () => {
    const hint = 'Hint of the client. The passphrase may be wrong.';
    expect(await refuse(null, { passphrase: 'x' })).toMatchObject({ code: 'wallet_error', hint });
    expect(await refuse(null, { passphrase: 'x', loaded: {} })).toMatchObject(ofClient);
  });
});
