import { chown, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import {
  answering,
  askForLogin,
  type Methods,
  plainStatus,
  RpcFailure,
  reply,
} from '../../../e2e/testNode/scriptedNode.ts';
import { nodeStatus } from '../../../shared/model/node.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { isLoopback } from '../../http/loopback.ts';
import { isReadableLog, logOwner } from '../log/nodeLog.ts';
import { createNodeClient } from '../rpc/client.ts';
import type { NodeClient } from '../rpc/session.ts';
import { ANOTHER_USER, canBeAnotherUser } from '../testing/otherUser.ts';
import { readNodeStatus } from './status.ts';

let node: RpcServer;
let client: NodeClient;
let chain: string;
const options = { local: true, label: 'mine' };
const knows = (methods: Methods) => node.answerWith(answering({ ...plainStatus, ...methods }));
const refusing = (code: number) => () => {
  throw new RpcFailure(code, 'no');
};
const chainInfo = (more: object) => () => ({
  ...(plainStatus.getblockchaininfo?.({} as never) as object),
  ...more,
});
const asked = (method: string) => node.calls.filter((call) => call.method === method).length;

beforeEach(async () => {
  node = await startRpcServer(answering(plainStatus));
  client = createNodeClient({ address: node.address, credentials: { by: 'none' }, retryPausesMs: [] });
  chain = await mkdtemp(join(tmpdir(), 'ferry-status-'));
  await mkdir(join(chain, 'chainstate'));
});
afterEach(async () => {
  await client.close();
  await node.close();
  await rm(chain, { recursive: true });
});

describe.each(['23.0', '25.2', '28.1', '29.3', '30.0', '31.0'])('release %s as recorded', (release) => {
  it('is read whole, its log and wallets folder too', async () => {
    const file = new URL(`../../../e2e/fixtures/rpc/${release}.json`, import.meta.url);
    const text = (await readFile(file, 'utf8')).replaceAll('{DATADIR}', chain);
    const recorded: { id: string; request: { body: { method: string } }; response: { body: string } }[] =
      JSON.parse(text).exchanges;
    node.answerWith(({ method, id }, response) => {
      const found = recorded.find((each) => each.id === method);
      const body = found?.response.body ?? '{"error":{"code":-32601,"message":"Method not found"}}';
      reply(response, { ...JSON.parse(body), id });
    });
    await mkdir(join(chain, 'regtest', 'chainstate'), { recursive: true });
    await writeFile(join(chain, 'regtest', 'debug.log'), '');
    const listed = recorded.find((each) => each.id === 'listwalletdir');
    for (const { name } of JSON.parse(listed?.response.body ?? '').result.wallets) {
      const path = join(chain, 'regtest', 'wallets', name, 'wallet.dat');
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '');
    }
    const status = await readNodeStatus(client, options);
    expect(nodeStatus.parse(status)).toEqual({
      label: 'mine',
      address: node.address,
      local: true,
      offline: false,
      network: 'regtest',
      release: {
        number: Number(release.replace('.', '0')) * 100,
        text: release,
        migrates: release === '23.0' ? 'no' : 'yes',
        loadsLegacy: !release.startsWith('3'),
      },
      blocks: expect.any(Number),
      headers: expect.any(Number),
      syncProgress: 1,
      initialBlockDownload: false,
      pruned: false,
      pruneHeight: null,
      blockFilters: 'off',
      logPath: join(chain, 'regtest', 'debug.log'),
      logTold: join(chain, 'regtest', 'debug.log'),
      // Not recorded: the call tells nothing but a number.
      started: null,
      listener:
        process.platform === 'linux' ? { user: process.getuid?.(), socket: expect.any(String) } : null,
      walletsFolder: join(chain, 'regtest', 'wallets'),
      walletsFolderMark: await folderMarkAt(join(chain, 'regtest', 'wallets')),
      warnings: [],
    });
  });
});

it.each([
  ['main', 'main'],
  ['test', 'testnet3'],
  ['testnet4', 'testnet4'],
  ['signet', 'signet'],
  ['regtest', 'regtest'],
])('calls the chain %s %s', async (name, network) => {
  knows({ getblockchaininfo: chainInfo({ chain: name }) });
  expect((await readNodeStatus(client, options)).network).toBe(network);
});

it('tells a pruned node that is catching up', async () => {
  const info = {
    pruned: true,
    pruneheight: 700,
    initialblockdownload: true,
    verificationprogress: 1.0000001,
    headers: -1,
  };
  knows({
    getblockchaininfo: chainInfo(info),
    getnetworkinfo: () => ({ version: 270000, subversion: '/x/', warnings: 'unsafe' }),
  });
  expect(await readNodeStatus(client, options)).toMatchObject({
    pruned: true,
    pruneHeight: 700,
    initialBlockDownload: true,
    syncProgress: 1,
    headers: 0,
    warnings: ['unsafe'],
  });
});

it.each([
  ['on', { 'basic block filter index': { synced: true, best_block_height: 9 } }],
  ['building', { 'basic block filter index': { synced: false, best_block_height: 9 } }],
  ['off', { txindex: { synced: true, best_block_height: 9 } }],
])('finds block filters %s', async (state, indexes) => {
  knows({ getindexinfo: () => indexes });
  expect((await readNodeStatus(client, options)).blockFilters).toBe(state);
});

