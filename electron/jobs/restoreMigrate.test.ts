import { copyFileSync, statSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../../e2e/app/filesBelow.ts';
import { lost, rpc } from '../../e2e/testNode/scriptedNode.ts';
import { fixtureFile, sha256 as sha256Of } from '../../e2e/testNode/walletFixture.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { failing } from '../files/testing/failing.ts';
import { MODES_HOLD } from '../files/testing/system.ts';
import { walletWorkHere } from '../workers/testing/walletWorkHere.ts';
import type { CheckpointOf } from './plan/checkpoint.ts';
import { createJobs } from './run/jobs.ts';
import type { JournalEntry } from './run/journal.ts';
import { createSafetyCopies } from './safetyCopies/safetyCopies.ts';
import { createWalletsBench, journalWith } from './testing/bench.ts';

const LEGACY = fixtureFile('legacy-hd');
const release = releaseOf(310_000);
const input = { name: 'back', backupFile: LEGACY };

/** A node of release 31. */
const bench = (options: Parameters<typeof createWalletsBench>[1] = {}) =>
  createWalletsBench({ release }, options);

const sent = ({ node }: Awaited<ReturnType<typeof bench>>) =>
  node.calls.filter(({ method }) => method === 'migratewallet').length;

describe('a backup that is restored and migrated', () => {
  it('places a copy under the name and has it migrated; the backup stays as it was', async () => {
    const all = await bench();
    const { node, restore, wallets, ended } = all;
    const before = await readFile(LEGACY);
    node.handlers.migratewallet = async ({ params }) => {
      expect(params).toEqual({ wallet_name: 'back' });
      expect(await readFile(join(wallets, 'back', 'wallet.dat'))).toEqual(before);
      return { wallet_name: 'back', backup_path: join(wallets, 'back_1.legacy.bak') };
    };
    expect(await restore(input)).toMatchObject({ kind: 'restore-migrate', wallet: 'back' });
    const job = await ended();
    expect(job).toMatchObject({ state: 'done', result: { kind: 'migrate', walletName: 'back' } });
    expect(job.safetyCopy?.files).toMatchObject([{ source: LEGACY, sha256: sha256Of(before) }]);
    expect(await readFile(LEGACY)).toEqual(before);
  });

  it('removes the copy if the node refuses, and nothing else', async () => {
    const all = await bench();
    const { node, restore, wallets, ended } = all;
    node.handlers.migratewallet = failing(
      rpc(-4, 'Error: Wallet decryption failed, the wallet passphrase was not provided or was incorrect.'),
    );
    await restore(input);
    expect(await ended()).toMatchObject({ state: 'failed' });
    expect(await readdir(wallets)).toEqual(['other']);
  });

  it('leaves a copy that the node has changed', async () => {
    const { node, restore, wallets, ended } = await bench();
    node.handlers.migratewallet = async () => {
      await writeFile(join(wallets, 'back', 'wallet.dat'), 'changed');
      throw rpc(-4, 'Error: something');
    };
    await restore(input);
    await ended();
    expect(await readFile(join(wallets, 'back', 'wallet.dat'), 'utf8')).toBe('changed');
  });

  it('places nothing if the wallets folder cannot be proved right before', async () => {
    const all = await bench();
    all.node.handlers.listwalletdir = () => ({ wallets: [{ name: 'elsewhere' }] });
    await all.restore(input);
    expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'not_available_here' } });
    expect(await readdir(all.wallets)).toEqual(['other']);
    expect(sent(all)).toBe(0);
  });

  it.skipIf(!MODES_HOLD)('says that the app may not write to the folder', async () => {
    const all = await bench();
    await chmod(all.wallets, 0o500);
    await all.restore(input);
    expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'file_unreadable' } });
    await chmod(all.wallets, 0o700);
    expect(sent(all)).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('a wallets folder that others can change', () => {
  const refused = async (all: Awaited<ReturnType<typeof bench>>, words: string, todo: RegExp) => {
    const title = expect.stringContaining(words);
    const stop = { id: 'wallets-folder', title, todo: [expect.stringMatching(todo)] };
    await expect(all.restore(input)).rejects.toMatchObject({ stops: [stop] });
    expect(await readdir(all.wallets)).toEqual(['other']);
    expect(sent(all)).toBe(0);
  };

  // SECURITY.md: Another user who can write to a folder
  it('is refused before anything is placed, with a remedy', async () => {
    const all = await bench();
    await chmod(all.wallets, 0o777);
    await refused(all, 'Other users can write to', /chmod go-w.*work without a node/);
    await chmod(all.wallets, 0o700);
    all.node.handlers.migratewallet = () => ({ wallet_name: 'back', backup_path: '/x' });
    await all.restore(input);
    expect(await all.ended()).toMatchObject({ state: 'done' });
  });

  it('is refused if its rights changed while the safety copy was made', async () => {
    const all = await bench({
      copies: {
        ...createSafetyCopies({ work: walletWorkHere, folder: '/nowhere' }),
        async copyFile() {
          await chmod(all.wallets, 0o777);
          const [sha256, size] = [sha256Of(await readFile(LEGACY)), 1];
          const files = [{ path: LEGACY, source: LEGACY, sha256, size }];
          const node = { label: '', network: 'regtest' } as const;
          return { id: 'x', wallet: 'back', node, made: 1, how: 'copied', note: null, files };
        },
      },
    });
    await all.restore(input);
    expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'not_available_here' } });
    expect(await readdir(all.wallets)).toEqual(['other']);
  });

  it.skipIf(process.getuid?.() !== 0)('is refused if it belongs to another user', async () => {
    const all = await bench();
    await chown(all.wallets, 65_534, 65_534);
    await refused(all, 'Another user owns', /Run the app as the node’s user.*work without a node/);
  });
});

