import { chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { lacksProof } from '../../../shared/model/job.ts';
import { deferred } from '../../../shared/testing/deferred.ts';
import { outcomeLines } from '../../../shared/wording/jobLines.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import { failing } from '../../files/testing/failing.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { migratedFile } from '../../walletfile/testing/newWallet.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import type { Prover } from '../proof/proof.ts';
import { createSafetyCopies, type SafetyCopies } from '../safetyCopies/safetyCopies.ts';
import {
  createBench,
  createWalletsBench,
  infoOf,
  journalWith,
  putWallet,
  running,
} from '../testing/bench.ts';
import { wholeLegacy, writeInterruptedFiles } from '../testing/interruptedStates.ts';
import { createJobs } from './jobs.ts';

const LEGACY = fixtureFile('legacy-hd');

async function newCopies() {
  const folder = makeTestFolder();
  return { folder, copies: createSafetyCopies({ work: walletWorkHere, folder }) };
}

/** A migration whose safety copy the node writes, without an answer. `logpath`: of another node that took the address. */
async function stalled(logpath?: string) {
  const { folder: copiesFolder, copies } = await newCopies();
  const reportedLogPath = logpath === undefined ? null : '/seen/debug.log';
  const bench = await createBench(
    { release: releaseOf(290_300), reportedLogPath },
    { answerPollMs: 5, copies },
  );
  const { node, migrate, folder } = bench;
  await putWallet(folder, 'w', 'legacy-hd');
  node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
  node.handlers.listwallets = () => ['w'];
  node.handlers.getwalletinfo = () => infoOf({ descriptors: false });
  node.handlers.getrpcinfo = () => ({ ...running('backupwallet'), logpath });
  const nextCall = node.hold('backupwallet');
  const holding = node.handlers.backupwallet;
  node.handlers.backupwallet = (call) => {
    const place = String((call.params as unknown[])[0]);
    // The copy that the plan reads is written at once.
    return place.startsWith(copiesFolder) ? holding?.(call) : copyFile(LEGACY, place).then(() => null);
  };
  const { id } = await migrate({ name: 'w' });
  const sent = () => node.calls.filter(({ method }) => method === 'migratewallet').length;
  return { ...bench, id, nextCall, sent, copiesFolder };
}

describe('a safety copy without an answer of the node', () => {
  it('shows since when the node is silent, and can be stopped with nothing migrated', async () => {
    const { node, jobs, id, nextCall, clock, until, ended, sent, copiesFolder } = await stalled();
    await nextCall();
    const start = clock.now;
    node.handlers.getrpcinfo = () => {
      clock.now += 60;
      throw lost('timed_out');
    };
    expect(await until(({ silentSince }) => silentSince !== undefined)).toMatchObject({ silentSince: start });
    jobs.stopWaiting(id);
    // The copy may have unloaded or loaded the wallet, so the hint must not say that it is unchanged.
    const hint = expect.stringMatching(/^(?!.*Nothing was sent).*may be loaded now/);
    const error = { code: 'cancelled', message: expect.stringContaining('before anything was sent'), hint };
    expect(await ended()).toMatchObject({ state: 'failed', silentSince: undefined, error });
    expect(sent()).toBe(0);
    expect(await readdir(copiesFolder)).toEqual([]);
    expect(jobs.running().length).toBe(0);
  });

  it('ends as lost once the node no longer works on it', async () => {
    const { node, nextCall, ended, sent } = await stalled();
    await nextCall();
    node.handlers.getrpcinfo = () => running();
    const error = { code: 'connection_lost', hint: expect.stringContaining('was not sent') };
    expect(await ended()).toMatchObject({ state: 'failed', error });
    expect(sent()).toBe(0);
  });

  it('is never asked of another node that took the address', async () => {
    const { ended, node, copiesFolder } = await stalled('/other/debug.log');
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'not_connected' } });
    const written = node.calls.flatMap(({ method, params }) =>
      method === 'backupwallet' ? [String((params as unknown[])[0])] : [],
    );
    expect(written.filter((place) => place.startsWith(copiesFolder))).toEqual([]);
  });

  it('waits while the node works on the call', async () => {
    const { node, nextCall, last, ended, sent, folder } = await stalled();
    const call = await nextCall();
    const statusCalls = () => node.calls.filter(({ method }) => method === 'getrpcinfo').length;
    const before = statusCalls();
    await vi.waitFor(() => expect(statusCalls()).toBeGreaterThan(before + 4));
    expect(last()).toMatchObject({ state: 'running', connection: 'ok' });
    expect(last().silentSince).toBeUndefined();
    node.handlers.migratewallet = () => ({ wallet_name: 'w', backup_path: '/x.legacy.bak' });
    await copyFile(join(folder, 'w', 'wallet.dat'), String((call.params as unknown[])[0]));
    call.answer(null);
    expect(await ended()).toMatchObject({ state: 'done', safetyCopy: { how: 'backupwallet' } });
    expect(sent()).toBe(1);
  });
});

