/** What to do next: save a backup, see and spend the coins, keep the old file; or load, rescan or back up a wallet. */
import { Stack, Tabs, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { AppError } from '../../../../shared/model/errors.ts';
import type { Job, NewWalletResult } from '../../../../shared/model/job.ts';
import { isLegacyRestore, isUndone } from '../../../../shared/model/journey.ts';
import type { NodeStatus } from '../../../../shared/model/node.ts';
import { watchesOnly } from '../../../../shared/model/safety.ts';
import type { Wallet } from '../../../../shared/model/wallet.ts';
import {
  backedUpBy,
  hasUnsavedKeys,
  isSameWallet,
  isUnchecked,
  isUnseen,
  needsNewBackup,
} from '../../../../shared/model/walletBackups.ts';
import { asSentence, OLD_PASSPHRASES } from '../../../../shared/wording/findings/hints.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { COPY_ELSEWHERE } from '../../../../shared/wording/jobWords.ts';
import {
  KEYS_NOT_COMPARED,
  missingPayments,
  NONE_FOUND,
  openInCoreText,
  wholeRescanEstimate,
} from '../../../../shared/wording/journeyWords.ts';
import { OLD_BACKUPS } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, AskingButton, SmallButton } from '../../../components/buttons.tsx';
import { Card, Disclosure, Dot, ErrorNotice, Notice } from '../../../components/parts.tsx';
import { SaveBackups, SaveReport } from '../../../components/saving.tsx';
import { Paragraph, Quiet } from '../../../components/texts.tsx';
import { go, isNodeCurrent, useApp, useIsNodeInUse, useNode, workOffline } from '../../../state/appStore.ts';
import { type NewWallets, queueStateOf, useBackups } from '../../../state/backupsStore.ts';
import { isRunning, useJobs } from '../../../state/jobsStore.ts';
import { plans } from '../../../state/plansStore.ts';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { walletActions } from '../../../state/walletActions.ts';
import { changeWallet, useWallets } from '../../../state/walletsStore.ts';
import { isKept, KeepOld, whereToGo } from './KeepOld.tsx';
import { BackedUp, BackupLine, BackupRights, NewWalletList } from './NewBackups.tsx';

interface NextStepsProps {
  job: Job;
  result: NewWalletResult;
  newWallets: NewWallets;
}

export function NextSteps({ job, result, newWallets }: NextStepsProps) {
  const { wallets, left, savable, elsewhere, isBackedUp } = newWallets;
  const inUse = useNode();
  const { node } = job;
  const undone = isUndone(result);
  const names = wallets.map(({ name }) => name);
  const oldPassphrase = wallets.find((one) => !one.isReplaced && one.oldPassphrase)?.oldPassphrase;
  const { transactions, walletName } = result;
  const missing = missingPayments(result);
  const rescan = missing.length > 0 && (
    <RescanEverything node={node} wallet={names[0] ?? walletName} missing={missing} />
  );
  const here = useIsNodeInUse(node);
  const isCurrent = useApp(isNodeCurrent) && here && !node.offline;
  const isOpen = useWallets(
    ({ wallets }) =>
      isCurrent &&
      names.every((name) => wallets?.some((one) => one.name === name && one.loaded && one.scanning === null)),
  );
  const isKeyless = job.proof !== null && watchesOnly(job.proof);
  const isLikely = transactions === 0 || result.locked === true;
  return (
    <>
      {!undone && rescan && isLikely && (
        <Notice tone="read" title={transactions === 0 ? NONE_FOUND : say('Payments missing?')}>
          {rescan}
        </Notice>
      )}
      {!undone && result.leftUnloaded && <LeftUnloaded node={node} names={names} />}
      <Card label={say('Next')}>
        <ol className="page">
          {!undone && isBackedUp !== null && (
            <Step
              isDone={typeof isBackedUp === 'boolean' ? isBackedUp : undefined}
              title={say('Save a backup')}
              button={
                inUse &&
                savable.length > 0 && (
                  <SaveBackups
                    wallets={savable.map(({ name }) => name)}
                    node={inUse}
                    label={say('Save a backup…')}
                    // A restored legacy wallet is migrated first.
                    variant={isLegacyRestore(result) ? 'default' : 'filled'}
                  />
                )
              }
            >
              {left.length > 0 && result.kind === 'migrate' && !isKeyless && (
                <Quiet small>{OLD_BACKUPS}</Quiet>
              )}
              {isUnchecked(isBackedUp) && <p>{asSentence(KEYS_NOT_COMPARED)}</p>}
              {isBackedUp && <p>{COPY_ELSEWHERE}</p>}
              {elsewhere && left.length > 0 && <Elsewhere node={elsewhere.node} />}
              {wallets.length > 1 && <BackedUp count={wallets.length - left.length} all={wallets.length} />}
              <NewWalletList wallets={wallets} />
            </Step>
          )}
          {!undone && (
            <Step isDone={(isOpen && !isLikely) || undefined} title={say('See and spend')}>
              <Spend node={node} names={names} />
              {rescan && !isLikely && (
                <Disclosure look="quiet" summary={say('Payments missing?')}>
                  {rescan}
                </Disclosure>
              )}
            </Step>
          )}
          <Step isDone={isKept(job, result) || undefined} title={say('Keep the old file')}>
            <KeepOld job={job} result={result} />
            {oldPassphrase && <p>{asSentence(OLD_PASSPHRASES[oldPassphrase])}</p>}
          </Step>
        </ol>
        <div className="row">
          <SaveReport job={job} />
        </div>
      </Card>
    </>
  );
}

