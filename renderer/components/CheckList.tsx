/** What was looked at before something is done, each with its verdict: what stops first, what is fine folded away. */
import { IconAlertTriangle, IconCircleCheck, IconOctagon } from '@tabler/icons-react';
import type { Check } from '../../shared/safety.ts';
import styles from './CheckList.module.css';
import { SafeText } from './SafeText.tsx';

interface CheckListProps {
  checks: readonly Check[];
}

export function CheckList({ checks }: CheckListProps) {
  const loud = checks.filter(({ verdict }) => verdict !== 'fine');
  const fine = checks.filter(({ verdict }) => verdict === 'fine');
  return (
    <div className={styles.all}>
      {loud.length > 0 && (
        <ul className={styles.list} aria-label="Checks to read">
          {loud.map((check) => (
            <Item key={check.id} check={check} />
          ))}
        </ul>
      )}
      {fine.length > 0 && (
        <details className={styles.fine} open={loud.length === 0}>
          <summary className={styles.summary}>
            {fine.length === 1 ? '1 check is fine' : `${fine.length} checks are fine`}
          </summary>
          <ul className={styles.quiet} aria-label="Checks that are fine">
            {fine.map((check) => (
              <Item key={check.id} check={check} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const VERDICTS = {
  fine: { Icon: IconCircleCheck, word: 'Fine' },
  read: { Icon: IconAlertTriangle, word: 'Read this' },
  stop: { Icon: IconOctagon, word: 'Stop' },
} as const;

function Item({ check: { id, verdict, title, looked, text, todo } }: { check: Check }) {
  const { Icon, word } = VERDICTS[verdict];
  return (
    <li className={styles.item} data-verdict={verdict} data-check={id}>
      <Icon className={styles.icon} size={20} stroke={1.8} aria-hidden />
      <div className={styles.words}>
        <p className={styles.title}>
          <span className={styles.verdict}>{word}:</span> <SafeText text={title} />
        </p>
        {text.map((paragraph) => (
          <p key={paragraph}>
            <SafeText text={paragraph} lines />
          </p>
        ))}
        {todo.length > 0 && (
          <div>
            <p className={styles.label}>What to do</p>
            <ul className={styles.todo}>
              {todo.map((sentence) => (
                <li key={sentence}>
                  <SafeText text={sentence} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <p className={styles.looked}>
          Looked at: <SafeText text={looked} />
        </p>
      </div>
    </li>
  );
}
