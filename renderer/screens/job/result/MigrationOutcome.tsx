/** What came of a migration: the proof, the new wallets with their backups, and what to do now. */

import { AppError } from '../../../../shared/model/errors.ts';
import type { Job, MigrationResult } from '../../../../shared/model/job.ts';
import type { Proof } from '../../../../shared/model/safety.ts';
import { isSafe } from '../../../../shared/wording/copyWords.ts';
import { SET_ASIDE } from '../../../../shared/wording/interruptionWords.ts';
import { migratedWallets } from '../../../../shared/wording/migratedWallets.ts';
import { isPartOnly } from '../../../../shared/wording/rescueWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { ErrorNotice } from '../../../components/ErrorNotice.tsx';
import { ActionButton } from '../../../components/input/ActionButton.tsx';
import layout from '../../../components/layout.module.css';
import { FactList } from '../../../components/list/FactList.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Panes } from '../../../components/Panes.tsx';
import { Section } from '../../../components/Section.tsx';
import { Say, Term, WalletName } from '../../../components/text/texts.tsx';
import { useIsNodeInUse } from '../../../state/appStore.ts';
import { useJobs } from '../../../state/jobsStore.ts';
import { useAsking } from '../../../state/useAsking.ts';
import { useWallets } from '../../../state/walletsStore.ts';
import { PathLine } from '../PathLine.tsx';
import { MovedWallets } from './MovedWallets.tsx';
import { NewWallets } from './NewWallets.tsx';
import { ProofView } from './ProofView.tsx';
import { NoPayments, RescanEverything } from './RescanEverything.tsx';
import { Rescued } from './Rescued.tsx';
import { SafetyCopyLines } from './SafetyCopyLines.tsx';
import { Spend } from './Spend.tsx';
import { Undo } from './Undo.tsx';
import { undoneBy } from './undoneBy.ts';

interface MigrationOutcomeProps {
  job: Job;
  result: MigrationResult;
}

export function MigrationOutcome({ job, result }: MigrationOutcomeProps) {
  const { wallet, node, proof } = job;
  const { since, transactions } = result;
  const jobs = useJobs((state) => state.jobs);
  const undone = undoneBy(jobs, job, result);
  return (
    <>
      {result.walletName !== wallet && wallet !== '' && (
        <p>
          <Say
            text="{before} is now {now}."
            values={{
              before: <WalletName name={wallet} />,
              now: <WalletName name={result.walletName} />,
            }}
          />
        </p>
      )}
      {result.rescue && <Rescued facts={result.rescue} />}
      <Panes
        first={
          <>
            {proof ? (
              <ProofView proof={proof} network={node.network} />
            ) : (
              <Notice tone="read" title={say('Nothing was compared')}>
                <p>{say('Check balances and addresses. Keep the old wallet’s backup.')}</p>
              </Notice>
            )}
            {!undone && since !== undefined && transactions === 0 && (
              <NoPayments node={node} wallet={result.walletName} since={since} />
            )}
            {result.leftUnloaded && !undone && <LeftUnloaded node={node} names={namesOf(job, result)} />}
            {/* Under their names there are others now. */}
            {!undone && <NewWallets migrations={[job]} />}
          </>
        }
        second={<WhatNow job={job} result={result} undone={undone} />}
      />
    </>
  );
}

interface WhatNowProps extends MigrationOutcomeProps {
  undone: ReturnType<typeof undoneBy>;
}

function WhatNow({ job, result, undone }: WhatNowProps) {
  const undo = copyToRestore(job, result);
  const backupPath = undone ? movedTo(undone.backupFile, result.backupPath) : result.backupPath;
  return (
    <Section title={say('What now')}>
      <FactList
        facts={[
          !undone && {
            label: say('See and spend'),
            value: <Spend node={job.node} names={namesOf(job, result)} />,
          },
          !undone &&
            result.since !== undefined &&
            result.transactions !== 0 && {
              label: say('Payments missing?'),
              value: <RescanEverything node={job.node} wallet={result.walletName} since={result.since} />,
            },
          { label: say('Keep'), value: <Keep job={job} result={{ ...result, backupPath }} /> },
          result.movedWallets !== undefined &&
            result.movedWallets.length > 0 && {
              label: SET_ASIDE,
              value: <MovedWallets wallets={result.movedWallets} />,
            },
          !undone && {
            label: say('Safe to delete'),
            value: MAY_GO[isPartOnly(result) ? 'different' : (job.proof?.verdict ?? 'partly')],
          },
          undone
            ? { label: say('Undo'), value: say('Done: the old name is back.') }
            : undo !== null && {
                label: say('Undo'),
                value: <Undo job={job} result={result} path={undo} />,
              },
        ]}
      />
    </Section>
  );
}