interface StepProps {
  /** Undefined if the app cannot know. The step then has no ring. */
  isDone?: boolean | undefined;
  title: string;
  button?: ReactNode;
  children: ReactNode;
}

function Step({ isDone, title, button, children }: StepProps) {
  const id = useId();
  return (
    <li className="step" aria-labelledby={id}>
      {isDone === undefined ? <span /> : <Dot state={isDone ? 'done' : 'waiting'} />}
      <div className="ends">
        <h2 id={id} className="title">
          {title}
          {isDone && <VisuallyHidden component="span">: {say('done')}</VisuallyHidden>}
        </h2>
        {button && <div className="row">{button}</div>}
      </div>
      <div className="stack">{children}</div>
    </li>
  );
}

/** Says how to get to a wallet that the connected node does not have. */
function Elsewhere({ node }: { node: Job['node'] }) {
  const { offline, network, walletsFolder = null } = node;
  return (
    <Notice tone="read" title={whereToGo(node)}>
      {walletsFolder !== null && <Paragraph text={walletsFolder} quiet />}
      {offline && (
        <AskingButton call={() => workOffline({ walletsFolder, network })} failed={say('Start failed')}>
          {say('Work without a node')}
        </AskingButton>
      )}
    </Notice>
  );
}

interface SpendProps {
  node: Job['node'];
  /** Empty for a batch. */
  names: readonly string[];
}

