/** Runs trials in threads, and ends those that hang. */
import { Worker } from 'node:worker_threads';
import type { Mutation } from './mutation.ts';
import type { ThreadReport, ThreadTask } from './mutationThread.ts';
import { numberedTrials } from './numberedTrials.ts';
import type { Original } from './trial.ts';

export interface MutationOptions {
  /** The bundled `mutationThread.ts`. */
  readonly thread: string;
  readonly originals: readonly Original[];
  readonly count: number;
  readonly seed: number;
  readonly threads: number;
  readonly log?: (line: string) => void;
}

export interface MutationFailure {
  readonly seed: number;
  readonly file: string;
  readonly why: string;
  readonly mutation: Mutation;
}

export interface MutationSummary {
  readonly done: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly failures: readonly MutationFailure[];
  /** The most bytes by which a trial grew its thread. */
  readonly mostMemory: number;
  readonly slowest: { readonly seed: number; readonly milliseconds: number };
}

const HANGS = 'it hangs';
/** No reading may take longer, even on a busy machine. */
const HANGS_AFTER_MILLISECONDS = 20_000;
const CHECK_EVERY_MILLISECONDS = 500;
/** MB. A reader that believes a file's lengths would need far more. */
const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };

export async function mutate(options: MutationOptions): Promise<MutationSummary> {
  const { seed, count, threads, log, originals } = options;
  const outcomes: Record<string, number> = {};
  const found: { seed: number; why: string }[] = [];
  let [done, mostMemory] = [0, 0];
  let slowest = { seed: 0, milliseconds: 0 };
  let reported = 0;
  const onReport = (report: ThreadReport) => {
    done += report.done;
    mostMemory = Math.max(mostMemory, report.mostMemory);
    if (report.slowest.milliseconds > slowest.milliseconds) slowest = report.slowest;
    for (const [what, times] of Object.entries(report.outcomes))
      outcomes[what] = (outcomes[what] ?? 0) + times;
    for (const failure of report.failures) {
      found.push(failure);
      log?.(`--seed ${failure.seed} --count 1: ${failure.why}`);
    }
    if (Math.floor(done / 5000) === reported) return;
    reported = Math.floor(done / 5000);
    log?.(`${done} of ${count}, ${found.length} failures, slowest ${Math.round(slowest.milliseconds)} ms`);
  };
  await Promise.all(
    Array.from({ length: threads }, (_, number) =>
      runAll(options, { first: seed + number, step: threads, end: seed + count }, onReport),
    ),
  );
  const trialOf = numberedTrials(originals);
  // One failure of each kind is enough.
  const failures = [...firstOfEachKind(found)].map(({ seed: which, why }) => {
    const { original, trial } = trialOf(which);
    return { seed: which, file: original.name, why, mutation: trial.mutation };
  });
  return { done, outcomes, failures, mostMemory, slowest };
}

/** Continues after a trial that ended its thread. */
async function runAll(
  options: MutationOptions,
  seeds: ThreadTask['seeds'],
  onReport: (report: ThreadReport) => void,
): Promise<void> {
  for (let first = seeds.first; first < seeds.end; ) {
    const ended = await runThread(options, { ...seeds, first }, onReport);
    if (ended === null) return;
    const none = { done: 1, outcomes: {}, mostMemory: 0, slowest: { seed: 0, milliseconds: 0 } };
    onReport({ ...none, failures: [ended] });
    first = ended.seed + seeds.step;
  }
}

/** Null if the thread ran all its trials; otherwise the trial that ended it. */
function runThread(
  { thread, originals }: MutationOptions,
  seeds: ThreadTask['seeds'],
  onReport: (report: ThreadReport) => void,
): Promise<{ seed: number; why: string } | null> {
  const clock = new SharedArrayBuffer(16);
  const now = new BigInt64Array(clock);
  const workerData: ThreadTask = { originals, seeds, clock };
  const worker = new Worker(thread, { workerData, resourceLimits: limits });
  return new Promise((resolve) => {
    const end = (why: string | null) => {
      clearInterval(timer);
      void worker.terminate();
      resolve(why === null ? null : { seed: Number(Atomics.load(now, 0)), why });
    };
    const timer = setInterval(() => {
      const since = Number(Atomics.load(now, 1));
      if (since > 0 && Date.now() - since > HANGS_AFTER_MILLISECONDS) end(HANGS);
    }, CHECK_EVERY_MILLISECONDS);
    worker.on('message', onReport);
    worker.once('error', (error) =>
      end(`the thread ended: ${error instanceof Error ? error.message : error}`),
    );
    worker.once('exit', (code) => end(code === 0 ? null : `the thread ended with code ${code}`));
  });
}

/** Tells kinds apart by the top of the stack, or by the message if there is no stack. */
function firstOfEachKind(failures: readonly { seed: number; why: string }[]) {
  const kinds = new Map<string, { seed: number; why: string }>();
  for (const failure of failures) {
    const kind = failure.why.replace(/\d+/g, '').split('\n').slice(0, 4).join('\n');
    if (!kinds.has(kind)) kinds.set(kind, failure);
  }
  return kinds.values();
}
