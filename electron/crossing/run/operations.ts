/** Long-running work on the node: started after a check, written down and told as it goes, one at a time per wallet. */
import type { Input } from '../../../shared/contract.ts';
import { identityOf, type NodeAddress, type NodeIdentity, sameNode } from '../../../shared/node.ts';
import type { Operation } from '../../../shared/operation.ts';
import { refuseOtherThanSeen } from '../../node/calls/askIdentity.ts';
import { markLogEnd } from '../../node/log/logMark.ts';
import { logOwner } from '../../node/log/nodeLog.ts';
import type { Session } from '../../node/rpc/session.ts';
import type { SafetyCopies } from '../copies/safetyCopies.ts';
import { planBackup } from '../kinds/backUp.ts';
import { continuationOf } from '../kinds/continuation.ts';
import { planMigration } from '../kinds/migrate.ts';
import { planRestore } from '../kinds/restore.ts';
import { planRestoreMigrate } from '../kinds/restoreMigrate.ts';
import type { Looking } from '../plan/gatherFacts.ts';
import {
  copyInTheWay,
  elsewhere,
  leaving,
  neverSent,
  notRunning,
  onAnotherNode,
} from '../plan/operationErrors.ts';
import type { Continuation, Plan } from '../plan/plan.ts';
import type { Prover } from '../proof/proof.ts';
import { type BusyWallets, createBusyWallets } from './busyWallets.ts';
import { firstSnapshot } from './firstSnapshot.ts';
import { type Journal, type JournalEntry, knownNodeOf } from './journal.ts';
import { keepRecord, writeIfPossible } from './keepRecord.ts';
import { createLeftCopies } from './leftCopies.ts';
import type { RunContext } from './runContext.ts';
import { resumeOperation, runOperation } from './runOperation.ts';
import { sessionOf } from './sessionOf.ts';
import { type Tracked, track } from './tracked.ts';
import { startWatch, type Watch } from './watch.ts';

interface Operations {
  /**
   * Each checks first and throws AppError when it cannot work (`not_connected`, `operation_running`,
   * `journal_unwritable`, and what `planRestore`, `planMigration`, `planBackup` name): then nothing was sent. After
   * that the operation runs by itself; what becomes of it comes through `emit`.
   */
  startRestore(input: Input<'restore.start'>): Promise<Operation>;
  startMigrate(input: Input<'migrate.start'>): Promise<Operation>;
  startRestoreMigrate(input: Input<'restoreMigrate.start'>): Promise<Operation>;
  startBackup(input: Input<'backup.start'>): Promise<Operation>;
  /** Newest first, those of earlier sessions too. */
  list(): Promise<Operation[]>;
  /** The node's log lines of one operation. */
  log(id: string): Promise<string[]>;
  /**
   * Tries again to take away copies that were placed for migrations of which nothing came: the node may be back, or the
   * disk. Never throws.
   */
  takeBackCopies(): Promise<void>;
  /** The node of work that an earlier session left unfinished; null where there is none. */
  leftOn(): Promise<NodeIdentity | null>;
  /** How many run now. */
  running(): number;
  /**
   * Ends the waiting: as `unknown` while the node goes on, or as `failed` where its call was not sent yet. Throws
   * AppError `bad_input` when none of that id runs.
   */
  stopWaiting(id: string): void;
  /** The app is leaving: nothing is told any more. What runs is gone on with at the next start. */
  close(): void;
}

export interface OperationsOptions {
  /** The node in use. Throws AppError `not_connected`. */
  session: () => Session;
  emit: (operation: Operation) => void;
  /** Where it is written down. Without one nothing outlives the app. */
  journal?: Journal;
  /** Shared with what else works on wallets. */
  busy?: BusyWallets;
  /** Where the app keeps its own copies of wallets. */
  copies?: SafetyCopies;
  /** Looks at what the checks go by; without it only the gravest are made. */
  looking?: Looking;
  /** Compares what a migration made with what was before it. */
  prover?: Prover;
  /** Unix seconds, with fractions. */
  now?: () => number;
  /** Milliseconds between questions to a node whose line is lost, or whose log cannot be read. Default 2000. */
  askEveryMs?: number;
  /** Milliseconds between questions to a node that has not answered the long call yet. Default 30,000. */
  silenceMs?: number;
  /** Milliseconds between looks at the log, and between snapshots that only tell progress. Default 100. */
  logEveryMs?: number;
}

