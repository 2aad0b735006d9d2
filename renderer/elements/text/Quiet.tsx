/** A paragraph that matters less than those around it. */
import type { ReactNode } from 'react';
import styles from './Quiet.module.css';

export function Quiet({ small = false, children }: { small?: boolean; children: ReactNode }) {
  return <p className={small ? styles.small : styles.quiet}>{children}</p>;
}