describe('a job that is stopped before its call', () => {
  it('ends although its preparation hangs', async () => {
    const forever = () => new Promise<never>(() => undefined);
    const copies: SafetyCopies = {
      planFor: async () => ({
        how: 'copied',
        text: '',
        file: LEGACY,
        folder: '/none',
        copies: [],
        calls: [],
        otherWalletsSize: 0,
        notFound: [],
      }),
      folderFor: async () => '/none',
      copyWallet: forever,
      copyFile: forever,
      list: forever,
      cleanup: forever,
    };
    const { node, jobs, migrate, ended } = await createBench({ release: releaseOf(310_000) }, { copies });
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    const { id } = await migrate({ name: 'w' });
    jobs.stopWaiting(id);
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
    expect(jobs.running().length).toBe(0);
  });

  it('removes what it placed, without asking a silent node', async () => {
    const { copies } = await newCopies();
    const { promise: placed, resolve: onPlaced } = deferred();
    const journal = journalWith(({ checkpoint }) => {
      if (checkpoint.kind === 'restore-migrate' && checkpoint.placed !== null) onPlaced();
    });
    const release = releaseOf(310_000);
    const { node, wallets, jobs, restore, ended } = await createWalletsBench(
      { release },
      { copies, journal },
    );
    const { id } = await restore({ name: 'back', backupFile: LEGACY });
    node.hold('listwallets');
    void placed.then(() => jobs.stopWaiting(id));
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(await readdir(wallets)).toEqual(['other']);
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  });
});

describe('the comparison after a job', () => {
  const compared = async (prover: Prover) => {
    const bench = await createBench({}, { prover });
    bench.node.handlers.restorewallet = () => ({ name: 'w' });
    bench.node.handlers.getwalletinfo = () => infoOf();
    await bench.restore({ name: 'w', backupFile: fixtureFile('descriptor-hd') });
    return bench;
  };
  const done = { state: 'done', result: { walletName: 'w' }, proof: null, error: null };

  it('can be left out by a user who stops waiting', async () => {
    const { promise: hasStarted, resolve: begin } = deferred();
    const { jobs, last, ended } = await compared(() => {
      begin();
      return new Promise(() => undefined);
    });
    await hasStarted;
    jobs.stopWaiting(last().id);
    const job = await ended();
    expect(job).toMatchObject(done);
    expect(lacksProof(job)).toBe(true);
  });

  it('does not make the outcome unknown if it fails, and says why', async () => {
    const { ended } = await compared(failing(new AppError('no_space', 'Disk full.', '')));
    const job = await ended();
    expect(job).toMatchObject({ ...done, proofError: { code: 'no_space' } });
    expect(outcomeLines(job).join('\n')).toContain('Not compared\n  Disk full.');
  });
});

/** A restore without an answer, on a node that the app asks about it every few milliseconds. */
async function silent() {
  const bench = await createBench({}, { answerPollMs: 5 });
  const { node, restore } = bench;
  const nextCall = node.hold('restorewallet');
  node.handlers.getrpcinfo = () => running('restorewallet');
  await restore({ name: 'w', backupFile: fixtureFile('descriptor-hd') });
  const statusCalls = () => node.calls.filter(({ method }) => method === 'getrpcinfo').length;
  return { ...bench, call: await nextCall(), statusCalls };
}

