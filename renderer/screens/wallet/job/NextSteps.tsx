/** After a job: save a backup, see and spend the coins, keep the old file. */
import { Tabs } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { AppError } from '../../../../shared/model/errors.ts';
import type { Job, JobResult, MigrationResult } from '../../../../shared/model/job.ts';
import type { Proof } from '../../../../shared/model/safety.ts';
import { isSafe } from '../../../../shared/wording/copyWords.ts';
import { SET_ASIDE } from '../../../../shared/wording/interruptionWords.ts';
import { isPartOnly } from '../../../../shared/wording/rescueWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../../components/buttons.tsx';
import card from '../../../components/card.module.css';
import layout from '../../../components/layout.module.css';
import { ErrorNotice, Notice } from '../../../components/notices.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { MovedWallets, PathLine, SafetyCopyLines } from '../../../components/paths.tsx';
import { SaveBackups } from '../../../components/SaveBackups.tsx';
import { SaveReport } from '../../../components/SaveReport.tsx';
import { Quiet, SafeText, Say, Term, WalletName } from '../../../components/texts.tsx';
import { go, useIsNodeInUse, useNode } from '../../../state/appStore.ts';
import { useAsking } from '../../../state/useAsking.ts';
import { useWallets } from '../../../state/walletsStore.ts';
import type { undoneBy } from './KeepOld.tsx';
import { Undo } from './KeepOld.tsx';
import { type NewWallet, NewWallets, type useNewWallets } from './NewBackups.tsx';
import styles from './NextSteps.module.css';
import { NoPayments, RescanEverything } from './RescanEverything.tsx';

interface NextStepsProps {
  job: Job;
  result: Extract<JobResult, { kind: 'migrate' | 'restore' }>;
  made: ReturnType<typeof useNewWallets>;
  /** The restore that undid this migration, or null. */
  undone: ReturnType<typeof undoneBy>;
}

export function NextSteps({ job, result, made, undone }: NextStepsProps) {
  const { wallets, left, savable, elsewhere } = made;
  const inUse = useNode();
  const { node, id, started } = job;
  const names = wallets.map(({ name }) => name);
  const { since, transactions } = result;
  return (
    <>
      {!undone && since !== undefined && transactions === 0 && (
        <NoPayments node={node} wallet={result.walletName} since={since} />
      )}
      {!undone && result.leftUnloaded && <LeftUnloaded node={node} names={names} />}
      <section className={`${layout.card} ${card.card}`} aria-label={say('Next')}>
        <ol className={styles.steps}>
          {!undone && (
            <Step
              isDone={left.length === 0}
              title={say(
                'Save a backup of {count, plural, one {this wallet} =2 {both wallets} other {all # wallets}}',
                {
                  count: wallets.length,
                },
              )}
              button={
                inUse &&
                savable.length > 0 && (
                  <SaveBackups
                    wallets={savable.map(({ name }) => name)}
                    node={inUse.address}
                    label={say('Save a backup…')}
                    // A restored legacy wallet is migrated first.
                    {...(result.kind === 'restore' && result.walletKind === 'legacy'
                      ? { variant: 'default' }
                      : {})}
                  />
                )
              }
            >
              {left.length > 0 && result.kind === 'migrate' && (
                <Quiet small>
                  <Say
                    text="Your old {backups} don’t contain the new keys."
                    values={{ backups: <Term word="backup">{say('backups')}</Term> }}
                  />
                </Quiet>
              )}
              <span role="status" className={`${layout.small} ${layout.numbers}`}>
                {wallets.length > 1 &&
                  say('{made, number} of {all, number} backed up', {
                    made: wallets.length - left.length,
                    all: wallets.length,
                  })}
              </span>
              {elsewhere && left.length > 0 && <Elsewhere wallet={elsewhere} />}
              <NewWallets wallets={wallets} />
            </Step>
          )}
          {!undone && (
            <Step title={say('See and spend')}>
              <Spend node={node} names={names} />
              {since !== undefined && transactions !== 0 && (
                <Disclosure look="quiet" summary={say('Payments missing?')}>
                  <RescanEverything node={node} wallet={result.walletName} since={since} />
                </Disclosure>
              )}
            </Step>
          )}
          <Step isDone title={say('Keep the old file')}>
            <Keep job={job} result={result} undone={undone} />
          </Step>
        </ol>
        <div className={layout.row}>
          <SaveReport id={id} started={started} />
        </div>
      </section>
    </>
  );
}

