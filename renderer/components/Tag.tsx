/** A short fact about a thing, beside its name. Its words tell it; the colour only helps to find it. */
import type { ReactNode } from 'react';
import styles from './Notice.module.css';
import type { Tone } from './Notice.tsx';

export function Tag({ tone = 'plain', children }: { tone?: Tone | 'plain'; children: ReactNode }) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  );
}
