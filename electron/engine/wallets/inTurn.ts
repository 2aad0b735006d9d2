/** Keeps work on one wallet in order: what comes second waits, also when two works share only one of their wallets. */

/** What it gives runs work when nothing that came before it holds any of the same names. */
export function makeTurns() {
  const last = new Map<string, Promise<void>>();
  return <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const working = Promise.all(names.map((name) => last.get(name))).then(work);
    const forget = () => {
      for (const name of names) if (last.get(name) === end) last.delete(name);
    };
    const end: Promise<void> = working.then(forget, forget);
    // All at once: two works can then never wait for each other.
    for (const name of names) last.set(name, end);
    return working;
  };
}
