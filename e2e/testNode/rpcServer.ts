/** The HTTP server of a test node. A `Behaviour` answers its calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod/mini';
import { listen } from '../../electron/http/loopback.ts';
import type { NodeAddress } from '../../shared/model/node.ts';
import { parseJson } from '../../shared/model/shapes.ts';

/** One call that the server received. `method` is empty if the body is not a call. */
export interface ReceivedCall {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly jsonrpc: string | undefined;
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

export type Behaviour = (call: ReceivedCall, response: ServerResponse) => unknown;

export interface RpcServer {
  readonly address: NodeAddress;
  /** Every received call, in order. */
  readonly calls: ReceivedCall[];
  /** Answers later calls with another behaviour. */
  answerWith(behaviour: Behaviour): void;
  /** Stops the server and frees the port. */
  close(): Promise<void>;
  /** Listens on the same port again, after `close`. */
  listen(): Promise<void>;
  /** Closes every connection, and keeps listening. */
  dropConnections(): void;
}

export async function startRpcServer(behaviour: Behaviour, port = 0, host = '127.0.0.1'): Promise<RpcServer> {
  let current = behaviour;
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    // The client may disconnect before the answer.
    response.on('error', () => {});
    // Skip a call that was cut off before it arrived.
    const call = await read(request).catch(() => null);
    if (call === null) return;
    calls.push(call);
    await current(call, response);
  });
  // A migration has no time limit.
  server.requestTimeout = 0;
  // As nodes do by default (`-rpcservertimeout`).
  server.keepAliveTimeout = 30_000;
  const bound = await listen(server, port, host);
  const address = { host, port: bound.port, tls: false };
  return {
    address,
    calls,
    answerWith: (next) => {
      current = next;
    },
    dropConnections: () => server.closeAllConnections(),
    async close() {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
    async listen() {
      await listen(server, address.port, host);
    },
  };
}

const callShape = z.object({
  jsonrpc: z.optional(z.string()),
  id: z.unknown(),
  method: z.string(),
  params: z.unknown(),
});

async function read(request: IncomingMessage): Promise<ReceivedCall> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const call = callShape.safeParse(parseJson(Buffer.concat(pieces).toString('utf8')));
  const { jsonrpc, id, method, params } = call.success
    ? call.data
    : { jsonrpc: undefined, id: null, method: '', params: [] };
  return {
    path: request.url ?? '/',
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    jsonrpc,
    id,
    method,
    params,
  };
}
