/** Several wallets to migrate, each in a row with its passphrase and its state. */
import { Button, Checkbox, Stack } from '@mantine/core';
import { type FormEvent, useId, useRef } from 'react';
import type { Job } from '../../../shared/model/job.ts';
import { askOf } from '../../../shared/model/plan.ts';
import { counted } from '../../../shared/wording/format/counted.ts';
import { listed } from '../../../shared/wording/format/listed.ts';
import { quotedWallet, walletLabel } from '../../../shared/wording/format/walletLabel.ts';
import { jobHeading, jobTone, proofHeading, STATE_WORDS } from '../../../shared/wording/jobWords.ts';
import { balanceOf, nodeOf, readinessOf } from '../../../shared/wording/planWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../components/buttons.tsx';
import { SecretInput } from '../../components/fields.tsx';
import layout from '../../components/layout.module.css';
import { FactList, List, PagedList } from '../../components/lists.tsx';
import { ErrorNotice, Tag } from '../../components/notices.tsx';
import { Disclosure, PageHeading, Section } from '../../components/parts.tsx';
import { SaveBackups } from '../../components/saving.tsx';
import { Quiet, SafeText, WalletName } from '../../components/texts.tsx';
import { go, useNode } from '../../state/appStore.ts';
import { type Draft, passphraseFields, seenPlan, stopOf } from '../../state/draft.ts';
import { goToJob, useJobs } from '../../state/jobsStore.ts';
import { isAtWork, usePlans } from '../../state/plansStore.ts';
import { GotWorse } from '../wallet/action/ActionCard.tsx';
import { AskField, PassphraseField } from '../wallet/action/Asks.tsx';
import { Warnings } from '../wallet/action/CheckList.tsx';
import { JobFailure } from '../wallet/job/JobFailure.tsx';
import { BackedUp, NewWallets, useNewWallets } from '../wallet/job/NewBackups.tsx';
import { Spend } from '../wallet/job/NextSteps.tsx';
import { RunCard } from '../wallet/job/RunCard.tsx';
import { PlanDetails } from '../wallet/tabs/PlanDetails.tsx';
import styles from './Batch.module.css';

export function Batch() {
  const all = usePlans((state) => state.drafts);
  const batch = usePlans((state) => state.batch);
  const drafts = all.filter((draft) => draft.batch);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (blockOf(drafts) === null) void usePlans.getState().startBatch();
  }

  if (drafts.length === 0) return null;
  return (
    <>
      {batch === 'running' && (
        <BatchRun drafts={drafts.filter(({ standing }) => standing.state !== 'open')} />
      )}
      {/* Not a grid, in which its foot would not stay in sight. */}
      <Stack
        component="form"
        onSubmit={submit}
        display={batch === 'running' ? 'none' : 'flex'}
        aria-busy={drafts.some(({ looking }) => looking)}
        aria-label={say('Several wallets')}
      >
        <Many drafts={drafts} />
      </Stack>
    </>
  );
}

function Many({ drafts }: { drafts: readonly Draft[] }) {
  const takers = drafts.filter(({ takesPart }) => takesPart);
  const lockedCount = takers.filter(({ plan }) => plan && askOf(plan, 'passphrase')).length;
  const first = drafts.find(({ plan }) => plan !== null)?.plan;
  return (
    <>
      <PageHeading title={say('Migrate {wallets}', { wallets: counted.wallets(takers.length) })}>
        {first && <p>{nodeOf(first)}</p>}
        <p>{say('One after another, even if one fails.')}</p>
      </PageHeading>
      {lockedCount > 1 && <PassphraseForAll />}
      <List look="boxed" label={say('Wallets')} roomy>
        {drafts.map((draft) => (
          <PlanRow key={draft.key} draft={draft} />
        ))}
      </List>
      {drafts.some(({ worse, standing }) => worse && standing.state === 'open') && <GotWorse />}
      <Foot drafts={drafts} />
    </>
  );
}

function Foot({ drafts }: { drafts: readonly Draft[] }) {
  const block = blockOf(drafts);
  const blockId = useId();
  function leave() {
    usePlans.getState().leaveBatch();
    go({ at: 'wallets' });
  }
  return (
    <footer className={`${layout.end} ${styles.foot}`}>
      <p id={blockId} role="status" className={`${layout.small} ${layout.grows}`}>
        {block}
      </p>
      <Button variant="default" onClick={leave}>
        {say('Cancel')}
      </Button>
      <ActionButton type="submit" blocked={block !== null} describedBy={blockId}>
        {say('Migrate')}
      </ActionButton>
    </footer>
  );
}

