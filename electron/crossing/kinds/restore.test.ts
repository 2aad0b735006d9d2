import { copyFileSync } from 'node:fs';
import { copyFile, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureFile, sha256 } from '../../../e2e/testNode/walletFixture.ts';
import type { Network } from '../../../shared/network.ts';
import { releaseOf } from '../../node/rpc/release.ts';
import { createSafetyCopies } from '../copies/safetyCopies.ts';
import type { Journal } from '../run/journal.ts';
import { inspectionOf } from '../testing/testFacts.ts';
import {
  balances,
  createBench,
  infoOf,
  lost,
  notLoaded,
  recordedLog,
  rpc,
  stamped,
  stepStates,
} from '../testing/testNode.ts';
import { planRestore } from './restore.ts';

const DESCRIPTOR = fixtureFile('descriptor-hd');
const LEGACY = fixtureFile('legacy-hd');

const input = { name: 'w', backupFile: DESCRIPTOR, loadOnStartup: null };
const on30 = { release: releaseOf(300_000) };

describe('startRestore', () => {
  it('sends what was asked and tells what came of it, warnings word for word', async () => {
    const { operations, node, ended } = await createBench();
    node.handlers.restorewallet = () => ({
      name: 'w',
      warnings: ['Wallet loaded successfully. First.', 'Second'],
    });
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.getbalances = () => balances;
    const started = await operations.startRestore({ ...input, loadOnStartup: true });
    expect(started).toMatchObject({
      kind: 'restore',
      wallet: 'w',
      node: { label: 'node', network: 'regtest', release: '28.1' },
      state: 'running',
      line: 'ok',
      measured: 'log',
      started: 1_795_180_000,
      ended: null,
    });
    expect(await ended()).toMatchObject({
      id: started.id,
      state: 'done',
      warnings: ['Wallet loaded successfully. First.', 'Second'],
      result: { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: 175_000_001n },
      error: null,
      progress: null,
    });
    expect(node.calls.find(({ method }) => method === 'restorewallet')?.params).toEqual({
      wallet_name: 'w',
      backup_file: DESCRIPTOR,
      load_on_startup: true,
    });
  });

  it('counts what a wallet without private keys watches, as the list of wallets does', async () => {
    const watching = { ...balances, watchonly: { trusted: 0.4, untrusted_pending: 0, immature: 0 } };
    for (const [privateKeys, balance] of [
      [false, 215_000_001n],
      [true, 175_000_001n],
    ] as const) {
      const { operations, node, ended } = await createBench();
      node.handlers.restorewallet = () => ({ name: 'w' });
      node.handlers.getwalletinfo = () => infoOf({ descriptors: false, private_keys_enabled: privateKeys });
      node.handlers.getbalances = () => watching;
      await operations.startRestore(input);
      expect(await ended()).toMatchObject({ result: { walletKind: 'legacy', balance } });
    }
  });

  it('is done although the wallet cannot be looked into afterwards', async () => {
    const { operations, node, ended } = await createBench();
    node.handlers.restorewallet = () => ({ name: 'w' });
    node.handlers.getwalletinfo = () => {
      throw notLoaded();
    };
    await operations.startRestore(input);
    expect(await ended()).toMatchObject({
      state: 'done',
      result: { walletKind: 'unknown', balance: null },
    });
  });

  it('goes through its steps as the log tells them, with the rescan’s progress', async () => {
    const { operations, node, writeLog, until, ended } = await createBench();
    const held = node.hold('restorewallet');
    await operations.startRestore(input);
    const call = await held();
    writeLog('2026-11-20T13:32:03Z init message: Loading wallet…');
    expect(stepStates(await until(({ steps }) => steps[0]?.state === 'done'))).toEqual({
      sent: 'done',
      loading: 'running',
      rescanning: 'waiting',
    });
    writeLog(
      '2026-11-20T13:32:03Z [w] Rescanning last 100 blocks (from block 37)...',
      '2026-11-20T13:32:03Z [w] Rescan started from block 00ff... (fast variant using block filters)',
      '2026-11-20T13:33:03Z [w] Still rescanning. At block 62. Progress=0.424242',
    );
    const halfway = await until(({ progress }) => progress?.block === 62);
    expect(halfway.progress).toEqual({
      source: 'log',
      wallet: 'w',
      fraction: 0.25,
      block: 62,
      blocks: 100,
      secondsLeft: null,
      fast: true,
    });
    expect(halfway.log.at(-1)).toBe(
      '2026-11-20T13:33:03Z [w] Still rescanning. At block 62. Progress=0.424242',
    );
    expect(halfway.log).toHaveLength(4);
    writeLog('2026-11-20T13:34:03Z [w] Rescan completed in           60000ms');
    call.answer({ name: 'w' });
    const end = await ended();
    expect(stepStates(end)).toEqual({ sent: 'done', loading: 'done', rescanning: 'done' });
    expect(end.log.at(-1)).toContain('Rescan completed');
  });

  it('marks the rescan as skipped where the log shows none', async () => {
    const { operations, node, writeLog, ended } = await createBench();
    const held = node.hold('restorewallet');
    await operations.startRestore({ ...input, name: 'restored' });
    const call = await held();
    writeLog(...recordedLog('28.1', 'restore-positional'));
    call.answer({ name: 'restored' });
    expect(stepStates(await ended())).toEqual({ sent: 'done', loading: 'done', rescanning: 'skipped' });
  });

  it('foretells the end once the speed is steady', async () => {
    const { operations, node, writeLog, until, clock } = await createBench();
    node.hold('restorewallet');
    await operations.startRestore(input);
    for (const [n, share] of ['0.10', '0.20', '0.30'].entries()) {
      writeLog(`[w] Still rescanning. At block ${n + 10}. Progress=${share}`);
      await until(({ progress }) => progress?.block === n + 10);
      clock.now += 60;
    }
    writeLog('[w] Still rescanning. At block 99. Progress=0.40');
    const { progress } = await until((snapshot) => snapshot.progress?.block === 99);
    expect(progress?.secondsLeft).toBeCloseTo(360);
  });

  it('keeps the last 200 lines', async () => {
    const { operations, node, writeLog, until } = await createBench();
    node.hold('restorewallet');
    await operations.startRestore(input);
    writeLog(...Array.from({ length: 1000 }, (_, n) => `line ${n}`));
    const { log } = await until((snapshot) => snapshot.log.at(-1) === stamped('line 999'));
    expect(log).toEqual(Array.from({ length: 200 }, (_, n) => stamped(`line ${800 + n}`)));
  });

  it('tells the node’s refusal in its own words too', async () => {
    const { operations, node, ended } = await createBench();
    node.handlers.restorewallet = () => {
      throw rpc(
        -18,
        'Wallet file verification failed. Data is not in recognized format.',
        'wallet_not_found',
      );
    };
    await operations.startRestore(input);
    expect(await ended()).toMatchObject({
      state: 'failed',
      result: null,
      error: {
        code: 'wallet_not_found',
        node: { code: -18, message: 'Wallet file verification failed. Data is not in recognized format.' },
      },
    });
  });

  it('shows elapsed time only where the log cannot be read', async () => {
    const { operations, node, ended } = await createBench({}, { log: false });
    node.handlers.restorewallet = () => ({ name: 'w' });
    expect(await operations.startRestore(input)).toMatchObject({ measured: 'time', progress: null });
    const end = await ended();
    expect(end).toMatchObject({ measured: 'time', log: [] });
    expect(stepStates(end)).toEqual({ sent: 'done', loading: 'done', rescanning: 'done' });
  });

  it('shows elapsed time only where the log is not where the node says', async () => {
    const { operations, node } = await createBench({ logPath: '/not/there/debug.log' });
    node.hold('restorewallet');
    expect(await operations.startRestore(input)).toMatchObject({ measured: 'time' });
  });

  it('takes progress from getwalletinfo where only that tells', async () => {
    const { operations, node, until } = await createBench({}, { log: false });
    node.hold('restorewallet');
    node.handlers.getwalletinfo = () => infoOf({ scanning: { duration: 12, progress: 0.4 } });
    await operations.startRestore(input);
    const snapshot = await until(({ measured }) => measured === 'scanning');
    expect(snapshot.progress).toEqual({
      source: 'scanning',
      wallet: 'w',
      fraction: 0.4,
      block: null,
      blocks: null,
      secondsLeft: null,
      fast: null,
    });
    expect(stepStates(snapshot)).toMatchObject({ loading: 'done', rescanning: 'running' });
  });
});

