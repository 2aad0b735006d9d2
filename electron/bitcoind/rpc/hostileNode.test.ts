/** A hostile server on the node's port: its answers, and what it learns. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod/mini';
import type { Behaviour, RpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, plainStatus, reply } from '../../../e2e/testNode/scriptedNode.ts';
import type { AppError } from '../../../shared/model/errors.ts';
import { nodeStatus } from '../../../shared/model/node.ts';
import { wallet as walletShape } from '../../../shared/model/wallet.ts';
import { listen } from '../../http/loopback.ts';
import { readNodeStatus } from '../calls/status.ts';
import { walletInfo } from '../calls/walletInfo.ts';
import { listNodeWallets } from '../calls/wallets.ts';
import { startTestClient, testClient } from '../testing/testClient.ts';
import type { NodeClient, Session } from './session.ts';

let node: RpcServer;
let client: NodeClient;

beforeEach(async () => {
  ({ node, client } = await startTestClient(answering(plainStatus)));
});

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (thrown: AppError) => thrown.code,
  );

/** Answers every call with this JSON as the result. */
const json =
  (result: string): Behaviour =>
  ({ id }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);

/** Listens until the test ends. Returns its address. */
async function addressOf(server: Server) {
  const { port } = await listen(server);
  onTestFinished(() => void server.close());
  return { host: '127.0.0.1', port, tls: false };
}

/** Listens below HTTP. */
function listenRaw(onConnection: (socket: Socket) => void) {
  const server = createNetServer((socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    onConnection(socket);
  });
  return addressOf(server);
}

/** Answers a megabyte after the other, and never ends. */
const endless: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-length': '60000000000' });
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

describe('the size of an answer', () => {
  // SECURITY.md: A hostile RPC server
  it('is bounded in depth, without parsing what is nested deeper', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      node.answerWith(json(`${open.repeat(5_000_000)}1${close.repeat(5_000_000)}`));
      expect(await codeOf(client.call('listwallets'))).toBe('not_a_node');
    }
    node.answerWith(json(`${'['.repeat(65)}1${']'.repeat(65)}`));
    expect(await codeOf(client.call('listwallets'))).toBe('not_a_node');
  });

  // SECURITY.md: A hostile RPC server
  it('is bounded in the number of values', async () => {
    node.answerWith(json(`[${'[],'.repeat(3_000_000)}1]`));
    expect(await codeOf(client.call('listwallets'))).toBe('answer_too_large');
  });

  it('does not count brackets and commas in a text', async () => {
    const words = '[{,"\\'.repeat(1000);
    node.answerWith(({ id }, response) => reply(response, { jsonrpc: '2.0', id, result: words }));
    expect(await client.call('help')).toBe(words);
  });

  it.each([
    ['that ends', json(`"${'x'.repeat(2_000_000)}"`)],
    ['without end', endless],
  ])('is bounded in bytes: an answer %s', async (_, behaviour) => {
    node.answerWith(behaviour);
    const call = testClient(node, { maxAnswerBytes: 1_000_000 }).call('listwallets');
    const message = 'The answer to listwallets is too large.';
    await expect(call).rejects.toMatchObject({ code: 'answer_too_large', message });
  });

  // SECURITY.md: A hostile RPC server
  it('is that of the bytes on the network, because nothing is unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(100_000_000, ' '));
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip, gzip']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      node.answerWith((_, response) => response.writeHead(200, headers).end(packed));
      const bounded = testClient(node, { maxAnswerBytes: 1_000_000 });
      expect(await codeOf(bounded.call('listwallets'))).toBe('not_a_node');
    }
  });

  // SECURITY.md: A hostile RPC server
  it('is bounded by the time of the call, however slowly it arrives', async () => {
    const address = await listenRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const drip = setInterval(() => socket.write('1\r\n \r\n'), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const slow = testClient({ address }, { timeoutMs: 100 });
    expect(await codeOf(slow.call('listwallets'))).toBe('timed_out');
  });

  it.each([
    ['headers without end', 'HTTP/1.1 200 OK\r\n', () => `X-${Math.random()}: ${'y'.repeat(8000)}\r\n`],
    ['one header without end', 'HTTP/1.1 200 OK\r\nX: ', () => 'y'.repeat(8000)],
    [
      'trailers without end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n',
      () => `X: ${'y'.repeat(8000)}\r\n`,
    ],
  ])('is bounded in %s', async (_, start, more) => {
    let sent = 0;
    const address = await listenRaw((socket) => {
      socket.write(start);
      const pour = () => {
        while (!socket.destroyed && sent < 50_000_000) {
          const piece = more();
          sent += piece.length;
          if (!socket.write(piece)) return;
        }
      };
      socket.on('drain', pour);
      socket.once('data', pour);
    });
    const call = testClient({ address }, { timeoutMs: 60_000 }).call('listwallets');
    expect(await codeOf(call)).toBe('not_a_node');
    expect(sent).toBeLessThan(5_000_000);
  });
});

