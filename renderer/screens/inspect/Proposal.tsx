/** What the app would do with a file that was looked into, and why; other ways behind it. */
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { Network } from '../../../shared/model/network.ts';
import { type Way, waysFor } from '../../../shared/model/way.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import { say } from '../../../shared/wording/say.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { ActionButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { useApp } from '../../state/appStore.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import { useAsking } from '../../state/useAsking.ts';

interface ProposalProps {
  path: string;
  kind: Inspection['kind'];
  network: Network;
  /** Whether releases refuse the file as it is. */
  rescues: boolean;
}

export function Proposal({ path, kind, network, rescues }: ProposalProps) {
  const connection = useApp((state) => state.connection);
  const connecting = useApp((state) => state.connecting);
  const { found, lookError, look } = useNodes();
  const source = { by: 'file', path } as const;
  const { busy, error, ask } = useAsking();
  useEffect(() => void (found === null && look()), [found, look]);
  const [fit, ...others] = waysFor({ network, kind, rescues, connection, found: found ?? [] });
  const looking = found === null && lookError === null && fit.by !== 'in-use';

  function take(way: Way, action: 'restore' | 'rescue' = rescues ? 'rescue' : 'restore') {
    void ask(async () => {
      await reach(way);
      usePlans.getState().begin([{ action, source }]);
    });
  }

  return (
    <div className={`${layout.card} ${layout.stack}`}>
      <p className={layout.name}>{looking ? say('Searching for nodes…') : reasonOf(fit, network, others)}</p>
      <div className={layout.row}>
        <ActionButton busy={busy} blocked={connecting || looking} onClick={() => take(fit)}>
          {rescues
            ? say('Rescue')
            : kind === 'legacy' && migratesToo(fit)
              ? say('Restore and migrate')
              : say('Restore')}
        </ActionButton>
        {/* A node may take it as it is. */}
        {rescues && kind === 'descriptor' && (
          <Button
            variant="subtle"
            disabled={busy || connecting || looking}
            onClick={() => take(fit, 'restore')}
          >
            {say('Restore')}
          </Button>
        )}
        {others.map((way) => (
          <Button key={nameOf(way)} variant="subtle" disabled={busy || connecting} onClick={() => take(way)}>
            {nameOf(way)}
          </Button>
        ))}
        <Button variant="subtle" onClick={() => useApp.getState().connectThen({ at: 'inspect', source })}>
          {say('Another node…')}
        </Button>
      </div>
      {error && <ErrorNotice error={error} title={say('The app could not connect')} />}
    </div>
  );
}

/** Throws AppError. The engine keeps its wallets in the app's own folder. */
async function reach(way: Way): Promise<void> {
  const { connect, workOffline } = useApp.getState();
  if (way.by === 'found') await connect({ by: 'found', id: way.id });
  if (way.by === 'engine') await workOffline({ walletsFolder: null, network: way.network });
}

/** Where a legacy wallet cannot be loaded, or nothing is gained by it, it is migrated on the way. */
function migratesToo(way: Way): boolean {
  return way.by === 'engine' || way.node.offline || !way.node.release.loadsLegacy;
}

function reasonOf(way: Way, network: Network, others: readonly Way[]): string {
  if (way.by === 'engine') {
    // A node comes behind it only for this.
    if (others.length > 0) return say('The node’s wallets folder is not known. No node is needed.');
    return say('This computer has no node on {network}. None is needed.', {
      network: networkName(network),
    });
  }
  if (way.node.offline) return say('You already work without a node.');
  const release = way.node.release.text;
  return way.by === 'in-use'
    ? say('Best on your node, Bitcoin Core {release}.', { release })
    : say('Best on the Bitcoin Core {release} of this computer.', { release });
}

function nameOf(way: Way): string {
  if (way.by === 'engine' || way.node.offline) return say('Without a node');
  return say('On Bitcoin Core {release}', { release: way.node.release.text });
}
