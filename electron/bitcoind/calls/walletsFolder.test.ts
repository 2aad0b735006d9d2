import { readFileSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createScriptedNode } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { existsAs } from '../../files/openFile.ts';
import { MODES_HOLD } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { writeInterrupted } from '../../jobs/testing/interruptedStates.ts';
import { findProbedFolder, probeWalletsFolder, proveWalletsFolder } from './proveWalletsFolder.ts';
import { findUnreadablePaths, findWritingMethod, walletFileFacts, walletFilePath } from './walletsFolder.ts';

vi.mock('../../files/openFile.ts', { spy: true });

let chain: string;
let log: string;

beforeEach(() => {
  chain = makeTestFolder();
  log = join(chain, 'debug.log');
});

/** Puts a wallet there that a node lists. */
async function putWallet(...path: string[]): Promise<void> {
  await mkdir(join(chain, ...path), { recursive: true });
  await cp(fixtureFile('legacy-hd'), join(chain, ...path, 'wallet.dat'));
}

/** The folder that a node with these wallets proves. */
function provedFolder(logPath: string, names: readonly string[]): Promise<string | null> {
  const { client, handlers } = createScriptedNode();
  handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
  return proveWalletsFolder(client, logPath);
}

it.each([
  ['restorewallet', null],
  ['migratewallet', 'migratewallet'],
])('a missing wallet waits for another one’s %s: %s', async (method, waitsFor) => {
  const { client, handlers } = createScriptedNode();
  handlers.getrpcinfo = () => ({ active_commands: [{ method, duration: 60_000_000 }], logpath: '' });
  expect(await findWritingMethod(client, join(chain, 'gone'))).toBe(waitsFor);
});

describe('proveWalletsFolder', () => {
  it('finds “wallets” next to the log if it contains every wallet', async () => {
    await putWallet('wallets', 'a');
    await putWallet('wallets', 'family', 'alice');
    await putWallet('wallets');
    await writeFile(join(chain, 'wallets', 'bare.dat'), 'x');
    expect(await provedFolder(log, ['', 'a', 'family/alice', 'bare.dat'])).toBe(join(chain, 'wallets'));
    expect(await provedFolder(log, ['a', 'b'])).toBeNull();
  });

  it.runIf(process.platform === 'linux')(
    'finds a folder with a name that is not UTF-8, and names it',
    async () => {
      await putWallet('wallets', 'a');
      const wallets = join(chain, 'wallets');
      const folder = Buffer.concat([Buffer.from(`${wallets}/f`), Buffer.of(0xfc), Buffer.from('r')]);
      await mkdir(folder);
      expect(await provedFolder(log, ['a', 'f\ufffdr', 'f\ufffdr/b'])).toBe(wallets);
      expect(await provedFolder(log, ['a', 'g\ufffdr'])).toBeNull();
      await putWallet('wallets', 'k\ufffdnig');
      expect(await findUnreadablePaths(wallets, new Set(['a', 'f\ufffdr']))).toEqual([`${wallets}/f\ufffdr`]);
    },
  );

  it('finds the chain folder if it contains no “wallets”', async () => {
    await putWallet('a');
    expect(await provedFolder(log, ['a'])).toBe(chain);
  });

  it.each(['disappears', 'appears'])('finds the folder while a wallet %s', async (change) => {
    await putWallet('wallets', 'a');
    if (change === 'appears') await putWallet('wallets', 'b');
    const { client, handlers } = createScriptedNode();
    const [before, after] = change === 'disappears' ? [['a', 'b'], ['a']] : [[], ['a', 'b']];
    const lists = [before, after];
    handlers.listwalletdir = () => ({ wallets: (lists.shift() ?? after)?.map((name) => ({ name })) });
    expect(await proveWalletsFolder(client, log)).toBe(join(chain, 'wallets'));
  });

  it.each(['a', '../a', '/etc', 'a/../../b'])('finds no wallet outside “wallets”: %s', async (name) => {
    await putWallet('a');
    await mkdir(join(chain, 'wallets'));
    expect(await provedFolder(log, [name])).toBeNull();
  });

  it('finds an empty “wallets” for a node without wallets', async () => {
    expect(await provedFolder(log, [])).toBeNull();
    await mkdir(join(chain, 'wallets'));
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
  });

  it('finds no folder with wallets for a node without wallets', async () => {
    await putWallet('wallets', 'a');
    expect(await provedFolder(log, [])).toBeNull();
  });

  it('ignores files that no node lists, such as a killed node leaves, but no others', async () => {
    await putWallet('wallets', 'a');
    await writeFile(join(chain, 'wallets', 'a', 'wallet.dat'), '');
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
    // With SQLite's magic, but without the application id of a network.
    const { backup } = writeInterrupted(join(chain, 'wallets'), 'format', 'a');
    await rm(backup);
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
    writeInterrupted(join(chain, 'wallets'), 'empty-descriptor', 'a');
    expect(await provedFolder(log, [])).toBeNull();
  });
});

