/** What a kind of operation brings along; `runOperation` does with it what is the same for all of them. */
import type { AppError, AppErrorShape } from '../../shared/errors.ts';
import type { Operation, OperationResult } from '../../shared/model.ts';
import type { NodeClient } from '../node/session.ts';
import type { LogState } from './progress.ts';

export interface Plan<Answer> {
  readonly kind: Operation['kind'];
  readonly wallet: string;
  /** The RPC method that does the work, as `getrpcinfo` names it while it runs. */
  readonly method: string;
  /** Sends the call. Called once. */
  call(client: NodeClient, signal: AbortSignal): Promise<Answer>;
  /** What came of it, from the node's answer and from looking. Not cut short by a node that no longer answers. */
  conclude(client: NodeClient, answer: Answer, signal: AbortSignal): Promise<Ending>;
  /** The node's refusal in words that fit the case. */
  explain(error: AppError, evidence: Evidence): AppError;
  /**
   * What came of a call whose answer was lost, from what the node and the disk show now. Null while that
   * cannot be told yet. May throw what the node's calls throw: then it is asked again.
   */
  decide(client: NodeClient, look: Look): Promise<Ending | null>;
}

export interface Evidence {
  readonly log: LogState;
  /** False when the log was not read: then `log` says nothing. */
  readonly readable: boolean;
}

export interface Look extends Evidence {
  /** Whether the method is still among the running calls, ours or another's. */
  readonly stillRunning: boolean;
  readonly signal: AbortSignal;
}

/** How an operation ends. `failed` says that it did not happen, `unknown` that the app cannot tell. */
export type Ending =
  | { state: 'done'; result: OperationResult; warnings: readonly string[] }
  | { state: 'failed' | 'unknown'; error: AppErrorShape };
