/** That a legacy backup is restored and migrated in one go on this node, or why it cannot be. */
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { Notice } from '../../../elements/Notice.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { Term } from '../../../elements/text/Term.tsx';
import { canPlace } from './restoreWay.ts';
import { WorkHere } from './WorkHere.tsx';

export function InOneGo({ node }: { node: NodeStatus }) {
  if (!canPlace(node)) return <CannotBe node={node} />;
  return (
    <Notice
      tone="info"
      title={say('This release cannot load a legacy wallet, so it is restored and migrated in one go')}
    >
      <p>
        <Say
          text="The app places a copy of this backup in the node’s wallets folder, and the node converts that copy to a {descriptorWallet}, the kind that it loads. The backup itself is left alone."
          values={{ descriptorWallet: <Term word="descriptor wallet" /> }}
        />
      </p>
      <p>
        {say(
          'Up to three wallets come of it: the wallet itself, one for what it only watches, and one for scripts that it knows and does not watch.',
        )}
      </p>
    </Notice>
  );
}

function CannotBe({ node }: { node: NodeStatus }) {
  const { release, local, network } = node;
  return (
    <Notice
      tone="read"
      title={
        local
          ? say('The app does not know for certain where this node keeps its wallets')
          : say('This node cannot take a legacy wallet from here')
      }
    >
      <p>
        {local
          ? say(
              'A node of release {release} cannot load a legacy wallet. It can be restored and migrated in one go, but for that the app must place a copy in the node’s wallets folder, and it places nothing on a guess.',
              { release: release.text },
            )
          : say(
              'A node of release {release} cannot load a legacy wallet. It can be restored and migrated in one go, but for that the app must place a copy in the node’s wallets folder, and that is on another machine.',
              { release: release.text },
            )}
      </p>
      <p>
        {local
          ? say(
              'By hand: put a copy of the backup, called wallet.dat, into a new folder in the node’s wallets folder, and migrate the wallet of that folder’s name.',
            )
          : say(
              'Use the app on the node’s own machine, or a node of release 29 or earlier. By hand: put a copy of the backup, called wallet.dat, into a new folder in the node’s wallets folder, and migrate the wallet of that folder’s name.',
            )}
      </p>
      <WorkHere network={network} />
    </Notice>
  );
}

/** For a file on the node's machine: whether it is a legacy wallet cannot be seen from here. */
export function IfItIsLegacy({ node }: { node: NodeStatus }) {
  return (
    <Notice tone="read" title={say('This node restores no legacy wallet')}>
      <p>
        <Say
          text="A node of release {release} refuses a backup of a {legacyWallet}, and changes nothing then. If yours is one, bring the backup to this computer and work without a node, or use the app on the node’s own machine."
          values={{ release: node.release.text, legacyWallet: <Term word="legacy wallet" /> }}
        />
      </p>
      <WorkHere network={node.network} />
    </Notice>
  );
}