/** What is to be done to, and the node that the user saw: its address, or all that it is known by. */
interface Wanted {
  readonly name: string;
  readonly node?: NodeAddress | undefined;
  readonly seen?: NodeIdentity | undefined;
}

interface Entry {
  tracked: Tracked;
  controller: AbortController;
}

/** Ended ones beyond this are no longer held in memory; the journal keeps them. */
const MOST_HELD = 1000;

export function createOperations(options: OperationsOptions): Operations {
  const {
    session,
    emit,
    journal,
    now = () => Date.now() / 1000,
    askEveryMs = 2000,
    silenceMs = 30_000,
    logEveryMs = 100,
  } = options;
  const entries = new Map<string, Entry>();
  /** Of earlier sessions, ended. */
  const past: Operation[] = [];
  let left: NodeIdentity | null = null;
  const { occupy } = options.busy ?? createBusyWallets();
  let closed = false;

  const tellOutside = (operation: Operation) => {
    try {
      emit(operation);
    } catch {
      // A listener that fails must not stop the work on a wallet.
    }
  };

  const leftCopies = createLeftCopies({ journal, session, tell: tellOutside });
  const recalled = recall();

  async function start<Answer>(
    kind: Operation['kind'],
    { name: wallet, node, seen }: Wanted,
    prepare: (session: Session) => Promise<Plan<Answer>>,
  ): Promise<Operation> {
    await recalled;
    const begun = session();
    const address = seen?.address ?? node;
    if (address && !sameNode(address, begun.client.address)) throw onAnotherNode(address);
    if (seen) refuseOtherThanSeen(seen, identityOf(begun.status));
    const free = occupy(kind, wallet, begun.client.address);
    try {
      const plan = await prepare(begun);
      const { status } = begun;
      const { logPath } = status;
      const owner = logOwner(status.listener);
      const mark = logPath === null ? null : await markLogEnd(logPath, owner);
      const watch = await startWatch({ kind, wallet, logPath, logOwner: owner, logEveryMs, now });
      if (closed) {
        await watch.stop();
        throw leaving();
      }
      const first = firstSnapshot(kind, wallet, begun, watch, now());
      const entry = {
        operation: first,
        memory: plan.memory(),
        sent: false,
        walletsFolder: status.walletsFolder,
        offline: status.offline,
        node: identityOf(status),
        logMark: mark,
      };
      await written(entry, watch);
      const known = knownNodeOf(entry);
      const context = enter(entry, plan, watch, () => sessionOf(known, session) ?? begun, free);
      void runOperation(plan, context).finally(free);
      return first;
    } catch (error) {
      free();
      throw error;
    }
  }

  /** Without its place in the journal an operation does not begin. */
  async function written(entry: JournalEntry, watch: Watch): Promise<void> {
    try {
      journal?.write(entry);
    } catch (error) {
      await watch.stop();
      throw error;
    }
  }

  /** Makes a running operation known: every transition is on the disk before anyone is told of it. */
  function enter(
    begun: JournalEntry,
    plan: Continuation,
    watch: Watch,
    sessionNow: () => Session,
    free: () => void,
  ): RunContext {
    const record = keepRecord(begun, plan, journal);
    const tell = (operation: Operation) => {
      record.changed(operation);
      // Free before anyone hears of the end: who hears of it may begin anew at once.
      if (operation.state !== 'running') {
        leftCopies.keep(record.entry(), plan);
        free();
      }
      tellOutside(operation);
    };
    const tracked = track(begun.operation, tell, logEveryMs);
    watch.tellTo(tracked);
    const controller = new AbortController();
    entries.set(begun.operation.id, { tracked, controller });
    forgetOldest(entries);
    return {
      tracked,
      watch,
      session: sessionNow,
      known: knownNodeOf(begun),
      signal: controller.signal,
      askEveryMs,
      silenceMs,
      now,
      keep: (sent) => record.keep(tracked.current(), sent),
    };
  }

  /** What earlier sessions left: ended ones for Activity, running ones to go on with. */
  async function recall(): Promise<void> {
    for (const entry of (await journal?.read()) ?? []) {
      if (closed) return;
      if (entry.operation.state === 'running') await resume(entry);
      else {
        past.push(entry.operation);
        leftCopies.keep(entry, continuationOf(entry.memory, null));
      }
    }
    // A disk that hangs keeps nobody from working.
    void leftCopies.takeBack();
  }

  async function resume(entry: JournalEntry): Promise<void> {
    const plan = continuationOf(entry.memory, options.prover ?? null);
    if (!entry.sent) {
      const leftCopy = await plan.takeBack?.(null, 'never');
      const settled = (await options.copies?.settled()) ?? { listed: [], removed: [] };
      const ended = neverSent(entry.operation, Math.max(now(), entry.operation.started), settled);
      const operation = leftCopy ? { ...ended, leftCopy } : ended;
      const last = { ...entry, operation, memory: plan.memory() };
      writeIfPossible(journal, last);
      leftCopies.keep(last, plan);
      past.push(operation);
      return;
    }
    const { kind, wallet, node, started } = entry.operation;
    const known = knownNodeOf(entry);
    left = known;
    const watch = await startWatch({
      kind,
      wallet,
      logPath: entry.logMark?.path ?? null,
      logOwner: logOwner(known.listener),
      from: { mark: entry.logMark, started },
      logEveryMs,
      now,
    });
    const free = occupy(kind, wallet, node.address);
    const operation: Operation = {
      ...entry.operation,
      line: 'lost',
      silentSince: undefined,
      resumed: true,
      measured: watch.readable ? 'log' : 'time',
    };
    const sessionNow = () => {
      const found = sessionOf(known, session);
      if (found === null) throw elsewhere(operation);
      return found;
    };
    const context = enter({ ...entry, operation }, plan, watch, sessionNow, free);
    void resumeOperation(plan, context).finally(free);
  }

  const held = () => [...entries.values()].map(({ tracked }) => tracked.current());

  return {
    startRestore: (input) => start('restore', input, (begun) => planRestore(begun, input, options)),
    startMigrate: (input) => start('migrate', input, (begun) => planMigration(begun, input, options)),
    startRestoreMigrate: (input) =>
      start('restore-migrate', input, async (begun) => {
        // What an earlier try left under this name is in the way of it.
        await leftCopies.takeBack();
        const copy = leftCopies.inTheWayOf(input.name);
        if (copy !== null) throw copyInTheWay(copy);
        return planRestoreMigrate(begun, input, options);
      }),
    // It says by itself where the wallet is.
    startBackup: (input) => start('backup', { name: input.name }, (begun) => planBackup(begun, input)),
    async list() {
      await recalled;
      return [...past, ...held()]
        .map(leftCopies.latest)
        .reverse()
        .sort((a, b) => b.started - a.started);
    },
    async log(id) {
      const entry = entries.get(id);
      return entry ? entry.tracked.current().log : ((await journal?.logOf(id)) ?? []);
    },
    async takeBackCopies() {
      await recalled;
      await leftCopies.takeBack();
    },
    async leftOn() {
      await recalled;
      return left;
    },
    running: () => held().filter(({ state }) => state === 'running').length,
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
    if (entries.size <= MOST_HELD) return;
    if (tracked.current().state !== 'running') entries.delete(id);
  }
}
