/** What the rest of the back end knows of the node in use: a client to call it with, and what it is. */
import type { Listener, NodeAddress, NodeStatus } from '../../../shared/model/node.ts';

export interface CallOptions {
  /** Wallet of the `/wallet/<name>` path. The unnamed wallet is the empty string; undefined is the root path. */
  wallet?: string | undefined;
  /** Milliseconds until `timed_out`; null waits as long as it takes (the two long calls). Default 30,000. */
  timeoutMs?: number | null | undefined;
  signal?: AbortSignal | undefined;
}

export interface NodeClient {
  readonly address: NodeAddress;
  /**
   * Calls one method with positional (array) or named (object) params and gives its result, not yet parsed.
   * Throws AppError with a code of ours for every failure; the node's own words are in `node`.
   */
  call(
    method: string,
    params?: readonly unknown[] | Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<unknown>;
  /**
   * Has all calls of `work` go over one connection, and so to one and the same program: once that is gone, they throw
   * AppError `cannot_connect`. What `work` has found out about the node then holds for the call that it makes.
   */
  overOneConnection<T>(work: (client: NodeClient) => Promise<T>): Promise<T>;
  /** Who listened at the address when the newest connection was made; null where that is not known. */
  listener(): Listener | null;
  /** Cuts what is on its way and refuses further calls. */
  close(): Promise<void>;
}

/**
 * One node that was reached, until the app leaves it: the same object all the while. `status` is the newest
 * known. Its client goes on working for what was begun with it when the app connects to another node.
 */
export interface Session {
  readonly client: NodeClient;
  readonly status: NodeStatus;
}
