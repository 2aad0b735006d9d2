/** The wallets of the node in use, and the way to what can be done with each. */
import { Button, Popover, TextInput, VisuallyHidden } from '@mantine/core';
import { IconRefresh, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { haveSameWallets, jobInOtherFolder } from '../../../shared/model/job.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import { type BackupsByName, backupsOfWallet, walletBackups } from '../../../shared/model/walletBackups.ts';
import { NOT_LISTED } from '../../../shared/wording/findings/hints.ts';
import { counted } from '../../../shared/wording/format/formatNumber.ts';
import { networkName, walletLabel } from '../../../shared/wording/format/names.ts';
import { otherFolderText } from '../../../shared/wording/interruptionWords.ts';
import { STATE_WORDS } from '../../../shared/wording/jobWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, SmallButton, Waiting } from '../../components/buttons.tsx';
import { ChooseFile } from '../../components/fields.tsx';
import { TextList } from '../../components/lists.tsx';
import { ErrorNotice, Notice, PageHeading } from '../../components/parts.tsx';
import { SaveBackups } from '../../components/saving.tsx';
import { NodeLine, SafeText, Say, WalletName } from '../../components/texts.tsx';
import { go } from '../../state/appStore.ts';
import { hasQueued, queueStateOf, useBackups } from '../../state/backupsStore.ts';
import { useDrafts } from '../../state/draftsStore.ts';
import { isRunning, useJobs } from '../../state/jobsStore.ts';
import { plans } from '../../state/plansStore.ts';
import {
  readWalletNames,
  refreshWallets,
  selectWallets,
  useWallets,
  type WalletChange,
} from '../../state/walletsStore.ts';
import { BackedUp, BackupRights } from '../wallet/job/NewBackups.tsx';
import { findWallets, WalletsTable } from './WalletsTable.tsx';

export function Wallets({ node }: { node: NodeStatus }) {
  const { wallets, closed, refreshing, error, selected } = useWallets();
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const wanted = useDeferredValue(query);
  const found = useMemo(() => findWallets(wallets ?? [], wanted), [wallets, wanted]);
  const jobs = useJobs((state) => state.jobs);
  const backups = useMemo(() => walletBackups(jobs, node), [jobs, node]);
  const other = wallets && jobInOtherFolder(jobs, node, wallets);
  const chosen = wallets?.filter(({ name }) => selected.has(name)) ?? [];
  const hasChosen = chosen.length > 0;
  const [hasTicked, setTicked] = useState(false);
  if (hasChosen && !hasTicked) setTicked(true);
  const ticked = say('{wallets} ticked', { wallets: counted.wallets(chosen.length) });
  const several = { node, hasChosen, wallets: hasChosen ? chosen : wallets };

  return (
    <>
      <PageHeading
        title={say('All wallets')}
        actions={
          <>
            <ActionButton
              variant="default"
              leftSection={<IconRefresh size={17} />}
              busy={refreshing}
              needsNode
              onClick={() => void refreshWallets()}
            >
              {say('Refresh')}
            </ActionButton>
            <BackUpAll {...several} />
            <MigrateSeveral {...several} />
          </>
        }
      >
        {wallets && <>{counted.wallets(wallets.length)} · </>}
        <SafeText text={node.label} /> · {networkName(node.network)} ·{' '}
        {node.offline
          ? say('last known balances')
          : say('Bitcoin Core {release}', { release: node.release.text })}
      </PageHeading>
      <WalletsSpoken />
      <div className="apart">
        {wallets && <AllSaved node={node} />}
        {error && <ErrorNotice error={error} title={say('Wallets not read')} />}
        {other && <Notice tone="read" title={otherFolderText(other.wallet)} />}
        {closed.length > 0 && (
          <Notice tone="read" title={NOT_LISTED}>
            <TextList texts={closed} mono home most={5} />
          </Notice>
        )}
        {node.release.migrates === 'no' && wallets?.some(({ kind }) => kind === 'legacy') && (
          <Notice tone="info" title={say('Release {release} cannot migrate', { release: node.release.text })}>
            {say('Release 24 and later can. An update leaves wallets unchanged.')}
          </Notice>
        )}
        {wallets === null && !error && <Waiting>{say('Reading the wallets…')}</Waiting>}
        {wallets?.length === 0 && !other && (
          <Notice tone="info" title={say('No wallets yet')}>
            <p>{say('Open a wallet file to restore it here.')}</p>
            <ChooseFile />
          </Notice>
        )}
        {wallets !== null && wallets.length > 0 && (
          <>
            <div className="row">
              <TextInput
                ref={search}
                className="grows"
                maw={340}
                type="search"
                aria-label={say('Find a wallet')}
                placeholder={say('Find a wallet')}
                leftSection={<IconSearch size={17} aria-hidden />}
                value={query}
                onChange={(event) => setQuery(event.currentTarget.value)}
              />
              <span role="status" className="small">
                {wanted === '' ? (
                  <VisuallyHidden>{counted.wallets(wallets.length)}</VisuallyHidden>
                ) : (
                  say('{found, number} of {all, number}', {
                    found: found.length,
                    all: wallets.length,
                  })
                )}
              </span>
              <span role="status" className="small">
                {hasChosen ? ticked : hasTicked && <VisuallyHidden>{ticked}</VisuallyHidden>}
              </span>
              {hasChosen && (
                <SmallButton
                  onClick={() => {
                    selectWallets([...selected], false);
                    // The button goes away with the ticks.
                    search.current?.focus();
                  }}
                >
                  {say('Untick all')}
                </SmallButton>
              )}
            </div>
            {found.length > 0 ? (
              <WalletsTable
                wallets={found}
                backups={backups}
                node={node}
                selected={selected}
                onSelect={selectWallets}
              />
            ) : (
              <p className="small">
                <Say text="No name contains “{text}”." values={{ text: <SafeText text={wanted} /> }} />
              </p>
            )}
          </>
        )}
      </div>
    </>
  );
}

interface ForSeveralProps {
  node: NodeStatus;
  /** The ticked ones, or all if none is. */
  wallets: readonly Wallet[] | null;
  hasChosen: boolean;
}

/** A new backup of each of these wallets, into one folder. Those that are not loaded are loaded for it. */
function BackUpAll({ node, wallets, hasChosen }: ForSeveralProps) {
  const [open, setOpen] = useState(false);
  const queued = useBackups(hasQueued);
  const running = useJobs(({ jobs }) => jobs.some(isRunning));
  const names = wallets?.map(({ name }) => name) ?? [];
  if (names.length === 0) return null;
  const label = hasChosen
    ? say('Back up {wallets} to…', { wallets: counted.wallets(names.length) })
    : say('Back up all to…');
  const save = (
    <SaveBackups
      variant={node.local ? 'default' : 'filled'}
      wallets={hasChosen ? names : readWalletNames}
      node={node}
      // On another machine, the button beside the typed folder acts at once.
      label={node.local ? label : say('Save here')}
      blocked={queued || running}
      onSave={(saved) => {
        useBackups.setState({
          lastBatch: { node: { ...node, release: node.release.text }, wallets: [...saved] },
        });
        setOpen(false);
      }}
    />
  );
  if (node.local) return save;
  // The folder on the node's machine has to be typed.
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      width="min(340px, 90vw)"
      position="bottom-end"
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!open)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack">{save}</div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The progress of *Back up all*, also on another node than the one in use. Each row shows its own backup. */
function AllSaved({ node: inUse }: { node: NodeStatus }) {
  const backupsState = useBackups();
  const jobs = useJobs((state) => state.jobs);
  const { node, wallets: names } = backupsState.lastBatch ?? { node: null, wallets: [] };
  const backups = useMemo(() => node && walletBackups(jobs, node), [jobs, node]);
  if (node === null || backups === null || names.length === 0) return null;
  const saved = names.flatMap((wallet) => {
    const { lastFinished, lastTried } = backupsOfWallet(backups, { name: wallet });
    const hasRun = queueStateOf(backupsState, { node, wallet }) === null;
    return hasRun && lastFinished !== null && lastFinished === lastTried ? [lastFinished] : [];
  });
  const failed = failedBackups(names, backups, (wallet) => queueStateOf(backupsState, { node, wallet }));
  return (
    <div role="status" className="stack">
      <span className="line">
        <BackedUp count={saved.length} all={names.length} />
        {!haveSameWallets(node, inUse) && (
          <span className="small">
            {node.walletsFolder ? <SafeText text={node.walletsFolder} home /> : <NodeLine node={node} />}
          </span>
        )}
      </span>
      <BackupRights backups={saved} />
      {failed.map(({ wallet, why }) => (
        <p key={wallet} className="small">
          <WalletName name={wallet} />: <SafeText text={why} />
        </p>
      ))}
    </div>
  );
}

/** The wallets whose last backup failed or was refused, and why. */
export function failedBackups(
  names: readonly string[],
  backups: BackupsByName,
  stateOf: (wallet: string) => ReturnType<typeof queueStateOf>,
): { wallet: string; why: string }[] {
  return names.flatMap((wallet) => {
    const queueState = stateOf(wallet);
    if (queueState !== null)
      return queueState.state === 'refused' ? [{ wallet, why: queueState.error.message }] : [];
    const { lastTried = null } = backups.get(wallet) ?? {};
    if (lastTried === null || lastTried.state === 'running' || lastTried.state === 'done') return [];
    const { error, state } = lastTried;
    return [{ wallet, why: error?.node?.message ?? error?.message ?? STATE_WORDS[state] }];
  });
}

/** Opens the batch: of the ticked wallets, else of all legacy ones if there are several, or the batch that the user left. */
function MigrateSeveral({ node, wallets, hasChosen }: ForSeveralProps) {
  const several = useDrafts(({ batch }) => batch === 'running');
  const legacy = wallets?.filter(({ kind }) => kind === 'legacy') ?? [];
  if (several) {
    return (
      <ActionButton variant="default" onClick={() => go({ at: 'batch' })}>
        {say('Show the results')}
      </ActionButton>
    );
  }
  if (legacy.length < (hasChosen ? 1 : 2) || node.release.migrates === 'no') return null;
  return (
    <ActionButton
      variant="default"
      needsNode
      onClick={() =>
        plans.begin(legacy.map(({ name }) => ({ action: 'migrate', source: { by: 'wallet', name } })))
      }
    >
      {hasChosen
        ? say('Migrate {wallets}…', { wallets: counted.wallets(legacy.length) })
        : say('Migrate several…')}
    </ActionButton>
  );
}

/** Tells screen readers when a wallet is loaded or unloaded; sighted users see it in the row. */
function WalletsSpoken() {
  const { changing, outcomes } = useWallets();
  const before = useRef(changing);
  const [said, setSaid] = useState('');

  useEffect(() => {
    const ended = [...before.current].filter(([name]) => !changing.has(name));
    before.current = changing;
    for (const [name, change] of ended) {
      const outcome = outcomes.get(name);
      // An error is spoken by its own alert.
      if (outcome && 'error' in outcome) continue;
      setSaid(changeText(name, change, outcome !== undefined));
    }
  }, [changing, outcomes]);

  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}

function changeText(name: string, change: WalletChange, warned: boolean): string {
  const wallet = walletLabel(name);
  if (change === 'load') {
    return warned ? say('{wallet}: loaded, with warnings', { wallet }) : say('{wallet}: loaded', { wallet });
  }
  return warned
    ? say('{wallet}: unloaded, with warnings', { wallet })
    : say('{wallet}: unloaded', { wallet });
}
