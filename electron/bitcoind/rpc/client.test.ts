import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Behaviour, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, askForLogin, RpcFailure, reply } from '../../../e2e/testNode/scriptedNode.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { failing } from '../../files/testing/failing.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { listen } from '../../http/loopback.ts';
import { startTestClient, testClient } from '../testing/testClient.ts';
import { createNodeClient, type NodeClientOptions } from './client.ts';
import type { NodeClient } from './session.ts';

const password = 'correct horse';
const passphrase = 'battery staple';
let node: RpcServer;
let client: NodeClient;

function connect(options: Partial<NodeClientOptions> = {}): NodeClient {
  const credentials = { by: 'password', user: 'me', password } as const;
  client = testClient(node, { credentials, retryPausesMs: [1, 1], ...options });
  return client;
}

/** Answers the first calls with these in turn, and the others with the last. */
function inTurn(...behaviours: Behaviour[]): Behaviour {
  let next = 0;
  return (call, response) => {
    const behaviour = behaviours[Math.min(next, behaviours.length - 1)];
    next += 1;
    return behaviour?.(call, response);
  };
}

const works = answering({ listwallets: () => ['a'], restorewallet: () => ({ name: 'a' }) });
const cut: Behaviour = (_, response) => response.destroy();
const busy: Behaviour = (_, response) => response.writeHead(503).end('Work queue depth exceeded');
const silent: Behaviour = () => undefined;

const failure = (call: Promise<unknown>) =>
  call.then(failing(new Error('did not fail')), (thrown: unknown) => thrown as AppError);
const codeOf = async (call: Promise<unknown>) => (await failure(call)).code;

beforeEach(async () => {
  ({ node, client } = await startTestClient(works));
});

describe('a retry', () => {
  it.each([
    ['a lost connection', cut],
    ['a busy node', busy],
  ])('repeats a read-only call after %s', async (_, trouble) => {
    node.answerWith(inTurn(trouble, trouble, works));
    expect(await connect().call('listwallets')).toEqual(['a']);
    expect(node.calls).toHaveLength(3);
  });

  it('ends after three tries', async () => {
    node.answerWith(busy);
    expect(await codeOf(connect().call('listwallets'))).toBe('busy');
    expect(node.calls).toHaveLength(3);
  });

  it.each([
    'restorewallet',
    'migratewallet',
    'backupwallet',
    'loadwallet',
    'unloadwallet',
    'walletpassphrase',
    'somethingnew',
  ])('never sends %s twice', async (method) => {
    node.answerWith(cut);
    const lost = { code: 'connection_lost', hint: expect.stringContaining(method) };
    await expect(connect().call(method)).rejects.toMatchObject(lost);
    node.answerWith(busy);
    expect(await codeOf(client.call(method))).toBe('busy');
    expect(node.calls).toHaveLength(2);
  });

  it('does not mistake a busy proxy for a node that refused the call', async () => {
    node.answerWith((_, response) => response.writeHead(503).end('<html>Service Unavailable</html>'));
    connect();
    expect(await codeOf(client.call('migratewallet'))).toBe('not_a_node');
    expect(node.calls).toHaveLength(1);
    expect(await codeOf(client.call('listwallets'))).toBe('busy');
  });

  it('is not needed for a call that changes something: the call has its own connection', async () => {
    await client.call('listwallets');
    node.dropConnections();
    expect(await client.call('restorewallet', ['a', '/b'])).toEqual({ name: 'a' });
  });

  it('reaches a node that starts listening between two tries', async () => {
    const { port } = node.address;
    await node.close();
    connect({ retryPausesMs: [50, 1000] });
    const answer = client.call('listwallets');
    node = await startRpcServer(works, port);
    expect(await answer).toEqual(['a']);
  });
});

