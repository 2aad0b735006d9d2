/** Facts as pairs of a word and a value, aligned where there is room. */
import type { ReactNode } from 'react';
import layout from '../layout.module.css';
import type { GlossaryTerm } from '../text/glossary.ts';
import { Term } from '../text/texts.tsx';
import styles from './FactList.module.css';

export interface Fact {
  label: string;
  /** Which entry of the glossary explains the label. */
  term?: GlossaryTerm;
  value: ReactNode;
}

/** Those that are null or false do not apply. */
export function FactList({ facts }: { facts: readonly (Fact | null | false)[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter((fact) => fact !== null && fact !== false)
        .map(({ label, term, value }) => (
          <div key={label} className={styles.fact}>
            <dt className={layout.dim}>{term ? <Term word={term}>{label}</Term> : label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
