/** What a migration puts in its places: all of it, or nothing, also when the machine stops in the midst of it. */
import { type BigIntStats, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../../shared/model/parseJson.ts';
import {
  flushFolder,
  isGone,
  moveFile,
  moveFolder,
  removeQuietly,
  rename,
  writeWholeFile,
} from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { isSameFile } from '../../files/fileMark.ts';
import { sha256Of } from '../../files/hash.ts';
import { readWhole } from '../../files/openFile.ts';
import type { EngineState } from '../wallets/engineState.ts';
import { refuseUnsafePath } from '../wallets/walletPath.ts';

/**
 * What a file or a folder is moved for. `wallet`: a folder with the file of a new wallet, to a new name. `aside`: the
 * legacy wallet, to a hidden name, from which it goes in the end. `replacement`: the file of a new wallet, in the place
 * of the legacy one.
 */
const moveShape = z.object({
  is: z.enum(['wallet', 'aside', 'replacement']),
  from: z.string().refine(staysInFolder),
  to: z.string().refine(staysInFolder),
  /** SHA-256 of the file, lower-case hex. */
  sha256: z.string(),
});
export type Move = Readonly<z.infer<typeof moveShape>>;

/** Paths are relative to the wallets folder. */
const seriesShape = z.object({
  /** The copy of the legacy wallet: without it the wallet neither goes nor is replaced. `sha256` is that of both. */
  backup: z.object({ path: z.string().refine(staysInFolder), sha256: z.string() }),
  moves: z.array(moveShape).min(1),
});
export type Series = Readonly<z.infer<typeof seriesShape>>;

/** A move failed and so did taking back those before it. The journal stays: the next start finishes the series. */
export class UnfinishedMoves extends Error {}

/** The journal says what is to be done, and the wallets folder is not as it says. Nothing was moved by that start. */
export class UnfinishableMoves extends Error {
  constructor(
    readonly journal: string,
    /** Its path. */
    readonly backup: string,
    why: string,
  ) {
    super(why);
  }
}

/**
 * Writes down what is to be moved and does it, without letting anything else run in between. `legacy` is the mark of
 * the wallet that is migrated, from when it was compared with its backup. What is written down is finished by the start
 * after a crash (`finishMoves`). For that a path that is moved away may come back only by a later move, and each move
 * but that of the wallet that makes room starts from a name that never comes again. Throws UnfinishedMoves, RpcError
 * where a link leads out of the folder, else the system's error, with everything under its old name.
 */
export function doMoves(state: EngineState, series: Series, legacy: BigIntStats): void {
  const { walletsFolder } = state;
  const journal = state.newJournal();
  const done: Move[] = [];
  const folders = foldersOf(walletsFolder, series);
  writeWholeFile(journal, new TextEncoder().encode(JSON.stringify(series)));
  flushFolder(state.folder);
  try {
    for (const move of series.moves) {
      refuseChanged(folders);
      const place = move.is === 'aside' ? move.from : move.is === 'replacement' ? move.to : null;
      if (place !== null && !isStill(join(walletsFolder, place), legacy))
        throw new Error('the wallet changed');
      doMove(state, move);
      done.unshift(move);
    }
  } catch (error) {
    takeBack(state, done, journal);
    throw error;
  }
  // The backup was compared right before. What cannot be removed is found by the next start.
  for (const { is, to } of series.moves) if (is === 'aside') removeQuietly(join(walletsFolder, to));
  if (series.moves.every(({ is, to }) => is !== 'aside' || isGone(join(walletsFolder, to)))) {
    removeQuietly(journal);
    flushFolder(state.folder);
  }
}

/**
 * What came of a journal. `undone`: the legacy wallet lies in its place, and what was to come of it does not lie there
 * any more, as in a folder that was put back from a copy. `waiting`: neither is seen, as in a folder of which the disk is
 * not connected; the journal stays.
 */
export interface FinishedMoves {
  readonly came: 'finished' | 'undone' | 'waiting';
  readonly series: Series;
  readonly journal: string;
}

/**
 * Goes on with what an engine that was killed had decided. Nothing is moved but what is in the state that its journal
 * says, by its SHA-256, and no link is followed. Throws UnfinishableMoves where something else lies there, and what
 * reading and moving throw; the journal stays then.
 */
export function finishMoves(state: EngineState): FinishedMoves[] {
  const finished: FinishedMoves[] = [];
  for (const journal of state.journals()) {
    const parsed = seriesShape.safeParse(parseJson(readWhole(journal, { own: true }).toString('utf8')));
    // Cut off while it was written: nothing was moved by then.
    const came = parsed.success ? finish(state, journal, parsed.data) : null;
    if (parsed.success && came !== null) finished.push({ came, series: parsed.data, journal });
    if (came === 'waiting') continue;
    rmSync(journal);
    flushFolder(state.folder);
  }
  return finished;
}

/** The journal is ours, and all the same nothing in it leads out of the folder. */
function staysInFolder(path: string): boolean {
  return path !== '' && !isAbsolute(path) && normalize(path) === path && !path.split(sep).includes('..');
}

function finish(state: EngineState, journal: string, { moves, backup }: Series): FinishedMoves['came'] {
  const { walletsFolder } = state;
  const at = (path: string) => join(walletsFolder, path);
  const refused = (why: string) => new UnfinishableMoves(journal, at(backup.path), why);
  // Done in order: the last one whose source is gone tells how far an earlier try came.
  const done = moves.findLastIndex(({ from }) => isGone(at(from)));
  const rest = moves.slice(done + 1);
  refuseUnsafePath(state, walletsFolder, ...moves.flatMap(({ from, to }) => [at(from), at(to)]));
  const hasBackup = sha256At(at(backup.path), 'aside') === backup.sha256;
  for (const { is, from, to, sha256 } of rest) {
    if (sha256At(at(from), is) !== sha256) throw refused(`${at(from)} is not what was to be moved`);
    if (is === 'replacement' && !isGone(at(to)) && sha256At(at(to), is) !== backup.sha256)
      throw refused(`${at(to)} is not the wallet that was to be replaced`);
    const makesRoom = is !== 'wallet';
    if (makesRoom && !hasBackup) throw refused('the backup of the legacy wallet is not there');
    const comesFree = moves.some(
      (other) => other.is === 'aside' && other.from === to && rest.includes(other),
    );
    if (is === 'wallet' && !isGone(at(to)) && !comesFree)
      throw refused(`something else has the name ${at(to)}`);
  }
  for (const move of rest) {
    // Cut off between its two names, or copied since: the same lies under both.
    if (move.is === 'aside' && sha256At(at(move.to), 'aside') === move.sha256) rmSync(at(move.to));
    doMove(state, move);
  }
  // Seen, not concluded from what is gone: in a folder whose disk is not connected, everything is.
  const places = moves.filter(({ is }) => is !== 'aside');
  const isFinished =
    places.length > 0 ? places.every(({ is, to, sha256 }) => sha256At(at(to), is) === sha256) : hasBackup;
  const legacyPlaces = moves.flatMap(({ is, from, to }) =>
    is === 'aside' ? [from] : is === 'replacement' ? [to] : [],
  );
  if (!isFinished) {
    const isUndone = legacyPlaces.some((path) => sha256At(at(path), 'aside') === backup.sha256);
    return isUndone ? 'undone' : 'waiting';
  }
  for (const { is, to, sha256 } of moves)
    if (is === 'aside' && hasBackup && sha256At(at(to), is) === sha256) rmSync(at(to));
  return 'finished';
}

/** Of a folder that of the wallet in it, if it holds nothing else. Null where there is no such thing. */
function sha256At(path: string, is: Move['is']): string | null {
  try {
    if (is !== 'wallet') return sha256Of(readWhole(path, { own: true }));
    const isFolder = lstatSync(path).isDirectory() && readdirSync(path).join() === 'wallet.dat';
    return isFolder ? sha256Of(readWhole(join(path, 'wallet.dat'), { own: true })) : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EINVAL'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** `done`: the last one first. */
function takeBack(state: EngineState, done: readonly Move[], journal: string): void {
  try {
    for (const { is, from, to } of done) doMove(state, { is, from: to, to: from });
    rmSync(journal);
    flushFolder(state.folder);
  } catch {
    throw new UnfinishedMoves('the series is to be finished at the next start');
  }
}

function doMove(state: EngineState, move: Pick<Move, 'is' | 'from' | 'to'>): void {
  const { walletsFolder } = state;
  const [from, to] = [join(walletsFolder, move.from), join(walletsFolder, move.to)];
  refuseUnsafePath(state, walletsFolder, from, to);
  if (move.is === 'wallet') moveFolder(from, to);
  else if (move.is === 'aside') moveFile(from, to);
  // The one replacement there is: of the legacy wallet, whose equal backup lies beside it.
  else rename(from, to);
  flushFolder(dirname(from));
  flushFolder(dirname(to));
}

/** Every folder in which something is moved, as it is at the start of a series. */
function foldersOf(walletsFolder: string, { moves }: Series): ReadonlyMap<string, BigIntStats> {
  const paths = moves.flatMap(({ from, to }) => [from, to]).map((path) => dirname(join(walletsFolder, path)));
  return new Map(paths.map((path) => [path, markOf(path)]));
}

/** A folder that another one took the place of is not moved into. */
function refuseChanged(folders: ReadonlyMap<string, BigIntStats>): void {
  for (const [path, mark] of folders) {
    if (!isSameFile(markOf(path), mark)) throw new Error(`${basename(path)} is another folder by now`);
  }
}

/** By what a file or a folder is known again a moment later; links are not followed. Throws the system's error. */
export function markOf(path: string): BigIntStats {
  return lstatSync(path, { bigint: true });
}

/** Whether a regular file lies there, the same one, with nothing written to it since. */
function isStill(path: string, mark: BigIntStats): boolean {
  const stats = markOf(path);
  if (!stats.isFile()) return false;
  const keys = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const;
  return keys.every((key) => stats[key] === mark[key]);
}
