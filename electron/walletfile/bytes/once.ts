/**
 * Wraps a function so that it runs once, on the first call. Remembers an error like a result, because the failing work may be
 * expensive and have thousands of callers.
 */
export function once<T>(work: () => T): () => T {
  let outcome: (() => T) | undefined;
  return () => {
    outcome ??= outcomeOf(work);
    return outcome();
  };
}

function outcomeOf<T>(work: () => T): () => T {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The result of the work, or null if it throws. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/**
 * Returns a function that keeps the results of its latest `most` keys, so that a plan, its run and a try of a passphrase do the same
 * work once. Forgets a promise when it is rejected.
 */
export function rememberLatest<T>(most: number): (key: string, work: () => T) => T {
  const known = new Map<string, { readonly value: T }>();
  return (key, work) => {
    const found = known.get(key) ?? { value: work() };
    known.delete(key);
    known.set(key, found);
    const [oldest = ''] = known.keys();
    if (known.size > most) known.delete(oldest);
    const forget = () => {
      // By then the key may have a newer result.
      if (known.get(key) === found) known.delete(key);
    };
    if (found.value instanceof Promise) found.value.catch(forget);
    return found.value;
  };
}
