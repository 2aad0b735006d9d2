import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  readdir,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../../e2e/app/filesBelow.ts';
import { rpc } from '../../e2e/testNode/scriptedNode.ts';
import { fixtureFile, sha256 } from '../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Plan, questionOf } from '../../shared/model/plan.ts';
import { hasCopyOfThisWallet } from '../../shared/wording/interruptionWords.ts';
import { blockerText } from '../../shared/wording/planWords.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { failing } from '../files/testing/failing.ts';
import { CAN_LINK, CAN_LINK_FOLDERS } from '../files/testing/system.ts';
import { once } from '../walletfile/bytes/once.ts';
import { migratedFile } from '../walletfile/testing/newWallet.ts';
import { walletWorkHere } from '../workers/testing/walletWorkHere.ts';
import { createJobs } from './run/jobs.ts';
import { findInterruption } from './safetyCopies/interruptedSource.ts';
import { createInterruptions } from './safetyCopies/interruptions.ts';
import { createBench, infoOf, putWallet, running, stoppedBy } from './testing/bench.ts';
import {
  BACKUP_TIME,
  type InterruptedState,
  interruptedStates,
  wholeLegacy,
  writeInterrupted,
} from './testing/interruptedStates.ts';

const on31 = { release: releaseOf(310_000) };
const on28 = { release: releaseOf(280_100) };
const STAMP = '20261120-130640';

/** A node that was started again after it was killed during a migration of `big`. */
async function bench(
  status: Parameters<typeof createBench>[0],
  state: InterruptedState,
  { name = 'big', ...options }: { name?: string } & Parameters<typeof createBench>[1] = {},
) {
  const all = await createBench(status, options);
  const { folder, node } = all;
  const wallets = join(folder, 'wallets');
  await mkdir(wallets, { mode: 0o700 });
  await chmod(wallets, 0o700);
  all.session.status.walletsFolder = wallets;
  const { file, backup } = writeInterrupted(wallets, state, name);
  const half = readFileSync(file);
  node.handlers.listwalletdir = async () => {
    const files = (await readdir(wallets, { recursive: true })).map((one) => `/${one.replaceAll(sep, '/')}`);
    const names = files
      .filter((one) => one.endsWith('/wallet.dat') && isListed(join(wallets, one)))
      .map((one) => dirname(one).slice(1));
    return { wallets: names.map((each) => ({ name: each })) };
  };
  const source = { by: 'wallet', name } as const;
  const planned = () => all.plan({ action: 'put-back', source, answers: {} });
  /** Runs the plan, and waits for the end of the job. */
  const end = async (plan?: Plan) => {
    const { id } = await all.run(plan ?? (await planned()));
    return all.until((now) => now.id === id && now.state !== 'running');
  };
  /** The bytes of a wallet's file. */
  const bytesOf = (wallet: string) => readFileSync(join(wallets, wallet, 'wallet.dat'));
  return { ...all, wallets, source, backup, half, planned, end, bytesOf };
}

const titlesOf = ({ checks }: Plan) => checks.map(({ title }) => title);
const blockersOf = ({ checks }: Plan) => checks.filter(({ verdict }) => verdict === 'blocker');

/** As in `IsBDBFile` and `IsSQLiteFile` of `db.cpp`. */
function isListed(path: string): boolean {
  const bytes = Buffer.alloc(512);
  const file = openSync(path, 'r');
  const length = readSync(file, bytes);
  closeSync(file);
  if (length < bytes.length) return false;
  if (bytes.readUInt32LE(12) === 0x00053162) return true;
  return bytes.toString('latin1', 0, 15) === 'SQLite format 3' && bytes.readUInt32BE(68) === 0xfabfb5da;
}

/** The migrated wallet. */
const migrated = once(() => migratedFile(wholeLegacy(), 'big'));

/** Companions that an interrupted migration left. */
async function putCompanions(wallets: string): Promise<void> {
  for (const name of ['big_watchonly', 'big_solvables']) await putWallet(wallets, name, 'descriptor-hd');
}

/** What a node left of a put-back, and the time of its backup in Unix seconds. */
type Leave = (wallets: string, time: number) => Promise<void>;

const backUp: Leave = (wallets, time) => writeFile(join(wallets, `big_${time}.legacy.bak`), wholeLegacy());
const half =
  (state: InterruptedState): Leave =>
  async (wallets, time) => {
    await rm(join(wallets, 'big', 'wallet.dat'));
    writeInterrupted(wallets, state);
    await backUp(wallets, time);
  };

