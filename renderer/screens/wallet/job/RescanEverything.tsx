/** A node looked for payments only since the date of the wallet's keys: told, with the button that looks at all blocks. */
import type { Job } from '../../../../shared/model/job.ts';
import { NONE_FOUND, notLookedFor, wholeRescanEstimate } from '../../../../shared/wording/rescanWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { Notice } from '../../../components/notices.tsx';
import { Quiet } from '../../../components/texts.tsx';
import { useIsNodeInUse, useNode } from '../../../state/appStore.ts';
import { usePlans } from '../../../state/plansStore.ts';

interface RescanEverythingProps {
  node: Job['node'];
  wallet: string;
  /** Unix seconds. */
  since: number;
}

/** Where no payment was found at all. */
export function NoPayments(props: RescanEverythingProps) {
  return (
    <Notice tone="read" title={NONE_FOUND}>
      <RescanEverything {...props} />
    </Notice>
  );
}

export function RescanEverything({ node: { address }, wallet, since }: RescanEverythingProps) {
  const here = useIsNodeInUse(address);
  const node = useNode();
  return (
    <div className={layout.stack}>
      <p>{notLookedFor(since)}</p>
      {here && node && (
        <div className={layout.row}>
          <SmallButton
            onClick={() =>
              usePlans.getState().begin([{ action: 'rescan', source: { by: 'wallet', name: wallet } }])
            }
          >
            {say('Rescan everything')}
          </SmallButton>
          <Quiet>{wholeRescanEstimate(node)}</Quiet>
        </div>
      )}
    </div>
  );
}
