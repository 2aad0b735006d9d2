/** Two parts of a page: side by side in a large window, else the second below the first. */
import type { ReactNode } from 'react';
import layout from './layout.module.css';

interface PanesProps {
  /** What to decide by. */
  first: ReactNode;
  /** What to look up. */
  second: ReactNode;
}

export function Panes({ first, second }: PanesProps) {
  return (
    <div className={layout.panes}>
      <div>
        <div className={layout.page}>{first}</div>
        <div className={layout.page}>{second}</div>
      </div>
    </div>
  );
}
