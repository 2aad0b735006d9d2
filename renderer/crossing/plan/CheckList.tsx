/**
 * What was looked at before something is done, each with its verdict: what stops first; what is fine, and what could not
 * be looked at, folded away.
 */
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle, IconOctagon } from '@tabler/icons-react';
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { Disclosure } from '../../elements/Disclosure.tsx';
import { List } from '../../elements/list/List.tsx';
import { TextList } from '../../elements/list/TextList.tsx';
import notice from '../../elements/Notice.module.css';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import styles from './CheckList.module.css';

interface CheckListProps {
  checks: readonly Check[];
}

export function CheckList({ checks }: CheckListProps) {
  const loud = checks.filter(({ verdict }) => verdict === 'stop' || verdict === 'read');
  const unseen = checks.filter(({ verdict }) => verdict === 'unseen');
  const fine = checks.filter(({ verdict }) => verdict === 'fine');
  return (
    <div className={styles.all}>
      {loud.length > 0 && (
        <List look="plain" label={say('Checks to read')}>
          {loud.map((check) => (
            <Item key={check.id} check={check} />
          ))}
        </List>
      )}
      {unseen.length > 0 && (
        <Disclosure
          summary={say(
            '{count, plural, one {# check could not be made} other {# checks could not be made}}',
            {
              count: unseen.length,
            },
          )}
        >
          <ul className={styles.quiet} aria-label={say('Checks that could not be made')}>
            {unseen.map((check) => (
              <Item key={check.id} check={check} />
            ))}
          </ul>
        </Disclosure>
      )}
      {fine.length > 0 && (
        <Disclosure
          key={String(loud.length === 0)}
          summary={say('{count, plural, one {# check is fine} other {# checks are fine}}', {
            count: fine.length,
          })}
          startsOpen={loud.length === 0}
        >
          <ul className={styles.quiet} aria-label={say('Checks that are fine')}>
            {fine.map((check) => (
              <Item key={check.id} check={check} />
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

const VERDICTS = {
  fine: { Icon: IconCircleCheck, word: say('Fine'), tone: 'good' },
  unseen: { Icon: IconHelpCircle, word: say('Not known'), tone: 'info' },
  read: { Icon: IconAlertTriangle, word: say('Read this'), tone: 'read' },
  stop: { Icon: IconOctagon, word: say('Stop'), tone: 'danger' },
} as const;

function Item({ check: { id, verdict, title, looked, text, todo } }: { check: Check }) {
  const { Icon, word, tone } = VERDICTS[verdict];
  return (
    <li className={`${notice.notice} ${styles.item}`} data-tone={tone} data-check={id}>
      <Icon className={notice.icon} size={20} stroke={1.8} aria-hidden />
      <div className={`${notice.words} ${styles.words}`}>
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
            <p className={styles.label}>{say('What to do')}</p>
            <TextList texts={todo} />
          </div>
        )}
        <p className={styles.looked}>
          {verdict === 'unseen' ? (
            <Say text="Not looked at: {looked}" values={{ looked: <SafeText text={looked} /> }} />
          ) : (
            <Say text="Looked at: {looked}" values={{ looked: <SafeText text={looked} /> }} />
          )}
        </p>
      </div>
    </li>
  );
}
