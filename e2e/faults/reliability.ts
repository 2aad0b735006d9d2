/** `docs/reliability.md`: what each fault came to, written by the test run and held against it ever after. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Crossing } from '../../shared/crossing.ts';
import { errorCodes } from '../../shared/errors.ts';
import { type Kind, kinds, type Trial } from './trial.ts';

export interface Row {
  readonly fault: string;
  /** When or where it comes. */
  readonly where: string;
  readonly crossing: Kind | 'search' | 'keys in a text';
  readonly outcome: string;
  readonly file: string;
  /** How many long calls the node got. */
  readonly calls: number;
}

/** In the order of the document. */
const sections = ['The line', 'The node', 'The app and its disk', 'Searches and texts'] as const;
export type Section = (typeof sections)[number];

/** `npm run reliability`: every crossing meets every fault, and the document is written. */
export const isCampaign = process.env.WRITE_RELIABILITY === '1';

/**
 * To the node a rescue is a backup that is restored, and migrated: that of descriptors meets no faults of the line and of the
 * node, the other one in the campaign.
 */
export const usual: readonly Kind[] = kinds.filter(
  (kind) => kind !== 'rescue-descriptors' && (isCampaign || kind !== 'rescue'),
);

/**
 * Which of the faults a crossing meets: in the campaign all, else every third, so that each is met by one crossing.
 * Lists that differ in `first` have the crossing meet others at the same places.
 */
export function metBy<T>(kind: Kind, faults: readonly T[], first = 0): readonly T[] {
  const turn = (usual.indexOf(kind) + first) % usual.length;
  return isCampaign ? faults : faults.filter((_, index) => index % usual.length === turn);
}

/** Holds the rows against a section of the document. In the campaign writes them: test files must not run at once then. */
export function expectInReliability(section: Section, rows: readonly Row[]): void {
  const tables = readTables();
  if (isCampaign) {
    tables.set(section, tableOf(rows));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, documentOf(tables));
  } else {
    const told = (tables.get(section) ?? '').split('\n');
    const others = rows.map(lineOf).filter((line) => !told.includes(line));
    expect(others, 'run "npm run reliability" and look at what changed').toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(documentOf(tables));
  }
}

/** What stands in the place of an outcome where the process was killed and the same was done again. */
export const AGAIN = 'done, when asked again';

/** The row of a trial that has come to its end, or to a standstill that the app shows. */
export async function rowOf(
  on: Trial,
  fault: string,
  where: string,
  came: Crossing | null | Error,
): Promise<Row> {
  const outcome = plain(outcomeOf(came), on);
  const runs = came !== null && 'state' in came && came.state === 'running';
  return { fault, where, crossing: on.kind, outcome, file: await on.files(runs), calls: on.calls() };
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
export function outcomeOf(came: Crossing | null | Error): string {
  if (came === null) return 'not begun';
  if (came instanceof Error) return `refused: ${told(came)}`;
  const { state, line, error, result } = came;
  if (state === 'running') return line === 'lost' ? 'under way, line lost' : 'under way';
  if (came.ended === null || came.ended < came.started) throw new Error('It ended before it began.');
  if (state === 'done') {
    if (result === null) throw new Error('It is done without a result.');
    if (result.kind !== 'migrate') return 'done';
    if (came.proof === null || came.proof.verdict === 'different') throw new Error('It is not proved.');
    return result.backupSeen === true ? 'done' : 'done; where the node’s backup is was not seen';
  }
  if (error === null) throw new Error('It ended without words.');
  return `${state}: ${told(error)}`;
}

function told(error: object): string {
  const { code, message, hint } = error as { code?: string; message?: string; hint?: string };
  if (!message || !hint || !errorCodes.some((known) => known === code))
    throw new Error(`No words: ${message}`);
  return message;
}

const file = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

const INTRO = `# Reliability

What becomes of a crossing, and of the wallet’s file, when something goes wrong in the middle of it. The tests in
\`e2e/faults\` bring about each of these faults and write this page. A test run brings about each with one of the
crossings, and fails where the page says anything else than what happened. To have every crossing meet every fault,
and the page written anew:

    npm run reliability

The node is a test node that answers from recordings of release 31.0 and keeps its wallets on the disk. Faults of the
app’s own disk are put in between the app and the file system: the app runs as a process of its own, in which the call
named fails as it does on a full or read-only disk. Where the tests may mount a file system, the full disk is tried on
a real one as well. A real node is killed and cut off, too, at random instants of its work: \`npm run kills -- --node\`
compares what the app says afterwards with what is there, and walks the way back to its end.

- **outcome** is what Activity shows in the end. *done* of a migration includes the comparison of old and new wallets.
  *under way* is what it shows for as long as the fault lasts.
- **file** is what lies on the disk then, byte for byte: the wallet that was to be migrated, or the backup that was
  restored or rescued, and what the crossing made. All other wallets of the node were compared too, and were as before.
  Of a rescue that has ended, the mended file is gone.
- **search** is that of a disk image for deleted wallets; **keys in a text** are made a wallet before they are brought
  over. Neither calls a node.
- **calls** is how often the node got \`restorewallet\` or \`migratewallet\`. Never more than once: what may have been sent
  is not sent again.
`;

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(lineOf).sort((one, other) => (one < other ? -1 : 1));
  const head = [
    '| fault | where | crossing | outcome | file | calls |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  return [...head, ...lines].map((line) => `${line}\n`).join('');
}

function lineOf({ fault, where, crossing, outcome, file: files, calls }: Row): string {
  return `| ${[fault, where, crossing, outcome, files, calls].join(' | ')} |`;
}

function documentOf(tables: ReadonlyMap<string, string>): string {
  return [INTRO, ...sections.map((section) => `## ${section}\n\n${tables.get(section) ?? ''}`)].join('\n');
}

function readTables(): Map<string, string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const parts = text.split(/^## /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [title = '', , ...lines] = part.split('\n');
      return [title, `${lines.filter((line) => line !== '').join('\n')}\n`];
    }),
  );
}
