/** The outcome of each fault, compared with `outcomes.json`, which the campaign writes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { z } from 'zod';
import { errorCodes } from '../../shared/model/errors.ts';
import type { Job } from '../../shared/model/job.ts';
import type { Scenario } from '../testNode/testNode.ts';
import { type Kind, kinds, openTrial, type Trial } from './trial.ts';

export interface Row {
  readonly fault: string;
  /** When or where it comes. */
  readonly where: string;
  readonly job: Kind | 'search' | 'keys in a text';
  readonly outcome: string;
  readonly file: string;
  /** How many long calls the node got. */
  readonly calls: number;
}

/** In the order of the report. */
const sections = ['The line', 'The node', 'The app and its disk', 'Searches and texts'] as const;
export type Section = (typeof sections)[number];

/** `npm run reliability`: every job meets every fault, and the outcomes are written. */
export const isCampaign = process.env.WRITE_RELIABILITY === '1';

/**
 * To the node a rescue is a backup that is restored, and migrated: that of descriptors meets no faults of the line and of the
 * node, the other one in the campaign.
 */
export const usual: readonly Kind[] = kinds.filter(
  (kind) => kind !== 'rescue-descriptors' && (isCampaign || kind !== 'rescue'),
);

/**
 * Which of the faults a job meets: in the campaign all, else every third, so that each is met by one job.
 * Lists that differ in `first` have the job meet others at the same places.
 */
export function metBy<T>(kind: Kind, faults: readonly T[], first = 0): readonly T[] {
  const turn = (usual.indexOf(kind) + first) % usual.length;
  return isCampaign ? faults : faults.filter((_, index) => index % usual.length === turn);
}

/** Compares the rows with the known outcomes. In the campaign writes them: test files must not run at once then. */
export function expectKnownOutcomes(section: Section, rows: readonly Row[]): void {
  const known = outcomes.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (!isCampaign) {
    const others = rows.map(lineOf).filter((line) => !known[section].includes(line));
    expect(others, 'run "npm run reliability" and look at what changed').toEqual([]);
    return;
  }
  const latest = { ...known, [section]: rows.map(lineOf).sort((one, other) => (one < other ? -1 : 1)) };
  writeFileSync(file, `${JSON.stringify(latest, null, 2)}\n`);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL('reliability.md', results), reportOf(latest));
}

/** The outcome of a killed process whose work was done again. */
export const AGAIN = 'done, when asked again';

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

/** The row of a trial that has come to its end, or to a standstill that the app shows. */
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

/** Without what differs from run to run. */
function plain(words: string, { dataFolder, node }: Trial): string {
  return words
    .replaceAll(node.walletsFolder, 'wallets folder')
    .replaceAll(node.dataFolder, 'node folder')
    .replaceAll(dataFolder, 'data folder')
    .replace(/\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d/g, 'time')
    .replace(/127\.0\.0\.1:\d+/g, 'the node');
}

/** In words; throws where an end is left without them. */
export function outcomeOf(ending: Job | null | Error): string {
  if (ending === null) return 'not started';
  if (ending instanceof Error) return `refused: ${wordsOf(ending)}`;
  const { state, connection, error, result } = ending;
  if (state === 'running') return connection === 'lost' ? 'under way, line lost' : 'under way';
  if (ending.ended === null || ending.ended < ending.started) throw new Error('It ended before it began.');
  if (state === 'done') {
    if (result === null) throw new Error('It is done without a result.');
    if (result.kind !== 'migrate') return 'done';
    if (ending.proof === null || ending.proof.verdict === 'different') throw new Error('It is not proved.');
    return result.backupSeen === true ? 'done' : 'done; where the old wallet’s backup is was not seen';
  }
  if (error === null) throw new Error('It ended without words.');
  return `${state}: ${wordsOf(error)}`;
}

function wordsOf(error: object): string {
  const { code, message, hint } = error as { code?: string; message?: string; hint?: string };
  if (!message || !hint || !errorCodes.some((known) => known === code))
    throw new Error(`No words: ${message}`);
  return message;
}

const file = fileURLToPath(new URL('outcomes.json', import.meta.url));
const results = new URL('../../test-results/', import.meta.url);

/** Of each section the rows, their cells apart by bars. */
const outcomes = z.record(z.enum(sections), z.array(z.string()));
type Outcomes = z.infer<typeof outcomes>;

function lineOf({ fault, where, job, outcome, file: files, calls }: Row): string {
  return [fault, where, job, outcome, files, calls].join(' | ');
}

/** For a person to read. */
function reportOf(all: Outcomes): string {
  const head = '| fault | where | job | outcome | file | calls |\n| --- | --- | --- | --- | --- | --- |\n';
  return sections
    .map((section) => `## ${section}\n\n${head}${all[section].map((line) => `| ${line} |\n`).join('')}`)
    .join('\n');
}
