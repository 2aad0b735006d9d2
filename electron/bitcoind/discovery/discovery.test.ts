import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Behaviour, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, askForLogin, plainStatus, RpcFailure } from '../../../e2e/testNode/scriptedNode.ts';
import type { Network } from '../../../shared/model/network.ts';
import { foundNode } from '../../../shared/model/node.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import type { RpcPorts } from './nodeCandidates.ts';

let home: string;
let folder: string;
let node: RpcServer;
let discovery: Discovery;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const letting =
  (login: string, then: Behaviour = answering(plainStatus)): Behaviour =>
  (asked, response) =>
    asked.authorization === basic(login) ? then(asked, response) : askForLogin(response);

let silentPort: number;
/** No test may depend on what listens on this machine: every port but those that a test names is silent. */
function look(dataFolders: string[], ports: Partial<RpcPorts> = {}): void {
  const none = silentPort;
  const rpcPorts = { main: none, testnet3: none, testnet4: none, signet: none, regtest: none, ...ports };
  discovery = createDiscovery({ dataFolders, rpcPorts, timeoutMs: 3000 });
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

async function found(network: Network, dataFolder = folder) {
  const nodes = await discovery.discover();
  return nodes.find((each) => each.network === network && each.dataFolder === dataFolder);
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ferry-home-'));
  folder = join(home, '.bitcoin');
  node = await startRpcServer(letting('__cookie__:abc'));
  silentPort = await freePort();
  look([folder, join(home, 'missing')]);
});
afterEach(async () => {
  await node.close();
  await rm(home, { recursive: true });
});

it('says which bitcoin.conf was only partly read', async () => {
  const many = Array.from({ length: 40 }, (_, at) => `part-${at}.conf`);
  for (const name of many) await put(join(folder, name), 'rpcthreads=1\n');
  const including = (names: string[]) => names.map((name) => `includeconf=${name}\n`).join('');
  const conf = (text: string) => put(join(folder, 'bitcoin.conf'), text);
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

  it('is found ready, with its status and the number of its wallets', async () => {
    node.answerWith(
      letting(
        '__cookie__:abc',
        answering({ ...plainStatus, listwalletdir: () => ({ wallets: [{ name: 'a' }, { name: 'b' }] }) }),
      ),
    );
    const card = await found('regtest');
    expect(foundNode.parse(card)).toMatchObject({
      dataFolder: folder,
      address: node.address,
      credentials: 'cookie',
      state: { state: 'ready', wallets: 2, node: { label: 'This computer', local: true } },
    });
  });

  it('keeps its id from one look to the next', async () => {
    const first = await found('regtest');
    await rm(join(folder, 'regtest', '.cookie'));
    expect((await found('regtest'))?.id).toBe(first?.id);
  });

  it('is found without a number of wallets when it runs without', async () => {
    const { listwalletdir: _, listwallets: __, ...others } = plainStatus;
    node.answerWith(letting('__cookie__:abc', answering(others)));
    expect((await found('regtest'))?.state).toMatchObject({ state: 'ready', wallets: null });
  });

  it('is found starting, with its own words', async () => {
    const starting = () => {
      throw new RpcFailure(-28, 'Loading block index…');
    };
    node.answerWith(letting('__cookie__:abc', answering({ getnetworkinfo: starting })));
    expect((await found('regtest'))?.state).toEqual({ state: 'starting', message: 'Loading block index…' });
  });

  it('is found failed when it refuses the cookie', async () => {
    await put(join(folder, 'regtest', '.cookie'), '__cookie__:stale');
    expect((await found('regtest'))?.state).toMatchObject({
      state: 'failed',
      error: { code: 'credentials_refused' },
    });
  });

  it('is found failed when nothing listens any more', async () => {
    await node.close();
    expect((await found('regtest'))?.state).toMatchObject({
      state: 'failed',
      error: { code: 'cannot_connect' },
    });
    node = await startRpcServer(() => undefined);
  });

  it('is found failed when it does not answer in time', async () => {
    node.answerWith(() => undefined);
    expect((await found('regtest'))?.state).toMatchObject({ state: 'failed', error: { code: 'timed_out' } });
  });

  it('can be logged in to by its id', async () => {
    const card = await found('regtest');
    expect(await discovery.loginOf(card?.id ?? '')).toEqual({
      label: 'This computer',
      address: node.address,
      credentials: { by: 'cookie', cookieFile: join(folder, 'regtest', '.cookie') },
    });
    await expect(discovery.loginOf('other')).rejects.toMatchObject({ code: 'bad_input' });
  });

  // SECURITY.md: A hostile server on the RPC port
  it('is asked at this machine only, wherever bitcoin.conf may point', async () => {
    const port = node.address.port;
    const text = `[regtest]\nrpcport=${port}\nrpcconnect=203.0.113.1\nrpcallowip=0.0.0.0/0\nrpcbind=203.0.113.1:1\nrpcbind=0.0.0.0:${port}\n`;
    await put(join(folder, 'bitcoin.conf'), text);
    expect((await found('regtest'))?.address).toEqual({ host: '127.0.0.1', port, tls: false });
  });
});

