/** Any thrown value as the error shape that the page shows. */
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';

export type Attempt<T> = { ok: true; value: T } | { ok: false; error: AppErrorShape };

/** Runs `work` and gives its value or its error, so that a store or a form can show either. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    return { ok: false, error: errorShapeOf(thrown) };
  }
}
