/** Brings the legacy wallet of a migration back: in one click where that can be, else in a sentence why not. */
import type { Job, MigrationResult } from '../../../../shared/model/job.ts';
import { type NodeStatus, sameNode } from '../../../../shared/model/node.ts';
import { networkName } from '../../../../shared/wording/format/networkName.ts';
import { UNNAMED } from '../../../../shared/wording/format/walletLabel.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { useNode } from '../../../state/appStore.ts';
import { usePlans } from '../../../state/plansStore.ts';

interface UndoProps {
  job: Job;
  result: MigrationResult;
  /** The backup that is restored. */
  path: string;
}

export function Undo({ job, result, path }: UndoProps) {
  const { wallet, node } = job;
  const inUse = useNode();
  const { begin, runAtOnce } = usePlans.getState();
  const before = say('{wallet} (before migration)', { wallet: wallet === '' ? UNNAMED : wallet });
  const request = { action: 'undo', source: { by: 'file', path } } as const;
  if (inUse === null || !isItsNode(inUse, job, result)) return <p>{elsewhere(node)}</p>;
  if (!inUse.release.loadsLegacy) {
    return (
      <div className={layout.stack}>
        <p>
          {say(
            'Release {release} opens no legacy wallets. Undo without a node, or on release 29 or earlier.',
            { release: inUse.release.text },
          )}
        </p>
        {inUse.local && (
          <SmallButton onClick={() => begin([{ ...request, suggestedName: before }])}>
            {say('Undo without a node…')}
          </SmallButton>
        )}
      </div>
    );
  }
  // Only the engine can have the new wallets make room. The unnamed wallet's place is no name.
  const takesName = inUse.offline && wallet !== '';
  return (
    <div className={layout.stack}>
      <p>
        {takesName
          ? say('The old wallet gets its name back; the new ones are renamed.')
          : say('The old wallet returns under a new name; the new ones stay.')}
      </p>
      <SmallButton onClick={() => void runAtOnce({ ...request, suggestedName: takesName ? wallet : before })}>
        {say('Undo')}
      </SmallButton>
    </div>
  );
}

/** The engine has another port at each start: it is known by the network, and by the backup in its folder. */
function isItsNode(inUse: NodeStatus, { node }: Job, { backupPath }: MigrationResult): boolean {
  if (inUse.network !== node.network || inUse.offline !== (node.offline ?? false)) return false;
  const { walletsFolder } = inUse;
  if (!inUse.offline || walletsFolder === null || backupPath === null) {
    return sameNode(inUse.address, node.address);
  }
  const next = backupPath.charAt(walletsFolder.length);
  return backupPath.startsWith(walletsFolder) && (next === '/' || next === '\\');
}

function elsewhere({ label, network, offline }: Job['node']): string {
  return offline
    ? say('To undo, work without a node on {network}, in the same folder.', {
        network: networkName(network),
      })
    : say('To undo, connect to {node}.', { node: label });
}
