/** Keeps the engine away from folders that other users of this computer can change. */
import { existsSync, realpathSync } from 'node:fs';
import { sharedWayTo } from '../../disk/lock/sharedFolder.ts';
import { EngineError } from './engineError.ts';

/**
 * Whoever can write to a folder of wallets, or to one above it, can put a link, or another wallet, in the place of one
 * that the engine is about to write. `what` names the folder in the sentence: "the wallets folder". Of one that is not
 * there yet those above it are looked at.
 *
 * @throws EngineError with what to do, before anything was read or changed.
 */
export function refuseSharedByOthers(what: string, folder: string): void {
  const shared = sharedWayTo(folder);
  if (shared === null) return;
  const isAbove = !existsSync(folder) || realpathSync(folder) !== shared.folder;
  const words = isAbove
    ? `${shared.folder}, in which ${what} ${folder} lies, and could put another one in its place.`
    : `${what}, ${folder}, and could put other files in the place of yours.`;
  throw shared.how === 'owned-by-another'
    ? new EngineError(
        `Another user of this computer owns ${words}`,
        'Nothing was read or changed. Make the folder yours, or copy your wallets to a folder of yours and choose that.',
      )
    : new EngineError(
        `Other users of this computer may write to ${words}`,
        `Nothing was read or changed. Take that right from them (chmod go-w ${inShell(shared.folder)}), or copy your wallets to a folder of yours and choose that.`,
      );
}

function inShell(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
