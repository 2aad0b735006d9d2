import { appendFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScriptedNode } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { interruptedAreHere, layInterrupted } from '../../jobs/testing/interruptedStates.ts';
import { probeWalletsFolder, proveWalletsFolder, walletFileKind, walletFilePath } from './walletsFolder.ts';

let chain: string;
let log: string;

beforeEach(async () => {
  chain = await mkdtemp(join(tmpdir(), 'ferry-chain-'));
  log = join(chain, 'debug.log');
});
afterEach(() => rm(chain, { recursive: true }));

/** One that a node lists. */
async function wallet(...path: string[]): Promise<void> {
  await mkdir(join(chain, ...path), { recursive: true });
  await cp(fixtureFile('legacy-hd'), join(chain, ...path, 'wallet.dat'));
}

/** By a node that lists these. */
function provedFolder(logPath: string, names: readonly string[]): Promise<string | null> {
  const { client, handlers } = createScriptedNode();
  handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
  return proveWalletsFolder(client, logPath);
}

describe('proveWalletsFolder', () => {
  it('is wallets beside the log when every wallet lies in it', async () => {
    await wallet('wallets', 'a');
    await wallet('wallets', 'family', 'alice');
    await wallet('wallets');
    await writeFile(join(chain, 'wallets', 'bare.dat'), 'x');
    expect(await provedFolder(log, ['', 'a', 'family/alice', 'bare.dat'])).toBe(join(chain, 'wallets'));
  });

  it('is the folder of the chain where there is no wallets in it', async () => {
    await wallet('a');
    expect(await provedFolder(log, ['a'])).toBe(chain);
  });

  it('is not known when one wallet is missing', async () => {
    await wallet('wallets', 'a');
    expect(await provedFolder(log, ['a', 'b'])).toBeNull();
  });

  it.each(['goes', 'appears'])('is found while a wallet %s', async (change) => {
    await wallet('wallets', 'a');
    if (change === 'appears') await wallet('wallets', 'b');
    const { client, handlers } = createScriptedNode();
    const [before, after] = change === 'goes' ? [['a', 'b'], ['a']] : [[], ['a', 'b']];
    const lists = [before, after];
    handlers.listwalletdir = () => ({ wallets: (lists.shift() ?? after)?.map((name) => ({ name })) });
    expect(await proveWalletsFolder(client, log)).toBe(join(chain, 'wallets'));
  });

  it('is not the folder of the chain when wallets exists, even if the wallets lie there', async () => {
    await wallet('a');
    await mkdir(join(chain, 'wallets'));
    expect(await provedFolder(log, ['a'])).toBeNull();
  });

  it.each(['../a', '/etc', 'a/../../b'])('is not proved by a wallet outside of it: %s', async (name) => {
    await wallet('a');
    await mkdir(join(chain, 'wallets'));
    expect(await provedFolder(log, [name])).toBeNull();
  });

  it('is an empty wallets for a node without wallets', async () => {
    expect(await provedFolder(log, [])).toBeNull();
    await mkdir(join(chain, 'wallets'));
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
  });

  it('is not a folder with wallets when the node says that it has none', async () => {
    await wallet('wallets', 'a');
    expect(await provedFolder(log, [])).toBeNull();
  });

  it('is a folder with a file that no node lists, as a killed one leaves it', async () => {
    await wallet('wallets', 'a');
    await writeFile(join(chain, 'wallets', 'a', 'wallet.dat'), '');
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
  });
});

describe.runIf(interruptedAreHere)('proveWalletsFolder', () => {
  // A killed node left it with SQLite's magic, but without the number of a network.
  it('is a folder whose only database names no network, which no node lists', async () => {
    layInterrupted(join(chain, 'wallets'), 'format', 'a');
    await rm(join(chain, 'wallets', 'a_1795651085.legacy.bak'));
    expect(await provedFolder(log, [])).toBe(join(chain, 'wallets'));
  });

  it('is not a folder with an interrupted migration that a node lists', async () => {
    layInterrupted(join(chain, 'wallets'), 'empty-descriptor', 'a');
    expect(await provedFolder(log, [])).toBeNull();
  });
});

