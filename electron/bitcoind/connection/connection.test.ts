import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Behaviour, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, askForLogin, plainStatus, RpcFailure } from '../../../e2e/testNode/scriptedNode.ts';
import type { Target } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Connection, connection as connectionShape } from '../../../shared/model/node.ts';
import { createConnection, type NodeConnection } from './connection.ts';

const running = answering(plainStatus);
const atHeight = (blocks: number) =>
  answering({
    ...plainStatus,
    getblockchaininfo: (asked) => ({ ...(plainStatus.getblockchaininfo?.(asked) as object), blocks }),
  });
const startingUp = (message: string): Behaviour =>
  answering({
    getnetworkinfo: () => {
      throw new RpcFailure(-28, message);
    },
  });
const refusing: Behaviour = (_, response) => askForLogin(response);
const silent: Behaviour = () => undefined;

let node: RpcServer;
let app: NodeConnection;
let seen: Connection[];
let heard: () => void;
const remember = vi.fn(async () => ({}) as never);
const used = vi.fn(async () => undefined);
const secret = 'correct horse';

const byHand = (to = node): Target => ({
  by: 'hand',
  address: to.address,
  login: { by: 'password', user: 'me', password: secret, save: true },
});

/** Resolves with the first state, already seen or to come, that the check accepts. */
async function until(check: (now: Connection) => boolean, from = 0): Promise<Connection> {
  for (;;) {
    const found = seen.slice(from).find(check);
    if (found) return found;
    await new Promise<void>((resolve) => {
      heard = resolve;
    });
  }
}
const state = (name: Connection['state']) => (now: Connection) => now.state === name;

beforeEach(async () => {
  node = await startRpcServer(running);
  seen = [];
  heard = () => undefined;
  remember.mockClear();
  used.mockClear();
  app = createConnection({
    onChange: (now) => {
      seen.push(now);
      heard();
    },
    profiles: {
      remember,
      used,
      loginOf: async (id, password) => ({
        label: `profile ${id}`,
        address: node.address,
        credentials: { by: 'password', user: 'me', password: password ?? secret },
      }),
    },
    discovery: {
      loginOf: async (id) => ({ label: `found ${id}`, address: node.address, credentials: { by: 'none' } }),
    },
    pauses: { refreshMs: 5, startingMs: 5, lostMs: 5 },
    client: { retryPausesMs: [] },
  });
});
afterEach(async () => {
  await app.close();
  await node.close();
});

describe('connecting', () => {
  it('is connected to nothing at first', () => {
    expect(app.current()).toEqual({ state: 'none' });
    expect(() => app.session()).toThrow(AppError);
  });

  it('reads the node, remembers how it got there, and offers a session', async () => {
    const reached = await app.connect(byHand());
    expect(connectionShape.parse(reached)).toMatchObject({
      state: 'connected',
      node: { label: `127.0.0.1:${node.address.port}`, local: true, blocks: 110 },
    });
    expect(app.current()).toEqual(reached);
    expect(remember).toHaveBeenCalledWith(node.address, expect.objectContaining({ user: 'me', save: true }));
    expect(await app.session().client.call('listwallets')).toEqual([]);
    expect(JSON.stringify([reached, seen])).not.toContain(secret);
  });

  it('tells while it is reaching a node, also where that comes to nothing', async () => {
    expect(app.isConnecting()).toBe(false);
    const reaching = app.connect(byHand());
    expect(app.isConnecting()).toBe(true);
    await reaching;
    expect(app.isConnecting()).toBe(false);
    node.answerWith(refusing);
    await expect(app.connect(byHand())).rejects.toThrow();
    expect(app.isConnecting()).toBe(false);
  });

  it('goes by what was found and by profile', async () => {
    expect(await app.connect({ by: 'found', id: 'x' })).toMatchObject({ node: { label: 'found x' } });
    expect(await app.connect({ by: 'profile', id: 'y', password: 'typed' })).toMatchObject({
      node: { label: 'profile y' },
    });
    expect(remember).not.toHaveBeenCalled();
    expect(used).toHaveBeenCalledWith('y', 'typed');
  });

  it('throws what keeps it from the node, and remembers nothing', async () => {
    node.answerWith(refusing);
    await expect(app.connect(byHand())).rejects.toMatchObject({ code: 'credentials_refused' });
    expect(app.current()).toEqual({ state: 'none' });
    expect(seen).toEqual([]);
    expect(remember).not.toHaveBeenCalled();
  });

  it('stays with its node when another one cannot be reached', async () => {
    await app.connect(byHand());
    const other = await startRpcServer(refusing);
    await expect(app.connect(byHand(other))).rejects.toMatchObject({ code: 'credentials_refused' });
    expect(app.current()).toMatchObject({ state: 'connected', node: { address: node.address } });
    node.answerWith(atHeight(111));
    await until((now) => now.state === 'connected' && now.node.blocks === 111);
    await other.close();
  });

  it('is connected even where nothing can be remembered', async () => {
    remember.mockRejectedValueOnce(new Error('disk full'));
    expect(await app.connect(byHand())).toMatchObject({ state: 'connected' });
  });
});

