/** Runs, lists and resumes jobs: checks each plan again, journals each change, and allows one job per wallet. */
import type { Input, Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Job, type JobNode, withoutLogLines } from '../../../shared/model/job.ts';
import {
  identityOf,
  isSameAddress,
  type NodeAddress,
  type NodeIdentity,
} from '../../../shared/model/node.ts';
import { blockerText } from '../../../shared/wording/planWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { isRefusal, type Secret } from '../../bitcoind/calls/call.ts';
import { verifySameNode } from '../../bitcoind/calls/status.ts';
import { abortRescan } from '../../bitcoind/calls/walletCalls.ts';
import { readLogEnd } from '../../bitcoind/log/logFollower.ts';
import { logOwner } from '../../bitcoind/log/nodeLog.ts';
import { stoppedNodeFolder } from '../../bitcoind/rpc/listeners.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { concernedWallets } from '../../walletfile/migrate/companionNames.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import type { ResumedJob } from '../jobKind.ts';
import { notConnectedError, stoppedJob } from '../outcomes.ts';
import { removePlacedCopy, slowLoadOf } from '../placing/removePlacedCopy.ts';
import type { Checkpoint } from '../plan/checkpoint.ts';
import { chosenName, mustShowAgain, type Plans } from '../plan/plans.ts';
import { refusePassphrase } from '../plan/walletChecks.ts';
import type { Prover } from '../proof/proof.ts';
import { refuseChangedBackup } from '../restore.ts';
import type { Interruptions } from '../safetyCopies/interruptions.ts';
import type { SafetyCopies } from '../safetyCopies/safetyCopies.ts';
import type { BusyWallets } from './busyWallets.ts';
import { createEntryWriter, type Journal, type JournalEntry, writeIfPossible } from './journal.ts';
import { createJobKind, createResumedJob, resumeJob, runJob } from './runJob.ts';
import {
  createComparisons,
  createLeftCopies,
  createUnknownJobs,
  sessionOf,
  watchAgain,
} from './unsettledJobs.ts';
import {
  firstSnapshot,
  type JobTiming,
  type JobTracker,
  type RunContext,
  startWatch,
  trackJob,
  type Watch,
} from './watch.ts';

export type Jobs = ReturnType<typeof createJobs>;

export interface JobsOptions extends Partial<JobTiming> {
  /** The node in use. Throws AppError `not_connected`. */
  session: () => Session;
  /** Called with each change of a job, with only the new log lines. */
  emit: (job: Job) => void;
  journal: Journal;
  /** Shared with the requests that load and unload wallets. */
  busy: BusyWallets;
  copies: SafetyCopies;
  plans: Plans;
  prover: Prover;
  interruptions: Interruptions;
  /** Work on wallet files apart from the main thread. */
  work: WalletWork;
  /** The wallets folder of a node that no longer runs; null while it may. */
  stoppedNodeFolder?: RunContext['stoppedNodeFolder'];
}

interface RunningJob {
  tracker: JobTracker;
  controller: AbortController;
  checkpoint: Checkpoint;
  session: () => Session;
}

