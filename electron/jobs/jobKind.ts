/** The interface of a kind of job. `runJob` does what all kinds have in common. */
import type { AppError, AppErrorShape } from '../../shared/model/errors.ts';
import type { Job, JobResult } from '../../shared/model/job.ts';
import type { NodeIdentity } from '../../shared/model/node.ts';
import type { Interruption } from '../../shared/model/safety.ts';
import type { Call } from '../bitcoind/calls/call.ts';
import type { LogState } from '../bitcoind/log/progress.ts';
import type { NodeClient, Session } from '../bitcoind/rpc/session.ts';
import type { WalletWork } from '../workers/walletWork.ts';
import type { Checkpoint } from './plan/checkpoint.ts';
import type { ProofResult, Prover } from './proof/proof.ts';
import type { Interruptions } from './safetyCopies/interruptions.ts';
import type { SafetyCopies } from './safetyCopies/safetyCopies.ts';

/** What is needed to find and prove the outcome of a job. */
export interface ResumeDeps {
  readonly prover: Prover;
  readonly interruptions: Interruptions;
}

/** What a job runs with: the plan's calls, and the app's own services. */
export interface JobDeps extends ResumeDeps {
  /** The calls that are sent after `prepare`. */
  readonly calls: readonly Call[];
  /** Whether the user gave a passphrase. The passphrase itself never gets here. */
  readonly gavePassphrase: boolean;
  readonly copies: SafetyCopies;
  /** Work on wallet files apart from the main thread. */
  readonly work: WalletWork;
}

/** One kind of job, built from a plan. After a restart of the app only its `ResumedJob` part is left. */
export interface JobKind<Answer> extends ResumedJob {
  /** The app's own work before the calls. An error ends the job before any call changes a wallet. */
  prepare?(preparation: Preparation): Promise<void>;
  /** Runs right before the call that does the work. Throws AppError to send nothing more, of a code that counts as a refusal. */
  beforeWork?(): void;
  /** Parses the node's answer to the last call. Throws AppError `not_a_node`. */
  parse(client: NodeClient, result: unknown): Answer;
  /** The outcome, from the answer and from what the node and the files show. Works without a node that answers. */
  conclude(session: Session, answer: Answer, signal: AbortSignal): Promise<Outcome>;
}

/** What a restarted app needs of a job: how to find its outcome, and how to prove its result. */
export interface ResumedJob {
  /** The journal writes this object. It changes while the job runs. */
  readonly checkpoint: Checkpoint;
  /** The RPC method that does the work, as `getrpcinfo` names it while it runs. */
  readonly method: string;
  /** A clearer error for the node's refusal, or the same error. */
  explain?(
    error: AppError,
    evidence: LogEvidence & Pick<NodeIdentity, 'offline'> & { readonly session: Session },
  ): AppError | Promise<AppError>;
  /**
   * The outcome after the node's answer was lost, from the node, the wallet's file with its journal, the backups and the
   * checkpoint. Null while it is unknown: the node is still at work, or it will say what the finished wallet holds.
   * `unknown` only if the files cannot be read. May throw what the node's calls throw; the caller then asks again.
   */
  resolve(evidence: Evidence): Promise<Outcome | null>;
  /** Compares the wallet before the job with the wallets after it. */
  prove?(session: Session, result: JobResult, signal: AbortSignal): Promise<ProofResult | null>;
}

/** What `prepare` works with. */
export interface Preparation {
  readonly session: Session;
  /** Available only until `prepare` returns. */
  readonly passphrase: string | undefined;
  readonly signal: AbortSignal;
  /** Updates the job that the page shows. */
  show(patch: Partial<Pick<Job, 'safetyCopy' | 'warnings'>>): void;
  /** Shows that the app now places a copy in the node's wallets folder. */
  startPlacing(): void;
  /** Writes the checkpoint to the disk. Throws AppError `journal_unwritable`. */
  save(): void;
}

export interface LogEvidence {
  readonly log: LogState;
  /** False if the log lacks lines of the job, so that `log` shows what happened, but not what did not; null while it is being read. */
  readonly logWasRead: boolean | null;
}

export interface Evidence extends LogEvidence {
  /** Null while the node is down: then only its files are evidence. */
  readonly session: Session | null;
  /** The node's wallets folder; null if it is not on this machine. */
  readonly walletsFolder: string | null;
  /** Whether the node still runs a call of this method, from any client. */
  readonly stillRunning: boolean;
  /** Whether the node that answers has run since the job began. */
  readonly sameRun?: boolean;
  /** Whether the job that sent the calls still waits for their answer, so that it may send those that follow. */
  readonly isSender?: boolean;
  /** Whether a whole wallet in the node's folder is enough for `done`, because the job no longer waits for the node. */
  readonly filesSuffice?: boolean;
  /** Whether the node failed in the middle of the job's call. */
  readonly failedMidway?: boolean;
  readonly signal: AbortSignal;
}

/** How a job ends. `failed`: no wallet was lost. `unknown`: the app cannot find out. */
export type Outcome =
  | { state: 'done'; result: JobResult; warnings: readonly string[] }
  | { state: 'interrupted'; error: AppErrorShape; interruption: Interruption }
  | {
      state: 'failed' | 'unknown';
      error: AppErrorShape;
      /** The call did not reach the node. */
      neverSent?: true;
    };
