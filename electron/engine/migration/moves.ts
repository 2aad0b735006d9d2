/**
 * The moves that end a migration: all of them or none, even if the computer crashes in between. The next start repairs the folder of an
 * engine that was killed.
 */

import { type BigIntStats, lstatSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { z } from 'zod/mini';
import { parseJson } from '../../../shared/model/shapes.ts';
import {
  flushFolder,
  isGone,
  moveFile,
  moveFolder,
  removePart,
  removeQuietly,
  rename,
  writeWholeFile,
} from '../../files/durableFile.ts';
import type { FolderLayout } from '../../files/engineFolder.ts';
import { systemCode } from '../../files/fileError.ts';
import { contentMarkOf, isSameFile, isUnchanged } from '../../files/fileMark.ts';
import { hashFileAt } from '../../files/largeFile.ts';
import { readWhole } from '../../files/openFile.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { EngineError } from '../wallets/engineError.ts';
import type { EngineState } from '../wallets/engineState.ts';
import type { EngineLog } from '../wallets/log.ts';
import { refuseUnsafePath, tracesIn } from '../wallets/walletsFolder.ts';

/**
 * `wallet`: moves a folder with a new wallet's file to its name. `aside`: moves the legacy wallet to a hidden name, and
 * removes it at the end. `replacement`: moves a new wallet's file over the legacy one.
 */
const moveShape = z.object({
  is: z.enum(['wallet', 'aside', 'replacement']),
  from: z.string().check(z.refine(staysInFolder)),
  to: z.string().check(z.refine(staysInFolder)),
  /** SHA-256 of the file, lower-case hex. */
  sha256: z.string(),
  /** Of a new wallet's file when it was checked. */
  mark: z.optional(z.string()),
});
export type Move = Readonly<z.infer<typeof moveShape>>;

const WALLET = 'wallet.dat';

/** Paths are relative to the wallets folder. */
const seriesShape = z.object({
  /** The copy of the legacy wallet, which is neither moved nor replaced without it. `sha256`: of both. */
  backup: z.object({ path: z.string().check(z.refine(staysInFolder)), sha256: z.string() }),
  moves: z.array(moveShape).check(z.minLength(1)),
});
export type MoveSeries = Readonly<z.infer<typeof seriesShape>>;

/** A move failed, and so did undoing the moves before it. The journal stays, and the next start finishes the series. */
export class MovesInterruptedError extends Error {}

/** The wallets folder differs from what the journal expects. This start has moved nothing. */
class MovesBlockedError extends Error {
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
 * Writes a journal and moves everything, synchronously. `legacy`: the mark of the legacy wallet when it was compared with
 * its backup. After a crash, the next start finishes the series (`finishMoves`). So only a later move may bring back a
 * path that was moved away, and each move except `aside` starts from a name that is never used again. Throws
 * MovesInterruptedError; else RpcError for a link out of the folder or the system's error, after undoing every move.
 */
export function doMoves(state: EngineState, series: MoveSeries, legacy: BigIntStats): void {
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
      const now = place === null ? null : identify(join(walletsFolder, place));
      if (now !== null && !(now.isFile() && isUnchanged(now, legacy))) throw new Error('the wallet changed');
      const file = join(walletsFolder, move.from, move.is === 'wallet' ? WALLET : '');
      if (move.mark && contentMarkOf(identify(file)) !== move.mark) throw new Error('the new wallet changed');
      doMove(state, move);
      done.unshift(move);
    }
  } catch (error) {
    undo(state, done, journal);
    throw error;
  }
  // The backup was compared just before. The next start removes what remains.
  for (const { is, to } of series.moves) if (is === 'aside') removeQuietly(join(walletsFolder, to));
  if (series.moves.every(({ is, to }) => is !== 'aside' || isGone(join(walletsFolder, to)))) {
    removeQuietly(journal);
    flushFolder(state.folder);
  }
}

/**
 * The outcome of a journal. `undone`: the legacy wallet is in its place and the new wallets are missing, as in a folder
 * that was restored from a copy. `waiting`: both are missing, as on a disk that is not connected; the journal stays.
 */
interface FinishedMoves {
  readonly outcome: 'finished' | 'undone' | 'waiting';
  readonly series: MoveSeries;
  readonly journal: string;
}

