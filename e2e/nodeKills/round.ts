/** One job, stopped at its planned instant: what the app said, what was there, and the way back walked to its end. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Job as JobState } from '../../shared/model/job.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { filesBelow } from '../app/filesBelow.ts';
import { type FaultyLine, openFaultyLine } from '../faults/faultyLine.ts';
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
import { judge, type There, type Verdict, type Word } from './judge.ts';
import { type KilledApp, killedApp } from './killedApp.ts';
import type { Job, KillPlan } from './killPlan.ts';
import { type PowerCut, preparePowerCut } from './powerCut.ts';
import { broken, fileOf, type SubjectFile, subjectFile } from './subjectFile.ts';

/** What all rounds of a campaign use. */
export interface Shared {
  readonly folder: string;
  /** The bundled app. */
  readonly program: string;
  /** What is loaded into a node whose power is cut. */
  readonly library: string | null;
  readonly version: number;
  readonly baselines: Baselines;
}

export interface Round {
  readonly plan: KillPlan;
  /** From the beginning of the job or of the call to the instant. */
  readonly millis: number;
  /** Until the app said so, from when everything ran again. */
  readonly toldMs: number;
  /** What it met: the job's planning, the call, or nothing any more. */
  readonly reached: string;
  readonly word: Word;
  readonly message: string | null;
  readonly there: There | 'not known';
  readonly copies: number;
  readonly way: string;
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
};

/** Longer than any of these jobs takes on a busy machine. */
const LONGEST_MS = 180_000;
/** Within that the app must have found out, once the node is back. */
const WORD_MS = 90_000;

const lengths = new Map<string, Promise<Lengths>>();

/** Never throws: what the round could not do is why it is wrong. */
export async function runRound(plan: KillPlan, shared: Shared): Promise<Round> {
  try {
    const { job, call } = await lengthsOf(plan, shared);
    const millis = plan.share * (plan.of === 'job' ? job : call);
    const place = await openPlace(plan, shared);
    try {
      return await stopped(plan, shared, place, millis);
    } finally {
      await place.close();
    }
  } catch (error) {
    const why =
      error instanceof Error
        ? (error.stack ?? error.message).split('\n').slice(0, 12).join(' ')
        : String(error);
    const nothing = {
      millis: 0,
      reached: '-',
      toldMs: 0,
      word: 'none',
      message: null,
      there: 'not known',
      copies: 0,
    } as const;
    return { plan, ...nothing, way: '-', verdict: 'wrong', why };
  }
}

function lengthsOf(plan: KillPlan, shared: Shared): Promise<Lengths> {
  const key = `${plan.job} ${plan.recording} ${shared.version}`;
  const known = lengths.get(key);
  if (known) return known;
  const measured = measure(plan, shared);
  lengths.set(key, measured);
  // A busy machine may do better next time.
  measured.catch(() => lengths.delete(key));
  return measured;
}

/** How long the job takes when nothing stops it, here and now. It must come to its end, and right. */
async function measure(plan: KillPlan, shared: Shared): Promise<Lengths> {
  const place = await openPlace({ ...plan, stop: 'node' }, shared);
  try {
    const { node, app, line, method, job } = place;
    const planned = await app.plan(job);
    const since = performance.now();
    let called = 0;
    let hasEnded = false;
    const clock = setInterval(() => {
      if (called === 0 && line.countCalls(method) > 0) called = performance.now();
    }, 5);
    // After the call the app still proves the result.
    const answering = (async () => {
      while (called === 0 && !hasEnded) await pause(5);
      await pause(30);
      await idle(node, method);
      return performance.now();
    })();
    await app.run(job, planned);
    const end = await app.until((now) => now !== null && now.state !== 'running', LONGEST_MS);
    clearInterval(clock);
    const now = performance.now();
    hasEnded = true;
    const answered = await answering;
    if (end?.state !== 'done')
      throw new Error(`not done when nothing stops it: ${end?.state} ${end?.error?.message}`);
    const { there, why } = await look(place, plan, shared);
    if (there !== 'new') throw new Error(`done, and not there when nothing stops it: ${there} ${why}`);
    return { job: now - since, call: answered - (called || since) };
  } finally {
    await place.close();
  }
}

interface Place {
  readonly node: RealNode;
  readonly line: FaultyLine;
  readonly app: KilledApp;
  readonly appFolder: string;
  readonly method: string;
  readonly job: Start;
  readonly subject: SubjectFile;
  readonly contents: Contents;
  readonly power: PowerCut | null;
  /** Where the new backup goes; where the restored one lies. */
  readonly file: string;
  close(): Promise<void>;
}

