/** Keeps work on one wallet in order: what comes second waits, also when two works share only one of their wallets. */

/** What it gives runs work when nothing that came before it holds any of the same names. */
export function makeTurns() {
  const last = new Map<string, Promise<void>>();
  return async <T>(names: readonly string[], work: () => Promise<T>): Promise<T> => {
    const before = names.flatMap((name) => last.get(name) ?? []);
    let end = () => {};
    const own = new Promise<void>((resolve) => {
      end = resolve;
    });
    // All at once: two works can then never wait for each other.
    for (const name of names) last.set(name, own);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      end();
      for (const name of names) if (last.get(name) === own) last.delete(name);
    }
  };
}
