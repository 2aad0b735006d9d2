/** For tests: a node made of a function, over real HTTP on a port of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod';
import type { NodeAddress } from '../../../shared/node.ts';

/** One call as it arrived. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly jsonrpc: string;
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

export interface FakeNode {
  readonly address: NodeAddress;
  /** Every call so far, in order. */
  readonly asked: Asked[];
  /** What it does from now on. */
  become(behaviour: Behaviour): void;
  /** Stops, and frees the port. */
  close(): Promise<void>;
  /** Cuts every line, and goes on listening. */
  cutLines(): void;
}

export type Behaviour = (asked: Asked, response: ServerResponse) => unknown;

/** What `methods` throw to be answered as an RPC error. */
export class RpcFailure extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type Methods = Readonly<Record<string, (asked: Asked) => unknown>>;

/** Answers calls as release 28 and later do. A method that is not there is unknown. */
export function answering(methods: Methods): Behaviour {
  return async (asked, response) => {
    try {
      const method = methods[asked.method];
      if (method === undefined) throw new RpcFailure(-32601, 'Method not found');
      reply(response, { jsonrpc: '2.0', result: await method(asked), id: asked.id });
    } catch (thrown) {
      if (!(thrown instanceof RpcFailure)) throw thrown;
      const error = { code: thrown.code, message: thrown.message };
      reply(response, { jsonrpc: '2.0', error, id: asked.id });
    }
  };
}

export function reply(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}

/** As a node answers who has no login, or another. */
export function askForLogin(response: ServerResponse): void {
  response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end();
}

/** What a node of release 28.1 on regtest says of itself. */
export const plainStatus: Methods = {
  getnetworkinfo: () => ({ version: 280100, subversion: '/Satoshi:28.1.0/', warnings: [] }),
  getblockchaininfo: () => ({
    chain: 'regtest',
    blocks: 110,
    headers: 111,
    verificationprogress: 1,
    initialblockdownload: false,
    pruned: false,
    warnings: [],
  }),
  getrpcinfo: () => ({ active_commands: [{ method: 'getrpcinfo', duration: 20 }], logpath: '' }),
  getindexinfo: () => ({}),
  listwalletdir: () => ({ wallets: [] }),
  listwallets: () => [],
  uptime: () => 3600,
};

export async function startFakeNode(behaviour: Behaviour, port = 0): Promise<FakeNode> {
  let current = behaviour;
  const asked: Asked[] = [];
  const lines = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const call = await read(request);
    asked.push(call);
    await current(call, response);
  });
  server.on('connection', (line) => {
    lines.add(line);
    line.on('close', () => lines.delete(line));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  const cutLines = () => {
    for (const line of lines) line.destroy();
  };
  return {
    address: { host: '127.0.0.1', port: bound.port, tls: false },
    asked,
    become: (next) => {
      current = next;
    },
    cutLines,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutLines();
      }),
  };
}

const callShape = z.object({
  jsonrpc: z.string(),
  id: z.number(),
  method: z.string(),
  params: z.unknown(),
});

async function read(request: IncomingMessage): Promise<Asked> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return {
    ...callShape.parse(JSON.parse(Buffer.concat(pieces).toString('utf8'))),
    path: request.url ?? '',
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
  };
}