describe('a wallet file', () => {
  const big = Buffer.alloc(4096);
  big.writeUInt32BE(0x00053162, 12);

  it.each([
    ['legacy', readFileSync(fixtureFile('legacy-hd'))],
    ['legacy', big],
    ['descriptor', readFileSync(fixtureFile('descriptor-hd'))],
    ['unknown', 'x'],
    ['unknown', null],
  ] as const)('is %s by its header', async (kind, content) => {
    const file = join(chain, 'x.dat');
    if (content !== null) await writeFile(file, content);
    expect((await walletFileFacts(file)).kind).toBe(kind);
  });

  it('is wallet.dat for the unnamed wallet, and null for a name that leads out', async () => {
    await cp(fixtureFile('legacy-hd'), join(chain, 'wallet.dat'));
    expect(await walletFilePath(chain, '')).toBe(join(chain, 'wallet.dat'));
    expect(await walletFilePath(join(chain, 'x'), '..')).toBeNull();
    expect(await walletFilePath(chain, 'missing')).toBeNull();
  });
});

describe('a folder that the node’s log names', () => {
  const START = '2026-11-26T01:34:27Z ';
  const writeLog = (...lines: string[]) => writeFile(log, lines.map((line) => `${START}${line}\n`).join(''));
  const elsewhere = () => join(chain, 'elsewhere');
  beforeEach(async () => {
    await mkdir(join(chain, 'chainstate'));
    await mkdir(elsewhere());
  });

  it('is the one of the last start, with or without wallets', async () => {
    const start = 'Using wallet directory';
    await writeLog(`${start} ${chain}/old`, 'Shutdown: done', `${start} ${elsewhere()}`);
    expect(await provedFolder(log, [])).toBe(elsewhere());
    await putWallet('elsewhere', 'a');
    expect(await provedFolder(log, ['a'])).toBe(elsewhere());
    expect(await provedFolder(log, ['a', 'b'])).toBeNull();
    // A copy of the folder at its old place.
    await putWallet('wallets', 'a');
    expect(await provedFolder(log, ['a'])).toBe(elsewhere());
  });

  it('may be the chain folder, as in data folders from before 0.16', async () => {
    await rm(elsewhere(), { recursive: true });
    expect(await provedFolder(log, [])).toBeNull();
    await writeLog(`Using wallet directory ${chain}`);
    expect(await provedFolder(log, [])).toBe(chain);
  });

  it('is wallets in the chain’s folder once somebody has created it, whatever the log says', async () => {
    await rm(elsewhere(), { recursive: true });
    await writeLog(`Using wallet directory ${chain}`);
    await putWallet('wallets', 'a');
    expect(await provedFolder(log, ['a'])).toBe(join(chain, 'wallets'));
    // -walletdir may name the chain's own folder.
    expect(await provedFolder(log, ['wallets/a'])).toBe(chain);
    await rm(join(chain, 'wallets', 'a'), { recursive: true });
    expect(await provedFolder(log, [])).toBeNull();
  });

  it('is found far from the end of the log, after a thread’s name, and again after a new start', async () => {
    const tip = `[msghand] UpdateTip: new best ${'x'.repeat(40)}`;
    await writeLog(`[init] Using wallet directory ${elsewhere()}`, ...Array(40_000).fill(tip));
    expect(await provedFolder(log, [])).toBe(elsewhere());
    await appendFile(log, `${START}Using wallet directory ${chain}/new\n`);
    await mkdir(join(chain, 'new'));
    expect(await provedFolder(log, [])).toBe(join(chain, 'new'));
  });

  it.each([
    ['contains wallets that the node does not list', 'Using wallet directory {}', true],
    ['is named in the middle of a line', 'peer=1 Using wallet directory {}', false],
    ['is no full path', 'Using wallet directory elsewhere', false],
  ])('is not trusted if it %s', async (_, line, holds) => {
    if (holds) await putWallet('elsewhere', 'a');
    await writeLog(line.replace('{}', elsewhere()));
    expect(await provedFolder(log, [])).toBeNull();
  });
});