/** Why they cannot be run yet, in a sentence; null where they can. */
function blockOf(drafts: readonly Draft[]): string | null {
  const takers = drafts.filter(({ takesPart }) => takesPart);
  if (takers.length === 0) return say('Choose a wallet.');
  for (const draft of takers) {
    const stop = stopOf(draft);
    if (stop !== null)
      return draft.plan === null || drafts.length === 1
        ? stop
        : `${quotedWallet(draft.plan.wallet)}: ${stop}`;
  }
  return null;
}

/** One field for all wallets: what is typed there is tried on each that has nothing typed of its own. */
function PassphraseForAll() {
  const filled = useRef(new WeakSet<HTMLInputElement>());
  function spread(value: string) {
    for (const field of passphraseFields.values()) {
      if (field.value !== '' && !filled.current.has(field)) continue;
      filled.current.add(field);
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  return (
    <SecretInput
      maw={340}
      label={say('Passphrase for all')}
      reveal={say('Show passphrase')}
      description={say('Tried on each wallet; not kept.')}
      onInput={(event) => spread(event.currentTarget.value)}
    />
  );
}

function PlanRow({ draft }: { draft: Draft }) {
  const { key, plan, source, takesPart, looking, error } = draft;
  const { takePart, lookAgain } = usePlans.getState();
  const seen = seenPlan(draft);
  const name = source.by === 'wallet' ? source.name : source.path;
  const passphrase = plan && takesPart && askOf(plan, 'passphrase');
  return (
    <li className={layout.stack}>
      <Checkbox
        label={
          <span className={layout.name}>
            <SafeText text={walletLabel(name)} />
          </span>
        }
        description={plan ? (balanceOf(plan) ?? say('The app cannot read its file.')) : null}
        checked={takesPart}
        onChange={(event) => takePart(key, event.currentTarget.checked)}
      />
      <div className={`${layout.stack} ${styles.below}`}>
        {looking && !plan && <p role="status">{say('Checking…')}</p>}
        {error && <ErrorNotice error={error} quiet />}
        {!seen && !looking && <SmallButton onClick={() => lookAgain(key)}>{say('Check again')}</SmallButton>}
        {passphrase && <PassphraseField ask={passphrase} draft={draft} wallet={name} />}
        {seen && (
          <Disclosure
            look="quiet"
            summary={<SafeText text={stopOf(draft) ?? readinessOf(seen, true).text} />}
          >
            <div className={layout.apart}>
              <Warnings checks={seen.checks} />
              {seen.asks.map((ask) => (
                <AskField key={ask.ask} ask={ask} draft={draft} plan={seen} />
              ))}
              <PlanDetails draft={draft} plan={seen} />
            </div>
          </Disclosure>
        )}
      </div>
    </li>
  );
}

/** Several jobs one after another: the running one, the state of each, and all new backups at the end. */
function BatchRun({ drafts }: { drafts: readonly Draft[] }) {
  const jobs = useJobs((state) => state.jobs);
  /** No job is left to start. The last one may still be running. */
  const over = usePlans((state) => !isAtWork(state));
  const { stopAfterThis, leaveBatch } = usePlans.getState();
  const all = drafts.map((draft) => ({
    draft,
    job: jobs.find(({ id }) => draft.standing.state === 'started' && id === draft.standing.jobId) ?? null,
  }));
  const running = all.find(({ job }) => job?.state === 'running')?.job ?? null;
  const ended = over && running === null;
  const migrations = all.flatMap(({ job }) =>
    job?.state === 'done' && job.result?.kind === 'migrate' ? [job] : [],
  );
  const [first] = migrations;
  const waits = drafts.some(({ standing }) => standing.state === 'waiting');
  function leave() {
    leaveBatch();
    go({ at: 'wallets' });
  }
  return (
    <>
      {/* At the end the new heading takes the focus, so that the result is read from its top. */}
      <PageHeading key={String(ended)} title={counted.wallets(drafts.length)}>
        <span role="status">{countsOf(all)}</span>
      </PageHeading>
      <div className={layout.page}>
        {running && (
          <Section
            title={say('{doing} “{wallet}”', {
              doing: jobHeading(running),
              wallet: walletLabel(running.wallet),
            })}
          >
            <RunCard job={running} />
          </Section>
        )}
        <PagedList
          key={String(ended)}
          look="boxed"
          label={say('Wallets')}
          // Show the text to read first, and the next step not far below it.
          items={ended ? all.toSorted((one, other) => Number(isWell(one)) - Number(isWell(other))) : all}
          page={ended ? 10 : 50}
          keyOf={({ draft }) => draft.key}
          row={(row) => <Row {...row} ended={ended} />}
        />
        {ended ? (
          first && (
            <>
              <Backups migrations={migrations} />
              <Section title={say('What now')}>
                <FactList
                  facts={[
                    { label: say('See and spend'), value: <Spend node={first.node} names={[]} /> },
                    { label: say('Keep'), value: say('The backups in each wallet’s result.') },
                  ]}
                />
              </Section>
            </>
          )
        ) : (
          <Quiet>{say('You can leave. Quitting cancels queued wallets.')}</Quiet>
        )}
        <div className={layout.end}>
          {ended ? (
            <Button onClick={leave}>{say('Go to wallets')}</Button>
          ) : (
            <ActionButton variant="default" blocked={!waits} onClick={stopAfterThis}>
              {say('Stop after this one')}
            </ActionButton>
          )}
        </div>
      </div>
    </>
  );
}

function Backups({ migrations }: { migrations: readonly Job[] }) {
  const { wallets, left, savable } = useNewWallets(migrations);
  const inUse = useNode();
  return (
    <Section title={say('New backups')}>
      <div className={layout.row}>
        {inUse && savable.length > 0 && (
          <SaveBackups
            wallets={savable.map(({ name }) => name)}
            node={inUse.address}
            label={say('Save new backups…')}
          />
        )}
        <BackedUp made={wallets.length - left.length} all={wallets.length} />
      </div>
      <NewWallets wallets={wallets} />
    </Section>
  );
}

function isWell({ job }: Row): boolean {
  return job?.state === 'done' && job.proof?.verdict === 'same';
}

interface Row {
  draft: Draft;
  job: Job | null;
}

/** `1 of 3 done, 1 failed`: what is nought is left out. */
export function countsOf(rows: readonly Row[]): string {
  const count = (...states: readonly State[]) => rows.filter((row) => states.includes(stateOf(row))).length;
  const [failed, unknown, notStarted] = [count('failed'), count('unknown'), count('not-started')];
  const interrupted = count('interrupted');
  return listed([
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
  'not-started': 'not-started',
} as const;

function Row({ draft, job, ended }: Row & { ended: boolean }) {
  const { plan, standing } = draft;
  const nameId = useId();
  const state = stateOf({ draft, job });
  const error = standing.state === 'refused' ? standing.error : null;
  const text =
    standing.state === 'not-started'
      ? NOT_BEGUN[standing.why]
      : ((error ?? job?.error)?.message ?? (job && proofHeading(job)));
  return (
    <div className={layout.stack}>
      <div className={layout.row}>
        <span id={nameId} className={`${layout.name} ${layout.grows}`}>
          <WalletName name={plan?.wallet ?? ''} />
        </span>
        {state === 'queued' || state === 'not-started' ? (
          <Tag>{state === 'queued' ? say('Queued') : say('Not started')}</Tag>
        ) : (
          <Tag tone={jobTone({ ...job, state })}>{STATE_WORDS[state]}</Tag>
        )}
        {job && (
          <SmallButton describedBy={nameId} onClick={() => goToJob(job)}>
            {say('Show')}
          </SmallButton>
        )}
        {error && ended && (
          <SmallButton describedBy={nameId} onClick={() => usePlans.getState().begin([draft])}>
            {say('Try again')}
          </SmallButton>
        )}
      </div>
      {text && (
        <Quiet small>
          <SafeText text={text} lines />
        </Quiet>
      )}
      {(state === 'failed' || state === 'unknown') && (
        <Disclosure look="quiet" summary={say('Why')}>
          <div className={layout.stack}>
            {error && <ErrorNotice error={error} quiet />}
            {job && <JobFailure job={job} quiet />}
            {!error && !job && <p>{say('Check the wallet list.')}</p>}
          </div>
        </Disclosure>
      )}
    </div>
  );
}

const NOT_BEGUN = {
  stopped: say('You stopped before this one.'),
  'other-node': say('Connected to another node.'),
} as const;
