/** Runs one job, stops it as planned, compares the app's report with the disk, and recovers the wallet. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod/mini';
import type { Job as JobState } from '../../shared/model/job.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { deferred } from '../../shared/testing/deferred.ts';
import { filesBelow } from '../app/filesBelow.ts';
import { type FaultyConnection, openFaultyConnection } from '../faults/faultyConnection.ts';
import { type RealNode, startRealNode } from '../live/realNode.ts';
import type { Start } from '../services/services.ts';
import type { Baselines } from './baseline.ts';
import { fillDisk, mountDisk, unmountDisk } from './fullDisk.ts';
import {
  asLoaded,
  type Contents,
  contentsOf,
  differenceOf,
  equalTo,
  legacyBackups,
  newDifference,
  oldDifference,
} from './groundTruth.ts';
import { type DiskState, judge, type Report, type Verdict } from './judge.ts';
import { type KilledApp, killedApp } from './killedApp.ts';
import { isOnDescriptorWallet, type Job, type KillPlan } from './killPlan.ts';
import { type PowerCut, preparePowerCut } from './powerCut.ts';
import { broken, fileOf, type SubjectFile, subjectFile } from './subjectFile.ts';

/** What the rounds of a campaign share. */
export interface Shared {
  readonly folder: string;
  /** The bundled app. */
  readonly program: string;
  /** The library that records the node's flushes. */
  readonly library: string | null;
  readonly version: number;
  readonly baselines: Baselines;
}

export interface Round {
  readonly plan: KillPlan;
  /** Milliseconds from the start of the job or the call to the stop. */
  readonly millis: number;
  /** Milliseconds from the restart to the app's report. */
  readonly reportedMs: number;
  /** The stage that the stop met. */
  readonly reached: string;
  readonly report: Report;
  readonly message: string | null;
  readonly onDisk: DiskState | 'not known';
  readonly copies: number;
  readonly recovery: string;
  readonly verdict: Verdict;
  readonly why: string | null;
}

interface Lengths {
  readonly job: number;
  readonly call: number;
}

const METHODS: Readonly<Record<Job, string>> = {
  migrate: 'migratewallet',
  'restore-migrate': 'migratewallet',
  rescue: 'migratewallet',
  restore: 'restorewallet',
  backup: 'backupwallet',
  rescan: 'rescanblockchain',
  undo: 'restorewallet',
};

/** Longer than any of these jobs takes on a busy machine. */
const MAX_MS = 180_000;
/** How long the app may take to report, once the node is back. */
const REPORT_MS = 90_000;

const lengths = new Map<string, Promise<Lengths>>();

/** Runs a round. Never throws: a round that fails gets the verdict `wrong`. */
export async function runRound(plan: KillPlan, shared: Shared): Promise<Round> {
  try {
    const { job, call } = await lengthsOf(plan, shared);
    const millis = plan.share * (plan.of === 'job' ? job : call);
    const setup = await openSetup(plan, shared);
    try {
      return await stopped(plan, shared, setup, millis);
    } finally {
      await setup.close();
    }
  } catch (error) {
    const why =
      error instanceof Error
        ? (error.stack ?? error.message).split('\n').slice(0, 12).join(' ')
        : String(error);
    const nothing = {
      millis: 0,
      reached: '-',
      reportedMs: 0,
      report: 'none',
      message: null,
      onDisk: 'not known',
      copies: 0,
    } as const;
    return { plan, ...nothing, recovery: '-', verdict: 'wrong', why };
  }
}

function lengthsOf(plan: KillPlan, shared: Shared): Promise<Lengths> {
  const key = `${plan.job} ${plan.recording} ${shared.version}`;
  const cached = lengths.get(key);
  if (cached) return cached;
  const measured = measure(plan, shared);
  lengths.set(key, measured);
  // On a busy machine the next try may succeed.
  measured.catch(() => lengths.delete(key));
  return measured;
}

