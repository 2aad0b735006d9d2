/** The guide's last step: which way this file goes on the node in use, or which node to take, and what comes after. */
import { Button } from '@mantine/core';
import type { FileFacts } from '../../../shared/files.ts';
import { networkName } from '../../../shared/networkName.ts';
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { List } from '../../elements/list/List.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { useApp, useNode } from '../../state/appStore.ts';
import { useGuide } from '../../state/guideStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import styles from './Guide.module.css';
import { GuideStep } from './GuideStep.tsx';
import { type GuideWay, guideWay } from './guideWay.ts';

export function GuideWayStep({ facts }: { facts: FileFacts }) {
  const node = useNode();
  const lost = useGuide((state) => state.passphrase === 'lost');
  const way = guideWay(facts, node);
  const restore = () =>
    usePlans.getState().begin([{ wanted: 'restore', source: { by: 'file', path: facts.path } }]);
  function connectFirst() {
    restore();
    useApp.getState().connectThen({ at: 'check' });
  }
  const goes = way === 'restore' || way === 'restore-migrate';
  // Without the passphrase nothing can come of a migration.
  const advised = way === 'restore' || (way === 'restore-migrate' && !lost);
  return (
    <>
      <GuideStep title={goes ? say('Take it across') : say('Choose what does the work')}>
        {wayText({ way, facts, node }).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {way === 'restore-migrate' && lost && (
          <Notice tone="read" title={say('This way needs the passphrase')}>
            <p>
              {say(
                'The wallet is migrated in the same go, and an encrypted one cannot be without its passphrase. To restore it as it is, use a node of release 29 or earlier, or work without a node.',
              )}
            </p>
          </Notice>
        )}
        <div className={styles.choose}>
          {goes && (
            <Button variant={advised ? 'filled' : 'default'} onClick={restore}>
              {way === 'restore' ? say('Restore it') : say('Restore and migrate it')}
            </Button>
          )}
          {way !== 'none' && (
            <Button variant={advised ? 'default' : 'filled'} onClick={connectFirst}>
              {node === null ? say('Choose a node, or work without one') : say('Use another node, or none')}
            </Button>
          )}
        </div>
      </GuideStep>
      <GuideStep title={say('After that')}>
        <List look="bullets">
          <li>
            {say(
              'Make a new backup of every wallet that came of it. The app asks for it, and remembers it if you put it off.',
            )}
          </li>
          <li>{say('Keep the old file and the old passphrase. The app never changes or deletes them.')}</li>
          <li>
            {say(
              'The balance is that of today once a node has looked through the block chain. Before that, it is what the file last knew.',
            )}
          </li>
          <li>
            {say(
              'If it holds more than you would carry in your pocket, think of moving the coins to a wallet whose keys were never on an old computer.',
            )}
          </li>
        </List>
      </GuideStep>
    </>
  );
}

interface Situation {
  way: GuideWay;
  facts: FileFacts;
  node: NodeStatus | null;
}

/** What is proposed, a sentence or two for each paragraph. */
function wayText({ way, facts, node }: Situation): string[] {
  const legacy = facts.kind === 'legacy-wallet';
  const release = node?.release.text ?? '';
  switch (way) {
    case 'none':
      return [];
    case 'choose-node':
      return [
        say(
          'A Bitcoin Core node on this computer is the best choice: it knows the block chain, so that it shows the balance of today and can send.',
        ),
        legacy
          ? say(
              'Any release from 25 on can do it. Releases 30 and later restore and migrate a legacy wallet in one go. Avoid 30.0 and 30.1: they were withdrawn, because they can delete wallets.',
            )
          : say('Any release from 23 on can restore it.'),
        say(
          'No node? The app has an offline engine built in, which does the same on this computer. It cannot know the balance of today, and it cannot send; a node can open the wallet later.',
        ),
      ];
    case 'other-network':
      return [
        say(
          'The wallet’s network: {ofFile}. The node’s network: {ofNode}. Use a node of the wallet’s network, or work without one.',
          {
            ofFile: facts.network === null ? '' : networkName(facts.network),
            ofNode: node === null ? '' : networkName(node.network),
          },
        ),
      ];
    case 'without-node':
      return [
        say(
          'A node of release {release} loads no legacy wallet, and the app cannot place a copy in its wallets folder. Use the app on the node’s own machine, a node of release 29 or earlier, or work without a node.',
          {
            release,
          },
        ),
      ];
    case 'restore':
      if (node?.offline) {
        return [
          legacy
            ? say(
                'The offline engine restores it as it is. Then migrate it: the button stands beside it in the list of wallets.',
              )
            : say('The offline engine restores it. A node of release 24 or later opens it after that.'),
        ];
      }
      return [
        legacy
          ? say(
              'The node in use, release {release}, restores it as it is. Then migrate it: the button stands beside it in the list of wallets. Releases from 30 on load migrated wallets only.',
              { release },
            )
          : say(
              'The node in use, release {release}, restores it. This is the current kind of wallet: nothing has to be migrated.',
              { release },
            ),
      ];
    case 'restore-migrate':
      return [
        say(
          'The node in use, release {release}, loads no legacy wallet as it is. So the app places a copy in its wallets folder under a name that you choose, and has it migrated. The file itself is only read.',
          { release },
        ),
      ];
  }
}