describe('a wallet file', () => {
  it('is told by its header', async () => {
    expect(await walletFileKind(fixtureFile('legacy-hd'))).toBe('legacy');
    expect(await walletFileKind(fixtureFile('descriptor-hd'))).toBe('descriptor');
    await writeFile(join(chain, 'x.dat'), 'x');
    expect(await walletFileKind(join(chain, 'x.dat'))).toBe('unknown');
    expect(await walletFileKind(join(chain, 'missing'))).toBe('unknown');
  });

  it('is legacy in the other byte order too', async () => {
    const header = Buffer.alloc(4096);
    header.writeUInt32BE(0x00053162, 12);
    await writeFile(join(chain, 'big'), header);
    header.writeUInt32LE(0x00053162, 12);
    await writeFile(join(chain, 'little'), header);
    expect(await walletFileKind(join(chain, 'big'))).toBe('legacy');
    expect(await walletFileKind(join(chain, 'little'))).toBe('legacy');
  });

  it('is wallet.dat for the unnamed wallet, and nothing for a name that leads out', async () => {
    await cp(fixtureFile('legacy-hd'), join(chain, 'wallet.dat'));
    expect(await walletFilePath(chain, '')).toBe(join(chain, 'wallet.dat'));
    expect(await walletFilePath(join(chain, 'x'), '..')).toBeNull();
    expect(await walletFilePath(chain, 'missing')).toBeNull();
  });
});

describe('a folder that the node’s log names', () => {
  const START = '2026-11-26T01:34:27Z ';
  const says = (...lines: string[]) => writeFile(log, lines.map((line) => `${START}${line}\n`).join(''));
  const elsewhere = () => join(chain, 'elsewhere');
  beforeEach(async () => {
    await mkdir(join(chain, 'chainstate'));
    await mkdir(elsewhere());
  });

  it('is that of its last start, with wallets or without', async () => {
    await says(
      `Using wallet directory ${chain}/old`,
      'Shutdown: done',
      `Using wallet directory ${elsewhere()}`,
    );
    expect(await provedFolder(log, [])).toBe(elsewhere());
    await wallet('elsewhere', 'a');
    expect(await provedFolder(log, ['a'])).toBe(elsewhere());
    expect(await provedFolder(log, ['a', 'b'])).toBeNull();
    // A copy of the folder lies where it was before.
    await wallet('wallets', 'a');
    expect(await provedFolder(log, ['a'])).toBe(elsewhere());
  });

  it('is the chain’s own folder, of a data folder from before 0.16, also without a wallet', async () => {
    await rm(elsewhere(), { recursive: true });
    expect(await provedFolder(log, [])).toBeNull();
    await says(`Using wallet directory ${chain}`);
    expect(await provedFolder(log, [])).toBe(chain);
  });

  it('is wallets in the chain’s folder once somebody has created it, whatever the log says', async () => {
    await rm(elsewhere(), { recursive: true });
    await says(`Using wallet directory ${chain}`);
    await wallet('wallets', 'a');
    expect(await provedFolder(log, ['a'])).toBe(join(chain, 'wallets'));
    // -walletdir may name the chain's own folder.
    expect(await provedFolder(log, ['wallets/a'])).toBe(chain);
    await rm(join(chain, 'wallets', 'a'), { recursive: true });
    expect(await provedFolder(log, [])).toBeNull();
  });

  it('is found far from the end, behind threads’ names, and again after a new start', async () => {
    const noise = Array.from(
      { length: 40_000 },
      (_, at) => `[msghand] UpdateTip: new best ${at} ${'x'.repeat(40)}`,
    );
    await says(`[init] Using wallet directory ${elsewhere()}`, ...noise);
    expect(await provedFolder(log, [])).toBe(elsewhere());
    await appendFile(log, `${START}Using wallet directory ${chain}/new\n`);
    await mkdir(join(chain, 'new'));
    expect(await provedFolder(log, [])).toBe(join(chain, 'new'));
  });

  it.each([
    ['holds wallets that the node does not list', 'Using wallet directory {}', true],
    ['is named in the middle of a line', 'peer=1 Using wallet directory {}', false],
    ['is not whole', 'Using wallet directory elsewhere', false],
  ])('is not believed where it %s', async (_, line, holds) => {
    if (holds) await wallet('elsewhere', 'a');
    await says(line.replace('{}', elsewhere()));
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

  it('is proved where the node lists what is put there, and nothing stays', async () => {
    await wallet('a');
    expect(await probeWalletsFolder(nodeOn(chain), chain, 'regtest')).toBe(true);
    expect(await readdir(chain)).toEqual(['a']);
    await mkdir(join(chain, 'other'));
    expect(await probeWalletsFolder(nodeOn(chain), join(chain, 'other'), 'regtest')).toBe(false);
    expect(await readdir(join(chain, 'other'))).toEqual([]);
  });

  it('is used as long as the node’s wallets are in it', async () => {
    const { client, handlers } = createScriptedNode();
    let names = ['a'];
    handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
    await wallet('chosen', 'a');
    const chosen = join(chain, 'chosen');
    expect(await proveWalletsFolder(client, null, { chosen })).toBe(chosen);
    names = ['a', 'b'];
    expect(await proveWalletsFolder(client, null, { chosen })).toBeNull();
  });
});
