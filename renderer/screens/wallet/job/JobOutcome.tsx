/** The outcome of a job: its proof and the next steps, or what happened and what is safe. */
import { AppError } from '../../../../shared/model/errors.ts';
import {
  canCompareAgain,
  comparisonError,
  endOf,
  isLeftUnloaded,
  type Job,
  lacksProof,
  type NewWalletResult,
  newWalletResult,
  type RestoreResult,
} from '../../../../shared/model/job.ts';
import { isUndone } from '../../../../shared/model/journey.ts';
import type { RescueFacts } from '../../../../shared/model/safety.ts';
import { createdWallets } from '../../../../shared/model/walletBackups.ts';
import { formatDay } from '../../../../shared/wording/format/formatTime.ts';
import { isWholeCopy } from '../../../../shared/wording/interruptionWords.ts';
import {
  BACKUP_AFTER,
  COPY_ELSEWHERE,
  MAY_BE_ANOTHER,
  STILL_LOADED,
} from '../../../../shared/wording/jobWords.ts';
import { rescanRows, syncingThenText } from '../../../../shared/wording/journeyWords.ts';
import { rescanWords, rescueRows } from '../../../../shared/wording/rescueWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, AskingButton, CopyText, SmallButton } from '../../../components/buttons.tsx';
import { type Fact, FactList, NodeWarnings } from '../../../components/lists.tsx';
import { Card, Notice, Section } from '../../../components/parts.tsx';
import { Paragraph, Quiet, SafeText, Say, WalletName } from '../../../components/texts.tsx';
import { isNodeCurrent, useApp, useIsNodeInUse, useNode } from '../../../state/appStore.ts';
import type { NewWallets } from '../../../state/backupsStore.ts';
import { bridge } from '../../../state/bridge.ts';
import { chooseWalletsFolder } from '../../../state/filePicker.ts';
import { goToJob, useJobs } from '../../../state/jobsStore.ts';
import { plans } from '../../../state/plansStore.ts';
import { JobFailure } from './JobFailure.tsx';
import { IsNow } from './KeepOld.tsx';
import { BackupHash, BackupRights } from './NewBackups.tsx';
import { NextSteps, useUnloaded } from './NextSteps.tsx';
import { ProofCard } from './ProofCard.tsx';

/** Renders nothing while the job runs. */
export function JobOutcome({ job, newWallets }: { job: Job; newWallets: NewWallets }) {
  const { state, result, warnings, node, resumed } = job;
  if (state === 'running') return null;
  if (state !== 'done' || result === null)
    return (
      <JobFailure job={job}>
        {state === 'failed' && (
          <ActionButton onClick={() => plans.retry(job)}>{say('Try again')}</ActionButton>
        )}
      </JobFailure>
    );
  const created = newWalletResult(result);
  return (
    <>
      {resumed && <Quiet>{say('Finished while the app was closed.')}</Quiet>}
      {created && <NewWalletsOutcome job={job} result={created} newWallets={newWallets} />}
      {result.kind === 'rescan' && (
        <FactList
          facts={rescanRows(result, node).map(([label, value]) => [
            label,
            <SafeText key={label} text={value} />,
          ])}
        />
      )}
      {result.kind === 'backup' && (
        <Card label={say('New backup')}>
          <BackupHash proof={result.proof} startsOpen />
          <BackupRights backups={[job]} />
          {result.leftLoaded && <p>{STILL_LOADED}</p>}
          <Quiet>{COPY_ELSEWHERE}</Quiet>
        </Card>
      )}
      <NodeWarnings warnings={warnings} offline={node.offline} />
    </>
  );
}

interface NewWalletsOutcomeProps {
  job: Job;
  result: NewWalletResult;
  newWallets: NewWallets;
}

