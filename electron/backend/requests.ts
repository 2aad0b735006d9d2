/** Answers the contract's requests: decodes and checks the input, calls the handler, checks and encodes the output. */
import { z } from 'zod';
import { isRequestName, type RequestName, requestTable } from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { notSent } from '../../shared/wording/findings/hints.ts';
import { say, takeRegion } from '../../shared/wording/say.ts';
import { writeError } from '../files/fileError.ts';
import { fileRequests } from './fileRequests.ts';
import { type Handlers, type RequestDeps, withoutResult } from './handlers.ts';
import type { Services } from './host.ts';
import { jobRequests } from './jobRequests.ts';
import { createRecentFiles } from './settings.ts';
import { nodeRequests, walletRequests } from './walletRequests.ts';

/** `Services['call']` over the handlers of all features. */
export function answerRequests(deps: RequestDeps): Services['call'] {
  const recentFiles = createRecentFiles(deps.info.dataFolder);
  const handlers: Handlers<string> = {
    ...appRequests(deps),
    ...nodeRequests(deps),
    ...walletRequests(deps, recentFiles),
    ...fileRequests(deps, recentFiles),
    ...jobRequests(deps),
  };
  async function answer<N extends RequestName>(name: N, input: unknown, signal: AbortSignal) {
    const shapes = requestTable[name];
    const parsed = shapes.input.safeParse(input);
    if (!parsed.success) throw badInput(parsed.error);
    deps.writes?.refuseElsewhere(parsed.data);
    return z.encode(shapes.output, await handlers[name](parsed.data, signal));
  }
  return async (name, input, signal = new AbortController().signal) => {
    try {
      if (!isRequestName(name)) {
        throw new AppError('bad_input', say('Unknown request.'), notSent());
      }
      return { ok: true, value: await answer(name, input, signal) };
    } catch (thrown) {
      deps.failed(isRequestName(name) ? name : 'unknown request', thrown);
      return { ok: false, error: errorShapeOf(thrown) };
    }
  };
}

function appRequests(deps: RequestDeps): Handlers<'app' | 'settings' | 'tasks'> {
  const { host, info, settings, tasks, emit } = deps;
  return {
    'app.info': async ({ languages }) => {
      if (languages !== undefined) takeRegion(languages);
      // The page listens to events before it sends this, its first request.
      deps.pageListens();
      return { ...info, settings: settings.current() };
    },
    'app.at': withoutResult(({ route }) => host.routeChanged?.(route)),
    'settings.change': withoutResult((next) => {
      try {
        settings.change(next);
      } catch (error) {
        throw writeError(error, info.dataFolder);
      } finally {
        emit('settings', settings.current());
      }
    }),
    'tasks.cancel': withoutResult(({ task }) => tasks.cancel(task)),
  };
}

/** Names the invalid fields, never their values: one of them may be a secret. */
function badInput(error: z.ZodError): AppError {
  const fields = [...new Set(error.issues.map((issue) => issue.path.join('.') || 'input'))].join(', ');
  return new AppError(
    'bad_input',
    say('Not understood: {fields}.', { fields }),
    notSent(say('Check your entries.')),
  );
}
