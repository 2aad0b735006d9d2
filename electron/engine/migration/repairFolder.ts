/** Repairs a wallets folder whose engine was killed. */
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removePart } from '../../files/durableFile.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { EngineError } from '../wallets/engineError.ts';
import type { EngineState } from '../wallets/engineState.ts';
import type { EngineLog } from '../wallets/log.ts';
import { type FolderLayout, tracesIn } from '../wallets/walletPath.ts';
import { type FinishedMoves, finishMoves, UnfinishableMoves } from './moves.ts';

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
  if (ours.length > 0) log.write(`Removed ${ours.length} half-made files of an engine that was cut off`);
  logPaths(log, notOurs, 'is half-made, and no engine of yours is known to have made it here');
  logPaths(log, kept, 'looks like a file of this engine, which keeps no such file there');
  state.begin();
}

function outcomeText({ outcome, series, journal }: FinishedMoves, walletsFolder: string): string {
  const at = (path: string) => join(walletsFolder, path);
  const names = series.moves.map(({ is, from, to }) => at(is === 'aside' ? from : to)).join(', ');
  const made = series.moves.filter(({ is }) => is !== 'aside').map(({ to }) => at(to));
  switch (outcome) {
    case 'finished':
      return `Finished a migration that was cut off: ${made.join(', ')}`;
    case 'undone':
      return `A migration was cut off, and is undone: the wallet lies in its place as it was before, and not all that was to come of it does: ${names}`;
    case 'waiting':
      return `A migration was cut off, and what it was to put in place does not lie in this folder: ${names}. Its backup was ${at(series.backup.path)}. If a disk is not connected, connect it and start again: the migration is finished then, by what is written in ${journal}. If the wallets are as you want them, remove that file.`;
  }
}

/** Further paths are only counted: somebody who fills the folder must not fill the disk with log lines too. */
const MOST_LOGGED = 100;

function logPaths(log: EngineLog, paths: readonly string[], what: string): void {
  for (const path of paths.slice(0, MOST_LOGGED)) {
    log.write(
      `${path} ${what}. It was left as it is; whether a wallet is in it is to be seen by inspecting it.`,
    );
  }
  if (paths.length > MOST_LOGGED) log.write(`${paths.length - MOST_LOGGED} more of that kind lie there`);
}

function finishMigrations(state: EngineState): FinishedMoves[] {
  try {
    return finishMoves(state);
  } catch (error) {
    if (error instanceof UnfinishableMoves) {
      throw new EngineError(
        `A migration that was cut off cannot be finished: ${error.message}.`,
        `Nothing was moved. The wallet as it was before is in ${error.backup}. What was to be done is written in ${error.journal}: move that file away to start without it.`,
      );
    }
    const why = error instanceof RpcError ? ` ${error.message}` : '';
    throw new EngineError(
      `A migration that was cut off cannot be finished.${why}`,
      `Nothing is lost: what is left to be done is written in ${state.folder}. See that the disk can be read and written, and start again.`,
    );
  }
}