/** How each program gets the coins; a wallet without private keys is only offered Bitcoin Core. The ways are those that each program documents. */
export function Spend({ node, names }: SpendProps) {
  const here = useIsNodeInUse(node);
  const [first] = names;
  const own = useWallets(({ wallets }) => (here && wallets?.find(({ name }) => name === first)) || null);
  const toExport = here && first !== undefined && (
    <SmallButton onClick={() => go({ at: 'wallet', source: { by: 'wallet', name: first }, tab: 'export' })}>
      {say('Export private keys…')}
    </SmallButton>
  );
  const inCore = openInCoreText(node, own?.kind === 'legacy');
  const programs = [[say('Bitcoin Core'), inCore] as const, ...(own?.watchOnly ? [] : SWEEPERS)];
  return (
    // The values are parts of ids, which names with spaces are not.
    <Tabs defaultValue="0" keepMounted={false}>
      <Tabs.List>
        {programs.map(([name], at) => (
          <Tabs.Tab key={name} value={String(at)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {programs.map(([name, way], at) => (
        <Tabs.Panel key={name} value={String(at)} pt={10} className="stack">
          <p>{way}</p>
          {at > 0 && toExport}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The programs that take private keys, and how. */
const SWEEPERS = [
  [say('Sparrow'), say('Choose Tools > Sweep Private Key for each key.')],
  [say('Electrum'), say('Choose File > New/Restore > Import Bitcoin addresses or private keys.')],
] as const;

/** Those of these wallets that are not loaded, or not on the node in use. */
export function useUnloaded({ node, names }: SpendProps): string[] {
  const here = useIsNodeInUse(node);
  const wallets = useWallets((state) => state.wallets);
  return names.filter((name) => !here || !wallets?.some((one) => one.name === name && one.loaded));
}

/** The node was stopped before it loaded the wallets again. */
function LeftUnloaded({ node, names }: SpendProps) {
  const here = useIsNodeInUse(node);
  const left = useUnloaded({ node, names });
  if (left.length === 0) return null;

  async function loadAll() {
    for (const name of left) {
      const outcome = await changeWallet('load', name);
      if ('error' in outcome) throw AppError.fromShape(outcome.error);
    }
  }

  return (
    <Notice tone="read" title={say('Not loaded')}>
      <p>{say('Load it to see what it holds.')}</p>
      {here && (
        <AskingButton needsNode call={loadAll}>
          {say('Load it')}
        </AskingButton>
      )}
    </Notice>
  );
}

interface RescanEverythingProps {
  node: Job['node'];
  wallet: string;
  missing: readonly string[];
}

/** Says which payments the node did not search, with the button that scans all blocks. */
export function RescanEverything({ node: itsNode, wallet, missing }: RescanEverythingProps) {
  const here = useIsNodeInUse(itsNode);
  const node = useNode();
  const source = { by: 'wallet', name: wallet } as const;
  return (
    <div className="stack">
      <p>{missing.join(' ')}</p>
      {here && node && (
        <div className="row">
          <SmallButton onClick={() => plans.begin([{ action: 'rescan', source }])}>
            {say('Rescan everything')}
          </SmallButton>
          <Quiet>{wholeRescanEstimate(node)}</Quiet>
        </div>
      )}
    </div>
  );
}

interface WalletNextProps {
  page: WalletPageState & { wallet: Wallet; node: NodeStatus };
}

/** What can be done with a wallet that is as it should be: back it up, see and spend, load it, rescan it. */
export function WalletNext({ page: { wallet, node, backups } }: WalletNextProps) {
  const { name, loaded, kind, problem } = wallet;
  const { lastFinished, lastTried } = backups;
  const isBackedUp = backedUpBy(lastFinished && [lastFinished], backups.unchecked);
  const isSaved = lastFinished !== null && !needsNewBackup(backups);
  const { change, rescan } = walletActions(wallet, node);
  const changing = useWallets((state) => state.changing.get(name));
  const outcome = useWallets((state) => state.outcomes.get(name));
  const queueState = useBackups((state) => queueStateOf(state, { node, wallet: name }));
  const isBusy = useJobs(({ jobs }) =>
    jobs.some((job) => isRunning(job) && isSameWallet(job, { node, wallet: name })),
  );
  return (
    <Card label={say('Next')} title={isSaved ? say('Backed up') : say('Save a backup')}>
      <Quiet>
        {hasUnsavedKeys(wallet, backups)
          ? OLD_BACKUPS
          : lastFinished
            ? say('Last backup: {time}.', { time: formatTime(lastFinished.started) })
            : backups.gonePath === null && asSentence(say('Not backed up here'))}{' '}
        {isBackedUp && backups.unchecked && asSentence(KEYS_NOT_COMPARED)}
      </Quiet>
      <BackupLine
        queueState={queueState}
        backup={lastTried === lastFinished && !isUnseen(isBackedUp) ? null : lastTried}
      />
      <BackupRights backups={[lastFinished]} />
      <div className="row">
        <SaveBackups
          wallets={[name]}
          node={node}
          label={say('Save a backup…')}
          variant={isSaved ? 'default' : 'filled'}
          blocked={isBusy || queueState?.state === 'queued'}
        />
        {change && (
          <ActionButton
            variant="default"
            busy={changing !== undefined}
            needsNode
            blocked={isBusy}
            onClick={change}
          >
            {loaded ? say('Unload') : say('Load')}
          </ActionButton>
        )}
      </div>
      {outcome && 'error' in outcome && <ErrorNotice error={outcome.error} />}
      {problem && <ErrorNotice error={problem} quiet title={say('Details not read')} />}
      {kind === 'descriptor' && (
        <Stack gap={8} mt={12}>
          <h2 className="title">{say('See and spend')}</h2>
          <Spend node={{ ...node, release: node.release.text }} names={[name]} />
        </Stack>
      )}
      {rescan && (
        <Disclosure look="quiet" summary={say('Payments missing?')}>
          <SmallButton needsNode blocked={isBusy} onClick={rescan}>
            {say('Rescan everything…')}
          </SmallButton>
        </Disclosure>
      )}
    </Card>
  );
}