/** Measures the job without a stop. Throws if it does not succeed. */
async function measure(plan: KillPlan, shared: Shared): Promise<Lengths> {
  const setup = await openSetup({ ...plan, stop: 'node' }, shared);
  try {
    const { node, app, connection, method, job } = setup;
    const planned = await app.plan(job);
    const since = performance.now();
    let called = 0;
    let hasEnded = false;
    const clock = setInterval(() => {
      if (called === 0 && connection.countCalls(method) > 0) called = performance.now();
    }, 5);
    // After the call the app still proves the result.
    const answering = (async () => {
      while (called === 0 && !hasEnded) await pause(5);
      await pause(30);
      await idle(node, method);
      return performance.now();
    })();
    await app.run(job, planned);
    const end = await app.until((now) => now !== null && now.state !== 'running', MAX_MS);
    clearInterval(clock);
    const now = performance.now();
    hasEnded = true;
    const answered = await answering;
    if (end?.state !== 'done')
      throw new Error(`not done without a stop: ${end?.state} ${end?.error?.message}`);
    const { onDisk, why } = await readDisk(setup, plan, shared);
    if (onDisk !== 'new') throw new Error(`done without a stop, but on the disk: ${onDisk} ${why}`);
    return { job: now - since, call: answered - (called || since) };
  } finally {
    await setup.close();
  }
}

interface Setup {
  readonly node: RealNode;
  readonly connection: FaultyConnection;
  readonly app: KilledApp;
  readonly appFolder: string;
  readonly method: string;
  readonly job: Start;
  readonly subject: SubjectFile;
  readonly contents: Contents;
  readonly power: PowerCut | null;
  /** The path of the new backup, or of the file to restore. */
  readonly file: string;
  close(): Promise<void>;
}

let setups = 0;

