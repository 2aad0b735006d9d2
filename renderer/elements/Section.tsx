/** A part of a page or of a step, under its heading. */
import { Title } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import styles from './Section.module.css';

interface SectionProps {
  title: string;
  /** The level of its heading: 2 is a part of a page, 3 a part of a step. */
  order?: 2 | 3;
  /** What screen readers call it where the heading does not tell. */
  label?: string;
  /** A button beside the heading. */
  aside?: ReactNode;
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function Section({ title, order = 3, label, aside, heading, children }: SectionProps) {
  const id = useId();
  return (
    <section
      className={styles.section}
      data-order={order}
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
    >
      <div className={styles.head}>
        <Title order={order} id={id} ref={heading}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  );
}
