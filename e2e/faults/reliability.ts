/** Compares the outcome of each fault with `outcomes.json`, which the campaign (`npm run reliability`) writes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { z } from 'zod/mini';
import { errorCodes } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import type { Scenario } from '../testNode/testNode.ts';
import { type Kind, kinds, openTrial, type Trial } from './trial.ts';

export interface Row {
  readonly fault: string;
  /** When or where the fault happens. */
  readonly where: string;
  readonly job: Kind | 'search' | 'keys in a text';
  readonly outcome: string;
  readonly file: string;
  /** How many long calls reached the node. */
  readonly calls: number;
}

/** The sections of the report, in order. */
const sections = ['The connection', 'The node', 'The app and its disk', 'Searches and texts'] as const;
export type Section = (typeof sections)[number];

/** In the campaign every job meets every fault, and the outcomes are written. */
export const isCampaign = process.env.WRITE_RELIABILITY === '1';

/**
 * The jobs that meet faults of the connection and the node. For the node, a rescue is just the restore and migration of a
 * backup. So the rescue of descriptors meets none of these faults, and the other rescue meets them only in the campaign.
 */
export const usual: readonly Kind[] = kinds.filter(
  (kind) => kind !== 'rescue-descriptors' && (isCampaign || kind !== 'rescue'),
);

/**
 * The faults that a job meets: in the campaign all, otherwise every third, so that one job meets each fault.
 * Another `first` selects other faults of the list for the same job.
 */
export function metBy<T>(kind: Kind, faults: readonly T[], first = 0): readonly T[] {
  const turn = (usual.indexOf(kind) + first) % usual.length;
  return isCampaign ? faults : faults.filter((_, index) => index % usual.length === turn);
}

/** In the campaign all of these, otherwise those whose code differs: units test the others more cheaply. */
export function sampleOf<T>(all: readonly T[], sample: readonly NoInfer<T>[]): readonly T[] {
  return isCampaign ? all : sample;
}

/** Compares the rows with the known outcomes. The campaign writes them instead, so its test files must run one by one. */
export function expectKnownOutcomes(section: Section, rows: readonly Row[]): void {
  const known = outcomes.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (!isCampaign) {
    const unknown = rows.map(lineOf).filter((line) => !known[section].includes(line));
    expect(unknown, 'run "npm run reliability" and look at what changed').toEqual([]);
    return;
  }
  const latest = { ...known, [section]: rows.map(lineOf).sort((one, other) => (one < other ? -1 : 1)) };
  writeFileSync(file, `${JSON.stringify(latest, null, 2)}\n`);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL('reliability.md', results), reportOf(latest));
}

/** The outcome of work that was killed and then repeated. */
export const AGAIN = 'done at the next attempt';

/** Runs one job through one fault, and returns its row. The long call may be sent once at most. */
export async function runTrial(
  kind: Kind,
  scenario: Scenario,
  run: (on: Trial) => Promise<Row>,
): Promise<Row> {
  const trial = await openTrial(kind, scenario);
  try {
    const row = await run(trial);
    expect(row.calls).toBeLessThanOrEqual(1);
    expect(trial.node.unrecorded).toEqual([]);
    return row;
  } finally {
    await trial.close();
  }
}

/** The row of a trial whose job has ended, or waits in a state that the app shows. */
export async function rowOf(
  on: Trial,
  fault: string,
  where: string,
  ending: Job | null | Error,
): Promise<Row> {
  const outcome = plain(outcomeOf(ending), on);
  // The repaired file of a rescue may be the only whole copy until the outcome is known.
  const runs =
    ending !== null && 'state' in ending && (ending.state === 'running' || ending.state === 'unknown');
  return { fault, where, job: on.kind, outcome, file: await on.files(runs), calls: on.calls() };
}

/** Replaces what differs between runs and between systems. */
function plain(text: string, { dataFolder, node }: Trial): string {
  return text
    .replaceAll(node.walletsFolder, 'wallets folder')
    .replaceAll(node.dataFolder, 'node folder')
    .replaceAll(dataFolder, 'data folder')
    .replaceAll('\\', '/')
    .replace(/\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d/g, 'time')
    .replace(/127\.0\.0\.1:\d+/g, 'the node');
}

/** Describes how a job ended. Throws if its error has no message, no hint or no code. */
export function outcomeOf(ending: Job | null | Error): string {
  if (ending === null) return 'not started';
  if (ending instanceof Error) return `refused: ${messageOf(ending)}`;
  const { state, connection, error, result } = ending;
  if (state === 'running') return connection === 'lost' ? 'under way, connection lost' : 'under way';
  if (ending.ended === null || ending.ended < ending.started)
    throw new Error('The job ended before it started.');
  if (state === 'done') {
    if (result === null) throw new Error('The job is done without a result.');
    const isProved = ending.proof !== null && ending.proof.verdict !== 'different';
    if ((result.kind === 'migrate' || ending.isCompared) && !isProved)
      throw new Error('The result is not proved.');
    if (result.kind !== 'migrate') return 'done';
    return result.backupSeen === true ? 'done' : 'done; where the old wallet’s backup is was not seen';
  }
  if (error === null) throw new Error('The job failed without an error.');
  return `${state}: ${messageOf(error)}`;
}

function messageOf(error: object): string {
  const { code, message, hint } = error as { code?: string; message?: string; hint?: string };
  if (!message || !hint || !errorCodes.some((known) => known === code))
    throw new Error(`The error lacks a message, a hint or a code: ${message}`);
  return message;
}

const file = fileURLToPath(new URL('outcomes.json', import.meta.url));
const results = new URL('../../test-results/', import.meta.url);

/** The rows of each section, with bars between their cells. */
const outcomes = z.record(z.enum(sections), z.array(z.string()));
type Outcomes = z.infer<typeof outcomes>;

function lineOf({ fault, where, job, outcome, file: files, calls }: Row): string {
  return [fault, where, job, outcome, files, calls].join(' | ');
}

/** The report in Markdown. */
function reportOf(all: Outcomes): string {
  const head = '| fault | where | job | outcome | file | calls |\n| --- | --- | --- | --- | --- | --- |\n';
  return sections
    .map((section) => `## ${section}\n\n${head}${all[section].map((line) => `| ${line} |\n`).join('')}`)
    .join('\n');
}
