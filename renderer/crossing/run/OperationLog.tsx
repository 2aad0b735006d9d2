/** The node's own log lines of one operation, on demand. */
import { useState } from 'react';
import type { Operation } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { Disclosure } from '../../elements/Disclosure.tsx';
import { ScrollBox } from '../../elements/list/ScrollBox.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import styles from './OperationLog.module.css';

/** Of an operation of an earlier session the lines are asked for once they are wanted. */
export function OperationLog({ operation }: { operation: Pick<Operation, 'id' | 'log' | 'state'> }) {
  const { id, log, state } = operation;
  const [kept, setKept] = useState<readonly string[]>([]);
  const lines = log.length > 0 ? log : kept;
  const shown = lines.map((line, at) => ({ at, line })).slice(-MOST_LINES);

  async function fetchKept() {
    if (log.length > 0 || state === 'running') return;
    const result = await attempt(() => bridge.call('operations.log', { id }));
    if (result.ok) setKept(result.value.lines);
  }

  return (
    <Disclosure look="boxed" summary={say('Log')} onOpen={() => void fetchKept()}>
      {shown.length === 0 ? (
        <p className={styles.none}>{say('No line of the node’s log was seen for this.')}</p>
      ) : (
        <ScrollBox label={say('Log')} className={styles.window}>
          <ol className={styles.lines} aria-label={say('Lines of the node’s log')}>
            {shown.map(({ at, line }) => (
              <li key={at} className={styles.line}>
                <SafeText text={line} mono lines />
              </li>
            ))}
          </ol>
          {lines.length >= MOST_LINES && (
            <p className={styles.none}>
              {say('The newest {count, number} lines. Those before them are in the node’s own log.', {
                count: MOST_LINES,
              })}
            </p>
          )}
        </ScrollBox>
      )}
    </Disclosure>
  );
}

const MOST_LINES = 200;
