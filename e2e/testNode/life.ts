/** Time as the node's calls spend it: it stands still for good when the node is killed. */

export interface NodeLife {
  /** Whole seconds since it began. */
  uptime(): number;
  wait(ms: number): Promise<void>;
  /** Resolves at the next `letGo`, or at once when that came before. */
  untilLetGo(): Promise<void>;
  letGo(): void;
  /** Resolves once something waits for `letGo`. */
  standsStill(): Promise<void>;
  /** Nothing that waits goes on. */
  end(): void;
}

export function startLife(): NodeLife {
  const timers = new Set<NodeJS.Timeout>();
  let released = false;
  let ended = false;
  const began = performance.now();
  let held: (() => void)[] = [];
  let watching: (() => void)[] = [];
  return {
    uptime: () => Math.floor((performance.now() - began) / 1000),
    wait: (ms) =>
      new Promise((resolve) => {
        if (ended) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
    untilLetGo: () =>
      new Promise((resolve) => {
        if (ended) return;
        if (released) resolve();
        else {
          held.push(resolve);
          for (const tell of watching) tell();
          watching = [];
        }
      }),
    standsStill: () =>
      new Promise((resolve) => {
        if (held.length > 0) resolve();
        else watching.push(resolve);
      }),
    letGo() {
      released = true;
      for (const resolve of held) resolve();
      held = [];
    },
    end() {
      ended = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      held = [];
    },
  };
}