describe('names in JSON that mean something to JavaScript', () => {
  const poison =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}';

  // SECURITY.md: A hostile RPC server
  it('change nothing outside the answer', async () => {
    node.answerWith(json(poison));
    await client.call('getnetworkinfo');
    await codeOf(readNodeStatus(client, { local: true, label: '' }));
    const around = '"__proto__":{"error":null,"polluted":1},"constructor":1';
    node.answerWith(({ id }, response) => response.end(`{${around},"id":${id},"result":${poison}}`));
    await codeOf(client.call('getnetworkinfo'));
    const index = '{"synced":true,"best_block_height":1}';
    node.answerWith(json(`{"__proto__":${index},"constructor":${index}}`));
    await codeOf(readNodeStatus(client, { local: true, label: '' }));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).synced).toBeUndefined();
  });

  // SECURITY.md: A hostile RPC server
  it('are names of wallets like any other', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    node.answerWith(
      answering({
        ...plainStatus,
        listwalletdir: () => ({ wallets: names.map((name) => ({ name })) }),
        listwallets: () => names,
        getwalletinfo: ({ path }) => ({ walletname: path.slice('/wallet/'.length), txcount: 3 }),
      }),
    );
    const status = await readNodeStatus(client, { local: true, label: '' });
    const none = async () => {};
    const wallets = await listNodeWallets({ client, status }, none, none);
    expect(wallets.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(await walletInfo(client, '__proto__')).toMatchObject({ txcount: 3 });
  });

  it('are no networks', async () => {
    for (const chain of ['__proto__', 'constructor', 'toString']) {
      const getblockchaininfo = () => ({ chain, blocks: 1, headers: 1 });
      node.answerWith(answering({ ...plainStatus, getblockchaininfo }));
      expect(await codeOf(readNodeStatus(client, { local: true, label: '' }))).toBe('not_a_node');
    }
  });
});

