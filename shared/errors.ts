/** Every way in which a request can fail, as its error crosses from the main process to the page. */
import { z } from 'zod';
import { say } from './text/say.ts';

/**
 * The closed list of causes. The first group is about reaching the node, the second about what the node
 * answered (told apart by the number of its RPC error), the third about files, the last about the app.
 */
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
  // what the node answered
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
  'crossing_running',
  'stopped_by_check',
  /** The app was started anew since, or has made many others. */
  'plan_gone',
  'journal_unwritable',
  'outcome_unknown',
  'secrets_unavailable',
  'not_available_here',
  'cancelled',
  /** A file asks for more time or memory than the app gives one. */
  'beyond_limits',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What the node said, kept word for word: the number of its RPC error (or null) and its text. */
const nodeWords = z.object({
  code: z.number().int().nullable(),
  message: z.string(),
});

/**
 * An error as it crosses: `message` says what happened, `hint` what is safe and what to do next,
 * `node` the node's own words when it gave some.
 */
export const appErrorShape = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  hint: z.string(),
  node: nodeWords.optional(),
});

export type NodeWords = z.infer<typeof nodeWords>;
export type AppErrorShape = z.infer<typeof appErrorShape>;

/** An error of ours with a code, a hint and, where there are some, the node's own words. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly node: NodeWords | undefined;

  constructor(code: ErrorCode, message: string, hint: string, node?: NodeWords) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.hint = hint;
    this.node = node;
  }

  /** The plain object that crosses to the page. */
  toShape(): AppErrorShape {
    return {
      code: this.code,
      message: this.message,
      hint: this.hint,
      ...(this.node ? { node: this.node } : {}),
    };
  }

  /** The error that a shape describes, on the other side. */
  static fromShape(shape: AppErrorShape): AppError {
    return new AppError(shape.code, shape.message, shape.hint, shape.node);
  }
}

/**
 * Any thrown value as a shape. What is not an AppError becomes `internal` without its text: an unforeseen
 * error's message may quote an input, and an input may hold a secret.
 */
export function errorShapeOf(thrown: unknown): AppErrorShape {
  if (thrown instanceof AppError) return thrown.toShape();
  return {
    code: 'internal',
    message: say('Something went wrong.'),
    hint: say('No wallet file was removed or changed. Try again.'),
  };
}
