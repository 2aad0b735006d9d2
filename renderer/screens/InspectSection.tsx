/** A part of what a wallet file tells, under its heading. */
import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './Inspect.module.css';

export function InspectSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
