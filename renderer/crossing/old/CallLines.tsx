/** The calls that will be made to the node, word for word. */
import { say } from '../../../shared/text/say.ts';
import { SafeText } from '../../elements/text/SafeText.tsx';
import styles from './CallLines.module.css';

interface CallLinesProps {
  calls: readonly string[];
  /** What has to be known about them. */
  note?: string;
}

export function CallLines({ calls, note }: CallLinesProps) {
  return (
    <figure className={styles.calls}>
      <figcaption className={styles.caption}>
        {calls.length === 1 ? say('What will be called') : say('What will be called, one after the other')}
      </figcaption>
      <div className={styles.box}>
        {calls.map((call) => (
          <code key={call} className={styles.call}>
            <SafeText text={call} mono />
          </code>
        ))}
      </div>
      {note && <p className={styles.note}>{note}</p>}
    </figure>
  );
}
