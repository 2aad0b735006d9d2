/** The line of a test node: HTTP on a port of its own. What a node answers is its behaviour, told or recorded. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { NodeAddress } from '../../shared/model/node.ts';
import { parseJson } from '../../shared/model/parseJson.ts';

/** One call as it arrived. A body that is none has no method. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly jsonrpc: string | undefined;
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

export type Behaviour = (asked: Asked, response: ServerResponse) => unknown;

export interface NodeLine {
  readonly address: NodeAddress;
  /** Every call so far, in order. */
  readonly asked: Asked[];
  /** What it does from now on. */
  become(behaviour: Behaviour): void;
  /** Stops, and frees the port. */
  close(): Promise<void>;
  /** After `close`: listens again on the same port. */
  listen(): Promise<void>;
  /** Cuts every connection, and goes on listening. */
  cutLines(): void;
}

export async function openLine(behaviour: Behaviour, port = 0, host = '127.0.0.1'): Promise<NodeLine> {
  let current = behaviour;
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    // What a node that was stopped or cut off still had to say goes nowhere.
    response.on('error', () => {});
    // One that was cut off on its way did not arrive.
    const call = await read(request).catch(() => null);
    if (call === null) return;
    asked.push(call);
    await current(call, response);
  });
  // A migration takes as long as it takes.
  server.requestTimeout = 0;
  const listen = (on: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(on, host, () => {
        server.off('error', reject);
        const bound = server.address();
        if (bound === null || typeof bound === 'string') throw new Error('The test node has no port.');
        resolve(bound.port);
      });
    });
  const address = { host, port: await listen(port), tls: false };
  return {
    address,
    asked,
    become: (next) => {
      current = next;
    },
    cutLines: () => server.closeAllConnections(),
    async close() {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
    async listen() {
      await listen(address.port);
    },
  };
}

const callShape = z.object({
  jsonrpc: z.string().optional(),
  id: z.unknown(),
  method: z.string(),
  params: z.unknown(),
});

async function read(request: IncomingMessage): Promise<Asked> {
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