it('does without what an old node or a narrow login does not have', async () => {
  knows({ getindexinfo: refusing(-32601), getrpcinfo: refusing(-32601) });
  expect(await readNodeStatus(client, options)).toMatchObject({ blockFilters: 'unknown', logPath: null });
});

it('knows no log path where the log cannot be opened, or belongs to another machine', async () => {
  const logpath = join(chain, 'debug.log');
  knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
  expect((await readNodeStatus(client, options)).logPath).toBeNull();
  await writeFile(logpath, '');
  expect((await readNodeStatus(client, options)).logPath).toBe(logpath);
  const remote = await readNodeStatus(client, { ...options, local: false });
  expect(remote).toMatchObject({ logPath: null, walletsFolder: null });
});

describe('a file that a server names as its log', () => {
  const logPathAfter = async (logpath: string, known = {}) => {
    knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
    return (await readNodeStatus(client, { ...options, ...known })).logPath;
  };

  // SECURITY.md: A hostile server on the RPC port
  it('is not looked at where the folder is none of a node', async () => {
    await rm(join(chain, 'chainstate'), { recursive: true });
    const path = join(chain, 'debug.log');
    await writeFile(path, '');
    expect(await logPathAfter(path)).toBeNull();
    // The app’s own engine is believed, which has no chain.
    expect(await logPathAfter(path, { walletsFolder: chain })).toBe(path);
  });

  // SECURITY.md: A hostile server on the RPC port
  it('is not looked at where it is a link, a folder or no path of this machine', async () => {
    const other = join(chain, 'other.txt');
    await writeFile(other, '');
    await symlink(other, join(chain, 'debug.log'));
    for (const path of [join(chain, 'debug.log'), join(chain, 'chainstate'), 'debug.log']) {
      expect(await logPathAfter(path)).toBeNull();
    }
  });

  // SECURITY.md: A hostile server on the RPC port
  it.skipIf(!canBeAnotherUser)(
    'is not looked at where another user owns it than listens for the node',
    async () => {
      const path = join(chain, 'debug.log');
      await writeFile(path, '2026-11-20T13:00:00Z hello\n');
      await chown(path, ANOTHER_USER, ANOTHER_USER);
      expect(await isReadableLog(path, logOwner({ user: 1000, socket: '1' }))).toBe(false);
      expect(await isReadableLog(path, logOwner({ user: ANOTHER_USER, socket: '1' }))).toBe(true);
      expect(await isReadableLog(path, logOwner({ user: 0, socket: '1' }))).toBe(true);
    },
  );
});

it('does without a wallets folder for a node without wallets', async () => {
  await writeFile(join(chain, 'debug.log'), '');
  knows({
    getrpcinfo: () => ({ active_commands: [], logpath: join(chain, 'debug.log') }),
    listwalletdir: refusing(-32601),
  });
  expect((await readNodeStatus(client, options)).walletsFolder).toBeNull();
});

it('believes a proved wallets folder, until log or release are others', async () => {
  await mkdir(join(chain, 'wallets'));
  await writeFile(join(chain, 'debug.log'), '');
  const logpath = join(chain, 'debug.log');
  knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
  const known = await readNodeStatus(client, options);
  expect(known.walletsFolder).toBe(join(chain, 'wallets'));
  await readNodeStatus(client, { ...options, known });
  expect(asked('listwalletdir')).toBe(1);
  await readNodeStatus(client, { ...options, known: { ...known, logPath: '/other/debug.log' } });
  expect(asked('listwalletdir')).toBe(2);
});

it('asks a node that refuses the login only once', async () => {
  node.answerWith((_, response) => askForLogin(response));
  await expect(readNodeStatus(client, options)).rejects.toMatchObject({ code: 'credentials_missing' });
  expect(node.calls).toHaveLength(1);
});

it('says what a node is doing that is starting up', async () => {
  node.answerWith(answering({ getnetworkinfo: refusing(-28) }));
  await expect(readNodeStatus(client, options)).rejects.toMatchObject({
    code: 'starting_up',
    node: { message: 'no' },
  });
});

it('does not know networks that are not bitcoin', async () => {
  knows({ getblockchaininfo: chainInfo({ chain: 'liquidv1' }) });
  await expect(readNodeStatus(client, options)).rejects.toMatchObject({ code: 'not_a_node' });
});

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['[::1]', true],
  ['LocalHost', true],
  ['127.evil.example', false],
  ['192.168.1.20', false],
  ['node.local', false],
])('%s is this machine: %s', (host, local) => {
  expect(isLoopback(host)).toBe(local);
});

it('knows the offline engine by what it calls itself, and believes where the app started it', async () => {
  knows({
    getnetworkinfo: () => ({ version: 280100, subversion: '/Wallet Ferry engine:28.1/', warnings: [] }),
  });
  const status = await readNodeStatus(client, { ...options, walletsFolder: chain });
  expect(status).toMatchObject({ offline: true, walletsFolder: chain, release: { text: '28.1' } });
  expect(asked('listwalletdir')).toBe(0);
});
