/** How a copy of a wallet of a node can be made: by the app, by the node, or not at all. */
import type { CopyWay } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { listWallets } from '../../node/calls/walletCalls.ts';
import { walletFilePath } from '../../node/calls/walletFile.ts';
import type { Session } from '../../node/rpc/session.ts';

export interface CopyPlan {
  way: CopyWay;
  /** In a sentence for the user. */
  text: string;
  /** The wallet's file on this machine; null where it is not known. */
  file: string | null;
  loaded: boolean;
}

/** Throws what the node's calls throw. */
export async function copyPlanFor(session: Session, name: string): Promise<CopyPlan> {
  const { client, status } = session;
  const loaded = (await listWallets(client)).includes(name);
  const file = status.walletsFolder === null ? null : await walletFilePath(status.walletsFolder, name);
  if (status.local && file !== null) {
    return loaded
      ? {
          way: 'backupwallet',
          text: say('The node has the wallet open, so the node itself writes the copy, with “backupwallet”.'),
          file,
          loaded,
        }
      : { way: 'copied', text: say('The app copies the closed file of the wallet.'), file, loaded };
  }
  if (loaded || status.release.loadsLegacy) {
    const written = status.local
      ? say(
          'The app does not know where the node keeps its wallets, so the node itself writes the copy there, beside its log, with “backupwallet”.',
        )
      : say(
          'The node is on another machine, so the node itself writes the copy there, beside its log, with “backupwallet”.',
        );
    const first = say(
      'It loads the wallet first, which takes a while where the wallet has to catch up with the chain.',
    );
    return {
      way: 'backupwallet',
      text: loaded ? written : `${written} ${first}`,
      file: null,
      loaded,
    };
  }
  return {
    way: 'cannot',
    text: status.local
      ? say(
          'The app does not know where the node keeps its wallets, and this release does not load a legacy wallet to back it up.',
        )
      : say(
          'The wallet’s file is on the node’s machine, and this release does not load a legacy wallet to back it up.',
        ),
    file: null,
    loaded,
  };
}