describe('where bitcoin.conf leads', () => {
  // SECURITY.md: A hostile server on the RPC port
  it('knows its user and password, and sends neither them nor a stale cookie while it looks', async () => {
    node.answerWith(letting('ann:secret'));
    await put(join(folder, 'signet', '.cookie'), '__cookie__:stale');
    await put(
      join(folder, 'bitcoin.conf'),
      `signet=1\nrpcuser=ann\nrpcpassword=secret\n[signet]\nrpcport=${node.address.port}\n`,
    );
    const card = await found('signet');
    expect(foundNode.parse(card)).toMatchObject({ credentials: 'config', state: { state: 'asks-login' } });
    expect(JSON.stringify(card)).not.toContain('secret');
    expect(node.calls.length).toBeGreaterThan(0);
    expect(node.calls.every((call) => call.authorization === undefined)).toBe(true);
    expect((await discovery.loginOf(card?.id ?? '')).credentials).toMatchObject({
      ...{ by: 'password', user: 'ann', password: 'secret' },
      owners: [process.getuid?.() ?? 0],
    });
  });

  it('looks into the data folder that it names', async () => {
    const elsewhere = join(home, 'disk', 'bitcoin');
    await put(join(elsewhere, 'testnet4', '.cookie'), '__cookie__:abc');
    await put(join(folder, 'bitcoin.conf'), `datadir=${elsewhere}\ntestnet4.rpcport=${node.address.port}\n`);
    expect(await found('testnet4', elsewhere)).toMatchObject({ state: { state: 'ready' } });
  });

  // SECURITY.md: A false node on this machine
  it('speaks for no data folder that an earlier one speaks for', async () => {
    const other = join(home, 'other');
    look([folder, other]);
    await put(
      join(folder, 'bitcoin.conf'),
      `regtest=1\nrpcpassword=own\n[regtest]\nrpcport=${node.address.port}\n`,
    );
    await put(
      join(other, 'bitcoin.conf'),
      `regtest=1\ndatadir=${folder}\n[regtest]\nrpcport=${silentPort}\n`,
    );
    const card = await found('regtest');
    expect(card).toMatchObject({ address: node.address, credentials: 'config' });
    expect(await discovery.loginOf(card?.id ?? '')).toMatchObject({
      address: node.address,
      credentials: { password: 'own' },
    });
  });

  it('reads the cookie file that it names, from the folder of the network', async () => {
    await put(join(folder, 'regtest', 'login'), '__cookie__:abc');
    await put(join(folder, 'bitcoin.conf'), `rpccookiefile=login\nregtest.rpcport=${node.address.port}\n`);
    expect(await found('regtest')).toMatchObject({ credentials: 'cookie', state: { state: 'ready' } });
  });

  it('reads no cookie where it turns cookies off', async () => {
    await put(join(folder, 'regtest', '.cookie'), '__cookie__:abc');
    await put(join(folder, 'bitcoin.conf'), `norpccookiefile=1\nregtest.rpcport=${node.address.port}\n`);
    expect(await found('regtest')).toMatchObject({
      credentials: 'none',
      state: { state: 'failed', error: { code: 'credentials_missing' } },
    });
    expect(node.calls.every((call) => call.authorization === undefined)).toBe(true);
  });

  it('tells of a configured node that is not running', async () => {
    const { port } = node.address;
    await node.close();
    await put(join(folder, 'bitcoin.conf'), `rpcport=${port}\n`);
    expect(await found('main')).toMatchObject({
      credentials: 'none',
      state: { state: 'failed', error: { code: 'cannot_connect' } },
    });
    node = await startRpcServer(() => undefined);
  });
});

describe('a data folder alone', () => {
  beforeEach(() => mkdir(join(folder, 'regtest'), { recursive: true }));

  it('makes no node', async () => {
    expect(await discovery.discover()).toEqual([]);
  });

  it('makes none with another program on its port', async () => {
    node.answerWith((_, response) => response.writeHead(200).end('<p>'));
    look([folder], { regtest: node.address.port });
    expect(await discovery.discover()).toEqual([]);
  });

  it('makes none with a server that asks for another login', async () => {
    node.answerWith((_, response) =>
      response.writeHead(401, { 'www-authenticate': 'Basic realm="printer"' }).end(),
    );
    look([folder], { regtest: node.address.port });
    expect(await discovery.discover()).toEqual([]);
  });

  it('makes one that asks for a login when a node listens there', async () => {
    look([folder], { regtest: node.address.port });
    expect(await discovery.discover()).toMatchObject([
      { network: 'regtest', credentials: 'none', state: { error: { code: 'credentials_missing' } } },
    ]);
    expect(node.calls.every((call) => call.authorization === undefined)).toBe(true);
  });

  it('makes no second card for the node of another data folder on the same port', async () => {
    const other = join(home, 'other');
    await put(join(other, 'regtest', '.cookie'), '__cookie__:abc');
    look([folder, other], { regtest: node.address.port });
    expect(await discovery.discover()).toMatchObject([{ dataFolder: other, state: { state: 'ready' } }]);
  });
});
