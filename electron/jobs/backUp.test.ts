import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lost, notLoaded, rpc } from '../../e2e/testNode/scriptedNode.ts';
import { type FixtureName, fixtureFile, sha256 } from '../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import type { FolderMark } from '../../shared/model/node.ts';
import { deferred } from '../../shared/testing/deferred.ts';
import { endedJob, migratedJob } from '../../shared/testing/sampleJob.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { failing } from '../files/testing/failing.ts';
import { canLockAsNode, lockAsNode } from '../files/testing/lockAsNode.ts';
import { CAN_LINK, MODES_HOLD, ON_WINDOWS } from '../files/testing/system.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { readBerkeley } from '../walletfile/database/berkeley.ts';
import { unclosedWallet } from '../walletfile/testing/berkeleyLogs.ts';
import { cutOffChange } from '../walletfile/testing/cutOffChange.ts';
import { berkeleyFile } from '../walletfile/testing/wallets.ts';
import { createFileChecks } from './fileChecks.ts';
import { createJobs } from './run/jobs.ts';
import type { JournalEntry } from './run/journal.ts';
import {
  createBench,
  infoOf,
  journalWith,
  putWallet,
  running,
  stepStates,
  stoppedBy,
} from './testing/bench.ts';

const WALLET = fixtureFile('descriptor-hd');
/** By sha256sum. */
const WALLET_SHA256 = '36763cab2ace53f19ee6cb5bccdda5f019c63ccb5b93e804d0f6339562350969';

/** A node with the wallet `w` loaded, which writes its backup to `destination`. */
const benchWith = async (...options: Parameters<typeof createBench>) => {
  const bench = await createBench(...options);
  const destination = join(await realpath(bench.folder), 'w.bak');
  bench.node.handlers.listwallets = () => ['w'];
  bench.node.handlers.backupwallet = () => {
    copyFileSync(WALLET, destination);
    return null;
  };
  return { ...bench, destination };
};

/** A wallet's file with two pages of zeros. */
const damaged = (name: FixtureName) => Buffer.from(readFileSync(fixtureFile(name))).fill(0, 8192, 16_384);

