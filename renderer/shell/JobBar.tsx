/** What runs now, or has just ended out of sight: on top everywhere in the app, with the way back to it. */
import { Loader } from '@mantine/core';
import { useState } from 'react';
import type { Job } from '../../shared/model/job.ts';
import { formatShare } from '../../shared/wording/format/formatShare.ts';
import { listed } from '../../shared/wording/format/listed.ts';
import { jobHeading, STATE_TONES, whatNow } from '../../shared/wording/jobWords.ts';
import { say } from '../../shared/wording/say.ts';
import { SmallButton } from '../components/input/ActionButton.tsx';
import layout from '../components/layout.module.css';
import { ProgressBar } from '../components/ProgressBar.tsx';
import { WalletName } from '../components/text/texts.tsx';
import { useElapsed } from '../components/useElapsed.ts';
import { go, useApp } from '../state/appStore.ts';
import { isShownAt } from '../state/isShownAt.ts';
import { isRunning, useJobs } from '../state/jobsStore.ts';
import { usePlans } from '../state/plansStore.ts';
import styles from './JobBar.module.css';

export function JobBar() {
  const place = useApp((state) => state.place);
  const jobs = useJobs((state) => state.jobs);
  const drafts = usePlans((state) => state.drafts);
  const run = usePlans((state) => state.run);
  const [seenRunning, setSeenRunning] = useState<ReadonlySet<string>>(new Set());
  const running = jobs.filter(isRunning);
  const unseen = running.filter(({ id }) => !seenRunning.has(id));
  if (unseen.length > 0) setSeenRunning(new Set([...seenRunning, ...unseen.map(({ id }) => id)]));

  const several =
    run === 'many'
      ? drafts.flatMap(({ standing }) => (standing.state === 'begun' ? [standing.jobId] : []))
      : null;
  const isShown = (job: Job) => isShownAt(place, job, several);
  const [first, ...others] = running.filter((job) => !isShown(job));
  const ended = jobs.find((one) => !isRunning(one) && seenRunning.has(one.id));
  const forget = (id: string) => setSeenRunning(new Set([...seenRunning].filter((seen) => seen !== id)));
  // What ends in sight needs no telling afterwards.
  if (ended && isShown(ended)) forget(ended.id);

  if (first) return <Running job={first} others={others.length} />;
  if (ended && place.at !== 'activity' && !isShown(ended)) {
    return <Ended job={ended} onForget={() => forget(ended.id)} />;
  }
  return null;
}

function Running({ job, others }: { job: Job; others: number }) {
  const { wallet, progress, started, connection } = job;
  const elapsed = useElapsed(started);
  const what = whatNow(job);
  return (
    <section className={styles.bar} data-tone="info" aria-label={say('Job')}>
      {connection === 'ok' && <Loader size={18} color="var(--ferry-focus)" aria-hidden />}
      <div role="status" aria-label={say('Running job')} className={styles.status}>
        <div className={styles.words}>
          <span className={styles.what}>
            {jobHeading(job)} <WalletName name={wallet} />
          </span>
          {what && <span>{what}</span>}
          {/* Changes each second: not to be spoken. */}
          <span className={layout.numbers} aria-hidden>
            {progress ? listed([formatShare(progress.fraction), elapsed]) : elapsed}
          </span>
          {others > 0 && <span>{say('and {count, number} more', { count: others })}</span>}
        </div>
        <SmallButton onClick={() => go({ at: 'job', id: job.id })}>{say('Show')}</SmallButton>
      </div>
      <div className={styles.progress}>
        {connection === 'ok' && (
          <ProgressBar label={say('Running job')} fraction={progress?.fraction ?? null} />
        )}
      </div>
    </section>
  );
}

function Ended({ job, onForget }: { job: Job; onForget: () => void }) {
  return (
    <section className={styles.bar} data-tone={STATE_TONES[job.state]} aria-label={say('Job')}>
      <div role="status" aria-label={say('Finished job')} className={styles.status}>
        <div className={styles.words}>
          <span className={styles.what}>
            {jobHeading(job)}: <WalletName name={job.wallet} />
          </span>
        </div>
        <div className={layout.row}>
          <SmallButton onClick={() => go({ at: 'job', id: job.id })}>{say('Open the result')}</SmallButton>
          <SmallButton variant="subtle" onClick={onForget}>
            {say('Hide')}
          </SmallButton>
        </div>
      </div>
    </section>
  );
}
