/** What came of a job, whatever its kind: its result, its error, or what is known when nobody can tell. */
import type { Job, JobResult } from '../../../../shared/model/job.ts';
import { formatBitcoin } from '../../../../shared/model/money.ts';
import { walletBalance } from '../../../../shared/wording/balanceWords.ts';
import { formatCount } from '../../../../shared/wording/format/counted.ts';
import { SET_ASIDE } from '../../../../shared/wording/interruptionWords.ts';
import { STILL_LOADED } from '../../../../shared/wording/jobLines.ts';
import { BACKUP_AFTER } from '../../../../shared/wording/jobWords.ts';
import { blocksLookedAt, newTransactions } from '../../../../shared/wording/rescanWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { FactList } from '../../../components/list/FactList.tsx';
import { NodeWarnings } from '../../../components/NodeWarnings.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Section } from '../../../components/Section.tsx';
import { Say, Term, WalletName } from '../../../components/text/texts.tsx';
import { PathLine } from '../PathLine.tsx';
import { BackupFile } from './BackupFile.tsx';
import { JobFailure } from './JobFailure.tsx';
import { MigrationOutcome } from './MigrationOutcome.tsx';
import { MovedWallets } from './MovedWallets.tsx';
import { ProofView } from './ProofView.tsx';
import { NoPayments, RescanEverything } from './RescanEverything.tsx';
import { Rescued } from './Rescued.tsx';
import { Spend } from './Spend.tsx';

/** Renders nothing while it runs. */
export function JobOutcome({ job }: { job: Job }) {
  const { state, result, warnings, node } = job;
  if (state === 'running') return null;
  if (state !== 'done' || result === null) return <JobFailure job={job} />;
  return (
    <>
      {result.kind === 'restore' && <Restored job={job} result={result} />}
      {result.kind === 'migrate' && <MigrationOutcome job={job} result={result} />}
      {result.kind === 'rescan' && <Rescanned node={node} result={result} />}
      {result.kind === 'backup' && (
        <>
          <BackupFile proof={result.proof} />
          {result.leftLoaded && <p>{STILL_LOADED}</p>}
          <Section title={say('What now')}>
            <FactList facts={[{ label: say('Keep'), value: say('A second copy in another place.') }]} />
          </Section>
        </>
      )}
      <NodeWarnings warnings={warnings} offline={node.offline} />
    </>
  );
}

interface RestoredProps {
  job: Job;
  result: Extract<JobResult, { kind: 'restore' }>;
}

/** A wallet that was restored, be it that of an undone migration. */
function Restored({ job: { node, proof }, result }: RestoredProps) {
  const {
    walletKind,
    walletName,
    backupFile,
    backupAfter,
    rescue,
    renamedWallets,
    movedWallets,
    since,
    transactions,
  } = result;
  return (
    <>
      <FactList
        facts={[
          { label: say('Wallet'), value: <WalletName name={walletName} /> },
          { label: say('Kind'), value: KINDS[walletKind] },
          { label: say('Balance'), value: walletBalance(result.balance, node.network, node.offline) },
        ]}
      />
      {since !== undefined && transactions === 0 && (
        <NoPayments node={node} wallet={walletName} since={since} />
      )}
      {rescue && <Rescued facts={rescue} />}
      {proof && <ProofView proof={proof} network={node.network} />}
      {backupAfter && (
        <Notice tone="read" title={BACKUP_AFTER[backupAfter]}>
          <p>
            {say(
              'A different wallet may have been restored. Compare balance and addresses before you use it. Find out who can write to the file.',
            )}
          </p>
        </Notice>
      )}
      <Section title={say('What now')}>
        <FactList
          facts={[
            walletKind === 'legacy' && renamedWallets === undefined
              ? { label: say('Next'), value: say('Migrate it: releases from 30 on cannot load it.') }
              : walletKind === 'descriptor' && {
                  label: say('See and spend'),
                  value: <Spend node={node} names={[walletName]} />,
                },
            renamedWallets !== undefined &&
              renamedWallets.length > 0 && {
                label: SET_ASIDE,
                value: renamedWallets.map(({ name, newName }) => (
                  <p key={name}>
                    <Say
                      text="{before} is now {now}."
                      values={{ before: <WalletName name={name} />, now: <WalletName name={newName} /> }}
                    />
                  </p>
                )),
              },
            movedWallets !== undefined &&
              movedWallets.length > 0 && {
                label: SET_ASIDE,
                value: <MovedWallets wallets={movedWallets} />,
              },
            since !== undefined &&
              transactions !== 0 && {
                label: say('Payments missing?'),
                value: <RescanEverything node={node} wallet={walletName} since={since} />,
              },
            {
              label: say('Keep'),
              value:
                backupFile === undefined ? (
                  say('The backup.')
                ) : (
                  <PathLine label={say('The backup')} path={backupFile} here={false} />
                ),
            },
          ]}
        />
      </Section>
    </>
  );
}

interface RescannedProps {
  node: Job['node'];
  result: Extract<JobResult, { kind: 'rescan' }>;
}

/** What a look through the blocks found. */
function Rescanned({ node, result }: RescannedProps) {
  const { walletName, before, after } = result;
  const found = newTransactions(result);
  return (
    <FactList
      facts={[
        { label: say('Wallet'), value: <WalletName name={walletName} /> },
        { label: say('Scanned'), value: blocksLookedAt(result) },
        before && { label: say('Balance before'), value: formatBitcoin(before.balance, node.network) },
        {
          label: say('Balance'),
          value: walletBalance(after?.balance ?? null, node.network, node.offline),
        },
        found !== null && { label: say('New transactions'), value: formatCount(found) },
      ]}
    />
  );
}

const KINDS = {
  descriptor: say('Descriptor wallet'),
  legacy: <Term word="legacy wallet">{say('Legacy wallet')}</Term>,
  unknown: say('Not known'),
} as const;
