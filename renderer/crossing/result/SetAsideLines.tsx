/** Where half-made wallets lie that made room for the one that was put back. */
import type { CrossingResult } from '../../../shared/crossing.ts';
import { visibleText } from '../../../shared/text/visibleText.ts';
import { asideWords } from '../../../shared/words/interruptionWords.ts';
import layout from '../../elements/layout.module.css';
import { SafeText } from '../../elements/text/texts.tsx';
import { PathLine } from '../PathLine.tsx';

interface SetAsideLinesProps {
  wallets: NonNullable<Extract<CrossingResult, { kind: 'migrate' }>['setAside']>;
}

export function SetAsideLines({ wallets }: SetAsideLinesProps) {
  return (
    <div className={layout.stack}>
      {wallets.map(({ name, newName, path }) => {
        const label = asideWords({ name, newName });
        return path === undefined ? (
          <p key={name}>
            <SafeText text={label} />
          </p>
        ) : (
          <PathLine key={name} label={visibleText(label)} path={path} />
        );
      })}
    </div>
  );
}
