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
