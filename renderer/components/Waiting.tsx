/** A short wait of unknown length, in words. */
import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './Waiting.module.css';

export function Waiting({ children }: { children: ReactNode }) {
  return (
    <div className={styles.waiting} role="status">
      <Loader size={18} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
