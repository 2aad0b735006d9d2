import { appendFile, chown, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordedExchanges } from '../../../e2e/testNode/recording.ts';
import type { RpcServer } from '../../../e2e/testNode/rpcServer.ts';
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
import { failing } from '../../files/testing/failing.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { isReadableLog, logOwner } from '../log/nodeLog.ts';
import type { NodeClient } from '../rpc/session.ts';
import { ANOTHER_USER, canBeAnotherUser } from '../testing/otherUser.ts';
import { startTestClient, testClient } from '../testing/testClient.ts';
import { readNodeStatus } from './status.ts';

let node: RpcServer;
let client: NodeClient;
let chain: string;
const options = { local: true, label: 'mine' };
const knows = (methods: Methods) => node.answerWith(answering({ ...plainStatus, ...methods }));
const refusing = (code: number) => failing(new RpcFailure(code, 'no'));
const chainInfo = (more: object) => () => ({
  ...(plainStatus.getblockchaininfo?.({} as never) as object),
  ...more,
});
const callsOf = (method: string) => node.calls.filter((call) => call.method === method).length;

beforeEach(async () => {
  ({ node } = await startTestClient(answering(plainStatus)));
  client = testClient(node, { credentials: { by: 'none' } });
  chain = makeTestFolder();
  await mkdir(join(chain, 'chainstate'));
});

it.each(['23.0', '25.2', '28.1', '29.3', '30.0', '31.0'])(
  'reads the whole status of release %s, with its log and wallets folder',
  async (release) => {
    const recorded = recordedExchanges(release, chain);
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
    const number = Number(release.replace('.', '0')) * 100;
    const migrates = release === '23.0' ? 'no' : 'yes';
    const onLinux = { user: process.getuid?.(), socket: expect.any(String) };
    const [log, walletsFolder] = [join(chain, 'regtest', 'debug.log'), join(chain, 'regtest', 'wallets')];
    expect(nodeStatus.parse(status)).toEqual({
      label: 'mine',
      newestBlockTime: expect.any(Number),
      address: node.address,
      local: true,
      offline: false,
      network: 'regtest',
      release: { number, text: release, migrates, loadsLegacy: !release.startsWith('3') },
      blocks: expect.any(Number),
      headers: expect.any(Number),
      syncProgress: 1,
      initialBlockDownload: false,
      pruned: false,
      pruneHeight: null,
      blockFilters: 'off',
      // `started` is not recorded.
      logPath: log,
      reportedLogPath: log,
      started: null,
      startedSteady: null,
      warnings: [],
      listener: process.platform === 'linux' ? onLinux : null,
      walletsFolder,
      walletsFolderMark: await folderMarkAt(walletsFolder),
    });
  },
);

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

it.each([
  ['/Satoshi:29.3.0(inquisition)/', null],
  ['/Satoshi:28.1.0/Knots:20250305/', null],
  ['/Bitcoin Cash Node:28.0.1(EB32.0)/', 'Bitcoin Cash Node'],
  ['/LitecoinCore:0.21.5.5/', 'LitecoinCore'],
])('accepts Bitcoin’s nodes only: %s', async (subversion, name) => {
  knows({ getnetworkinfo: () => ({ version: 280_001, subversion, warnings: [] }) });
  const reading = readNodeStatus(client, options);
  if (name === null) return expect((await reading).release.text).toBe('28.0.1');
  await expect(reading).rejects.toMatchObject({ code: 'not_a_node', message: expect.stringContaining(name) });
});

