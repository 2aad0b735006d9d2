/**
 * Work that is done once, when it is first asked for. A failure is remembered as a result is: where thousands ask, it
 * may be the dear part.
 */
export function once<T>(work: () => T): () => T {
  let told: (() => T) | undefined;
  return () => {
    told ??= outcomeOf(work);
    return told();
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

/** What the work gives, and null where it throws. */
export function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
