/** All that is known of a job's course: where and when, each step, the rescan, and the node's own log lines. */
import { Box, Group } from '@mantine/core';
import { IconCheck, IconCircle, IconMinus, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import type { Job, Step } from '../../../../shared/model/job.ts';
import { formatElapsed } from '../../../../shared/wording/format/formatDuration.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { blocksText, phaseName, variantText } from '../../../../shared/wording/jobWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import layout from '../../../components/layout.module.css';
import { FactList, ScrollBox } from '../../../components/lists.tsx';
import { NodeLine, SafeText, WalletName } from '../../../components/texts.tsx';
import { foundBy, useLook } from '../../../state/useAsking.ts';

export function JobDetails({ job }: { job: Job }) {
  return (
    <>
      <FactList facts={factsOf(job)} />
      <ol aria-label={say('All steps')}>
        {job.steps.map((step) => (
          <StepLine key={step.phase} step={step} job={job} />
        ))}
      </ol>
      <Log job={job} />
    </>
  );
}

function factsOf({ node, started, ended, progress }: Job) {
  const rescan = progress && [blocksText(progress), variantText(progress)].filter((text) => text !== null);
  return [
    { label: say('Node'), value: <NodeLine node={node} /> },
    { label: say('Started'), value: formatTime(started) },
    ended !== null && {
      label: say('Ended'),
      value: say('{ended}, after {elapsed}', {
        ended: formatTime(ended),
        elapsed: formatElapsed(ended - started),
      }),
    },
    progress && { label: say('Rescanned wallet'), value: <WalletName name={progress.wallet} /> },
    rescan && rescan.length > 0 && { label: say('Rescan'), value: rescan.join('. ') },
  ];
}

function StepLine({ step, job: { kind, state } }: { step: Step; job: Job }) {
  const { Icon, word } = looksOf(step.state, state);
  const isReached = step.state === 'done' || step.state === 'running';
  return (
    <Group
      component="li"
      gap={10}
      py={3}
      c={isReached ? 'inherit' : 'dimmed'}
      fw={step.state === 'running' ? 600 : 400}
    >
      <Icon size={16} color={step.state === 'done' ? 'var(--ferry-good-text)' : 'currentColor'} aria-hidden />
      <span className={layout.grows}>{phaseName(step.phase, kind)}</span>
      <Box component="span" fw={400} className={layout.small}>
        {word}
      </Box>
    </Group>
  );
}

/** A step that was running when the job ended is the one it stopped at. */
function looksOf(state: Step['state'], job: Job['state']) {
  const known = job !== 'unknown';
  switch (state) {
    case 'done':
      return { Icon: IconCheck, word: say('done') };
    case 'running':
      return job === 'running'
        ? { Icon: IconPlayerPlay, word: say('now') }
        : { Icon: IconPlayerStop, word: known ? say('stopped') : say('last seen') };
    case 'skipped':
      return { Icon: IconMinus, word: say('not needed') };
    case 'waiting':
      return {
        Icon: IconCircle,
        word: job === 'running' ? say('to come') : known ? say('not reached') : say('not seen'),
      };
  }
}

/** Of a job of an earlier session the lines are asked for once they are wanted. */
function Log({ job: { id, log, state } }: { job: Job }) {
  const isKept = log.length === 0 && state !== 'running';
  const kept = useLook('jobs.log', isKept ? { id } : null);
  const lines = isKept ? (foundBy(kept)?.lines ?? []) : log;
  const shown = lines.map((line, at) => ({ at, line })).slice(-MOST_LINES);
  if (shown.length === 0) return <p className={layout.dim}>{say('Nothing in the node’s log.')}</p>;
  return (
    // Reversed, it starts at its end and stays there while lines come: the newest line is the one of interest.
    <ScrollBox
      label={say('Log')}
      mah="16em"
      fz="sm"
      display="flex"
      style={{ flexDirection: 'column-reverse' }}
    >
      <ol aria-label={say('Node’s log')}>
        {shown.map(({ at, line }) => (
          <li key={at}>
            <SafeText text={line} mono lines />
          </li>
        ))}
      </ol>
      {lines.length >= MOST_LINES && (
        <p className={layout.dim}>{say('The newest {count, number} lines.', { count: MOST_LINES })}</p>
      )}
    </ScrollBox>
  );
}

const MOST_LINES = 200;