describe('a backup', () => {
  it('proves the backup by size and hash', async () => {
    const { backUp, node, ended, destination } = await benchWith();
    node.handlers.getwalletinfo = () => infoOf({ unlocked_until: 0, birthtime: 1_700_000_000 });
    const started = await backUp({ name: 'w', destination });
    expect(started).toMatchObject({ kind: 'backup', wallet: 'w', state: 'running' });
    const end = await ended();
    const proof = { seen: true, path: destination, size: 28_672, sha256: WALLET_SHA256 };
    const keysId = expect.stringMatching(/^[0-9a-f]{64}$/);
    const saved = { kind: 'descriptor', encrypted: false, keysId };
    expect(end).toMatchObject({ state: 'done', result: { kind: 'backup', walletName: 'w', proof, saved } });
    expect(stepStates(end)).toEqual({ sent: 'done', verifying: 'done' });
    expect(node.calls).toContainEqual({ method: 'backupwallet', params: [destination], wallet: 'w' });
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(!CAN_LINK)('is written to the real folder, so that no link can redirect it later', async () => {
    const { backUp, node, ended, destination, folder } = await benchWith();
    await symlink(folder, join(folder, 'link'));
    await backUp({ name: 'w', destination: join(folder, 'link', 'w.bak') });
    expect(await ended()).toMatchObject({ state: 'done', result: { proof: { path: destination } } });
    expect(node.calls).toContainEqual({ method: 'backupwallet', params: [destination], wallet: 'w' });
  });

  it('is refused while another one is written to its file', async () => {
    const { backUp, node, ended, destination, folder } = await benchWith();
    node.handlers.listwallets = () => ['w', 'v'];
    const { promise: isRefused, resolve: write } = deferred();
    node.handlers.backupwallet = () =>
      isRefused.then(() => copyFileSync(WALLET, destination)).then(() => null);
    await backUp({ name: 'w', destination });
    const refused = { code: 'job_running', message: 'This file is busy.' };
    for (const same of [destination, join(folder, 'W.BAK')])
      await expect(backUp({ name: 'v', destination: same })).rejects.toMatchObject(refused);
    write();
    expect(await ended()).toMatchObject({ state: 'done', wallet: 'w' });
  });

  it('claims no proof of a file on another machine', async () => {
    const bench = await benchWith({ local: false, walletsFolder: null }, { log: false });
    const { backUp, node, ended, plan } = bench;
    node.handlers.backupwallet = () => null;
    node.handlers.getwalletinfo = () => infoOf({});
    node.handlers.listdescriptors = () => ({ descriptors: [{ desc: 'pk(02)#abcd' }] });
    const destination = 'D:\\backups\\w.dat';
    const source = { by: 'wallet', name: 'w' } as const;
    const { asks } = await plan({ action: 'backup', source, answers: { destination } });
    expect(asks).toMatchObject([{ ask: 'destination', check: { id: 'backup-place', verdict: 'warning' } }]);
    await backUp({ name: 'w', destination });
    const proof = { seen: false, path: destination };
    const saved = { kind: 'descriptor', descriptorsId: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(await ended()).toMatchObject({ state: 'done', result: { proof, saved } });
  });

  it('is planned with a warning where a service copies its folder to the internet', async () => {
    const { plan, folder } = await benchWith();
    await mkdir(join(folder, 'Dropbox'));
    const source = { by: 'wallet', name: 'w' } as const;
    const { asks } = await plan({
      action: 'backup',
      source,
      answers: { destination: join(folder, 'Dropbox', 'w.bak') },
    });
    const check = { verdict: 'warning', title: 'This folder syncs to Dropbox.' };
    expect(asks).toMatchObject([{ ask: 'destination', check }]);
  });

  it('says that its file is not seen if the node wrote it to a folder that the app does not have', async () => {
    const { backUp, node, ended, destination } = await benchWith({ walletsFolder: null });
    node.handlers.backupwallet = () => null;
    await backUp({ name: 'w', destination });
    const proof = { seen: false, path: destination };
    expect(await ended()).toMatchObject({ state: 'done', result: { proof } });
  });

  it('fails if the offline engine, which sees the same folders, wrote no file', async () => {
    const { backUp, node, ended, destination } = await benchWith({ offline: true, walletsFolder: null });
    node.handlers.backupwallet = () => null;
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'file_missing' } });
  });

  it.each([
    ['', false],
    [readFileSync(WALLET).subarray(0, 20_000), false],
    [readFileSync(WALLET), true],
  ])('takes away the piece that a node left on a full disk, but no whole wallet', async (content, stays) => {
    const { backUp, node, ended, destination } = await benchWith();
    node.handlers.backupwallet = async () => {
      await writeFile(destination, content);
      throw rpc(-4, 'Error: Wallet backup failed!');
    };
    await backUp({ name: 'w', destination });
    const hint = stays
      ? expect.stringContaining(`Unchecked: ${destination}`)
      : expect.not.stringContaining('may remain');
    expect(await ended()).toMatchObject({ state: 'failed', error: { hint, node: { code: -4 } } });
    expect(existsSync(destination)).toBe(stays);
  });

  it('keeps a file that somebody moved to its path meanwhile', async () => {
    const { backUp, node, ended, destination } = await benchWith();
    const older = `${destination}.older`;
    await writeFile(older, 'a letter');
    const { birthtimeMs } = await stat(older);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(Date, 'now').mockReturnValue(birthtimeMs + 5000);
    node.handlers.backupwallet = async () => {
      await rename(older, destination);
      throw rpc(-4, 'Error: Wallet backup failed!');
    };
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'failed' });
    expect(existsSync(destination)).toBe(true);
  });

  it('names the piece if it cannot take it away', async () => {
    const { backUp, node, ended, destination } = await benchWith();
    node.handlers.backupwallet = async () => {
      await mkdir(destination);
      throw rpc(-4, 'Error: Wallet backup failed!');
    };
    await backUp({ name: 'w', destination });
    const hint = expect.stringContaining(`Unchecked: ${destination}`);
    expect(await ended()).toMatchObject({ state: 'failed', error: { hint } });
  });

  it.each([
    ['it is empty', 'not_a_wallet', ''],
    ['it is something else', 'not_a_wallet', 'text'],
    ['it is cut short', 'not_a_wallet', readFileSync(WALLET).subarray(0, 20_000)],
    ['pages of it are damaged', 'not_a_wallet', damaged('descriptor-hd')],
    ['pages of a legacy one are damaged', 'not_a_wallet', damaged('legacy-hd')],
  ])('fails when %s, whatever the node said', async (_, code, content) => {
    const { backUp, node, ended, destination } = await benchWith();
    node.handlers.backupwallet = async () => {
      await writeFile(destination, content);
      return null;
    };
    await backUp({ name: 'w', destination });
    const end = await ended();
    expect(end).toMatchObject({ state: 'failed', result: null, error: { code } });
    expect(stepStates(end)).toEqual({ sent: 'done', verifying: 'running' });
  });

  it('is made with a warning if the wallet’s own file is damaged too', async () => {
    const { backUp, node, ended, destination, folder } = await benchWith();
    await putWallet(folder, 'w', 'descriptor-hd');
    await writeFile(join(folder, 'w', 'wallet.dat'), damaged('descriptor-hd'));
    node.handlers.backupwallet = () => {
      copyFileSync(join(folder, 'w', 'wallet.dat'), destination);
      return null;
    };
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'done', warnings: ['Wallet and backup are damaged.'] });
  });

  it('is planned although the wallets folder is gone', async () => {
    const { plan, destination } = await benchWith({ walletsFolder: '/gone/wallets' });
    const { asks } = await plan({
      action: 'backup',
      source: { by: 'wallet', name: 'w' },
      answers: { destination },
    });
    expect(asks).toMatchObject([{ check: { verdict: 'fine' } }]);
  });

  it.skipIf(ON_WINDOWS)('can be read by nobody else, whatever the permissions of the wallet', async () => {
    const { backUp, node, ended, destination } = await benchWith();
    node.handlers.backupwallet = async () => {
      await writeFile(destination, readFileSync(WALLET));
      await chmod(destination, 0o644);
      return null;
    };
    await backUp({ name: 'w', destination });
    await ended();
    expect((await stat(destination)).mode & 0o777).toBe(0o600);
  });
});

