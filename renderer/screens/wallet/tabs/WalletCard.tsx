/** A wallet that comes of a migration, in a list of cards: its name, what it is, and what it holds. */
import type { ReactNode } from 'react';
import layout from '../../../components/layout.module.css';
import { Quiet } from '../../../components/texts.tsx';

interface WalletCardProps {
  /** Null where it has none yet. */
  name: ReactNode;
  /** What it is: "Main wallet". */
  title: string;
  meaning: string;
  /** What it holds. */
  children: ReactNode;
}

export function WalletCard({ name, title, meaning, children }: WalletCardProps) {
  return (
    <li className={`${layout.stack} ${layout.numbers}`}>
      {name === null ? (
        <div className={layout.name}>{title}</div>
      ) : (
        <div className={layout.pair}>
          <span className={layout.name}>{name}</span>
          <span className={layout.small}>{title}</span>
        </div>
      )}
      <Quiet>{meaning}</Quiet>
      {children}
    </li>
  );
}
