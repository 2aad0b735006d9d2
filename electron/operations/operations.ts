/** Long-running work on the node: started after a check, told as it goes, one at a time for each wallet. */
import { randomUUID } from 'node:crypto';
import type { Input } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import type { Operation } from '../../shared/model.ts';
import type { NodeClient, Session } from '../node/session.ts';
import { planBackup } from './backUp.ts';
import { planMigration } from './migrate.ts';
import type { Plan } from './plan.ts';
import { stepsOf } from './progress.ts';
import { planRestore } from './restore.ts';
import { runOperation } from './runOperation.ts';
import { type Tracked, track } from './tracked.ts';
import { startWatch } from './watch.ts';

export interface Operations {
  /**
   * Each checks first and throws AppError when it cannot work (`not_connected`, `operation_running`, and what
   * `planRestore`, `planMigration`, `planBackup` name): then nothing was sent. After that the operation runs by
   * itself; what becomes of it comes through `emit`.
   */
  startRestore(input: Input<'restore.start'>): Promise<Operation>;
  startMigrate(input: Input<'migrate.start'>): Promise<Operation>;
  startBackup(input: Input<'backup.start'>): Promise<Operation>;
  /** Newest first. */
  list(): Operation[];
  /** How many run now. */
  running(): number;
  /** Ends the waiting as `unknown`; the node goes on. Throws AppError `bad_input` when none of that id runs. */
  stopWaiting(id: string): void;
  /** The app is leaving: nothing is told any more. */
  close(): void;
}

export interface OperationsOptions {
  /** The node in use. Throws AppError `not_connected`. */
  session: () => Session;
  emit: (operation: Operation) => void;
  /** Unix seconds, with fractions. */
  now?: () => number;
  /** Milliseconds between questions to a node whose line is lost, or whose log cannot be read. Default 2000. */
  askEveryMs?: number;
  /** Milliseconds between looks at the log, and between snapshots that only tell progress. Default 100. */
  logEveryMs?: number;
}

interface Entry {
  tracked: Tracked;
  controller: AbortController;
}

/** Ended ones beyond this are forgotten. */
const MOST_KEPT = 200;

export function createOperations(options: OperationsOptions): Operations {
  const { session, emit, now = () => Date.now() / 1000, askEveryMs = 2000, logEveryMs = 100 } = options;
  const entries = new Map<string, Entry>();
  const busy = new Set<string>();
  let closed = false;

  /** Every transition of every operation passes here, before anyone is told. */
  const record = (operation: Operation) => {
    try {
      emit(operation);
    } catch {
      // A listener that fails must not stop the work on a wallet.
    }
  };

  async function start<Answer>(
    kind: Operation['kind'],
    wallet: string,
    prepare: (session: Session) => Promise<Plan<Answer>>,
  ): Promise<Operation> {
    const begun = session();
    const { host, port } = begun.client.address;
    const key = `${host}:${port}/${wallet}`;
    if (busy.has(key)) throw alreadyRunning(wallet);
    busy.add(key);
    const free = () => busy.delete(key);
    try {
      const plan = await prepare(begun);
      const watch = await startWatch({ kind, wallet, logPath: begun.status.logPath, logEveryMs, now });
      if (closed) {
        await watch.stop();
        throw leaving();
      }
      const { status } = begun;
      const first: Operation = {
        id: randomUUID(),
        kind,
        wallet,
        node: {
          label: status.label,
          address: { ...begun.client.address },
          network: status.network,
          release: status.release.text,
        },
        state: 'running',
        line: 'ok',
        steps: stepsOf(watch.state()),
        measured: watch.readable ? 'log' : 'time',
        progress: null,
        started: now(),
        ended: null,
        warnings: [],
        result: null,
        error: null,
        safetyCopy: null,
        proof: null,
        resumed: false,
        log: [],
      };
      const tell = (operation: Operation) => {
        // Free before anyone hears of the end: who hears of it may begin anew at once.
        if (operation.state !== 'running') free();
        record(operation);
      };
      const tracked = track(first, tell, logEveryMs);
      watch.tellTo(tracked);
      const controller = new AbortController();
      entries.set(first.id, { tracked, controller });
      forgetOldest(entries);
      const context = {
        tracked,
        watch,
        client: () => clientNow(begun),
        signal: controller.signal,
        askEveryMs,
        now,
      };
      void runOperation(plan, context).finally(free);
      return first;
    } catch (error) {
      free();
      throw error;
    }
  }

  /** The app may have had to reach the same node anew meanwhile, with another login. */
  function clientNow(begun: Session): NodeClient {
    try {
      const { client, status } = session();
      const { host, port } = begun.client.address;
      const same =
        client.address.host === host &&
        client.address.port === port &&
        status.network === begun.status.network;
      return same ? client : begun.client;
    } catch {
      return begun.client;
    }
  }

  const all = () => [...entries.values()].map(({ tracked }) => tracked.current());

  return {
    startRestore: (input) => start('restore', input.name, (begun) => planRestore(begun, input)),
    startMigrate: (input) => start('migrate', input.name, (begun) => planMigration(begun, input)),
    startBackup: (input) => start('backup', input.name, (begun) => planBackup(begun, input)),
    list: () => all().reverse(),
    running: () => all().filter(({ state }) => state === 'running').length,
    stopWaiting(id) {
      const entry = entries.get(id);
      if (entry?.tracked.current().state !== 'running') throw notRunning();
      entry.controller.abort();
    },
    close() {
      closed = true;
      for (const { tracked, controller } of entries.values()) {
        tracked.mute();
        controller.abort();
      }
    },
  };
}

function forgetOldest(entries: Map<string, Entry>): void {
  for (const [id, { tracked }] of entries) {
    if (entries.size <= MOST_KEPT) return;
    if (tracked.current().state !== 'running') entries.delete(id);
  }
}

function alreadyRunning(wallet: string): AppError {
  return new AppError(
    'operation_running',
    wallet === '' ? 'The unnamed wallet is being worked on.' : `“${wallet}” is being worked on.`,
    'Nothing was sent to the node. Wait until the operation that runs now has ended.',
  );
}

function notRunning(): AppError {
  return new AppError('bad_input', 'This operation does not run any more.', 'There is nothing to stop.');
}

function leaving(): AppError {
  return new AppError('cancelled', 'The app is closing.', 'Nothing was sent to the node.');
}
