/** What is said to someone who starts the app while another process of it uses the same folder of data. */
import { say } from '../../shared/text/say.ts';

interface Holder {
  dataFolder: string;
  /** Null where it is not known. */
  pid: number | null;
  lockFile: string;
}

/** `detail` is a sentence a line. */
export function runsAlreadyWords({ dataFolder, pid, lockFile }: Holder): { message: string; detail: string } {
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
      'Two of them on one folder would both go on with the same operations, so this one ends. It has changed nothing.',
    ),
    say(
      'Go on in the one that runs: in its window, or on the page in the browser that its link led to. Or end it, and start this one again.',
    ),
    say('For a second one beside it, name another folder in the environment variable WALLET_FERRY_DATA.'),
    ...(pid === null
      ? []
      : [
          say(
            'If process {pid} is another program than Wallet Ferry, remove the file {lockFile} and start again.',
            { pid, lockFile },
          ),
        ]),
  ];
  return { message: say('Wallet Ferry runs already.'), detail: sentences.join('\n') };
}
