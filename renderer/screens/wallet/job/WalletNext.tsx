/** What can be done with a wallet that is as it should be: back it up, see and spend, load it, rescan it. */
import { type NodeStatus, sameNode } from '../../../../shared/model/node.ts';
import type { Wallet } from '../../../../shared/model/wallet.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { ErrorNotice } from '../../../components/notices.tsx';
import { Card } from '../../../components/parts.tsx';
import { SaveBackups } from '../../../components/SaveBackups.tsx';
import { Quiet } from '../../../components/texts.tsx';
import { standingOf, useBackups } from '../../../state/backupsStore.ts';
import { isRunning, useJobs } from '../../../state/jobsStore.ts';
import { usePlans } from '../../../state/plansStore.ts';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { useWallets } from '../../../state/walletsStore.ts';
import { BackupLine } from './NewBackups.tsx';
import { Spend } from './NextSteps.tsx';

interface WalletNextProps {
  page: WalletPageState & { wallet: Wallet; node: NodeStatus };
}

export function WalletNext({ page: { wallet, node, backups } }: WalletNextProps) {
  const { name, loaded, kind, problem } = wallet;
  const { owed, made, newest } = backups;
  const change = useWallets((state) => state.change);
  const changing = useWallets((state) => state.changing.get(name));
  const outcome = useWallets((state) => state.outcomes.get(name));
  const standing = useBackups((state) => standingOf(state, { node: node.address, wallet: name }));
  const isBusy = useJobs(({ jobs }) =>
    jobs.some((job) => isRunning(job) && job.wallet === name && sameNode(job.node.address, node.address)),
  );
  const source = { by: 'wallet', name } as const;
  const opens = loaded || kind !== 'legacy' || node.release.loadsLegacy;
  return (
    <Card label={say('Next')} title={made && !owed ? say('Backed up') : say('Save a backup')}>
      <Quiet>
        {owed
          ? say('Your old backups don’t contain the new keys.')
          : made
            ? say('Last backup: {time}.', { time: formatTime(made.started) })
            : say('The app has made no backup of this wallet.')}
      </Quiet>
      <BackupLine standing={standing} backup={newest === made ? null : newest} />
      <div className={layout.row}>
        <SaveBackups
          wallets={[name]}
          node={node.address}
          label={say('Save a backup…')}
          variant={made && !owed ? 'default' : 'filled'}
          blocked={isBusy || standing?.state === 'queued'}
        />
        {opens && (
          <ActionButton
            variant="default"
            busy={changing !== undefined}
            blocked={isBusy}
            onClick={() => void change(loaded ? 'unload' : 'load', name)}
          >
            {loaded ? say('Unload') : say('Load')}
          </ActionButton>
        )}
        {!node.offline && opens && (
          <ActionButton
            variant="subtle"
            blocked={isBusy}
            onClick={() => usePlans.getState().begin([{ action: 'rescan', source }])}
          >
            {say('Rescan everything…')}
          </ActionButton>
        )}
      </div>
      {outcome && 'error' in outcome && <ErrorNotice error={outcome.error} />}
      {problem && <ErrorNotice error={problem} quiet title={say('Details could not be read')} />}
      {kind === 'descriptor' && (
        <>
          <h2 className={layout.name}>{say('See and spend')}</h2>
          <Spend node={{ ...node, release: node.release.text }} names={[name]} />
        </>
      )}
    </Card>
  );
}
