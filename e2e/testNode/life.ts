/** One run of a test node: its calls wait and pause here, and never go on once the node is killed. */

export interface NodeLife {
  /** Whole seconds since the start. */
  uptime(): number;
  wait(ms: number): Promise<void>;
  /** Resolves at the first `resume`, or at once after it. */
  pause(): Promise<void>;
  resume(): void;
  /** Resolves once a call is paused. */
  untilPaused(): Promise<void>;
  /** Leaves every waiting call waiting for good. */
  end(): void;
}

export function startLife(): NodeLife {
  const timers = new Set<NodeJS.Timeout>();
  let resumed = false;
  let ended = false;
  const start = performance.now();
  let paused: (() => void)[] = [];
  let watchers: (() => void)[] = [];
  return {
    uptime: () => Math.floor((performance.now() - start) / 1000),
    wait: (ms) =>
      new Promise((resolve) => {
        if (ended) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
    pause: () =>
      new Promise((resolve) => {
        if (ended) return;
        if (resumed) resolve();
        else {
          paused.push(resolve);
          for (const notify of watchers) notify();
          watchers = [];
        }
      }),
    untilPaused: () =>
      new Promise((resolve) => {
        if (paused.length > 0) resolve();
        else watchers.push(resolve);
      }),
    resume() {
      resumed = true;
      for (const resolve of paused) resolve();
      paused = [];
    },
    end() {
      ended = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      paused = [];
    },
  };
}