interface StepProps {
  /** Absent for a step that is never ticked off. */
  isDone?: boolean;
  title: string;
  button?: ReactNode;
  children: ReactNode;
}

function Step({ isDone = false, title, button, children }: StepProps) {
  const id = useId();
  return (
    <li className={styles.step} aria-labelledby={id} data-done={isDone || undefined}>
      <span className={styles.tick} aria-hidden>
        {isDone && <IconCheck size={13} stroke={3} />}
      </span>
      <div className={layout.stack}>
        <div className={layout.ends}>
          <h2 id={id} className={layout.name}>
            {title}
            {isDone && <span className={styles.spoken}>: {say('done')}</span>}
          </h2>
          {button && <div className={layout.row}>{button}</div>}
        </div>
        {children}
      </div>
    </li>
  );
}

function Elsewhere({ wallet: { node } }: { wallet: NewWallet }) {
  const { label, address } = node;
  return (
    <Notice tone="read" title={say('On another node')}>
      <p>
        <Say
          text="Connect to {node} to back them up."
          values={{
            node: (
              <strong>
                <SafeText text={`${label} (${address.host}:${address.port})`} />
              </strong>
            ),
          }}
        />
      </p>
    </Notice>
  );
}

interface SpendProps {
  node: Job['node'];
  /** Empty for a batch. */
  names: readonly string[];
}

