/** Where half-made wallets lie that made room for the one that was put back. */
import type { JobResult } from '../../shared/model/job.ts';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import { renameText } from '../../shared/wording/interruptionWords.ts';
import layout from './layout.module.css';
import { PathLine } from './PathLine.tsx';
import { SafeText } from './text/texts.tsx';

interface MovedWalletsProps {
  wallets: NonNullable<Extract<JobResult, { kind: 'migrate' }>['movedWallets']>;
}

export function MovedWallets({ wallets }: MovedWalletsProps) {
  return (
    <div className={layout.stack}>
      {wallets.map((wallet) => (
        <MovedWallet key={wallet.name} {...wallet} />
      ))}
    </div>
  );
}

interface MovedWalletProps {
  name: string;
  newName: string;
  path?: string | null | undefined;
  /** Where it lies until it is moved, if that is another path. */
  now?: string | null;
}

export function MovedWallet({ name, newName, path, now }: MovedWalletProps) {
  const label = renameText({ name, newName });
  if (path) return <PathLine label={visibleText(label)} path={path} {...(now ? { now } : {})} />;
  return (
    <p>
      <SafeText text={label} />
    </p>
  );
}
