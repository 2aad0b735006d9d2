/** Runs the same work on many inputs with limited concurrency. */

/** Returns the results in the order of the inputs; at most `limit` run at a time. */
export async function inParallel<T, R>(
  inputs: readonly T[],
  limit: number,
  work: (input: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = inputs.entries();
  const worker = async () => {
    for (const [index, input] of left) results[index] = await work(input);
  };
  await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, worker));
  return results;
}
