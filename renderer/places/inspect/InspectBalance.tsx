/** The balance that the file last knew, and from when that knowledge is. */
import type { Inspection } from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';
import { balanceWords } from '../../../shared/words/balanceWords.ts';
import { Section } from '../../elements/Section.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import styles from './Inspect.module.css';

export function InspectBalance({ inspection }: { inspection: Inspection }) {
  const { total, parts, notes } = balanceWords(inspection);
  const { lastBlock } = inspection.balance;
  return (
    <Section title={say('Last known balance')} order={2}>
      <div className={styles.balance}>
        <div className={styles.total}>{total ?? say('Not known')}</div>
        {parts.length > 0 && (
          <dl className={styles.parts}>
            {parts.map(({ label, amount }) => (
              <PartOfIt key={label} label={label} amount={amount} />
            ))}
          </dl>
        )}
        <div className={`${styles.notes} ${styles.dimmed}`}>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
          {lastBlock !== null && (
            <p>
              <Say
                text="The newest block that it knew: {block}"
                values={{ block: <SafeText text={lastBlock} mono /> }}
              />
            </p>
          )}
        </div>
      </div>
    </Section>
  );
}

function PartOfIt({ label, amount }: { label: string; amount: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </>
  );
}
