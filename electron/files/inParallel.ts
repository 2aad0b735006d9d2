/** The same work on many inputs, without doing it on all of them at once. */

/** The results in the order of the inputs, at most `limit` under way at a time. */
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
