/** The table of a batch: each wallet with its plan, or its state and counts once it runs, and one passphrase for all. */
import { Box, Checkbox } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import type { Job } from '../../../shared/model/job.ts';
import { type Plan, questionOf } from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { walletLabel } from '../../../shared/wording/format/names.ts';
import { joinList } from '../../../shared/wording/format/perRegion.ts';
import { jobTone, proofHeading, STATE_WORDS } from '../../../shared/wording/jobWords.ts';
import { balanceText, blockerText, readinessOf } from '../../../shared/wording/planWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { SmallButton } from '../../components/buttons.tsx';
import { ShowMore } from '../../components/lists.tsx';
import { Disclosure, ErrorNotice } from '../../components/parts.tsx';
import { Paragraph, Quiet, SafeText } from '../../components/texts.tsx';
import { useIsNodeInUse } from '../../state/appStore.ts';
import { currentPlan, type Draft, whyNotReady, wrongPassphrase } from '../../state/draftsStore.ts';
import { goToJob } from '../../state/jobsStore.ts';
import { plans } from '../../state/plansStore.ts';
import { isOpenQuestion, Remedies } from '../wallet/action/ActionCard.tsx';
import { Warnings } from '../wallet/action/CheckList.tsx';
import { DraftsPassphrase, PassphraseQuestionField } from '../wallet/action/PassphraseField.tsx';
import { QuestionField } from '../wallet/action/Questions.tsx';
import { JobFailure } from '../wallet/job/JobFailure.tsx';
import { PlanDetails } from '../wallet/tabs/PlanDetails.tsx';
import styles from './Batch.module.css';

export type Phase = 'open' | 'running' | 'ended';

/** The passphrase for all, and the table. The field stays while the wallets run, because it alone holds what was typed. */
export function BatchTable({ rows, phase }: { rows: readonly Row[]; phase: Phase }) {
  /** The wallets that need another passphrase than the others, and have their own field. */
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  const page = phase === 'ended' ? 10 : 50;
  const [pages, setPages] = useState({ phase, shown: page });
  if (pages.phase !== phase) setPages({ phase, shown: page });
  const locked = rows.map(({ draft }) => draft).filter((draft) => lockOf(draft) !== null);
  const together = locked.filter(({ key }) => !apart.has(key));
  const leave = together.some(isRight) ? together.filter(isWrong).map(({ key }) => key) : [];
  useEffect(() => {
    if (leave.length === 0) return;
    for (const key of leave) plans.passphraseChanged(key, false);
    setApart(new Set([...apart, ...leave]));
  });
  // Show the text to read first, and the next step not far below it.
  const sorted =
    phase === 'ended' ? rows.toSorted((one, other) => Number(isWell(one)) - Number(isWell(other))) : rows;
  const rowCount = phase === 'open' ? rows.length : pages.shown;
  const shared = phase === 'open' ? sharedWarnings(rows.map(({ draft }) => draft)) : [];
  return (
    <>
      <Warnings checks={shared} />
      {locked.length > 0 && (
        <div hidden={phase !== 'open'}>
          <DraftsPassphrase
            drafts={together}
            description={
              locked.length === 1 ? say('Never stored.') : say('Tried on each wallet. Never stored.')
            }
            secondsPerTry={null}
          />
        </div>
      )}
      <table className={`box table ${styles.table}`} aria-label={say('Wallets')}>
        <thead>
          <tr>
            <th scope="col">{say('Wallet')}</th>
            <th scope="col">{say('State')}</th>
          </tr>
        </thead>
        {sorted.map((row, at) => (
          // A hidden row keeps what was typed in it.
          <WalletRow
            key={row.draft.key}
            {...row}
            phase={phase}
            shared={shared}
            isHidden={at >= rowCount}
            hasOwnField={apart.has(row.draft.key)}
          />
        ))}
      </table>
      <ShowMore
        count={rowCount}
        all={rows.length}
        page={page}
        onShow={(more) => setPages({ phase, shown: more })}
      />
    </>
  );
}

/** The warnings of every wallet that takes part, such as those of the node. They are shown once, above the table. */
export function sharedWarnings(drafts: readonly Draft[]): Check[] {
  const [first, ...others] = drafts.flatMap((draft) => (draft.isIncluded && currentPlan(draft)) || []);
  if (first === undefined || others.length === 0) return [];
  return first.checks.filter(
    (check) => check.verdict === 'warning' && others.every(({ checks }) => hasCheck(checks, check)),
  );
}

function hasCheck(checks: readonly Check[], check: Check): boolean {
  const text = JSON.stringify(check);
  return checks.some((one) => JSON.stringify(one) === text);
}

function ownPlan(draft: Draft, shared: readonly Check[]): Plan | null {
  const plan = currentPlan(draft);
  return plan && { ...plan, checks: plan.checks.filter((check) => !hasCheck(shared, check)) };
}

const isWrong = (draft: Draft) => wrongPassphrase(draft) !== null;
const isRight = ({ tried }: Draft) => tried.state === 'known' && tried.check.verdict === 'fine';

function lockOf({ plan, isIncluded }: Draft) {
  return plan && isIncluded ? (questionOf(plan, 'passphrase') ?? null) : null;
}

interface WalletRowProps extends Row {
  phase: Phase;
  shared: readonly Check[];
  isHidden: boolean;
  hasOwnField: boolean;
}

