/** What runs now, or has just ended out of sight: on top everywhere in the app, with the way back to it. */
import { Loader } from '@mantine/core';
import { useState } from 'react';
import type { Crossing } from '../../shared/model/crossing.ts';
import { crossingHeading, STATE_TONES, whatNow } from '../../shared/wording/crossingWords.ts';
import { formatShare } from '../../shared/wording/format/formatShare.ts';
import { listed } from '../../shared/wording/format/listed.ts';
import { say } from '../../shared/wording/say.ts';
import { SmallButton } from '../components/input/ActionButton.tsx';
import layout from '../components/layout.module.css';
import { ProgressBar } from '../components/ProgressBar.tsx';
import { WalletName } from '../components/text/texts.tsx';
import { useElapsed } from '../components/useElapsed.ts';
import { go, useApp } from '../state/appStore.ts';
import { isRunning, useCrossings } from '../state/crossingsStore.ts';
import { isShownAt } from '../state/isShownAt.ts';
import { usePlans } from '../state/plansStore.ts';
import styles from './CrossingBar.module.css';

export function CrossingBar() {
  const place = useApp((state) => state.place);
  const crossings = useCrossings((state) => state.crossings);
  const drafts = usePlans((state) => state.drafts);
  const run = usePlans((state) => state.run);
  const [seenRunning, setSeenRunning] = useState<ReadonlySet<string>>(new Set());
  const running = crossings.filter(isRunning);
  const unseen = running.filter(({ id }) => !seenRunning.has(id));
  if (unseen.length > 0) setSeenRunning(new Set([...seenRunning, ...unseen.map(({ id }) => id)]));

  const several =
    run === 'many'
      ? drafts.flatMap(({ standing }) => (standing.state === 'begun' ? [standing.crossingId] : []))
      : null;
  const isShown = (crossing: Crossing) => isShownAt(place, crossing, several);
  const [first, ...others] = running.filter((crossing) => !isShown(crossing));
  const ended = crossings.find((one) => !isRunning(one) && seenRunning.has(one.id));
  const forget = (id: string) => setSeenRunning(new Set([...seenRunning].filter((seen) => seen !== id)));
  // What ends in sight needs no telling afterwards.
  if (ended && isShown(ended)) forget(ended.id);

  if (first) return <Running crossing={first} others={others.length} />;
  if (ended && place.at !== 'activity' && !isShown(ended)) {
    return <Ended crossing={ended} onForget={() => forget(ended.id)} />;
  }
  return null;
}

function Running({ crossing, others }: { crossing: Crossing; others: number }) {
  const { wallet, progress, started, line } = crossing;
  const elapsed = useElapsed(started);
  const what = whatNow(crossing);
  return (
    <section className={styles.bar} data-tone="info" aria-label={say('Job')}>
      {line === 'ok' && <Loader size={18} color="var(--ferry-focus)" aria-hidden />}
      <div role="status" aria-label={say('Running job')} className={styles.status}>
        <div className={styles.words}>
          <span className={styles.what}>
            {crossingHeading(crossing)} <WalletName name={wallet} />
          </span>
          {what && <span>{what}</span>}
          {/* Changes each second: not to be spoken. */}
          <span className={layout.numbers} aria-hidden>
            {progress ? listed([formatShare(progress.fraction), elapsed]) : elapsed}
          </span>
          {others > 0 && <span>{say('and {count, number} more', { count: others })}</span>}
        </div>
        <SmallButton onClick={() => go({ at: 'crossing', id: crossing.id })}>{say('Show')}</SmallButton>
      </div>
      <div className={styles.progress}>
        {line === 'ok' && <ProgressBar label={say('Running job')} fraction={progress?.fraction ?? null} />}
      </div>
    </section>
  );
}

function Ended({ crossing, onForget }: { crossing: Crossing; onForget: () => void }) {
  return (
    <section className={styles.bar} data-tone={STATE_TONES[crossing.state]} aria-label={say('Job')}>
      <div role="status" aria-label={say('Finished job')} className={styles.status}>
        <div className={styles.words}>
          <span className={styles.what}>
            {crossingHeading(crossing)}: <WalletName name={crossing.wallet} />
          </span>
        </div>
        <div className={layout.row}>
          <SmallButton onClick={() => go({ at: 'crossing', id: crossing.id })}>
            {say('Open the result')}
          </SmallButton>
          <SmallButton variant="subtle" onClick={onForget}>
            {say('Hide')}
          </SmallButton>
        </div>
      </div>
    </section>
  );
}