async function openSetup(plan: KillPlan, shared: Shared): Promise<Setup> {
  setups += 1;
  const folder = join(shared.folder, `setup ${setups}`);
  const dataFolder = join(folder, '.bitcoin');
  const appFolder = join(folder, 'data');
  const walletsFolder = join(dataFolder, 'regtest', 'wallets');
  const subject = subjectFile(plan.recording);
  const contents = await shared.baselines(plan.recording);
  const { closing, close } = closer(folder);
  try {
    mkdirSync(walletsFolder, { recursive: true });
    if (plan.stop === 'disk') {
      mountDisk(walletsFolder);
      closing.push(() => unmountDisk(walletsFolder));
    }
    const power =
      plan.stop === 'power' && shared.library !== null
        ? preparePowerCut(shared.library, walletsFolder, join(folder, 'flushed'))
        : null;
    const node = await startRealNode(dataFolder, {}, power ? { env: () => power.env } : {});
    closing.push(() => node.kill());
    const connection = await openFaultyConnection(node.port);
    closing.push(() => connection.close());
    const file = await putSubject(plan, node, folder);
    power?.flushAll();
    const target = {
      by: 'hand',
      address: { host: '127.0.0.1', port: connection.port, tls: false },
      login: { by: 'cookie', cookieFile: node.cookieFile },
    };
    const app = killedApp(shared.program, appFolder, target);
    closing.push(() => app.kill());
    await app.open();
    const source = plan.job === 'undo' ? await migratedFrom(app, node, subject) : file;
    const job = jobOf(plan, source, subject);
    return {
      node,
      connection,
      app,
      appFolder,
      job,
      subject,
      contents,
      power,
      file,
      close,
      method: METHODS[plan.job],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Migrates the wallet, for an undo. Returns the path of the node's backup of the legacy wallet. */
async function migratedFrom(app: KilledApp, node: RealNode, subject: SubjectFile): Promise<string> {
  const own = fileOf(node.walletsFolder, MIGRATED);
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, subject.bytes);
  const secret = subject.passphrase === undefined ? {} : { passphrase: subject.passphrase };
  const migration: Start = { action: 'migrate', source: { by: 'wallet', name: MIGRATED }, ...secret };
  await app.run(migration, await app.plan(migration));
  const end = await app.until((now) => now !== null && now.state !== 'running', MAX_MS);
  const [backup] = legacyBackups(node.dataFolder);
  if (end?.state !== 'done' || backup === undefined) throw new Error(`not migrated: ${end?.error?.message}`);
  return backup;
}

const MIGRATED = 'migrated';

function closer(folder: string) {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { closing, close };
}

/** Writes the wallet. Returns the path of the backup to restore or to create. */
async function putSubject(
  { job, recording, name }: KillPlan,
  node: RealNode,
  folder: string,
): Promise<string> {
  const { bytes } = subjectFile(recording);
  const file = join(folder, 'owner', 'backup.dat');
  mkdirSync(dirname(file), { recursive: true });
  if (job === 'migrate' || isOnDescriptorWallet(job)) {
    const own = fileOf(node.walletsFolder, name);
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, bytes);
    if (isOnDescriptorWallet(job)) await node.call('loadwallet', [name]);
  } else if (job === 'rescue') {
    const { bytes: unclosed, log } = broken(recording);
    mkdirSync(join(dirname(file), 'database'));
    writeFileSync(file, unclosed);
    writeFileSync(join(dirname(file), 'database', log.name), log.bytes);
  } else writeFileSync(file, bytes);
  return file;
}

function jobOf({ job, name }: KillPlan, file: string, { passphrase }: SubjectFile): Start {
  const secret = passphrase === undefined ? {} : { passphrase };
  switch (job) {
    case 'migrate':
      return { action: 'migrate', source: { by: 'wallet', name }, ...secret };
    case 'rescan':
      return { action: 'rescan', source: { by: 'wallet', name }, ...secret };
    case 'undo':
      return { action: 'undo', source: { by: 'file', path: file }, answers: { name } };
    case 'backup':
      return { action: 'backup', source: { by: 'wallet', name }, answers: { destination: file } };
    case 'rescue':
      return { action: 'rescue', source: { by: 'file', path: file }, answers: { name } };
    case 'restore':
      return { action: 'restore', source: { by: 'file', path: file }, answers: { name } };
    case 'restore-migrate':
      return { action: 'restore', source: { by: 'file', path: file }, answers: { name }, ...secret };
  }
}

async function stopped(plan: KillPlan, shared: Shared, setup: Setup, millis: number): Promise<Round> {
  const { app } = setup;
  const planned = await app.plan(setup.job);
  const { reached, needsNoWallet } = await runAndStop(plan, setup, planned, millis);
  const since = performance.now();
  const last = await reportOf(plan, setup);
  const reportedMs = Math.round(performance.now() - since);
  const report = reportFrom(last);
  const message = last?.error?.message ?? null;
  const found = await readDisk(setup, plan, shared);
  const wholes = await copiesIn(plan, setup);
  const named = last?.interruption?.copies.filter(({ path }) => wholes.includes(path)).length ?? 0;
  const onDisk =
    found.onDisk === 'old' && last?.leftCopy !== undefined && plan.job !== 'migrate'
      ? 'nothing'
      : found.onDisk;
  const observed = { job: plan.job, report, onDisk, copies: wholes.length, named };
  const explainsStart = !needsNoWallet || last?.error?.hint.includes('-nowallet') === true;
  const verdict = explainsStart ? judge(observed) : 'wrong';
  const record = { plan, millis, reached, reportedMs, report, message, onDisk, copies: wholes.length };
  const why = verdict === 'right' ? null : `${found.why ?? ''} ${last?.error?.hint ?? ''}`.trim();
  if (verdict !== 'right' && report !== 'interrupted')
    return { ...record, recovery: 'not tried', verdict, why };
  const back = await recover(plan, shared, setup, report, last);
  return {
    ...record,
    recovery: back.recovery,
    verdict: verdict === 'right' && back.why !== null ? 'wrong' : verdict,
    why: [why, back.why].filter(Boolean).join('; ') || null,
  };
}

/**
 * Starts the job, stops what the plan names, and restarts it. Returns the stage that the stop met, and whether the node
 * needs `-nowallet` to start, because it opens its unnamed wallet, which may be incomplete.
 */
async function runAndStop(
  { stop, of }: KillPlan,
  { node, connection, app, method, job, power, subject }: Setup,
  planned: Plan,
  millis: number,
): Promise<{ reached: string; needsNoWallet: boolean }> {
  const { promise: done, resolve: resolveDone } = deferred();
  let makeRoom = () => {};
  const stopIt = async () => {
    if (stop === 'node' || stop === 'both' || stop === 'power') await node.kill();
    if (stop === 'app' || stop === 'both' || stop === 'power') await app.kill();
    if (stop === 'waiting') connection.refuse();
    if (stop === 'disk') makeRoom = fillDisk(node.walletsFolder);
    resolveDone();
  };
  if (of === 'call') {
    const when = async () => {
      await pause(millis);
      if (stop === 'disk') connection.resume();
      await stopIt();
    };
    connection.setFault({
      method,
      place: 'after the request',
      does: stop === 'disk' ? 'stall' : 'cut',
      when,
    });
  }
  let refused: unknown = null;
  const running = app.run(job, planned).catch((error: unknown) => {
    refused = error;
  });
  if (of === 'job') {
    await pause(millis);
    await stopIt();
  } else {
    await Promise.race([done, running.then(() => (refused === null ? done : undefined)), pause(MAX_MS)]);
  }
  const killed = stop === 'app' || stop === 'both' || stop === 'power';
  if (refused !== null && !killed && of === 'call') throw refused;
  const reached = connection.countCalls(method) > 0 ? 'in the call or after it' : 'before the call';
  if (power !== null)
    power.takeUnflushed((path) => !path.endsWith('.legacy.bak') && readFileSync(path).equals(subject.bytes));
  let needsNoWallet = false;
  const startAgain = () =>
    node.start().catch(() => {
      needsNoWallet = true;
      return node.start(['-nowallet']);
    });
  if (stop === 'node' || stop === 'both' || stop === 'power') await startAgain();
  if (killed) await app.open();
  if (stop === 'waiting') {
    const lost = await app.until((now) => now?.connection === 'lost' || now?.state !== 'running', MAX_MS);
    if (lost?.state === 'running') await app.call('jobs.stopWaiting', { id: lost.id });
    await idle(node, method);
    await connection.accept();
    await app.connect();
  }
  if (stop === 'disk') {
    const answers = () =>
      node.call('getrpcinfo').then(
        () => true,
        () => false,
      );
    const isOver = async () => !(await answers()) || (await app.latest())?.state !== 'running';
    for (const end = performance.now() + MAX_MS; performance.now() < end && !(await isOver()); )
      await pause(100);
    makeRoom();
    // A full disk can end the node. Its owner makes room and restarts it.
    if (!(await answers())) {
      await node.kill();
      await startAgain();
    }
  }
  return { reached, needsNoWallet };
}

const rpc = z.object({ active_commands: z.array(z.object({ method: z.string() })) });

async function idle(node: RealNode, method: string): Promise<void> {
  const end = performance.now() + MAX_MS;
  while (performance.now() < end) {
    const { active_commands } = rpc.parse(await node.call('getrpcinfo'));
    if (active_commands.every((one) => one.method !== method)) return;
    await pause(50);
  }
}

/** The app's final report. An unknown outcome may still become known. */
async function reportOf(
  { stop, of }: KillPlan,
  { app, node, method }: Setup,
  except: string[] = [],
): Promise<JobState | null> {
  const isFinal = (now: JobState | null) =>
    now !== null && now.state !== 'running' && now.state !== 'unknown';
  const first = await app.latest(except);
  // The journal may have no entry from before the kill.
  if (first === null && (stop === 'app' || stop === 'both' || stop === 'power' || of === 'job')) {
    await pause(500);
    const later = await app.latest(except);
    if (later === null) return null;
  }
  await idle(node, method);
  return app.until(isFinal, REPORT_MS, except);
}

function reportFrom(last: JobState | null): Report {
  if (last === null) return 'none';
  const reports: Readonly<Record<string, Report>> = {
    done: 'done',
    failed: 'failed',
    interrupted: 'interrupted',
    running: 'running',
  };
  return reports[last.state] ?? 'unknown';
}

async function readDisk(
  setup: Setup,
  plan: KillPlan,
  shared: Shared,
): Promise<{ onDisk: DiskState; why: string | null }> {
  const { node, subject, contents, file } = setup;
  const { job, name } = plan;
  if (job === 'backup') return readBackup(node, file, contents);
  const own = fileOf(node.walletsFolder, name);
  const isOld = existsSync(own) && readFileSync(own).equals(subject.bytes);
  const restored = job === 'migrate' || job === 'restore-migrate' || job === 'rescue' ? 'old' : 'new';
  const isLegacy = plan.recording.startsWith('legacy') || plan.recording === 'large';
  if (isOld && (isLegacy || !(await isLoaded(node, name)))) return { onDisk: restored, why: null };
  const difference = await newDifference(node, name, contents);
  if (difference === null) return { onDisk: 'new', why: null };
  if (isLegacy && shared.version < 300_000 && existsSync(own)) {
    const other = await oldDifference(node, { wallet: name }, subject.passphrase, contents);
    if (other === null) return { onDisk: restored, why: null };
    return { onDisk: 'half', why: `${difference}; as a legacy wallet: ${other}` };
  }
  return { onDisk: existsSync(own) ? 'half' : 'nothing', why: difference };
}

async function isLoaded(node: RealNode, name: string): Promise<boolean> {
  return z
    .array(z.string())
    .parse(await node.call('listwallets'))
    .includes(name);
}

async function readBackup(
  node: RealNode,
  file: string,
  contents: Contents,
): Promise<{ onDisk: DiskState; why: string | null }> {
  if (!existsSync(file)) return { onDisk: 'nothing', why: null };
  const copy = 'the new backup';
  const own = fileOf(node.walletsFolder, copy);
  mkdirSync(dirname(own));
  writeFileSync(own, readFileSync(file));
  try {
    const baseline = contents[''];
    const found = await asLoaded(node, copy, contentsOf);
    const why = baseline ? differenceOf(baseline, found) : 'no baseline';
    return { onDisk: why === null ? 'new' : 'half', why };
  } catch (error) {
    return { onDisk: 'half', why: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(dirname(own), { recursive: true });
  }
}

/**
 * The whole copies of the old wallet that the node, the app and the owner have, byte for byte. For a rescue, whose repaired
 * file differs from the owner's, each copy is migrated and compared instead. The owner's file with its log counts as well.
 */
async function copiesIn({ job, recording }: KillPlan, setup: Setup): Promise<string[]> {
  const { node, appFolder, subject, contents, file } = setup;
  const own = filesBelow(appFolder).filter((path) => path.endsWith('.dat'));
  const all = [...legacyBackups(node.dataFolder), ...own, file];
  if (job !== 'rescue') return equalTo(subject.bytes, all);
  const { bytes, log } = broken(recording);
  const isAsGiven =
    readFileSync(file).equals(bytes) &&
    readFileSync(join(dirname(file), 'database', log.name)).equals(log.bytes);
  const whole = isAsGiven ? [file] : [];
  for (const path of all) {
    if (
      existsSync(path) &&
      (await oldDifference(node, { file: path }, subject.passphrase, contents)) === null
    )
      whole.push(path);
  }
  return whole;
}

/** Recovers the wallet as its owner would. */
async function recover(
  plan: KillPlan,
  shared: Shared,
  setup: Setup,
  report: Report,
  last: JobState | null,
): Promise<{ recovery: string; why: string | null }> {
  if (report === 'done') return { recovery: 'not needed', why: null };
  const { app, node, subject, contents } = setup;
  const isInterrupted = report === 'interrupted';
  const secret =
    subject.passphrase === undefined || plan.job === 'restore' ? {} : { passphrase: subject.passphrase };
  const putBack = (name: string): Start => ({
    action: 'put-back',
    source: { by: 'wallet', name },
    ...secret,
  });
  // The app overwrites no file, so after an incomplete backup its owner chooses another name.
  const isTaken = plan.job === 'backup' && existsSync(setup.file);
  // The node has restored the wallet under its name, as the app says. Migrate it there.
  if (last?.leftCopy !== undefined && plan.job === 'restore-migrate') {
    const source = { by: 'wallet', name: plan.name } as const;
    const migration: Start = { action: 'migrate', source, ...secret };
    const why = await finish(setup, migration, await app.plan(migration), [last.id]);
    const end = await readDisk(setup, plan, shared);
    return {
      recovery: `migrated in place: ${end.onDisk}`,
      why: why ?? (end.onDisk === 'new' ? null : end.why),
    };
  }
  // A restarted node has loaded no wallet.
  if (plan.job === 'rescan' && !(await isLoaded(node, plan.name))) await node.call('loadwallet', [plan.name]);
  const file = isTaken ? join(dirname(setup.file), 'second.dat') : setup.file;
  const again = isTaken ? jobOf(plan, file, subject) : setup.job;
  let job = isInterrupted ? putBack(plan.name) : again;
  const before = last === null ? [] : [last.id];
  let recovery = isInterrupted ? 'put back' : 'tried again';
  // An unnamed wallet is put back under a name.
  let planned = await app.plan(job);
  if (isInterrupted && plan.recoveryStoppedAt !== null) {
    const { job: length } = await lengthsOf(plan, shared);
    const running = app.run(job, planned).catch(() => undefined);
    await pause(plan.recoveryStoppedAt * length);
    await node.kill();
    await node.start().catch(() => node.start(['-nowallet']));
    await running;
    const second = await reportOf(plan, setup, before);
    const report = reportFrom(second);
    recovery = `put back, node killed meanwhile (${report}${second?.error ? `: ${second.error.message}` : ''})`;
    if (report === 'running' || report === 'unknown')
      return { recovery, why: `the recovery ended ${report}` };
    if (second !== null) before.push(second.id);
    if (report !== 'done') {
      if (report === 'interrupted') job = putBack(second?.wallet ?? plan.name);
      recovery += ', put back again';
      planned = await app.plan(job);
      const why = await finish(setup, job, planned, before);
      if (why !== null) return { recovery, why };
    }
  } else {
    const why = await finish(setup, job, planned, before);
    if (why !== null) return { recovery, why };
  }
  const name = isInterrupted ? planned.wallet : plan.name;
  const end = await readDisk({ ...setup, file }, { ...plan, name }, shared);
  if (end.onDisk === 'new') return { recovery: `${recovery}: whole`, why: null };
  if (end.onDisk === 'old') {
    const why = await oldDifference(node, { wallet: name }, subject.passphrase, contents);
    return { recovery: `${recovery}: the old wallet`, why };
  }
  return { recovery, why: `after the recovery: ${end.onDisk}, ${end.why}` };
}

/** Runs a job to its end. Returns why it is not done, or null. */
async function finish({ app }: Setup, job: Start, planned: Plan, before: string[]): Promise<string | null> {
  try {
    // A restarted node may invalidate the plan, so make another one.
    await app.run(job, planned).catch(async () => app.run(job, await app.plan(job)));
    const end = await app.until((now) => now !== null && now.state !== 'running', MAX_MS, before);
    return end?.state === 'done' ? null : `${job.action} ended ${end?.state}: ${end?.error?.message}`;
  } catch (error) {
    return `${job.action}: ${error instanceof Error ? error.message : error}`;
  }
}
