/** A server on the node's port that means harm: what it answers, and what it learns. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createLineServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Behaviour, type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, plainStatus, reply } from '../../../e2e/testNode/scriptedNode.ts';
import type { AppError } from '../../../shared/model/errors.ts';
import { nodeStatus } from '../../../shared/model/node.ts';
import { wallet as walletShape } from '../../../shared/model/wallet.ts';
import { readNodeStatus } from '../calls/status.ts';
import { walletInfo } from '../calls/walletCalls.ts';
import { listNodeWallets } from '../calls/wallets.ts';
import { createNodeClient, type NodeClientOptions } from './client.ts';
import type { NodeClient, Session } from './session.ts';

let node: RpcServer;
let client: NodeClient;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  node = await startRpcServer(answering(plainStatus));
  ends.push(() => node.close());
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function connect(options: Partial<NodeClientOptions> = {}): NodeClient {
  client = createNodeClient({
    address: node.address,
    credentials: { by: 'password', user: 'me', password: 'secret' },
    retryPausesMs: [],
    ...options,
  });
  ends.push(() => client.close());
  return client;
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (thrown: AppError) => thrown.code,
  );

/** Answers every call with this text after the start of an answer. */
const text =
  (result: string): Behaviour =>
  ({ id }, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);

/** A server that speaks for itself, below HTTP. */
async function lineServer(onLine: (line: Socket) => void): Promise<{ port: number; lines: Socket[] }> {
  const lines: Socket[] = [];
  const server = createLineServer((line) => {
    lines.push(line);
    line.on('error', () => {});
    onLine(line);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const line of lines) line.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, lines };
}

describe('the size of an answer', () => {
  // SECURITY.md: A hostile server on the RPC port
  it('is bounded in depth: what is nested deeper than any answer is not taken apart', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      node.answerWith(text(`${open.repeat(5_000_000)}1${close.repeat(5_000_000)}`));
      expect(await codeOf(connect().call('listwallets'))).toBe('not_a_node');
    }
    node.answerWith(text(`${'['.repeat(65)}1${']'.repeat(65)}`));
    expect(await codeOf(client.call('listwallets'))).toBe('not_a_node');
  });

  // SECURITY.md: A hostile server on the RPC port
  it('is bounded in how many values it has', async () => {
    node.answerWith(text(`[${'[],'.repeat(3_000_000)}1]`));
    expect(await codeOf(connect().call('listwallets'))).toBe('answer_too_large');
  });

  it('counts what stands in a text for nothing but text', async () => {
    const words = '[{,"\\'.repeat(1000);
    node.answerWith((asked, response) => reply(response, { jsonrpc: '2.0', id: asked.id, result: words }));
    expect(await connect().call('help')).toBe(words);
  });

  it('is bounded in bytes, with and without a length told before', async () => {
    const large = { maxAnswerBytes: 1_000_000 };
    node.answerWith(text(`"${'x'.repeat(2_000_000)}"`));
    expect(await codeOf(connect(large).call('listwallets'))).toBe('answer_too_large');
    node.answerWith((_, response) => {
      response.writeHead(200, { 'content-length': '60000000000' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await codeOf(connect(large).call('listwallets'))).toBe('answer_too_large');
  });

  // SECURITY.md: A hostile server on the RPC port
  it('is that of the bytes sent: nothing is unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(100_000_000, ' '));
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip, gzip']) {
      node.answerWith((_, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
          .end(packed),
      );
      expect(await codeOf(connect({ maxAnswerBytes: 1_000_000 }).call('listwallets'))).toBe('not_a_node');
    }
  });

  // SECURITY.md: A hostile server on the RPC port
  it('ends with the time of the call, however slowly it drips', async () => {
    const { port } = await lineServer((line) => {
      line.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const drip = setInterval(() => line.write('1\r\n \r\n'), 5);
      line.on('close', () => clearInterval(drip));
    });
    const address = { host: '127.0.0.1', port, tls: false };
    expect(await codeOf(connect({ address, timeoutMs: 100 }).call('listwallets'))).toBe('timed_out');
  });

  it.each([
    ['headers without end', 'HTTP/1.1 200 OK\r\n', () => `X-${Math.random()}: ${'y'.repeat(8000)}\r\n`],
    ['one header without end', 'HTTP/1.1 200 OK\r\nX: ', () => 'y'.repeat(8000)],
    [
      'trailers without end',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n',
      () => `X: ${'y'.repeat(8000)}\r\n`,
    ],
  ])('ends at %s', async (_, start, more) => {
    let sent = 0;
    const { port } = await lineServer((line) => {
      line.write(start);
      const pour = () => {
        while (!line.destroyed && sent < 50_000_000) {
          const piece = more();
          sent += piece.length;
          if (!line.write(piece)) return;
        }
      };
      line.on('drain', pour);
      line.once('data', pour);
    });
    const address = { host: '127.0.0.1', port, tls: false };
    const code = await codeOf(connect({ address, timeoutMs: 5000 }).call('listwallets'));
    expect(code).toBe('not_a_node');
    expect(sent).toBeLessThan(5_000_000);
  });
});