/**
 * Finishes the series of a killed engine. Moves only files with the journal's SHA-256, and follows no links. Throws
 * MovesBlockedError for other files, and what reading and moving throw; the journal stays then.
 */
export function finishMoves(state: EngineState): FinishedMoves[] {
  const finished: FinishedMoves[] = [];
  for (const journal of state.journals()) {
    const parsed = seriesShape.safeParse(parseJson(readWhole(journal, { own: true }).toString('utf8')));
    // An incomplete journal: nothing was moved yet.
    const outcome = parsed.success ? finish(state, journal, parsed.data) : null;
    if (parsed.success && outcome !== null) finished.push({ outcome, series: parsed.data, journal });
    if (outcome === 'waiting') continue;
    rmSync(journal);
    flushFolder(state.folder);
  }
  return finished;
}

/** Checked although the engine wrote the journal itself. */
function staysInFolder(path: string): boolean {
  return path !== '' && !isAbsolute(path) && normalize(path) === path && !path.split(sep).includes('..');
}

function finish(
  state: EngineState,
  journal: string,
  { moves, backup }: MoveSeries,
): FinishedMoves['outcome'] {
  const { walletsFolder } = state;
  const at = (path: string) => join(walletsFolder, path);
  const refused = (why: string) => new MovesBlockedError(journal, at(backup.path), why);
  // Moves are done in order, so the last missing source shows how far an earlier attempt came.
  const done = moves.findLastIndex(({ from }) => isGone(at(from)));
  const rest = moves.slice(done + 1);
  refuseUnsafePath(state, walletsFolder, ...moves.flatMap(({ from, to }) => [at(from), at(to)]));
  const hasBackup = sha256At(at(backup.path), 'aside') === backup.sha256;
  for (const { is, from, to, sha256 } of rest) {
    if (sha256At(at(from), is) !== sha256)
      throw refused(`${at(from)} is not the file that the migration wrote`);
    if (is === 'replacement' && !isGone(at(to)) && sha256At(at(to), is) !== backup.sha256)
      throw refused(`${at(to)} is not the wallet that the migration replaces`);
    if (is !== 'wallet' && !hasBackup) throw refused('the backup of the legacy wallet is missing or changed');
    const becomesFree = moves.some(
      (other) => other.is === 'aside' && other.from === to && rest.includes(other),
    );
    if (is === 'wallet' && !isGone(at(to)) && !becomesFree)
      throw refused(`another file has the name ${at(to)}`);
  }
  for (const move of rest) {
    // A crash during the move, or a copy, leaves the file under both names.
    if (move.is === 'aside' && sha256At(at(move.to), 'aside') === move.sha256) rmSync(at(move.to));
    doMove(state, move);
  }
  // Check the new files themselves: on a disk that is not connected, all sources are missing too.
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

/** For `wallet`, of the only file in the folder. Null if there is no such file. */
function sha256At(path: string, is: Move['is']): string | null {
  try {
    if (is !== 'wallet') return hashFileAt(path, { own: true });
    const isFolder = lstatSync(path).isDirectory() && readdirSync(path).join() === WALLET;
    return isFolder ? hashFileAt(join(path, WALLET), { own: true }) : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EINVAL'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

/** `done`: the last move first. */
function undo(state: EngineState, done: readonly Move[], journal: string): void {
  try {
    for (const { is, from, to } of done) doMove(state, { is, from: to, to: from });
    rmSync(journal);
    flushFolder(state.folder);
  } catch {
    throw new MovesInterruptedError('the series is to be finished at the next start');
  }
}

function doMove(state: EngineState, move: Pick<Move, 'is' | 'from' | 'to'>): void {
  const { walletsFolder } = state;
  const [from, to] = [join(walletsFolder, move.from), join(walletsFolder, move.to)];
  refuseUnsafePath(state, walletsFolder, from, to);
  if (move.is === 'wallet') moveFolder(from, to);
  else if (move.is === 'aside') moveFile(from, to);
  // Replaces only the legacy wallet, which has an equal backup.
  else rename(from, to);
  for (const folder of new Set([dirname(from), dirname(to)])) flushFolder(folder);
}

/** The marks of all affected folders at the start of a series. */
function foldersOf(walletsFolder: string, { moves }: MoveSeries): ReadonlyMap<string, BigIntStats> {
  const paths = moves.flatMap(({ from, to }) => [from, to]).map((path) => dirname(join(walletsFolder, path)));
  return new Map(paths.map((path) => [path, identify(path)]));
}

/** Refuses to move anything into a folder that replaced another one. */
function refuseChanged(folders: ReadonlyMap<string, BigIntStats>): void {
  for (const [path, mark] of folders) {
    if (!isSameFile(identify(path), mark)) throw new Error(`${basename(path)} is another folder by now`);
  }
}

/** Identifies a file or folder a moment later. Follows no links. Throws the system's error. */
export function identify(path: string): BigIntStats {
  return lstatSync(path, { bigint: true });
}

/**
 * Finishes committed migrations by the journals in the engine's own folder, and removes the unfinished files of a killed
 * engine, which it recognises by their names. Similar files may come from another machine or path, or from somebody who
 * filled the folder: it neither obeys nor removes them, and names them in the log. Call it only while holding the
 * folder's lock. Throws EngineError if a migration cannot be finished.
 */
export function repairFolder(
  { walletsFolder, chainFolder }: FolderLayout,
  state: EngineState,
  log: EngineLog,
): void {
  const outcomes = finishMigrations(state);
  for (const outcome of outcomes) log.write(outcomeText(outcome, walletsFolder));
  // Real paths are the same for every name of the folder.
  const { parts, kept } = tracesIn(state.walletsFolder, realpathSync.native(chainFolder));
  const prefix = state.unfinishedPrefix();
  const awaited = outcomes
    .filter(({ outcome }) => outcome === 'waiting')
    .flatMap(({ series }) => series.moves.map(({ from }) => join(state.walletsFolder, from)));
  const ours = parts.filter(
    (part) => prefix !== null && basename(part).startsWith(prefix) && !awaited.includes(part),
  );
  const notOurs = parts.filter((part) => !ours.includes(part));
  for (const part of ours) removePart(part);
  if (ours.length > 0) log.write(`Removed ${ours.length} unfinished files of an engine that was killed`);
  logPaths(log, notOurs, 'is unfinished, and no engine of yours is known to have written it here');
  logPaths(log, kept, 'looks like a file of this engine, but the engine keeps no such file there');
  state.recordRunning();
}

function outcomeText({ outcome, series, journal }: FinishedMoves, walletsFolder: string): string {
  const at = (path: string) => join(walletsFolder, path);
  const names = series.moves.map(({ is, from, to }) => at(is === 'aside' ? from : to)).join(', ');
  const newPaths = series.moves.filter(({ is }) => is !== 'aside').map(({ to }) => at(to));
  switch (outcome) {
    case 'finished':
      return `Finished an interrupted migration: ${newPaths.join(', ')}`;
    case 'undone':
      return `Undid an interrupted migration, because some of its new wallets are missing: the legacy wallet is in its place, unchanged. Files of the migration: ${names}`;
    case 'waiting':
      return `A migration was interrupted, and its files are missing from this folder: ${names}. Its backup was ${at(series.backup.path)}. If a disk is not connected, connect it and start the engine again, which then finishes the migration from its journal ${journal}. If the wallets are as you want them, remove that journal.`;
  }
}

/** Further paths are only counted: somebody who fills the folder must not fill the disk with log lines too. */
const MAX_LOGGED = 100;

function logPaths(log: EngineLog, paths: readonly string[], what: string): void {
  for (const path of paths.slice(0, MAX_LOGGED)) {
    log.write(`${path} ${what}. It was not changed. Inspect it to see whether it contains a wallet.`);
  }
  if (paths.length > MAX_LOGGED) log.write(`${paths.length - MAX_LOGGED} more such files are there`);
}

function finishMigrations(state: EngineState): FinishedMoves[] {
  try {
    return finishMoves(state);
  } catch (error) {
    if (error instanceof MovesBlockedError) {
      throw new EngineError(
        `An interrupted migration cannot be finished: ${error.message}.`,
        `Nothing was moved. The backup of the legacy wallet is ${error.backup}. The journal of the migration is ${error.journal}: move it away to start without finishing the migration.`,
      );
    }
    const why = error instanceof RpcError ? ` ${error.message}` : '';
    throw new EngineError(
      `An interrupted migration cannot be finished.${why}`,
      `Nothing is lost: the journal of the migration is in ${state.folder}. Check that the disk can be read and written, and start again.`,
    );
  }
}
