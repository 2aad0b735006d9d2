/** Every term that the app uses, with what it means. */
import { Title } from '@mantine/core';
import { useId } from 'react';
import { say } from '../../../shared/text/say.ts';
import { glossary } from '../../words/glossary.ts';
import styles from './Guide.module.css';

export function GuideTerms() {
  const headingId = useId();
  const terms = Object.values(glossary).sort((a, b) => a.name.localeCompare(b.name));
  return (
    <section className={styles.terms} aria-labelledby={headingId}>
      <Title order={2} id={headingId}>
        {say('What the words mean')}
      </Title>
      <dl className={styles.glossary}>
        {terms.map(({ name, meaning }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