describe('words in JSON that mean something to JavaScript', () => {
  const poison =
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}';

  // SECURITY.md: A hostile server on the RPC port
  it('change nothing outside of the answer', async () => {
    node.answerWith(text(poison));
    await connect().call('getnetworkinfo');
    await codeOf(readNodeStatus(client, { local: true, label: '' }));
    node.answerWith(({ id }, response) =>
      response
        .writeHead(200)
        .end(`{"__proto__":{"error":null,"polluted":1},"constructor":1,"id":${id},"result":${poison}}`),
    );
    await codeOf(client.call('getnetworkinfo'));
    node.answerWith(
      text(
        `{"__proto__":{"synced":true,"best_block_height":1},"constructor":{"synced":true,"best_block_height":1}}`,
      ),
    );
    await codeOf(readNodeStatus(client, { local: true, label: '' }));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).synced).toBeUndefined();
  });

  // SECURITY.md: A hostile server on the RPC port
  it('are names of wallets like others', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    node.answerWith(
      answering({
        ...plainStatus,
        listwalletdir: () => ({ wallets: names.map((name) => ({ name })) }),
        listwallets: () => names,
        getwalletinfo: ({ path }) => ({
          walletname: decodeURIComponent(path.slice('/wallet/'.length)),
          txcount: 3,
          descriptors: true,
        }),
      }),
    );
    const status = await readNodeStatus(connect(), { local: true, label: '' });
    const wallets = await listNodeWallets(
      { client, status },
      () => {},
      async () => {},
    );
    expect(wallets.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(await walletInfo(client, '__proto__')).toMatchObject({ txcount: 3 });
  });

  it('are no networks', async () => {
    for (const chain of ['__proto__', 'constructor', 'toString']) {
      node.answerWith(
        answering({ ...plainStatus, getblockchaininfo: () => ({ chain, blocks: 1, headers: 1 }) }),
      );
      expect(await codeOf(readNodeStatus(connect(), { local: true, label: '' }))).toBe('not_a_node');
    }
  });
});

describe('values beyond all that is', () => {
  const numbers = ['1e308', '-1e308', '9007199254740993', '-1', '0.5', '1e400', '8.64e12', '4294967296'];
  const texts = ['""', `"${'x'.repeat(100_000)}"`, '"\\u0000"', '"\\ud800"', '"__proto__"'];
  const others = [
    'null',
    'true',
    '{}',
    '[]',
    '[[]]',
    `[${'"w",'.repeat(500)}"w"]`,
    `["${'x'.repeat(50_000)}"]`,
  ];
  const values = [...numbers, ...texts, ...others];

  /** Every field of a sound answer in turn is replaced by every value. */
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
    node.answerWith((asked, response) =>
      asked.method === method ? text(result)(asked, response) : others(asked, response),
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

  // SECURITY.md: A hostile server on the RPC port
  it('of the node never go on to the page, which would stumble over them', async () => {
    connect();
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

  it('of a wallet are told as a problem of this wallet', async () => {
    const status = await readNodeStatus(connect(), { local: true, label: '' });
    const list = async () => {
      const session: Session = { client, status };
      return new Promise<unknown>((resolve, reject) => {
        listNodeWallets(session, resolve, async () => {}).then((wallets) => {
          for (const wallet of wallets) z.encode(walletShape, wallet);
          if (wallets.every(({ pending }) => !pending)) resolve(null);
        }, reject);
      });
    };
    const latest = 253_402_300_800;
    for (const [method, results] of [
      ['getwalletinfo', spoiled(info)],
      ['getbalances', spoiled(part).map((mine) => `{"mine":${mine}}`)],
    ] as const) {
      for (const result of results) {
        await serve(method, result);
        const wallet = await list();
        expect(() =>
          z.encode(walletShape, walletShape.parse(z.encode(walletShape, wallet as never))),
        ).not.toThrow();
        // A date beyond this cannot be written.
        expect((wallet as { birthTime: number | null }).birthTime ?? 0).toBeLessThan(latest);
      }
    }
  });
});

describe('who learns what', () => {
  // SECURITY.md: A hostile server on the RPC port
  it('sends no header but those of the call, keeps no cookie and follows no other host', async () => {
    const seen: IncomingMessage['headers'][] = [];
    let elsewhere = 0;
    const other = createServer((_request: IncomingMessage, response: ServerResponse) => {
      elsewhere += 1;
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    ends.push(() => other.close());
    const { port: otherPort } = other.address() as { port: number };
    const server = createServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(307, {
        location: `http://127.0.0.1:${otherPort}/`,
        'set-cookie': 'follow=me; Path=/',
        'alt-svc': `h2="127.0.0.1:${otherPort}"`,
        link: `<http://127.0.0.1:${otherPort}/x>; rel=preload`,
        refresh: `0; url=http://127.0.0.1:${otherPort}/`,
      });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close());
    const { port } = server.address() as { port: number };
    connect({ address: { host: '127.0.0.1', port, tls: false } });
    expect(await codeOf(client.call('listwallets'))).toBe('not_a_node');
    expect(await codeOf(client.call('listwallets'))).toBe('not_a_node');
    for (const headers of seen) {
      expect(Object.keys(headers).sort()).toEqual([
        'authorization',
        'connection',
        'content-length',
        'content-type',
        'host',
      ]);
    }
    expect(seen).toHaveLength(2);
    expect(elsewhere).toBe(0);
  });

  it('gives no one a cookie who asks for it on another address than the one it was found for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ferry-hostile-'));
    ends.push(() => rm(folder, { recursive: true }));
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:0123');
    node.answerWith((_, response) => response.writeHead(401, { 'www-authenticate': 'Negotiate' }).end());
    connect({ credentials: { by: 'cookie', cookieFile: file } });
    expect(await codeOf(client.call('listwallets'))).toBe('credentials_refused');
    expect(node.calls.map(({ authorization }) => authorization)).toEqual([
      `Basic ${Buffer.from('__cookie__:0123').toString('base64')}`,
    ]);
  });
});