describe('a node that is starting up', () => {
  it('is waited for, with its own words, until it is ready', async () => {
    node.answerWith(startingUp('Loading block index…'));
    expect(await app.connect(byHand())).toEqual({
      state: 'starting',
      label: `127.0.0.1:${node.address.port}`,
      message: 'Loading block index…',
    });
    expect(remember).toHaveBeenCalledOnce();
    expect(() => app.session()).toThrow(AppError);
    node.answerWith(startingUp('Verifying blocks…'));
    await until((now) => now.state === 'starting' && now.message === 'Verifying blocks…');
    node.answerWith(running);
    await until(state('connected'));
    expect(app.session().status.blocks).toBe(110);
  });

  it('is waited for even when it goes away meanwhile', async () => {
    node.answerWith(startingUp('Loading…'));
    await app.connect(byHand());
    node.answerWith((_, response) => response.destroy());
    await until((now) => now.state === 'starting' && now.message !== 'Loading…');
    node.answerWith(running);
    await until(state('connected'));
  });

  it('is no longer waited for after disconnecting', async () => {
    node.answerWith(startingUp('Loading…'));
    await app.connect(byHand());
    await app.disconnect();
    expect(app.current()).toEqual({ state: 'none' });
    node.answerWith(running);
    const asked = node.calls.length;
    await app.connect(byHand());
    expect(seen.map((now) => now.state)).toEqual(['starting', 'none', 'connected']);
    expect(asked).toBeGreaterThan(0);
  });
});

