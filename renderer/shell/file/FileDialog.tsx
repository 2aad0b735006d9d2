/** The app's own file dialog, for where there is none of the system: the folders of the machine the app runs on. */
import { Box, Button, TextInput, Title } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { AppInfo } from '../../../shared/contract.ts';
import type { FolderEntry } from '../../../shared/model/files.ts';
import { joinPath } from '../../../shared/model/names/fileNames.ts';
import { FILE_PURPOSES, type FilePurpose } from '../../../shared/wording/filePurposes.ts';
import { say } from '../../../shared/wording/say.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { SmallButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { Notice } from '../../components/Notice.tsx';
import { SafeText, Say } from '../../components/text/texts.tsx';
import { useApp } from '../../state/appStore.ts';
import type { FileQuestion } from '../../state/filePicker.ts';
import styles from './FileDialog.module.css';
import { FolderList } from './FolderList.tsx';
import { fileNameProblem } from './fileNameProblem.ts';
import { useFolder } from './useFolder.ts';

interface FileDialogProps extends FileQuestion {
  /** The chosen path, or null when the user closed the dialog. */
  onClose: (path: string | null) => void;
}

export function FileDialog({ purpose, suggestedName = '', dropped, onClose }: FileDialogProps) {
  const { title, asks } = FILE_PURPOSES[purpose];
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pathField = useRef<HTMLInputElement>(null);
  const platform = useApp(({ info }) => info?.platform ?? 'other');
  /** Whether the field holds what the user is typing: a folder that arrives late must not replace it. */
  const typing = useRef(false);
  const { listing, error, looking, open: openFolder } = useFolder();
  const [chosenPath, setChosenPath] = useState<string | null>(null);

  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // The browser gives the focus back only to a dialog that is closed, not to one that is taken away.
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  useEffect(() => {
    if (pathField.current && listing && !typing.current) pathField.current.value = listing.path;
  }, [listing]);

  function open(path: string) {
    typing.current = false;
    openFolder(path);
  }

  const entries = listing?.entries ?? [];
  const chosen =
    entries.find((entry) => entry.path === chosenPath) ??
    entries.find((entry) => entry.kind === 'file' && entry.name === dropped) ??
    null;
  const chosenFile = chosen?.kind === 'file' ? chosen : null;
  const cancel = (
    <Button variant="default" onClick={() => onClose(null)}>
      {say('Cancel')}
    </Button>
  );

  function goToTyped(event: FormEvent) {
    event.preventDefault();
    const typed = pathField.current?.value.trim();
    if (typed) open(typed);
  }

  function goUp() {
    if (listing?.parent) open(listing.parent);
  }

  function choose(entry: FolderEntry) {
    if (entry.kind === 'folder') open(entry.path);
    else if (entry.kind === 'file' && asks === 'file') onClose(entry.path);
  }

  function finish(name: string) {
    if (!listing) return;
    // A typed folder is looked into first: nothing must go where the user no longer looks.
    const typed = pathField.current?.value.trim();
    if (typed && typed !== listing.path) open(typed);
    else onClose(name === '' ? listing.path : joinPath(listing.path, name, platform));
  }

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose(null);
      }}
    >
      <Title order={2} id={titleId}>
        {title}
      </Title>
      {dropped !== undefined && (
        <Notice tone="info" title={say('Find the dropped file')}>
          <Say
            text="Browsers hide where a dropped file is. Choose {file} here."
            values={{
              file: (
                <strong>
                  <SafeText text={dropped} />
                </strong>
              ),
            }}
          />
        </Notice>
      )}
      <form className={styles.path} onSubmit={goToTyped}>
        <Button
          variant="default"
          px="xs"
          aria-label={say('Parent folder')}
          disabled={!listing?.parent}
          onClick={goUp}
        >
          <IconArrowUp size={18} />
        </Button>
        <TextInput
          ref={pathField}
          flex={1}
          miw={0}
          aria-label={say('Folder')}
          onChange={() => {
            typing.current = true;
          }}
          dir="ltr"
        />
        <Button type="submit" variant="default">
          {say('Go')}
        </Button>
      </form>
      {listing && (
        <ul className={layout.row} aria-label={say('Start from')}>
          {listing.places.map((place) => (
            <li key={place.path}>
              <SmallButton onClick={() => open(place.path)}>
                <SafeText text={place.label} truncate />
              </SmallButton>
            </li>
          ))}
        </ul>
      )}
      {error && <ErrorNotice error={error} />}
      {listing ? (
        <FolderList
          key={listing.path}
          entries={entries}
          chosen={chosen}
          filesAreFaint={asks !== 'file'}
          onSelect={(entry) => setChosenPath(entry.path)}
          onOpen={choose}
          onParent={goUp}
        />
      ) : (
        <p className={layout.small}>{looking ? say('Opening…') : ''}</p>
      )}
      {listing?.truncated && <p className={layout.small}>{say('The first 5,000 entries only.')}</p>}
      {asks === 'file' ? (
        <div className={styles.foot}>
          <Box flex="1 1 160px" miw={0} lh="36px" className={layout.dim} role="status">
            {chosenFile ? <SafeText text={chosenFile.name} truncate /> : say('No file chosen')}
          </Box>
          <div className={layout.row}>
            {cancel}
            <Button disabled={!chosenFile} onClick={() => chosenFile && choose(chosenFile)}>
              {say('Choose')}
            </Button>
          </div>
        </div>
      ) : (
        <NewName
          asks={asks}
          suggestedName={suggestedName}
          entries={listing && !error ? entries : null}
          platform={platform}
          onName={finish}
          cancel={cancel}
        />
      )}
    </dialog>
  );
}

interface NewNameProps {
  asks: Exclude<FilePurpose['asks'], 'file'>;
  suggestedName: string;
  /** What is in the folder that is shown; null while it cannot be seen. */
  entries: readonly FolderEntry[] | null;
  platform: AppInfo['platform'];
  /** Given the name that was typed: for a folder it may be empty, which is the folder that is shown itself. */
  onName: (name: string) => void;
  cancel: ReactNode;
}

/** The name of a new file, or of a new folder if one is wanted. */
function NewName({ asks, suggestedName, entries, platform, onName, cancel }: NewNameProps) {
  const [name, setName] = useState(suggestedName);
  const folder = asks !== 'new-file';
  const kind = folder ? 'folder' : asks;
  const taken = entries?.some((entry) => entry.name === name);
  const problem = folder && name === '' ? null : taken ? TAKEN[kind] : fileNameProblem(name, platform, kind);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (entries !== null && problem === null) onName(name);
  }

  return (
    <form className={styles.foot} onSubmit={submit}>
      {asks !== 'folder' && (
        <TextInput
          className={layout.grows}
          label={folder ? say('New folder (optional)') : say('File name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
        />
      )}
      <div className={layout.row}>
        {cancel}
        <Button type="submit" disabled={entries === null || problem !== null}>
          {folder
            ? name === ''
              ? say('Choose this folder')
              : say('Choose the new folder')
            : say('Save here')}
        </Button>
      </div>
    </form>
  );
}

const TAKEN = {
  folder: say('This name is taken. Choose another.'),
  'new-file': say('This file exists. Choose another name.'),
} as const;
