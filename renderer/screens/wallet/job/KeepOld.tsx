/** The copies of the old wallet, what may be deleted, and the way back. */
import { isTemporaryPath } from '../../../../shared/model/files.ts';
import type { Job, MigrationResult, NewWalletResult, RestoreResult } from '../../../../shared/model/job.ts';
import { chosenFile } from '../../../../shared/model/journey.ts';
import { authorityOf } from '../../../../shared/model/node.ts';
import { lookForBackup } from '../../../../shared/wording/findings/hints.ts';
import { networkName, UNNAMED } from '../../../../shared/wording/format/names.ts';
import {
  copyTitle,
  isWholeCopy,
  NOT_IN_USE,
  newCoinsWords,
  OLD_WALLET_BACKUP,
} from '../../../../shared/wording/interruptionWords.ts';
import { mayGoText, startsFromBackup, stopName } from '../../../../shared/wording/journeyWords.ts';
import { undoWords } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import { Disclosure, Notice } from '../../../components/parts.tsx';
import { FileLine, MovedWallets, SafetyCopyLines } from '../../../components/paths.tsx';
import { Quiet, Say, WalletName } from '../../../components/texts.tsx';
import { isNodeLost, useApp, useIsNodeInUse, useNode } from '../../../state/appStore.ts';
import { plans } from '../../../state/plansStore.ts';

interface KeepOldProps {
  job: Job;
  result: NewWalletResult;
}

/** Whether the app has seen a whole copy of the old wallet, or the restored backup with its old content. */
export function isKept({ safetyCopy }: Pick<Job, 'safetyCopy'>, result: NewWalletResult): boolean {
  const { backupSeen } = result;
  if (result.kind === 'restore' || backupSeen === true) return backupSeen === true;
  // The notice below asks for a lost backup.
  const isLost = backupSeen === false || result.backupPath === null;
  return !isLost && safetyCopy !== null && isWholeCopy(safetyCopy);
}

export function KeepOld({ job, result }: KeepOldProps) {
  if (result.kind === 'restore') return <KeepBackup job={job} result={result} />;
  const { backupPath, backupSeen, movedWallets, undone } = result;
  const { safetyCopy } = job;
  const copyPath = copyToRestore(job, result);
  // Not folded: only this copy holds what a rescue could not read.
  const doubtfulCopy = safetyCopy && !isWholeCopy(safetyCopy) ? safetyCopy : null;
  return (
    <>
      {safetyCopy === null && (
        <p>{backupPath === null ? say('This app made no copy.') : say('There is no safety copy.')}</p>
      )}
      {doubtfulCopy && <SafetyCopyLines copy={doubtfulCopy} />}
      {backupPath === null && (
        <Notice tone="read" title={say('Old wallet’s backup: unknown path')}>
          <p>{lookForBackup()}</p>
        </Notice>
      )}
      {backupSeen === false && (
        <Notice tone="read" title={say('Old wallet’s backup not found')}>
          <p>{say('Find it before you delete anything.')}</p>
        </Notice>
      )}
      <MovedWallets wallets={movedWallets} />
      <Disclosure look="quiet" summary={say('The copies')}>
        {backupPath !== null && (
          <FileLine
            name={OLD_WALLET_BACKUP}
            path={backupPath}
            isLocal={backupSeen === true}
            note={backupSeen === null ? say('On the node’s machine, not seen by the app.') : null}
          />
        )}
        {safetyCopy && !doubtfulCopy && <SafetyCopyLines copy={safetyCopy} />}
        {!undone && <Quiet small>{mayGoText(job)}</Quiet>}
      </Disclosure>
      {!undone && copyPath !== null && (
        <Disclosure look="quiet" summary={say('Undo the migration')}>
          <Undo job={job} copyPath={copyPath} />
        </Disclosure>
      )}
    </>
  );
}

/** The copy that an undo restores: the old wallet's backup, or if the app does not see it, the safety copy of the same file. */
function copyToRestore({ safetyCopy }: Job, { backupPath, backupSeen }: MigrationResult): string | null {
  if (backupPath !== null && backupSeen !== false) return backupPath;
  const own = safetyCopy && isWholeCopy(safetyCopy) ? safetyCopy.files[0] : undefined;
  // A copy without a hash lies on the node's machine.
  return own === undefined || own.sha256 === null ? null : own.path;
}

/** Names the files as the steps above and the record do. */
function KeepBackup({ job, result }: { job: Job; result: RestoreResult }) {
  const { backupFile, renamedWallets = [], newCoins, movedWallets } = result;
  const isLocal = useNode()?.local !== false;
  const name = stopName('file', job);
  const chosen = chosenFile(job)?.path;
  return (
    <>
      {chosen && <FileLine name={name} path={chosen} isLocal={isLocal} />}
      {backupFile !== undefined && backupFile !== chosen && !isTemporaryPath(backupFile) && (
        <FileLine name={copyTitle(job.safetyCopy?.files[0]?.state)} path={backupFile} isLocal={isLocal} />
      )}
      {backupFile === undefined && !chosen && (
        <p>{startsFromBackup(job) ? say('Keep the backup.') : say('Keep your file.')}</p>
      )}
      {renamedWallets.map(({ name, newName }) => (
        <p key={name}>
          {NOT_IN_USE}: <IsNow before={name} now={newName} />
        </p>
      ))}
      {newCoins !== undefined && <p>{newCoinsWords(newCoins, job.node.network).join('. ')}</p>}
      <MovedWallets wallets={movedWallets} />
    </>
  );
}

/** The old and the new name of a renamed wallet. */
export function IsNow({ before, now }: { before: string; now: string }) {
  const names = { before: <WalletName name={before} />, now: <WalletName name={now} /> };
  return <Say text="{before} is now {now}." values={names} />;
}

/** Undoes the migration in one click, or says why that is not possible. */
function Undo({ job, copyPath }: { job: Job; copyPath: string }) {
  const { wallet, node } = job;
  const inUse = useNode();
  const here = useIsNodeInUse(node);
  const isLost = useApp(isNodeLost);
  const before = say('{wallet} (before migration)', { wallet: wallet === '' ? UNNAMED : wallet });
  const request = { action: 'undo', source: { by: 'file', path: copyPath } } as const;
  if (inUse === null || !here || isLost) return <p>{whereToGo(node)}</p>;
  const { release, local, offline } = inUse;
  if (!release.loadsLegacy) {
    return (
      <>
        <p>{say('Undo without a node, or on release 29 or earlier.')}</p>
        {local && (
          <SmallButton onClick={() => plans.begin([{ ...request, suggestedName: before }])}>
            {say('Undo without a node…')}
          </SmallButton>
        )}
      </>
    );
  }
  // Only the engine can rename the new wallets. The unnamed wallet has no name to free.
  const takesName = offline && wallet !== '';
  return (
    <>
      <p>{undoWords(takesName)}</p>
      <SmallButton
        onClick={() => void plans.runAtOnce({ ...request, suggestedName: takesName ? wallet : before })}
      >
        {say('Undo')}
      </SmallButton>
    </>
  );
}

/** The way to the wallets of a job that are not in use, in a sentence. */
export function whereToGo({ label, address, network, offline }: Omit<Job['node'], 'release'>): string {
  const place = authorityOf(address);
  return offline
    ? say('Work without a node on {network}, in the same folder.', { network: networkName(network) })
    : say('Connect to {node}.', { node: label === place ? label : `${label} (${place})` });
}
