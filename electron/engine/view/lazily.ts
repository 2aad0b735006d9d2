/** Work that is done once, when it is first asked for. */

/** After a failure the next call tries again. */
export function lazily<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
