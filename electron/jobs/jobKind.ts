/** What a kind of job brings along; `runJob` does with it what is the same for all of them. */

import type { AppError, AppErrorShape } from '../../shared/model/errors.ts';
import type { Job, JobResult } from '../../shared/model/job.ts';
import type { Interruption, Proof } from '../../shared/model/safety.ts';
import type { Call } from '../bitcoind/calls/call.ts';
import type { LogState } from '../bitcoind/log/progress.ts';
import type { NodeClient, Session } from '../bitcoind/rpc/session.ts';
import type { WalletWork } from '../workers/walletWork.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import type { Prover } from './proof/proof.ts';
import type { SafetyCopies } from './safetyCopies/safetyCopies.ts';

/** What a plan is run by: the very calls that were shown, and what the app itself does beside them. */
export interface JobDeps {
  readonly calls: readonly Call[];
  /** Whether a passphrase was given. Never the passphrase. */
  readonly gavePassphrase: boolean;
  readonly copies: SafetyCopies;
  readonly prover: Prover;
  /** Work on wallet files apart from the main thread. */
  readonly work: WalletWork;
}

/** What is done once, with the plan at hand; what can also be done after the app was away is its `Continuation`. */
export interface JobKind<Answer> extends ResumedJob {
  /** The app's own work before the calls. What it throws ends the job, with nothing sent to change a wallet. */
  prepare?(preparation: Preparation): Promise<void>;
  /** What is sent once that is done. */
  calls(): readonly Call[];
  /** What the node answered to the last of them. Throws AppError `not_a_node`. */
  parse(client: NodeClient, result: unknown): Answer;
  /** What came of it, from the node's answer and from looking. Not cut short by a node that no longer answers. */
  conclude(session: Session, answer: Answer, signal: AbortSignal): Promise<Outcome>;
}

export interface ResumedJob {
  /** Kept in the journal: this very object, which changes as the job goes on. */
  readonly checkpoint: Checkpoint;
  /** The RPC method that does the work, as `getrpcinfo` names it while it runs. */
  readonly method: string;
  /** The node's refusal in words that fit the case; the node's own where there is no such thing. */
  explain?(error: AppError, evidence: LogEvidence): AppError;
  /** Compares what was before with what came of it. */
  prove?(session: Session, result: JobResult, signal: AbortSignal): Promise<Proof | null>;
}

/** What a plan's own work before the call is done with. */
export interface Preparation {
  readonly session: Session;
  /** For the length of the preparation. */
  readonly passphrase: string | undefined;
  readonly signal: AbortSignal;
  /** Shows what is known by now. */
  show(patch: Partial<Pick<Job, 'safetyCopy' | 'warnings'>>): void;
  /** Moves on to the step of this name. */
  reached(phase: LogState['phase']): void;
  /** Writes what the plan remembers by now to the disk. Throws AppError `journal_unwritable`. */
  save(): void;
}

export interface LogEvidence {
  readonly log: LogState;
  /** False when the log was not read: then `log` says nothing. */
  readonly readable: boolean;
}

/** How a job ends. `failed`: nothing was changed. `unknown`: the app cannot tell. */
export type Outcome =
  | { state: 'done'; result: JobResult; warnings: readonly string[] }
  | { state: 'interrupted'; error: AppErrorShape; interruption: Interruption }
  | {
      state: 'failed' | 'unknown';
      error: AppErrorShape;
      /** The call did not reach the node. */
      neverSent?: true;
    };

/** The node did not say what came of it, and nothing shows it. */
export function unknownOutcome(message: string, hint: string): Outcome {
  return { state: 'unknown', error: { code: 'outcome_unknown', message, hint } };
}

/** The line was lost, and what there is shows that nothing was done. */
export function connectionLost(message: string, hint: string): Outcome {
  return { state: 'failed', error: { code: 'connection_lost', message, hint } };
}