describe('a failed call', () => {
  it('names the address if nothing listens there', async () => {
    await node.close();
    const message = expect.stringContaining(`127.0.0.1:${node.address.port}`);
    const error = await failure(client.call('restorewallet', ['a', '/b']));
    expect(error).toMatchObject({ code: 'cannot_connect', message });
  });

  it.each([
    'HTTP/1.1 2',
    'HTTP/1.1 200 OK\r\ncontent-len',
    'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"result":',
  ])('has lost its connection if the answer breaks off after %j', async (part) => {
    node.answerWith((_, { socket }) => void socket?.write(part, () => setImmediate(() => socket.destroy())));
    expect(await codeOf(connect().call('restorewallet', []))).toBe('connection_lost');
  });

  it.each<[string, unknown, number?]>([
    ['an answer to another call', { jsonrpc: '2.0', result: [], id: 999 }],
    ['an error for another call', { result: null, error: { code: -8, message: 'x' }, id: 999 }],
    ['JSON that is no answer', ['hello']],
    ['an answer without a result', { jsonrpc: '2.0', id: 1 }],
    ['an error without a number', { error: { message: 'x' }, id: 1 }],
    ['a web page', '<p>Hi', 200],
    ['the page of a gateway', '<p>Bad Gateway', 502],
    ['half an answer', '{"jsonrpc":"2.0","id":1,"res', 200],
    ['nothing', '', 200],
  ])('reports that %s comes from no node', async (_, body, status) => {
    node.answerWith((_call, response) =>
      status ? response.writeHead(status).end(body) : reply(response, body),
    );
    expect(await codeOf(connect().call('listwallets'))).toBe('not_a_node');
  });

  it('reports that another protocol comes from no node', async () => {
    const other = createServer((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    const { port } = await listen(other);
    connect({ address: { host: '127.0.0.1', port, tls: false } });
    expect(await codeOf(client.call('listwallets'))).toBe('not_a_node');
    other.close();
  });

  it('reports that the node speaks no TLS', async () => {
    connect({ address: { ...node.address, tls: true } });
    const message = expect.stringContaining('TLS');
    await expect(client.call('listwallets')).rejects.toMatchObject({ code: 'cannot_connect', message });
    expect(node.calls).toHaveLength(0);
  });

  it.each(['localhost/x', 'me@localhost', 'http://localhost', 'local host', 'localhost?x', 'localhost#x'])(
    'refuses %s as a host',
    (host) => {
      const address = { ...node.address, host };
      expect(() => createNodeClient({ address, credentials: { by: 'none' } })).toThrow(AppError);
    },
  );
});

describe('a waiting call', () => {
  it('times out, and warns that the node may continue to change something', async () => {
    node.answerWith(silent);
    const call = connect().call('backupwallet', ['/b'], { timeoutMs: 30 });
    const hint = expect.stringContaining('backupwallet');
    await expect(call).rejects.toMatchObject({ code: 'timed_out', hint });
  });

  it('waits beyond every limit of the app and of undici if it may', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const arrived = new Promise<() => void>((resolve) =>
        node.answerWith((call, response) => resolve(() => works(call, response))),
      );
      const long = connect({ timeoutMs: 50 }).call('restorewallet', ['a', '/b'], { timeoutMs: null });
      const answer = await arrived;
      await vi.advanceTimersByTimeAsync(3_600_000);
      answer();
      expect(await long).toEqual({ name: 'a' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends when its caller cancels it', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    node.answerWith(() => controller.abort());
    const cancelled = { code: 'cancelled', hint: expect.stringContaining('continues') };
    await expect(connect().call('migratewallet', [], { signal })).rejects.toMatchObject(cancelled);
    expect(await codeOf(client.call('listwallets', [], { signal }))).toBe('cancelled');
    expect(node.calls).toHaveLength(1);
  });

  it('ends when the client closes, which then refuses further calls', async () => {
    const arrived = new Promise<void>((resolve) => node.answerWith(() => resolve()));
    const call = failure(connect().call('migratewallet', [], { timeoutMs: null }));
    await arrived;
    await client.close();
    expect((await call).code).toBe('connection_lost');
    expect(await codeOf(client.call('listwallets'))).toBe('not_connected');
  });
});

describe('the login', () => {
  let file: string;
  beforeEach(() => {
    file = join(makeTestFolder(), '.cookie');
  });
  const connectByCookie = () => connect({ credentials: { by: 'cookie', cookieFile: file } });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const accepting =
    (...cookies: string[]): Behaviour =>
    (call, response) =>
      cookies.some((cookie) => call.authorization === basic(cookie))
        ? works(call, response)
        : response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end();

  it('uses the new cookie of a restarted node', async () => {
    connectByCookie();
    await writeFile(file, '__cookie__:first');
    node.answerWith(accepting('__cookie__:first'));
    await client.call('listwallets');
    await writeFile(file, '__cookie__:second');
    node.answerWith(accepting('__cookie__:second'));
    expect(await client.call('restorewallet', ['a', '/b'])).toEqual({ name: 'a' });
    expect(node.calls).toHaveLength(2);
  });

  it('is looked up once for read-only calls that run at the same time, and anew for others', async () => {
    await writeFile(file, '__cookie__:first');
    node.answerWith(async (call, response) => {
      if (node.calls.length === 1) {
        await writeFile(file, '__cookie__:second');
        await client.call('listwallets');
        await client.call('restorewallet', ['a', '/b']);
      }
      works(call, response);
    });
    await connectByCookie().call('listwallets');
    const logins = node.calls.map(({ authorization }) => authorization);
    expect(logins).toEqual(['first', 'first', 'second'].map((one) => basic(`__cookie__:${one}`)));
  });

  it('is read again after a refusal, and the call sent again, even if it changes something', async () => {
    await writeFile(file, '__cookie__:stale');
    node.answerWith(async (call, response) => {
      if (node.calls.length === 1) await writeFile(file, '__cookie__:fresh');
      await accepting('__cookie__:fresh')(call, response);
    });
    connectByCookie();
    expect(await client.call('restorewallet', ['a', '/b'])).toEqual({ name: 'a' });
    expect(node.calls).toHaveLength(2);
  });

  it('is sent once if the node refuses it', async () => {
    await writeFile(file, '__cookie__:wrong');
    node.answerWith(accepting('__cookie__:right'));
    expect(await codeOf(connectByCookie().call('listwallets'))).toBe('credentials_refused');
    expect(node.calls).toHaveLength(1);
  });

  // SECURITY.md: A hostile RPC server
  it('is not sent without a cookie file, or if the file holds no cookie', async () => {
    connectByCookie();
    const missing = { code: 'credentials_missing', hint: expect.stringContaining('Start the node') };
    await expect(client.call('listwallets')).rejects.toMatchObject(missing);
    await writeFile(file, 'root:x:0:0:root\nme:x:1:1:me\n');
    const other = await failure(client.call('listwallets'));
    expect(other.code).toBe('credentials_missing');
    expect(JSON.stringify(errorShapeOf(other))).not.toContain('root:');
    expect(node.calls).toHaveLength(0);
  });

  it('is sent as UTF-8', async () => {
    connect({ credentials: { by: 'password', user: 'ü', password: 'pä:ss' } });
    node.answerWith(accepting('ü:pä:ss'));
    expect(await client.call('listwallets')).toEqual(['a']);
  });

  it('may lack the right for a method', async () => {
    node.answerWith((_, response) => response.writeHead(403).end());
    expect(await codeOf(connect().call('listwallets'))).toBe('forbidden');
  });
});

describe('the node’s answer', () => {
  it('contains the node’s own words while it starts', async () => {
    node.answerWith(answering({ listwallets: failing(new RpcFailure(-28, 'Verifying blocks…')) }));
    const error = { code: 'starting_up', node: { code: -28, message: 'Verifying blocks…' } };
    await expect(connect().call('listwallets')).rejects.toMatchObject(error);
    expect(node.calls).toHaveLength(1);
  });

  it('shows that the node has no wallet calls, or an older release', async () => {
    node.answerWith(answering({}));
    expect(await codeOf(connect().call('listwallets'))).toBe('no_wallet_support');
    for (const [method, words] of [
      ['restorewallet', 'release 23'],
      ['migratewallet', 'release 24'],
    ] as const) {
      const older = { code: 'unknown_method', message: expect.stringContaining(words) };
      await expect(client.call(method)).rejects.toMatchObject(older);
    }
  });

  it('shows that the node has no wallet paths', async () => {
    node.answerWith((_, response) => response.writeHead(404).end());
    const call = connect().call('getwalletinfo', [], { wallet: 'a' });
    expect(await codeOf(call)).toBe('no_wallet_support');
  });

  it.each([
    [-1, 'misc_error'],
    [-3, 'wrong_type'],
    [-4, 'wallet_error'],
    [-8, 'invalid_parameter'],
    [-13, 'wallet_unlock_needed'],
    [-14, 'wrong_passphrase'],
    [-15, 'wallet_wrong_encryption_state'],
    [-18, 'wallet_not_found'],
    [-19, 'wallet_not_specified'],
    [-35, 'wallet_already_loaded'],
    [-36, 'wallet_already_exists'],
    [-32600, 'invalid_request'],
    [-32602, 'invalid_request'],
    [-32700, 'invalid_request'],
    [-20, 'rpc_error'],
  ])('with error number %i means %s', async (number, code) => {
    const message = 'Wallet already being rescanned.';
    node.answerWith(answering({ migratewallet: failing(new RpcFailure(number, message)) }));
    const some = expect.stringMatching(/./);
    const error = { code, node: { code: number, message }, message: some, hint: some };
    await expect(connect().call('migratewallet')).rejects.toMatchObject(error);
  });

  it.each(['Error: There is not enough space.', 'filesystem error: No space left on device ["/w"]'])(
    'names a full disk where the node’s words do: %s',
    async (message) => {
      node.answerWith(answering({ migratewallet: failing(new RpcFailure(-4, message)) }));
      await expect(connect().call('migratewallet')).rejects.toMatchObject({
        code: 'wallet_error',
        message: 'Not enough space. The node did not migrate the wallet.',
        // The files are in the state that every failed migration leaves.
        hint: expect.stringContaining('Keep all backups.'),
      });
    },
  );

  it('suggests why a restore was refused', async () => {
    const refusing = (code: number) => answering({ restorewallet: failing(new RpcFailure(code, 'no')) });
    connect();
    node.answerWith(refusing(-18));
    expect((await failure(client.call('restorewallet'))).hint).toContain('legacy');
    node.answerWith(refusing(-8));
    expect((await failure(client.call('restorewallet'))).hint).toContain('on its machine');
    node.answerWith(refusing(-1));
    expect((await failure(client.call('restorewallet'))).message).toContain('could not load the wallet');
  });

  it('never puts a secret into an error', async () => {
    const refusing: Behaviour = (_, response) => askForLogin(response);
    node.answerWith(inTurn(cut, busy, refusing, (_, response) => reply(response, 'x', 500)));
    connect();
    for (let round = 0; round < 4; round += 1) {
      const error = await failure(client.call('migratewallet', { wallet_name: 'w', passphrase }));
      const text = JSON.stringify([errorShapeOf(error), error.stack, error.cause]);
      for (const secret of [passphrase, password, Buffer.from(`me:${password}`).toString('base64')])
        expect(text).not.toContain(secret);
    }
    expect(node.calls).toHaveLength(4);
  });
});

describe('a wallet’s name', () => {
  it.each([
    ['', '/wallet/'],
    ['.', '/wallet/.'],
    ['..', '/wallet/..'],
    ['a/b c?d#e%', '/wallet/a%2Fb%20c%3Fd%23e%25'],
    ['../x', '/wallet/..%2Fx'],
    ['💰', '/wallet/%F0%9F%92%B0'],
  ])('%j becomes the path %s', async (wallet, path) => {
    await connect().call('listwallets', [], { wallet });
    expect(node.calls[0]?.path).toBe(path);
  });

  it('must have no unpaired surrogate', async () => {
    expect(await codeOf(connect().call('listwallets', [], { wallet: '\ud83d' }))).toBe('name_invalid');
  });
});
