/** Long-running work on the node: started after a check, written down and told as it goes, one at a time per wallet. */
import type { Input, Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Job, withoutLogLines } from '../../../shared/model/job.ts';
import { identityOf, type NodeAddress, type NodeIdentity, sameNode } from '../../../shared/model/node.ts';
import { blockerText } from '../../../shared/wording/planWords.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Secret } from '../../bitcoind/calls/call.ts';
import { verifySameNode } from '../../bitcoind/calls/status.ts';
import { abortRescan } from '../../bitcoind/calls/walletCalls.ts';
import { markLogEnd } from '../../bitcoind/log/logFollower.ts';
import { logOwner } from '../../bitcoind/log/nodeLog.ts';
import type { BlockRange } from '../../bitcoind/log/progress.ts';
import { stoppedNodeFolder } from '../../bitcoind/rpc/listeners.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { takeBackPlaced } from '../placing/takeBackPlaced.ts';
import { isWorse } from '../plan/buildPlan.ts';
import { refusePassphrase } from '../plan/checkPassphrase.ts';
import type { Checkpoint } from '../plan/checkpoint.ts';
import { elsewhere, neverSent } from '../plan/jobErrors.ts';
import { newName, type Plans } from '../plan/plans.ts';
import type { Prover } from '../proof/proof.ts';
import { refuseChangedBackup } from '../restore.ts';
import type { Interruptions } from '../safetyCopies/interruptions.ts';
import type { SafetyCopies } from '../safetyCopies/safetyCopies.ts';
import { type BusyWallets, createBusyWallets } from './busyWallets.ts';
import { type Journal, type JournalEntry, keepRecord, knownNodeOf, writeIfPossible } from './journal.ts';
import { firstSnapshot, type RunContext } from './runContext.ts';
import { jobKindOf, resumedJobOf, resumeJob, runJob } from './runJob.ts';
import { createLeftCopies, createUnknownJobs, sessionOf } from './unsettledJobs.ts';
import { startWatch, type Tracked, track, type Watch } from './watch.ts';

export type Jobs = ReturnType<typeof createJobs>;

export interface JobsOptions {
  /** The node in use. Throws AppError `not_connected`. */
  session: () => Session;
  /** Takes each change of a job, with only the log lines that no earlier change had. */
  emit: (job: Job) => void;
  /** Where it is written down. */
  journal: Journal;
  /** Shared with what else works on wallets. */
  busy?: BusyWallets;
  copies: SafetyCopies;
  plans: Plans;
  prover: Prover;
  interruptions: Interruptions;
  /** Work on wallet files apart from the main thread. */
  work: WalletWork;
  /** The wallets folder of a node that no longer runs; null while it may. */
  stoppedNodeFolder?: RunContext['stoppedNodeFolder'];
  /** Unix seconds, with fractions. */
  now?: () => number;
  /** Milliseconds between questions to a node whose line is lost, or whose log cannot be read. Default 2000. */
  askEveryMs?: number;
  /** Milliseconds between questions to a node that has not answered the long call yet. Default 30,000. */
  silenceMs?: number;
  /** Milliseconds between looks at the log, and between snapshots that only tell progress. Default 100. */
  logEveryMs?: number;
}

interface Entry {
  tracked: Tracked;
  controller: AbortController;
  checkpoint: Checkpoint;
  session: () => Session;
}

/** Ended ones beyond this are no longer held in memory; the journal keeps them. */
const MOST_KEPT = 1000;

