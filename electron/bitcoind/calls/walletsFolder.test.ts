import { appendFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createScriptedNode } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { writeInterrupted } from '../../jobs/testing/interruptedStates.ts';
import { probeWalletsFolder, proveWalletsFolder, walletFileKind, walletFilePath } from './walletsFolder.ts';

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

describe('proveWalletsFolder', () => {
  it('finds “wallets” next to the log if it contains every wallet', async () => {
    await putWallet('wallets', 'a');
    await putWallet('wallets', 'family', 'alice');
    await putWallet('wallets');
    await writeFile(join(chain, 'wallets', 'bare.dat'), 'x');
    expect(await provedFolder(log, ['', 'a', 'family/alice', 'bare.dat'])).toBe(join(chain, 'wallets'));
  });

  it('finds the chain folder if it contains no “wallets”', async () => {
    await putWallet('a');
    expect(await provedFolder(log, ['a'])).toBe(chain);
  });

  it('finds nothing if one wallet is missing', async () => {
    await putWallet('wallets', 'a');
    expect(await provedFolder(log, ['a', 'b'])).toBeNull();
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

  it('never finds the chain folder if “wallets” exists', async () => {
    await putWallet('a');
    await mkdir(join(chain, 'wallets'));
    expect(await provedFolder(log, ['a'])).toBeNull();
  });

  it.each(['../a', '/etc', 'a/../../b'])('does not accept a wallet outside the folder: %s', async (name) => {
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

  it('ignores a file that no node lists, such as a killed node leaves', async () => {
    await putWallet('wallets', 'a');
    await writeFile(join(chain, 'wallets', 'a', 'wallet.dat'), '');
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
  });
});

describe('proveWalletsFolder after a node was killed', () => {
  // With SQLite's magic, but without the application id of a network.
  it('ignores a database without a network, because no node lists it', async () => {
    writeInterrupted(join(chain, 'wallets'), 'format', 'a');
    await rm(join(chain, 'wallets', 'a_1795651085.legacy.bak'));
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
  });

  it('does not ignore an interrupted migration that a node lists', async () => {
    writeInterrupted(join(chain, 'wallets'), 'empty-descriptor', 'a');
    expect(await provedFolder(log, [])).toBeNull();
  });
});

describe('a wallet file', () => {
  it('is recognised by its header', async () => {
    expect(await walletFileKind(fixtureFile('legacy-hd'))).toBe('legacy');
    expect(await walletFileKind(fixtureFile('descriptor-hd'))).toBe('descriptor');
    await writeFile(join(chain, 'x.dat'), 'x');
    expect(await walletFileKind(join(chain, 'x.dat'))).toBe('unknown');
    expect(await walletFileKind(join(chain, 'missing'))).toBe('unknown');
  });

  it('is legacy in either byte order', async () => {
    const header = Buffer.alloc(4096);
    header.writeUInt32BE(0x00053162, 12);
    await writeFile(join(chain, 'big'), header);
    header.writeUInt32LE(0x00053162, 12);
    await writeFile(join(chain, 'little'), header);
    expect(await walletFileKind(join(chain, 'big'))).toBe('legacy');
    expect(await walletFileKind(join(chain, 'little'))).toBe('legacy');
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
    await writeLog(
      `Using wallet directory ${chain}/old`,
      'Shutdown: done',
      `Using wallet directory ${elsewhere()}`,
    );
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
    const noise = Array.from(
      { length: 40_000 },
      (_, at) => `[msghand] UpdateTip: new best ${at} ${'x'.repeat(40)}`,
    );
    await writeLog(`[init] Using wallet directory ${elsewhere()}`, ...noise);
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
  const nodeOn = (folder: string) => {
    const node = createScriptedNode();
    node.handlers.listwalletdir = async () => ({
      wallets: (await readdir(folder)).map((name) => ({ name })),
    });
    return node.client;
  };

  it('is proved if the node lists a probe file, which is then removed', async () => {
    await putWallet('a');
    expect(await probeWalletsFolder(nodeOn(chain), chain, 'regtest')).toBe(true);
    expect(await readdir(chain)).toEqual(['a']);
    await mkdir(join(chain, 'other'));
    expect(await probeWalletsFolder(nodeOn(chain), join(chain, 'other'), 'regtest')).toBe(false);
    expect(await readdir(join(chain, 'other'))).toEqual([]);
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
