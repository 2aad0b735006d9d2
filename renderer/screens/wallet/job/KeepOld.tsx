/** The copies of the old wallet, what may be deleted, and the way back. */

import type { Job, JobResult, MigrationResult } from '../../../../shared/model/job.ts';
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
  if (inUse === null || !isItsNode(inUse, job, result)) return <p>{whereToUndo(node)}</p>;
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

function whereToUndo({ label, network, offline }: Job['node']): string {
  return offline
    ? say('To undo, work without a node on {network}, in the same folder.', {
        network: networkName(network),
      })
    : say('To undo, connect to {node}.', { node: label });
}

type Restored = Extract<JobResult, { kind: 'restore' }>;

/**
 * What came of the restore that undid this migration, and gave its wallets other names; null where none did. It is known
 * by the backup that it restored, whose name tells the second. `jobs`: all there were.
 */
export function undoneBy(
  jobs: readonly Job[],
  { started, safetyCopy }: Pick<Job, 'started' | 'safetyCopy'>,
  { walletName, backupPath }: Pick<MigrationResult, 'walletName' | 'backupPath'>,
): Restored | null {
  const files = [backupPath, safetyCopy?.files[0]?.path ?? null].filter((path) => path !== null).map(nameOf);
  for (const { result, started: later } of jobs) {
    if (later < started || result?.kind !== 'restore' || result.backupFile === undefined) continue;
    const renamed = result.renamedWallets?.some(({ name }) => name === walletName) ?? false;
    if (renamed && files.includes(nameOf(result.backupFile))) return result;
  }
  return null;
}

/** Of the app's copies, which are all called alike, the folder tells which. */
function nameOf(path: string): string {
  const parts = path.split(/[/\\]/);
  return parts.slice(parts.at(-1) === 'wallet.dat' ? -2 : -1).join('/');
}
