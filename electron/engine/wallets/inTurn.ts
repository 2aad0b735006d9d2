/** Queues tasks by wallet name: two tasks that share a wallet run one after the other. */

/** Returns a function that runs `work` once all earlier tasks with any of the same names have ended. */
export function makeTurns() {
  const last = new Map<string, Promise<void>>();
  return <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const working = Promise.all(names.map((name) => last.get(name))).then(work);
    const forget = () => {
      for (const name of names) if (last.get(name) === end) last.delete(name);
    };
    const end: Promise<void> = working.then(forget, forget);
    // Set all names at once, so that two tasks never wait for each other.
    for (const name of names) last.set(name, end);
    return working;
  };
}
