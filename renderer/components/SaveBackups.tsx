/** New backups of several wallets of the node in use: a button, and the one folder that all of them go to. */
import { TextInput } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { joinPath, suggestedBackups } from '../../shared/model/names/fileNames.ts';
import type { NodeAddress } from '../../shared/model/node.ts';
import { say } from '../../shared/wording/say.ts';
import { useApp, useNode } from '../state/appStore.ts';
import { useBackups } from '../state/backupsStore.ts';
import { pickFile } from '../state/filePicker.ts';
import { ActionButton } from './buttons.tsx';

interface SaveBackupsProps
  extends Pick<ComponentProps<typeof ActionButton>, 'variant' | 'size' | 'blocked' | 'describedBy'> {
  /** Names of wallets of `node`, which may have been left for another one since. */
  wallets: readonly string[];
  node: NodeAddress;
  label: string;
  onSave?: () => void;
}

export function SaveBackups({ wallets, node, label, onSave, blocked = false, ...button }: SaveBackupsProps) {
  /** Whether the app sees the node's disk, so that the folder can be chosen there. */
  const local = useNode()?.local ?? true;
  const platform = useApp(({ info }) => info?.platform ?? 'other');
  const [typed, setTyped] = useState('');
  const folder = typed.trim();

  async function choose() {
    const chosen = local ? await pickFile({ purpose: 'backups-folder' }) : folder;
    if (chosen === null) return;
    const names = suggestedBackups(wallets, new Date());
    const list = wallets.map((wallet, at) => ({
      node,
      wallet,
      destination: joinPath(chosen, names[at] ?? '', local ? platform : platformOf(chosen)),
    }));
    void useBackups.getState().save(list);
    onSave?.();
  }

  return (
    <>
      {!local && (
        <TextInput
          w="100%"
          label={say('Folder')}
          description={say('Full path on the node’s machine.')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <ActionButton {...button} blocked={blocked || (!local && folder === '')} onClick={() => void choose()}>
        {label}
      </ActionButton>
    </>
  );
}

/** A remote node's system is not known: its own way to write a path tells. */
function platformOf(folder: string): 'win32' | 'other' {
  return /^[A-Za-z]:|^\\\\/.test(folder) ? 'win32' : 'other';
}
