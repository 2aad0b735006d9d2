import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Behaviour, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, askForLogin, RpcFailure, reply } from '../../../e2e/testNode/scriptedNode.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
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
  call.then(
    () => {
      throw new Error('did not fail');
    },
    (thrown: unknown) => thrown as AppError,
  );

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
    expect((await failure(connect().call('listwallets'))).code).toBe('busy');
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
    const error = await failure(connect().call(method));
    expect(error.code).toBe('connection_lost');
    expect(error.hint).toContain(method);
    node.answerWith(busy);
    expect((await failure(client.call(method))).code).toBe('busy');
    expect(node.calls).toHaveLength(2);
  });

  it('does not mistake a busy proxy for a node that refused the call', async () => {
    node.answerWith((_, response) => response.writeHead(503).end('<html>Service Unavailable</html>'));
    connect();
    expect((await failure(client.call('migratewallet'))).code).toBe('not_a_node');
    expect(node.calls).toHaveLength(1);
    expect((await failure(client.call('listwallets'))).code).toBe('busy');
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
    const error = await failure(client.call('restorewallet', ['a', '/b']));
    expect(error.code).toBe('cannot_connect');
    expect(error.message).toContain(`127.0.0.1:${node.address.port}`);
  });

  it('has lost its connection if the answer breaks off', async () => {
    node.answerWith((_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"jsonrpc":"2.0","result":');
      setImmediate(() => response.destroy());
    });
    expect((await failure(connect().call('restorewallet', []))).code).toBe('connection_lost');
  });

  it.each([
    ['an answer to another call', { jsonrpc: '2.0', result: [], id: 999 }],
    ['an error for another call', { result: null, error: { code: -8, message: 'x' }, id: 999 }],
    ['JSON that is no answer', ['hello']],
    ['an answer without a result', { jsonrpc: '2.0', id: 1 }],
    ['an error without a number', { error: { message: 'x' }, id: 1 }],
  ])('reports that %s comes from no node', async (_, body) => {
    node.answerWith((_call, response) => reply(response, body));
    expect((await failure(connect().call('listwallets'))).code).toBe('not_a_node');
  });

  it('reports that a web page comes from no node', async () => {
    node.answerWith((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi'));
    expect((await failure(connect().call('listwallets'))).code).toBe('not_a_node');
  });

  it('reports that another protocol comes from no node', async () => {
    const other = createServer((socket) => socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n')));
    const { port } = await listen(other);
    connect({ address: { host: '127.0.0.1', port, tls: false } });
    expect((await failure(client.call('listwallets'))).code).toBe('not_a_node');
    other.close();
  });

  it('reports that the node speaks no TLS', async () => {
    connect({ address: { ...node.address, tls: true } });
    const error = await failure(client.call('listwallets'));
    expect(error.code).toBe('cannot_connect');
    expect(error.message).toContain('TLS');
    expect(node.calls).toHaveLength(0);
  });

  it.each(['localhost/x', 'me@localhost', 'http://localhost', 'local host', 'localhost?x', 'localhost#x'])(
    'refuses %s as a host',
    (host) => {
      expect(() =>
        createNodeClient({ address: { ...node.address, host }, credentials: { by: 'none' } }),
      ).toThrow(AppError);
    },
  );
});

describe('a waiting call', () => {
  it('times out, and warns that the node may continue to change something', async () => {
    node.answerWith(silent);
    const error = await failure(connect().call('backupwallet', ['/b'], { timeoutMs: 30 }));
    expect(error.code).toBe('timed_out');
    expect(error.hint).toContain('backupwallet');
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
    node.answerWith(() => controller.abort());
    const error = await failure(connect().call('migratewallet', [], { signal: controller.signal }));
    expect(error.code).toBe('cancelled');
    expect(error.hint).toContain('continues');
    expect((await failure(client.call('listwallets', [], { signal: controller.signal }))).code).toBe(
      'cancelled',
    );
    expect(node.calls).toHaveLength(1);
  });

  it('ends when the client closes, which then refuses further calls', async () => {
    const arrived = new Promise<void>((resolve) => node.answerWith(() => resolve()));
    const call = failure(connect().call('migratewallet', [], { timeoutMs: null }));
    await arrived;
    await client.close();
    expect((await call).code).toBe('connection_lost');
    expect((await failure(client.call('listwallets'))).code).toBe('not_connected');
  });
});

describe('the login', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
  });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const accepting =
    (...cookies: string[]): Behaviour =>
    (call, response) =>
      cookies.some((cookie) => call.authorization === basic(cookie))
        ? works(call, response)
        : response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end();

  it('uses the new cookie of a restarted node', async () => {
    const file = join(folder, '.cookie');
    connect({ credentials: { by: 'cookie', cookieFile: file } });
    await writeFile(file, '__cookie__:first');
    node.answerWith(accepting('__cookie__:first'));
    await client.call('listwallets');
    await writeFile(file, '__cookie__:second');
    node.answerWith(accepting('__cookie__:second'));
    expect(await client.call('restorewallet', ['a', '/b'])).toEqual({ name: 'a' });
    expect(node.calls).toHaveLength(2);
  });

  it('is read again after a refusal, and the call sent again, even if it changes something', async () => {
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:stale');
    node.answerWith(async (call, response) => {
      if (node.calls.length === 1) await writeFile(file, '__cookie__:fresh');
      await accepting('__cookie__:fresh')(call, response);
    });
    connect({ credentials: { by: 'cookie', cookieFile: file } });
    expect(await client.call('restorewallet', ['a', '/b'])).toEqual({ name: 'a' });
    expect(node.calls).toHaveLength(2);
  });

  it('is sent once if the node refuses it', async () => {
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:wrong');
    node.answerWith(accepting('__cookie__:right'));
    const error = await failure(
      connect({ credentials: { by: 'cookie', cookieFile: file } }).call('listwallets'),
    );
    expect(error.code).toBe('credentials_refused');
    expect(node.calls).toHaveLength(1);
  });

  // SECURITY.md: A hostile RPC server
  it('is not sent without a cookie file, or if the file holds no cookie', async () => {
    const file = join(folder, '.cookie');
    connect({ credentials: { by: 'cookie', cookieFile: file } });
    const missing = await failure(client.call('listwallets'));
    expect(missing).toMatchObject({
      code: 'credentials_missing',
      hint: expect.stringContaining('Start the node'),
    });
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
    expect((await failure(connect().call('listwallets'))).code).toBe('forbidden');
  });
});

