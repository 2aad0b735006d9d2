/** The node in use, as the rest of the back end knows it: a client, a status, and what its release supports. */
import {
  type Listener,
  type NodeAddress,
  type NodeStatus,
  type Release,
  releaseText,
} from '../../../shared/model/node.ts';

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

/**
 * The release for a version number such as 280100 (28.1). `migratewallet` came in 24.0, where it takes no arguments
 * and an encrypted wallet is unlocked first. Since 24.1 it takes a name and a passphrase, and needs the passphrase
 * even for an unlocked wallet (bitcoin/bitcoin#26595). Release 30 and later neither load nor restore legacy wallets.
 * Measured on the releases of the recordings.
 */
export function releaseOf(version: number): Release {
  return {
    number: version,
    text: releaseText(version),
    migrates: version < 240_000 ? 'no' : version < 240_100 ? 'unlock-first' : 'yes',
    loadsLegacy: version < 300_000,
  };
}

/** Releases 24.x, whose help calls `migratewallet` experimental; release 25 fixed its bugs. */
export function isMigrationExperimental({ number }: Pick<Release, 'number'>): boolean {
  return number >= 240_000 && number < 250_000;
}

/**
 * Whether `migratewallet` can leave the new wallets unloaded: `load_wallet` of release 32 (bitcoin/bitcoin#35266),
 * which reports 319900 before its release.
 */
export function canSkipLoading({ number }: Pick<Release, 'number'>): boolean {
  return number >= 319_900;
}

/** 30.0 and 30.1, withdrawn for deleting wallets: bitcoin/bitcoin#34128, public notice of 5 January 2026. */
export function isWithdrawn({ number }: Pick<Release, 'number'>): boolean {
  return number >= 300_000 && number < 300_200;
}
