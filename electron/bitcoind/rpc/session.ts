/** The node in use, as the rest of the back end knows it: a client and a status. */
import type { Listener, NodeAddress, NodeStatus } from '../../../shared/model/node.ts';

export interface CallOptions {
  /** Wallet of the `/wallet/<name>` path; the empty string is the unnamed wallet, undefined the root path. */
  wallet?: string | undefined;
  /** Milliseconds until `timed_out`; null: no limit, for calls that may take hours. Default 30,000. */
  timeoutMs?: number | null | undefined;
  signal?: AbortSignal | undefined;
}

export interface NodeClient {
  readonly address: NodeAddress;
  /**
   * Calls one method with positional (array) or named (object) params and returns the unparsed result. Throws
   * AppError for every failure, with the node's own message in `node`.
   */
  call(
    method: string,
    params?: readonly unknown[] | Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<unknown>;
  /**
   * Sends all calls of `work` over one connection, and so to one program: after it ends, they throw AppError
   * `cannot_connect`. What `work` learns about the node then also holds for the call that it makes.
   */
  overOneConnection<T>(work: (client: NodeClient) => Promise<T>): Promise<T>;
  /** Who listened at the address when the newest connection was made; null if unknown. */
  listener(): Listener | null;
  /** Aborts running calls and refuses further ones. */
  close(): Promise<void>;
}

/**
 * A connected node, the same object until the app leaves it. `status` is the newest known. Jobs keep using the client
 * after the app connects to another node.
 */
export interface Session {
  readonly client: NodeClient;
  readonly status: NodeStatus;
}
