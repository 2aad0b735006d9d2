/** A series of renames that is done whole, or taken back, also when the machine stops in the midst of it. */
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { z } from 'zod';
import { flushFolder, partPath, removeQuietly, writeWholeFile } from './durableFile.ts';
import { systemCode } from './systemCode.ts';

/** Paths are relative to the wallets folder. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** A rename failed and so did taking back those before it. The journal stays: the next start finishes the series. */
export class UnfinishedMoves extends Error {}

/**
 * Writes down what is to be renamed and does it, without letting anything else run in between. What is written down
 * is finished by the start after a crash (`finishMoves`). For that a path that is moved away may come back only by a
 * later move, only the last move may replace a file, and it must start from a name that never comes again. Throws
 * UnfinishedMoves, else the system's error, with everything under its old name.
 */
export function doMoves(walletsFolder: string, moves: readonly Move[]): void {
  const journal = writeJournal(walletsFolder, moves);
  const done: Move[] = [];
  try {
    for (const move of moves) {
      rename(walletsFolder, move);
      done.unshift(move);
    }
  } catch (error) {
    takeBack(walletsFolder, done, journal);
    throw error;
  }
  // One that stays is found by the next start, which sees that all of it is done.
  removeQuietly(journal);
  flushFolder(walletsFolder);
}

/** Goes on with what a stopped engine had decided. Gives the series that it finished. Throws where it cannot. */
export function finishMoves(walletsFolder: string): (readonly Move[])[] {
  const finished: (readonly Move[])[] = [];
  for (const name of readdirSync(walletsFolder)) {
    if (!JOURNAL_NAME.test(name)) continue;
    const path = join(walletsFolder, name);
    const { moves } = journalShape.parse(JSON.parse(readFileSync(path, 'utf8')));
    finish(walletsFolder, moves);
    rmSync(path);
    flushFolder(walletsFolder);
    finished.push(moves);
  }
  return finished;
}

const JOURNAL = '.moves';
const JOURNAL_NAME = /^\.wallet-ferry-[0-9a-f]{16}\.moves$/;

/** The journal is ours, but what leads out of the folder is never followed. */
const inFolder = z.string().refine((path) => !normalize(path).startsWith('..') && !path.startsWith('/'));
const journalShape = z.object({ moves: z.array(z.object({ from: inFolder, to: inFolder })) });

function writeJournal(walletsFolder: string, moves: readonly Move[]): string {
  const part = partPath(walletsFolder);
  const journal = `${part.slice(0, -'.part'.length)}${JOURNAL}`;
  writeWholeFile(part, new TextEncoder().encode(JSON.stringify({ moves })));
  try {
    renameSync(part, journal);
  } catch (error) {
    removeQuietly(part);
    throw error;
  }
  flushFolder(walletsFolder);
  return journal;
}

/** `done`: the last one first. */
function takeBack(walletsFolder: string, done: readonly Move[], journal: string): void {
  try {
    for (const { from, to } of done) rename(walletsFolder, { from: to, to: from });
    rmSync(journal);
    flushFolder(walletsFolder);
  } catch {
    throw new UnfinishedMoves('the series is to be finished at the next start');
  }
}

function finish(walletsFolder: string, moves: readonly Move[]): void {
  // Done in order: the last one whose source is gone tells how far an earlier try came.
  const done = moves.findLastIndex(({ from }) => !existsSync(join(walletsFolder, from)));
  for (const [index, move] of moves.entries()) {
    if (index <= done) continue;
    const replaces = existsSync(join(walletsFolder, move.to));
    if (replaces && index < moves.length - 1) throw new Error('something else took a name of the series');
    rename(walletsFolder, move);
  }
}

function rename(walletsFolder: string, move: Move): void {
  const [from, to] = [join(walletsFolder, move.from), join(walletsFolder, move.to)];
  try {
    renameSync(from, to);
  } catch (error) {
    // A drive of the network can answer with an error and have done it.
    if (!(isGone(from) && existsSync(to))) throw error;
  }
  flushFolder(dirname(from));
  flushFolder(dirname(to));
}

/** False where the system cannot tell. */
function isGone(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return systemCode(error) === 'ENOENT';
  }
}