describe('a backup of a wallet that is not loaded', () => {
  const on31 = { release: releaseOf(310_000) };

  async function unloaded(fixture: FixtureName, ...[status = on31, options]: Parameters<typeof createBench>) {
    const bench = await benchWith(status, options);
    const { node, folder } = bench;
    let loaded: string[] = [];
    await putWallet(folder, 'w', fixture);
    node.handlers.listwallets = () => loaded;
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    node.handlers.loadwallet = () => {
      loaded = ['w'];
      return { name: 'w' };
    };
    node.handlers.unloadwallet = () => {
      loaded = [];
      return {};
    };
    const sent = () =>
      node.calls.flatMap(({ method, params }) => (/wallet$/.test(method) ? [[method, params]] : []));
    return { ...bench, sent };
  }

  const outOfSight = () => unloaded('descriptor-hd', { ...on31, walletsFolder: null });

  it('loads it, backs it up and unloads it, without changing the node’s start-up list', async () => {
    const { backUp, ended, destination, sent } = await outOfSight();
    await backUp({ name: 'w', destination });
    const result = { walletName: 'w', proof: { seen: true, sha256: WALLET_SHA256 } };
    expect(await ended()).toMatchObject({ state: 'done', result });
    expect(sent()).toEqual([
      ['loadwallet', ['w']],
      ['backupwallet', [destination]],
      ['unloadwallet', ['w']],
    ]);
  });

  it('is planned with one listing of the wallets', async () => {
    const { plan, node, destination } = await unloaded('descriptor-hd');
    const source = { by: 'wallet', name: 'w' } as const;
    await plan({ action: 'backup', source, answers: { destination } });
    expect(node.calls.map(({ method }) => method).sort()).toEqual(['listwalletdir', 'listwallets']);
  });

  it('unloads it even if the backup fails, and reports a wallet that stays loaded', async () => {
    const failed = await outOfSight();
    failed.node.handlers.backupwallet = failing(rpc(-4, 'Error: Wallet backup failed!'));
    await failed.backUp({ name: 'w', destination: failed.destination });
    expect(await failed.ended()).toMatchObject({ state: 'failed' });
    expect(failed.sent().at(-1)).toEqual(['unloadwallet', ['w']]);

    const stuck = await outOfSight();
    stuck.node.handlers.unloadwallet = failing(rpc(-4, 'Wallet is currently rescanning.'));
    await stuck.backUp({ name: 'w', destination: stuck.destination });
    expect(await stuck.ended()).toMatchObject({ state: 'done', result: { leftLoaded: true } });
  });

  it('keeps a file that its owner saves at the path while the node loads the wallet', async () => {
    const { node, backUp, ended, destination, sent } = await outOfSight();
    const load = node.handlers.loadwallet;
    node.handlers.loadwallet = async (call) => {
      await writeFile(destination, 'a letter');
      return load?.(call);
    };
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'file_exists' } });
    expect(await readFile(destination, 'utf8')).toBe('a letter');
    expect(sent().map(([method]) => method)).toEqual(['loadwallet', 'unloadwallet']);
  });

  it.runIf(canLockAsNode)('says that a bare wallet is damaged, also beside one that is open', async () => {
    const { node, backUp, ended, destination, folder } = await unloaded('legacy-hd', {
      release: releaseOf(290_300),
    });
    await rm(join(folder, 'w'), { recursive: true });
    await writeFile(join(folder, 'w'), damaged('legacy-hd'));
    await cp(fixtureFile('legacy-imported'), join(folder, 'wallet.dat'));
    await lockAsNode(join(folder, '.walletlock'));
    const others = node.handlers.listwallets;
    node.handlers.listwallets = (call) => ['', others?.(call)].flat();
    node.handlers.backupwallet = () => cp(join(folder, 'w'), destination).then(() => null);
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'done', warnings: ['Wallet and backup are damaged.'] });
  });

  it('waits for a load whose answer was lost, says so, and unloads the wallet', async () => {
    // The scripted node has run for an hour.
    const started = Math.floor(Date.now() / 1000) - 3600;
    const status = { ...on31, walletsFolder: null, started };
    const { node, backUp, until, ended, destination } = await unloaded('descriptor-hd', status);
    const nextCall = node.hold('loadwallet');
    await backUp({ name: 'w', destination });
    const call = await nextCall();
    let isLoading = true;
    let unloads = 0;
    let asked = 0;
    node.handlers.getrpcinfo = () => {
      asked += 1;
      return running(...(isLoading ? ['loadwallet'] : []));
    };
    node.handlers.unloadwallet = () => {
      if (isLoading || unloads > 0) throw notLoaded();
      unloads += 1;
      return {};
    };
    call.fail(lost());
    asked = 0;
    expect(await until(() => asked > 20)).toMatchObject({ state: 'running', connection: 'ok' });
    isLoading = false;
    expect(await ended()).toMatchObject({ state: 'unknown', error: { code: 'outcome_unknown' } });
    expect(unloads).toBe(1);
  });

  it('fails with the node’s words if the node cannot load it', async () => {
    const { node, backUp, ended, destination, sent } = await outOfSight();
    const message = 'Wallet loading failed. Wallet corrupted';
    node.handlers.loadwallet = failing(rpc(-4, message));
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'failed', error: { node: { message } } });
    expect(sent().map(([method]) => method)).toEqual(['loadwallet']);
  });

  // A pruned node cannot load a wallet whose last block it has no more.
  it.each([
    ['legacy-hd', 'legacy'],
    ['descriptor-hd', 'descriptor'],
  ] as const)('copies the file, which the node may be unable to load: %s', async (fixture, kind) => {
    const { node, backUp, ended, destination, sent } = await unloaded(fixture);
    node.handlers.loadwallet = failing(rpc(-4, 'Prune: last wallet synchronisation goes beyond pruned data'));
    await backUp({ name: 'w', destination });
    const whole = await readFile(fixtureFile(fixture));
    const proof = { seen: true, sha256: sha256(whole) };
    const saved = { kind, encrypted: false, keysId: expect.any(String) };
    expect(await ended()).toMatchObject({ state: 'done', result: { proof, saved } });
    expect(await readFile(destination)).toEqual(whole);
    expect(sent()).toEqual([]);
  });

  it('includes the journal of a wallet that is loaded without a node', async () => {
    const { backUp, node, ended, destination, folder } = await unloaded('descriptor-hd', { offline: true });
    node.handlers.listwallets = () => ['w'];
    const file = join(folder, 'w', 'wallet.dat');
    const { path, before, after, journal } = await cutOffChange(folder);
    await rename(path, file);
    await writeFile(file, after);
    await writeFile(`${file}-journal`, journal);
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'done' });
    expect(new Uint8Array(await readFile(destination))).toEqual(before);
  });

  async function withLog(log: 'its own' | 'another' | 'none') {
    const bench = await unloaded('legacy-hd');
    const file = join(bench.folder, 'w', 'wallet.dat');
    const whole = new Uint8Array(await readFile(file));
    const { bytes, log: its } = unclosedWallet(whole);
    await writeFile(file, bytes);
    await mkdir(join(bench.folder, 'w', 'database'));
    const words = log === 'its own' ? its.bytes : unclosedWallet(berkeleyFile('hd-512-little')).log.bytes;
    if (log !== 'none') await writeFile(join(bench.folder, 'w', 'database', its.name), words);
    const records = async (path: string) => readBerkeley(new Uint8Array(await readFile(path))).records.length;
    const all = readBerkeley(whole).records.length;
    return { ...bench, bytes, all, records };
  }

  it('includes the log of a legacy wallet in its copy, as the plan says', async () => {
    const { plan, backUp, ended, destination, bytes, all, records, folder } = await withLog('its own');
    const source = { by: 'wallet', name: 'w' } as const;
    const { checks } = await plan({ action: 'backup', source, answers: { destination } });
    expect(checks).toMatchObject([{ id: 'wallet-loaded', text: [expect.stringContaining('log')] }]);
    await backUp({ name: 'w', destination });
    expect(await ended()).toMatchObject({ state: 'done', warnings: [] });
    expect(readBerkeley(bytes).records.length).toBeLessThan(all);
    expect(await records(destination)).toBe(all);
    expect(readBerkeley(new Uint8Array(await readFile(destination))).format.cleanlyClosed).toBe(true);
    expect(new Uint8Array(await readFile(join(folder, 'w', 'wallet.dat')))).toEqual(bytes);
  });

  it.each(['another', 'none'] as const)('says what may be missing if its log is %s', async (log) => {
    const { backUp, ended, destination, bytes } = await withLog(log);
    await backUp({ name: 'w', destination });
    const warnings = [expect.stringContaining('may be missing')];
    expect(await ended()).toMatchObject({ state: 'done', warnings });
    expect(new Uint8Array(await readFile(destination))).toEqual(bytes);
  });

  it('names the copy once it is complete, and leaves no partial copy', async () => {
    const { plan, run, options, ended, destination, folder } = await withLog('its own');
    const names = () => readdirSync(folder).filter((name) => name !== 'w' && name !== 'debug.log');
    let during: string[] = [];
    const work: typeof options.work = async (task, signal) => {
      const result = await options.work(task, signal);
      during = names();
      if (task.kind === 'saveWhole') throw new AppError('no_space', 'full', '');
      return result;
    };
    const source = { by: 'wallet', name: 'w' } as const;
    const answers = { destination };
    const on = createJobs({ ...options, work });
    onTestFinished(() => on.close());
    await run(await plan({ action: 'backup', source, answers }), { answers }, on);
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'no_space' } });
    expect(during).toEqual([expect.stringMatching(/^\.wallet-ferry-.*\.part$/)]);
    expect(names()).toEqual([]);
  });

  it('removes a partial copy and its empty name after a crash, and nothing else', async () => {
    const written: JournalEntry[] = [];
    const { backUp, ended, destination, options, folder } = await unloaded('legacy-hd', on31, {
      journal: journalWith((entry) => written.push(structuredClone(entry))),
    });
    await backUp({ name: 'w', destination });
    await ended();
    const [copying] = written.filter((entry) => !entry.sent && 'part' in entry.checkpoint);
    if (copying?.checkpoint.kind !== 'backup' || !copying.checkpoint.part)
      throw new Error('no part was written down');
    await truncate(destination);
    await writeFile(copying.checkpoint.part, 'half');
    await writeFile(join(folder, '.wallet-ferry-0123456789abcdef.part'), 'of others');
    const read = async () => ({ entries: [copying], unreadable: [], newer: [] });
    const journal = { ...options.journal, read };
    const next = createJobs({ ...options, journal });
    onTestFinished(() => next.close());
    expect(await next.list()).toMatchObject([{ state: 'failed', wallet: 'w' }]);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([
      '.wallet-ferry-0123456789abcdef.part',
    ]);
    expect(existsSync(destination)).toBe(false);
  });

  it('says what to do if the app cannot see its file', async () => {
    const { node, backUp, destination } = await unloaded('legacy-hd', { ...on31, walletsFolder: null });
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w', warnings: ['a legacy wallet'] }] });
    const stops = stoppedBy('wallet-loaded', 'Release 31.0 cannot load legacy wallets');
    await expect(backUp({ name: 'w', destination })).rejects.toMatchObject(stops);
  });
});

