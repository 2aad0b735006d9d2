/** Makes a new backup of one wallet. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { NodeAddress, NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { useApp, useNode } from '../../state/appStore.ts';
import { useOperations } from '../../state/operationsStore.ts';
import { useAsking } from '../../state/useAsking.ts';
import { useWallets } from '../../state/walletsStore.ts';
import { operationHeading } from '../../words/operationName.ts';
import { BackupRow } from './backup/BackupRow.tsx';
import { newestBackup } from './backup/newestBackup.ts';
import { GoesOn } from './GoesOn.tsx';
import { useKnownWallets } from './useKnownWallets.ts';
import { WizardFrame } from './WizardFrame.tsx';

const TITLE = say('Back up a wallet');
const STEPS = [
  { id: 'place', label: say('Place') },
  { id: 'running', label: say('Running') },
  { id: 'done', label: say('Done') },
] as const;

interface BackupWizardProps {
  /** What stands in its place until there is a node, under this title. */
  noNode: (title: string) => ReactNode;
  wallet: string;
}

export function BackupWizard(props: BackupWizardProps) {
  return <OneBackup key={props.wallet} {...props} />;
}

function OneBackup({ noNode, wallet }: BackupWizardProps) {
  const go = useApp((state) => state.go);
  const node = useNode();
  const known = useKnownWallets()?.find(({ name }) => name === wallet);
  const [{ since, address }] = useState(() => startOf(wallet, node?.address));
  const operation = useOperations(({ operations }) => newestBackup(operations, wallet, since, address));
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  if (!node && !operation) return noNode(TITLE);
  const state = operation?.state ?? null;
  const offline = node?.offline ?? false;
  const unloaded = known?.loaded === false && state === null;
  const over = state === 'done' || state === 'unknown';
  return (
    <WizardFrame
      title={TITLE}
      steps={STEPS}
      at={state === 'done' ? 'done' : state === null ? 'place' : 'running'}
      heading={operation ? operationHeading(operation) : say('Where the backup goes')}
      onCancel={over || state === 'running' ? undefined : () => go({ at: 'wallets' })}
      actions={over && <Button onClick={() => go({ at: 'wallets' })}>{say('To the wallets')}</Button>}
    >
      {state === null && !unloaded && <p>{whereTo(node)}</p>}
      {unloaded ? (
        <LoadFirst wallet={wallet} offline={offline} onLoaded={setWarnings} />
      ) : (
        address && <BackupRow wallet={wallet} since={since} node={address} />
      )}
      <NodeWarnings warnings={warnings} offline={offline} />
      {state === 'running' && <GoesOn />}
    </WizardFrame>
  );
}

/** What to choose, and who writes there. */
function whereTo(node: NodeStatus | null): string {
  if (node?.offline) {
    return say(
      'Choose a place, at best on another disk. The offline engine writes the backup there at once, so you need the right to write to that folder. No file is ever overwritten.',
    );
  }
  return node?.local
    ? say(
        'Choose a place, at best on another disk. The node writes the backup there at once, so its user needs the right to write to that folder. No file is ever overwritten.',
      )
    : say('The node is on another machine and writes the backup there.');
}

/** The moment from which backups count, now or when one that still runs was begun, and the node of both. */
function startOf(wallet: string, inUse: NodeAddress | undefined) {
  const running = useOperations
    .getState()
    .operations.find((one) => one.kind === 'backup' && one.wallet === wallet && one.state === 'running');
  return { since: running?.started ?? Date.now() / 1000, address: running?.node.address ?? inUse };
}

interface LoadFirstProps {
  wallet: string;
  offline: boolean;
  /** Gets the node's warnings. */
  onLoaded: (warnings: readonly string[]) => void;
}

function LoadFirst({ wallet, offline, onLoaded }: LoadFirstProps) {
  const { busy, error, ask } = useAsking();

  async function load() {
    await ask(async () => {
      const loaded = await useWallets.getState().load(wallet);
      if ('error' in loaded) return loaded.error;
      onLoaded(loaded.warnings);
      return null;
    });
  }

  return (
    <>
      <Notice tone="info" title={say('This wallet is not loaded')}>
        <p>
          {offline
            ? say('The offline engine backs up loaded wallets only.')
            : say(
                'The node backs up loaded wallets only. Loading may take a while when the wallet lags behind the chain.',
              )}
        </p>
        <ActionButton size="compact-sm" variant="default" busy={busy} onClick={load}>
          {say('Load')}
        </ActionButton>
      </Notice>
      {error && <ErrorNotice title={say('The wallet was not loaded')} error={error} />}
    </>
  );
}