describe('a connection that stays open without an answer', () => {
  it('is closed once the node no longer works on the call, and the wallet shows that the job is done', async () => {
    const { node, ended } = await silent();
    node.handlers.listwallets = () => ['w'];
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.getrpcinfo = () => running();
    expect(await ended()).toMatchObject({ state: 'done', connection: 'ok', result: { walletName: 'w' } });
    expect(node.calls.filter(({ method }) => method === 'restorewallet')).toHaveLength(1);
  });

  it('is closed if the call never reached the node, and the job has failed', async () => {
    const { node, ended } = await silent();
    // A restore loads no wallet first, so another client does.
    node.handlers.getrpcinfo = () => running('loadwallet');
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'connection_lost' } });
  });

  it.each([
    ['works on it', () => running('restorewallet')],
    ['does not tell what runs', failing(rpc(-32601, 'Method not found', 'unknown_method'))],
    ['is too busy to say', failing(lost('busy'))],
  ] as const)('stays open while the node %s', async (_, answer) => {
    const { node, statusCalls, call, ended, last, until, emitted, writeLog } = await silent();
    node.handlers.getrpcinfo = answer;
    const before = statusCalls();
    writeLog('[w] Still rescanning. At block 100. Progress=0.5');
    await until(() => statusCalls() > before + 4);
    expect(last()).toMatchObject({ state: 'running', connection: 'ok' });
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done' });
    expect(emitted.map(({ connection }) => connection)).not.toContain('lost');
  });

  it('stays open if the call was missing from the running calls only once', async () => {
    const { node, statusCalls, call, ended, until, emitted } = await silent();
    const answers = [running(), running('restorewallet'), running()];
    node.handlers.getrpcinfo = () => answers.shift() ?? running('restorewallet');
    const before = statusCalls();
    await until(() => statusCalls() > before + 5);
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done' });
    expect(emitted.map(({ connection }) => connection)).not.toContain('lost');
  });

  it('shows since when the node is silent, until it answers again', async () => {
    const { node, clock, until, call, ended } = await silent();
    const start = clock.now;
    node.handlers.getrpcinfo = () => {
      clock.now += 60;
      throw lost('timed_out');
    };
    const { silentSince } = await until((job) => job.silentSince !== undefined);
    expect(silentSince).toBe(start);
    node.handlers.getrpcinfo = () => running('restorewallet');
    await until((job) => job.silentSince === undefined);
    call.answer({ name: 'w' });
    expect(await ended()).toMatchObject({ state: 'done', silentSince: undefined });
  });
});

it('says that a node which refused a restore has the wallet loaded without its file', async () => {
  const refused = async (code: number, loaded: readonly string[], isThere = false) => {
    const { node, folder, restore, ended } = await createBench();
    node.handlers.restorewallet = async () => {
      if (isThere) await putWallet(folder, 'w', 'descriptor-hd');
      node.handlers.listwallets = () => loaded;
      throw rpc(code, 'filesystem error: cannot remove: Directory not empty');
    };
    await restore({ name: 'w', backupFile: fixtureFile('descriptor-hd'), loadOnStartup: true });
    const { state, error } = await ended();
    return `${state}: ${error?.hint}`;
  };
  expect(await refused(-1, ['w'])).toContain('deleted its file. Unload');
  // It is restored all the same.
  expect(await refused(-1, ['w'], true)).toContain('done: ');
  expect(await refused(-1, [])).toMatch(/^failed: (?!.*Unload)/);
  expect(await refused(-36, ['w'])).toMatch(/^failed: (?!.*Unload)/);
});

/** A migration that the node refuses. `leave`: what it does to the wallet's folder before. */
async function refusedMigration(leave: (bench: Bench, folder: string) => Promise<void> | void) {
  const bench = await createWalletsBench({ release: releaseOf(310_000), network: 'regtest' });
  const { node, wallets, start, options } = bench;
  const folder = join(wallets, 'w');
  await putWallet(wallets, 'w', 'legacy-hd');
  node.handlers.migratewallet = async () => {
    await leave(bench, folder);
    throw rpc(-4, 'Error: the disk is full');
  };
  let looks = 0;
  const stoppedNodeFolder = async () => {
    looks += 1;
    // Until it has stopped, the node listens at its port.
    return looks < 4 ? null : wallets;
  };
  const jobs = createJobs({ ...options, stoppedNodeFolder });
  onTestFinished(() => jobs.close());
  await start({ action: 'migrate', source: { by: 'wallet', name: 'w' } }, jobs);
  const statusCalls = () => node.calls.filter(({ method }) => method === 'getrpcinfo').length;
  return { ...bench, statusCalls };
}
type Bench = Awaited<ReturnType<typeof createWalletsBench>>;

