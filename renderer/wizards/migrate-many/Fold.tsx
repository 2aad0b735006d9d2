/** A part of a row behind a line of text, quieter than a box; it is put into the page only when it is opened. */
import { type ReactNode, useState } from 'react';
import styles from './Many.module.css';

export function Fold({ summary, children }: { summary: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.fold}>{summary}</summary>
      {open && <div className={styles.folded}>{children}</div>}
    </details>
  );
}
