import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Behaviour,
  type ReceivedCall,
  type RpcServer,
  startRpcServer,
} from '../../../e2e/testNode/rpcServer.ts';
import { answering, askForLogin, plainStatus, RpcFailure } from '../../../e2e/testNode/scriptedNode.ts';
import type { NodeTarget } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import {
  type Connection,
  connection as connectionShape,
  type FoundNode,
  type Profile,
} from '../../../shared/model/node.ts';
import { deferred } from '../../../shared/testing/deferred.ts';
import { sampleIdentity } from '../../../shared/testing/sampleNodeStatus.ts';
import { failing } from '../../files/testing/failing.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { createConnection, type NodeConnection, type ReconnectDeps, reconnect } from './connection.ts';

const running = answering(plainStatus);
const atHeight = (blocks: number) =>
  answering({
    ...plainStatus,
    getblockchaininfo: (call) => ({ ...(plainStatus.getblockchaininfo?.(call) as object), blocks }),
  });
const startingUp = (message: string): Behaviour =>
  answering({ getnetworkinfo: failing(new RpcFailure(-28, message)) });
const refusing: Behaviour = (_, response) => askForLogin(response);
const silent: Behaviour = () => undefined;

let node: RpcServer;
let app: NodeConnection;
let changes: Connection[];
let changed: () => void;
const remember = vi.fn(async () => ({}) as never);
const used = vi.fn(async () => undefined);
const secret = 'correct horse';

const byHand = (to = node): NodeTarget => ({
  by: 'hand',
  address: to.address,
  login: { by: 'password', user: 'me', password: secret, save: true },
});

/** Resolves with the first earlier or later change that the check accepts. */
async function until(check: (now: Connection) => boolean, from = 0): Promise<Connection> {
  for (;;) {
    const found = changes.slice(from).find(check);
    if (found) return found;
    await new Promise<void>((resolve) => {
      changed = resolve;
    });
  }
}
const callsOf = (name: string) => node.calls.filter(({ method }) => method === name).length;
const state = (name: Connection['state']) => (now: Connection) => now.state === name;

beforeEach(async () => {
  node = await startRpcServer(running);
  changes = [];
  changed = () => undefined;
  remember.mockClear();
  used.mockClear();
  app = connectionWith({ refreshMs: 5, startingMs: 5, lostMs: 5 });
});
afterEach(async () => {
  await app.close();
  await node.close();
});

function connectionWith(
  pauses: Parameters<typeof createConnection>[0]['pauses'],
  knownFolders: readonly string[] = [],
): NodeConnection {
  return createConnection({
    knownFolders: async () => knownFolders,
    onChange: (now) => {
      changes.push(now);
      changed();
    },
    profiles: {
      remember,
      recordUse: used,
      loginOf: async (id, password) => ({
        label: `profile ${id}`,
        address: node.address,
        credentials: { by: 'password', user: 'me', password: password ?? secret },
      }),
    },
    discovery: {
      loginOf: async (id) => ({ label: `found ${id}`, address: node.address, credentials: { by: 'none' } }),
    },
    pauses: pauses ?? {},
    client: { retryPausesMs: [] },
  });
}

describe('connecting', () => {
  it('is connected to nothing at first', () => {
    expect(app.current()).toEqual({ state: 'none' });
    expect(() => app.session()).toThrow(AppError);
  });

  it('reads the node, remembers the login, and gives a session', async () => {
    const reached = await app.connect(byHand());
    expect(connectionShape.parse(reached)).toMatchObject({
      state: 'connected',
      node: { label: `127.0.0.1:${node.address.port}`, local: true, blocks: 110 },
    });
    expect(app.current()).toEqual(reached);
    expect(remember).toHaveBeenCalledWith(node.address, expect.objectContaining({ user: 'me', save: true }));
    expect(await app.session().client.call('listwallets')).toEqual([]);
    expect(JSON.stringify([reached, changes])).not.toContain(secret);
  });

  it('shows while it tries to reach a node, even in vain', async () => {
    expect(app.isConnecting()).toBe(false);
    const reaching = app.connect(byHand());
    expect(app.isConnecting()).toBe(true);
    await reaching;
    expect(app.isConnecting()).toBe(false);
    node.answerWith(refusing);
    await expect(app.connect(byHand())).rejects.toThrow();
    expect(app.isConnecting()).toBe(false);
  });

  it('uses a found node, or a profile', async () => {
    expect(await app.connect({ by: 'found', id: 'x' })).toMatchObject({ node: { label: 'found x' } });
    const profile = await app.connect({ by: 'profile', id: 'y', password: 'typed' });
    expect(profile).toMatchObject({ node: { label: 'profile y' } });
    expect(remember).not.toHaveBeenCalled();
    expect(used).toHaveBeenCalledWith('y', 'typed');
  });

  it('throws the reason why it cannot connect, and remembers nothing', async () => {
    node.answerWith(refusing);
    await expect(app.connect(byHand())).rejects.toMatchObject({ code: 'credentials_refused' });
    expect(app.current()).toEqual({ state: 'none' });
    expect(changes).toEqual([]);
    expect(remember).not.toHaveBeenCalled();
  });

  it('keeps its node if it cannot reach another one', async () => {
    await app.connect(byHand());
    const other = await startRpcServer(refusing);
    await expect(app.connect(byHand(other))).rejects.toMatchObject({ code: 'credentials_refused' });
    expect(app.current()).toMatchObject({ state: 'connected', node: { address: node.address } });
    node.answerWith(atHeight(111));
    await until((now) => now.state === 'connected' && now.node.blocks === 111);
    await other.close();
  });

  it('connects even if it cannot save the profile', async () => {
    remember.mockRejectedValueOnce(new Error('disk full'));
    expect(await app.connect(byHand())).toMatchObject({ state: 'connected' });
  });
});

