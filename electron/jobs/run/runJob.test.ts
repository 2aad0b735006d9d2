import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lost } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { releaseOf } from '../../bitcoind/rpc/release.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createSafetyCopies, type SafetyCopies } from '../safetyCopies/safetyCopies.ts';
import { createBench, infoOf } from '../testing/bench.ts';
import type { Journal, JournalEntry } from './journal.ts';

const LEGACY = fixtureFile('legacy-hd');

const idle = { active_commands: [{ method: 'getrpcinfo', duration: 20 }], logpath: '/x' };

async function newCopies() {
  const folder = await mkdtemp(join(tmpdir(), 'copies-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { folder, copies: createSafetyCopies({ work: walletWorkHere, folder }) };
}

/** A migration whose safety copy the node is to write, and never says that it has. */
async function stalled(release = releaseOf(290_300)) {
  const { folder: copiesFolder, copies } = await newCopies();
  const bench = await createBench({ release }, { silenceMs: 5, copies });
  const { node, migrate, folder } = bench;
  await mkdir(join(folder, 'w'));
  await copyFile(LEGACY, join(folder, 'w', 'wallet.dat'));
  node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
  node.handlers.listwallets = () => ['w'];
  node.handlers.getwalletinfo = () => infoOf({ descriptors: false });
  node.handlers.getrpcinfo = () => ({
    ...idle,
    active_commands: [{ method: 'backupwallet', duration: 20 }],
  });
  const held = node.hold('backupwallet');
  const holding = node.handlers.backupwallet;
  node.handlers.backupwallet = (call) => {
    const place = String((call.params as unknown[])[0]);
    // To be read, it is written at once.
    return place.startsWith(copiesFolder) ? holding?.(call) : copyFile(LEGACY, place).then(() => null);
  };
  const { id } = await migrate({ name: 'w' });
  const sent = () => node.calls.filter(({ method }) => method === 'migratewallet').length;
  return { ...bench, id, held, sent, copiesFolder };
}

describe('a safety copy that the node does not answer for', () => {
  it('tells since when nothing was heard, and can be stopped: nothing was migrated', async () => {
    const { node, jobs, id, held, clock, until, ended, sent, copiesFolder } = await stalled();
    await held();
    const began = clock.now;
    node.handlers.getrpcinfo = () => {
      clock.now += 60;
      throw lost('timed_out');
    };
    expect(await until(({ silentSince }) => silentSince !== undefined)).toMatchObject({ silentSince: began });
    jobs.stopWaiting(id);
    const last = await ended();
    expect(last).toMatchObject({
      state: 'failed',
      silentSince: undefined,
      error: { code: 'cancelled', message: expect.stringContaining('before the node was asked to migrate') },
    });
    // A copy can need the wallet unloaded or loaded: nobody may say that it is as it was.
    expect(last.error?.hint).toContain('may have been loaded or unloaded');
    expect(last.error?.hint).not.toContain('Nothing was sent');
    expect(sent()).toBe(0);
    expect(await readdir(copiesFolder)).toEqual([]);
    expect(jobs.running()).toBe(0);
  });

  it('ends by itself once the node works on it no more: its answer is lost', async () => {
    const { node, held, ended, sent } = await stalled();
    await held();
    node.handlers.getrpcinfo = () => idle;
    expect(await ended()).toMatchObject({
      state: 'failed',
      error: { code: 'connection_lost', hint: expect.stringContaining('was not sent') },
    });
    expect(sent()).toBe(0);
  });

  it('is waited for while the node works on it', async () => {
    const { node, held, last, ended, sent, folder } = await stalled();
    const call = await held();
    const asked = () => node.calls.filter(({ method }) => method === 'getrpcinfo').length;
    const before = asked();
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(before + 4));
    expect(last()).toMatchObject({ state: 'running', connection: 'ok' });
    expect(last().silentSince).toBeUndefined();
    node.handlers.migratewallet = () => ({ wallet_name: 'w', backup_path: '/x.legacy.bak' });
    await copyFile(join(folder, 'w', 'wallet.dat'), String((call.params as unknown[])[0]));
    call.answer(null);
    expect(await ended()).toMatchObject({ state: 'done', safetyCopy: { how: 'backupwallet' } });
    expect(sent()).toBe(1);
  });
});

describe('what is stopped before its call is sent', () => {
  it('ends although its own work never does', async () => {
    const forever = () => new Promise<never>(() => undefined);
    const copies: SafetyCopies = {
      planFor: async () => ({
        ...{ way: 'copied', text: '', file: LEGACY, folder: '/none', copies: [] },
        ...{ calls: [], beside: 0, notFound: [] },
      }),
      folderFor: async () => '/none',
      ofWallet: forever,
      ofFile: forever,
      list: forever,
      settled: forever,
    };
    const { node, jobs, migrate, ended } = await createBench({ release: releaseOf(310_000) }, { copies });
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    const { id } = await migrate({ name: 'w' });
    jobs.stopWaiting(id);
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
    expect(jobs.running()).toBe(0);
  });

  it('has what it placed taken away again, without asking a node that does not answer', async () => {
    const { copies } = await newCopies();
    let onPlaced = () => {};
    const journal: Journal = {
      read: async () => [],
      write: ({ checkpoint }: JournalEntry) => {
        if (checkpoint.kind === 'restore-migrate' && checkpoint.placed !== null) onPlaced();
      },
      logOf: async () => [],
    };
    const { node, session, jobs, restore, folder, ended } = await createBench(
      { release: releaseOf(310_000) },
      { copies, journal },
    );
    const wallets = join(folder, 'wallets');
    await mkdir(join(wallets, 'other'), { recursive: true });
    await copyFile(fixtureFile('descriptor-hd'), join(wallets, 'other', 'wallet.dat'));
    Object.assign(session.status, { walletsFolder: wallets });
    node.handlers.listwalletdir = async () => ({
      wallets: (await readdir(wallets)).map((name) => ({ name })),
    });
    const placed = new Promise<void>((resolve) => {
      onPlaced = resolve;
    });
    const { id } = await restore({ name: 'back', backupFile: LEGACY });
    node.hold('listwallets');
    // Its folder is made by then, or will be.
    void placed.then(() => jobs.stopWaiting(id));
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(await readdir(wallets)).toEqual(['other']);
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  });
});
