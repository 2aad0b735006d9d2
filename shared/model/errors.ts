/** The errors of requests, as the back end sends them to the page. */
import { z } from 'zod/mini';
import { anyCode } from './findings/coded.ts';

/** The complete list of causes, grouped by where they arise. */
export const errorCodes = [
  // reaching the node
  'cannot_connect',
  'connection_lost',
  'timed_out',
  'credentials_missing',
  'credentials_refused',
  'forbidden',
  'starting_up',
  'busy',
  'not_a_node',
  'answer_too_large',
  // RPC errors of the node
  'unknown_method',
  'no_wallet_support',
  'invalid_request',
  'invalid_parameter',
  'wrong_type',
  'misc_error',
  'wallet_error',
  'wallet_not_found',
  'wallet_not_specified',
  'wallet_already_loaded',
  'wallet_already_exists',
  'wallet_unlock_needed',
  'wallet_wrong_encryption_state',
  'wrong_passphrase',
  'rpc_error',
  // files
  'file_missing',
  'file_unreadable',
  'file_empty',
  'file_exists',
  'file_changed',
  'not_a_file',
  'not_a_wallet',
  'folder_missing',
  'no_space',
  // the app
  'bad_input',
  'name_invalid',
  'name_taken',
  'not_connected',
  'release_unsupported',
  'job_running',
  'stopped_by_check',
  /** The app was restarted since, or has dropped the plan for newer ones. */
  'plan_gone',
  'journal_unwritable',
  'outcome_unknown',
  /** A wallet was left incomplete. */
  'interrupted',
  'secrets_unavailable',
  'not_available_here',
  'cancelled',
  /** A file needs more time or memory than the app allows. */
  'beyond_limits',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The node's own error, word for word: its RPC error number (or null) and its text. */
export const nodeWords = z.object({ code: z.nullable(z.int()), message: z.string() });

/**
 * `message` says what happened, `hint` what is safe and what to do next, `node` repeats the node's own words. `finding` is
 * the code behind both sentences: any code, because journals keep those of older versions.
 */
export const appErrorShape = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  hint: z.string(),
  node: z.optional(nodeWords),
  finding: z.optional(anyCode),
});

export type NodeError = z.infer<typeof nodeWords>;
export type AppErrorShape = z.infer<typeof appErrorShape>;

/** An error of the app, with the fields of `AppErrorShape`. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly hint: string,
    readonly node?: NodeError,
    readonly finding?: AppErrorShape['finding'],
  ) {
    super(message);
  }

  /** Rebuilds the error from the shape that the other side sent. */
  static fromShape(shape: AppErrorShape): AppError {
    return new AppError(shape.code, shape.message, shape.hint, shape.node, shape.finding);
  }
}

/** For `catch`: null for an AppError of these codes; rethrows every other error. */
export function nullFor(...codes: readonly ErrorCode[]) {
  return (thrown: unknown): null => {
    if (thrown instanceof AppError && codes.includes(thrown.code)) return null;
    throw thrown;
  };
}
