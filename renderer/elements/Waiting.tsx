/** A short wait of unknown length, in words. */
import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../../shared/text/say.ts';
import { CancelJob } from './CancelJob.tsx';
import styles from './Waiting.module.css';

interface WaitingProps {
  children: ReactNode;
  /** Ends the reading of a file that is waited for. */
  onCancel?: (() => void) | undefined;
}

export function Waiting({ children, onCancel }: WaitingProps) {
  return (
    <div className={styles.row}>
      <div className={styles.waiting} role="status">
        <Loader size={18} aria-hidden />
        <span>{children}</span>
      </div>
      {onCancel && <CancelJob label={say('Cancel reading')} onCancel={onCancel} />}
    </div>
  );
}
