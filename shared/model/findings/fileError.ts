/** Errors of code that knows no words: of the readers of wallet files, and of work on files. */
import { z } from 'zod';
import { AppError, type ErrorCode, errorCodes, type NodeWords, nodeWords } from '../errors.ts';
import { type Finding, finding } from './finding.ts';

/** An AppError whose words `errorShapeOf` of `shared/wording` finds. Its own message, for traces, has codes only. */
export class FileError extends AppError {
  constructor(
    code: ErrorCode,
    override readonly finding: Finding,
    node?: NodeWords,
  ) {
    super(code, 'fault' in finding ? `${finding.code}: ${finding.fault.code}` : finding.code, '', node);
  }
}

/** A FileError as it leaves a thread. */
export const failure = z.object({
  code: z.enum(errorCodes),
  finding,
  node: nodeWords.optional(),
});
export type Failure = z.infer<typeof failure>;

/** Anything but a FileError becomes `unforeseen`. Its text stays behind: it may quote a secret. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof FileError)) return { code: 'internal', finding: { code: 'unforeseen' } };
  const { code, finding, node } = thrown;
  return { code, finding, ...(node ? { node } : {}) };
}

/** The error that left the thread. */
export function errorOfFailure({ code, finding, node }: Failure): FileError {
  return new FileError(code, finding, node);
}