/** Replaces the wallet by what a migration that stopped in the middle leaves, next to the node's backup. */
async function leaveIncomplete({ wallets }: Bench, folder: string) {
  await rm(join(folder, 'wallet.dat'));
  writeInterruptedFiles('descriptors-half', folder);
  await writeFile(join(wallets, 'w_1795651085.legacy.bak'), wholeLegacy());
}

describe('a migration that the node refuses', () => {
  it('is interrupted if the wallet was left incomplete, also while another migration hides it', async () => {
    const { node, statusCalls, until, last, ended } = await refusedMigration(async (bench, folder) => {
      bench.node.handlers.getrpcinfo = () => running('migratewallet');
      await leaveIncomplete(bench, folder);
    });
    // That migration may be of this wallet, which it would finish.
    await until(() => statusCalls() > 8);
    expect(last()).toMatchObject({ state: 'running', connection: 'ok' });
    node.handlers.getrpcinfo = () => running();
    const { state, interruption } = await ended();
    expect(state).toBe('interrupted');
    expect(interruption?.copies.map(({ from }) => from)).toContain('legacy-backup');
  });

  it('has an unknown outcome if another migration hides for 30 checks whether it left the wallet incomplete', async () => {
    const { statusCalls, ended } = await refusedMigration(async (bench, folder) => {
      bench.node.handlers.getrpcinfo = () => running('migratewallet');
      await leaveIncomplete(bench, folder);
    });
    expect(await ended()).toMatchObject({ state: 'unknown', error: { message: 'Error: the disk is full' } });
    expect(statusCalls()).toBeGreaterThanOrEqual(30);
  });

  it.each([
    [
      'interrupted',
      'fails in the middle',
      -1,
      'Attempt to write settings file when dynamic settings are disabled.',
    ],
    ['failed', 'refuses, while another client migrates', -4, 'Wallet already being migrated.'],
  ])(
    'is %s if a node on another machine %s and has a new companion wallet',
    async (state, _, code, message) => {
      const { node, migrate, ended } = await createBench({
        release: releaseOf(310_000),
        local: false,
        logPath: null,
        walletsFolder: null,
      });
      const names = ['w'];
      node.handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
      node.handlers.migratewallet = () => {
        names.push('w_watchonly');
        throw rpc(code, message);
      };
      await migrate({ name: 'w' });
      expect((await ended()).state).toBe(state);
    },
  );

  it('is interrupted although the login may not ask which calls run', async () => {
    const { ended } = await refusedMigration(async (bench, folder) => {
      bench.node.handlers.getrpcinfo = failing(lost('forbidden'));
      await leaveIncomplete(bench, folder);
    });
    expect(await ended()).toMatchObject({ state: 'interrupted' });
  });

  it('is interrupted if the node stops and leaves the wallet incomplete', async () => {
    const { ended } = await refusedMigration(async (bench, folder) => {
      await leaveIncomplete(bench, folder);
      for (const method of Object.keys(bench.node.handlers))
        bench.node.handlers[method] = failing(lost('cannot_connect'));
    });
    expect(await ended()).toMatchObject({ state: 'interrupted' });
  });

  it('is done if another client has migrated the wallet', async () => {
    const { ended } = await refusedMigration(async ({ wallets }) => {
      const file = join(wallets, 'w', 'wallet.dat');
      await writeFile(file, await migratedFile(await readFile(file)));
    });
    const result = { kind: 'migrate', walletName: 'w', leftUnloaded: true };
    const { proof, ...end } = await ended();
    expect(end).toMatchObject({ state: 'done', result, warnings: ['Error: the disk is full'] });
    expect(proof).not.toBeNull();
  });

  it('has failed at once if the wallet is still the legacy one, also while another migration runs', async () => {
    const { ended } = await refusedMigration((bench) => {
      bench.node.handlers.getrpcinfo = () => running('migratewallet');
    });
    expect(await ended()).toMatchObject({ state: 'failed', error: { node: { code: -4 } } });
  });

  it('has failed perhaps because of the folder, if the node’s user seems unable to write to it', async () => {
    const user = (process.getuid?.() ?? 0) + 1;
    const { ended } = await refusedMigration(async ({ session, wallets }) => {
      await chmod(wallets, 0o755);
      Object.assign(session.status, { listener: { user, socket: '1' } });
    });
    const hint = expect.stringMatching(/^Hint of the client\. May be read-only: .*\.$/);
    expect(await ended()).toMatchObject({ state: 'failed', error: { hint, node: { code: -4 } } });
  });
});