/** What a killed node, or one that cleaned up, leaves at each instant of the migration of a put-back. */
const stoppedPutBacks: readonly (readonly [string, Leave])[] = [
  ['nothing', async () => undefined],
  ['a backup', backUp],
  [
    'an empty folder',
    async (wallets, time) => {
      await rm(join(wallets, 'big', 'wallet.dat'));
      await backUp(wallets, time);
    },
  ],
  // Another test puts each of the five states back.
  ...(['converting', 'empty-descriptor', 'format'] as const).map(
    (state) => [`the file in state ${state}`, half(state)] as const,
  ),
  [
    'an incomplete file and companions',
    async (wallets, time) => {
      await half('descriptors-half')(wallets, time);
      await putCompanions(wallets);
    },
  ],
  [
    'only companions',
    async (wallets, time) => {
      await rm(join(wallets, 'big'), { recursive: true });
      await putCompanions(wallets);
      await backUp(wallets, time);
    },
  ],
];

/** The contents of all wallet files and journals, wherever they lie, by their hashes. */
const walletHashes = (wallets: string) =>
  filesBelow(wallets)
    .filter((path) => basename(path).startsWith('wallet.dat'))
    .map((path) => `${basename(path)} ${sha256(readFileSync(path))}`)
    .sort();

/** Puts the wallet back, on a node that migrates it. */
async function putBack(all: Awaited<ReturnType<typeof bench>>) {
  const { node, wallets } = all;
  node.handlers.migratewallet = async ({ params }) => {
    const { wallet_name } = params as { wallet_name: string };
    await writeFile(join(wallets, wallet_name, 'wallet.dat'), await migrated());
    return { wallet_name, backup_path: join(wallets, `${wallet_name}_1795651199.legacy.bak`) };
  };
  expect(await all.end()).toMatchObject({ state: 'done', error: null });
}

const calls = ({ node }: Awaited<ReturnType<typeof bench>>) =>
  node.calls.map(({ method }) => method).filter((method) => /^(?:un|re|mig).*wallet$/.test(method));

