/** The wallets that jobs made, each with its balance, its purpose, and its new backup with state and proof. */
import { useId } from 'react';
import type { BackupProof, Job } from '../../../../shared/model/job.ts';
import { amountNotCountedBefore, totalBalance } from '../../../../shared/model/money.ts';
import { partRemarks, walletBalance } from '../../../../shared/wording/balanceWords.ts';
import { OTHERS_MAY_READ } from '../../../../shared/wording/findings/hints.ts';
import { formatExactSize } from '../../../../shared/wording/format/formatNumber.ts';
import { FILE_NOT_SEEN, jobTone, STATE_WORDS } from '../../../../shared/wording/jobWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/buttons.tsx';
import { FactList, PagedList } from '../../../components/lists.tsx';
import { Disclosure, ErrorNotice, Notice, Tag } from '../../../components/parts.tsx';
import { FileLine } from '../../../components/paths.tsx';
import { SaveBackups } from '../../../components/saving.tsx';
import { Quiet, SafeText, WalletName } from '../../../components/texts.tsx';
import type { NewWallets, queueStateOf } from '../../../state/backupsStore.ts';
import { useWallets } from '../../../state/walletsStore.ts';
import { JobFailure } from './JobFailure.tsx';

type NewWallet = NewWallets['wallets'][number];

/** How many of the new wallets have a new backup. */
export function BackedUp({ count, all }: { count: number; all: number }) {
  return (
    <span role="status" className="small numbers">
      {say('{made, number} of {all, number} backed up', { made: count, all })}
    </span>
  );
}

export function NewWalletList({ wallets }: { wallets: readonly NewWallet[] }) {
  const [only, another] = wallets;
  // The top of the page says everything else of a single wallet, including where its backup is.
  if (only !== undefined && another === undefined)
    return (
      <>
        <PlaceOf wallet={only} />
        <BackupState wallet={only} isPathShown={false} />
      </>
    );
  return (
    <PagedList
      look="boxed"
      label={say('New wallets')}
      items={wallets.toSorted((one, other) => Number(hasFailed(other)) - Number(hasFailed(one)))}
      keyOf={({ id }) => id}
      row={(wallet) => <WalletRow wallet={wallet} />}
      page={10}
    />
  );
}

function hasFailed({ backup, queueState }: Pick<NewWallet, 'backup' | 'queueState'>): boolean {
  return queueState?.state === 'refused' || backup?.state === 'failed' || backup?.state === 'unknown';
}

function WalletRow({ wallet }: { wallet: NewWallet }) {
  const { name, title, meaning, node, here, proved } = wallet;
  const nameId = useId();
  const known = useWallets(({ wallets }) => (here ? wallets?.find((one) => one.name === name) : undefined));
  const asInFile = node.offline || known?.fromFile === true;
  const isUnknown = asInFile && (known ?? proved)?.transactions === 0;
  const whole = isUnknown ? null : known?.balance ? totalBalance(known.balance) : (proved?.balance ?? null);
  // Coins that an earlier wallet of the list also has are counted there, so that the amounts add up.
  const balance = whole && amountNotCountedBefore({ balance: whole, twice: proved?.twice ?? 0n });
  return (
    <div className="stack">
      <div className="pair">
        <span>
          <span id={nameId} className="name">
            <WalletName name={name} />
          </span>{' '}
          {title && <span className="small">{title}</span>}
        </span>
        <span className="numbers">{walletBalance(balance, node.network, asInFile)}</span>
      </div>
      {[...(meaning ? [meaning] : []), ...(proved ? partRemarks(proved, node.network) : [])].map((text) => (
        <Quiet key={text} small>
          {text}
        </Quiet>
      ))}
      <PlaceOf wallet={wallet} />
      <BackupState wallet={wallet} describedBy={nameId} />
    </div>
  );
}

/** Where the file of a new wallet is. */
function PlaceOf({ wallet: { proved } }: { wallet: NewWallet }) {
  return proved?.path && <FileLine name={say('File')} path={proved.path} />;
}

interface BackupStateProps {
  wallet: NewWallet;
  describedBy?: string;
  isPathShown?: boolean;
}

/** The new backup of a wallet, a later try, and the button for another one if that failed. */
function BackupState({ wallet, describedBy, isPathShown = true }: BackupStateProps) {
  const { queueState, backup, newBackup, name, node, here } = wallet;
  const hasLaterTry = newBackup !== null && (queueState !== null || backup?.id !== newBackup.id);
  return (
    <>
      {hasLaterTry && <BackupLine queueState={null} backup={newBackup} isPathShown={isPathShown} />}
      <BackupLine queueState={queueState} backup={backup} isPathShown={isPathShown} />
      {hasFailed(wallet) && here && queueState?.state !== 'queued' && (
        <SaveBackups
          variant="default"
          size="compact-sm"
          wallets={[name]}
          node={node}
          label={say('Choose another folder…')}
          describedBy={describedBy}
        />
      )}
    </>
  );
}

/** The size and the SHA-256 of a new backup, or that the app cannot see the file. */
export function BackupHash({ proof, startsOpen = false }: { proof: BackupProof; startsOpen?: boolean }) {
  if (!proof.seen) {
    return <Notice tone="read" title={FILE_NOT_SEEN} />;
  }
  return (
    <Disclosure look="quiet" startsOpen={startsOpen} summary={say('Size and SHA-256')}>
      <FactList
        facts={[
          [say('Size'), formatExactSize(proof.size)],
          [say('SHA-256'), <CopyText key="sha256" text={proof.sha256} />],
        ]}
      />
    </Disclosure>
  );
}

/** Says once if other users may be able to read one of these backups. */
export function BackupRights({ backups }: { backups: readonly (Job | null)[] }) {
  const results = backups.map((backup) => backup?.result);
  const areOpen = results.some(
    (result) => result?.kind === 'backup' && result.proof.seen && result.proof.othersMayRead,
  );
  return areOpen && <Notice tone="read" title={OTHERS_MAY_READ} />;
}

export type BackupQueueState = ReturnType<typeof queueStateOf>;

interface BackupLineProps {
  queueState: BackupQueueState;
  backup: Job | null;
  /** Whether to show the path of a backup that the app sees. */
  isPathShown?: boolean;
}

/** The state of its backup. One that is queued or refused now counts more than an earlier one. */
export function BackupLine({ queueState, backup, isPathShown = true }: BackupLineProps) {
  const refused = queueState?.state === 'refused' ? queueState.error : null;
  const job = queueState === null ? backup : null;
  if (job?.result?.kind === 'backup') {
    const { proof } = job.result;
    return (
      <>
        {(isPathShown || !proof.seen) && (
          <FileLine name={say('New backup')} path={proof.path} isLocal={proof.seen} />
        )}
        <BackupHash proof={proof} />
        <BackupRights backups={[job]} />
      </>
    );
  }
  const state = refused ? 'failed' : queueState ? 'queued' : job?.state;
  if (state === undefined) return null;
  const error = refused ?? job?.error;
  return (
    <>
      <div role="status" className="line">
        {say('Backup:')}{' '}
        {state === 'queued' ? (
          <Tag>{say('Queued')}</Tag>
        ) : (
          <Tag tone={jobTone({ state })}>{STATE_WORDS[state]}</Tag>
        )}
        {error && (
          <span className="small">
            <SafeText text={error.message} />
          </span>
        )}
      </div>
      {state !== 'queued' && state !== 'running' && (
        <Disclosure look="quiet" summary={say('Why')}>
          {refused && <ErrorNotice error={refused} quiet />}
          {job && <JobFailure job={job} quiet />}
        </Disclosure>
      )}
    </>
  );
}
