/** The wallets that come of a migration, each in a card: its name, what it is, and what it holds. */
import type { ReactNode } from 'react';
import layout from '../elements/layout.module.css';
import { List } from '../elements/list/List.tsx';
import styles from './WalletCards.module.css';

interface WalletCardsProps {
  label: string;
  wallets: readonly WalletCard[];
}

export interface WalletCard {
  key: string;
  /** Null where it has none yet. */
  name: ReactNode;
  /** What it is: "Main wallet". */
  title: string;
  meaning: string;
  /** What it holds. */
  children: ReactNode;
}

export function WalletCards({ label, wallets }: WalletCardsProps) {
  return (
    <List look="cards" label={label}>
      {wallets.map(({ key, name, title, meaning, children }) => (
        <li key={key}>
          <div className={styles.card}>
            {name === null ? (
              <div className={`${layout.name} ${styles.name}`}>{title}</div>
            ) : (
              <div className={layout.pair}>
                <span className={`${layout.name} ${styles.name}`}>{name}</span>
                <span className={layout.small}>{title}</span>
              </div>
            )}
            <p className={layout.dim}>{meaning}</p>
            {children}
          </div>
        </li>
      ))}
    </List>
  );
}
