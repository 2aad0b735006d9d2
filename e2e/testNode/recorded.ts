/** Answers calls from a recording: checks the login, refuses while starting, and replies in the caller's JSON-RPC version. */
import type { ServerResponse } from 'node:http';
import { z } from 'zod/mini';
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
  /** The node's message while it starts; null once it has started. */
  starting: string | null;
}

export interface RecordedOptions {
  state: NodeState;
  obstacles: Obstacles;
  /** `user:password` of everyone who may call. */
  logins(): string[];
  onCall(call: RpcCall): void;
  /** Called for a method that was not recorded. The node answers that it is unknown. */
  onUnrecorded(method: string): void;
}

/** Makes the behaviour of a test node. */
export function answerFromRecording(options: RecordedOptions): Behaviour {
  const { state } = options;
  return (call, response) =>
    handle(call, response, options).catch((thrown: unknown) => {
      state.log.write(`test node failed: ${String(thrown)}`);
      if (!response.headersSent) response.writeHead(500).end(String(thrown));
    });
}

/** The node waits this long before it refuses a wrong password. */
const WRONG_PASSWORD_MS = 250;

async function handle(
  { path, authorization, jsonrpc, id, method, params: rawParams }: ReceivedCall,
  response: ServerResponse,
  { state, obstacles, logins, onCall, onUnrecorded }: RecordedOptions,
): Promise<void> {
  const { recording, log, life } = state;
  if (authorization === undefined) {
    sendRecorded(response, recording.exchange('auth-none'));
    return;
  }
  if (!logins().some((login) => authorization === `Basic ${Buffer.from(login).toString('base64')}`)) {
    const refusal = recording.exchange('auth-wrong');
    for (const line of refusal.log) log.write(line);
    await life.wait(WRONG_PASSWORD_MS);
    sendRecorded(response, refusal);
    return;
  }
  const { data: params } = paramsShape.safeParse(rawParams);
  if (method === '' || params === undefined) {
    send(response, 500, { result: null, error: { code: -32700, message: 'Parse error' }, id: null });
    return;
  }
  // Releases before 28 speak JSON-RPC 1.0 only.
  const modern = recording.number >= 280000 && jsonrpc === '2.0';
  const wallet = walletOf(path);
  onCall({ method, params, wallet });
  const token = Symbol(method);
  state.running.set(token, { method, since: performance.now() });
  try {
    if (state.scenario.answerMs) await life.wait(state.scenario.answerMs);
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

/** Sends a reply. In JSON-RPC 1.0 an unknown method has status 404 and any other error 500; in 2.0 everything has 200. */
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
  // A node does not send in chunks.
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

const paramsShape = z._default(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]), []);