describe('a placed copy after the node was killed', () => {
  /** The node is killed after the copy was placed, before it gets the call. */
  const killed = async (options: Parameters<typeof bench>[0] = {}) => {
    const all = await bench(options);
    const { node } = all;
    node.handlers.migratewallet = () => {
      for (const method of ['listwallets', 'listwalletdir', 'getrpcinfo']) {
        node.handlers[method] = failing(lost('cannot_connect'));
      }
      throw lost('cannot_connect');
    };
    return all;
  };
  const revived = ({ node, wallets }: Awaited<ReturnType<typeof bench>>) => {
    node.handlers.getrpcinfo = () => ({ active_commands: [], logpath: '/x/debug.log' });
    node.handlers.listwallets = () => [];
    node.handlers.listwalletdir = async () => ({
      wallets: (await readdir(wallets)).map((name) => ({ name })),
    });
    node.handlers.migratewallet = () => ({ wallet_name: 'back', backup_path: '/x' });
  };
  /** A journal in a folder of its own, and the app’s next start on it. */
  const journaled = async () => {
    const all = await killed({ journal: 'kept' });
    const next = () => createJobs({ ...all.options, emit: () => undefined });
    return { ...all, next };
  };
  /** Has the wallets folder gone when the node gets the call. */
  const moveAway = ({ node, wallets }: Awaited<ReturnType<typeof bench>>) => {
    const gone = node.handlers.migratewallet;
    node.handlers.migratewallet = async (call) => {
      await rename(wallets, `${wallets}.away`);
      return gone?.(call);
    };
  };
  const moveBack = ({ wallets }: { wallets: string }) => rename(`${wallets}.away`, wallets);

  it('is removed without the node, and a second try with its name works', async () => {
    const all = await killed();
    await all.restore(input);
    const last = await all.ended();
    expect(last).toMatchObject({ state: 'failed', error: { code: 'cannot_connect' } });
    expect(last.leftCopy).toBeUndefined();
    expect(await readdir(all.wallets)).toEqual(['other']);
    revived(all);
    await all.restore(input);
    expect(await all.ended()).toMatchObject({ state: 'done' });
  });

  it('is reported with a remedy while it cannot be removed, and removed later', async () => {
    const all = await killed();
    const { wallets, jobs, restore } = all;
    moveAway(all);
    await restore(input);
    const path = join(wallets, 'back', 'wallet.dat');
    expect(await all.ended()).toMatchObject({ state: 'failed', leftCopy: { path, why: 'out-of-reach' } });
    await moveBack(all);
    revived(all);
    await jobs.removeLeftCopies();
    expect(await readdir(wallets)).toEqual(['other']);
    expect(all.last().leftCopy).toBeUndefined();
    expect((await jobs.list())[0]?.leftCopy).toBeUndefined();
  });

  it('blocks a second try with its name while it cannot be removed', async () => {
    const all = await bench();
    all.node.handlers.migratewallet = () => {
      all.node.handlers.listwallets = () => ['back'];
      throw rpc(-4, 'Error: something');
    };
    await all.restore(input);
    await all.ended();
    await expect(all.restore(input)).rejects.toMatchObject({
      code: 'name_taken',
      message: expect.stringContaining(join(all.wallets, 'back', 'wallet.dat')),
      hint: expect.stringMatching(/Nothing was sent.*Unload it/),
    });
  });

  it('is removed right before a second try with its name', async () => {
    const all = await killed();
    moveAway(all);
    await all.restore(input);
    expect((await all.ended()).leftCopy).toBeDefined();
    await moveBack(all);
    revived(all);
    await all.restore(input);
    expect(await all.ended()).toMatchObject({ state: 'done' });
  });

  it('is removed at a later start of the app', async () => {
    const all = await journaled();
    const { wallets, journal, next } = all;
    moveAway(all);
    await all.restore(input);
    await all.ended();
    all.jobs.close();
    const first = next();
    expect((await first.list())[0]?.leftCopy?.path).toBe(join(wallets, 'back', 'wallet.dat'));
    // It tries at its start: one that still did could be the one that takes the copy away.
    await first.removeLeftCopies();
    first.close();
    await moveBack(all);
    revived(all);
    const second = next();
    await expect.poll(() => readdir(wallets)).toEqual(['other']);
    await expect.poll(async () => (await second.list())[0]?.leftCopy).toBeUndefined();
    await expect
      .poll(async () => (await journal.read()).entries[0]?.checkpoint)
      .toMatchObject({ placed: null });
    second.close();
  });

  // SECURITY.md: Another user who can write to a folder
  it('is in the journal with its inode while it is still empty', async () => {
    const entries: { entry: JournalEntry; size: number }[] = [];
    const all = await bench({
      journal: journalWith((entry) => {
        const { placed } = entry.checkpoint as CheckpointOf<'restore-migrate'>;
        const sizes = filesBelow(placed?.folder ?? '').map((file) => statSync(file).size);
        entries.push({ entry, size: Math.max(0, ...sizes) });
      }),
    });
    all.node.handlers.migratewallet = () => ({ wallet_name: 'back', backup_path: '/x' });
    await all.restore(input);
    await all.ended();
    const first = entries.find(({ size }) => size > 0);
    const sha256 = sha256Of(await readFile(LEGACY));
    const mark = { dev: expect.any(String), ino: expect.stringMatching(/^\d+$/) };
    const folder = join(all.wallets, 'back');
    const placed = { folder, sha256, within: mark, created: { folder: mark, files: [mark] } };
    expect(first?.entry.checkpoint).toMatchObject({ placed });
    const before = entries.slice(0, first ? entries.indexOf(first) : 0);
    expect(before.at(-1)?.entry.checkpoint).toMatchObject({ placed: { created: { files: [mark] } } });
  });

  it('stays and is reported while the node may be using it', async () => {
    const all = await bench();
    const nextCall = all.node.hold('migratewallet');
    const { id } = await all.restore(input);
    await nextCall();
    all.jobs.stopWaiting(id);
    const path = join(all.wallets, 'back', 'wallet.dat');
    expect(await all.ended()).toMatchObject({ state: 'unknown', leftCopy: { path, why: 'may-be-used' } });
    await all.jobs.removeLeftCopies();
    expect(await readFile(path)).toEqual(await readFile(LEGACY));
  });

  it('stays while the node has it open after a refusal', async () => {
    const all = await bench();
    all.node.handlers.migratewallet = () => {
      all.node.handlers.listwallets = () => ['back'];
      throw rpc(-4, 'Error: something');
    };
    await all.restore(input);
    expect((await all.ended()).leftCopy?.why).toBe('in-use');
    revived(all);
    await all.jobs.removeLeftCopies();
    expect(await readdir(all.wallets)).toEqual(['other']);
  });

  it('is left alone if an earlier version placed it without a mark', async () => {
    const all = await journaled();
    const { journal, wallets, next } = all;
    await all.restore(input);
    await all.ended();
    all.jobs.close();
    const [entry] = (await journal.read()).entries;
    if (!entry) throw new Error('not written down');
    await mkdir(join(wallets, 'back'));
    await copyFile(LEGACY, join(wallets, 'back', 'wallet.dat'));
    const folder = join(wallets, 'back');
    const placed = { folder, file: join(folder, 'wallet.dat'), sha256: sha256Of(await readFile(LEGACY)) };
    const checkpoint = { ...(entry.checkpoint as CheckpointOf<'restore-migrate'>), placed };
    journal.write({ ...entry, sent: false, checkpoint });
    const jobs = next();
    await expect.poll(async () => (await jobs.list())[0]?.leftCopy?.why).toBe('not-recorded');
    expect(await readdir(wallets)).toEqual(['back', 'other']);
    jobs.close();
  });
});

it('places only the backup that the plan showed, and sends nothing for another one', async () => {
  const all = await bench({
    // Called after the last check of the facts, before anything is done.
    journal: journalWith(({ checkpoint }) => {
      const { placed, backupFile } = checkpoint as CheckpointOf<'restore-migrate'>;
      if (placed === null) copyFileSync(fixtureFile('legacy-watchonly'), backupFile);
    }),
  });
  const backupFile = join(all.folder, 'backup.dat');
  await copyFile(LEGACY, backupFile);
  expect(await all.restore({ name: 'back', backupFile })).toMatchObject({ kind: 'restore-migrate' });
  expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'file_changed' } });
  expect(await readdir(all.wallets)).toEqual(['other']);
  expect(sent(all)).toBe(0);
});
