/** New backups of several wallets of the node in use: a button, and the one folder that all of them go to. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NodeAddress } from '../../shared/node.ts';
import { say } from '../../shared/text/say.ts';
import { joinPath, suggestedBackups } from '../elements/file/fileNames.ts';
import { useFilePicker } from '../elements/file/useFilePicker.ts';
import { ActionButton } from '../elements/input/ActionButton.tsx';
import { useApp, useNode } from '../state/appStore.ts';
import { useBackups } from '../state/backupsStore.ts';
import styles from './SaveBackups.module.css';

interface SaveBackupsProps {
  /** Names of wallets of `node`, which may have been left for another one since. */
  wallets: readonly string[];
  node: NodeAddress;
  label: string;
  describedBy?: string;
  look?: 'main' | 'plain' | 'small';
  blocked?: boolean;
  /** They are queued. */
  onSave?: () => void;
}

const LOOKS = {
  main: {},
  plain: { variant: 'default' },
  small: { variant: 'default', size: 'compact-sm' },
} as const;

export function SaveBackups(props: SaveBackupsProps) {
  const { wallets, node, label, describedBy, look = 'main', blocked = false, onSave } = props;
  /** Whether the app sees the node's disk, so that the folder can be chosen there. */
  const local = useNode()?.local ?? true;
  const pick = useFilePicker();
  const [typed, setTyped] = useState('');
  const folder = typed.trim();

  async function choose() {
    const chosen = local ? await pick({ purpose: 'backups-folder' }) : folder;
    if (chosen === null) return;
    save(chosen, wallets, node, local);
    onSave?.();
  }

  return (
    <>
      {!local && (
        <TextInput
          className={styles.folder}
          label={say('Folder')}
          description={say('Full path on the node’s machine.')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <div>
        <ActionButton
          {...LOOKS[look]}
          blocked={blocked || (!local && folder === '')}
          onClick={() => void choose()}
          describedBy={describedBy}
        >
          {label}
        </ActionButton>
      </div>
    </>
  );
}

function save(folder: string, wallets: readonly string[], node: NodeAddress, local: boolean): void {
  const platform = local
    ? (useApp.getState().info?.platform ?? 'other')
    : // A remote node's system is not known: its own way to write a path tells.
      /^[A-Za-z]:|^\\\\/.test(folder)
      ? 'win32'
      : 'other';
  const names = suggestedBackups(wallets, new Date());
  void useBackups.getState().save(
    wallets.map((wallet, at) => ({
      node,
      wallet,
      destination: joinPath(folder, names[at] ?? '', platform),
    })),
  );
}
