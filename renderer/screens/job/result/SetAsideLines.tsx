/** Where half-made wallets lie that made room for the one that was put back. */
import type { JobResult } from '../../../../shared/model/job.ts';
import { visibleText } from '../../../../shared/model/names/visibleText.ts';
import { asideWords } from '../../../../shared/wording/interruptionWords.ts';
import layout from '../../../components/layout.module.css';
import { SafeText } from '../../../components/text/texts.tsx';
import { PathLine } from '../PathLine.tsx';

interface SetAsideLinesProps {
  wallets: NonNullable<Extract<JobResult, { kind: 'migrate' }>['movedWallets']>;
}

export function SetAsideLines({ wallets }: SetAsideLinesProps) {
  return (
    <div className={layout.stack}>
      {wallets.map((wallet) => (
        <SetAsideLine key={wallet.name} {...wallet} />
      ))}
    </div>
  );
}

interface SetAsideLineProps {
  name: string;
  newName: string;
  path?: string | null | undefined;
  /** Where it lies until it is moved, if that is another path. */
  now?: string | null;
}

export function SetAsideLine({ name, newName, path, now }: SetAsideLineProps) {
  const label = asideWords({ name, newName });
  if (path) return <PathLine label={visibleText(label)} path={path} {...(now ? { now } : {})} />;
  return (
    <p>
      <SafeText text={label} />
    </p>
  );
}