describe('staying with a node', () => {
  it('tells what changed, and nothing when nothing did', async () => {
    await app.connect(byHand());
    const looks = () => node.calls.filter((call) => call.method === 'getblockchaininfo').length;
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(4), { interval: 2 });
    expect(seen).toHaveLength(1);
    const session = app.session();
    node.answerWith(atHeight(200));
    await until((now) => now.state === 'connected' && now.node.blocks === 200);
    expect(session.status.blocks).toBe(200);
    expect(app.session()).toBe(session);
  });

  it('says that it lost the node, keeps the session, and finds the node again', async () => {
    await app.connect(byHand());
    const { port } = node.address;
    await node.close();
    const lost = await until(state('lost'));
    expect(connectionShape.parse(lost)).toMatchObject({
      error: { code: 'cannot_connect' },
      node: { blocks: 110 },
    });
    expect((lost as { since: number }).since).toBeGreaterThan(1_700_000_000);
    expect(app.session().status.blocks).toBe(110);
    node = await startRpcServer(startingUp('Verifying blocks…'), port);
    await until(state('starting'));
    expect(app.session().status.blocks).toBe(110);
    node.answerWith(running);
    const from = seen.length;
    await until(state('connected'), from - 1);
    expect(seen.map((now) => now.state)).toEqual(['connected', 'lost', 'starting', 'connected']);
  });

  it('does not take a busy node for a lost one', async () => {
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

  it('is connected to with what the app knows of it, and is not remembered', async () => {
    expect(await app.connectTo(own(() => null))).toMatchObject({
      state: 'connected',
      node: { label: 'Without a node', walletsFolder: '/own/wallets' },
    });
    expect(remember).not.toHaveBeenCalled();
    expect(used).not.toHaveBeenCalled();
  });

  it('is lost with the app’s own words where it knows why, and seen at once when told to look', async () => {
    const slow = createConnection({
      onChange: (now) => {
        seen.push(now);
        heard();
      },
      profiles: { remember, used, loginOf: () => Promise.reject(new Error('not asked')) },
      discovery: { loginOf: () => Promise.reject(new Error('not asked')) },
      pauses: { refreshMs: 3_600_000, lostMs: 3_600_000 },
      client: { retryPausesMs: [] },
    });
    let ended = false;
    const why = new AppError('connection_lost', 'The engine has stopped.', 'Start it again.');
    await slow.connectTo(own(() => (ended ? why : null)));
    const { port } = node.address;
    await node.close();
    slow.lookNow();
    expect(await until(state('lost'))).toMatchObject({
      error: { code: expect.stringMatching(/^(cannot_connect|connection_lost)$/) },
    });
    ended = true;
    const from = seen.length;
    slow.lookNow();
    expect(await until(state('lost'), from)).toMatchObject({ error: { message: 'The engine has stopped.' } });
    node = await startRpcServer(running, port);
    slow.lookNow();
    await until(state('connected'), from);
    await slow.close();
  });
});

it.runIf(process.platform === 'linux')(
  'catches up with a node that was started anew between two looks',
  async () => {
    const slow = createConnection({
      onChange: () => undefined,
      profiles: { remember, used, loginOf: () => Promise.reject(new Error('not asked')) },
      discovery: { loginOf: () => Promise.reject(new Error('not asked')) },
      pauses: { refreshMs: 3_600_000 },
      client: { retryPausesMs: [] },
    });
    await slow.connect(byHand());
    const socket = () => slow.session().status.listener?.socket;
    const before = socket();
    expect(before).toBeDefined();
    await slow.catchUp();
    expect(socket()).toBe(before);
    const { port } = node.address;
    await node.close();
    node = await startRpcServer(atHeight(8), port);
    // The line to the old one may still be held.
    const ask = () => slow.session().client.call('getblockchaininfo');
    await ask().catch(ask);
    expect(socket()).toBe(before);
    await slow.catchUp();
    expect(slow.session().status).toMatchObject({ blocks: 8, listener: { socket: expect.any(String) } });
    expect(socket()).not.toBe(before);
    await slow.close();
  },
);

it('takes the wallets folder that the user names, of a data folder from before 0.16', async () => {
  const chain = await mkdtemp(join(tmpdir(), 'ferry-chain-'));
  onTestFinished(() => rm(chain, { recursive: true }));
  await mkdir(join(chain, 'old'));
  await writeFile(join(chain, 'old', 'wallet.dat'), 'x');
  await mkdir(join(chain, 'blocks'));
  // No “wallets” in it: the node keeps its wallets beside the blocks.
  const listed = async () => {
    const names = (await readdir(chain)).filter((name) => existsSync(join(chain, name, 'wallet.dat')));
    return { wallets: names.map((name) => ({ name })) };
  };
  node.answerWith(answering({ ...plainStatus, listwalletdir: listed }));
  expect(await app.connect(byHand())).toMatchObject({ node: { walletsFolder: null } });
  await expect(app.useWalletsFolder(join(chain, 'blocks'))).rejects.toMatchObject({
    code: 'not_available_here',
    message: expect.stringContaining('The node does not keep its wallets here'),
  });
  expect(await app.useWalletsFolder(chain)).toMatchObject({
    state: 'connected',
    node: { walletsFolder: chain },
  });
  expect(app.session().status.walletsFolder).toBe(chain);
  expect((await readdir(chain)).sort()).toEqual(['blocks', 'old']);
  expect(await readdir(join(chain, 'blocks'))).toEqual([]);
});

describe('going elsewhere', () => {
  it('follows only the newest of two wishes', async () => {
    node.answerWith(silent);
    const first = app.connect(byHand());
    const other = await startRpcServer(atHeight(7));
    const second = app.connect(byHand(other));
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(await second).toMatchObject({ node: { blocks: 7 } });
    expect(seen).toHaveLength(1);
    await app.close();
    await other.close();
  });

  it('lets go of a node that does not answer when it is told to', async () => {
    const arrived = new Promise<void>((resolve) => node.answerWith(() => resolve()));
    const connecting = app.connect(byHand());
    const outcome = expect(connecting).rejects.toMatchObject({ code: 'cancelled' });
    await arrived;
    await app.disconnect();
    await outcome;
  });

  it('lets work on the node before go on', async () => {
    const arrived = new Promise<() => void>((resolve) =>
      node.answerWith(
        answering({
          ...plainStatus,
          migratewallet: () => new Promise((answer) => resolve(() => answer({ ok: 1 }))),
        }),
      ),
    );
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