describe('a refused backup, with nothing sent', () => {
  type Bench = Awaited<ReturnType<typeof benchWith>>;
  const refused = async ({ backUp, node }: Bench, destination: string, words: string) => {
    const stops = stoppedBy('backup-place', words);
    await expect(backUp({ name: 'w', destination })).rejects.toMatchObject(stops);
    expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
  };

  it('refuses to overwrite a file, a folder or a link', async () => {
    const bench = await benchWith();
    await writeFile(bench.destination, 'precious');
    await refused(bench, bench.destination, 'already exists');
    expect(await readFile(bench.destination, 'utf8')).toBe('precious');
    await mkdir(join(bench.folder, 'sub'));
    await refused(bench, join(bench.folder, 'sub'), 'already exists');
    if (!CAN_LINK) return;
    await symlink(join(bench.folder, 'nothing'), join(bench.folder, 'link'));
    await refused(bench, join(bench.folder, 'link'), 'already exists');
  });

  // Behind a proxy of another user, the node may write there all the same.
  it.skipIf(process.platform === 'win32')('warns of a folder of the user for a node of another', async () => {
    const bench = await benchWith({ listener: { user: (process.getuid?.() ?? 0) + 1, socket: '1' } });
    await chmod(bench.folder, 0o700);
    const source = { by: 'wallet', name: 'w' } as const;
    const answers = { destination: bench.destination };
    const places = async () => {
      const { asks } = await bench.plan({ action: 'backup', source, answers });
      return asks.map((ask) => ('check' in ask ? `${ask.check?.verdict} ${ask.check?.title}` : ''));
    };
    expect(await places()).toContainEqual(expect.stringContaining('warning May be read-only'));
    // The app copies a closed wallet.
    await putWallet(bench.folder, 'w', 'descriptor-hd');
    bench.node.handlers.listwallets = () => [];
    bench.node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    expect(await places()).toEqual(['warning Your wallets folder']);
    await bench.backUp({ name: 'w', destination: bench.destination });
    expect(await bench.ended()).toMatchObject({ state: 'done' });
  });

  const notOpen = async () => {
    const bench = await benchWith({ release: releaseOf(310_000) });
    await putWallet(bench.folder, 'w', 'legacy-hd');
    bench.node.handlers.listwallets = () => [];
    bench.node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    return bench;
  };

  it('refuses the wallet’s own folder, and warns of that of all wallets', async () => {
    const { plan, folder } = await notOpen();
    const source = { by: 'wallet', name: 'w' } as const;
    const placeFor = async (destination: string) => {
      const { checks, asks } = await plan({ action: 'backup', source, answers: { destination } });
      const asked = asks.map((ask) => ('check' in ask ? ask.check : null));
      return [...checks, ...asked].filter((check) => check?.id === 'backup-place');
    };
    const blocked = [{ verdict: 'blocker', title: 'This is the wallet’s folder.' }];
    expect(await placeFor(join(folder, 'w', 'copy.dat'))).toMatchObject(blocked);
    const warned = [{ verdict: 'warning', title: 'Your wallets folder' }];
    expect(await placeFor(join(folder, 'copy.dat'))).toMatchObject(warned);
    expect(await placeFor(join(makeTestFolder(), 'copy.dat'))).toMatchObject([{ verdict: 'fine' }]);
  });

  it('refuses a closed wallet that was exchanged since the plan', async () => {
    const { plan, run, folder, destination } = await notOpen();
    const source = { by: 'wallet', name: 'w' } as const;
    const shown = await plan({ action: 'backup', source, answers: { destination } });
    copyFileSync(fixtureFile('descriptor-encrypted'), join(folder, 'w', 'wallet.dat'));
    await expect(run(shown)).rejects.toMatchObject({ code: 'file_changed' });
  });

  it.skipIf(!canLockAsNode)('refuses a closed wallet whose file another program has open', async () => {
    const { plan, folder, destination, node } = await notOpen();
    const release = await lockAsNode(join(folder, 'w', 'wallet.dat'));
    const checksOf = async (name: string) =>
      (await plan({ action: 'backup', source: { by: 'wallet', name }, answers: { destination } })).checks;
    const open = {
      id: 'loaded-elsewhere',
      verdict: 'blocker',
      title: 'Another program has this wallet open',
    };
    expect(await checksOf('w')).toContainEqual(expect.objectContaining(open));
    await release();
    // This node has only its neighbour open, and locks their folder.
    await cp(fixtureFile('legacy-hd'), join(folder, 'wallet.dat'));
    await cp(fixtureFile('legacy-imported'), join(folder, 'bare'));
    node.handlers.listwalletdir = () => ({ wallets: [{ name: '' }, { name: 'bare' }] });
    await lockAsNode(join(folder, '.walletlock'));
    expect(await checksOf('')).toContainEqual(expect.objectContaining(open));
    node.handlers.listwallets = () => ['bare'];
    expect(await checksOf('')).not.toContainEqual(expect.objectContaining(open));
  });

  // Windows gives such a file its space at once.
  it.skipIf(process.platform === 'win32')('refuses a disk without space for the wallet', async () => {
    const bench = await benchWith();
    await mkdir(join(bench.folder, 'w'));
    await writeFile(join(bench.folder, 'w', 'wallet.dat'), '');
    await truncate(join(bench.folder, 'w', 'wallet.dat'), 2 ** 42);
    await refused(bench, bench.destination, 'Not enough space');
  });

  it('refuses a missing folder', async () => {
    const bench = await benchWith();
    await refused(bench, join(bench.folder, 'gone', 'w.bak'), 'No folder');
    await refused(bench, join(bench.logPath, 'w.bak'), 'No folder');
  });

  it('refuses a relative path', async () => {
    await refused(await benchWith(), 'w.bak', 'Not a full path');
    await refused(
      await benchWith({ local: false, walletsFolder: null }, { log: false }),
      'w.bak',
      'Not a full path',
    );
  });

  it('refuses a wallet that is not loaded, and one that does not exist', async () => {
    const { destination, node, backUp } = await benchWith();
    const wallets = [{ name: 'w' }, { name: 'other' }, { name: 'savings' }];
    node.handlers.listwalletdir = () => ({ wallets });
    const text = ['Did you mean “savings”?'];
    const stops = [{ id: 'wallet-exists', title: 'No wallet of this name', text }];
    await expect(backUp({ name: 'savigns', destination })).rejects.toMatchObject({ stops });
    expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
  });

  it.skipIf(!MODES_HOLD)('refuses a folder that this user may not write to', async () => {
    const bench = await benchWith();
    await mkdir(join(bench.folder, 'closed'), { mode: 0o500 });
    await refused(bench, join(bench.folder, 'closed', 'w.bak'), 'not allowed to write');
  });
});