describe('a node that is starting up', () => {
  it('is awaited until it is ready, with its own words', async () => {
    const [label, message] = [`127.0.0.1:${node.address.port}`, 'Loading block index…'];
    node.answerWith(startingUp(message));
    expect(await app.connect(byHand())).toEqual({ state: 'starting', label, message });
    expect(remember).toHaveBeenCalledOnce();
    expect(() => app.session()).toThrow(AppError);
    node.answerWith(startingUp('Verifying blocks…'));
    await until((now) => now.state === 'starting' && now.message === 'Verifying blocks…');
    node.answerWith(running);
    await until(state('connected'));
    expect(app.session().status.blocks).toBe(110);
  });

  it('is awaited even if it stops meanwhile', async () => {
    node.answerWith(startingUp('Loading…'));
    await app.connect(byHand());
    node.answerWith((_, response) => response.destroy());
    await until((now) => now.state === 'starting' && now.message !== 'Loading…');
    node.answerWith(running);
    await until(state('connected'));
  });

  it('is no longer awaited after the user disconnects', async () => {
    node.answerWith(startingUp('Loading…'));
    await app.connect(byHand());
    await app.disconnect();
    expect(app.current()).toEqual({ state: 'none' });
    node.answerWith(running);
    await app.connect(byHand());
    expect(changes.map((now) => now.state)).toEqual(['starting', 'none', 'connected']);
  });
});

describe('a connected node', () => {
  it('is reported only when it changes', async () => {
    await app.connect(byHand());
    await vi.waitFor(() => expect(callsOf('getblockchaininfo')).toBeGreaterThan(4), { interval: 2 });
    expect(changes).toHaveLength(1);
    const session = app.session();
    node.answerWith(atHeight(200));
    await until((now) => now.state === 'connected' && now.node.blocks === 200);
    expect(session.status.blocks).toBe(200);
    expect(app.session()).toBe(session);
  });

  it('is asked for its whole status only once in twelve polls', async () => {
    await app.connect(byHand());
    const version = 290_300;
    node.answerWith(
      answering({
        ...plainStatus,
        getnetworkinfo: () => ({ version, subversion: '/Satoshi:29.3.0/', warnings: [] }),
      }),
    );
    await until((now) => now.state === 'connected' && now.node.release.number === version);
    expect(callsOf('getnetworkinfo')).toBe(2);
    expect(callsOf('getblockchaininfo')).toBe(13);
  });

  it.skipIf(process.platform === 'linux')(
    'is read again at once after a restart that no socket shows',
    async () => {
      await app.connect(byHand());
      node.answerWith(answering({ ...plainStatus, uptime: () => 5 }));
      const before = app.session().status.started;
      await until((now) => now.state === 'connected' && now.node.started !== before);
      expect(callsOf('getnetworkinfo')).toBe(2);
      expect(callsOf('getblockchaininfo')).toBeLessThan(12);
    },
  );

  it('may be lost, keeps its session, and is found again', async () => {
    await app.connect(byHand());
    const { port } = node.address;
    await node.close();
    const lost = await until(state('lost'));
    const known = { error: { code: 'cannot_connect' }, node: { blocks: 110 } };
    expect(connectionShape.parse(lost)).toMatchObject(known);
    expect((lost as { since: number }).since).toBeGreaterThan(1_700_000_000);
    expect(app.session().status.blocks).toBe(110);
    node = await startRpcServer(startingUp('Verifying blocks…'), port);
    await until(state('starting'));
    expect(app.session().status.blocks).toBe(110);
    node.answerWith(running);
    const from = changes.length;
    await until(state('connected'), from - 1);
    expect(changes.map((now) => now.state)).toEqual(['connected', 'lost', 'starting', 'connected']);
  });

  it('is not lost while it is busy', async () => {
    await app.connect(byHand());
    node.answerWith((_, response) => response.writeHead(503).end());
    const before = node.calls.length;
    await vi.waitFor(() => expect(node.calls.length).toBeGreaterThan(before + 3), { interval: 2 });
    expect(app.current().state).toBe('connected');
  });
});

