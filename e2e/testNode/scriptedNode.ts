/** A test node whose answers are functions of the test, over HTTP or in memory. */
import type { ServerResponse } from 'node:http';
import type { CallOptions, NodeClient } from '../../electron/bitcoind/rpc/session.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Behaviour, ReceivedCall } from './rpcServer.ts';

/** Thrown by a method to answer with an RPC error. */
export class RpcFailure extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type Methods = Readonly<Record<string, (call: ReceivedCall) => unknown>>;

/** Answers calls as release 28 and later do. Answers any other method with "Method not found". */
export function answering(methods: Methods): Behaviour {
  return async (call, response) => {
    try {
      const method = methods[call.method];
      if (method === undefined) throw new RpcFailure(-32601, 'Method not found');
      reply(response, { jsonrpc: '2.0', result: await method(call), id: call.id });
    } catch (thrown) {
      if (!(thrown instanceof RpcFailure)) throw thrown;
      const error = { code: thrown.code, message: thrown.message };
      reply(response, { jsonrpc: '2.0', error, id: call.id });
    }
  };
}

/** Sends `body` as JSON. */
export function reply(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}

/** Refuses a missing or wrong login, as a node does. */
export function askForLogin(response: ServerResponse): void {
  response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' }).end();
}

/** What a node of release 28.1 on regtest answers about itself. */
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

export interface ScriptedCall {
  readonly method: string;
  readonly params: unknown;
  readonly wallet: string | undefined;
}

type Handler = (call: ScriptedCall) => unknown;

/** A call that the test answers later. */
export interface PendingCall extends ScriptedCall {
  answer(result: unknown): void;
  fail(error: AppError): void;
}

/** A node in memory, without HTTP. */
export interface ScriptedNode {
  readonly client: NodeClient;
  readonly calls: ScriptedCall[];
  /** The answers by method. The test may change them. A handler throws to refuse. */
  readonly handlers: Record<string, Handler>;
  /** Leaves calls of this method unanswered. The returned function resolves with the next such call. */
  hold(method: string): () => Promise<PendingCall>;
}

export function createScriptedNode(): ScriptedNode {
  const calls: ScriptedCall[] = [];
  const active = new Set<ScriptedCall>();
  const handlers: Record<string, Handler> = {
    ...plainStatus,
    getrpcinfo: () => ({
      active_commands: [...active].map(({ method }) => ({ method, duration: 20 })),
      logpath: '/x/debug.log',
    }),
    getwalletinfo: () => {
      throw notLoaded();
    },
    getbalances: () => {
      throw notLoaded();
    },
  };
  const client: NodeClient = {
    address: { host: '127.0.0.1', port: 18443, tls: false },
    async call(method, params = [], options: CallOptions = {}) {
      const call = { method, params, wallet: options.wallet };
      calls.push(call);
      const handler = handlers[method];
      if (!handler) throw rpc(-32601, 'Method not found', 'unknown_method');
      const { signal } = options;
      return await new Promise((resolve, reject) => {
        const onAbort = () => reject(new AppError('cancelled', 'cancelled', ''));
        signal?.addEventListener('abort', onAbort);
        // As on a node, a call stays active after its client has gone.
        active.add(call);
        Promise.resolve()
          .then(() => handler(call))
          .finally(() => {
            active.delete(call);
            signal?.removeEventListener('abort', onAbort);
          })
          .then(resolve, reject);
      });
    },
    overOneConnection: (work) => work(client),
    listener: () => null,
    close: async () => undefined,
  };
  return {
    client,
    calls,
    handlers,
    hold(method) {
      const arrived: PendingCall[] = [];
      const waiting: ((call: PendingCall) => void)[] = [];
      handlers[method] = (call) =>
        new Promise((answer, fail) => {
          const pending = { ...call, answer, fail };
          const receive = waiting.shift();
          if (receive) receive(pending);
          else arrived.push(pending);
        });
      return () =>
        new Promise((resolve) => {
          const next = arrived.shift();
          if (next) resolve(next);
          else waiting.push(resolve);
        });
    },
  };
}

/** The client's error for an RPC error of the node. */
export function rpc(code: number, message: string, ours: AppError['code'] = 'wallet_error'): AppError {
  return new AppError(ours, 'The node refused.', 'Hint of the client.', { code, message });
}

export function notLoaded(): AppError {
  return rpc(-18, 'Requested wallet does not exist or is not loaded', 'wallet_not_found');
}

export function lost(code: AppError['code'] = 'connection_lost'): AppError {
  return new AppError(code, 'The connection was lost.', 'Hint of the client.');
}
