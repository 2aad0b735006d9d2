/** What a migration does, in its order, before it is begun. */
import type { NodeStatus } from '../../../shared/model.ts';
import { List } from '../../components/List.tsx';
import { Term } from '../../components/Term.tsx';

interface CourseListProps {
  node: NodeStatus;
  /** Whether the app can make its own copy. */
  copies: boolean;
}

export function CourseList({ node: { offline, blockFilters }, copies }: CourseListProps) {
  return (
    <List look="steps" label="What will happen">
      {copies && <li>A copy of the wallet is made for safety, before anything else.</li>}
      <li>
        {offline ? 'The offline engine' : 'The node'} makes a <Term word="backup" /> of the{' '}
        <Term word="legacy wallet" />, in or beside the wallet’s folder. Its path is shown at the end.
      </li>
      <li>
        It converts the wallet to a <Term word="descriptor wallet" />, the kind that current releases open.
      </li>
      <li>
        What the wallet only watched, or knew without watching, is put into wallets of their own. So up to
        three wallets come of it.
      </li>
      <li>
        {offline ? (
          <>
            It loads them. It has no block chain, so nothing is rescanned: balances stay as the file last knew
            them, until a node loads the new wallets.
          </>
        ) : (
          <>
            It loads them, and may <Term word="rescan" /> the block chain. That can take hours
            {blockFilters === 'on' && '; this node has block filters, which make it fast'}.
          </>
        )}
      </li>
      <li>The app compares the wallet before with the wallets after, and shows the proof.</li>
      <li>If a step fails, the wallet stays legacy, and its backup is there.</li>
      <li>Afterwards you make a new backup: the old ones do not fit the new wallets.</li>
    </List>
  );
}