describe('a node that the app started itself', () => {
  const own = (lostBecause: () => AppError | null) => ({
    label: 'Without a node',
    address: node.address,
    credentials: { by: 'none' } as const,
    walletsFolder: '/own/wallets',
    lostBecause,
  });

  it('has the wallets folder that the app gave it, and is not remembered', async () => {
    const engine = { label: 'Without a node', walletsFolder: '/own/wallets' };
    expect(await app.connectToStarted(own(() => null))).toMatchObject({ state: 'connected', node: engine });
    expect(remember).not.toHaveBeenCalled();
    expect(used).not.toHaveBeenCalled();
  });

  it('is polled at once on request, and lost for the reason that the app knows', async () => {
    const slow = connectionWith({ refreshMs: 3_600_000, lostMs: 3_600_000 });
    let ended = false;
    const why = new AppError('connection_lost', 'The engine has stopped.', 'Each wallet is unchanged.');
    await slow.connectToStarted(own(() => (ended ? why : null)));
    await node.close();
    slow.pollNow();
    const code = expect.stringMatching(/^(cannot_connect|connection_lost)$/);
    expect(await until(state('lost'))).toMatchObject({ error: { code } });
    ended = true;
    const from = changes.length;
    slow.pollNow();
    expect(await until(state('lost'), from)).toMatchObject({ error: { message: 'The engine has stopped.' } });
    await node.listen();
    slow.pollNow();
    await until(state('connected'), from);
    await slow.close();
  });
});

it.runIf(process.platform === 'linux')('catches up with a node that restarted between polls', async () => {
  const slow = connectionWith({ refreshMs: 3_600_000 });
  await slow.connect(byHand());
  const socket = () => slow.session().status.listener?.socket;
  const before = socket();
  expect(before).toBeDefined();
  await slow.refreshIfReplaced();
  expect(socket()).toBe(before);
  await node.close();
  node.answerWith(atHeight(8));
  await node.listen();
  // A pooled connection to the old process may fail first.
  const ask = () => slow.session().client.call('getblockchaininfo');
  await ask().catch(ask);
  expect(socket()).toBe(before);
  await slow.refreshIfReplaced();
  expect(slow.session().status).toMatchObject({ blocks: 8, listener: { socket: expect.any(String) } });
  expect(socket()).not.toBe(before);
  await slow.close();
});

/** The chain folder of a node that keeps its wallets there, as it does without “wallets”, and that node's answers. */
async function oldNode() {
  const chain = makeTestFolder();
  await mkdir(join(chain, 'old'));
  await writeFile(join(chain, 'old', 'wallet.dat'), 'x');
  const listed = async () => {
    const names = (await readdir(chain)).filter((name) => existsSync(join(chain, name, 'wallet.dat')));
    return { wallets: names.map((name) => ({ name })) };
  };
  return { chain, answers: { ...plainStatus, listwalletdir: listed } };
}

it('uses the wallets folder that the user names, as for a data folder from before 0.16', async () => {
  const { chain, answers } = await oldNode();
  await mkdir(join(chain, 'blocks'));
  node.answerWith(answering(answers));
  expect(await app.connect(byHand())).toMatchObject({ node: { walletsFolder: null } });
  await expect(app.useWalletsFolder(join(chain, 'blocks'))).rejects.toMatchObject({
    code: 'not_available_here',
    message: expect.stringContaining('Not the node’s wallets folder'),
  });
  const used = await app.useWalletsFolder(chain);
  expect(used).toMatchObject({ state: 'connected', node: { walletsFolder: chain } });
  expect(app.session().status.walletsFolder).toBe(chain);
  expect((await readdir(chain)).sort()).toEqual(['blocks', 'old']);
  expect(await readdir(join(chain, 'blocks'))).toEqual([]);
});

