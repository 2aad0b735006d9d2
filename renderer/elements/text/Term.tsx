/** A term of the field with its meaning behind a click, a tap or a key. */
import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { type GlossaryTerm, glossary } from './glossary.ts';
import styles from './Term.module.css';

interface TermProps {
  /** Which entry of the glossary. */
  word: GlossaryTerm;
  /** How it reads in its sentence, when not as in the glossary: "rescanned". */
  children?: ReactNode;
}

export function Term({ word, children }: TermProps) {
  return (
    <Popover width="min(320px, 90vw)" position="bottom" shadow="md" withRoles={false}>
      <Popover.Target>
        <button type="button" className={styles.term} aria-haspopup="true">
          {children ?? glossary[word].name}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.meaning}>
        <span role="status">{glossary[word].meaning}</span>
      </Popover.Dropdown>
    </Popover>
  );
}