function namesOf({ wallet }: Job, result: MigrationResult): string[] {
  return migratedWallets(result, wallet).map(({ name }) => name);
}

/** A backup in the folder of a wallet that was renamed went along with it. */
function movedTo(now: string | undefined, before: string | null): string | null {
  return before !== null && now?.endsWith('.legacy.bak') ? now : before;
}

/** Nothing goes before everything is known to have arrived. */
const MAY_GO: Readonly<Record<Proof['verdict'], string>> = {
  same: say('Older backups, once the new ones are safe.'),
  partly: say('Nothing yet: not everything was compared.'),
  different: say('Nothing: the old wallet may hold more.'),
};

/** The node's backup; where the app does not find that, or its path is not known, the app's own copy of the same file. */
function copyToRestore({ safetyCopy }: Job, { backupPath, backupSeen }: MigrationResult): string | null {
  if (backupPath !== null && backupSeen !== false) return backupPath;
  const own = safetyCopy && isSafe(safetyCopy) ? safetyCopy.files[0] : undefined;
  // What has no hash lies on the node's machine, where the app never saw it.
  return own === undefined || own.sha256 === null ? null : own.path;
}

/** The copies of the old wallet. What is not as it should be stands in the open. */
function Keep({ job: { safetyCopy, node }, result: { backupPath, backupSeen } }: MigrationOutcomeProps) {
  // Who has no node would look for one.
  const backup = node.offline ? say('The old wallet’s backup') : say('The node’s backup');
  return (
    <div className={layout.stack}>
      <p>
        {safetyCopy && isSafe(safetyCopy) ? (
          <Say
            text="{backup} and the {copy}."
            values={{ backup, copy: <Term word="safety copy">{say('safety copy')}</Term> }}
          />
        ) : (
          say('{backup}. There is no safety copy.', { backup })
        )}
      </p>
      {backupPath === null && (
        <Notice tone="read" title={say('Node’s backup: path not known')}>
          <p>{say('Look for a .legacy.bak file in the wallet’s folder or next to it.')}</p>
        </Notice>
      )}
      {backupSeen === false && (
        <Notice tone="read" title={say('Node’s backup not found')}>
          <p>{say('Find it before you rely on it.')}</p>
        </Notice>
      )}
      {(backupPath !== null || safetyCopy) && (
        <Disclosure look="quiet" summary={say('Where they are')}>
          <div className={layout.stack}>
            {backupPath !== null && (
              <PathLine
                label={backup}
                path={backupPath}
                here={backupSeen === true}
                note={backupSeen === null ? say('On the node’s machine, not seen by the app.') : null}
              />
            )}
            {safetyCopy && <SafetyCopyLines copy={safetyCopy} />}
          </div>
        </Disclosure>
      )}
    </div>
  );
}

/** The node was stopped before it loaded the wallets again. */
function LeftUnloaded({ node, names }: { node: Job['node']; names: readonly string[] }) {
  const here = useIsNodeInUse(node.address);
  const wallets = useWallets((state) => state.wallets);
  const change = useWallets((state) => state.change);
  const { busy, error, ask } = useAsking();
  const isLoaded = (name: string) => here && wallets?.some((one) => one.name === name && one.loaded) === true;
  const left = names.filter((name) => !isLoaded(name));
  if (left.length === 0) return null;

  async function loadAll() {
    await ask(async () => {
      for (const name of left) {
        const outcome = await change('load', name);
        if ('error' in outcome) throw AppError.fromShape(outcome.error);
      }
    });
  }

  return (
    <>
      <Notice tone="read" title={say('Not loaded')}>
        <p>{say('Load it to see the balance and back up.')}</p>
        {here && (
          <ActionButton variant="default" busy={busy} onClick={() => void loadAll()}>
            {say('Load')}
          </ActionButton>
        )}
      </Notice>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
