/** A part behind a line of text. It is put into the page only when it is opened. */
import { type ReactNode, useEffect, useState } from 'react';
import styles from './Disclosure.module.css';

interface DisclosureProps {
  summary: ReactNode;
  /** A box around both, the line alone, or a line quieter than the words around it. */
  look?: 'boxed' | 'bare' | 'quiet';
  /** Opens it, also later. Nothing but the user closes it. */
  startsOpen?: boolean;
  children: ReactNode;
}

export function Disclosure({ summary, look = 'bare', startsOpen = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(startsOpen);
  useEffect(() => {
    if (startsOpen) setOpen(true);
  }, [startsOpen]);
  return (
    <details
      className={styles[look]}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {open && <div className={styles.body}>{children}</div>}
    </details>
  );
}