let places = 0;

async function openPlace(plan: KillPlan, shared: Shared): Promise<Place> {
  places += 1;
  const folder = join(shared.folder, `place ${places}`);
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
    const line = await openFaultyLine(node.port);
    closing.push(() => line.close());
    const file = await putSubject(plan, node, folder);
    power?.flushAll();
    const target = {
      by: 'hand',
      address: { host: '127.0.0.1', port: line.port, tls: false },
      login: { by: 'cookie', cookieFile: node.cookieFile },
    };
    const app = killedApp(shared.program, appFolder, target);
    closing.push(() => app.kill());
    await app.open();
    const job = jobOf(plan, file, subject);
    return {
      ...{ node, line, app, appFolder, job, subject, contents, power, file, close },
      method: METHODS[plan.job],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function closer(folder: string) {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { closing, close };
}

/** Gives the path of the file that is restored or made. */
async function putSubject(
  { job, recording, name }: KillPlan,
  node: RealNode,
  folder: string,
): Promise<string> {
  const { bytes } = subjectFile(recording);
  const file = join(folder, 'owner', 'backup.dat');
  mkdirSync(dirname(file), { recursive: true });
  if (job === 'migrate' || job === 'backup') {
    const own = fileOf(node.walletsFolder, name);
    mkdirSync(dirname(own), { recursive: true });
    writeFileSync(own, bytes);
    if (job === 'backup') await node.call('loadwallet', [name]);
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

async function stopped(plan: KillPlan, shared: Shared, place: Place, millis: number): Promise<Round> {
  const { app } = place;
  const planned = await app.plan(place.job);
  const { reached, needsNoWallet } = await strike(plan, place, planned, millis);
  const since = performance.now();
  const came = await wordOf(plan, place);
  const toldMs = Math.round(performance.now() - since);
  const word = wordFrom(came);
  const message = came?.error?.message ?? null;
  const found = await look(place, plan, shared);
  const wholes = await copiesIn(plan, place);
  const named = came?.interruption?.copies.filter(({ path }) => wholes.includes(path)).length ?? 0;
  const there =
    found.there === 'old' && came?.leftCopy !== undefined && plan.job !== 'migrate' ? 'nothing' : found.there;
  const seen = { job: plan.job, word, there, copies: wholes.length, named };
  const isToldToStart = !needsNoWallet || came?.error?.hint.includes('-nowallet') === true;
  const verdict = isToldToStart ? judge(seen) : 'wrong';
  const shown = { plan, millis, reached, toldMs, word, message, there, copies: wholes.length };
  const why = verdict === 'right' ? null : `${found.why ?? ''} ${came?.error?.hint ?? ''}`.trim();
  if (verdict !== 'right' && word !== 'interrupted') return { ...shown, way: 'not walked', verdict, why };
  const back = await walkBack(plan, shared, place, word, came);
  return {
    ...shown,
    way: back.way,
    verdict: verdict === 'right' && back.why !== null ? 'wrong' : verdict,
    why: [why, back.why].filter(Boolean).join('; ') || null,
  };
}

/**
 * Begins the job and stops what the plan names. Gives what it met, and whether the node only starts with `-nowallet`: it
 * opens its unnamed wallet at its start, which may be incomplete.
 */
async function strike(
  { stop, of }: KillPlan,
  { node, line, app, method, job, power, subject }: Place,
  planned: Plan,
  millis: number,
): Promise<{ reached: string; needsNoWallet: boolean }> {
  let struck = () => {};
  const done = new Promise<void>((resolve) => {
    struck = resolve;
  });
  let makeRoom = () => {};
  const stopIt = async () => {
    if (stop === 'node' || stop === 'both' || stop === 'power') await node.kill();
    if (stop === 'app' || stop === 'both' || stop === 'power') await app.kill();
    if (stop === 'waiting') line.refuse();
    if (stop === 'disk') makeRoom = fillDisk(node.walletsFolder);
    struck();
  };
  if (of === 'call') {
    const when = async () => {
      await pause(millis);
      if (stop === 'disk') line.letGo();
      await stopIt();
    };
    line.setFault({ method, place: 'after the request', does: stop === 'disk' ? 'stall' : 'cut', when });
  }
  let refused: unknown = null;
  const running = app.run(job, planned).catch((error: unknown) => {
    refused = error;
  });
  if (of === 'job') {
    await pause(millis);
    await stopIt();
  } else {
    await Promise.race([done, running.then(() => (refused === null ? done : undefined)), pause(LONGEST_MS)]);
  }
  const killed = stop === 'app' || stop === 'both' || stop === 'power';
  if (refused !== null && !killed && of === 'call') throw refused;
  const reached = line.countCalls(method) > 0 ? 'in the call or after it' : 'before the call';
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
    const lost = await app.until((now) => now?.connection === 'lost' || now?.state !== 'running', LONGEST_MS);
    if (lost?.state === 'running') await app.call('jobs.stopWaiting', { id: lost.id });
    await idle(node, method);
    await line.accept();
    await app.connect();
  }
  if (stop === 'disk') {
    const answers = () =>
      node.call('getrpcinfo').then(
        () => true,
        () => false,
      );
    const isOver = async () => !(await answers()) || (await app.latest())?.state !== 'running';
    for (const end = performance.now() + LONGEST_MS; performance.now() < end && !(await isOver()); )
      await pause(100);
    makeRoom();
    // A full disk can end a node. Its owner makes room and starts it again.
    if (!(await answers())) {
      await node.kill();
      await startAgain();
    }
  }
  return { reached, needsNoWallet };
}

const rpc = z.object({ active_commands: z.array(z.object({ method: z.string() })) });

async function idle(node: RealNode, method: string): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (performance.now() < end) {
    const { active_commands } = rpc.parse(await node.call('getrpcinfo'));
    if (active_commands.every((one) => one.method !== method)) return;
    await pause(50);
  }
}

/** What the app says in the end. What it does not know it may still find out by itself. */
async function wordOf(
  { stop, of }: KillPlan,
  { app, node, method }: Place,
  besides: string[] = [],
): Promise<JobState | null> {
  const isTold = (now: JobState | null) => now !== null && now.state !== 'running' && now.state !== 'unknown';
  const first = await app.latest(besides);
  // Nothing was written down before the kill.
  if (first === null && (stop === 'app' || stop === 'both' || stop === 'power' || of === 'job')) {
    await pause(500);
    const later = await app.latest(besides);
    if (later === null) return null;
  }
  await idle(node, method);
  const came = await app.until(isTold, WORD_MS, besides);
  return came;
}

function wordFrom(came: JobState | null): Word {
  if (came === null) return 'none';
  const words: Readonly<Record<string, Word>> = {
    done: 'done',
    failed: 'failed',
    interrupted: 'interrupted',
    running: 'running',
  };
  return words[came.state] ?? 'unknown';
}

async function look(
  place: Place,
  plan: KillPlan,
  shared: Shared,
): Promise<{ there: There; why: string | null }> {
  const { node, subject, contents, file } = place;
  const { job, name } = plan;
  if (job === 'backup') return lookAtBackup(node, file, contents);
  const own = fileOf(node.walletsFolder, name);
  const isOld = existsSync(own) && readFileSync(own).equals(subject.bytes);
  const restored = job === 'restore' ? 'new' : 'old';
  const isLegacy = plan.recording.startsWith('legacy') || plan.recording === 'large';
  if (isOld && (isLegacy || !(await isLoaded(node, name)))) return { there: restored, why: null };
  const difference = await newDifference(node, name, contents);
  if (difference === null) return { there: 'new', why: null };
  if (isLegacy && shared.version < 300_000 && existsSync(own)) {
    const other = await oldDifference(node, { wallet: name }, subject.passphrase, contents);
    if (other === null) return { there: restored, why: null };
    return { there: 'half', why: `${difference}; as a legacy wallet: ${other}` };
  }
  return { there: existsSync(own) ? 'half' : 'nothing', why: difference };
}

async function isLoaded(node: RealNode, name: string): Promise<boolean> {
  return z
    .array(z.string())
    .parse(await node.call('listwallets'))
    .includes(name);
}

async function lookAtBackup(
  node: RealNode,
  file: string,
  contents: Contents,
): Promise<{ there: There; why: string | null }> {
  if (!existsSync(file)) return { there: 'nothing', why: null };
  const copy = 'the new backup';
  const own = fileOf(node.walletsFolder, copy);
  mkdirSync(dirname(own));
  writeFileSync(own, readFileSync(file));
  try {
    const baseline = contents[''];
    const found = await asLoaded(node, copy, contentsOf);
    const why = baseline ? differenceOf(baseline, found) : 'no baseline';
    return { there: why === null ? 'new' : 'half', why };
  } catch (error) {
    return { there: 'half', why: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(dirname(own), { recursive: true });
  }
}

/**
 * Whole copies of the old wallet: of the node, of the app, of the owner. Each is it byte for byte. What a rescue makes of a
 * file that was not closed is another file: a copy of that is migrated and compared. The owner's file with its log can be
 * rescued again.
 */
async function copiesIn({ job, recording }: KillPlan, place: Place): Promise<string[]> {
  const { node, appFolder, subject, contents, file } = place;
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

/** What the owner does next, to the end. */
async function walkBack(
  plan: KillPlan,
  shared: Shared,
  place: Place,
  word: Word,
  came: JobState | null,
): Promise<{ way: string; why: string | null }> {
  if (word === 'done') return { way: 'not needed', why: null };
  const { app, node, subject, contents } = place;
  const isInterrupted = word === 'interrupted';
  const secret =
    subject.passphrase === undefined || plan.job === 'restore' ? {} : { passphrase: subject.passphrase };
  const putBack = (name: string): Start => ({
    action: 'put-back',
    source: { by: 'wallet', name },
    ...secret,
  });
  // Where a backup that is not whole lies, nothing is overwritten: its owner takes another name.
  const isTaken = plan.job === 'backup' && existsSync(place.file);
  // The node restored the wallet under its name, as the app says: it is migrated there.
  if (came?.leftCopy !== undefined && plan.job === 'restore-migrate') {
    const source = { by: 'wallet', name: plan.name } as const;
    const there: Start = { action: 'migrate', source, ...secret };
    const why = await finish(place, there, await app.plan(there), [came.id]);
    const end = await look(place, plan, shared);
    return {
      way: `migrated where it lies: ${end.there}`,
      why: why ?? (end.there === 'new' ? null : end.why),
    };
  }
  const file = isTaken ? join(dirname(place.file), 'second.dat') : place.file;
  const again = isTaken ? jobOf(plan, file, subject) : place.job;
  let job = isInterrupted ? putBack(plan.name) : again;
  const before = came === null ? [] : [came.id];
  let way = isInterrupted ? 'put back' : 'tried again';
  // One that had no name comes back under one.
  let planned = await app.plan(job);
  if (isInterrupted && plan.backStoppedAt !== null) {
    const { job: length } = await lengthsOf(plan, shared);
    const running = app.run(job, planned).catch(() => undefined);
    await pause(plan.backStoppedAt * length);
    await node.kill();
    await node.start().catch(() => node.start(['-nowallet']));
    await running;
    const second = await wordOf(plan, place, before);
    const word = wordFrom(second);
    way = `put back, node killed meanwhile (${word}${second?.error ? `: ${second.error.message}` : ''})`;
    if (word === 'running' || word === 'unknown') return { way, why: `the way back ended ${word}` };
    if (second !== null) before.push(second.id);
    if (word !== 'done') {
      if (word === 'interrupted') job = putBack(second?.wallet ?? plan.name);
      way += ', put back again';
      planned = await app.plan(job);
      const why = await finish(place, job, planned, before);
      if (why !== null) return { way, why };
    }
  } else {
    const why = await finish(place, job, planned, before);
    if (why !== null) return { way, why };
  }
  const name = isInterrupted ? planned.wallet : plan.name;
  const end = await look({ ...place, file }, { ...plan, name }, shared);
  if (end.there === 'new') return { way: `${way}: whole`, why: null };
  if (end.there === 'old') {
    const why = await oldDifference(node, { wallet: name }, subject.passphrase, contents);
    return { way: `${way}: the old wallet`, why };
  }
  return { way, why: `after the way back: ${end.there}, ${end.why}` };
}

/** Runs a job to its end. Gives why it is not done. */
async function finish({ app }: Place, job: Start, planned: Plan, before: string[]): Promise<string | null> {
  try {
    // A node that was started again is another one to a plan that was made before the app saw it.
    await app.run(job, planned).catch(async () => app.run(job, await app.plan(job)));
    const end = await app.until((now) => now !== null && now.state !== 'running', LONGEST_MS, before);
    return end?.state === 'done' ? null : `${job.action} ended ${end?.state}: ${end?.error?.message}`;
  } catch (error) {
    return `${job.action}: ${error instanceof Error ? error.message : error}`;
  }
}
