/** Buttons that save new backups of wallets, and the report of a job. */
import { TextInput } from '@mantine/core';
import { type ComponentProps, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Job, JobNode } from '../../shared/model/job.ts';
import { joinPath, suggestedBackups } from '../../shared/model/names/walletName.ts';
import { say } from '../../shared/wording/say.ts';
import { useApp, useNode } from '../state/appStore.ts';
import { useAsking } from '../state/asking.ts';
import { saveBackups } from '../state/backupsStore.ts';
import { bridge } from '../state/bridge.ts';
import { pickFile } from '../state/filePicker.ts';
import { ActionButton, SmallButton } from './buttons.tsx';
import { ErrorNotice } from './notices.tsx';
import { FileLine } from './paths.tsx';
import { Spoken } from './texts.tsx';

interface SaveBackupsProps
  extends Pick<ComponentProps<typeof ActionButton>, 'variant' | 'size' | 'blocked' | 'describedBy'> {
  /** Names of wallets of `node`, to which the app may no longer be connected. */
  wallets: readonly string[];
  node: JobNode;
  label: string;
  onSave?: () => void;
}

export function SaveBackups({ wallets, node, label, onSave, blocked = false, ...button }: SaveBackupsProps) {
  /** Whether the app sees the node's disk, so that the user can choose the folder. */
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
    void saveBackups(list);
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

/** The path style shows the system of a remote node. */
function platformOf(folder: string): 'win32' | 'other' {
  return /^[A-Za-z]:|^\\\\/.test(folder) ? 'win32' : 'other';
}

interface SaveReportProps {
  /** The file is named after the job’s start. */
  job: Pick<Job, 'id' | 'started'>;
  describedBy?: string | undefined;
  /** The shown report for others. Without it, the full record is saved. */
  shown?: string;
}

/** Saves the report of a job for others, or the user's own full record, as text or PDF. */
export function SaveReport({ job: { id, started }, describedBy, shown }: SaveReportProps) {
  const canSavePdf = useApp(({ info }) => info?.canSavePdf ?? false);
  const inBrowser = useApp(({ info }) => info?.entry === 'browser');
  const [saved, setSaved] = useState<string | null>(null);
  const [printed, setPrinted] = useState<string | null>(null);
  const { error, ask } = useAsking();

  const record = async () => (await bridge.call('jobs.report', { id, which: 'record' })).text;
  const print = () => ask(async () => setPrinted(await record()));

  async function save(ending: 'txt' | 'pdf') {
    const day = new Date(started * 1000).toISOString().slice(0, 10);
    const suggestedName = `wallet-ferry-${shown === undefined ? 'record' : 'report'}-${day}.${ending}`;
    if (inBrowser) {
      // The browser asks for the path.
      await ask(async () => download(suggestedName, shown ?? (await record())));
      return;
    }
    const destination = await pickFile({ purpose: 'save-report', suggestedName });
    if (destination === null) return;
    setSaved(null);
    const which = shown === undefined ? 'record' : 'for-help';
    await ask(async () => setSaved((await bridge.call('jobs.saveReport', { id, which, destination })).path));
  }

  return (
    <>
      <SmallButton describedBy={describedBy} onClick={() => void save('txt')}>
        {shown === undefined ? say('Save a record…') : say('Save this report…')}
      </SmallButton>
      {shown === undefined && (
        <SmallButton describedBy={describedBy} onClick={() => void (canSavePdf ? save('pdf') : print())}>
          {canSavePdf ? say('As PDF…') : say('Print the record…')}
        </SmallButton>
      )}
      {printed !== null && <OnPaper text={printed} onEnd={setPrinted} />}
      <Spoken>
        {saved !== null && (
          <FileLine name={shown === undefined ? say('The record') : say('The report')} path={saved} />
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

/** Prints a text instead of the page (see page.css), by the browser's dialog. */
function OnPaper({ text, onEnd }: { text: string; onEnd: (text: null) => void }) {
  useEffect(() => {
    const end = () => onEnd(null);
    window.addEventListener('afterprint', end);
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [onEnd]);
  return createPortal(<pre data-paper>{text}</pre>, document.body);
}
