/** Errors that carry a code instead of a sentence: from the readers of wallet files and the work on files. */
import { z } from 'zod/mini';
import { AppError, type ErrorCode, errorCodes, type NodeError, nodeWords } from '../errors.ts';
import { type Finding, finding } from './finding.ts';

/** An AppError that `errorShapeOf` of `shared/wording` puts into words. Its own message holds codes only. */
export class FileError extends AppError {
  constructor(
    code: ErrorCode,
    override readonly finding: Finding,
    node?: NodeError,
  ) {
    super(code, 'fault' in finding ? `${finding.code}: ${finding.fault.code}` : finding.code, '', node);
  }
}

/** A FileError on its way out of a thread. */
export const failure = z.object({ code: z.enum(errorCodes), finding, node: z.optional(nodeWords) });
export type Failure = z.infer<typeof failure>;

/** Any other error becomes `unforeseen` without its text, which may quote a secret. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof FileError)) return { code: 'internal', finding: { code: 'unforeseen' } };
  const { code, finding, node } = thrown;
  return { code, finding, ...(node ? { node } : {}) };
}

/** The error that left the thread. */
export function errorOfFailure({ code, finding, node }: Failure): FileError {
  return new FileError(code, finding, node);
}
