/** A test node that answers as the test tells it, over its line or in memory. */
import type { ServerResponse } from 'node:http';
import type { CallOptions, NodeClient } from '../../electron/bitcoind/rpc/session.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { Asked, Behaviour } from './line.ts';

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

export interface ToldCall {
  readonly method: string;
  readonly params: unknown;
  readonly wallet: string | undefined;
}

type Handler = (call: ToldCall) => unknown;

/** A call that the test answers when it likes. */
export interface PendingCall extends ToldCall {
  answer(result: unknown): void;
  fail(error: AppError): void;
}

/** Without a line: its client asks it directly. */
export interface ToldNode {
  readonly client: NodeClient;
  readonly calls: ToldCall[];
  /** What the node answers; a handler that throws refuses. Changed at will. */
  readonly handlers: Record<string, Handler>;
  /** Leaves calls of this method open; resolves with each as it comes. */
  hold(method: string): () => Promise<PendingCall>;
}

export function createToldNode(): ToldNode {
  const calls: ToldCall[] = [];
  const handlers: Record<string, Handler> = {
    ...plainStatus,
    getrpcinfo: () => ({
      active_commands: [{ method: 'getrpcinfo', duration: 20 }],
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
        Promise.resolve()
          .then(() => handler(call))
          .finally(() => signal?.removeEventListener('abort', onAbort))
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
      const awaited: ((call: PendingCall) => void)[] = [];
      handlers[method] = (call) =>
        new Promise((answer, fail) => {
          const pending = { ...call, answer, fail };
          const take = awaited.shift();
          if (take) take(pending);
          else arrived.push(pending);
        });
      return () =>
        new Promise((resolve) => {
          const next = arrived.shift();
          if (next) resolve(next);
          else awaited.push(resolve);
        });
    },
  };
}

/** An error as the client makes it of the node's answer. */
export function rpc(code: number, message: string, ours: AppError['code'] = 'wallet_error'): AppError {
  return new AppError(ours, 'The node refused.', 'Hint of the client.', { code, message });
}

export function notLoaded(): AppError {
  return rpc(-18, 'Requested wallet does not exist or is not loaded', 'wallet_not_found');
}

export function lost(code: AppError['code'] = 'connection_lost'): AppError {
  return new AppError(code, 'The line was lost.', 'Hint of the client.');
}
