/** A list in one of the looks of this app. */
import type { ReactNode } from 'react';
import styles from './List.module.css';

interface ListProps {
  /**
   * `bullets` for sentences, `lines` and `plain` without marks, close and apart, `boxed` for rows in one box, `cards`
   * for things in boxes of their own.
   */
  look: 'bullets' | 'lines' | 'plain' | 'boxed' | 'cards';
  /** Its name for screen readers. */
  label?: string | undefined;
  /** Of `boxed`: rows that hold more than a line or two. */
  roomy?: boolean;
  id?: string;
  /** `li` elements. */
  children: ReactNode;
}

export function List({ look, label, roomy, id, children }: ListProps) {
  return (
    <ul id={id} className={styles[look]} data-roomy={roomy} aria-label={label}>
      {children}
    </ul>
  );
}
