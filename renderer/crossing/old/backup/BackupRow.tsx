/** One wallet's new backup: where it goes, how far it is, and the proof of it. */
import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { NodeAddress } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { useFilePicker } from '../../../elements/file/useFilePicker.ts';
import { ActionButton } from '../../../elements/input/ActionButton.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { useNode } from '../../../state/appStore.ts';
import { useOperations } from '../../../state/operationsStore.ts';
import { useAsking } from '../../../state/useAsking.ts';
import { OperationOutcome } from '../../result/OperationOutcome.tsx';
import { OperationProgress } from '../../run/OperationProgress.tsx';
import { WalletTitle } from '../../WalletTitle.tsx';
import styles from './BackupRow.module.css';
import { newestBackup } from './newestBackup.ts';
import { suggestedBackup } from './suggestedBackup.ts';

interface BackupRowProps {
  wallet: string;
  /** What the wallet is: "Main wallet". */
  title?: string;
  /** Backups begun before this moment (unix seconds) do not count. */
  since: number;
  /** The node the wallet is on. */
  node: NodeAddress;
}

export function BackupRow({ wallet, title, since, node }: BackupRowProps) {
  const nameId = useId();
  const local = useNode()?.local ?? true;
  const operation = useOperations(({ operations }) => newestBackup(operations, wallet, since, node));
  const { busy, error, ask } = useAsking();

  async function backUp(destination: string) {
    await ask(async () => {
      const started = await useOperations.getState().backUp({ name: wallet, destination, node });
      return 'error' in started ? started.error : null;
    });
  }

  const running = operation?.state === 'running';
  const Place = local ? PlaceHere : PlaceThere;
  return (
    <div className={styles.row}>
      <WalletTitle name={<WalletName name={wallet} />} role={title} headingId={nameId} />
      {error && <ErrorNotice title={say('The backup was not started')} error={error} />}
      {running && <OperationProgress operation={operation} />}
      {operation && !running && !error && <OperationOutcome operation={operation} />}
      {!running && operation?.state !== 'done' && (
        <Place wallet={wallet} nameId={nameId} busy={busy} onPlace={backUp} />
      )}
    </div>
  );
}

interface PlaceProps {
  wallet: string;
  nameId: string;
  busy: boolean;
  onPlace: (destination: string) => void;
}

function PlaceHere({ wallet, nameId, busy, onPlace }: PlaceProps) {
  const pick = useFilePicker();

  async function choose() {
    const suggestedName = suggestedBackup(wallet, new Date());
    const destination = await pick({ purpose: 'save-backup', suggestedName });
    if (destination !== null) onPlace(destination);
  }

  return (
    <div>
      <ActionButton busy={busy} onClick={choose} describedBy={nameId}>
        {say('Choose where…')}
      </ActionButton>
    </div>
  );
}

function PlaceThere({ wallet, nameId, busy, onPlace }: PlaceProps) {
  const [path, setPath] = useState('');
  const ready = path.trim() !== '';
  return (
    <div className={styles.there}>
      <TextInput
        label={say('Path on the node’s machine')}
        description={say(
          'The node writes the file itself, on its own machine. Give the whole path with a new name, such as {file} in a folder that the node may write to. The app cannot see what is there: the node overwrites a file of the same name.',
          { file: suggestedBackup(wallet, new Date()) },
        )}
        aria-describedby={nameId}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // The form around it belongs to the wizard, whose way on is another one.
          event.preventDefault();
          if (ready && !busy) onPlace(path.trim());
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <div>
        <ActionButton busy={busy} blocked={!ready} onClick={() => onPlace(path.trim())} describedBy={nameId}>
          {say('Back up')}
        </ActionButton>
      </div>
    </div>
  );
}
