/** A paragraph that matters less than those around it. */
import type { ReactNode } from 'react';
import layout from '../layout.module.css';

export function Quiet({ small = false, children }: { small?: boolean; children: ReactNode }) {
  return <p className={small ? layout.small : layout.dim}>{children}</p>;
}