describe('impossible values', () => {
  const numbers = ['1e308', '-1e308', '9007199254740993', '-1', '0.5', '1e400', '8.64e12', '4294967296'];
  const texts = ['""', `"${'x'.repeat(100_000)}"`, '"\\u0000"', '"\\ud800"', '"__proto__"'];
  const lists = ['[]', '[[]]', `[${'"w",'.repeat(500)}"w"]`, `["${'x'.repeat(50_000)}"]`];
  const values = [...numbers, ...texts, 'null', 'true', '{}', ...lists];

  /** Replaces each field of a valid answer in turn with each of these values. */
  function spoiled(sound: object): string[] {
    return Object.keys(sound).flatMap((field) =>
      values.map((value) => {
        const fields = Object.entries(sound).map(
          ([name, own]) => `${JSON.stringify(name)}:${name === field ? value : JSON.stringify(own)}`,
        );
        return `{${fields.join()}}`;
      }),
    );
  }

  async function serve(method: string, result: string): Promise<void> {
    const others: Behaviour = answering({ ...plainStatus, ...walletMethods });
    node.answerWith((call, response) =>
      call.method === method ? json(result)(call, response) : others(call, response),
    );
  }

  const info = {
    walletname: 'w',
    walletversion: 169900,
    format: 'sqlite',
    descriptors: true,
    private_keys_enabled: true,
    unlocked_until: 0,
    scanning: { duration: 1, progress: 0.5 },
    txcount: 1,
    birthtime: 1700000000,
    balance: 1,
    unconfirmed_balance: 1,
    immature_balance: 1,
  };
  const part = { trusted: 1, untrusted_pending: 1, immature: 1, used: 1 };
  const walletMethods = {
    listwalletdir: () => ({ wallets: [{ name: 'w', warnings: [] }] }),
    listwallets: () => ['w'],
    getwalletinfo: () => info,
    getbalances: () => ({ mine: part, watchonly: part }),
  };
  const chain = {
    chain: 'regtest',
    blocks: 1,
    headers: 1,
    verificationprogress: 1,
    initialblockdownload: false,
    pruned: true,
    pruneheight: 1,
  };

  // SECURITY.md: A hostile RPC server
  it('of the node never reach the page, which could not decode them', async () => {
    for (const [method, sound] of [
      ['getnetworkinfo', { version: 280100, subversion: '/Satoshi:28.1.0/', warnings: [] }],
      ['getblockchaininfo', chain],
      ['getrpcinfo', { active_commands: [], logpath: '' }],
      ['getindexinfo', { 'basic block filter index': { synced: true, best_block_height: 1 } }],
      ['listwalletdir', { wallets: [] }],
    ] as const) {
      for (const result of spoiled(sound)) {
        await serve(method, result);
        const status = await readNodeStatus(client, { local: true, label: '' }).catch(
          (thrown: AppError) => thrown.code,
        );
        if (typeof status === 'string') expect(status).toBe('not_a_node');
        else expect(() => z.encode(nodeStatus, status)).not.toThrow();
      }
    }
  });

  it('of a wallet become a problem of this wallet', async () => {
    const status = await readNodeStatus(client, { local: true, label: '' });
    const list = async () => {
      const session: Session = { client, status };
      return new Promise<unknown>((resolve, reject) => {
        listNodeWallets(session, resolve, async () => {}).then((wallets) => {
          for (const wallet of wallets) z.encode(walletShape, wallet);
          if (wallets.every(({ pending }) => !pending)) resolve(null);
        }, reject);
      });
    };
    for (const [method, results] of [
      ['getwalletinfo', spoiled(info)],
      ['getbalances', spoiled(part).map((mine) => `{"mine":${mine}}`)],
    ] as const) {
      for (const result of results) {
        await serve(method, result);
        const wallet = z.encode(walletShape, (await list()) as never);
        expect(() => z.encode(walletShape, walletShape.parse(wallet))).not.toThrow();
      }
    }
  });
});

// SECURITY.md: A hostile RPC server
it('gets only the headers of a call, and can neither set a cookie nor redirect it', async () => {
  const headersOfRequests: IncomingMessage['headers'][] = [];
  let elsewhere = 0;
  const other = createServer((_request: IncomingMessage, response: ServerResponse) => {
    elsewhere += 1;
    response.end();
  });
  const { port: otherPort } = await addressOf(other);
  const server = createServer((request, response) => {
    headersOfRequests.push(request.headers);
    response.writeHead(307, {
      location: `http://127.0.0.1:${otherPort}/`,
      'set-cookie': 'follow=me; Path=/',
      'alt-svc': `h2="127.0.0.1:${otherPort}"`,
      link: `<http://127.0.0.1:${otherPort}/x>; rel=preload`,
      refresh: `0; url=http://127.0.0.1:${otherPort}/`,
    });
    response.end();
  });
  const redirected = testClient({ address: await addressOf(server) });
  expect(await codeOf(redirected.call('listwallets'))).toBe('not_a_node');
  expect(await codeOf(redirected.call('listwallets'))).toBe('not_a_node');
  const names = ['authorization', 'connection', 'content-length', 'content-type', 'host'];
  for (const headers of headersOfRequests) expect(Object.keys(headers).sort()).toEqual(names);
  expect(headersOfRequests).toHaveLength(2);
  expect(elsewhere).toBe(0);
});
