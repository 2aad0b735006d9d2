/** A running job: its current step, its progress, the time it has taken and may still take. */
import { useId } from 'react';
import type { Job } from '../../../../shared/model/job.ts';
import { formatLeft } from '../../../../shared/wording/format/formatDuration.ts';
import { formatShare } from '../../../../shared/wording/format/formatShare.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { blocksText, currentPhase, jobHeading, phaseName } from '../../../../shared/wording/jobWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import styles from '../../../components/card.module.css';
import layout from '../../../components/layout.module.css';
import { ErrorNotice, Notice } from '../../../components/notices.tsx';
import { ProgressBar, useElapsed } from '../../../components/progress.tsx';
import { Quiet } from '../../../components/texts.tsx';
import { bridge } from '../../../state/bridge/bridge.ts';
import { attempt } from '../../../state/tasks.ts';
import { useAsking } from '../../../state/useAsking.ts';

export function RunCard({ job }: { job: Job }) {
  const titleId = useId();
  const { connection, node } = job;
  return (
    <section className={`${layout.card} ${styles.card}`} aria-labelledby={titleId}>
      {/* Nothing moves while the node is not heard. */}
      {connection === 'ok' && <Measure job={job} titleId={titleId} />}
      <ConnectionTrouble job={job} titleId={titleId} />
      {connection === 'ok' && (
        <Quiet small>
          {node.offline
            ? say('You can leave this page. If you quit, the wallet stays as it was.')
            : say('You can close Wallet Ferry. Your node continues, and the result will be here.')}
        </Quiet>
      )}
    </section>
  );
}

function Measure({ job, titleId }: { job: Job; titleId: string }) {
  const { id, kind, measured, progress, started, steps } = job;
  const blocks = progress && blocksText(progress);
  const elapsed = useElapsed(started);
  const phase = currentPhase(steps);
  const left = progress?.secondsLeft ?? null;
  const unmeasured = progress === null && measured === 'time' && kind !== 'backup';
  return (
    <>
      <h2 id={titleId} className={styles.title}>
        <span role="status">{phase ? phaseName(phase, kind) : jobHeading(job)}</span>
        {progress && <span className={layout.numbers}>: {formatShare(progress.fraction)}</span>}
      </h2>
      <ProgressBar label={progress ? say('Rescan') : say('Progress')} fraction={progress?.fraction ?? null} />
      <div className={`${layout.line} ${layout.numbers} ${layout.dim}`}>
        <span>{say('Running for {elapsed}', { elapsed })}</span>
        {left !== null && <span>· {formatLeft(left)}</span>}
        {blocks && <span>· {blocks}</span>}
        {unmeasured && <span>· {say('No percentage from the node.')}</span>}
      </div>
      {kind === 'rescan' && <CancelRescan id={id} />}
    </>
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

/** Why the node is not heard. Renders nothing while it is. */
function ConnectionTrouble({ job: { id, connection, silentSince }, titleId }: { job: Job; titleId: string }) {
  if (connection === 'ok' && silentSince === undefined) return null;
  const { title, text } = TROUBLES[connection === 'ok' ? 'silent' : connection];
  return (
    <Notice
      tone="read"
      title={<span id={connection === 'ok' ? undefined : titleId}>{title}</span>}
      role="status"
    >
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
