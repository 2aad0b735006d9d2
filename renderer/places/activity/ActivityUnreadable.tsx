/** What the app wrote down earlier and cannot read: it cannot go on with it or take it back, so the user has to look. */
import { say } from '../../../shared/text/say.ts';
import { TextList } from '../../elements/list/TextList.tsx';
import { Notice } from '../../elements/Notice.tsx';

export function ActivityUnreadable({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <Notice tone="danger" title={say('The app cannot read some of what it wrote down of earlier work.')}>
      <TextList texts={paths} mono most={MOST} />
      <p>
        {say(
          'It may tell of a migration whose outcome is not known, or of a copy of a backup, with its keys, that still lies in a node’s wallets folder. Look at the list of wallets and into that folder. The app leaves what it cannot read as it is. If you have a backup of it, end the app, put it back, and start again.',
        )}
      </p>
    </Notice>
  );
}

const MOST = 20;
