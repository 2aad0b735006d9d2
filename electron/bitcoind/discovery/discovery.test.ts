import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Behaviour, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import {
  answering,
  askForLogin,
  type Methods,
  plainStatus,
  RpcFailure,
} from '../../../e2e/testNode/scriptedNode.ts';
import { startTestNode } from '../../../e2e/testNode/testNode.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import { foundNode, mayConnect } from '../../../shared/model/node.ts';
import { seesAllLocks, seesLocksOf } from '../../files/lock/fileInUse.ts';
import { failing } from '../../files/testing/failing.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { readNodeStatus } from '../calls/status.ts';
import { listNodeWallets } from '../calls/wallets.ts';
import { createConnection } from '../connection/connection.ts';
import { createNodeClient } from '../rpc/client.ts';
import {
  chainFolder,
  createDiscovery,
  type Discovery,
  dataFolderOfQt,
  defaultDataFolders,
  defaultRpcPorts,
  type RpcPorts,
} from './discovery.ts';

vi.mock('../../files/lock/fileInUse.ts', { spy: true });

let home: string;
let folder: string;
let node: RpcServer;
let discovery: Discovery;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const letting =
  (login: string, then: Behaviour = answering(plainStatus)): Behaviour =>
  (call, response) =>
    call.authorization === basic(login) ? then(call, response) : askForLogin(response);

let silentPort: number;
/** Searches with silent ports, except for those that the test names: other programs may listen on this machine. */
function look(dataFolders: string[], ports: Partial<RpcPorts> = {}, timeoutMs = 3000): void {
  const none = silentPort;
  const rpcPorts = { main: none, testnet3: none, testnet4: none, signet: none, regtest: none, ...ports };
  discovery = createDiscovery({ dataFolders, rpcPorts, timeoutMs });
}

async function freePort(): Promise<number> {
  const taken = await startRpcServer(() => undefined);
  await taken.close();
  return taken.address.port;
}

