/** Makes trials in threads of their own, ends those that hang, and makes what fails small. */
import { Worker } from 'node:worker_threads';
import type { Mutation } from './mutation.ts';
import type { ThreadNews, ThreadTask } from './mutationThread.ts';
import type { Original, Trial } from './trial.ts';
import { trialMaker } from './trialOf.ts';

export interface MutationOptions {
  /** The bundled `mutationThread.ts`. */
  readonly thread: string;
  readonly originals: readonly Original[];
  readonly count: number;
  readonly seed: number;
  readonly threads: number;
  readonly say?: (line: string) => void;
}

export interface MutationFailure {
  readonly seed: number;
  readonly file: string;
  readonly why: string;
  /** As few edits as still fail. */
  readonly mutation: Mutation;
}

export interface MutationSummary {
  readonly done: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly failures: readonly MutationFailure[];
  /** Bytes that the thread held more after a trial than before. */
  readonly mostMemory: number;
  readonly slowest: { readonly seed: number; readonly milliseconds: number };
}

const HANGS = 'it hangs';
/** No reading may take longer, on a machine that has other things to do too. */
const HANGS_AFTER_MILLISECONDS = 20_000;
const LOOKED_AFTER_MILLISECONDS = 500;
/** In MB: far less than a file could make a reader take that believes its lengths. */
const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };

export async function mutate(options: MutationOptions): Promise<MutationSummary> {
  const { seed, count, threads, say, originals } = options;
  const outcomes: Record<string, number> = {};
  const found: { seed: number; why: string }[] = [];
  let [done, mostMemory] = [0, 0];
  let slowest = { seed: 0, milliseconds: 0 };
  let told = 0;
  const hear = (news: ThreadNews) => {
    done += news.done;
    mostMemory = Math.max(mostMemory, news.mostMemory);
    if (news.slowest.milliseconds > slowest.milliseconds) slowest = news.slowest;
    for (const [what, times] of Object.entries(news.outcomes)) outcomes[what] = (outcomes[what] ?? 0) + times;
    for (const failure of news.failures) {
      found.push(failure);
      say?.(`--seed ${failure.seed} --count 1: ${failure.why}`);
    }
    if (Math.floor(done / 5000) === told) return;
    told = Math.floor(done / 5000);
    say?.(`${done} of ${count}, ${found.length} failures, slowest ${Math.round(slowest.milliseconds)} ms`);
  };
  await Promise.all(
    Array.from({ length: threads }, (_, number) =>
      throughAll(options, { first: seed + number, step: threads, end: seed + count }, hear),
    ),
  );
  const trialOf = trialMaker(originals);
  const failures: MutationFailure[] = [];
  // The first of each kind tells enough.
  for (const { seed: which, why } of firstOfEach(found)) {
    const { original, trial } = trialOf(which);
    // On a machine that slept meanwhile, time passes without any work.
    if (why === HANGS && !(await fails(options, which, trial))) {
      say?.(`--seed ${which} --count 1: it does not hang when it is done again`);
      continue;
    }
    const mutation = await smallest(options, which, trial);
    failures.push({ seed: which, file: original.name, why, mutation });
  }
  return { done, outcomes, failures, mostMemory, slowest };
}

/** Goes on behind a trial that ended its thread. */
async function throughAll(
  options: MutationOptions,
  seeds: ThreadTask['seeds'],
  hear: (news: ThreadNews) => void,
): Promise<void> {
  for (let first = seeds.first; first < seeds.end; ) {
    const ended = await oneThread(options, { ...seeds, first }, hear);
    if (ended === null) return;
    const none = { done: 1, outcomes: {}, mostMemory: 0, slowest: { seed: 0, milliseconds: 0 } };
    hear({ ...none, failures: [ended] });
    first = ended.seed + seeds.step;
  }
}

/** Null when the thread came to its end, else the trial that ended it. */
function oneThread(
  { thread, originals }: MutationOptions,
  seeds: ThreadTask['seeds'],
  hear: (news: ThreadNews) => void,
  trial?: Trial,
): Promise<{ seed: number; why: string } | null> {
  const clock = new SharedArrayBuffer(16);
  const now = new BigInt64Array(clock);
  const workerData: ThreadTask = { originals, seeds, clock, ...(trial ? { trial } : {}) };
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
    }, LOOKED_AFTER_MILLISECONDS);
    worker.on('message', hear);
    worker.once('error', (error) =>
      end(`the thread ended: ${error instanceof Error ? error.message : error}`),
    );
    worker.once('exit', (code) => end(code === 0 ? null : `the thread ended with code ${code}`));
  });
}

/** Leaves out edit after edit for as long as it still fails. */
async function smallest(options: MutationOptions, seed: number, trial: Trial): Promise<Mutation> {
  let { mutation } = trial;
  for (const list of ['records', 'bytes'] as const) {
    for (let at = mutation[list].length - 1; at >= 0; at -= 1) {
      const smaller = { ...mutation, [list]: mutation[list].toSpliced(at, 1) };
      if (await fails(options, seed, { ...trial, mutation: smaller })) mutation = smaller;
    }
  }
  return mutation;
}

async function fails(options: MutationOptions, seed: number, trial: Trial): Promise<boolean> {
  let failed = false;
  const hear = ({ failures }: ThreadNews) => {
    failed ||= failures.length > 0;
  };
  const ended = await oneThread(options, { first: seed, step: 1, end: seed + 1 }, hear, trial);
  return failed || ended !== null;
}

/** By the place in the code, or by the words where there is none. */
function firstOfEach(failures: readonly { seed: number; why: string }[]) {
  const kinds = new Map<string, { seed: number; why: string }>();
  for (const failure of failures) {
    const kind = failure.why.replace(/\d+/g, '').split('\n').slice(0, 4).join('\n');
    if (!kinds.has(kind)) kinds.set(kind, failure);
  }
  return kinds.values();
}
