/** A box that scrolls by itself: the keyboard reaches it, and it has a name. */
import { Box } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import styles from './List.module.css';

interface ScrollBoxProps {
  label: string;
  /** Which gives its largest height, and what else is its own. */
  className: string | undefined;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

export function ScrollBox({ label, className, ref, children }: ScrollBoxProps) {
  return (
    <Box ref={ref} role="group" aria-label={label} tabIndex={0} className={`${styles.scrolls} ${className}`}>
      {children}
    </Box>
  );
}
