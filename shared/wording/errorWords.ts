/** Turns anything thrown into the error that a person reads. */
import { AppError, type AppErrorShape } from '../model/errors.ts';
import { say } from './say.ts';

/** Anything but an AppError becomes `internal`. Its text is dropped: it may quote an input, which may be secret. */
export function errorShapeOf(thrown: unknown): AppErrorShape {
  if (thrown instanceof AppError) return thrown.toShape();
  return {
    code: 'internal',
    message: say('Something went wrong.'),
    hint: say('No wallet file was removed or changed. Try again.'),
  };
}

/** The error for a tab without a session. A function, as the page loads this before it knows its language. */
export function notLetIn(): string {
  return say(
    'This tab has no access. Each link opens once. For a new one, press Enter where the app was started.',
  );
}
