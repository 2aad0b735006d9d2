/** The test node as it was recorded: who gets in, in which dialect the answer goes out, and what is in the way. */
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { answer, type Params } from './methods.ts';
import type { NodeState } from './nodeState.ts';
import type { Exchange, Reply } from './recording.ts';
import type { Behaviour, ReceivedCall } from './rpcServer.ts';

export interface RpcCall {
  method: string;
  params: Params;
  /** Name of the wallet in the path; null for the root path. */
  wallet: string | null;
}

export interface Obstacles {
  /** So many further requests meet a full work queue. */
  busy: number;
  /** What the node is doing while it starts; null once it has started. */
  starting: string | null;
}

export interface RecordedOptions {
  state: NodeState;
  obstacles: Obstacles;
  /** `user:password` of everyone who may call. */
  logins(): string[];
  onCall(call: RpcCall): void;
  /** A method that was not recorded: answered as unknown, and a hole in the tests. */
  onUnrecorded(method: string): void;
}

export function asRecorded(options: RecordedOptions): Behaviour {
  const { state } = options;
  return (asked, response) =>
    handle(asked, response, options).catch((thrown: unknown) => {
      state.log.write(`test node failed: ${String(thrown)}`);
      if (!response.headersSent) response.writeHead(500).end(String(thrown));
    });
}

/** The node waits this long before it refuses a wrong password. */
const WRONG_PASSWORD_MS = 250;

async function handle(
  { path, authorization: given, jsonrpc, id, method, params: sent }: ReceivedCall,
  response: ServerResponse,
  { state, obstacles, logins, onCall, onUnrecorded }: RecordedOptions,
): Promise<void> {
  const { recording, log, life } = state;
  if (given === undefined) {
    sendRecorded(response, recording.exchange('auth-none'));
    return;
  }
  if (!logins().some((login) => given === `Basic ${Buffer.from(login).toString('base64')}`)) {
    const refusal = recording.exchange('auth-wrong');
    for (const line of refusal.log) log.write(line);
    await life.wait(WRONG_PASSWORD_MS);
    sendRecorded(response, refusal);
    return;
  }
  if (obstacles.busy > 0) {
    obstacles.busy -= 1;
    const refusal = recording.exchange('busy-work-queue-exceeded');
    for (const line of refusal.log) log.write(line);
    sendRecorded(response, refusal);
    return;
  }
  const { data: params } = paramsShape.safeParse(sent);
  if (method === '' || params === undefined) {
    send(response, 500, { result: null, error: { code: -32700, message: 'Parse error' }, id: null });
    return;
  }
  // Releases before 28 know one dialect only.
  const modern = recording.number >= 280000 && jsonrpc === '2.0';
  const wallet = walletOf(path);
  onCall({ method, params, wallet });
  const token = Symbol(method);
  state.running.set(token, { method, since: performance.now() });
  try {
    const reply = await replyTo({ state, obstacles, onUnrecorded }, { method, params, wallet });
    sendReply(response, reply, { id, modern });
  } finally {
    state.running.delete(token);
  }
}

async function replyTo(
  { state, obstacles, onUnrecorded }: Pick<RecordedOptions, 'state' | 'obstacles' | 'onUnrecorded'>,
  { method, params, wallet }: RpcCall,
): Promise<Reply> {
  if (obstacles.starting !== null) return { error: { code: -28, message: obstacles.starting } };
  const reply = await answer(state, method, params, wallet);
  if (reply !== null) return reply;
  onUnrecorded(method);
  return state.recorded('unknown-method');
}

/** 404 for an unknown method and 500 for other errors where asked in 1.0, 200 for all where asked in 2.0. */
function sendReply(
  response: ServerResponse,
  reply: Reply,
  { id, modern }: { id: unknown; modern: boolean },
): void {
  if (modern) {
    send(response, 200, { jsonrpc: '2.0', ...reply, id });
  } else if ('error' in reply) {
    send(response, reply.error.code === -32601 ? 404 : 500, { result: null, error: reply.error, id });
  } else {
    send(response, 200, { result: reply.result, error: null, id });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(`${JSON.stringify(body)}\n`);
  // As a node does, which does not send in chunks.
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
  response.writeHead(status, headers).end(bytes);
}

function sendRecorded(response: ServerResponse, { status, headers, body }: Exchange): void {
  if (!response.destroyed) response.writeHead(status, headers).end(body);
}

function walletOf(url: string): string | null {
  const name = /^\/wallet\/(.*)$/.exec(url)?.[1];
  return name === undefined ? null : decodeURIComponent(name);
}

const paramsShape = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).default([]);
