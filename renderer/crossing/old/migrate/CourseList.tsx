/** What a migration does, in its order, before it is begun. */
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { List } from '../../../elements/list/List.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { Term } from '../../../elements/text/Term.tsx';

interface CourseListProps {
  node: NodeStatus;
  /** Whether the app can make its own copy. */
  copies: boolean;
}

export function CourseList({ node: { offline, blockFilters }, copies }: CourseListProps) {
  return (
    <List look="steps" label={say('What will happen')}>
      {copies && (
        <li>
          <Say
            text="A {safetyCopy} of the wallet is made before anything else."
            values={{ safetyCopy: <Term word="safety copy" /> }}
          />
        </li>
      )}
      <li>
        <Say
          text={
            offline
              ? 'The offline engine makes a {backup} of the {legacyWallet}, in or beside the wallet’s folder. Its path is shown at the end.'
              : 'The node makes a {backup} of the {legacyWallet}, in or beside the wallet’s folder. Its path is shown at the end.'
          }
          values={{ backup: <Term word="backup" />, legacyWallet: <Term word="legacy wallet" /> }}
        />
      </li>
      <li>
        <Say
          text="It converts the wallet to a {descriptorWallet}, the kind that current releases open."
          values={{ descriptorWallet: <Term word="descriptor wallet" /> }}
        />
      </li>
      <li>
        {say(
          'What the wallet only watched, or knew without watching, is put into wallets of their own. So up to three wallets come of it.',
        )}
      </li>
      <li>
        {offline ? (
          say(
            'It loads them. It has no block chain, so nothing is rescanned: balances stay as the file last knew them, until a node loads the new wallets.',
          )
        ) : (
          <Say
            text={
              blockFilters === 'on'
                ? 'It loads them. A {rescan} of the block chain may follow; this node has block filters, which make it fast.'
                : 'It loads them. A {rescan} of the block chain may follow, which can take hours.'
            }
            values={{ rescan: <Term word="rescan" /> }}
          />
        )}
      </li>
      <li>{say('The app compares the wallet before with the wallets after, and shows the proof.')}</li>
      <li>{say('If a step fails, the wallet stays legacy, and its backup is there.')}</li>
      <li>{say('Afterwards you make a new backup: the old ones do not fit the new wallets.')}</li>
    </List>
  );
}