describe('the wallets folder of a node without a log', () => {
  it('is found beside the cookie file, by bitcoin.conf, or from an earlier connection', async () => {
    const { chain, answers } = await oldNode();
    node.answerWith(answering(answers));
    const cookieFile = join(chain, '.cookie');
    await writeFile(cookieFile, '__cookie__:abc');
    const byCookie = { by: 'hand', address: node.address, login: { by: 'cookie', cookieFile } } as const;
    expect(await app.connect(byCookie)).toMatchObject({ node: { walletsFolder: chain } });

    const data = makeTestFolder();
    await mkdir(join(data, 'regtest'));
    await writeFile(join(data, 'bitcoin.conf'), `[regtest]\nwalletdir=${chain}\n`);
    const moved = join(data, 'regtest', '.cookie');
    await writeFile(moved, '__cookie__:abc');
    const byMoved = { ...byCookie, login: { by: 'cookie', cookieFile: moved } } as const;
    expect(await app.connect(byMoved)).toMatchObject({ node: { walletsFolder: chain } });

    const later = connectionWith({}, [join(chain, 'gone'), chain]);
    expect(await later.connect(byHand())).toMatchObject({ node: { walletsFolder: chain } });
    expect((await readdir(chain)).sort()).toEqual(['.cookie', 'old']);
    await later.close();
  });

  it('is not searched for a node in a container, whose log has a folder that is not here', async () => {
    const { chain, answers } = await oldNode();
    const logpath = '/home/bitcoin/.bitcoin/debug.log';
    node.answerWith(answering({ ...answers, getrpcinfo: () => ({ active_commands: [], logpath }) }));
    const later = connectionWith({ refreshMs: 3_600_000 }, [chain]);
    const inContainer = { node: { local: false, walletsFolder: null } };
    expect(await later.connect(byHand())).toMatchObject(inContainer);
    // A node on this machine ran at the address before.
    node.answerWith(answering({ ...answers, uptime: () => 500 }));
    expect(await later.connect(byHand())).toMatchObject({ node: { local: true, walletsFolder: chain } });
    node.answerWith(answering({ ...answers, getrpcinfo: () => ({ active_commands: [], logpath }) }));
    later.pollNow();
    await until(({ state, ...rest }) => state === 'connected' && 'node' in rest && !rest.node.local, 2);
    expect(later.current()).toMatchObject(inContainer);
    await later.close();
  });

  it('is unknown if the node does not list what the app puts there, which it tries once', async () => {
    const { answers } = await oldNode();
    const { chain: other } = await oldNode();
    node.answerWith(answering(answers));
    const later = connectionWith({ refreshMs: 3_600_000 }, [other]);
    expect(await later.connect(byHand())).toMatchObject({ node: { walletsFolder: null } });
    const asked = callsOf('listwalletdir');
    const read = callsOf('getnetworkinfo');
    later.pollNow();
    await vi.waitFor(() => expect(callsOf('getnetworkinfo')).toBe(read + 1), { interval: 2 });
    expect(callsOf('listwalletdir')).toBe(asked);
    expect(await readdir(other)).toEqual(['old']);
    await later.close();
  });
});

it('keeps the wallets folder that the user names while an earlier poll still reads the chain', async () => {
  const { chain, answers } = await oldNode();
  node.answerWith(answering(answers));
  await app.connect(byHand());
  const { promise: released, resolve: release } = deferred();
  const getblockchaininfo = vi.fn((call: ReceivedCall) => plainStatus.getblockchaininfo?.(call));
  getblockchaininfo.mockImplementationOnce((call) =>
    released.then(() => plainStatus.getblockchaininfo?.(call)),
  );
  node.answerWith(answering({ ...answers, getblockchaininfo }));
  await vi.waitFor(() => expect(getblockchaininfo).toHaveBeenCalledTimes(1), { interval: 2 });
  await app.useWalletsFolder(chain);
  release();
  // The next poll begins once the earlier one has ended.
  await vi.waitFor(() => expect(getblockchaininfo.mock.calls.length).toBeGreaterThan(2), { interval: 2 });
  expect(app.session().status.walletsFolder).toBe(chain);
});