function NewWalletsOutcome({ job, result, newWallets }: NewWalletsOutcomeProps) {
  const { wallet, node, proof } = job;
  const notCompared = comparisonError(job);
  const here = useIsNodeInUse(node);
  const isSynced = useApp(isNodeCurrent) && here;
  return (
    <>
      {result.walletName !== wallet && wallet !== '' && !isUndone(result) && (
        <p>
          <IsNow before={wallet} now={result.walletName} />
        </p>
      )}
      {result.kind === 'restore' && <AfterRestore job={job} result={result} />}
      {result.syncing && !isSynced && <Notice tone="info" title={syncingThenText(result.syncing)} />}
      {result.rescue && <Rescued facts={result.rescue} />}
      {proof === null && (lacksProof(job) || notCompared) && (
        <Notice tone="read" title={say('Nothing was compared')}>
          <NotCompared job={job} />
        </Notice>
      )}
      {proof && (
        <ProofCard
          proof={proof}
          network={node.network}
          rescue={result.rescue}
          hasCopy={
            result.kind === 'restore'
              ? result.backupAfter === undefined
              : job.safetyCopy !== null && isWholeCopy(job.safetyCopy)
          }
        >
          {notCompared && <NotCompared job={job} />}
        </ProofCard>
      )}
      <NextSteps job={job} result={result} newWallets={newWallets} />
    </>
  );
}

function NotCompared({ job }: { job: Job }) {
  const { id, node } = job;
  const here = useIsNodeInUse(node);
  const error = comparisonError(job);
  const names = isLeftUnloaded(job) ? createdWallets(job.result) : [];
  // The page offers to load them.
  const isLeft = useUnloaded({ node, names }).length > 0;
  const { local = false, walletsFolder = null } = useNode() ?? {};
  const lacksFolder = local && walletsFolder === null && error?.code === 'not_available_here';
  async function tryAgain() {
    if (lacksFolder && !(await chooseWalletsFolder())) return;
    await bridge.call('jobs.resolve', { id });
    const now = useJobs.getState().jobs.find((one) => one.id === id);
    const again = now && comparisonError(now);
    if (again) throw AppError.fromShape(again);
  }
  return (
    <>
      {error && !isLeft && <Paragraph text={error.message} />}
      <p>{say('Check balances and addresses. Keep the old backup.')}</p>
      {here && !isLeft && canCompareAgain(job) && (
        <AskingButton needsNode call={tryAgain}>
          {lacksFolder ? say('Choose the folder…') : say('Try again')}
        </AskingButton>
      )}
    </>
  );
}

/** The notes of a restore without a migration, and the migration as its next step. */
function AfterRestore({ job: { node, proof }, result }: { job: Job; result: RestoreResult }) {
  const { walletKind, walletName, backupAfter, renamedWallets } = result;
  const here = useIsNodeInUse(node);
  const migrates = (useNode()?.release.migrates ?? 'no') !== 'no';
  const source = { by: 'wallet', name: walletName } as const;
  return (
    <>
      {backupAfter && proof?.verdict !== 'same' && (
        <Notice tone="read" title={BACKUP_AFTER[backupAfter]}>
          <p>{MAY_BE_ANOTHER}</p>
        </Notice>
      )}
      {/* After an undo, nobody wants the next migration at once. */}
      {walletKind === 'legacy' && renamedWallets === undefined && here && migrates && (
        <Card label={say('Migrate')}>
          <p>{say('Bitcoin Core 30 and later cannot open it until it is migrated.')}</p>
          <ActionButton onClick={() => plans.begin([{ action: 'migrate', source }])}>
            {say('Migrate')}
          </ActionButton>
        </Card>
      )}
    </>
  );
}

function Rescued({ facts }: { facts: RescueFacts }) {
  const rescan = rescanWords(facts);
  const rows = rescueRows(facts).map(
    ([label, value]): Fact => [
      label,
      value === facts.excludedFile ? <CopyText key={label} text={value} /> : value,
    ],
  );
  return (
    <Section title={say('Rescued')}>
      <FactList facts={rows} />
      {rescan && <p>{rescan}</p>}
    </Section>
  );
}

/** What an earlier job made of the file. */
export function EarlierJob({ job }: { job: Job }) {
  const { result, wallet, started } = job;
  return (
    <Notice
      tone="info"
      title={result?.kind === 'migrate' ? say('Already migrated') : say('Already restored')}
    >
      <p>
        <Say
          text="It became “{wallet}” on {day}."
          values={{
            wallet: <WalletName name={result?.walletName ?? wallet} />,
            day: formatDay(endOf(job) ?? started),
          }}
        />
      </p>
      <SmallButton variant="filled" onClick={() => goToJob(job)}>
        {say('See the new wallet')}
      </SmallButton>
    </Notice>
  );
}
