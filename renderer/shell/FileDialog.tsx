/** The app's own file dialog, for browsers: it shows the folders of the machine that the app runs on. */
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import type { AppInfo } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import type { FolderEntry, FolderListing } from '../../shared/model/files.ts';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import { findWindowsProblem, isTooLong, joinPath } from '../../shared/model/names/walletName.ts';
import { FILE_PURPOSES } from '../../shared/wording/filePurposes.ts';
import { formatSize } from '../../shared/wording/format/formatNumber.ts';
import { formatTime } from '../../shared/wording/format/formatTime.ts';
import { nameProblemText } from '../../shared/wording/format/names.ts';
import { say } from '../../shared/wording/say.ts';
import { SmallButton } from '../components/buttons.tsx';
import { Form, onPathPaste, pathHere } from '../components/fields.tsx';
import { ErrorNotice, Notice, useReturnFocus } from '../components/parts.tsx';
import { Quiet, SafeText, Say } from '../components/texts.tsx';
import { useApp } from '../state/appStore.ts';
import { useTasks } from '../state/asking.ts';
import { bridge } from '../state/bridge.ts';
import type { FileQuestion, SyncedQuestion } from '../state/filePicker.ts';
import styles from './App.module.css';

interface FileDialogProps extends FileQuestion {
  onClose: (path: string | null) => void;
}

export function FileDialog({ purpose, suggestedName = '', dropped, onClose }: FileDialogProps) {
  const { title, asks } = FILE_PURPOSES[purpose];
  const platform = useApp(({ info }) => info?.platform ?? 'other');
  const { listing, error, looking, open, clear } = useFolder();
  useReturnFocus();
  /** The typed path of a folder, until the user opens it. */
  const [typed, setTyped] = useState<string | null>(null);
  const [name, setName] = useState(suggestedName);
  const [selected, setSelected] = useState<string | null>(null);
  const entries = listing?.entries ?? [];
  const found = entries.find((entry) => entry.kind === 'file' && entry.name === dropped);
  const entry = entries.find(({ path }) => path === selected) ?? found;
  const parent = listing?.parent ?? null;
  const folder = typed === null ? (listing?.path ?? '') : pathHere(typed, listing?.path);
  const problem = problemOf(name);

  /** The problem of the typed name, in a sentence, or null. Without a name, the answer is the shown folder. */
  function problemOf(wanted: string): string | null {
    const isFolder = asks !== 'new-file';
    if (asks === 'file' || asks === 'folder' || (isFolder && wanted === '')) return null;
    return entries.some((one) => one.name === wanted)
      ? say('This name is taken.')
      : fileNameProblem(wanted, platform, isFolder ? 'folder' : 'new-file');
  }

  /** Opens a folder. Takes a file at once, if one is asked for. */
  async function show(path: string) {
    const opened = await open(path);
    if (!opened?.ok) return;
    setTyped(null);
    const { file } = opened.value;
    if (file !== null && asks === 'file') onClose(file);
  }

  function showPasted(path: string) {
    setTyped(path);
    void show(path);
  }

  function choose(one: FolderEntry | undefined) {
    if (one?.kind === 'folder') void show(one.path);
    else if (one?.kind === 'file' && asks === 'file') onClose(one.path);
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') choose(entry);
    else if (event.key === 'Backspace' && parent !== null) void show(parent);
    else return;
    event.preventDefault();
  }

  function finish() {
    // Open a typed folder first, so that nothing goes to a folder that the user does not see.
    if (typed !== null && folder !== listing?.path) void show(folder);
    else if (asks === 'file') choose(entry);
    else if (listing && problem === null)
      onClose(name === '' ? listing.path : joinPath(listing.path, name, platform));
  }

  const isBlocked =
    error !== null ||
    looking ||
    (typed === null && (asks === 'file' ? entry === undefined : listing === null || problem !== null));
  return (
    <Modal opened onClose={() => onClose(null)} size={680} yOffset="clamp(0px, 8dvh - 24px, 5dvh)">
      <Form className={styles.dialog} onSubmit={finish} onPaste={onPathPaste(showPasted, listing?.path)}>
        {/* The modal's own title would be a second banner of the page. */}
        <Modal.Title>{title}</Modal.Title>
        {dropped !== undefined && (
          <Notice tone="info" title={say('Find the dropped file')}>
            <Say
              text="Browsers hide file paths. Choose {file} here."
              values={{ file: <SafeText text={dropped} /> }}
            />
          </Notice>
        )}
        <Group wrap="nowrap" gap="xs">
          <Button
            variant="default"
            px="xs"
            aria-label={say('Parent folder')}
            disabled={parent === null}
            onClick={() => parent !== null && void show(parent)}
          >
            <IconArrowUp size={18} aria-hidden />
          </Button>
          <TextInput
            flex={1}
            dir="ltr"
            aria-label={say('Folder')}
            value={typed ?? folder}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              clear();
            }}
          />
          <Button variant="default" onClick={() => void show(folder)}>
            {say('Go')}
          </Button>
        </Group>
        <ul className="row" aria-label={say('Start from')}>
          {listing?.places.map(({ path, label }) => (
            <li key={path}>
              <SmallButton onClick={() => void show(path)}>
                <SafeText text={label} truncate />
              </SmallButton>
            </li>
          ))}
        </ul>
        {error && <ErrorNotice error={error} />}
        {listing && (
          <select
            key={listing.path}
            className={styles.listing}
            size={10}
            aria-label={say('Files and folders')}
            defaultValue={found?.path}
            // Keep the keyboard focus in the opened folder.
            ref={takeFocus}
            onChange={(event) => setSelected(event.currentTarget.value)}
            onKeyDown={press}
            onDoubleClick={() => choose(entry)}
          >
            {entries.map(({ path, name, kind }) => (
              <option key={path} value={path} dir="auto" disabled={kind === 'special'} translate="no">
                {visibleText(name)}
                {kind === 'folder' && '/'}
              </option>
            ))}
          </select>
        )}
        <div role="status">
          <Quiet small>
            {listing?.truncated && say('The first 5,000 entries only.')}{' '}
            {entry ? (
              <>
                <SafeText text={entry.name} truncate /> {entry.size !== null && formatSize(entry.size)}{' '}
                {entry.modified !== null && formatTime(entry.modified)}
              </>
            ) : (
              listing?.entries.length === 0 && say('This folder is empty.')
            )}
          </Quiet>
        </div>
        {(asks === 'new-file' || asks === 'new-folder') && (
          <TextInput
            label={asks === 'new-file' ? say('File name') : say('New folder (optional)')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onPaste={(event) => event.stopPropagation()}
            error={problem}
          />
        )}
        <Group justify="flex-end" gap={8} className={styles.buttons}>
          <Button variant="default" onClick={() => onClose(null)}>
            {say('Cancel')}
          </Button>
          <Button type="submit" disabled={isBlocked}>
            {actionName()}
          </Button>
        </Group>
      </Form>
    </Modal>
  );

  function actionName(): string {
    if (asks === 'file') return entry?.kind === 'folder' ? say('Open') : say('Choose');
    if (asks === 'new-file') return say('Save here');
    return name === '' ? say('Choose this folder') : say('Choose the new folder');
  }
}

