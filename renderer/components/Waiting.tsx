/** A short wait of unknown length, in words. */
import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../../shared/wording/say.ts';
import { CancelTask } from './CancelTask.tsx';
import layout from './layout.module.css';

interface WaitingProps {
  children: ReactNode;
  /** Ends the reading of a file that is waited for. */
  onCancel?: (() => void) | undefined;
}

export function Waiting({ children, onCancel }: WaitingProps) {
  return (
    <div className={layout.row}>
      <div className={`${layout.row} ${layout.dim}`} role="status">
        <Loader size={18} aria-hidden />
        <span>{children}</span>
      </div>
      {onCancel && <CancelTask label={say('Cancel reading')} onCancel={onCancel} />}
    </div>
  );
}
