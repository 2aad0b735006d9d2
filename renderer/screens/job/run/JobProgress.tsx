/** A job at work: what is being done, how far it is, how long it has taken and may still take. */
import { Loader } from '@mantine/core';
import type { Job } from '../../../../shared/model/job.ts';
import { formatLeft } from '../../../../shared/wording/format/formatDuration.ts';
import { formatShare } from '../../../../shared/wording/format/formatShare.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { blocksText, currentPhase, phaseName } from '../../../../shared/wording/jobWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ErrorNotice } from '../../../components/ErrorNotice.tsx';
import { SmallButton } from '../../../components/input/ActionButton.tsx';
import layout from '../../../components/layout.module.css';
import { Notice } from '../../../components/Notice.tsx';
import { ProgressBar } from '../../../components/ProgressBar.tsx';
import { Quiet } from '../../../components/text/texts.tsx';
import { useElapsed } from '../../../components/useElapsed.ts';
import { attempt } from '../../../state/attempt.ts';
import { bridge } from '../../../state/bridge/bridge.ts';
import { useAsking } from '../../../state/useAsking.ts';

/** Renders nothing once it has ended. */
export function JobProgress({ job }: { job: Job }) {
  if (job.state !== 'running') return null;
  return (
    <div className={layout.apart}>
      <LineTrouble job={job} />
      {/* Where nobody is heard, nothing can be said to move. */}
      {job.connection === 'ok' && <Measure job={job} />}
    </div>
  );
}

function Measure({ job }: { job: Job }) {
  const { id, kind, connection, measured, progress, started, steps } = job;
  const blocks = kind === 'rescan' && progress && blocksText(progress);
  const elapsed = useElapsed(started);
  const phase = currentPhase(steps);
  const left = progress?.secondsLeft ?? null;
  const unmeasured = progress === null && measured === 'time' && kind !== 'backup';
  return (
    <div className={layout.stack}>
      <div className={`${layout.row} ${layout.name}`}>
        <Loader size={16} color="var(--ferry-focus)" aria-hidden />
        <span role="status">{phase && phaseName(phase, kind)}</span>
      </div>
      <ProgressBar label={progress ? say('Rescan') : say('Progress')} fraction={progress?.fraction ?? null} />
      <div className={`${layout.line} ${layout.numbers}`}>
        {progress && <strong>{formatShare(progress.fraction)}</strong>}
        <span>{say('Elapsed: {elapsed}', { elapsed })}</span>
        {left !== null && <span>{formatLeft(left)}</span>}
        {unmeasured && <span>{say('No percentage from the node.')}</span>}
      </div>
      {blocks && <Quiet>{blocks}</Quiet>}
      {kind === 'rescan' && connection === 'ok' && <CancelRescan id={id} />}
    </div>
  );
}

/** What was found so far stays. */
function CancelRescan({ id }: { id: string }) {
  const { busy, error, ask } = useAsking();
  return (
    <>
      <div className={layout.row}>
        <SmallButton busy={busy} onClick={() => void ask(() => bridge.call('jobs.cancelRescan', { id }))}>
          {say('Cancel the rescan')}
        </SmallButton>
      </div>
      {error && <ErrorNotice error={error} />}
    </>
  );
}

/** What stands between it and its node. Renders nothing while the node is heard. */
function LineTrouble({ job: { id, connection, silentSince } }: { job: Job }) {
  if (connection === 'ok' && silentSince === undefined) return null;
  const { title, text } = TROUBLES[connection === 'ok' ? 'silent' : connection];
  return (
    <Notice tone="read" title={title} role="status">
      <p>
        {text} {silentSince !== undefined && connection !== 'another-node' && <HeardLast at={silentSince} />}
      </p>
      <SmallButton onClick={() => void attempt(() => bridge.call('jobs.stopWaiting', { id }))}>
        {say('Stop waiting')}
      </SmallButton>
    </Notice>
  );
}

const TROUBLES = {
  lost: {
    title: say('Disconnected'),
    text: say('If the node runs, it continues; if not, start it.'),
  },
  'another-node': {
    title: say('Another node answers here'),
    text: say('Nothing is sent to it. Connect to the first node.'),
  },
  silent: {
    title: say('The node is silent'),
    text: say('It may be busy.'),
  },
} as const;

function HeardLast({ at }: { at: number }) {
  const elapsed = useElapsed(at);
  return (
    <>
      {say('Last heard: {time}.', { time: formatTime(at) })} {/* Changes each second: not to be spoken. */}
      <span aria-hidden>{say('({elapsed} ago)', { elapsed })}</span>
    </>
  );
}
