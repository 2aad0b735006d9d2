/** Two parts of a page: side by side in a large window, else the second below the first. */
import type { ReactNode } from 'react';
import layout from './layout.module.css';

interface PanesProps {
  /** What to decide by. */
  first: ReactNode;
  /** What to look up. */
  second: ReactNode;
  /** How each of them stands, as the page's own class says. */
  className: string | undefined;
}

export function Panes({ first, second, className }: PanesProps) {
  return (
    <div className={layout.panes}>
      <div>
        <div className={className}>{first}</div>
        <div className={className}>{second}</div>
      </div>
    </div>
  );
}
