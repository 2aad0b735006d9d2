/** What no job shows of the test node: its refusals, the calls that jobs do not make, and the unnamed wallet. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import type { ReleaseName } from './testNode.ts';
import {
  fixtureFile,
  fixturePassphrase,
  releases,
  type Scenario,
  startTestNode,
  type TestNode,
} from './testNode.ts';
import { sha256 } from './walletFixture.ts';

let folder: string;
const nodes: TestNode[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'test-node-'));
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  await removeTestFolder(folder);
});

async function start(release: ReleaseName, scenario: Scenario = {}): Promise<TestNode> {
  const node = await startTestNode({ release, dataFolder: folder, scenario: { callMs: 30, ...scenario } });
  nodes.push(node);
  return node;
}

interface Answer {
  status: number;
  text: string;
  result: unknown;
  error: { code: number; message: string } | null;
}

async function call(
  node: TestNode,
  method: string,
  params: unknown = [],
  { wallet, login, jsonrpc = '2.0' }: { wallet?: string; login?: string | null; jsonrpc?: string } = {},
): Promise<Answer> {
  const user = login === undefined ? readFileSync(node.cookieFile, 'utf8') : login;
  const response = await fetch(
    new URL(wallet === undefined ? '/' : `/wallet/${encodeURIComponent(wallet)}`, node.url),
    {
      method: 'POST',
      headers: {
        // On a busy machine the node may close an idle connection just as the next call goes out on it.
        connection: 'close',
        ...(user !== null && { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
      },
      body: JSON.stringify({ jsonrpc, id: 7, method, params }),
    },
  );
  const text = await response.text();
  if (response.status === 500 && !text.startsWith('{')) throw new Error(text);
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: response.status, text, result: body.result, error: body.error ?? null };
}

const log = (node: TestNode) => readFileSync(node.logPath, 'utf8');
const backup = (node: TestNode, name: string) => join(node.backupsFolder, name);

describe.each(releases)('a test node of release %s', (release) => {
  const modern = Number.parseFloat(release) >= 28;
  const old = Number.parseFloat(release) >= 30;

  it('speaks the dialect of its release', async () => {
    const node = await start(release);
    const known = await call(node, 'listwallets');
    const unknown = await call(node, 'nosuchmethod');
    expect(JSON.parse(known.text)).toEqual(
      modern ? { jsonrpc: '2.0', result: [], id: 7 } : { result: [], error: null, id: 7 },
    );
    expect(unknown.status).toBe(modern ? 200 : 404);
    expect(unknown.error).toEqual({ code: -32601, message: 'Method not found' });
    expect((await call(node, 'nosuchmethod', [], { jsonrpc: '1.0' })).status).toBe(404);
    expect(node.unrecorded).toEqual(['nosuchmethod', 'nosuchmethod']);
  });

  it('refuses a restore in the recorded words and leaves nothing behind', async () => {
    const node = await start(release);
    const refused = async (name: string, file: string) =>
      (await call(node, 'restorewallet', [name, backup(node, file)])).error;
    expect(await refused('savings', 'descriptor.bak')).toMatchObject({
      code: -36,
      message: expect.stringContaining(`${node.walletsFolder}/savings`),
    });
    expect(await refused('n', 'gone.bak')).toEqual({ code: -8, message: 'Backup file does not exist' });
    expect(await refused('n', 'notes.txt')).toMatchObject({ code: -18 });
    expect(await refused('n', 'empty.bak')).toMatchObject({ code: -18 });
    expect(await refused('n', 'truncated.bak')).toMatchObject({ code: -4 });
    const legacy = await refused('n', 'legacy.bak');
    if (old) expect(legacy).toMatchObject({ code: -18, message: expect.stringContaining('migratewallet') });
    else expect(legacy).toBeNull();
    expect(existsSync(join(node.walletsFolder, 'n'))).toBe(!old);
  });

  it.runIf(release !== '23.0')('migrates: backup in its place, new file, parts, log', async () => {
    const node = await start(release);
    const { result } = await call(node, 'migratewallet', { wallet_name: 'legacy-watchonly' });
    expect(result).toMatchObject({
      wallet_name: 'legacy-watchonly',
      watchonly_name: 'legacy-watchonly_watchonly',
    });
    const path = (result as { backup_path: string }).backup_path;
    const place = old ? node.walletsFolder : join(node.walletsFolder, 'legacy-watchonly');
    const between = release === '25.2' ? '-' : '_';
    expect(path.replace(/\d{10}/, 'TIME')).toBe(`${place}/legacy-watchonly${between}TIME.legacy.bak`);
    expect(readFileSync(path)).toEqual(readFileSync(fixtureFile('legacy-watchonly')));
    expect((await call(node, 'listwallets')).result).toEqual([
      'legacy-watchonly',
      'legacy-watchonly_watchonly',
    ]);
    for (const [wallet, trusted] of [
      ['legacy-watchonly', 9.3],
      ['legacy-watchonly_watchonly', 0.75],
    ] as const) {
      const file = join(node.walletsFolder, wallet, 'wallet.dat');
      expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3');
      expect((await call(node, 'getbalances', [], { wallet })).result).toMatchObject({ mine: { trusted } });
    }
    const copied = log(node).indexOf(`to ${path}`);
    expect(copied).toBeGreaterThan(0);
    expect(log(node).indexOf('[legacy-watchonly] Wallet migration complete.')).toBeGreaterThan(copied);
    expect((await call(node, 'migratewallet', ['legacy-watchonly'])).error).toEqual({
      code: -4,
      message: 'Error: This wallet is already a descriptor wallet',
    });
  });

  it.runIf(release !== '23.0')('migrates an encrypted wallet with its passphrase only', async () => {
    const node = await start(release);
    const name = 'legacy-hd-encrypted';
    const refused = {
      code: -4,
      message: 'Error: Wallet decryption failed, the wallet passphrase was not provided or was incorrect.',
    };
    expect((await call(node, 'migratewallet', [name])).error).toEqual(refused);
    expect((await call(node, 'migratewallet', [name, 'wrong'])).error).toEqual(refused);
    expect(sha256(readFileSync(join(node.walletsFolder, name, 'wallet.dat')))).toBe(
      sha256(readFileSync(fixtureFile(name))),
    );
    const right = await call(node, 'migratewallet', [name, fixturePassphrase(name)]);
    expect(right.error).toBeNull();
    expect((await call(node, 'getwalletinfo', [], { wallet: name })).result).toMatchObject({
      unlocked_until: 0,
      descriptors: true,
    });
  });

  it.runIf(release === '23.0')('knows no migration', async () => {
    const node = await start(release);
    const { status, error } = await call(node, 'migratewallet', ['legacy-hd']);
    expect({ status, error }).toEqual({ status: 404, error: { code: -32601, message: 'Method not found' } });
  });

  it('refuses a name in the path that is not the one in the call', async () => {
    const node = await start(release);
    const { error } = await call(node, 'migratewallet', ['legacy-hd'], { wallet: 'legacy-watchonly' });
    expect(error?.code).toBe(release === '23.0' ? -32601 : -8);
  });

  it('loads, lists, unloads and backs up', async () => {
    const node = await start(release);
    expect((await call(node, 'loadwallet', ['savings'])).error).toBeNull();
    expect((await call(node, 'loadwallet', ['savings'])).error?.code).toBe(release === '23.0' ? -4 : -35);
    expect((await call(node, 'loadwallet', ['nosuch'])).error?.code).toBe(-18);
    const legacy = await call(node, 'loadwallet', ['legacy-hd']);
    expect(legacy.error?.code ?? 0).toBe(old ? -18 : 0);
    if (!old) {
      expect((await call(node, 'getwalletinfo', [], { wallet: 'legacy-hd' })).result).toMatchObject({
        format: 'bdb',
        descriptors: false,
        txcount: 7,
      });
    }
    const { result } = await call(node, 'listwalletdir');
    const { wallets } = result as { wallets: { name: string; warnings?: string[] }[] };
    expect(wallets.map(({ name }) => name).sort()).toEqual([
      'legacy-hd',
      'legacy-hd-encrypted',
      'legacy-watchonly',
      'savings',
    ]);
    expect(wallets.find(({ name }) => name === 'legacy-hd')?.warnings?.length ?? 0).toBe(old ? 1 : 0);

    const copy = join(folder, 'copy.dat');
    expect((await call(node, 'backupwallet', [copy], { wallet: 'savings' })).result).toBeNull();
    expect(readFileSync(copy)).toEqual(readFileSync(fixtureFile('descriptor-hd')));
    const nowhere = await call(node, 'backupwallet', [join(folder, 'no', 'x')], { wallet: 'savings' });
    expect(nowhere.error?.code).toBe(-4);
    expect((await call(node, 'unloadwallet', ['savings'])).error).toBeNull();
    expect((await call(node, 'getwalletinfo', [], { wallet: 'savings' })).error?.code).toBe(-18);
  });
});

describe('a test node', () => {
  it('lets no one in without the cookie, and takes its time over a wrong password', async () => {
    const node = await start('31.0');
    const without = await call(node, 'getrpcinfo', [], { login: null });
    expect({ status: without.status, text: without.text }).toEqual({ status: 401, text: '' });
    const since = performance.now();
    expect((await call(node, 'getrpcinfo', [], { login: '__cookie__:wrong' })).status).toBe(401);
    expect(performance.now() - since).toBeGreaterThan(240);
    expect(log(node)).toContain('incorrect password attempt');
  });

  it('keeps the unnamed wallet in the wallets folder itself', async () => {
    const node = await start('31.0', { wallets: { '': 'legacy-imported', named: 'descriptor-hd' } });
    expect(existsSync(join(node.walletsFolder, 'wallet.dat'))).toBe(true);
    const { result } = await call(node, 'migratewallet', ['']);
    expect(result).toEqual({
      wallet_name: '',
      backup_path: expect.stringMatching(/\/wallets\/default_wallet_\d{10}\.legacy\.bak$/),
    });
    expect(log(node)).toContain('[default wallet] Wallet migration complete.');
  });
});
