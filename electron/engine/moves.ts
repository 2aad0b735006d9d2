/** A series of renames that is done whole, also when the machine stops in the midst of it. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { z } from 'zod';
import { flushFolder, partPath, writeNewFile } from './durableFile.ts';

/** Paths are relative to the wallets folder. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Writes down what is to be renamed and does it, without letting anything else run in between. Once this is
 * written the series is decided: a start after a crash goes on with it (`finishMoves`). For that a path that is
 * moved away may come back only by a later move. Throws, with nothing renamed, when it cannot be written down.
 */
export function doMoves(walletsFolder: string, moves: readonly Move[]): void {
  const journal = `${partPath(walletsFolder).slice(0, -'.part'.length)}${JOURNAL}`;
  const part = partPath(walletsFolder);
  writeNewFile(part, new TextEncoder().encode(JSON.stringify({ moves })));
  renameSync(part, journal);
  flushFolder(walletsFolder);
  perform(walletsFolder, moves);
  rmSync(journal);
  flushFolder(walletsFolder);
}

/** Goes on with what a stopped engine had decided. Gives the series that it finished. */
export function finishMoves(walletsFolder: string): (readonly Move[])[] {
  const finished: (readonly Move[])[] = [];
  for (const name of readdirSync(walletsFolder)) {
    if (!JOURNAL_NAME.test(name)) continue;
    const path = join(walletsFolder, name);
    const { moves } = journalShape.parse(JSON.parse(readFileSync(path, 'utf8')));
    perform(walletsFolder, moves);
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

function perform(walletsFolder: string, moves: readonly Move[]): void {
  // Done in order: the last one whose source is gone tells how far an earlier try came.
  const done = moves.findLastIndex(({ from }) => !existsSync(join(walletsFolder, from)));
  for (const { from, to } of moves.slice(done + 1)) {
    renameSync(join(walletsFolder, from), join(walletsFolder, to));
    flushFolder(dirname(join(walletsFolder, from)));
    flushFolder(dirname(join(walletsFolder, to)));
  }
}
