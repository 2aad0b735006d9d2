/** A long part behind a line of text; it is put into the page only when it is opened. */
import { type ReactNode, useState } from 'react';
import styles from './Disclosure.module.css';

interface DisclosureProps {
  summary: string;
  children: ReactNode;
}

export function Disclosure({ summary, children }: DisclosureProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.disclosure} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>{summary}</summary>
      {open && <div className={styles.body}>{children}</div>}
    </details>
  );
}
