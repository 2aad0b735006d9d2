/** What comes into it is spoken by screen readers. It stands in the page as if nothing were around it. */
import type { ReactNode } from 'react';
import layout from '../layout.module.css';

export function Spoken({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={layout.spoken} data-spoken>
      {children}
    </div>
  );
}
