/** The node's own log lines of one operation, on demand. */
import styles from './OperationLog.module.css';
import { SafeText } from './SafeText.tsx';

export function OperationLog({ lines }: { lines: readonly string[] }) {
  const shown = lines.map((line, at) => ({ at, line })).slice(-MOST_LINES);
  return (
    <details className={styles.log}>
      <summary className={styles.summary}>Log</summary>
      {shown.length === 0 ? (
        <p className={styles.none}>No line of the node’s log was seen for this.</p>
      ) : (
        <div className={styles.window}>
          <ol className={styles.lines} aria-label="Lines of the node’s log">
            {shown.map(({ at, line }) => (
              <li key={at} className={styles.line}>
                <SafeText text={line} mono lines />
              </li>
            ))}
          </ol>
        </div>
      )}
    </details>
  );
}

const MOST_LINES = 200;
