/** Waits until a store holds something. */

/** Resolves with `value` once it is not null: at once, or with a change that `subscribe` tells of. */
export function until<T>(subscribe: (listener: () => void) => () => void, value: () => T | null): Promise<T> {
  const now = value();
  if (now !== null) return Promise.resolve(now);
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      const found = value();
      if (found === null) return;
      stop();
      resolve(found);
    });
  });
}
