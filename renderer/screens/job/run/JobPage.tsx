/** One job, whatever its kind: the Progress page while it runs, the Result page when it has ended. */
import { Button } from '@mantine/core';
import type { Job } from '../../../../shared/model/job.ts';
import { copyTitle } from '../../../../shared/wording/copyWords.ts';
import { walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { jobHeading, PROOF_HEADINGS } from '../../../../shared/wording/jobWords.ts';
import { isPartOnly } from '../../../../shared/wording/rescueWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import layout from '../../../components/layout.module.css';
import { PageHeading } from '../../../components/PageHeading.tsx';
import { NodeLine, Quiet, WalletName } from '../../../components/text/texts.tsx';
import { Waiting } from '../../../components/Waiting.tsx';
import { go, useIsNodeInUse, useNode } from '../../../state/appStore.ts';
import { useJobs } from '../../../state/jobsStore.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { JobOutcome } from '../result/JobOutcome.tsx';
import { SafetyCopyLines } from '../result/SafetyCopyLines.tsx';
import { SaveReport } from '../result/SaveReport.tsx';
import { JobDetails } from './JobDetails.tsx';
import { JobProgress } from './JobProgress.tsx';

export function JobPage({ id }: { id: string }) {
  const job = useJobs(({ jobs }) => jobs.find((one) => one.id === id));
  const listed = useJobs((state) => state.listed);
  if (job) {
    // At its end a new heading takes the focus, so that the result is read from its top.
    return <Shown key={`${id} ${job.state === 'running'}`} job={job} />;
  }
  if (!listed) return <Waiting>{say('Opening…')}</Waiting>;
  return (
    <>
      <PageHeading title={say('No record of this')}>{say('Check the wallet list.')}</PageHeading>
      <Button onClick={() => go({ at: 'wallets' })}>{say('Go to wallets')}</Button>
    </>
  );
}

function Shown({ job }: { job: Job }) {
  const { id, started, state, wallet, node, safetyCopy, resumed, result } = job;
  const running = state === 'running';
  return (
    <>
      <PageHeading title={titleOf(job)}>
        {!running && (
          <>
            <WalletName name={wallet} /> · <NodeLine node={node} />
          </>
        )}
      </PageHeading>
      <div className={layout.page}>
        {resumed && <Quiet>{say('Wallet Ferry was closed in the meantime.')}</Quiet>}
        <JobProgress job={job} />
        {running && job.connection === 'ok' && (
          <Quiet>
            {node.offline
              ? say('You can leave. If you quit, it ends; the wallet stays as it was.')
              : say('You can leave or quit. The node continues; we’ll show the result next time.')}
          </Quiet>
        )}
        <JobOutcome job={job} />
        {safetyCopy && result?.kind !== 'migrate' && (
          <Disclosure summary={copyTitle(safetyCopy.files[0]?.state)}>
            <SafetyCopyLines copy={safetyCopy} />
          </Disclosure>
        )}
        <JobDetails job={job} />
        {!running && (
          <>
            <div className={layout.row}>
              <SaveReport id={id} started={started} />
            </div>
            <WaysOn job={job} />
          </>
        )}
      </div>
    </>
  );
}

/** `Migrating “savings”`, `Everything arrived`, `Not restored`. */
function titleOf({ kind, state, wallet, result, proof }: Job): string {
  const heading = jobHeading({ kind, state });
  if (state === 'running') return say('{doing} “{wallet}”', { doing: heading, wallet: walletLabel(wallet) });
  if (state !== 'done' || (result?.kind !== 'migrate' && result?.kind !== 'restore') || !proof)
    return heading;
  // What was saved arrived, which may not be everything.
  return isPartOnly(result) && proof.verdict !== 'different' ? heading : PROOF_HEADINGS[proof.verdict];
}

/** What can be done next; the button of what is to be done first stands out. */
function WaysOn({ job }: { job: Job }) {
  const { state, result, node } = job;
  const { begin, again } = usePlans.getState();
  const migrates = (useNode()?.release.migrates ?? 'no') !== 'no';
  const here = useIsNodeInUse(node.address);
  const restored = here && result?.kind === 'restore' ? result : null;
  const source = { by: 'wallet', name: restored?.walletName ?? '' } as const;
  // Who has just undone a migration does not want the next one first.
  const next = restored?.walletKind === 'legacy' && migrates && restored.renamedWallets === undefined;
  return (
    <div className={layout.end}>
      {state === 'failed' && (
        <Button variant="default" onClick={() => again(job)}>
          {say('Try again')}
        </Button>
      )}
      {restored && (
        <Button variant="default" onClick={() => begin([{ action: 'backup', source }])}>
          {say('Back up')}
        </Button>
      )}
      <Button variant={next ? 'default' : 'filled'} onClick={() => go({ at: 'wallets' })}>
        {say('Go to wallets')}
      </Button>
      {next && <Button onClick={() => begin([{ action: 'migrate', source }])}>{say('Migrate')}</Button>}
    </div>
  );
}
