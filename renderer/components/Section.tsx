/** A part of a page, under its heading. */
import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import layout from './layout.module.css';

interface SectionProps {
  title: string;
  /** What screen readers call it where the heading does not tell. */
  label?: string;
  /** A button beside the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, label, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section
      className={layout.section}
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
    >
      <div className={layout.ends}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  );
}