async function put(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

const conf = (text: string) => put(join(folder, 'bitcoin.conf'), text);

async function found(network: Network, dataFolder = folder) {
  const nodes = await discovery.discover();
  return nodes.find((each) => each.network === network && each.dataFolder === dataFolder);
}

beforeEach(async () => {
  home = makeTestFolder();
  folder = join(home, '.bitcoin');
  node = await startRpcServer(letting('__cookie__:abc'));
  silentPort = await freePort();
  look([folder, join(home, 'missing')]);
});
afterEach(() => node.close());

it('reports a bitcoin.conf that was only partly read', async () => {
  const many = Array.from({ length: 40 }, (_, at) => `part-${at}.conf`);
  for (const name of many) await put(join(folder, name), 'rpcthreads=1\n');
  const including = (names: string[]) => names.map((name) => `includeconf=${name}\n`).join('');
  await conf(including(many));
  expect(await found('main')).toMatchObject({ state: { state: 'failed' }, partlyRead: true });
  await conf(`rpcuser=u\nrpcpassword=p\nrpcport=${node.address.port}\n${including(many)}`);
  expect(await found('main')).toMatchObject({ state: { state: 'asks-login' }, partlyRead: true });
  await conf(including(many.slice(0, 20)));
  expect(await found('main')).not.toHaveProperty('partlyRead');
});

describe('a node with a cookie', () => {
  beforeEach(async () => {
    await put(join(folder, 'bitcoin.conf'), `regtest.rpcport=${node.address.port}\n`);
    await put(join(folder, 'regtest', '.cookie'), '__cookie__:abc');
  });

  const answers = (methods: Methods) => node.answerWith(letting('__cookie__:abc', answering(methods)));

  it('is found ready, with its status', async () => {
    answers(plainStatus);
    const card = await found('regtest');
    expect(foundNode.parse(card)).toMatchObject({
      dataFolder: folder,
      address: node.address,
      credentials: 'cookie',
      state: { state: 'ready', node: { label: 'This computer', local: true } },
    });
  });

  it('keeps its id in the next search', async () => {
    const first = await found('regtest');
    await rm(join(folder, 'regtest', '.cookie'));
    expect((await found('regtest'))?.id).toBe(first?.id);
  });

  it('is found while it starts, with its own words', async () => {
    const message = 'Loading block index…';
    answers({ getnetworkinfo: failing(new RpcFailure(-28, message)) });
    expect((await found('regtest'))?.state).toEqual({ state: 'starting', message });
  });

  it.each<[string, string, () => unknown]>([
    [
      'it refuses the cookie',
      'credentials_refused',
      () => put(join(folder, 'regtest', '.cookie'), '__cookie__:stale'),
    ],
    ['nothing listens any more', 'cannot_connect', () => node.close()],
    [
      'it does not answer in time',
      'timed_out',
      () => {
        look([folder], {}, 300);
        node.answerWith(() => undefined);
      },
    ],
  ])('is found, but fails if %s', async (_, code, spoil) => {
    await spoil();
    const card = foundNode.parse(await found('regtest'));
    expect(card.state).toMatchObject({ state: 'failed', error: { code } });
    // A busy node may answer the next time.
    expect(mayConnect(card)).toBe(code === 'timed_out');
  });

  it('gives its login by its id', async () => {
    const card = await found('regtest');
    expect(await discovery.loginOf(card?.id ?? '')).toEqual({
      label: 'This computer',
      address: node.address,
      credentials: { by: 'cookie', cookieFile: join(folder, 'regtest', '.cookie') },
      chainFolder: join(folder, 'regtest'),
      status: card?.state.state === 'ready' && card.state.node,
    });
    await expect(discovery.loginOf('other')).rejects.toMatchObject({ code: 'bad_input' });
  });

  // SECURITY.md: A server that wants the login
  it('is asked only on this machine, whatever bitcoin.conf says', async () => {
    const port = node.address.port;
    const text = `[regtest]\nrpcport=${port}\nrpcconnect=203.0.113.1\nrpcallowip=0.0.0.0/0\nrpcbind=203.0.113.1:1\nrpcbind=0.0.0.0:${port}\n`;
    await put(join(folder, 'bitcoin.conf'), text);
    expect((await found('regtest'))?.address).toEqual({ host: '127.0.0.1', port, tls: false });
  });
});

it('asks a node each thing once to find it, once to connect, and once to list its wallets', async () => {
  const recorded = await startTestNode({ release: '31.0', dataFolder: join(home, 'recorded') });
  onTestFinished(() => recorded.stop());
  const since = (from: number) => recorded.calls.slice(from).map(({ method }) => method);
  look([recorded.dataFolder]);
  const card = await found('regtest', recorded.dataFolder);
  const status = ['getblockchaininfo', 'getindexinfo', 'getnetworkinfo', 'getrpcinfo', 'uptime'];
  expect(since(0).sort()).toEqual([...status, 'listwalletdir'].sort());

  const before = recorded.calls.length;
  const profiles = { loginOf: vi.fn(), remember: vi.fn(), recordUse: vi.fn() };
  const app = createConnection({ discovery, profiles, onChange: () => undefined });
  onTestFinished(() => app.close());
  const { walletsFolder } = recorded;
  expect(await app.connect({ by: 'found', id: card?.id ?? '' })).toMatchObject({ node: { walletsFolder } });
  // Another listwalletdir would drop the node's locks on its wallets.
  expect(since(before).sort()).toEqual(status);

  const listed = recorded.calls.length;
  await listNodeWallets(
    app.session(),
    () => undefined,
    async () => undefined,
  );
  expect(since(listed).sort()).toEqual(['listwalletdir', 'listwallets']);
});

it('proves the wallets folder again to connect to a node that restarted after the search', async () => {
  const recorded = await startTestNode({ release: '31.0', dataFolder: join(home, 'recorded') });
  onTestFinished(() => recorded.stop());
  look([recorded.dataFolder]);
  const card = await found('regtest', recorded.dataFolder);
  await recorded.restart();
  const { status, ...login } = await discovery.loginOf(card?.id ?? '');
  const client = createNodeClient(login);
  onTestFinished(() => client.close());
  const before = recorded.countCalls('listwalletdir');
  await readNodeStatus(client, { local: true, label: '', previous: status });
  expect(recorded.countCalls('listwalletdir')).toBe(before + 1);
});

describe('bitcoin.conf', () => {
  // SECURITY.md: A server that wants the login
  it('gives user and password, but the search sends neither them nor a stale cookie', async () => {
    node.answerWith(letting('ann:secret'));
    await put(join(folder, 'signet', '.cookie'), '__cookie__:stale');
    await conf(`signet=1\nrpcuser=ann\nrpcpassword=secret\n[signet]\nrpcport=${node.address.port}\n`);
    const card = await found('signet');
    expect(foundNode.parse(card)).toMatchObject({ credentials: 'config', state: { state: 'asks-login' } });
    expect(JSON.stringify(card)).not.toContain('secret');
    expect(node.calls.length).toBeGreaterThan(0);
    expect(node.calls.every((call) => call.authorization === undefined)).toBe(true);
    expect((await discovery.loginOf(card?.id ?? '')).credentials).toMatchObject({
      by: 'password',
      user: 'ann',
      password: 'secret',
      owners: [process.getuid?.() ?? 0],
    });
  });

  it('may name another data folder', async () => {
    const elsewhere = join(home, 'disk', 'bitcoin');
    await put(join(elsewhere, 'testnet4', '.cookie'), '__cookie__:abc');
    await conf(`datadir=${elsewhere}\ntestnet4.rpcport=${node.address.port}\n`);
    expect(await found('testnet4', elsewhere)).toMatchObject({ state: { state: 'ready' } });
  });

  // SECURITY.md: A hostile `bitcoin.conf`
  it('cannot name a data folder that has its own bitcoin.conf', async () => {
    const other = join(home, 'other');
    look([folder, other]);
    await conf(`regtest=1\nrpcpassword=own\n[regtest]\nrpcport=${node.address.port}\n`);
    const text = `regtest=1\ndatadir=${folder}\n[regtest]\nrpcport=${silentPort}\n`;
    await put(join(other, 'bitcoin.conf'), text);
    const card = await found('regtest');
    const { address } = node;
    expect(card).toMatchObject({ address, credentials: 'config' });
    const login = await discovery.loginOf(card?.id ?? '');
    expect(login).toMatchObject({ address, credentials: { password: 'own' } });
  });

  it('may name another cookie file in the folder of the network', async () => {
    await put(join(folder, 'regtest', 'login'), '__cookie__:abc');
    await conf(`rpccookiefile=login\nregtest.rpcport=${node.address.port}\n`);
    expect(await found('regtest')).toMatchObject({ credentials: 'cookie', state: { state: 'ready' } });
  });

  it('may turn off cookies', async () => {
    await put(join(folder, 'regtest', '.cookie'), '__cookie__:abc');
    await conf(`norpccookiefile=1\nregtest.rpcport=${node.address.port}\n`);
    const state = { state: 'failed', error: { code: 'credentials_missing' } };
    expect(await found('regtest')).toMatchObject({ credentials: 'none', state });
    expect(node.calls.every((call) => call.authorization === undefined)).toBe(true);
  });

  it('shows a configured node that does not run', async () => {
    const { port } = node.address;
    await node.close();
    await conf(`rpcport=${port}\n`);
    const state = { state: 'failed', error: { code: 'cannot_connect' } };
    expect(await found('main')).toMatchObject({ credentials: 'none', state });
  });
});

describe('a data folder alone', () => {
  beforeEach(() => mkdir(join(folder, 'regtest'), { recursive: true }));

  it('is no node', async () => {
    expect(await discovery.discover()).toEqual([]);
  });

  it.each([
    ['another program on its port', 200, {}],
    ['a server that asks for another kind of login', 401, { 'www-authenticate': 'Basic realm="printer"' }],
  ])('is no node with %s', async (_, status, headers) => {
    node.answerWith((_call, response) => response.writeHead(status, headers).end('<p>'));
    look([folder], { regtest: node.address.port });
    expect(await discovery.discover()).toEqual([]);
  });

  it('is a node without a login if a node listens there', async () => {
    look([folder], { regtest: node.address.port });
    expect(await discovery.discover()).toMatchObject([
      { network: 'regtest', credentials: 'none', state: { error: { code: 'credentials_missing' } } },
    ]);
    expect(node.calls.every((call) => call.authorization === undefined)).toBe(true);
  });

  it('is no second node on the port of another data folder', async () => {
    const other = join(home, 'other');
    await put(join(other, 'regtest', '.cookie'), '__cookie__:abc');
    look([folder, other], { regtest: node.address.port });
    expect(await discovery.discover()).toMatchObject([{ dataFolder: other, state: { state: 'ready' } }]);
  });
});

describe('a data folder with a chain', () => {
  beforeEach(() => mkdir(join(folder, 'regtest', 'blocks'), { recursive: true }));
  const messages = async () =>
    (await discovery.discover()).map(({ state }) => state.state === 'failed' && state.error.message);

  it.runIf(seesAllLocks())('is of a node that does not run, whose wallets the app can open', async () => {
    await mkdir(join(folder, 'regtest', 'wallets'));
    const state = { state: 'failed', walletsFolder: join(folder, 'regtest', 'wallets') };
    expect(await discovery.discover()).toMatchObject([{ network: 'regtest', state }]);
    expect(discovery.stoppedFolders()).toEqual([state.walletsFolder]);
    // One card for a data folder with several networks.
    await mkdir(join(folder, 'signet', 'blocks'), { recursive: true });
    expect(await discovery.discover()).toMatchObject([{ network: 'signet' }]);
    expect(discovery.stoppedFolders()).toContain(state.walletsFolder);
    await rm(join(folder, 'signet'), { recursive: true });
    // A node on another computer may use the folder of a network drive.
    vi.mocked(seesLocksOf).mockReturnValueOnce(false);
    expect(await discovery.discover()).toEqual([]);
    await put(join(folder, 'regtest', '.cookie'), '__cookie__:stale');
    expect(await messages()).toEqual(['Bitcoin Core is not running.']);
    await rm(join(folder, 'regtest', '.cookie'));
    // A node runs on the same data folder, before and after the stopped network in their order.
    for (const other of ['signet', 'regtest'] as const) {
      const cookie = await put(join(folder, other, '.cookie'), '__cookie__:abc');
      await mkdir(join(folder, 'testnet4', 'blocks'), { recursive: true });
      look([folder], { [other]: node.address.port });
      expect(await discovery.discover()).toMatchObject([{ network: other }]);
      await rm(cookie);
    }
  });

  it.runIf(canLockAsNode)(
    'is of a node without a server, or at another port, while it is locked',
    async () => {
      await lockAsNode(await put(join(folder, 'regtest', '.lock'), ''));
      expect(await messages()).toEqual(['Bitcoin Core is running, but doesn’t answer RPC.']);
      await put(join(folder, 'regtest', '.cookie'), '__cookie__:abc');
      expect(await messages()).toEqual([expect.stringContaining('Nothing answers')]);
    },
  );
});

describe('dataFolderOfQt', () => {
  const none = async () => '';

  it.each([
    ['/disk/Bitcoin', '/disk/Bitcoin'],
    ['"/disk, old/B\\xe4r"', '/disk, old/Bär'],
    ['relative', null],
  ])('reads %s from the file of Linux', async (text, expected) => {
    await put(join(home, 'Bitcoin', 'Bitcoin-Qt.conf'), `[General]\nfReset=false\nstrDataDir=${text}\nx=1\n`);
    const env = { XDG_CONFIG_HOME: home };
    expect(await dataFolderOfQt({ platform: 'linux', env, home: '/none' }, none)).toBe(expected);
  });

  it('asks macOS and Windows for it, and takes no answer for none', async () => {
    const line = (folder: string) => `\r\n    strDataDir    REG_SZ    ${folder}\r\n`;
    const answers = new Map([['/usr/bin/defaults', '/Volumes/B\n']]);
    const run = async (program: string) => answers.get(program) ?? '';
    const env = { SystemRoot: 'C:\\WINDOWS' };
    const ask = (platform: string, by: typeof run) => dataFolderOfQt({ platform, env, home }, by);
    answers.set('C:\\WINDOWS\\System32\\reg.exe', line('D:\\My Coins'));
    expect(await ask('win32', run)).toBe('D:\\My Coins');
    // “ü” in the code page 850.
    expect(
      await ask('win32', async () => line(Buffer.from('D:\\M\x81nzen', 'latin1').toString())),
    ).toBeNull();
    expect(await ask('darwin', run)).toBe('/Volumes/B');
    expect(await ask('darwin', failing(new Error('no such key')))).toBeNull();
    expect(await ask('linux', none)).toBeNull();
  });
});

describe('defaultDataFolders', () => {
  it('is .bitcoin in the home folder on Linux, before those of packages', () => {
    const [first, ...others] = defaultDataFolders({ platform: 'linux', env: {}, home: '/home/ann' });
    expect(first).toBe('/home/ann/.bitcoin');
    expect(others).toContain('/home/ann/snap/bitcoin-core/common/.bitcoin');
  });

  it('is in Application Support on macOS', () => {
    expect(defaultDataFolders({ platform: 'darwin', env: {}, home: '/Users/ann' })).toEqual([
      '/Users/ann/Library/Application Support/Bitcoin',
    ]);
  });

  it('is Roaming, then Local on Windows', () => {
    const env = { APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local' };
    expect(defaultDataFolders({ platform: 'win32', env, home: 'C:\\Users\\ann' })).toEqual([
      'D:\\Roaming\\Bitcoin',
      'D:\\Local\\Bitcoin',
    ]);
    expect(defaultDataFolders({ platform: 'win32', env: {}, home: 'C:\\Users\\ann' })).toEqual([
      'C:\\Users\\ann\\AppData\\Roaming\\Bitcoin',
      'C:\\Users\\ann\\AppData\\Local\\Bitcoin',
    ]);
  });
});

it('knows the folder and port of every network', () => {
  const facts = networks.map((name) => [name, chainFolder('data', name), defaultRpcPorts[name]]);
  expect(facts).toEqual([
    ['main', 'data', 8332],
    ['testnet3', join('data', 'testnet3'), 18332],
    ['testnet4', join('data', 'testnet4'), 48332],
    ['signet', join('data', 'signet'), 38332],
    ['regtest', join('data', 'regtest'), 18443],
  ]);
});
