/** Buttons that save: new backups of wallets into one folder, and the report of one job. */
import { TextInput } from '@mantine/core';
import { type ComponentProps, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { joinPath, suggestedBackups } from '../../shared/model/names/fileNames.ts';
import type { NodeAddress } from '../../shared/model/node.ts';
import { say } from '../../shared/wording/say.ts';
import { useApp, useNode } from '../state/appStore.ts';
import { useBackups } from '../state/backupsStore.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { pickFile } from '../state/filePicker.ts';
import { useAsking } from '../state/useAsking.ts';
import { ActionButton, SmallButton } from './buttons.tsx';
import { ErrorNotice } from './notices.tsx';
import { PathLine } from './paths.tsx';
import { Spoken } from './texts.tsx';

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

interface SaveReportProps {
  id: string;
  /** When it began, in Unix seconds: the file is named after that. */
  started: number;
  describedBy?: string | undefined;
  /** The report for others as it is shown; without it, the full record is saved. */
  shown?: string;
}

/** Saves the shown report of one job, or the full record for the user alone, also as PDF. */
export function SaveReport({ id, started, describedBy, shown }: SaveReportProps) {
  const canSavePdf = useApp(({ info }) => info?.canSavePdf ?? false);
  const inBrowser = useApp(({ info }) => info?.entry === 'browser');
  const [saved, setSaved] = useState<string | null>(null);
  const [printed, setPrinted] = useState<string | null>(null);
  const { error, ask } = useAsking();

  const print = () => ask(async () => setPrinted((await bridge.call('jobs.ownReport', { id })).text));

  async function save(ending: 'txt' | 'pdf') {
    const day = new Date(started * 1000).toISOString().slice(0, 10);
    const suggestedName = `wallet-ferry-${shown === undefined ? 'record' : 'report'}-${day}.${ending}`;
    if (inBrowser) {
      // The browser asks where; the page names no path.
      await ask(async () =>
        download(suggestedName, shown ?? (await bridge.call('jobs.ownReport', { id })).text),
      );
      return;
    }
    const destination = await pickFile({ purpose: 'save-report', suggestedName });
    if (destination === null) return;
    setSaved(null);
    const which = shown === undefined ? 'own' : 'others';
    await ask(async () => setSaved((await bridge.call('jobs.saveReport', { id, which, destination })).path));
  }

  return (
    <>
      <SmallButton describedBy={describedBy} onClick={() => void save('txt')}>
        {shown === undefined ? say('Save a record…') : say('Save this report…')}
      </SmallButton>
      {shown === undefined && (
        <SmallButton describedBy={describedBy} onClick={() => void (canSavePdf ? save('pdf') : print())}>
          {canSavePdf ? say('Record as PDF…') : say('Print the record…')}
        </SmallButton>
      )}
      {printed !== null && <OnPaper text={printed} onEnd={setPrinted} />}
      <Spoken>
        {saved !== null && (
          <PathLine label={shown === undefined ? say('The record') : say('The report')} path={saved} />
        )}
      </Spoken>
      {error && <ErrorNotice title={say('Not saved')} error={error} />}
    </>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** What is printed in place of the page: see page.css. Opens the browser's dialog. */
function OnPaper({ text, onEnd }: { text: string; onEnd: (text: null) => void }) {
  useEffect(() => {
    const end = () => onEnd(null);
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [onEnd]);
  return createPortal(<pre data-paper>{text}</pre>, document.body);
}
