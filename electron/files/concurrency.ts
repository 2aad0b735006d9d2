/** Runs the same work on many inputs with limited concurrency, and waits no longer than a time for work. */

/** Returns the results in the order of the inputs; at most `limit` run at a time. */
export async function mapConcurrently<T, R>(
  inputs: readonly T[],
  limit: number,
  work: (input: T) => Promise<R>,
): Promise<R[]> {
  const run = limitConcurrency(limit);
  return Promise.all(inputs.map((input) => run(() => work(input))));
}

/** Starts each work that it is given in turn, as soon as fewer than `limit` of them run. */
export function limitConcurrency(limit: number): <R>(work: () => Promise<R>) => Promise<R> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** The result of the work, or null if it takes longer. The work continues. */
export async function orNullAfter<T>(work: Promise<T>, milliseconds: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, milliseconds, null);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
