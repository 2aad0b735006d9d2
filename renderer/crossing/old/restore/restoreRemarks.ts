/** What to know before a backup is restored that no check is about: who reads the file, and what is left alone. */
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Remark } from '../remark.ts';

export function restoreRemark({ offline, local }: Pick<NodeStatus, 'offline' | 'local'>): Remark {
  return offline ? OFFLINE : reader(local);
}

/** `restorewallet` came with release 23; null when the node has it. */
export function restoreUnsupported(node: Pick<NodeStatus, 'release'>): Remark | null {
  if (node.release.number >= FIRST_RELEASE) return null;
  return {
    key: 'no-restorewallet',
    tone: 'read',
    stops: true,
    title: say('Release {release} cannot restore a backup', { release: node.release.text }),
    text: [
      say(
        'The call restorewallet came with release 23. Connect to a node of release 23 or later. Nothing was changed.',
      ),
    ],
  };
}

const FIRST_RELEASE = 230_000;

const OFFLINE: Remark = {
  key: 'offline',
  tone: 'info',
  stops: false,
  title: say('The offline engine holds no block chain'),
  text: [
    say(
      'It copies the backup into its wallets folder and loads the copy. It does not rescan: balances are what the file last knew.',
    ),
    say('The backup itself is not changed.'),
  ],
};

function reader(local: boolean): Remark {
  return {
    key: 'reader',
    tone: 'info',
    stops: false,
    title: say('The node reads the file itself'),
    text: [
      local
        ? say(
            'It opens the path above as the user it runs as. If it runs as another user, that user needs the right to read the file and the folders above it.',
          )
        : say(
            'It opens the path above on its own machine, as the user it runs as. That user needs the right to read the file and the folders above it.',
          ),
      say('The node copies the backup into its wallets folder. The backup itself is not changed.'),
    ],
  };
}
