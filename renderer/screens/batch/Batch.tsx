/** Several wallets to migrate: before the start, while they run one after another, and what came of them. */
import { Button, Stack } from '@mantine/core';
import { useId } from 'react';
import { questionOf } from '../../../shared/model/plan.ts';
import { counted } from '../../../shared/wording/format/formatNumber.ts';
import { quotedWallet, walletLabel } from '../../../shared/wording/format/names.ts';
import { jobHeading } from '../../../shared/wording/jobWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { backedUpVerdict } from '../../../shared/wording/verdictWords.ts';
import { ActionButton } from '../../components/buttons.tsx';
import { Form } from '../../components/fields.tsx';
import { Notice, PageHeading, Section } from '../../components/parts.tsx';
import { SaveBackups } from '../../components/saving.tsx';
import { go, isNodeLost, useApp, useNode } from '../../state/appStore.ts';
import { useNewWallets } from '../../state/backupsStore.ts';
import { leaveBatch, startBatch, stopAfterThis } from '../../state/batchPlans.ts';
import { currentPlan, type Draft, isBatchRunning, useDrafts, whyNotReady } from '../../state/draftsStore.ts';
import { useJobs } from '../../state/jobsStore.ts';
import { GotWorse } from '../wallet/action/ActionCard.tsx';
import { BackedUp, NewWalletList } from '../wallet/job/NewBackups.tsx';
import { Spend } from '../wallet/job/NextSteps.tsx';
import { RunCard } from '../wallet/job/RunCard.tsx';
import styles from './Batch.module.css';
import { BatchTable, countsOf, isWell, type Phase } from './BatchTable.tsx';

export function Batch() {
  const all = useDrafts((state) => state.drafts);
  const jobs = useJobs((state) => state.jobs);
  const isOpen = useDrafts(({ batch }) => batch !== 'running');
  /** A job is left to start. The last one may still be running. */
  const isStarting = useDrafts(isBatchRunning);
  const rows = all
    .filter(({ batch, runState }) => batch && (isOpen || runState.state !== 'open'))
    .map((draft) => {
      const { runState } = draft;
      const job = jobs.find(({ id }) => runState.state === 'started' && id === runState.jobId) ?? null;
      return { draft, job };
    });
  const drafts = rows.map(({ draft }) => draft);
  const running = rows.find(({ job }) => job?.state === 'running')?.job ?? null;
  const phase = isOpen ? 'open' : isStarting || running ? 'running' : 'ended';

  function submit() {
    if (blockOf(drafts) === null) void startBatch();
  }

  const migrations = rows.flatMap(({ job }) =>
    job?.state === 'done' && job.result?.kind === 'migrate' ? [job] : [],
  );
  const [first] = migrations;
  const { wallets, left, savable, isBackedUp } = useNewWallets(migrations);
  const inUse = useNode();
  // What blocks the wallets changes when the node is lost or returns.
  useApp(isNodeLost);
  if (rows.length === 0) return null;
  return (
    // Not a grid, in which its foot would not stay in sight.
    <Stack
      component={Form}
      className={styles.form}
      onSubmit={submit}
      aria-busy={drafts.some(({ isPlanning }) => isPlanning)}
      aria-label={say('Several wallets')}
    >
      {phase === 'open' ? (
        <PageHeading title={startLabel(drafts)}>
          {drafts.map(currentPlan).every((plan) => plan && !questionOf(plan, 'own-copy')) && (
            <p>{say('Each wallet is copied first.')}</p>
          )}
          <p>{say('If one fails, the rest go on.')}</p>
        </PageHeading>
      ) : (
        // At the end the new heading takes the focus, so that the result is read from its top.
        <PageHeading key={phase} title={counted.wallets(rows.length)}>
          {phase === 'running' && <span role="status">{countsOf(rows)}</span>}
        </PageHeading>
      )}
      {phase === 'ended' && (
        <Notice
          tone={rows.every(isWell) ? 'good' : 'read'}
          title={<span role="status">{countsOf(rows)}</span>}
        >
          {wallets.length > 0 && (
            <>
              <p>{isBackedUp ? backedUpVerdict(isBackedUp).text : say('One step left: save a backup.')}</p>
              <div className="row">
                {inUse && savable.length > 0 && (
                  <SaveBackups
                    wallets={savable.map(({ name }) => name)}
                    node={inUse}
                    label={say('Save new backups…')}
                  />
                )}
                <BackedUp count={wallets.length - left.length} all={wallets.length} />
              </div>
            </>
          )}
        </Notice>
      )}
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
      <BatchTable key="wallets" rows={rows} phase={phase} />
      {drafts.some(({ worse, runState }) => worse && runState.state === 'open') && <GotWorse />}
      {phase === 'ended' && first && (
        <>
          <Section title={say('New wallets')}>
            <NewWalletList wallets={wallets} />
          </Section>
          <Section title={say('See and spend')}>
            <Spend node={first.node} names={[]} />
          </Section>
        </>
      )}
      <Foot drafts={drafts} phase={phase} />
    </Stack>
  );
}

function startLabel(drafts: readonly Draft[]): string {
  return say('Migrate {wallets}', {
    wallets: counted.wallets(drafts.filter(({ isIncluded }) => isIncluded).length),
  });
}

function Foot({ drafts, phase }: { drafts: readonly Draft[]; phase: Phase }) {
  const block = phase === 'open' ? blockOf(drafts) : null;
  const blockId = useId();
  function leave() {
    leaveBatch();
    go({ at: 'wallets' });
  }
  return (
    <footer className={`row ${styles.foot}`}>
      {phase === 'open' && (
        <>
          <ActionButton type="submit" blocked={block !== null} describedBy={blockId}>
            {startLabel(drafts)}
          </ActionButton>
          <Button variant="default" onClick={leave}>
            {say('Cancel')}
          </Button>
        </>
      )}
      {phase === 'running' && (
        <ActionButton variant="default" blocked={!drafts.some(isQueued)} onClick={stopAfterThis}>
          {say('Stop after this one')}
        </ActionButton>
      )}
      {phase === 'ended' && (
        <Button variant="default" onClick={leave}>
          {say('Go to wallets')}
        </Button>
      )}
      <p id={blockId} role="status" className="small grows">
        {block}
      </p>
    </footer>
  );
}

const isQueued = ({ runState }: Draft) => runState.state === 'waiting';

/** Why they cannot be run yet, in a sentence; null where they can. */
function blockOf(drafts: readonly Draft[]): string | null {
  const included = drafts.filter(({ isIncluded }) => isIncluded);
  if (included.length === 0) return say('Choose a wallet.');
  for (const draft of included) {
    const stop = whyNotReady(draft);
    if (stop !== null)
      return draft.plan === null || drafts.length === 1
        ? stop
        : `${quotedWallet(draft.plan.wallet)}: ${stop}`;
  }
  return null;
}
