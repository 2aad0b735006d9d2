/** What is said where there is nothing to migrate. */
import { say } from '../../../../shared/text/say.ts';
import { Notice } from '../../../elements/Notice.tsx';

export function NoLegacyWallet() {
  return (
    <Notice tone="good" title={say('There is no legacy wallet here')}>
      <p>{say('Every wallet of this node is a descriptor wallet. There is nothing to migrate.')}</p>
    </Notice>
  );
}
