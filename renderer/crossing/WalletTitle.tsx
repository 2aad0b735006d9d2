/** A wallet's name, and beside it what the wallet is: "Main wallet". */
import type { ReactNode } from 'react';
import styles from './WalletTitle.module.css';

interface WalletTitleProps {
  /** Null where it has none yet: what it is stands in its place. */
  name: ReactNode;
  role?: string | undefined;
  /** Makes the name a heading of this id. */
  headingId?: string;
}

export function WalletTitle({ name, role, headingId }: WalletTitleProps) {
  if (name === null) return <div className={styles.name}>{role}</div>;
  return (
    <div className={styles.title}>
      {headingId === undefined ? (
        <span className={styles.name}>{name}</span>
      ) : (
        <h3 id={headingId} className={styles.name}>
          {name}
        </h3>
      )}
      {role && <span className={styles.role}>{role}</span>}
    </div>
  );
}