export function createJobs(options: JobsOptions) {
  const { session, emit, journal, prover, work, copies, plans, interruptions } = options;
  const { now = () => Date.now() / 1000, stoppedNodeFolder: folderOfGone = stoppedNodeFolder } = options;
  const { askEveryMs = 2000, silenceMs = 30_000, logEveryMs = 100 } = options;
  const entries = new Map<string, Entry>();
  /** Of earlier sessions, ended. */
  const past: Job[] = [];
  const unreadable: string[] = [];
  let left: NodeIdentity | null = null;
  /** Where the offline engine has worked in earlier sessions. */
  const engineFolders = new Set<string>();
  const { occupy } = options.busy ?? createBusyWallets();
  /** A job that is begun is seen through, whoever asked for it, unless the app leaves. */
  const running = new AbortController();

  /** By job, how many log lines the listeners have. */
  const emittedLines = new Map<string, number>();
  const tellOutside = (job: Job) => {
    const event = withoutLogLines(job, emittedLines.get(job.id) ?? 0);
    emittedLines.set(job.id, job.logLength);
    // A listener that fails must not stop the work on a wallet.
    orNull(() => emit(event));
  };

  const leftCopies = createLeftCopies({ journal, session, tell: tellOutside });
  const unknownJobs = createUnknownJobs({
    stoppedNodeFolder: folderOfGone,
    ...{ askEveryMs, logEveryMs, now, signal: running.signal },
    sessionFor(entry) {
      const found = sessionOf(knownNodeOf(entry), session);
      if (found === null) throw elsewhere(entry.job);
      return found;
    },
    resumedJobOf: ({ checkpoint }) => resumedJobOf(checkpoint, { prover, interruptions }),
    settle(entry) {
      leftCopies.settle(entry);
      if (entry.job.state === 'failed') void leftCopies.takeBack();
    },
  });
  const recalled = recall();

  async function run({ answers, ...input }: Input<'plan.run'>): Promise<Output<'plan.run'>> {
    await recalled;
    const shown = plans.get(input.plan);
    const passphrase = input.passphrase || undefined;
    const { kind } = shown.plan;
    const wallet = newName(shown.plan, answers) ?? shown.plan.wallet;
    const begun = session();
    const free = occupy(kind, wallet, begun.client.address);
    try {
      if (kind === 'restore-migrate' || kind === 'rescue') {
        // What an earlier try left under this name is in the way of it.
        await leftCopies.takeBack();
        leftCopies.refuseInTheWay(wallet);
      }
      const given = { ...answers, withPassphrase: passphrase !== undefined };
      const current = { session: begun, passphrase, signal: running.signal };
      const latest = await plans.refresh(shown, given, current);
      refuseChangedBackup(shown.plan, latest.plan);
      if (isWorse(shown.plan, latest.plan) || blockerText(latest.plan, passphrase !== undefined) !== null) {
        free();
        return { began: false, plan: latest.plan };
      }
      refusePassphrase(latest.facts, passphrase);
      const jobKind = jobKindOf(latest.facts, {
        calls: latest.calls,
        gavePassphrase: passphrase !== undefined,
        copies,
        work,
        ...{ prover, interruptions },
      });
      const seen = shown.plan.node.identity;
      const secret: Secret = {
        passphrase,
        verifyNode: (client, asked) => verifySameNode(client, seen, asked),
      };
      // The session tells another one once the node was looked at again.
      const { status } = begun;
      const { logPath, walletsFolder, offline, listener } = status;
      const owner = logOwner(listener);
      const logMark = logPath === null ? null : await markLogEnd(logPath, owner);
      const watch = await startWatch({
        kind,
        wallet,
        logPath,
        logOwner: owner,
        logEveryMs,
        now,
        range: rangeOf(jobKind.checkpoint),
      });
      const { checkpoint } = jobKind;
      const job = {
        ...firstSnapshot(kind, wallet, begun, watch, now()),
        ...(checkpoint.kind === 'restore' && checkpoint.repaired !== undefined && { rescues: true as const }),
      };
      const node = identityOf(status);
      const entry = { job, checkpoint, sent: false, walletsFolder, offline, node, logMark };
      try {
        running.signal.throwIfAborted();
        // Without its place in the journal a job does not begin.
        journal.write(entry);
      } catch (error) {
        await watch.stop();
        throw error;
      }
      const context = enter(entry, watch, () => sessionOf(node, session) ?? begun, free);
      void runJob(jobKind, secret, context).finally(free);
      return { began: true, job };
    } catch (error) {
      free();
      throw error;
    }
  }

  /** Makes a running job known: every transition is on the disk before anyone is told of it. */
  function enter(begun: JournalEntry, watch: Watch, sessionNow: () => Session, free: () => void): RunContext {
    const record = keepRecord(begun, journal);
    const tell = (job: Job) => {
      record.changed(job);
      // Free before anyone hears of the end: who hears of it may begin anew at once.
      if (job.state !== 'running') {
        leftCopies.keep(record.entry());
        unknownJobs.keep(record.entry());
        free();
      }
      tellOutside(job);
      if (job.state === 'unknown') void unknownJobs.askAgain();
    };
    const tracked = track(begun.job, tell, logEveryMs);
    watch.tellTo(tracked);
    const controller = new AbortController();
    entries.set(begun.job.id, { tracked, controller, checkpoint: begun.checkpoint, session: sessionNow });
    forgetOldest(entries);
    return {
      tracked,
      watch,
      session: sessionNow,
      known: knownNodeOf(begun),
      signal: controller.signal,
      askEveryMs,
      silenceMs,
      stoppedNodeFolder: folderOfGone,
      now,
      keep: (sent) => record.keep(tracked.current(), sent),
    };
  }

  /** What earlier sessions left: ended ones for History, running ones to go on with. */
  async function recall(): Promise<void> {
    for (const entry of await journal.read((path) => unreadable.push(path))) {
      if (running.signal.aborted) return;
      if (entry.offline && entry.walletsFolder !== null) engineFolders.add(entry.walletsFolder);
      if (entry.job.state === 'running') await resume(entry);
      else {
        past.push(entry.job);
        leftCopies.keep(entry);
        unknownJobs.keep(entry);
      }
    }
    // A disk that hangs keeps nobody from working.
    void leftCopies.takeBack();
    void unknownJobs.askAgain();
  }

  async function resume(entry: JournalEntry): Promise<void> {
    if (!entry.sent) {
      const leftCopy = await takeBackPlaced(entry.checkpoint, null, 'never');
      const settled = await copies.settled();
      const ended = neverSent(entry.job, Math.max(now(), entry.job.started), settled);
      const job = leftCopy === null ? ended : { ...ended, leftCopy };
      writeIfPossible(journal, { ...entry, job });
      leftCopies.keep({ ...entry, job });
      past.push(job);
      return;
    }
    const { kind, wallet, node, started } = entry.job;
    const known = knownNodeOf(entry);
    left = known;
    const watch = await startWatch({
      kind,
      wallet,
      logPath: entry.logMark?.path ?? null,
      logOwner: logOwner(known.listener),
      from: { mark: entry.logMark, started },
      range: rangeOf(entry.checkpoint),
      logEveryMs,
      now,
    });
    const free = occupy(kind, wallet, node.address);
    const job: Job = {
      ...entry.job,
      connection: 'lost',
      silentSince: undefined,
      resumed: true,
      measured: watch.readable ? 'log' : 'time',
    };
    const sessionNow = () => {
      const found = sessionOf(known, session);
      if (found === null) throw elsewhere(job);
      return found;
    };
    const resumedJob = resumedJobOf(entry.checkpoint, { prover, interruptions });
    void resumeJob(resumedJob, enter({ ...entry, job }, watch, sessionNow, free)).finally(free);
  }

  const held = () => [...entries.values()].map(({ tracked }) => tracked.current());

  return {
    /**
     * Looks at everything once more and runs the plan. Throws AppError where it cannot begin (`plan_gone`, `not_connected`,
     * `job_running`, `journal_unwritable`, `wrong_passphrase`, `file_changed`, and what the node's calls throw): then
     * nothing was sent. After that it runs by itself; what becomes of it comes through `emit`.
     */
    run,
    /** Newest first, those of earlier sessions too. */
    async list(): Promise<Job[]> {
      await recalled;
      return [...past, ...held()]
        .map(leftCopies.latest)
        .reverse()
        .sort((a, b) => b.started - a.started);
    },
    /** Paths in the journal of what could not be read: of each the app does not know what it tells. */
    async unreadable(): Promise<string[]> {
      await recalled;
      return unreadable;
    },
    /** The node's log lines of one job. */
    async log(id: string): Promise<string[]> {
      const entry = entries.get(id);
      return entry ? entry.tracked.current().log : journal.logOf(id);
    },
    /** Finds out what came of the jobs of which that is not known. Never throws. */
    async askAgain(): Promise<void> {
      await recalled;
      await unknownJobs.askAgain();
    },
    /** Tries again to take away placed copies of which nothing came. Never throws. */
    async takeBackCopies(): Promise<void> {
      await recalled;
      await leftCopies.takeBack();
    },
    /** The node of work that an earlier session left unfinished; null where there is none. */
    async leftOn(): Promise<NodeIdentity | null> {
      await recalled;
      return left;
    },
    /** Wallets folders in which the offline engine started jobs in earlier sessions. */
    async engineFolders(): Promise<string[]> {
      await recalled;
      return [...engineFolders];
    },
    /** How many run now, on any node or on this one. */
    running: (on?: NodeAddress) =>
      held().filter(
        ({ state, node }) => state === 'running' && (on === undefined || sameNode(node.address, on)),
      ).length,
    /** Ends as `unknown`, or `failed` while the call was not sent. Throws `bad_input` when none of that id runs. */
    stopWaiting(id: string): void {
      const entry = entries.get(id);
      if (entry?.tracked.current().state !== 'running')
        throw new AppError('bad_input', say('This job is not running.'), say('There is nothing to stop.'));
      entry.controller.abort();
    },
    /**
     * Has the node stop a rescan, which then ends by itself. What was found so far stays. Throws `bad_input` when none of that id
     * runs, and what the node's calls throw.
     */
    async cancelRescan(id: string): Promise<void> {
      const entry = entries.get(id);
      if (entry?.tracked.current().state !== 'running' || entry.checkpoint.kind !== 'rescan')
        throw new AppError('bad_input', say('This rescan is not running.'), say('There is nothing to stop.'));
      entry.checkpoint.cancelled = true;
      await abortRescan(entry.session().client, entry.checkpoint.name);
    },
    /** The app is leaving: nothing is told any more. What runs is gone on with at the next start. */
    close(): void {
      unknownJobs.close();
      running.abort(
        new AppError('cancelled', say('The app is closing.'), say('Nothing was sent to the node.')),
      );
      for (const { tracked, controller } of entries.values()) {
        tracked.mute();
        controller.abort();
      }
    },
  };
}

function rangeOf(checkpoint: Checkpoint): BlockRange | null {
  return checkpoint.kind === 'rescan' ? checkpoint.range : null;
}

function forgetOldest(entries: Map<string, Entry>): void {
  for (const [id, { tracked }] of entries) {
    if (entries.size <= MOST_KEPT) return;
    if (tracked.current().state !== 'running') entries.delete(id);
  }
}
