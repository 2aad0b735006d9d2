/** The calls that are being run, for `getrpcinfo`. */

export interface ActiveCalls {
  /** Begins a call; the function it gives ends it. */
  begin(method: string): () => void;
  /** Oldest first; durations in microseconds. */
  list(): { method: string; duration: number }[];
}

export function makeActiveCalls(now: () => number = () => performance.now()): ActiveCalls {
  const running = new Set<{ method: string; since: number }>();
  return {
    begin: (method) => {
      const call = { method, since: now() };
      running.add(call);
      return () => running.delete(call);
    },
    list: () =>
      [...running].map(({ method, since }) => ({ method, duration: Math.round((now() - since) * 1000) })),
  };
}