function takeFocus(list: HTMLElement | null): void {
  list?.focus();
}

/** The last folder, where the dialog opens again. */
let last: string | null = null;

/** The last readable folder. It stays when another one is unreadable. */
function useFolder() {
  const [listing, setListing] = useState<FolderListing | null>(null);
  const [error, setError] = useState<AppErrorShape | null>(null);
  const [looking, setLooking] = useState(false);
  const tasks = useTasks();

  const open = useCallback(
    async (path: string | null) => {
      setLooking(true);
      const opened = await tasks.run('browse', () => bridge.call('files.browse', { path }));
      if (opened === null) return null;
      setLooking(false);
      setError(opened.ok ? null : opened.error);
      if (opened.ok) {
        setListing(opened.value);
        last = opened.value.path;
      }
      return opened;
    },
    [tasks],
  );

  useEffect(() => {
    // The last folder may be on a removed stick.
    void open(last).then((opened) => {
      if (opened?.ok === false && last !== null) void open(null);
    });
  }, [open]);

  return { listing, error, looking, open, clear: () => setError(null) };
}

/** Asks before keys are saved where a service copies them. */
export function SyncedFolder({ service, keys, onAnswer }: SyncedQuestion) {
  useReturnFocus();
  const risk =
    keys === 'open'
      ? say('Anyone who reads it there can spend.')
      : say('Only the passphrase protects your keys.');
  return (
    <Modal opened onClose={() => onAnswer(null)}>
      <Modal.Title>{say('This folder syncs to {service}.', { service })}</Modal.Title>
      <p>{risk}</p>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => onAnswer('save')}>
          {say('Save anyway')}
        </Button>
        <Button onClick={() => onAnswer('again')} data-autofocus>
          {say('Choose another folder…')}
        </Button>
      </Group>
    </Modal>
  );
}

/** Why a file or a folder cannot have this name, in a sentence, or null. */
export function fileNameProblem(
  name: string,
  platform: AppInfo['platform'],
  asks: 'folder' | 'new-file' = 'new-file',
): string | null {
  const folder = asks === 'folder';
  if (name.trim() === '') return folder ? say('Name the folder.') : say('Name the file.');
  if (name === '.' || name === '..') return say('This folder exists.');
  if (name.includes('/') || (platform === 'win32' && name.includes('\\'))) {
    return say('No slashes. Open the folder first.');
  }
  if (/\p{Cc}/u.test(name)) return say('No control characters.');
  const problem = platform === 'win32' ? findWindowsProblem(name) : null;
  if (problem !== null) return nameProblemText(problem);
  return isTooLong(name) ? nameProblemText('too_long') : null;
}
