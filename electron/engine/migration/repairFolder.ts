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
  if (ours.length > 0) log.write(`Removed ${ours.length} unfinished files of an engine that was killed`);
  logPaths(log, notOurs, 'is unfinished, and no engine of yours is known to have written it here');
  logPaths(log, kept, 'looks like a file of this engine, but the engine keeps no such file there');
  state.begin();
}

function outcomeText({ outcome, series, journal }: FinishedMoves, walletsFolder: string): string {
  const at = (path: string) => join(walletsFolder, path);
  const names = series.moves.map(({ is, from, to }) => at(is === 'aside' ? from : to)).join(', ');
  const made = series.moves.filter(({ is }) => is !== 'aside').map(({ to }) => at(to));
  switch (outcome) {
    case 'finished':
      return `Finished an interrupted migration: ${made.join(', ')}`;
    case 'undone':
      return `Undid an interrupted migration, because some of its new wallets are missing: the legacy wallet is in its place, unchanged. Files of the migration: ${names}`;
    case 'waiting':
      return `A migration was interrupted, and its files are missing from this folder: ${names}. Its backup was ${at(series.backup.path)}. If a disk is not connected, connect it and start the engine again, which then finishes the migration from its journal ${journal}. If the wallets are as you want them, remove that journal.`;
  }
}

/** Further paths are only counted: somebody who fills the folder must not fill the disk with log lines too. */
const MOST_LOGGED = 100;

function logPaths(log: EngineLog, paths: readonly string[], what: string): void {
  for (const path of paths.slice(0, MOST_LOGGED)) {
    log.write(`${path} ${what}. It was not changed. Inspect it to see whether it contains a wallet.`);
  }
  if (paths.length > MOST_LOGGED) log.write(`${paths.length - MOST_LOGGED} more such files are there`);
}

function finishMigrations(state: EngineState): FinishedMoves[] {
  try {
    return finishMoves(state);
  } catch (error) {
    if (error instanceof UnfinishableMoves) {
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