describe('a change to another node', () => {
  it('cancels an older attempt', async () => {
    node.answerWith(silent);
    const first = app.connect(byHand());
    const other = await startRpcServer(atHeight(7));
    const second = app.connect(byHand(other));
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(await second).toMatchObject({ node: { blocks: 7 } });
    expect(changes).toHaveLength(1);
    await app.close();
    await other.close();
  });

  it('cancels an attempt when the user disconnects', async () => {
    const arrived = new Promise<void>((resolve) => node.answerWith(() => resolve()));
    const connecting = app.connect(byHand());
    const outcome = expect(connecting).rejects.toMatchObject({ code: 'cancelled' });
    await arrived;
    await app.disconnect();
    await outcome;
  });

  it('lets a job on the earlier node continue', async () => {
    const arrived = new Promise<() => void>((resolve) => {
      const migratewallet = () => new Promise((answer) => resolve(() => answer({ ok: 1 })));
      node.answerWith(answering({ ...plainStatus, migratewallet }));
    });
    await app.connect(byHand());
    const { client } = app.session();
    const work = client.call('migratewallet', [], { timeoutMs: null });
    const finish = await arrived;
    const other = await startRpcServer(running);
    await app.connect(byHand(other));
    expect(app.session().client).not.toBe(client);
    finish();
    expect(await work).toEqual({ ok: 1 });
    expect(await client.call('listwallets')).toEqual([]);
    await app.close();
    await expect(client.call('listwallets')).rejects.toMatchObject({ code: 'not_connected' });
    await other.close();
  });
});

const known = sampleIdentity({ walletsFolder: '/node/wallets' });
const at = (port: number) => ({ host: '127.0.0.1', port, tls: false });
const found = (id: string, port: number, fields: Partial<FoundNode> = {}): FoundNode => ({
  id,
  dataFolder: '/node',
  network: 'main',
  address: at(port),
  credentials: 'cookie',
  state: { state: 'starting', message: 'Loading…' },
  ...fields,
});
const profile = (id: string, passwordSaved: boolean): Profile => ({
  id,
  label: id,
  address: at(8332),
  lastUsed: 1,
  login: { by: 'password', user: 'u', passwordSaved },
});

describe('reconnect', () => {
  let current: Connection;
  const starting: Connection = { state: 'starting', label: 'n', message: '' };
  const succeed = async (_: unknown) => {
    current = starting;
    return current;
  };
  const [connect, start] = [vi.fn(succeed), vi.fn(succeed)];
  beforeEach(() => {
    current = { state: 'none' };
    connect.mockClear();
    start.mockClear();
  });

  interface Around {
    nodes?: () => Promise<FoundNode[]>;
    profiles?: Profile[];
    isConnecting?: () => boolean;
    node?: typeof known;
  }
  const retry = (around: Around, signal = AbortSignal.timeout(10_000)) => {
    const { nodes = async () => [], profiles = [], isConnecting = () => false, node = known } = around;
    const deps: ReconnectDeps = {
      connection: { current: () => current, isConnecting, connect },
      engine: { start },
      discovery: { discover: nodes },
      profiles: { list: async () => profiles },
    };
    return reconnect(node, deps, { signal, pollMs: 5 });
  };

  it('connects to the found node of that address, and to no other', async () => {
    const others = [found('other', 18443), found('test', 8332, { network: 'signet' })];
    await retry({ nodes: async () => [...others, found('it', 8332)] });
    expect(connect.mock.calls).toEqual([[{ by: 'found', id: 'it' }]]);
  });

  it('waits for a node that does not run yet', async () => {
    let searches = 0;
    await retry({ nodes: async () => (++searches < 3 ? [] : [found('it', 8332)]) });
    expect(searches).toBe(3);
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('uses a profile only with its saved password', async () => {
    await retry({ profiles: [profile('asks', false), profile('knows', true)] });
    expect(connect.mock.calls).toEqual([[{ by: 'profile', id: 'knows' }]]);
  });

  it('starts the engine again on its folder', async () => {
    await retry({ node: { ...known, offline: true } });
    expect(start.mock.calls).toEqual([[{ walletsFolder: '/node/wallets', network: 'main' }]]);
    expect(connect).not.toHaveBeenCalled();
  });

  it('does not interrupt an attempt of the user, and continues if that fails', async () => {
    let attempts = 0;
    const isConnecting = () => {
      attempts += 1;
      return attempts <= 3;
    };
    await retry({ isConnecting, nodes: async () => [found('it', 8332)] });
    expect(attempts).toBeGreaterThan(3);
    expect(connect.mock.calls).toEqual([[{ by: 'found', id: 'it' }]]);
  });

  it('ends if the user has connected meanwhile, and on an abort', async () => {
    current = starting;
    await retry({});
    expect(connect).not.toHaveBeenCalled();
    current = { state: 'none' };
    const stop = new AbortController();
    const trying = retry({}, stop.signal);
    stop.abort();
    await expect(trying).resolves.toBeUndefined();
  });
});
