/** Every operation of this session, newest first: what, where, when, how it ended, and the node's own lines. */
import { Button } from '@mantine/core';
import { useId } from 'react';
import type { Operation } from '../../shared/model.ts';
import { FactList } from '../components/FactList.tsx';
import { OperationLog } from '../components/OperationLog.tsx';
import { OperationOutcome } from '../components/OperationOutcome.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { SafeText } from '../components/SafeText.tsx';
import { Tag } from '../components/Tag.tsx';
import { useNow } from '../components/useNow.ts';
import { WalletName } from '../components/WalletName.tsx';
import { useApp } from '../state/appStore.ts';
import { useOperations } from '../state/operationsStore.ts';
import { placeOf } from '../state/placeOf.ts';
import { formatElapsed } from '../words/formatDuration.ts';
import { formatShare } from '../words/formatShare.ts';
import { formatTime } from '../words/formatTime.ts';
import { networkName } from '../words/networkName.ts';
import { operationNoun, stateWord } from '../words/operationName.ts';
import { currentPhase, phaseName } from '../words/phaseName.ts';
import styles from './Activity.module.css';

export function Activity() {
  const operations = useOperations((state) => state.operations);
  return (
    <>
      <PageHeading title="Activity">
        What the app had the node do since it was started, newest first.
      </PageHeading>
      {operations.length === 0 ? (
        <p>Nothing yet. Restores, migrations and backups are listed here, while they run and after.</p>
      ) : (
        <ul className={styles.list} aria-label="Operations">
          {operations.map((operation) => (
            <li key={operation.id}>
              <Card operation={operation} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const TONES = { running: 'accent', done: 'good', failed: 'danger', unknown: 'read' } as const;

function Card({ operation }: { operation: Operation }) {
  const { kind, wallet, state, node, log } = operation;
  const go = useApp((app) => app.go);
  const id = useId();
  const place = placeOf(operation);
  return (
    <article className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {operationNoun(kind)}: <WalletName name={wallet} />
        </h2>
        <Tag tone={TONES[state]}>{stateWord(state)}</Tag>
      </div>
      <FactList
        facts={[
          ...timesOf(operation),
          {
            label: 'Node',
            value: (
              <>
                <SafeText text={node.label} />, {networkName(node.network)}, release {node.release}
              </>
            ),
          },
          ...(state === 'running' ? [{ label: 'Now', value: <Now operation={operation} /> }] : []),
        ]}
      />
      <OperationOutcome operation={operation} />
      <OperationLog lines={log} />
      {place.at !== 'activity' && (
        <div>
          <Button size="compact-sm" variant="default" aria-describedby={id} onClick={() => go(place)}>
            Show
          </Button>
        </div>
      )}
    </article>
  );
}

function timesOf({ started, ended }: Operation) {
  const begun = { label: 'Started', value: formatTime(started) };
  if (ended === null) return [begun];
  return [begun, { label: 'Ended', value: `${formatTime(ended)}, after ${formatElapsed(ended - started)}` }];
}

function Now({ operation: { kind, steps, progress, started, line } }: { operation: Operation }) {
  const elapsed = formatElapsed(useNow(true) - started);
  const phase = currentPhase(steps);
  return (
    <>
      {line === 'lost' ? 'The line to the node is lost' : phase && phaseName(phase, kind)}
      {progress && `, ${formatShare(progress.fraction)}`}, {elapsed}
    </>
  );
}
