/** What the start of an engine does about what another one left, that was killed. */
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removePart } from '../../files/durableFile.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { EngineError } from '../wallets/engineError.ts';
import type { EngineState } from '../wallets/engineState.ts';
import type { EngineLog } from '../wallets/log.ts';
import { tracesIn } from '../wallets/walletDir.ts';
import type { FolderLayout } from '../wallets/walletPath.ts';
import { type FinishedMoves, finishMoves, UnfinishableMoves } from './moves.ts';

/**
 * Finishes what was decided, by the journals in the engine's own folder, and removes what was only begun, if its name
 * says that it was begun here. What else looks like that was begun elsewhere, on another machine or under another path,
 * or was put there by whoever filled the folder: it is neither obeyed nor removed, and the log names it. Call it only
 * while holding the folder's lock. Throws EngineError where a migration cannot be finished.
 */
export function mendFolder(
  { walletsFolder, chainFolder }: FolderLayout,
  state: EngineState,
  log: EngineLog,
): void {
  const outcomes = finished(state);
  for (const outcome of outcomes) log.write(wordsOf(outcome, walletsFolder));
  // The same paths however the folder was named, so that they are known again.
  const { parts, kept } = tracesIn(state.walletsFolder, realpathSync.native(chainFolder));
  const begin = state.cutOff();
  const awaited = outcomes
    .filter(({ came }) => came === 'waiting')
    .flatMap(({ series }) => series.moves.map(({ from }) => join(state.walletsFolder, from)));
  const ours = parts.filter(
    (part) => begin !== null && basename(part).startsWith(begin) && !awaited.includes(part),
  );
  const notOurs = parts.filter((part) => !ours.includes(part));
  for (const part of ours) removePart(part);
  if (ours.length > 0) log.write(`Removed ${ours.length} half-made files of an engine that was cut off`);
  tell(log, notOurs, 'is half-made, and no engine of yours is known to have made it here');
  tell(log, kept, 'looks like a file of this engine, which keeps no such file there');
  state.begin();
}

function wordsOf({ came, series, journal }: FinishedMoves, walletsFolder: string): string {
  const at = (path: string) => join(walletsFolder, path);
  const names = series.moves.map(({ is, from, to }) => at(is === 'aside' ? from : to)).join(', ');
  const made = series.moves.filter(({ is }) => is !== 'aside').map(({ to }) => at(to));
  switch (came) {
    case 'finished':
      return `Finished a migration that was cut off: ${made.join(', ')}`;
    case 'undone':
      return `A migration was cut off, and is undone: the wallet lies in its place as it was before, and not all that was to come of it does: ${names}`;
    case 'waiting':
      return `A migration was cut off, and what it was to put in place does not lie in this folder: ${names}. Its backup was ${at(series.backup.path)}. If a disk is not connected, connect it and start again: the migration is finished then, by what is written in ${journal}. If the wallets are as you want them, remove that file.`;
  }
}

/** More than these are counted only: whoever fills a folder could fill the disk with lines about it. */
const MOST_TOLD = 100;

function tell(log: EngineLog, paths: readonly string[], what: string): void {
  for (const path of paths.slice(0, MOST_TOLD)) {
    log.write(
      `${path} ${what}. It was left as it is; whether a wallet is in it is to be seen by inspecting it.`,
    );
  }
  if (paths.length > MOST_TOLD) log.write(`${paths.length - MOST_TOLD} more of that kind lie there`);
}

function finished(state: EngineState): FinishedMoves[] {
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
