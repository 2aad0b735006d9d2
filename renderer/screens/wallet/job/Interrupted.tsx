/** A wallet that was left half-made: what happened, the whole copies of it, and the button that puts it back. */
import type { Job } from '../../../../shared/model/job.ts';
import type { WalletSource } from '../../../../shared/model/plan.ts';
import type { Interruption } from '../../../../shared/model/safety.ts';
import {
  backAsWords,
  copyWords,
  interruptionHint,
  interruptionTitle,
  isSafe,
} from '../../../../shared/wording/interruptionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { Notice } from '../../../components/notices.tsx';
import { PathLine } from '../../../components/paths.tsx';
import { useIsNodeInUse } from '../../../state/appStore.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { foundBy, useLook } from '../../../state/useLook.ts';

interface InterruptedProps {
  interruption: Interruption;
  source: WalletSource;
  /** Why it cannot be put back now, in a sentence; null where it can. */
  blocked?: string | null;
}

export function Interrupted({ interruption, source, blocked = null }: InterruptedProps) {
  const { copies, backAs } = interruption;
  const [first] = copies;
  if (backAs !== undefined) {
    return (
      <Notice tone="info" title={interruptionTitle(interruption)} role="status">
        <p>{backAsWords(backAs)}</p>
      </Notice>
    );
  }
  const answers = chosenCopy(interruption);
  const title = isSafe(copies) ? say('Your coins are safe, here:') : interruptionTitle(interruption);
  return (
    <Notice tone="danger" title={title} role="alert">
      <div className={layout.stack}>
        {copies.map((copy) => (
          <PathLine key={copy.path} path={copy.path} label={copyWords(copy)} />
        ))}
      </div>
      <p>{interruptionHint(interruption).join(' ')}</p>
      {first && blocked !== null && <p>{blocked}</p>}
      {first && blocked === null && (
        <div className={layout.row}>
          <ActionButton onClick={() => usePlans.getState().begin([{ action: 'put-back', source, answers }])}>
            {say('Put the old wallet back')}
          </ActionButton>
        </div>
      )}
    </Notice>
  );
}

/** Of a job, as it ended. It may have been put back since. */
export function InterruptedJob({ job }: { job: Job }) {
  const { interruption, wallet, node } = job;
  const here = useIsNodeInUse(node.address);
  const source = { by: 'wallet', name: wallet } as const;
  // As a plan would find it that puts the wallet back.
  const asked =
    here && interruption !== undefined ? { source, ...chosenCopy(interruption), isWanted: true } : null;
  const look = foundBy(useLook('wallet.interruption', asked));
  if (interruption === undefined) return null;
  if (here && look?.isWhole) return <p>{say('The wallet is whole again.')}</p>;
  const blocked = !here
    ? say('To put it back, connect to {node}.', { node: node.label })
    : look?.interruption === null
      ? say('The app cannot read its file now.')
      : null;
  return <Interrupted interruption={look?.interruption ?? interruption} source={source} blocked={blocked} />;
}

/** Of a file or a wallet of the node. Renders nothing for a whole one. */
export function InterruptedSource({ source }: { source: WalletSource }) {
  const found = foundBy(useLook('wallet.interruption', { source }))?.interruption ?? null;
  return found && <Interrupted interruption={found} source={source} />;
}

/** The first copy, if it is a backup of the user's: only its path leads to it. */
function chosenCopy({ copies: [first] }: Interruption): { copy?: string } {
  return first?.from === 'backup' ? { copy: first.path } : {};
}