it('reads a pruned node that is catching up', async () => {
  const pruned = { pruned: true, pruneheight: 700 };
  const catchingUp = { initialblockdownload: true, verificationprogress: 1.0000001, headers: -1 };
  knows({
    getblockchaininfo: chainInfo({ ...pruned, ...catchingUp }),
    getnetworkinfo: () => ({ version: 270000, subversion: '/Satoshi:27.0.0/', warnings: 'unsafe' }),
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
])('finds the block filters %s', async (state, indexes) => {
  knows({ getindexinfo: () => indexes });
  expect((await readNodeStatus(client, options)).blockFilters).toBe(state);
});

it.runIf(process.platform === 'linux')(
  'keeps the start time of a running node, and not that of a node that restarted a moment ago',
  async () => {
    knows({ uptime: () => 100 });
    const previous = await readNodeStatus(client, options);
    knows({ uptime: () => 92 });
    expect((await readNodeStatus(client, { ...options, previous })).started).toBe(previous.started);
    await node.close();
    await node.listen();
    await client.call('uptime').catch(() => undefined);
    const restarted = await readNodeStatus(client, { ...options, previous });
    expect((restarted.started ?? 0) - (previous.started ?? 0)).toBeGreaterThanOrEqual(8);
  },
);

it('needs no call that an old node lacks or a login may not make', async () => {
  knows({ getindexinfo: refusing(-32601), getrpcinfo: refusing(-32601) });
  expect(await readNodeStatus(client, options)).toMatchObject({ blockFilters: 'unknown', logPath: null });
});

/** The time stamp of a line that the node wrote at its start. */
const STAMP = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}Z `;

it('knows by the log of its last start whether the node saves settings', async () => {
  const logpath = join(chain, 'debug.log');
  knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
  const write = (lines: readonly string[]) =>
    appendFile(logpath, lines.map((line) => `${STAMP}${line}\n`).join(''));
  const filler = (bytes: number) => write(Array(Math.ceil(bytes / 120)).fill('x'.repeat(98)));
  const read = async () => (await readNodeStatus(client, options)).noSettings;
  const begins = async (argument: string) => {
    await write(['Bitcoin Core version v31.0.0 (release build)', `Command-line arg: ${argument}`]);
    // As much as a node logs between its arguments and its wallets folder.
    await filler(1500);
  };
  const starts = async (argument: string) => {
    await begins(argument);
    await write([`Using wallet directory ${chain}`]);
    return read();
  };
  expect(await starts('server=""')).toBeUndefined();
  expect(await starts('settings=false')).toBe(true);
  for (let grown = 0; grown < 10; grown += 1) {
    await filler(1000);
    expect(await read()).toBe(true);
  }
  expect(await starts('settings="other.json"')).toBeUndefined();
  // This start failed before its wallets, and says nothing of the next.
  await begins('settings=false');
  expect(await starts('server=""')).toBeUndefined();
  // An empty name stands for the usual one.
  expect(await starts('settings=""')).toBeUndefined();
});

it('knows it from a long log too, wherever the app begins to read', async () => {
  const logpath = join(chain, 'debug.log');
  knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
  const start = [
    `${STAMP}Bitcoin Core version v31.0.0\n${STAMP}Command-line arg: settings=false\n`,
    `${STAMP}${'x'.repeat(1500)}\n${STAMP}Using wallet directory ${chain}\n`,
  ].join('');
  // The end of the first megabyte that the app reads lies between the arguments and the folder.
  await writeFile(logpath, `${start}${'y'.repeat(2 ** 20 - 300)}\n`);
  expect((await readNodeStatus(client, options)).noSettings).toBe(true);
});

it('has no log path if it cannot open the log', async () => {
  const logpath = join(chain, 'debug.log');
  knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
  expect((await readNodeStatus(client, options)).logPath).toBeNull();
  await writeFile(logpath, '');
  expect((await readNodeStatus(client, options)).logPath).toBe(logpath);
});

it.each([
  ['was started by another run', '2025-11-20T13:00:00Z ', null],
  ['was last written before the node’s start', '', 7200],
])('takes nothing from a log that %s, as behind a tunnel', async (_, stamp, age) => {
  const logpath = join(chain, 'debug.log');
  await mkdir(join(chain, 'wallets'));
  knows({ getrpcinfo: () => ({ active_commands: [], logpath }), listwalletdir: () => ({ wallets: [] }) });
  const read = async () => readNodeStatus(client, options);
  await writeFile(logpath, `${STAMP}Using wallet directory ${join(chain, 'wallets')}\n`);
  expect(await read()).toMatchObject({ logPath: logpath, walletsFolder: join(chain, 'wallets') });
  await rm(logpath);
  await writeFile(logpath, stamp && `${stamp}Using wallet directory ${join(chain, 'wallets')}\n`);
  if (age !== null) await utimes(logpath, 0, Date.now() / 1000 - age);
  expect(await read()).toMatchObject({ logPath: null, walletsFolder: null });
  // The user may name the folder, which the node then proves.
  const chosen = await readNodeStatus(client, { ...options, chosen: join(chain, 'wallets') });
  expect(chosen.walletsFolder).toBe(join(chain, 'wallets'));
});

it('has neither log path nor wallets folder for a node on another machine', async () => {
  const logpath = join(chain, 'debug.log');
  await writeFile(logpath, '');
  knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
  const remote = await readNodeStatus(client, { ...options, local: false, chosen: chain });
  expect(remote).toMatchObject({ logPath: null, walletsFolder: null });
});

it.each([
  [
    'whose folder is not here, as behind a tunnel or in a container',
    () => join(chain, 'not here', 'debug.log'),
    false,
  ],
  ['of another system, as in WSL', () => join('srv', 'debug.log'), false],
  ['whose folder is here', () => join(chain, 'debug.log'), true],
  ['that names none', () => '', true],
])('is on this machine or not, a node %s', async (_, logpath, local) => {
  knows({ getrpcinfo: () => ({ active_commands: [], logpath: logpath() }) });
  expect(await readNodeStatus(client, options)).toMatchObject({ local });
  // The node has proved a folder that the user chose, such as one that the container shares.
  expect(await readNodeStatus(client, { ...options, chosen: chain })).toMatchObject({ local: true });
  expect(await readNodeStatus(client, { ...options, local: false })).toMatchObject({ local: false });
});

describe('the file that a server names as its log', () => {
  const logPathAfter = async (logpath: string, known = {}) => {
    knows({ getrpcinfo: () => ({ active_commands: [], logpath }) });
    return (await readNodeStatus(client, { ...options, ...known })).logPath;
  };

  // SECURITY.md: A server that names a false log file
  it('is not opened outside a node’s folder', async () => {
    await rm(join(chain, 'chainstate'), { recursive: true });
    const path = join(chain, 'debug.log');
    await writeFile(path, '');
    expect(await logPathAfter(path)).toBeNull();
    // The app trusts its own engine, which has no chain.
    expect(await logPathAfter(path, { walletsFolder: chain })).toBe(path);
  });

  // SECURITY.md: A server that names a false log file
  it('is not opened if it is a link, a folder or no full path', async () => {
    const other = join(chain, 'other.txt');
    await writeFile(other, '');
    await symlink(other, join(chain, 'debug.log'));
    for (const path of [join(chain, 'debug.log'), join(chain, 'chainstate'), 'debug.log']) {
      expect(await logPathAfter(path)).toBeNull();
    }
  });

  // SECURITY.md: A server that names a false log file
  it.skipIf(!canBeAnotherUser).each([
    [1000, false],
    [ANOTHER_USER, true],
    [0, true],
  ])('is opened only if its owner listens for the node, or root does (user %i: %s)', async (user, opens) => {
    const path = join(chain, 'debug.log');
    await writeFile(path, '2026-11-20T13:00:00Z hello\n');
    await chown(path, ANOTHER_USER, ANOTHER_USER);
    expect(await isReadableLog(path, logOwner({ user, socket: '1' }))).toBe(opens);
  });
});

it('has no wallets folder for a node without wallets', async () => {
  await writeFile(join(chain, 'debug.log'), '');
  knows({
    getrpcinfo: () => ({ active_commands: [], logpath: join(chain, 'debug.log') }),
    listwalletdir: refusing(-32601),
  });
  expect((await readNodeStatus(client, options)).walletsFolder).toBeNull();
});

it('keeps the wallets folder of a running node, also if its log was deleted, without asking for it', async () => {
  const folder = join(chain, 'wallets');
  await mkdir(folder);
  const logpath = join(chain, 'debug.log');
  await writeFile(logpath, '');
  let [uptime, wallets] = [1000, [] as { name: string }[]];
  const answers = { listwalletdir: () => ({ wallets }), uptime: () => uptime };
  knows({ ...answers, getrpcinfo: () => ({ active_commands: [], logpath }) });
  const previous = await readNodeStatus(client, options);
  await rm(logpath);
  // The first wallet shows whether the empty folder was the node's.
  wallets = [{ name: 'savings' }];
  const read = () => readNodeStatus(client, { ...options, previous });
  expect([previous.walletsFolder, (await read()).walletsFolder]).toEqual([folder, null]);
  await mkdir(join(folder, 'savings'));
  await writeFile(join(folder, 'savings', 'wallet.dat'), Buffer.from('SQLite format 3\0'.padEnd(512, 'x')));
  const before = callsOf('listwalletdir');
  expect(await read()).toMatchObject({ logPath: null, walletsFolder: folder });
  expect(callsOf('listwalletdir')).toBe(before);
  // Another folder may have taken its place.
  await rename(folder, `${folder} before`);
  await mkdir(folder);
  expect((await read()).walletsFolder).toBeNull();
  // A restarted node may have another wallets folder.
  uptime = 1;
  expect((await readNodeStatus(client, { ...options, previous })).walletsFolder).toBeNull();
});

it('sends a refused login only once', async () => {
  node.answerWith((_, response) => askForLogin(response));
  await expect(readNodeStatus(client, options)).rejects.toMatchObject({ code: 'credentials_missing' });
  expect(node.calls).toHaveLength(1);
});

it('reports what a node does while it starts up', async () => {
  node.answerWith(answering({ getnetworkinfo: refusing(-28) }));
  const starting = { code: 'starting_up', node: { message: 'no' } };
  await expect(readNodeStatus(client, options)).rejects.toMatchObject(starting);
});

it('refuses the networks of other coins', async () => {
  knows({ getblockchaininfo: chainInfo({ chain: 'liquidv1' }) });
  await expect(readNodeStatus(client, options)).rejects.toMatchObject({ code: 'not_a_node' });
});

it('recognises the offline engine by its subversion, and trusts the folder that the app started it on', async () => {
  const engine = { version: 280100, subversion: '/Wallet Ferry engine:28.1/', warnings: [] };
  knows({ getnetworkinfo: () => engine });
  const status = await readNodeStatus(client, { ...options, walletsFolder: chain });
  expect(status).toMatchObject({ offline: true, walletsFolder: chain, release: { text: '28.1' } });
  expect(callsOf('listwalletdir')).toBe(0);
});