describe('a folder that the user names', () => {
  it('is proved if the node lists a probe file, which is then removed', async () => {
    const { client, handlers } = createScriptedNode();
    handlers.listwalletdir = async () => ({ wallets: (await readdir(chain)).map((name) => ({ name })) });
    await putWallet('a');
    expect(await probeWalletsFolder(client, chain, 'regtest')).toBe(true);
    expect(await readdir(chain)).toEqual(['a']);
    await mkdir(join(chain, 'other'));
    expect(await probeWalletsFolder(client, join(chain, 'other'), 'regtest')).toBe(false);
    expect(await readdir(join(chain, 'other'))).toEqual([]);
    // What a crash leaves.
    handlers.listwalletdir = async () => {
      const [probe = ''] = (await readdir(chain)).filter((name) => name.startsWith('wallet-ferry'));
      await cp(join(chain, probe), join(chain, `wallet-ferry-${'0'.repeat(16)}`), { recursive: true });
      return { wallets: [] };
    };
    const left = join(chain, `wallet-ferry-${'0'.repeat(16)}`, 'wallet.dat');
    await probeWalletsFolder(client, chain, 'regtest');
    handlers.listwalletdir = () => ({ wallets: [] });
    // Another window of the app may be using a new one.
    await probeWalletsFolder(client, chain, 'regtest');
    expect(await readdir(chain)).toHaveLength(3);
    await utimes(left, 0, 0);
    await probeWalletsFolder(client, chain, 'regtest');
    expect(await readdir(chain)).toHaveLength(2);
  });

  it('is used while it contains the node’s wallets', async () => {
    const { client, handlers } = createScriptedNode();
    let names = ['a'];
    handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
    await putWallet('chosen', 'a');
    const chosen = join(chain, 'chosen');
    expect(await proveWalletsFolder(client, null, { chosen })).toBe(chosen);
    names = ['a', 'b'];
    expect(await proveWalletsFolder(client, null, { chosen })).toBeNull();
  });
});

it('looks no longer than a second for a folder whose disk does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.mocked(existsAs).mockReturnValueOnce(new Promise(() => undefined));
  const { client, handlers } = createScriptedNode();
  handlers.listwalletdir = async () => ({ wallets: (await readdir(chain)).map((name) => ({ name })) });
  const found = findProbedFolder(client, ['/gone', chain], 'regtest');
  await vi.waitFor(() => expect(existsAs).toHaveBeenCalledWith('/gone', 'folder'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(await found).toBe(chain);
  vi.useRealTimers();
});

describe('findUnreadablePaths', () => {
  it.runIf(MODES_HOLD)(
    'names the folders and files that the app may not read, unless a wallet in them is listed',
    async () => {
      const top = makeTestFolder();
      for (const name of ['open', 'shut', 'listed', 'file']) await mkdir(join(top, name));
      for (const name of ['open', 'file']) await writeFile(join(top, name, 'wallet.dat'), 'x');
      for (const name of ['shut', 'listed', 'file/wallet.dat']) await chmod(join(top, name), 0);
      const closed = await findUnreadablePaths(top, new Set(['listed']));
      for (const name of ['shut', 'listed']) await chmod(join(top, name), 0o700);
      expect(closed.sort()).toEqual([join(top, 'file', 'wallet.dat'), join(top, 'shut')]);
    },
  );

  it('has nothing to say of a folder that is gone', async () => {
    expect(await findUnreadablePaths(join(makeTestFolder(), 'gone'), new Set())).toEqual([]);
  });
});