function WalletRow({ draft, job, phase, shared, isHidden, hasOwnField }: WalletRowProps) {
  const { key, plan, source, isIncluded } = draft;
  const id = useId();
  const name = source.by === 'wallet' ? source.name : source.path;
  const lock = lockOf(draft);
  const balance = plan ? (balanceText(plan) ?? say('The app cannot read its file.')) : null;
  const label = (
    <span id={id} className="name">
      <SafeText text={walletLabel(name)} home />
    </span>
  );
  return (
    <tbody hidden={isHidden} aria-labelledby={id}>
      <tr>
        <td>
          {phase === 'open' ? (
            <Checkbox
              label={label}
              description={balance}
              checked={isIncluded}
              onChange={(event) => plans.include(key, event.currentTarget.checked)}
            />
          ) : (
            <>
              {label}
              <Quiet small>{balance}</Quiet>
            </>
          )}
        </td>
        <td>
          {phase === 'open' ? (
            <PlanState draft={draft} shared={shared} describedBy={id} />
          ) : (
            <RunState draft={draft} job={job} hasEnded={phase === 'ended'} describedBy={id} />
          )}
        </td>
      </tr>
      {hasOwnField && lock && (
        <tr hidden={phase !== 'open'}>
          <td colSpan={2} className={styles.more}>
            <PassphraseQuestionField question={lock} draft={draft} wallet={name} />
          </td>
        </tr>
      )}
      {phase === 'open' && <PlanBelow draft={draft} shared={shared} />}
    </tbody>
  );
}

interface PlanStateProps extends Pick<WalletRowProps, 'draft' | 'shared'> {
  describedBy: string;
}

export function PlanState({ draft, shared, describedBy }: PlanStateProps) {
  const { key, tried } = draft;
  const isLong = (lockOf(draft)?.secondsPerTry ?? null) !== null;
  const { tone, text } = planState(draft, shared);
  const plan = currentPlan(draft);
  return (
    <div className="row">
      <StateWords tone={tone}>{text}</StateWords>
      {isLong && draft.typed && tried.state !== 'known' && (
        <SmallButton
          busy={tried.state === 'trying'}
          describedBy={describedBy}
          onClick={() => void plans.tryPassphrase(key)}
        >
          {say('Try this passphrase')}
        </SmallButton>
      )}
      {plan?.checks.some(({ verdict }) => verdict === 'blocker') && (
        <Remedies draft={draft} plan={plan} describedBy={describedBy} onlyRescue />
      )}
      {!plan && !draft.isPlanning && (
        <SmallButton describedBy={describedBy} onClick={() => plans.planAgain(key)}>
          {say('Check again')}
        </SmallButton>
      )}
    </div>
  );
}

function planState(draft: Draft, shared: readonly Check[]): { tone: StateWordsProps['tone']; text: string } {
  const { isIncluded, tried } = draft;
  const plan = ownPlan(draft, shared);
  const blocker = plan && blockerText({ checks: plan.checks, asks: [] }, true);
  if (blocker) return { tone: 'danger', text: blocker };
  if (plan && !isIncluded) return { tone: 'plain', text: say('Left out') };
  const isTriedSoon = tried.state === 'none' && draft.typed && lockOf(draft)?.secondsPerTry === null;
  if (tried.state === 'trying' || isTriedSoon) return { tone: 'plain', text: say('Trying the passphrase…') };
  if (tried.state === 'failed') return { tone: 'read', text: tried.error.message };
  const stop = whyNotReady(draft);
  if (stop !== null || !plan) return { tone: isWrong(draft) ? 'danger' : 'plain', text: stop ?? '' };
  const { tone, text } = readinessOf(plan, true);
  return { tone: tone === 'stop' ? 'plain' : tone, text };
}

/** What stops a wallet or has to be answered, in sight, and the rest of its plan folded. */
function PlanBelow({ draft, shared }: Pick<WalletRowProps, 'draft' | 'shared'>) {
  const { error } = draft;
  const visiblePlan = currentPlan(draft);
  if (!visiblePlan && !error) return null;
  const questions = visiblePlan?.asks.filter((question) => question.ask !== 'passphrase') ?? [];
  const isOpen = (question: (typeof questions)[number]) =>
    isOpenQuestion(question) || (question.ask === 'name' && question.check.verdict !== 'fine');
  const field = (question: (typeof questions)[number]) =>
    visiblePlan && <QuestionField key={question.ask} question={question} draft={draft} />;
  return (
    <tr>
      <td colSpan={2} className={styles.more}>
        <div className="stack">
          {error && <ErrorNotice error={error} quiet />}
          {visiblePlan && (
            <>
              <Warnings checks={ownPlan(draft, shared)?.checks ?? []} />
              {questions.filter(isOpen).map(field)}
              <Disclosure look="quiet" summary={say('Details')}>
                <div className="apart">
                  {questions.filter((question) => !isOpen(question)).map(field)}
                  <PlanDetails draft={draft} plan={visiblePlan} />
                </div>
              </Disclosure>
            </>
          )}
        </div>
      </td>
    </tr>
  );
}

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

function stateOf({ draft: { runState }, job }: Row): State {
  return runState.state === 'started' ? (job?.state ?? 'unknown') : UNSTARTED[runState.state];
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
  const { runState, plan } = draft;
  const state = stateOf({ draft, job });
  const isHere = useIsNodeInUse(plan?.node.identity);
  const error = runState.state === 'refused' ? runState.error : null;
  const blocked = runState.state === 'blocked' ? plan : null;
  const text =
    runState.state === 'not-started'
      ? NOT_STARTED[runState.why]
      : blocked
        ? blockerText({ checks: blocked.checks, asks: [] }, true)
        : ((error ?? job?.error)?.message ?? (job && state === 'done' && proofHeading(job)));
  return (
    <div className="stack">
      <div className="row">
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
        {(error || (runState.state === 'not-started' && isHere)) && hasEnded && (
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

interface StateWordsProps {
  tone: 'good' | 'info' | 'read' | 'danger' | 'plain';
  children: string;
}

/** The state of a wallet in words, in their tone. */
function StateWords({ tone, children }: StateWordsProps) {
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
