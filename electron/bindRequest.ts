/** Puts a crossing of the contract on its service: what crosses is checked on the way in and on the way out. */
import { z } from 'zod';
import { AppError } from '../shared/errors.ts';
import { say } from '../shared/text/say.ts';

/**
 * Input decoded and checked before, output encoded and checked after. `asker` is aborted when nobody waits for the answer
 * any more. Throws AppError `bad_input`, and as `run` does.
 */
export function bind<I extends z.ZodType, O extends z.ZodType>(
  definition: { input: I; output: O },
  run: (input: z.output<I>, asker: AbortSignal) => Promise<z.output<O>>,
): (input: unknown, asker: AbortSignal) => Promise<unknown> {
  return async (input, asker) => {
    const parsed = z.safeParse(definition.input, input);
    if (!parsed.success) throw badInput(parsed.error);
    return z.encode(definition.output, await run(parsed.data, asker));
  };
}

/** Names the fields that are wrong, never their values: one of them may be a secret. */
function badInput(error: z.ZodError): AppError {
  const fields = [...new Set(error.issues.map((issue) => issue.path.join('.') || 'input'))].join(', ');
  return new AppError(
    'bad_input',
    say('The app does not understand this request ({fields}).', { fields }),
    say('Nothing was sent. Check your entries.'),
  );
}
