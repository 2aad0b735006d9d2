/** The wallets of a batch while they run and after: the state of each, and how many are in which state. */
import { Box } from '@mantine/core';
import type { Job } from '../../../shared/model/job.ts';
import { joinList } from '../../../shared/wording/format/perRegion.ts';
import { jobTone, proofHeading, STATE_WORDS } from '../../../shared/wording/jobWords.ts';
import { blockerText } from '../../../shared/wording/planWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { SmallButton } from '../../components/buttons.tsx';
import layout from '../../components/layout.module.css';
import { ErrorNotice } from '../../components/notices.tsx';
import { Disclosure } from '../../components/parts.tsx';
import { Paragraph, SafeText } from '../../components/texts.tsx';
import type { Draft } from '../../state/draftsStore.ts';
import { goToJob } from '../../state/jobsStore.ts';
import { plans } from '../../state/plansStore.ts';
import { Remedies } from '../wallet/action/ActionCard.tsx';
import { Warnings } from '../wallet/action/CheckList.tsx';
import { JobFailure } from '../wallet/job/JobFailure.tsx';

export interface Row {
  draft: Draft;
  job: Job | null;
}

export function isWell({ job }: Row): boolean {
  return job?.state === 'done' && job.proof?.verdict === 'same';
}

/** `1 of 3 done, 1 failed`: leaves out zero counts. */
export function countsOf(rows: readonly Row[]): string {
  const count = (...states: readonly State[]) => rows.filter((row) => states.includes(stateOf(row))).length;
  const [failed, unknown, notStarted] = [count('failed'), count('unknown'), count('not-started')];
  const interrupted = count('interrupted');
  return joinList([
    say('{done, number} of {all, number} done', { done: count('done'), all: rows.length }),
    failed > 0 && say('{count, number} failed', { count: failed }),
    interrupted > 0 && say('{count, number} interrupted', { count: interrupted }),
    unknown > 0 && say('{count, number} not known', { count: unknown }),
    notStarted > 0 && say('{count, number} not started', { count: notStarted }),
  ]);
}

type State = 'queued' | 'not-started' | Job['state'];

function stateOf({ draft: { standing }, job }: Row): State {
  return standing.state === 'started' ? (job?.state ?? 'unknown') : UNSTARTED[standing.state];
}

const UNSTARTED = {
  open: 'queued',
  waiting: 'queued',
  starting: 'running',
  refused: 'failed',
  blocked: 'not-started',
  'not-started': 'not-started',
} as const;

interface RunStateProps extends Row {
  hasEnded: boolean;
  describedBy: string;
}

export function RunState({ draft, job, hasEnded, describedBy }: RunStateProps) {
  const { standing, plan } = draft;
  const state = stateOf({ draft, job });
  const error = standing.state === 'refused' ? standing.error : null;
  const blocked = standing.state === 'blocked' ? plan : null;
  const text =
    standing.state === 'not-started'
      ? NOT_STARTED[standing.why]
      : blocked
        ? blockerText({ checks: blocked.checks, asks: [] }, true)
        : ((error ?? job?.error)?.message ?? (job && proofHeading(job)));
  return (
    <div className={layout.stack}>
      <div className={layout.row}>
        {state === 'queued' || state === 'not-started' ? (
          <StateWords tone="plain">{state === 'queued' ? say('Queued') : say('Not started')}</StateWords>
        ) : (
          <StateWords tone={jobTone({ ...job, state })}>{STATE_WORDS[state]}</StateWords>
        )}
        {job && (
          <SmallButton describedBy={describedBy} onClick={() => goToJob(job)}>
            {say('Open')}
          </SmallButton>
        )}
        {error && hasEnded && (
          <SmallButton describedBy={describedBy} onClick={() => plans.begin([draft])}>
            {say('Try again')}
          </SmallButton>
        )}
        {blocked && hasEnded && <Remedies draft={draft} plan={blocked} describedBy={describedBy} />}
      </div>
      {text && <Paragraph text={text} quiet />}
      {(state === 'failed' || state === 'unknown' || blocked) && (
        <Disclosure look="quiet" summary={say('Why')}>
          {error && <ErrorNotice error={error} quiet />}
          {job && <JobFailure job={job} quiet />}
          {blocked && <Warnings checks={blocked.checks} />}
          {!error && !job && !blocked && <p>{say('Check the wallet list.')}</p>}
        </Disclosure>
      )}
    </div>
  );
}

const NOT_STARTED = {
  stopped: say('You stopped before this one.'),
  'other-node': say('Connected to another node.'),
} as const;

export interface StateWordsProps {
  tone: 'good' | 'info' | 'read' | 'danger' | 'plain';
  children: string;
}

/** The state of a wallet in words, in their tone. */
export function StateWords({ tone, children }: StateWordsProps) {
  return (
    <Box
      component="span"
      flex="1 1 120px"
      fw={tone === 'plain' ? 400 : 600}
      c="var(--tone-text)"
      data-tone={tone}
    >
      <SafeText text={children} lines />
    </Box>
  );
}