/** How each program gets the coins; only ways that were tried with it. */
export function Spend({ node, names }: SpendProps) {
  const here = useIsNodeInUse(node.address);
  const [first] = names;
  const toExport = here && first !== undefined && (
    <div className={layout.row}>
      <SmallButton onClick={() => go({ at: 'wallet', source: { by: 'wallet', name: first }, tab: 'export' })}>
        {say('Export private keys…')}
      </SmallButton>
    </div>
  );
  return (
    <Tabs defaultValue="core" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="core">{say('Bitcoin Core')}</Tabs.Tab>
        <Tabs.Tab value="sparrow">{say('Sparrow')}</Tabs.Tab>
        <Tabs.Tab value="electrum">{say('Electrum')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="core" className={styles.panel}>
        <p>
          {node.offline ? (
            say('File > Restore Wallet, with the new backup.')
          ) : names.length === 1 && first !== undefined ? (
            <Say text="File > Open Wallet > {wallet}." values={{ wallet: <WalletName name={first} /> }} />
          ) : (
            say('File > Open Wallet.')
          )}
        </p>
      </Tabs.Panel>
      <Tabs.Panel value="sparrow" className={styles.panel}>
        <p>{say('Sparrow sweeps private keys: Tools > Sweep Private Key, one at a time.')}</p>
        {toExport}
      </Tabs.Panel>
      <Tabs.Panel value="electrum" className={styles.panel}>
        <p>{say('Electrum imports private keys: New wallet > Import Bitcoin addresses or private keys.')}</p>
        {toExport}
      </Tabs.Panel>
    </Tabs>
  );
}

/** The copies of the old wallet, what may be deleted, and the way back. */
function Keep({ job, result, undone }: Pick<NextStepsProps, 'job' | 'result' | 'undone'>) {
  if (result.kind === 'restore') return <KeepBackup result={result} />;
  const path = undone ? movedTo(undone.backupFile, result.backupPath) : result.backupPath;
  const undo = copyToRestore(job, result);
  return (
    <>
      <p>
        <CopiesText job={job} result={result} />
      </p>
      <CopyWarnings result={result} />
      {result.movedWallets !== undefined && result.movedWallets.length > 0 && (
        <>
          <p>{SET_ASIDE}:</p>
          <MovedWallets wallets={result.movedWallets} />
        </>
      )}
      <Disclosure look="quiet" summary={say('Where they are')}>
        <div className={layout.stack}>
          <Copies job={job} result={{ ...result, backupPath: path }} />
          {!undone && (
            <Quiet small>
              {say('Safe to delete:')}{' '}
              {MAY_GO[isPartOnly(result) ? 'different' : (job.proof?.verdict ?? 'partly')]}
            </Quiet>
          )}
        </div>
      </Disclosure>
      {undone ? (
        <p>{say('The migration was undone: the old name is back.')}</p>
      ) : (
        undo !== null && (
          <Disclosure look="quiet" summary={say('Undo the migration')}>
            <Undo job={job} result={result} path={undo} />
          </Disclosure>
        )
      )}
    </>
  );
}

function CopiesText({ job: { safetyCopy, node }, result }: { job: Job; result: MigrationResult }) {
  const hasCopy = safetyCopy !== null && isSafe(safetyCopy);
  const copy = <Term word="safety copy">{say('safety copy')}</Term>;
  if (result.backupPath === null) {
    return hasCopy ? <Say text="The {copy}." values={{ copy }} /> : say('There is no copy by this app.');
  }
  // Without a node, nobody would know which node is meant.
  const backup = node.offline ? say('The old wallet’s backup') : say('The node’s backup');
  return hasCopy ? (
    <Say text="{backup} and the {copy}." values={{ backup, copy }} />
  ) : (
    say('{backup}. There is no safety copy.', { backup })
  );
}

/** A backup in the folder of a wallet that was renamed went along with it. */
function movedTo(now: string | undefined, before: string | null): string | null {
  return before !== null && now?.endsWith('.legacy.bak') ? now : before;
}

/** Nothing goes before everything is known to have arrived. */
const MAY_GO: Readonly<Record<Proof['verdict'], string>> = {
  same: say('older backups, once the new ones are safe.'),
  partly: say('nothing yet, because not everything was compared.'),
  different: say('nothing. The old wallet may hold more.'),
};

/** The node's backup, or if the app does not see that, its own copy of the same file. */
function copyToRestore({ safetyCopy }: Job, { backupPath, backupSeen }: MigrationResult): string | null {
  if (backupPath !== null && backupSeen !== false) return backupPath;
  const own = safetyCopy && isSafe(safetyCopy) ? safetyCopy.files[0] : undefined;
  // A copy without a hash lies on the node's machine.
  return own === undefined || own.sha256 === null ? null : own.path;
}

function CopyWarnings({ result: { backupPath, backupSeen } }: { result: MigrationResult }) {
  return (
    <>
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
    </>
  );
}

function Copies({ job: { safetyCopy, node }, result }: { job: Job; result: MigrationResult }) {
  const { backupPath, backupSeen } = result;
  return (
    <>
      {backupPath !== null && (
        <PathLine
          label={node.offline ? say('The old wallet’s backup') : say('The node’s backup')}
          path={backupPath}
          here={backupSeen === true}
          note={backupSeen === null ? say('On the node’s machine, not seen by the app.') : null}
        />
      )}
      {safetyCopy && <SafetyCopyLines copy={safetyCopy} />}
    </>
  );
}

function KeepBackup({ result }: { result: Extract<JobResult, { kind: 'restore' }> }) {
  const { backupFile, renamedWallets = [], movedWallets = [] } = result;
  return (
    <>
      {backupFile === undefined ? (
        <p>{say('Keep the backup.')}</p>
      ) : (
        <PathLine label={say('The backup')} path={backupFile} here={false} />
      )}
      {renamedWallets.map(({ name, newName }) => (
        <p key={name}>
          {SET_ASIDE}:{' '}
          <Say
            text="{before} is now {now}."
            values={{ before: <WalletName name={name} />, now: <WalletName name={newName} /> }}
          />
        </p>
      ))}
      {movedWallets.length > 0 && <MovedWallets wallets={movedWallets} />}
    </>
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
            {say('Load it')}
          </ActionButton>
        )}
      </Notice>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}
