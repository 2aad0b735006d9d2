/** Kills the engine during migrations and restores, restarts it, and checks the files. */
import { type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { legacyNames } from '../../electron/walletfile/testing/wallets.ts';
import {
  type Answer,
  type EngineProcess,
  launchEngine,
  resultOf,
  stateFolder,
} from '../app/engineProcess.ts';
import { seededRandom } from './seededRandom.ts';
import {
  type Form,
  filesOf,
  migrationState,
  originalFile,
  putSubject,
  recordingOf,
  restoreState,
  type Subject,
} from './subject.ts';

export interface KillOptions {
  /** The bundled engine. */
  readonly program: string;
  /** An empty folder. */
  readonly folder: string;
  readonly count: number;
  /** The seed of the first kill. Each further kill adds one. */
  readonly seed: number;
  readonly recordings?: readonly string[];
  readonly log?: (line: string) => void;
}

export interface KillSummary {
  readonly kills: number;
  /** How often each outcome occurred: the stage at the kill, and the state after the restart. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Each with the options that repeat it. */
  readonly failures: readonly string[];
}

export async function kill(options: KillOptions): Promise<KillSummary> {
  const outcomes: Record<string, number> = {};
  const failures: string[] = [];
  const rounds = prepareRounds(options);
  try {
    for (let done = 0; done < options.count; done += 1) {
      const seed = options.seed + done;
      const plan = planOf(seed, options.recordings ?? legacyRecordings);
      try {
        const { atKill, after } = await rounds.run(plan);
        const key = `${plan.method}: ${atKill} -> ${after}`;
        outcomes[key] = (outcomes[key] ?? 0) + 1;
      } catch (error) {
        failures.push(
          `--seed ${seed} --count 1 (${titleOf(plan)}): ${error instanceof Error ? error.message : error}`,
        );
        options.log?.(failures.at(-1) ?? '');
        await rounds.reset();
      }
      if ((done + 1) % 20 === 0) options.log?.(`${done + 1} kills, ${failures.length} failures`);
    }
  } finally {
    await rounds.close();
  }
  return { kills: options.count, outcomes, failures };
}

/** The rounds share a folder. Each restarts the engine. */
function prepareRounds({ program, folder }: KillOptions) {
  const wallets = join(folder, 'regtest', 'wallets');
  mkdirSync(wallets, { recursive: true });
  const baselines = new Map<string, Baseline>();
  let running: { engine: EngineProcess; release: number } | null = null;

  async function engineOf(release: Plan['release']): Promise<EngineProcess> {
    if (running?.release === release) return running.engine;
    await running?.engine.end('SIGKILL');
    running = null;
    const engine = await launchEngine({ program, wallets, release });
    running = { engine, release };
    return engine;
  }

  async function clear(): Promise<void> {
    if (running) {
      const answer = await running.engine.call('listwallets');
      for (const name of answer.kind === 'result' && Array.isArray(answer.result) ? answer.result : []) {
        await running.engine.call('unloadwallet', [String(name)]);
      }
    }
    for (const name of readdirSync(wallets)) {
      if (name !== '.wallet-ferry-engine.lock') rmSync(join(wallets, name), { recursive: true });
    }
    rmSync(join(folder, 'regtest', 'settings.json'), { force: true });
  }

  function begin(engine: EngineProcess, { method, subject, listed }: Plan): Promise<Answer> {
    const { file, passphrase } = recordingOf(subject.recording);
    if (method === 'restorewallet') return engine.call(method, [subject.name, file, listed]);
    return engine.call(method, passphrase === undefined ? [subject.name] : [subject.name, passphrase]);
  }

  function prepare({ method, subject }: Plan): void {
    if (method === 'migratewallet') putSubject(wallets, subject);
  }

  async function baselineOf(plan: Plan): Promise<Baseline> {
    const key = `${plan.method} ${plan.subject.recording} ${plan.subject.form}`;
    const cached = baselines.get(key);
    if (cached) return cached;
    const engine = await engineOf(plan.release);
    prepare(plan);
    const changes = countChanges(wallets, plan);
    const since = performance.now();
    const answer = await begin(engine, plan);
    const milliseconds = performance.now() - since;
    // The system may report the last changes late.
    await wait(20);
    const baseline = { milliseconds, changes: changes.count() };
    changes.close();
    if (answer.kind !== 'result') throw new Error(`${plan.method} does not work: ${JSON.stringify(answer)}`);
    if (baseline.changes === 0) throw new Error('the system reported no change in the folder');
    if ((await stateAfter(plan, engine)) !== doneState(plan))
      throw new Error('the uninterrupted call did not finish its work');
    baselines.set(key, baseline);
    await clear();
    return baseline;
  }

  async function stateAfter({ method, subject }: Plan, engine: EngineProcess): Promise<string> {
    if (method === 'restorewallet') return restoreState(wallets, subject.name, subject.recording);
    return migrationState(wallets, subject, engine);
  }

  return {
    async run(plan: Plan): Promise<{ atKill: string; after: string }> {
      const baseline = await baselineOf(plan);
      const engine = await engineOf(plan.release);
      prepare(plan);
      const answered = await cutOff(engine, () => begin(engine, plan), plan, baseline, wallets);
      running = null;
      const atKill = answered.kind === 'cut' ? stageOf(wallets, plan) : 'answered';
      if (answered.kind === 'error') throw new Error(`answered ${answered.code} ${answered.message}`);
      const again = await engineOf(plan.release);
      const left = [...filesOf(dirname(wallets)), ...readdirSync(stateFolder(wallets))];
      const incomplete = left.filter((path) => /\.(part|old|moves)$/.test(path));
      if (incomplete.length > 0) throw new Error(`left after the restart: ${incomplete.join(', ')}`);
      const after = await stateAfter(plan, again);
      if (answered.kind === 'result' && after !== doneState(plan))
        throw new Error(`the call was answered, but the wallet is ${after}`);
      const original = readFileSync(recordingOf(plan.subject.recording).file);
      if (!original.equals(recordingOf(plan.subject.recording).bytes))
        throw new Error('the backup was changed');
      if (after === 'whole') resultOf(await again.call('getwalletinfo', [], await loaded(again, plan)));
      if (plan.again && after !== doneState(plan)) {
        const answer = await begin(again, plan);
        if (answer.kind !== 'result')
          throw new Error(`the call cannot be repeated: ${JSON.stringify(answer)}`);
        if ((await stateAfter(plan, again)) !== doneState(plan))
          throw new Error('the repeated call did not finish its work');
      }
      await clear();
      return { atKill, after };
    },
    async reset(): Promise<void> {
      await running?.engine.end('SIGKILL');
      running = null;
      await clear();
    },
    async close(): Promise<void> {
      await running?.engine.end('SIGTERM');
    },
  };
}

interface Baseline {
  readonly milliseconds: number;
  readonly changes: number;
}

/** Loads a restored wallet. Returns its name. */
async function loaded(engine: EngineProcess, { subject }: Plan): Promise<string> {
  const answer = await engine.call('loadwallet', [subject.name]);
  // -35: the engine already loaded it at its start.
  if (answer.kind !== 'error' || answer.code !== -35) resultOf(answer);
  return subject.name;
}

/** Makes the call and kills the engine at the planned instant. */
async function cutOff(
  engine: EngineProcess,
  begin: () => Promise<Answer>,
  plan: Plan,
  baseline: Baseline,
  wallets: string,
): Promise<Answer> {
  const { instant } = plan;
  if (instant.of === 'time') {
    const answer = begin();
    await Promise.race([wait(instant.share * baseline.milliseconds), answer]);
    await engine.end('SIGKILL');
    return answer;
  }
  const changes = countChanges(wallets, plan, 1 + Math.floor(instant.share * baseline.changes), () => {
    // A timer is too slow for stages that last a millisecond.
    const until = performance.now() + instant.milliseconds;
    while (performance.now() < until);
    engine.child.kill('SIGKILL');
  });
  const answer = await begin();
  changes.close();
  await engine.end('SIGKILL');
  return answer;
}

/** Counts the changes in the folders of a call, and calls `reached` at the given number. */
function countChanges(wallets: string, { method, subject }: Plan, number = 0, reached = () => {}) {
  const folders = new Set([wallets]);
  if (method === 'migratewallet') folders.add(dirname(originalFile(wallets, subject)));
  let count = 0;
  const watchers: FSWatcher[] = [...folders].map((folder) =>
    watch(folder, () => {
      count += 1;
      if (count === number) reached();
    }),
  );
  return {
    count: () => count,
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** The stage that the call has reached, judged by the files. */
function stageOf(wallets: string, { method, subject }: Plan): string {
  const names = readdirSync(wallets, { recursive: true, encoding: 'utf8' });
  if (readdirSync(stateFolder(wallets)).some((name) => name.endsWith('.moves'))) return 'moving';
  // A migration creates its files before it reads the wallet.
  const isFilled = (name: string) =>
    (statSync(join(wallets, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
  const parts = names.filter((name) => name.endsWith('.part') && isFilled(name));
  if (method === 'restorewallet') {
    if (parts.length > 0) return 'writing';
    return names.some((name) => name.startsWith(subject.name)) ? 'placed' : 'reading';
  }
  if (!names.some((name) => name.endsWith('.legacy.bak'))) return parts.length > 0 ? 'backing up' : 'reading';
  return parts.length > 0 ? 'writing' : 'migrating or placed';
}

/** The call, and the moment of the kill, both drawn from a seed. */
interface Plan {
  readonly method: 'migratewallet' | 'restorewallet';
  readonly subject: Subject;
  readonly release: 25 | 28 | 30;
  /** The moment of the kill: a share of the call's time, or some milliseconds after a share of its changes to files. */
  readonly instant:
    | { readonly of: 'time'; readonly share: number }
    | { readonly of: 'changes'; readonly share: number; readonly milliseconds: number };
  readonly listed: boolean;
  /** Whether to repeat the call after the restart. */
  readonly again: boolean;
}

function planOf(seed: number, recordings: readonly string[]): Plan {
  const random = seededRandom(seed);
  const method = random.share() < 0.7 ? 'migratewallet' : 'restorewallet';
  const form = method === 'restorewallet' ? 'named' : random.of(forms);
  // Release 30 cannot load a legacy wallet, so it cannot restore one.
  const release = random.of(method === 'restorewallet' ? ([25, 28] as const) : ([28, 30] as const));
  const all =
    method === 'restorewallet' ? [...recordings, 'descriptor-hd', 'descriptor-encrypted'] : recordings;
  const name = { named: `wallet ${seed}`, bare: `old${seed}.dat`, unnamed: '' }[form];
  return {
    method,
    subject: { recording: random.of(all), form, name },
    release,
    instant:
      random.share() < 0.5
        ? { of: 'time', share: random.share() * 1.05 }
        : { of: 'changes', share: random.share(), milliseconds: random.share() * 2 },
    listed: random.share() < 0.5,
    again: random.share() < 0.1,
  };
}

function titleOf({ method, subject, release, instant }: Plan): string {
  return `${method} of ${subject.recording}, ${subject.form}, release ${release}, at ${instant.share.toFixed(3)} of its ${instant.of}`;
}

/** The state of the files after a call that was not interrupted. */
function doneState({ method }: Plan): string {
  return method === 'restorewallet' ? 'whole' : 'complete';
}

const legacyRecordings = legacyNames.filter((name) => name !== 'legacy-blank');
const forms: readonly Form[] = ['named', 'bare', 'unnamed'];
