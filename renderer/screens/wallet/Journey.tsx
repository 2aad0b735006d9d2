/** The stops from the user's file to the new backup, each filled in as it is reached, and the files that they leave. */
import { VisuallyHidden } from '@mantine/core';
import type { Job } from '../../../shared/model/job.ts';
import type { Stop } from '../../../shared/model/journey.ts';
import { STOP_NAMES, STOP_STATES, stopNote } from '../../../shared/wording/journeyWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { jobVerdict } from '../../../shared/wording/verdictWords.ts';
import layout from '../../components/layout.module.css';
import { Dot } from '../../components/parts.tsx';
import { FileLine } from '../../components/paths.tsx';
import styles from './Journey.module.css';

interface JourneyProps {
  stops: readonly Stop[];
  /** Null before a job runs. */
  job: Job | null;
  isLocal: boolean;
}

export function Journey({ stops, job, isLocal }: JourneyProps) {
  // The copies of an interrupted wallet are shown with the button that puts it back.
  const filed = job?.state === 'interrupted' ? [] : stops;
  const withPaths = filed.flatMap(({ id, paths }) => paths.map((path) => ({ id, path })));
  return (
    <div className={layout.stack}>
      <ol className={styles.strip} aria-label={say('Steps')}>
        {stops.map((stop) => (
          <StopItem key={stop.id} stop={stop} job={job} />
        ))}
      </ol>
      {withPaths.length > 0 && (
        <ul className={styles.files} aria-label={say('Files')}>
          {withPaths.map(({ id, path }) => (
            <li key={path}>
              <FileLine name={FILE_NAMES[id] ?? STOP_NAMES[id]} path={path} isLocal={isLocal} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function StopItem({ stop, job }: { stop: Stop } & Pick<JourneyProps, 'job'>) {
  const { id, state } = stop;
  return (
    <li className={styles.stop} data-state={state} aria-current={state === 'active' ? 'step' : undefined}>
      <Dot state={state} {...(state === 'failed' && job && { tone: jobVerdict(job, false).tone })} />
      <span className={`${layout.name} ${styles.name}`}>
        {STOP_NAMES[id]}
        <VisuallyHidden component="span">: {STOP_STATES[state]}</VisuallyHidden>
      </span>
      <span className={styles.note}>{stopNote(stop, job)}</span>
    </li>
  );
}

/** What the file of a stop is, where the stop's name does not say it. */
const FILE_NAMES: Readonly<Partial<Record<Stop['id'], string>>> = { migrate: say('Old wallet’s backup') };
