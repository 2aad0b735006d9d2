/** One question of the guide, with its number. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './Guide.module.css';

export function GuideStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={styles.step}>
      <Title order={2} className={styles.question}>
        {title}
      </Title>
      {children}
    </li>
  );
}