describe('startRestore refuses, with nothing sent,', () => {
  const refused = async (
    bench: Awaited<ReturnType<typeof createBench>>,
    changes: Partial<typeof input>,
    code: string,
  ) => {
    await expect(bench.operations.startRestore({ ...input, ...changes })).rejects.toMatchObject({ code });
    expect(bench.node.calls.map(({ method }) => method)).not.toContain('restorewallet');
    expect(bench.emitted).toEqual([]);
    expect(await bench.operations.list()).toEqual([]);
  };

  it('a name that is taken, loaded or not', async () => {
    const bench = await createBench();
    bench.node.handlers.listwallets = () => ['loaded'];
    bench.node.handlers.listwalletdir = () => ({ wallets: [{ name: 'on disk' }] });
    await refused(bench, { name: 'loaded' }, 'name_taken');
    await refused(bench, { name: 'on disk' }, 'name_taken');
  });

  it('a name that cannot be one', async () => {
    const bench = await createBench();
    await refused(bench, { name: '' }, 'name_invalid');
    await refused(bench, { name: '../w' }, 'name_invalid');
  });

  it('a file that is missing, special, empty or something else', async () => {
    const bench = await createBench();
    await refused(bench, { backupFile: join(bench.folder, 'gone') }, 'file_missing');
    await refused(bench, { backupFile: bench.folder }, 'not_a_file');
    const picture = join(bench.folder, 'picture.png');
    await writeFile(picture, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    await refused(bench, { backupFile: picture }, 'not_a_wallet');
    await expect(bench.operations.startRestore({ ...input, backupFile: picture })).rejects.toThrow(
      'picture.png is not a wallet: PNG picture.',
    );
    await writeFile(picture, '');
    await refused(bench, { backupFile: picture }, 'not_a_wallet');
  });

  it('a path that the node would read from another folder', async () => {
    await refused(await createBench(), { backupFile: 'wallet.dat' }, 'bad_input');
  });

  it('a legacy backup where the release cannot load one, and says what to do', async () => {
    const bench = await createBench(on30);
    await refused(bench, { backupFile: LEGACY }, 'release_unsupported');
    await expect(bench.operations.startRestore({ ...input, backupFile: LEGACY })).rejects.toMatchObject({
      hint: expect.stringContaining('release 29 or earlier'),
    });
  });

  it('a wallet of another network', async () => {
    await refused(await createBench({ network: 'main' }), {}, 'bad_input');
  });

  it('anything while there is no node', async () => {
    const bench = await createBench();
    bench.connection.session = () => {
      throw rpc(0, '', 'not_connected');
    };
    await refused(bench, {}, 'not_connected');
  });
});

describe('startRestore lets pass', () => {
  it('a legacy backup where the release loads it, and tells that it is one', async () => {
    const { operations, node, ended, folder } = await createBench();
    await copyFile(LEGACY, join(folder, 'old.bak'));
    await symlink(join(folder, 'old.bak'), join(folder, 'link'));
    node.handlers.restorewallet = () => ({ name: 'w', warning: 'deprecated' });
    node.handlers.getwalletinfo = () => infoOf({ descriptors: false, format: 'bdb' });
    await operations.startRestore({ ...input, backupFile: join(folder, 'link') });
    expect(await ended()).toMatchObject({
      state: 'done',
      warnings: ['deprecated'],
      result: { walletKind: 'legacy' },
    });
  });

  it('any path on a node elsewhere, where only that node can look', async () => {
    const { operations, node, ended } = await createBench({ ...on30, local: false }, { log: false });
    node.handlers.restorewallet = () => ({ name: 'w' });
    await operations.startRestore({ ...input, backupFile: 'D:\\backups\\wallet.dat' });
    expect(await ended()).toMatchObject({ state: 'done' });
  });
});

describe('planRestore', () => {
  it('refuses what a check stops, also where no wizard showed it', async () => {
    const { node, session, folder } = await createBench();
    const looking = (network: Network) => ({
      inspect: async () => inspectionOf({ network: { name: network, from: 'file', candidates: [network] } }),
      tryPassphrase: async () => 'not-encrypted' as const,
      copies: createSafetyCopies({ folder }),
      copiesFolder: folder,
      now: () => 0,
    });
    await expect(planRestore(session, input, { looking: looking('signet') })).rejects.toMatchObject({
      code: 'stopped_by_check',
      message: 'The wallet is of another network.',
    });
    await expect(planRestore(session, input, { looking: looking('regtest') })).resolves.toMatchObject({
      kind: 'restore',
    });
    expect(node.calls.filter(({ method }) => method === 'restorewallet')).toEqual([]);
  });
});

describe('the backup that was shown', () => {
  /** A backup of its own, with the SHA-256 that the page shows of it. */
  const shown = async (all: Awaited<ReturnType<typeof createBench>>) => {
    const backupFile = join(all.folder, 'backup.dat');
    await copyFile(DESCRIPTOR, backupFile);
    all.node.handlers.restorewallet = () => ({ name: 'w' });
    return { ...input, backupFile, seenSha256: sha256(await readFile(DESCRIPTOR)) };
  };
  const another = (backupFile: string) => copyFile(fixtureFile('descriptor-encrypted'), backupFile);
  const restored = ({ node }: Awaited<ReturnType<typeof createBench>>) =>
    node.calls.filter(({ method }) => method === 'restorewallet').length;

  it('is restored, and nothing is said of it where it stayed as it was', async () => {
    const all = await createBench(on30);
    await all.operations.startRestore(await shown(all));
    const { result } = await all.ended();
    expect(result).toMatchObject({ kind: 'restore' });
    expect(result).not.toHaveProperty('backupAfter');
  });

  it('is not restored where it is another file by now, and the new SHA-256 is told', async () => {
    const all = await createBench(on30);
    const asked = await shown(all);
    await another(asked.backupFile);
    await expect(all.operations.startRestore(asked)).rejects.toMatchObject({
      code: 'file_changed',
      hint: expect.stringMatching(
        `Nothing was sent.*${asked.seenSha256}.*${sha256(await readFile(asked.backupFile))}`,
      ),
    });
    expect(restored(all)).toBe(0);
  });

  it('is looked at again right before the call', async () => {
    const journal: Journal = {
      read: async () => [],
      // Written after the plan was made, before the call is.
      write: ({ operation }) => operation.steps.length > 0 && swap(),
      logOf: async () => [],
    };
    const all = await createBench(on30, { journal });
    const asked = await shown(all);
    const swap = () => copyFileSync(fixtureFile('descriptor-encrypted'), asked.backupFile);
    await all.operations.startRestore(asked);
    expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'file_changed' } });
    expect(restored(all)).toBe(0);
  });

  it.each([
    ['changed', (backupFile: string) => another(backupFile)],
    [
      'touched',
      async (backupFile: string) => {
        await rename(backupFile, `${backupFile}.kept`);
        await another(backupFile);
        await rename(`${backupFile}.kept`, backupFile);
      },
    ],
    ['unreadable', (backupFile: string) => rm(backupFile)],
  ])('is said to be %s where it was while the node was to read it', async (after, meanwhile) => {
    const all = await createBench(on30);
    const asked = await shown(all);
    all.node.handlers.restorewallet = async () => {
      await meanwhile(asked.backupFile);
      return { name: 'w' };
    };
    await all.operations.startRestore(asked);
    expect(await all.ended()).toMatchObject({ state: 'done', result: { backupAfter: after } });
  });

  it('is looked at after a lost line too', async () => {
    const all = await createBench(on30);
    const asked = await shown(all);
    const held = all.node.hold('restorewallet');
    await all.operations.startRestore(asked);
    const call = await held();
    await another(asked.backupFile);
    all.node.handlers.listwallets = () => ['w'];
    call.fail(lost());
    expect(await all.ended()).toMatchObject({ state: 'done', result: { backupAfter: 'changed' } });
  });
});
