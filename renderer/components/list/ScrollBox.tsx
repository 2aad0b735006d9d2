/** A box that scrolls by itself: the keyboard reaches it, and it has a name. */
import { Box, type BoxProps } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import styles from './List.module.css';

interface ScrollBoxProps extends Pick<BoxProps, 'mah' | 'p'> {
  label: string;
  className?: string | undefined;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

export function ScrollBox({ label, className = '', ...box }: ScrollBoxProps) {
  return (
    <Box role="group" aria-label={label} tabIndex={0} className={`${styles.scrolls} ${className}`} {...box} />
  );
}
