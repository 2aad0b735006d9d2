/** What is said to someone who starts the app while another process of it uses the same folder of data, or could. */

import { say } from '../../shared/text/say.ts';
import type { LockRefusal } from '../disk/lock/lockDataFolder.ts';

interface Words {
  message: string;
  /** A sentence a line. */
  detail: string;
}

/** Why the app does not begin on this folder of data. */
export function notTakenWords(dataFolder: string, refusal: LockRefusal): Words {
  return refusal.why === 'held'
    ? runsAlreadyWords({ dataFolder, pid: refusal.pid, lockFile: refusal.lockFile })
    : unusableWords(dataFolder, refusal.lockFile, refusal.code);
}

function unusableWords(dataFolder: string, lockFile: string, code: string | null): Words {
  const isFull = code !== null && FULL.has(code);
  const sentences = [
    isFull
      ? say('The disk of {dataFolder} is full, where the app keeps its journal and its safety copies.', {
          dataFolder,
        })
      : say(
          'The app cannot write the file {lockFile}, which keeps a second Wallet Ferry away from its journal and its safety copies ({code}).',
          { lockFile, code: code ?? say('for an unknown reason') },
        ),
    say('Without its journal the app works on no wallet, so it ends. It has changed nothing.'),
    isFull
      ? say('Make room there, and start again.')
      : say(
          'Make {dataFolder} and the files in it yours and writable, move away what lies at {lockFile} if no Wallet Ferry runs, and start again.',
          { dataFolder, lockFile },
        ),
    say('Or name another folder in the environment variable WALLET_FERRY_DATA.'),
  ];
  return { message: say('Wallet Ferry cannot use its folder of data.'), detail: sentences.join('\n') };
}

/** No room, no room for this user, or no more files. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

interface Holder {
  dataFolder: string;
  /** Null where it is not known. */
  pid: number | null;
  lockFile: string;
}

export function runsAlreadyWords({ dataFolder, pid, lockFile }: Holder): Words {
  const sentences = [
    pid === null
      ? say(
          'Another Wallet Ferry uses the folder {dataFolder}, where the app keeps its journal and its safety copies.',
          { dataFolder },
        )
      : say(
          'Another Wallet Ferry (process {pid}) uses the folder {dataFolder}, where the app keeps its journal and its safety copies.',
          { pid, dataFolder },
        ),
    say(
      'Two of them on one folder would both go on with the same crossings, so this one ends. It has changed nothing.',
    ),
    say(
      'Go on in the one that runs: in its window, or on the page in the browser that its link led to. Or end it, and start this one again.',
    ),
    say('For a second one beside it, name another folder in the environment variable WALLET_FERRY_DATA.'),
    ...(pid === null
      ? [say('If one was ended by force just now, wait a minute, and start again.')]
      : [
          say(
            'If process {pid} is another program than Wallet Ferry, remove the file {lockFile} and start again.',
            { pid, lockFile },
          ),
        ]),
  ];
  return { message: say('Wallet Ferry runs already.'), detail: sentences.join('\n') };
}
