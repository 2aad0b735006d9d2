/** Keeps the engine away from folders that other users of this computer can change. */
import { sharedFolder } from '../../disk/lock/sharedFolder.ts';
import { EngineError } from './engineError.ts';

/**
 * Whoever can write to a folder of wallets can put a link, or another wallet, in the place of one that the engine is
 * about to write. `what` names the folder in the sentence: "the wallets folder". One that is not there yet passes.
 *
 * @throws EngineError with what to do, before anything was read or changed.
 */
export function refuseSharedByOthers(what: string, folder: string): void {
  const sharing = sharedFolder(folder);
  if (sharing === null) return;
  throw sharing === 'owned-by-another'
    ? new EngineError(
        `Another user of this computer owns ${what}, ${folder}, and could put other files in the place of yours.`,
        'Nothing was read or changed. Make the folder yours, or copy your wallets to a folder of yours and choose that.',
      )
    : new EngineError(
        `Other users of this computer may write to ${what}, ${folder}, and could put other files in the place of yours.`,
        `Nothing was read or changed. Take that right from them (chmod go-w ${inShell(folder)}), or copy your wallets to a folder of yours and choose that.`,
      );
}

function inShell(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