describe('putting a wallet back', () => {
  it.each(interruptedStates)('restores and migrates it under its name on 31: %s', async (state) => {
    const { node, planned, end, bytesOf, wallets, half, backup } = await bench(on31, state);
    const aside = `big.interrupted-${STAMP}`;
    const plan = await planned();
    const calls = [{ method: 'migratewallet', params: { wallet_name: 'big' } }];
    expect(plan).toMatchObject({ kind: 'restore-migrate', wallet: 'big', calls });
    expect(questionOf(plan, 'name')?.check.text).toEqual([`“big” becomes “${aside}”.`]);
    const path = join(wallets, aside);
    expect(plan.movedWallets).toEqual([
      { name: 'big', newName: aside, path, now: join(wallets, 'big', 'wallet.dat') },
    ]);
    const before = readdirSync(wallets);
    expect(before).toEqual(['big', expect.stringContaining('.legacy.bak')]);
    node.handlers.migratewallet = () => {
      expect(sha256(bytesOf('big'))).toBe(sha256(wholeLegacy()));
      return { wallet_name: 'big', backup_path: join(wallets, 'big_1.legacy.bak') };
    };
    const movedWallets = [{ name: 'big', newName: aside, path }];
    expect(await end(plan)).toMatchObject({ state: 'done', result: { walletName: 'big', movedWallets } });
    // All files of the incomplete wallet exist, its journal included.
    expect(bytesOf(aside).equals(half)).toBe(true);
    expect(readdirSync(join(wallets, aside)).length).toBeGreaterThan(0);
    expect(sha256(readFileSync(backup))).toBe(sha256(wholeLegacy()));
  });

  it.each([
    ['directly', 'wallets'],
    ...(CAN_LINK_FOLDERS
      ? [
          ['through a link to the wallets folder', 'link'],
          ['through a link above it', 'link/wallets'],
        ]
      : []),
  ])('restores it on 28 from a backup in the incomplete wallet’s folder, reached %s', async (_, path) => {
    const all = await bench(on28, 'converting');
    const { node, planned, end, backup, folder } = all;
    if (path !== 'wallets')
      await symlink(path === 'link' ? all.wallets : folder, join(folder, 'link'), 'junction');
    const wallets = join(folder, path);
    all.session.status.walletsFolder = wallets;
    const inside = join(wallets, 'big', 'big_1795651099.legacy.bak');
    await cp(backup, inside);
    await rm(backup);
    const plan = await planned();
    const now = join(wallets, `big.interrupted-${STAMP}`, 'big_1795651099.legacy.bak');
    const params = { wallet_name: 'big', backup_file: now };
    expect(plan).toMatchObject({ kind: 'restore', calls: [{ method: 'restorewallet', params }] });
    node.handlers.restorewallet = async () => {
      expect(readdirSync(wallets)).toEqual([`big.interrupted-${STAMP}`]);
      await mkdir(join(wallets, 'big'));
      await cp(now, join(wallets, 'big', 'wallet.dat'));
      return { name: 'big' };
    };
    node.handlers.getwalletinfo = () => infoOf({ descriptors: false, format: 'bdb' });
    const result = { kind: 'restore', walletKind: 'legacy', movedWallets: [{ name: 'big' }] };
    expect(await end(plan)).toMatchObject({ state: 'done', result });
  });

  it('does not start if it would move a wallet that the plan did not show', async () => {
    const { planned, run, wallets } = await bench(on31, 'converting');
    const plan = await planned();
    await putWallet(wallets, 'big_watchonly', 'descriptor-hd');
    await expect(run(plan)).rejects.toMatchObject({ plan: { movedWallets: { length: 2 } } });
    expect(readdirSync(wallets)).toContain('big_watchonly');
  });

  it('says where the incomplete wallet is if it cannot go back, and moves it later, also after another job', async () => {
    const { node, end, wallets, start, jobs } = await bench(on31, 'converting');
    const rest = join(wallets, 'big', 'database');
    node.handlers.migratewallet = async () => {
      await mkdir(rest);
      throw rpc(-4, 'Wallet file verification failed.');
    };
    const leftCopy = { path: join(wallets, `big.interrupted-${STAMP}`), why: 'not-moved-back' };
    expect(await end()).toMatchObject({ state: 'failed', leftCopy });
    const source = { by: 'file', path: fixtureFile('legacy-imported') } as const;
    const other = start({ action: 'restore', source, answers: { name: 'big' } });
    await expect(other).rejects.toMatchObject(stoppedBy('name'));
    await rm(rest, { recursive: true });
    await jobs.removeLeftCopies();
    expect(readdirSync(wallets)).toEqual(['big', expect.stringContaining('.legacy.bak')]);
    expect((await jobs.list())[0]?.leftCopy).toBeUndefined();
  });

  it('gives it a name without a slash, as every restored wallet needs', async () => {
    const { planned, half, bytesOf } = await bench(on31, 'converting', { name: 'a/b' });
    const plan = await planned();
    expect(plan).toMatchObject({ kind: 'restore-migrate', wallet: 'a-b' });
    expect(blockerText(plan, false)).toBeNull();
    // The new wallet has another folder, so the incomplete one does not move.
    expect(questionOf(plan, 'name')?.check.text).toEqual([]);
    expect(plan.movedWallets).toMatchObject([{ name: 'a/b', newName: 'a/b' }]);
    expect(bytesOf('a/b').equals(half)).toBe(true);
  });

  it('unloads the incomplete wallet first if the node has loaded it', async () => {
    const all = await bench(on31, 'empty-descriptor');
    const { node, planned, end } = all;
    let loaded = ['big'];
    node.handlers.listwallets = () => loaded;
    node.handlers.unloadwallet = () => {
      loaded = [];
      return {};
    };
    node.handlers.migratewallet = () => ({ wallet_name: 'big', backup_path: '/x' });
    const plan = await planned();
    expect(plan.calls.map(({ method }) => method)).toEqual(['unloadwallet', 'migratewallet']);
    expect(await end(plan)).toMatchObject({ state: 'done' });
    expect(calls(all)).toEqual(['unloadwallet', 'migratewallet']);
  });

  it.each([
    ['31', on31, 'migratewallet'],
    ['28', on28, 'restorewallet'],
  ] as const)('moves the incomplete file back if a node %s refuses', async (_, on, method) => {
    const { node, end, bytesOf, half, wallets } = await bench(on, 'converting');
    const before = readdirSync(wallets);
    node.handlers[method] = failing(rpc(-4, 'Error: something about the wallet'));
    // The incomplete wallet has its old name again, which may be reported as the outcome.
    const code = expect.stringMatching(/wallet_error|interrupted/);
    expect(await end()).toMatchObject({ error: { code } });
    expect(readdirSync(wallets)).toEqual(before);
    expect(bytesOf('big').equals(half)).toBe(true);
    expect(readdirSync(join(wallets, 'big'))).toContain('wallet.dat-journal');
  });

  it('names an unnamed wallet and moves its bare file and journal into a folder', async () => {
    const { node, planned, end, wallets, bytesOf, half } = await bench(on31, 'converting', { name: '' });
    const plan = await planned();
    expect(plan).toMatchObject({ wallet: 'wallet', kind: 'restore-migrate' });
    node.handlers.migratewallet = () => ({ wallet_name: 'wallet', backup_path: '/x' });
    expect(await end(plan)).toMatchObject({ state: 'done' });
    const aside = `wallet.interrupted-${STAMP}`;
    expect(readdirSync(join(wallets, aside)).sort()).toEqual(['wallet.dat', 'wallet.dat-journal']);
    expect(bytesOf(aside).equals(half)).toBe(true);
    expect(readdirSync(wallets)).not.toContain('wallet.dat');
  });

  it('restores an unnamed wallet on 28 from the backup next to it, which stays there', async () => {
    const { node, planned, end, wallets, backup } = await bench(on28, 'converting', { name: '' });
    const plan = await planned();
    const params = { wallet_name: 'wallet', backup_file: backup };
    expect(plan).toMatchObject({ kind: 'restore', calls: [{ method: 'restorewallet', params }] });
    node.handlers.restorewallet = async () => {
      await mkdir(join(wallets, 'wallet'));
      await cp(backup, join(wallets, 'wallet', 'wallet.dat'));
      return { name: 'wallet' };
    };
    node.handlers.getwalletinfo = () => infoOf({ descriptors: false, format: 'bdb' });
    expect(await end(plan)).toMatchObject({ state: 'done', result: { kind: 'restore' } });
  });

  it.skipIf(!CAN_LINK)('leaves an unnamed wallet in place if its file is a relative link', async () => {
    const { folder, wallets, end, half } = await bench(on31, 'converting', { name: '' });
    await mkdir(join(folder, 'store'));
    for (const name of ['wallet.dat', 'wallet.dat-journal'])
      await rename(join(wallets, name), join(folder, 'store', name));
    await symlink('../store/wallet.dat', join(wallets, 'wallet.dat'));
    const before = readdirSync(wallets);
    expect(await end()).toMatchObject({ state: 'failed', error: { code: 'not_available_here' } });
    expect(readdirSync(wallets)).toEqual(before);
    expect(readFileSync(join(wallets, 'wallet.dat')).equals(half)).toBe(true);
  });

  it('moves the companions of the same migration too', async () => {
    const { wallets, planned } = await bench(on31, 'converting');
    await putWallet(wallets, 'big_watchonly', 'descriptor-hd');
    const plan = await planned();
    expect(questionOf(plan, 'name')?.check.text).toEqual([
      `“big” becomes “big.interrupted-${STAMP}”.`,
      `“big_watchonly” becomes “big.interrupted-${STAMP}_watchonly”.`,
    ]);
    expect(blockersOf(plan)).toEqual([]);
  });

  it.each(stoppedPutBacks)('works after tries that left %s', async (_, leave) => {
    const all = await bench(on31, 'converting');
    const { node, clock, planned, end, wallets } = all;
    await putCompanions(wallets);
    const contents = walletHashes(wallets);
    // A try is newer than what the migration left.
    clock.now = Date.now() / 1000 + 60;
    for (let tries = 1; tries <= 2; tries += 1) {
      node.handlers.migratewallet = async () => {
        await leave(wallets, Math.floor(clock.now));
        throw rpc(-4, 'Error: something about the wallet');
      };
      const plan = await planned();
      expect(blockerText(plan, false)).toBeNull();
      expect((await end(plan)).state).toMatch(/failed|interrupted/);
      clock.now += 60;
    }
    await putBack(all);
    expect(all.bytesOf('big').equals(await migrated())).toBe(true);
    // All files of the incomplete wallets exist.
    expect(walletHashes(wallets)).toEqual(expect.arrayContaining(contents));
    expect(readdirSync(wallets)).not.toContain('big_watchonly');
  });

  it('moves the incomplete wallet back on 28 over the empty folder of a failed try', async () => {
    const { node, end, wallets } = await bench(on28, 'converting');
    const before = readdirSync(wallets);
    node.handlers.restorewallet = async () => {
      await mkdir(join(wallets, 'big'));
      throw rpc(-4, 'Wallet file verification failed.');
    };
    expect(await end()).toMatchObject({ state: 'failed' });
    expect(readdirSync(wallets)).toEqual(before);
    expect(readdirSync(join(wallets, 'big'))).toContain('wallet.dat-journal');
  });

  it('reports an older wallet that has a companion’s name and does not move it', async () => {
    const { wallets, planned } = await bench(on31, 'converting');
    await putCompanions(wallets);
    for (const name of ['big_watchonly', 'big_solvables'])
      await utimes(join(wallets, name, 'wallet.dat'), BACKUP_TIME - 1000, BACKUP_TIME - 1000);
    const plan = await planned();
    expect(plan.movedWallets).toMatchObject([{ name: 'big' }]);
    const text = ['Taken: “big_watchonly” and “big_solvables”.'];
    expect(blockersOf(plan)).toMatchObject([{ id: 'names-taken', text, todo: ['Choose another name.'] }]);
  });

  it('finds the new companions after a lost answer, not the ones that it moved away', async () => {
    const { node, end, wallets } = await bench(on31, 'converting');
    await putCompanions(wallets);
    let loaded: string[] = [];
    node.handlers.listwallets = () => loaded;
    node.handlers.migratewallet = async () => {
      await writeFile(join(wallets, 'big', 'wallet.dat'), await migrated());
      await putCompanions(wallets);
      loaded = ['big', 'big_watchonly', 'big_solvables'];
      throw new AppError('connection_lost', 'lost', '');
    };
    node.handlers.getwalletinfo = () => infoOf();
    const result = { walletName: 'big', watchonlyName: 'big_watchonly', solvablesName: 'big_solvables' };
    expect(await end()).toMatchObject({ state: 'done', result });
  });

  it('does not move an older wallet, whatever time the copy’s name has', async () => {
    const { wallets, planned, backup } = await bench(on31, 'converting');
    const companion = await putWallet(wallets, 'big_watchonly', 'descriptor-hd');
    await utimes(companion, BACKUP_TIME - 1000, BACKUP_TIME - 1000);
    const copy = join(wallets, 'big_000000000.legacy.bak');
    await rename(backup, copy);
    await utimes(copy, BACKUP_TIME, BACKUP_TIME);
    expect((await planned()).movedWallets).toMatchObject([{ name: 'big' }]);
  });

  it('moves the wallet back at the next start if the app ended before the call', async () => {
    const all = await bench(on31, 'converting', { journal: 'kept' });
    const { planned, run, wallets, options, half, bytesOf, node, jobs, journal } = all;
    node.hold('migratewallet');
    let loaded = ['big'];
    node.handlers.listwallets = () => loaded;
    node.handlers.unloadwallet = () => {
      loaded = [];
      return null;
    };
    node.handlers.loadwallet = () => {
      loaded = readdirSync(wallets).filter((name) => name === 'big');
      return { name: 'big' };
    };
    await run(await planned());
    await all.until(({ steps }) => steps.some(({ phase, state }) => phase === 'sent' && state === 'running'));
    jobs.close();
    const [entry] = (await journal.read()).entries;
    if (entry === undefined) throw new Error('nothing was written');
    expect(entry.checkpoint).toMatchObject({ moves: [{ from: join(wallets, 'big') }] });
    // As it was right before the call.
    journal.write({ ...entry, sent: false });
    const next = createJobs(options);
    expect(await next.list()).toMatchObject([{ state: 'failed' }]);
    await expect.poll(() => loaded).toEqual(['big']);
    next.close();
    expect(readdirSync(wallets)).toEqual(['big', expect.stringContaining('.legacy.bak')]);
    expect(bytesOf('big').equals(half)).toBe(true);
  });

  it('is not planned while the node may still migrate the wallet for another client', async () => {
    const { planned, plan, node, wallets } = await bench(on31, 'converting');
    node.handlers.getrpcinfo = () => running('migratewallet');
    const changedAt = (time: Date) => utimes(join(wallets, 'big', 'wallet.dat'), time, time);
    await changedAt(new Date());
    await expect(planned()).rejects.toMatchObject({
      code: 'bad_input',
      message: 'The node may continue with migratewallet. Wait for the outcome.',
    });
    const source = { by: 'wallet', name: 'big' } as const;
    await expect(plan({ action: 'migrate', source, answers: {} })).rejects.toMatchObject({
      code: 'bad_input',
    });
    // Since before that call, so the node works on another wallet.
    await changedAt(new Date(1));
    await rm(join(wallets, 'big', 'wallet.dat-journal'), { force: true });
    expect((await planned()).action).toBe('put-back');
  });

  it('refuses to start from another copy than the plan showed', async () => {
    const { planned, run, wallets, backup, node } = await bench(on31, 'converting');
    const before = readdirSync(wallets);
    const plan = await planned();
    await appendFile(backup, 'x');
    await expect(run(plan)).rejects.toMatchObject({ code: 'file_changed' });
    const again = await planned();
    await cp(backup, join(wallets, `big_${BACKUP_TIME + 1}.legacy.bak`));
    await truncate(join(wallets, `big_${BACKUP_TIME + 1}.legacy.bak`), wholeLegacy().length);
    await expect(run(again)).rejects.toMatchObject({ code: 'file_changed' });
    expect(readdirSync(wallets)).toEqual([...before, `big_${BACKUP_TIME + 1}.legacy.bak`]);
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  });

  it('says that no wallet has a name, and suggests a similar one', async () => {
    const { plan, wallets } = await bench(on31, 'converting');
    const unknown = (name: string) =>
      plan({ action: 'put-back', source: { by: 'wallet', name }, answers: {} }).catch((thrown) => thrown);
    await putWallet(wallets, 'savings', 'descriptor-hd');
    expect(await unknown('saving')).toMatchObject({
      code: 'file_missing',
      message: 'No wallet of this name.',
      hint: expect.stringContaining('Did you mean “savings”?'),
    });
  });

  it('is refused if the wallet is complete, or no copy is complete', async () => {
    const { planned, wallets, backup } = await bench(on31, 'converting');
    await rm(backup);
    await expect(planned()).rejects.toMatchObject({ code: 'file_missing' });
    await rm(join(wallets, 'big'), { recursive: true });
    await putWallet(wallets, 'big', 'legacy-hd');
    const refused = (hint: string) =>
      expect(planned()).rejects.toMatchObject({ code: 'bad_input', message: 'Nothing to put back.', hint });
    await refused('The wallet is complete.');
    const file = join(wallets, 'big', 'wallet.dat');
    await writeFile(file, readFileSync(file).fill(0, 4096 * 2, 4096 * 3));
    await refused('Damaged. A rescue saves what is left.');
  });
});

