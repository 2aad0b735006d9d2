/** Turns any thrown value into the error that a user reads. */
import { AppError, type AppErrorShape } from '../model/errors.ts';
import { FileError } from '../model/findings/fileError.ts';
import type { Finding } from '../model/findings/finding.ts';
import { findingHint, findingText } from './findings/findingWords.ts';

/** Other errors than AppError become `internal` without their text, which may quote a secret. */
export function errorShapeOf(thrown: unknown): AppErrorShape {
  if (thrown instanceof FileError) {
    const { code, finding, node } = thrown;
    return {
      code,
      message: findingText(finding),
      hint: findingHint(finding),
      ...(node ? { node } : {}),
      finding,
    };
  }
  if (thrown instanceof AppError) {
    const { code, message, hint, node, finding } = thrown;
    return { code, message, hint, ...(node ? { node } : {}), ...(finding ? { finding } : {}) };
  }
  return { code: 'internal', message: findingText(UNFORESEEN), hint: findingHint(UNFORESEEN) };
}

const UNFORESEEN: Finding<'unforeseen'> = { code: 'unforeseen' };
