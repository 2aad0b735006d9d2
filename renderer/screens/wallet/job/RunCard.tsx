/** A running job: its current step, its progress, the time it has taken and may still take. */
import { continuesWithoutApp, isBeingChecked, isSent, type Job } from '../../../../shared/model/job.ts';
import { asSentence } from '../../../../shared/wording/findings/hints.ts';
import { formatShare } from '../../../../shared/wording/format/formatNumber.ts';
import { formatLeft, formatTime } from '../../../../shared/wording/format/formatTime.ts';
import {
  blocksText,
  currentPhase,
  jobHeading,
  OTHERS_WAIT,
  phaseName,
  STATE_WORDS,
  STAYS_UNLOCKED,
} from '../../../../shared/wording/jobWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { AskingButton, ProgressBar, SmallButton, useElapsed } from '../../../components/buttons.tsx';
import { Card, Notice } from '../../../components/parts.tsx';
import { Quiet } from '../../../components/texts.tsx';
import { attempt } from '../../../state/asking.ts';
import { bridge } from '../../../state/bridge.ts';
import { isBatchRunning, useDrafts } from '../../../state/draftsStore.ts';

export function RunCard({ job }: { job: Job }) {
  const { id, connection } = job;
  // Others of its batch wait for its end.
  const isFollowed = useDrafts(
    (state) =>
      isBatchRunning(state) &&
      state.drafts.some(({ runState }) => runState.state === 'started' && runState.jobId === id),
  );
  // Without an answer from the node there is no progress to show.
  const answers = connection === 'ok';
  return (
    <Card
      title={answers && <RunTitle job={job} />}
      {...(answers ? {} : { label: CONNECTION_PROBLEMS[connection].title })}
    >
      {answers && <JobProgress job={job} />}
      <ConnectionTrouble job={job} />
      {answers && (
        <Quiet small>
          {isBeingChecked(job)
            ? `${asSentence(STATE_WORDS.done)} ${CHECKED_NEXT_TIME}`
            : continuesWithoutApp(job)
              ? [say('You can quit: your node continues.'), job.unlocks && STAYS_UNLOCKED]
                  .filter(Boolean)
                  .join(' ')
              : isSent(job)
                ? CHECKED_NEXT_TIME
                : say('If you quit now, nothing changes.')}{' '}
          {isFollowed && OTHERS_WAIT}
        </Quiet>
      )}
    </Card>
  );
}

const CHECKED_NEXT_TIME = say('If you quit, the app checks it next time.');

function RunTitle({ job }: { job: Job }) {
  const { kind, steps } = job;
  const progress = runningProgress(job);
  const phase = currentPhase(steps);
  return (
    <>
      <span role="status">{phase ? phaseName(phase, kind) : jobHeading(job)}</span>
      {progress && <span className="numbers">: {formatShare(progress.fraction)}</span>}
    </>
  );
}

/** A rescan that has ended says nothing of what follows it. */
function runningProgress({ progress }: Job): Job['progress'] {
  return progress !== null && progress.fraction < 1 ? progress : null;
}

function JobProgress({ job }: { job: Job }) {
  const { id, kind, measured, started } = job;
  const progress = runningProgress(job);
  const elapsed = useElapsed(started);
  const facts = [
    say('Running for {elapsed}', { elapsed }),
    typeof progress?.secondsLeft === 'number' && formatLeft(progress.secondsLeft),
    progress && blocksText(progress),
    progress === null && measured === 'time' && kind !== 'backup' && say('No percentage from the node.'),
  ];
  return (
    <>
      <ProgressBar label={progress ? say('Rescan') : say('Progress')} fraction={progress?.fraction ?? null} />
      <p className="numbers dim">{facts.filter(Boolean).join(' · ')}</p>
      {/* What was found so far stays. */}
      {kind === 'rescan' && (
        <AskingButton call={() => bridge.call('jobs.cancelRescan', { id })}>
          {say('Cancel the rescan')}
        </AskingButton>
      )}
    </>
  );
}

/** Why the node does not answer. Renders nothing while it does. */
function ConnectionTrouble({ job: { id, connection, silentSince } }: { job: Job }) {
  if (connection === 'ok' && silentSince === undefined) return null;
  const { title, text } = CONNECTION_PROBLEMS[connection === 'ok' ? 'silent' : connection];
  return (
    <Notice tone="read" title={title} role="status">
      <p>
        {text} {silentSince !== undefined && connection !== 'another-node' && <LastHeard at={silentSince} />}
      </p>
      <SmallButton onClick={() => void attempt(() => bridge.call('jobs.stopWaiting', { id }))}>
        {say('Stop waiting')}
      </SmallButton>
    </Notice>
  );
}

const CONNECTION_PROBLEMS = {
  lost: { title: say('Disconnected'), text: say('If the node runs, it continues; if not, start it.') },
  'another-node': {
    title: say('Another node answers here'),
    text: say('Nothing is sent to it. Connect to your node.'),
  },
  silent: { title: say('The node does not answer'), text: say('It may be busy.') },
} as const;

function LastHeard({ at }: { at: number }) {
  const elapsed = useElapsed(at);
  return (
    <>
      {say('Last answer: {time}.', { time: formatTime(at) })}{' '}
      {/* Hidden from screen readers, which would read it out each second. */}
      <span aria-hidden>{say('({elapsed} ago)', { elapsed })}</span>
    </>
  );
}