describe('the node’s answer', () => {
  it('contains the node’s own words while it starts', async () => {
    node.answerWith(
      answering({
        listwallets: () => {
          throw new RpcFailure(-28, 'Verifying blocks…');
        },
      }),
    );
    const error = await failure(connect().call('listwallets'));
    expect(error.code).toBe('starting_up');
    expect(error.node).toEqual({ code: -28, message: 'Verifying blocks…' });
    expect(node.calls).toHaveLength(1);
  });

  it('shows that the node has no wallet calls, or an older release', async () => {
    node.answerWith(answering({}));
    expect((await failure(connect().call('listwallets'))).code).toBe('no_wallet_support');
    expect(await failure(client.call('restorewallet'))).toMatchObject({
      code: 'unknown_method',
      message: expect.stringContaining('release 23'),
    });
    expect(await failure(client.call('migratewallet'))).toMatchObject({
      code: 'unknown_method',
      message: expect.stringContaining('release 24'),
    });
  });

  it('shows that the node has no wallet paths', async () => {
    node.answerWith((_, response) => response.writeHead(404).end());
    expect((await failure(connect().call('getwalletinfo', [], { wallet: 'a' }))).code).toBe(
      'no_wallet_support',
    );
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
    node.answerWith(
      answering({
        migratewallet: () => {
          throw new RpcFailure(number, 'Wallet already being rescanned.');
        },
      }),
    );
    const error = await failure(connect().call('migratewallet'));
    expect(error.code).toBe(code);
    expect(error.node).toEqual({ code: number, message: 'Wallet already being rescanned.' });
    expect(error.message).not.toBe('');
    expect(error.hint).not.toBe('');
  });

  it('suggests why a restore was refused', async () => {
    const refusing = (code: number) =>
      answering({
        restorewallet: () => {
          throw new RpcFailure(code, 'no');
        },
      });
    connect();
    node.answerWith(refusing(-18));
    expect((await failure(client.call('restorewallet'))).hint).toContain('legacy');
    node.answerWith(refusing(-8));
    expect((await failure(client.call('restorewallet'))).hint).toContain('on its machine');
  });

  it('never puts a secret into an error', async () => {
    node.answerWith(
      inTurn(
        cut,
        busy,
        (_, response) => askForLogin(response),
        (_, response) => reply(response, 'x', 500),
      ),
    );
    connect();
    for (let round = 0; round < 4; round += 1) {
      const error = await failure(client.call('migratewallet', { wallet_name: 'w', passphrase }));
      const shown = JSON.stringify([errorShapeOf(error), error.stack, error.cause]);
      for (const secret of [passphrase, password, Buffer.from(`me:${password}`).toString('base64')])
        expect(shown).not.toContain(secret);
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
    expect((await failure(connect().call('listwallets', [], { wallet: '\ud83d' }))).code).toBe(
      'name_invalid',
    );
  });
});