// SECURITY.md: Another user who can write to a folder
it.skipIf(process.platform === 'win32').each([0o777, 0o1777])(
  'a backup into a folder of mode %o is refused, with nothing sent and a remedy',
  async (mode) => {
    const { backUp, folder, node } = await benchWith();
    const destination = join(folder, 'shared', 'w.bak');
    await mkdir(join(folder, 'shared'));
    await chmod(join(folder, 'shared'), mode);
    const todo = [expect.stringMatching(/Nothing was sent.*your own folder/)];
    const stops = [{ id: 'backup-place', todo }];
    await expect(backUp({ name: 'w', destination })).rejects.toMatchObject({ stops });
    expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
  },
);

describe('the file of a finished backup', () => {
  const finished = async () => {
    const { backUp, ended, destination } = await benchWith();
    await backUp({ name: 'w', destination });
    const job = await ended();
    return {
      job: { ...job, node: { ...job.node, walletsFolder: '/w' } },
      folder: dirname(destination),
      destination,
    };
  };
  const stateIn = (job: Job | undefined) => (job?.result?.kind === 'backup' ? job.result.fileNow : null);
  const fileNow = async (job: Job) => stateIn((await createFileChecks()([job]))[0]);

  it('is as it was saved, also if it was only touched', async () => {
    const { job, destination } = await finished();
    expect(await fileNow(job)).toBeUndefined();
    await utimes(destination, new Date(), new Date());
    expect(await fileNow(job)).toBeUndefined();
  });

  it('is gone if it was removed, cut or replaced', async () => {
    const { job, destination } = await finished();
    const bytes = await readFile(destination);
    bytes[bytes.length - 1] = 1 ^ (bytes.at(-1) ?? 0);
    await writeFile(destination, bytes);
    expect(await fileNow(job)).toBe('gone');
    await truncate(destination, 4096);
    expect(await fileNow(job)).toBe('gone');
    await rm(destination);
    expect(await fileNow(job)).toBe('gone');
  });

  it('is found under the name that its owner gave it in its folder', async () => {
    const { job, folder, destination } = await finished();
    const renamed = join(destination, '..', 'renamed');
    const proofNow = async () => (await createFileChecks()([job]))[0]?.result;
    await rename(destination, renamed);
    const found = { proof: { path: renamed }, fileNow: undefined };
    expect({ fileNow: undefined, ...(await proofNow()) }).toMatchObject(found);
    // A node takes each file in its wallets folder for a wallet.
    expect(await fileNow({ ...job, node: { ...job.node, walletsFolder: folder } })).toBe('gone');
    await writeFile(destination, 'another file');
    expect({ fileNow: undefined, ...(await proofNow()) }).toMatchObject(found);
    await writeFile(renamed, (await readFile(renamed)).fill(0));
    expect(await proofNow()).toMatchObject({ proof: { path: destination }, fileNow: 'gone' });
  });

  it('is neither an equal later backup nor the wallet’s own file', async () => {
    const { job, destination } = await finished();
    const [later, own] = ['later', 'wallet.dat'].map((name) => join(destination, '..', name)) as [
      string,
      string,
    ];
    for (const path of [later, own]) copyFileSync(destination, path);
    await rm(destination);
    expect((await createFileChecks()([at(job, later), job])).map(stateIn)).toEqual([undefined, 'gone']);
  });

  it('is gone if it was replaced on a disk whose clock is behind', async () => {
    const { job, destination } = await finished();
    const late = { ...job, ended: Date.now() / 1000 + 3600 };
    expect(await fileNow(late)).toBeUndefined();
    const bytes = await readFile(destination);
    await writeFile(destination, bytes.fill(0));
    await utimes(destination, 0, 0);
    expect(await fileNow(late)).toBe('gone');
  });

  it('is read only if its mark differs, which a new mount keeps, or if its times do without one', async () => {
    const { job, destination } = await finished();
    const { size, mtimeNs, ctimeNs } = await stat(destination, { bigint: true });
    const mark = [size, mtimeNs, ctimeNs].join('/');
    if (job.result?.kind !== 'backup' || !job.result.proof.seen) throw new Error('no backup');
    const { result } = job;
    expect(result.proof).toMatchObject({ mark });
    // Reading the file would show that it has another hash.
    const proof = { ...job.result.proof, sha256: '00'.repeat(32) };
    expect(await fileNow({ ...job, result: { ...result, proof } })).toBeUndefined();
    const old = { ...job, result: { ...result, proof: { ...proof, mark: undefined } } };
    expect(await fileNow({ ...old, ended: Date.now() / 1000 + 60 })).toBeUndefined();
    expect(await fileNow({ ...old, ended: 1 })).toBe('gone');
  });

  it('counts for one of two backups at the same path: the one with its content', async () => {
    const { job, destination } = await finished();
    const bytes = await readFile(destination);
    await writeFile(destination, bytes.fill(1, bytes.length - 1));
    const proof = { seen: true, path: destination, size: bytes.length, sha256: sha256(bytes) } as const;
    const newer: Job = { ...job, id: 'newer', result: { kind: 'backup', walletName: 'w', proof } };
    const checked = await createFileChecks()([newer, job]);
    expect(checked.map(stateIn)).toEqual([undefined, 'gone']);
  });

  it('is not seen any more by the migration that made it, once it is gone', async () => {
    const { job, destination } = await finished();
    const names = { walletName: 'w', watchonlyName: null, solvablesName: null };
    const result = { kind: 'migrate', ...names, backupPath: destination, backupSeen: true } as const;
    const migrated: Job = { ...job, kind: 'migrate', result };
    const seen = async () => (await createFileChecks()([migrated]))[0]?.result;
    expect(await seen()).toEqual(result);
    await rm(destination);
    expect(await seen()).toEqual({ ...result, backupSeen: false });
  });

  it('is no copy of an interrupted wallet any more, once it is gone and its disk is not', async () => {
    const { job, destination } = await finished();
    const mountPoint = join(destination, '..', 'usb');
    await mkdir(mountPoint);
    const paths = [destination, join(mountPoint, 'w.dat'), join(mountPoint, 'out', 'copy')];
    const copies = paths.map((path) => ({ path }));
    const interrupted = { ...job, result: null, interruption: { copies } } as unknown as Job;
    const left = async () => (await createFileChecks()([interrupted]))[0]?.interruption?.copies;
    expect(await left()).toEqual(copies);
    await rm(destination);
    expect(await left()).toEqual(copies.slice(1));
    const checkFiles = createFileChecks({ copiesFolder: mountPoint });
    expect((await checkFiles([interrupted]))[0]?.interruption?.copies).toEqual([]);
  });

  it('is out of reach if its folder is missing too, or only the mount point of its disk', async () => {
    const { job, folder } = await finished();
    await rename(folder, `${folder}-unplugged`);
    expect(await fileNow(job)).toBe('out-of-reach');
    await mkdir(folder);
    expect(await fileNow(job)).toBe('out-of-reach');
  });

  const at = (job: Job, path: string, folder?: FolderMark): Job => {
    if (job.result?.kind !== 'backup' || !job.result.proof.seen) throw new Error('no backup');
    return { ...job, id: path, result: { ...job.result, proof: { ...job.result.proof, path, folder } } };
  };

  it('is out of reach while its disk does not answer, and holds up no file on another disk', async () => {
    const { job } = await finished();
    const mark = (dev: number) => ({ dev: `${dev}`, ino: '1', born: null });
    const dead = [
      at(job, '/dead/nas/a/1'),
      at(job, '/dead/nas/b/2'),
      at(job, '/dead/a/3', mark(7)),
      at(job, '/dead/a/4', mark(8)),
    ];
    const [first, second] = [dead.slice(0, 2), dead.slice(2)];
    const live = [at(job, '/live/5'), at(job, '/live/6')];
    const asked: string[] = [];
    let isSilent = true;
    const { promise: late, resolve: answer } = deferred();
    const stateNow = async ({ path }: { path: string }) => {
      asked.push(path);
      if (isSilent && path.startsWith('/dead')) await late;
      return path === '/live/6' ? ('gone' as const) : undefined;
    };
    const check = createFileChecks({ stateNow, limitMs: 20 });
    const states = async (jobs: Job[]) => (await check(jobs)).map(stateIn);
    // A server has another number after each mount.
    const mounted = await createFileChecks({ stateNow, limitMs: 20 })([...second, ...live]);
    expect(mounted.map(stateIn)).toEqual(['out-of-reach', 'out-of-reach', undefined, 'gone']);
    asked.length = 0;
    expect(await states([...first, ...live])).toEqual(['out-of-reach', 'out-of-reach', undefined, 'gone']);
    // Two disks that do not answer leave no thread for others, whose last state stays known.
    for (const _ of [1, 2])
      expect(await states([...second, ...live])).toEqual(['out-of-reach', 'out-of-reach', undefined, 'gone']);
    expect(asked).toEqual(['/dead/nas/a/1', '/live/5', '/live/6', '/dead/a/3']);
    isSilent = false;
    answer();
    expect(await states([...first, ...second])).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.skipIf(ON_WINDOWS)('waits for one disk at a time, by where systems mount them', async () => {
    const { job } = await finished();
    const own = `/media/${basename(homedir())}`;
    const disks = ['/media/nas', `${own}/a`, `${own}/b`, '/run/media/ada/a', '/run/media/ada/b'];
    const shares = ['/run/user/1000/gvfs/a', '/run/user/1000/gvfs/b', '/mnt/a', '/mnt/b', '/home/ada/nas'];
    for (const disk of [...disks, ...shares]) {
      const asked: string[] = [];
      const stateNow = ({ path }: { path: string }) => {
        asked.push(path);
        return path.startsWith(`${disk}/`)
          ? new Promise<undefined>(() => undefined)
          : Promise.resolve('gone' as const);
      };
      const paths = [`${disk}/x/1`, `${disk}/y/2`, ...[...disks, ...shares].map((one) => `${one}/x/3`)];
      const others = paths.filter((path) => !path.startsWith(`${disk}/`));
      const states = await createFileChecks({ stateNow, limitMs: 20 })(paths.map((path) => at(job, path)));
      expect(asked.toSorted()).toEqual([`${disk}/x/1`, ...others].toSorted());
      expect(states.filter((one) => stateIn(one) === 'gone')).toHaveLength(others.length);
    }
  });
});

describe('a migration', () => {
  const file = { path: '/app/safety copies/2026-11-22 w/wallet.dat', source: null, size: 1, sha256: 'a' };
  const migration = migratedJob('w', { safetyCopy: { files: [file] } as never });
  const { result } = migration;
  const backupPath = '/engine/w/w-1700000000.legacy.bak';
  const moved = '/engine/w (migrated)/w-1700000000.legacy.bak';
  const undo = {
    ...{ kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null, backupFile: moved },
    renamedWallets: [{ name: 'w', newName: 'w (migrated)' }],
  };
  const isUndone = { undone: true };

  it.each([
    ['undone by its backup, which moved with its folder', undo, { backupPath: moved, undone: true }],
    ['undone by its safety copy, whose folder tells it apart', { ...undo, backupFile: file.path }, isUndone],
    ['not undone by another copy', { ...undo, backupFile: file.path.replace('22', '21') }, {}],
    ['not undone by another backup', { ...undo, backupFile: backupPath.replace('17', '18') }, {}],
    ['not undone by a restore that renamed no wallet of it', { ...undo, renamedWallets: [] }, {}],
    ['not undone by another restore', { ...undo, renamedWallets: undefined }, {}],
  ])('is %s', async (_, restored, change) => {
    const made = { ...result, backupPath } as Job['result'];
    const restore = endedJob('restore', 'w', { result: restored as never });
    const migrated = { ...migration, result: made };
    expect((await createFileChecks()([restore, migrated]))[1]?.result).toEqual({ ...made, ...change });
    // An earlier restore undid nothing.
    expect((await createFileChecks()([migrated, restore]))[0]?.result).toEqual(made);
  });
});
