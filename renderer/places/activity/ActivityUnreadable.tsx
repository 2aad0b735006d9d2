/** What the app wrote down earlier and cannot read: it cannot go on with it or take it back, so the user has to look. */
import { say } from '../../../shared/text/say.ts';
import { TextList } from '../../elements/list/TextList.tsx';
import { Notice } from '../../elements/Notice.tsx';

export function ActivityUnreadable({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <Notice tone="danger" title={say('Records of earlier work cannot be read')}>
      <TextList texts={paths} mono most={MOST} />
      <p>
        {say(
          'One may tell of a migration without a known outcome, or of a copy of a backup left in a node’s wallets folder: look there. The app leaves the records as they are. If you have a backup of them, quit, put it back, and start again.',
        )}
      </p>
    </Notice>
  );
}

const MOST = 20;
