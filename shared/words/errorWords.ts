/** The error that a person reads of whatever was thrown. */
import { AppError, type AppErrorShape } from '../errors.ts';
import { say } from '../text/say.ts';

/** What is no AppError becomes `internal` without its text: that may quote an input, and an input may be secret. */
export function errorShapeOf(thrown: unknown): AppErrorShape {
  if (thrown instanceof AppError) return thrown.toShape();
  return {
    code: 'internal',
    message: say('Something went wrong.'),
    hint: say('No wallet file was removed or changed. Try again.'),
  };
}

/** What a tab is told that the app does not know. A function, because the page loads this before it knows its language. */
export function notLetIn(): string {
  return say(
    'This tab was not let in. Each link opens once: press Enter where the app was started for a new one.',
  );
}