describe('the incomplete file of a restored wallet', () => {
  const { signal } = new AbortController();
  const findFor = (
    { session, interruptions }: Awaited<ReturnType<typeof bench>>,
    name: string,
    forPutBack = true,
  ) =>
    findInterruption(session.status, { source: { by: 'wallet', name }, forPutBack }, interruptions, signal);

  const puttingBack = (name: string) =>
    ({ action: 'put-back', source: { by: 'wallet', name }, answers: {} }) as const;

  it.each([
    ['big', 'big', `big.interrupted-${STAMP}`],
    ['', 'wallet', `wallet.interrupted-${STAMP}`],
    // Its name is none that a placed wallet may have: it stays.
    ['a/b', 'a-b', 'a/b'],
  ])('names the restored wallet and is put back only if that is gone: “%s”', async (name, back, half) => {
    const all = await bench(on31, 'converting', { name });
    const { wallets, plan } = all;
    await putBack(all);
    for (const forPutBack of [true, false])
      expect(await findFor(all, half, forPutBack)).toMatchObject({ restoredAs: back });
    const refusal = { code: 'bad_input', hint: `Restored as “${back}”.` };
    await expect(plan(puttingBack(half))).rejects.toMatchObject(refusal);
    await rm(join(wallets, back), { recursive: true });
    expect(await findFor(all, half)).not.toHaveProperty('restoredAs');
    expect(await plan(puttingBack(half))).toMatchObject({ wallet: back, kind: 'restore-migrate' });
    expect(blockerText(await plan(puttingBack(half)), false)).toBeNull();
  });

  it('is kept with its companion, which is whole', async () => {
    const all = await bench(on31, 'converting');
    const companion = `big.interrupted-${STAMP}_watchonly`;
    await putWallet(all.wallets, 'big_watchonly', 'descriptor-hd');
    await putBack(all);
    for (const forPutBack of [true, false])
      expect(await findFor(all, companion, forPutBack)).toMatchObject({ restoredAs: 'big', copies: [] });
    await rm(join(all.wallets, 'big'), { recursive: true });
    expect(await findFor(all, companion)).toBeNull();
  });

  it('is put back again if the restored wallet is damaged or replaced', async () => {
    const all = await bench(on31, 'converting');
    const { wallets, plan } = all;
    await putBack(all);
    const half = `big.interrupted-${STAMP}`;
    const file = join(wallets, 'big', 'wallet.dat');
    await truncate(file, 40_000);
    expect(await findFor(all, half)).not.toHaveProperty('restoredAs');
    const again = await plan(puttingBack(half));
    expect(again).toMatchObject({ wallet: 'big', movedWallets: [{ name: 'big', newName: `${half}-2` }] });
    expect(blockerText(again, false)).toBeNull();
    await cp(fixtureFile('descriptor-hd'), file);
    expect(await findFor(all, half)).not.toHaveProperty('restoredAs');
    expect(await plan(puttingBack(half))).toMatchObject({ wallet: 'big-restored' });
  });

  it('is recognised by its keys when the journal is lost', async () => {
    const all = await bench(on31, 'converting');
    await putBack(all);
    const alone = createInterruptions({ work: walletWorkHere, copies: all.copies });
    const request = { source: { by: 'wallet', name: `big.interrupted-${STAMP}` } } as const;
    const found = await findInterruption(all.session.status, request, alone, signal);
    expect(found).toMatchObject({ restoredAs: 'big' });
    // Of all wallets, it alone needs no backup.
    expect(await all.plan({ ...request, action: 'backup', answers: {} })).toMatchObject({ isKept: true });
    // Its owner keeps the copies elsewhere, and another wallet has the name.
    await rm(all.backup);
    await cp(fixtureFile('descriptor-hd'), join(all.wallets, 'big', 'wallet.dat'));
    const withoutCopies = createInterruptions({ work: walletWorkHere, copies: { list: async () => [] } });
    const unrestored = await findInterruption(
      all.session.status,
      { ...request, forPutBack: true },
      withoutCopies,
      signal,
    );
    expect(unrestored).not.toHaveProperty('restoredAs');
  });

  it('gets a shorter name if the wallet’s name is long', async () => {
    const name = 'n'.repeat(230);
    const all = await bench(on31, 'converting', { name });
    await putBack(all);
    const half = readdirSync(all.wallets).find((one) => one.includes('.interrupted-'));
    expect(await findFor(all, half ?? '')).toMatchObject({ restoredAs: name });
  });

  it('uses another wallet’s copy last and warns about it', async () => {
    const all = await bench(on31, 'converting');
    const other = join(all.wallets, 'big_1795659999.legacy.bak');
    await cp(fixtureFile('legacy-hd'), other);
    expect(await findFor(all, 'big')).toMatchObject({
      copies: [{ path: all.backup }, { path: other, isOther: true }],
    });
    expect((await all.planned()).facts.path).toBe(all.backup);
    await rm(all.backup);
    const found = await findFor(all, 'big');
    expect(hasCopyOfThisWallet(found?.copies ?? [])).toBe(false);
    expect((await all.planned()).checks[0]).toMatchObject({ title: 'Another wallet’s copy' });
  });

  it('warns of a copy that has no passphrase where the wallet now has one', async () => {
    const { wallets, planned } = await bench(on31, 'empty-descriptor');
    const title = 'The backup has no passphrase';
    expect(titlesOf(await planned())).not.toContain(title);
    await cp(fixtureFile('descriptor-encrypted'), join(wallets, 'big', 'wallet.dat'));
    await truncate(join(wallets, 'big', 'wallet.dat'), 20_480);
    expect(titlesOf(await planned())).toContain(title);
  });
});

it.each(['converting', 'descriptors-half', 'legacy-in-sqlite', 'empty-descriptor'] as const)(
  'neither migrates nor restores an incomplete wallet: %s',
  async (state) => {
    const { start, source, wallets, node } = await bench(on31, state);
    const stops = stoppedBy('interrupted', 'Migration interrupted');
    await expect(start({ action: 'migrate', source })).rejects.toMatchObject(stops);
    const file = { by: 'file', path: join(wallets, 'big', 'wallet.dat') } as const;
    const restore = start({ action: 'restore', source: file, answers: { name: 'new' } });
    await expect(restore).rejects.toMatchObject(stops);
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  },
);
