/** What runs now, or has just ended out of sight: on top everywhere in the app, with the way back to it. */
import { Button, Loader } from '@mantine/core';
import { useState } from 'react';
import type { Operation } from '../../shared/operation.ts';
import { say } from '../../shared/text/say.ts';
import { operationHeading, stateTone, whatNow } from '../../shared/words/crossingWords.ts';
import { formatShare } from '../../shared/words/format/formatShare.ts';
import { listed } from '../../shared/words/format/listed.ts';
import { ProgressBar } from '../elements/ProgressBar.tsx';
import { WalletName } from '../elements/text/WalletName.tsx';
import { useElapsed } from '../elements/useElapsed.ts';
import { useApp } from '../state/appStore.ts';
import { isRunning, useOperations } from '../state/operationsStore.ts';
import { isShownAt, placeOf } from '../state/placeOf.ts';
import { usePlans } from '../state/plansStore.ts';
import styles from './OperationBar.module.css';

export function OperationBar() {
  const place = useApp((state) => state.place);
  const operations = useOperations((state) => state.operations);
  const drafts = usePlans((state) => state.drafts);
  const [seenRunning, setSeenRunning] = useState<ReadonlySet<string>>(new Set());
  const running = operations.filter(isRunning);
  const unseen = running.filter(({ id }) => !seenRunning.has(id));
  if (unseen.length > 0) setSeenRunning(new Set([...seenRunning, ...unseen.map(({ id }) => id)]));

  const isOfSeveral = ({ id }: Operation) =>
    drafts.some(({ standing }) => standing.state === 'begun' && standing.crossing === id);
  const isShown = (operation: Operation) => isShownAt(place, operation, isOfSeveral(operation));
  const [first, ...others] = running.filter((operation) => !isShown(operation));
  const ended = operations.find((one) => !isRunning(one) && seenRunning.has(one.id));
  const forget = (id: string) => setSeenRunning(new Set([...seenRunning].filter((seen) => seen !== id)));
  // What ends in sight needs no telling afterwards.
  if (ended && isShown(ended)) forget(ended.id);

  if (first) return <Running operation={first} others={others.length} />;
  if (ended && place.at !== 'activity' && !isShown(ended)) {
    return <Ended operation={ended} onForget={() => forget(ended.id)} />;
  }
  return null;
}

function Running({ operation, others }: { operation: Operation; others: number }) {
  const { wallet, progress, started } = operation;
  const go = useApp((state) => state.go);
  const elapsed = useElapsed(started);
  const what = whatNow(operation);
  return (
    <section className={styles.bar} data-tone="info" aria-label={say('Operation')}>
      <Loader size={18} color="var(--ferry-focus)" aria-hidden />
      <div role="status" aria-label={say('Running operation')} className={styles.status}>
        <div className={styles.words}>
          <span className={styles.what}>
            {operationHeading(operation)} <WalletName name={wallet} />
          </span>
          {what && <span>{what}</span>}
          {/* Changes each second: not to be spoken. */}
          <span className={styles.numbers} aria-hidden>
            {progress ? listed([formatShare(progress.fraction), elapsed]) : elapsed}
          </span>
          {others > 0 && <span>{say('and {count, number} more', { count: others })}</span>}
        </div>
        <Button size="compact-sm" variant="default" onClick={() => go(placeOf(operation))}>
          {say('Show')}
        </Button>
      </div>
      <div className={styles.progress}>
        <ProgressBar label={say('Running operation')} fraction={progress?.fraction ?? null} />
      </div>
    </section>
  );
}

function Ended({ operation, onForget }: { operation: Operation; onForget: () => void }) {
  const go = useApp((state) => state.go);
  return (
    <section className={styles.bar} data-tone={stateTone(operation.state)} aria-label={say('Operation')}>
      <div role="status" aria-label={say('Ended operation')} className={styles.status}>
        <div className={styles.words}>
          <span className={styles.what}>
            {operationHeading(operation)}: <WalletName name={operation.wallet} />
          </span>
        </div>
        <div className={styles.buttons}>
          <Button size="compact-sm" variant="default" onClick={() => go(placeOf(operation))}>
            {say('Open the result')}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={onForget}>
            {say('Hide')}
          </Button>
        </div>
      </div>
    </section>
  );
}
