/** A short fact about a thing, beside its name. Its words tell it; the colour only helps to find it. */
import type { ReactNode } from 'react';
import styles from './Tag.module.css';

interface TagProps {
  tone?: 'plain' | 'info' | 'accent' | 'read' | 'danger' | 'good';
  children: ReactNode;
}

export function Tag({ tone = 'plain', children }: TagProps) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  );
}