export function createJobs(options: JobsOptions) {
  const { session, emit, journal, prover, work, copies, plans, interruptions } = options;
  const { now = () => Date.now() / 1000, pollMs = 2000, answerPollMs = 30_000, logPollMs = 100 } = options;
  const timing: JobTiming = { now, pollMs, answerPollMs, logPollMs };
  const findStoppedFolder = options.stoppedNodeFolder ?? stoppedNodeFolder;
  /** All jobs, also those of earlier sessions, in the order of their start. */
  const known = new Map<string, Job>();
  const runningJobs = new Map<string, RunningJob>();
  let lastNumber = 0;
  let nodeOfResumedJob: NodeIdentity | null = null;
  const { reserve } = options.busy;
  /** Aborts only when the app closes: a job continues if its page goes away. */
  const closing = new AbortController();

  const emitChange = (job: Job) => {
    // Listeners have the log lines of the last change.
    const event = withoutLogLines(job, known.get(job.id)?.logLength ?? 0);
    known.set(job.id, job);
    // A failing listener must not stop the job.
    orNull(() => emit(event));
  };

  function sessionFor(entry: JournalEntry): Session {
    const found = sessionOf(entry.node, session);
    if (found === null) throw notConnectedError(entry.job);
    return found;
  }

  function resumedJobOf({ checkpoint }: JournalEntry): ResumedJob {
    return createResumedJob(checkpoint, { prover, interruptions });
  }

  const leftCopies = createLeftCopies({ journal, session, emit: emitChange, reserve });
  const resolveOptions = {
    signal: closing.signal,
    sessionFor,
    resumedJobOf,
    onResolved(entry: JournalEntry) {
      leftCopies.recordOutcome(entry);
      comparisons.add(entry);
      if (entry.job.state === 'failed') void leftCopies.removeAll();
    },
    reserve,
    list,
  };
  const comparisons = createComparisons(resolveOptions);
  const unknownJobs = createUnknownJobs({
    ...resolveOptions,
    ...timing,
    stoppedNodeFolder: findStoppedFolder,
  });
  /** Keeps an ended job whose copy, outcome or comparison is still open. */
  const keepForLater = (entry: JournalEntry) => {
    for (const open of [leftCopies, unknownJobs, comparisons]) open.add(entry);
  };
  const journalRead = readJournal();

  /** `cancelled` stops it only until the job is in the journal. */
  async function run(
    { answers, ...input }: Input<'plan.run'>,
    cancelled: AbortSignal,
  ): Promise<Output<'plan.run'>> {
    const signal = AbortSignal.any([closing.signal, cancelled]);
    await journalRead;
    const stored = plans.get(input.plan);
    const passphrase = input.passphrase || undefined;
    const { facts } = stored;
    const { kind } = stored.plan;
    const wallet = chosenName(stored.plan, answers) ?? stored.plan.wallet;
    const connected = session();
    const newBackup = facts.kind === 'backup' ? (facts.newBackup ?? facts.destination) : undefined;
    const placesCopy = kind === 'restore-migrate' || kind === 'rescue';
    // An earlier try may have left a copy with this name.
    if (placesCopy) await leftCopies.removeAll();
    const release = reserve(concernedWallets(kind, wallet), connected.status, newBackup);
    try {
      if (placesCopy) leftCopies.refuseNameOfCopy(wallet);
      const allAnswers = { ...answers, withPassphrase: passphrase !== undefined };
      const current = { session: connected, passphrase, signal };
      const latest = await plans.refresh(stored, allAnswers, current);
      refuseChangedBackup(stored.plan, latest.plan);
      if (
        mustShowAgain(stored.plan, latest.plan) ||
        blockerText(latest.plan, passphrase !== undefined) !== null
      ) {
        release();
        return { began: false, plan: latest.plan };
      }
      refusePassphrase(latest.facts, passphrase);
      const jobKind = createJobKind(latest.facts, {
        calls: latest.calls,
        gavePassphrase: passphrase !== undefined,
        copies,
        work,
        prover,
        interruptions,
      });
      const shownNode = stored.plan.node.identity;
      const secret: Secret = {
        passphrase,
        verifyNode: (client, signal) => verifySameNode(client, shownNode, signal),
      };
      // A later check of the node replaces the status of its session.
      const { status } = connected;
      const { logPath } = status;
      const owner = logOwner(status.listener);
      const logMark = logPath === null ? null : await readLogEnd(logPath, owner);
      const { checkpoint } = jobKind;
      const watch = await startWatch({ ...timing, checkpoint, logPath, logOwner: owner });
      const job = firstSnapshot(checkpoint, status, watch, now(), latest.facts);
      const node = identityOf(status);
      const number = lastNumber + 1;
      const entry = { job, checkpoint, sent: false, node, logMark, number };
      try {
        signal.throwIfAborted();
        // A job must not start without its journal entry.
        journal.write(entry);
      } catch (error) {
        await watch.stop();
        throw error;
      }
      lastNumber = number;
      const context = registerJob(entry, watch, () => sessionOf(node, session) ?? connected, release);
      void runJob(jobKind, latest.calls, secret, context).finally(release);
      return { began: true, job };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Registers a running job. Each change is on the disk before listeners get it. */
  function registerJob(
    entry: JournalEntry,
    watch: Watch,
    sessionNow: () => Session,
    release: () => void,
  ): RunContext {
    const entryWriter = createEntryWriter(entry, journal);
    const report = (job: Job) => {
      entryWriter.update(job);
      // Free the wallet first: a listener may start the next job at once.
      if (job.state !== 'running') {
        runningJobs.delete(job.id);
        keepForLater(entryWriter.entry());
        release();
      }
      emitChange(job);
      if (job.state === 'unknown') void unknownJobs.resolveAll();
      // An aborted job did not ask its node, and one whose wallet loads slowly did not wait for it.
      if (job.leftCopy && (controller.signal.aborted || slowLoadOf(checkpoint))) void leftCopies.removeAll();
    };
    const tracker = trackJob(entry.job, report, { paceMs: logPollMs, now });
    watch.reportTo(tracker);
    const controller = new AbortController();
    const { checkpoint } = entry;
    runningJobs.set(entry.job.id, { tracker, controller, checkpoint, session: sessionNow });
    return {
      ...timing,
      tracker,
      watch,
      session: sessionNow,
      node: entry.node,
      signal: controller.signal,
      stoppedNodeFolder: findStoppedFolder,
      writeEntry: (sent) => entryWriter.write(tracker.current(), sent),
    };
  }

  /**
   * Reads the jobs of earlier sessions: ended ones for History, running ones to resume. Returns the paths of the entries that the app
   * cannot read, and of those that a newer version wrote.
   */
  async function readJournal(): Promise<{ unreadable: string[]; newer: string[] }> {
    const { entries, ...unread } = await journal.read();
    for (const entry of entries) {
      if (closing.signal.aborted) return unread;
      lastNumber = Math.max(lastNumber, entry.number ?? 0);
      known.set(entry.job.id, entry.job);
      if (entry.job.state === 'running') await resume(entry);
      else keepForLater(entry);
    }
    // A slow disk must not keep the user waiting.
    void leftCopies.removeAll();
    void unknownJobs.resolveAll();
    return unread;
  }

  async function resume(entry: JournalEntry): Promise<void> {
    if (!entry.sent) {
      const leftCopy = await removePlacedCopy(entry.checkpoint, null, 'not-sent');
      const finalCopies = await copies.cleanup();
      const ended = stoppedJob(entry.job, Math.max(now(), entry.job.started), finalCopies);
      const job = leftCopy === null ? ended : { ...ended, leftCopy };
      writeIfPossible(journal, { ...entry, job });
      leftCopies.add({ ...entry, job });
      known.set(job.id, job);
      return;
    }
    const { kind, wallet, node } = entry.job;
    nodeOfResumedJob = entry.node;
    const watch = await watchAgain(entry, timing);
    // In earlier versions of the app, two jobs could work on one wallet of a node that had two ports.
    const release = orNull(() => reserve(concernedWallets(kind, wallet), node)) ?? (() => undefined);
    const job: Job = {
      ...entry.job,
      connection: 'lost',
      silentSince: undefined,
      resumed: true,
      measured: watch.readable ? 'log' : 'time',
    };
    const context = registerJob({ ...entry, job }, watch, () => sessionFor(entry), release);
    void resumeJob(resumedJobOf(entry), context).finally(release);
  }

  function runningJob(id: string): RunningJob {
    const found = runningJobs.get(id);
    if (!found) throw notRunningError();
    return found;
  }

  /** All jobs, also those of earlier sessions, the newest first. */
  async function list(): Promise<Job[]> {
    await journalRead;
    return [...known.values()].toReversed();
  }

  return {
    /**
     * Gathers the facts again and runs the plan. Throws AppError if the job cannot start: `plan_gone`, `not_connected`,
     * `job_running`, `journal_unwritable`, `name_taken`, `wrong_passphrase`, `file_changed`, and what the node's calls throw.
     * Nothing that changes a wallet was sent then. `emit` reports everything after that.
     */
    run,
    list,
    /** See `readJournal`. */
    unread: () => journalRead,
    /** The node's log lines of one job. */
    async log(id: string): Promise<string[]> {
      const { log = [] } = known.get(id) ?? {};
      return log.length > 0 ? log : journal.logOf(id);
    },
    /** Looks again for the outcome of jobs with an unknown one. Never throws. */
    async resolveUnknown(): Promise<void> {
      await journalRead;
      await unknownJobs.resolveAll();
    },
    /** Compares again what this job could not compare. Throws what `again` of its comparisons throws. */
    async compareAgain(id: string): Promise<void> {
      await journalRead;
      await comparisons.again(id);
    },
    /** Tries again to remove the placed copies of failed jobs. Never throws. */
    async removeLeftCopies(): Promise<void> {
      await journalRead;
      await leftCopies.removeAll();
    },
    /** Reports that the user loaded or unloaded a wallet, so that no earlier job loads it again. Never throws. */
    async leaveAsIs(name: string, node: JobNode): Promise<void> {
      await journalRead;
      leftCopies.leaveAsIs([name], node);
      await leftCopies.removeAll();
    },
    /** The node of a job that an earlier session left unfinished; null if there is none. */
    async nodeOfResumedJob(): Promise<NodeIdentity | null> {
      await journalRead;
      return nodeOfResumedJob;
    },
    /** The wallets folders of the jobs whose node fits, the newest first, each once. */
    async walletsFolders(fits: (node: JobNode) => boolean): Promise<string[]> {
      const nodes = (await list()).map(({ node }) => node).filter(fits);
      return [...new Set(nodes.flatMap(({ walletsFolder }) => walletsFolder ?? []))];
    },
    /** The running jobs, on any node or on this one. */
    running: (on?: NodeAddress) =>
      [...runningJobs.values()]
        .map(({ tracker }) => tracker.current())
        .filter(({ node }) => on === undefined || isSameAddress(node.address, on)),
    /**
     * Ends the job as `unknown`, as `failed` if its call was not sent, or as `done` if only its comparison is left. Throws
     * AppError `bad_input` if no such job runs.
     */
    stopWaiting: (id: string) => runningJob(id).controller.abort(),
    /**
     * Has the node stop a rescan, whose call then ends. What it found stays. Throws AppError `bad_input` if no such rescan runs, and
     * what the node's calls throw.
     */
    async cancelRescan(id: string): Promise<void> {
      const { checkpoint, session } = runningJob(id);
      if (checkpoint.kind !== 'rescan') throw notRunningError();
      // The call can end before this answer.
      checkpoint.cancelled = true;
      const answer = await abortRescan(session().client, checkpoint.name).catch((thrown: unknown) => thrown);
      if (answer === true) return;
      // After a lost answer, the node may have stopped it.
      if (answer === false || (answer instanceof AppError && isRefusal(answer))) delete checkpoint.cancelled;
      throw answer === false ? notRunningError() : answer;
    },
    /** Emits nothing from now on. The next start of the app resumes the running jobs. */
    close(): void {
      unknownJobs.close();
      closing.abort(new AppError('cancelled', say('The app is closing.'), say('Nothing was sent.')));
      for (const { tracker, controller } of runningJobs.values()) {
        tracker.mute();
        controller.abort();
      }
    },
  };
}

function notRunningError(): AppError {
  return new AppError('bad_input', say('This job is not running.'), say('Nothing to do here.'));
}
