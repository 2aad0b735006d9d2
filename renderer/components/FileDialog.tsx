/** The app's own file dialog, for where there is none of the system: the folders of the machine the app runs on. */
import { Button, TextInput } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { FolderEntry } from '../../shared/model.ts';
import { useApp } from '../state/appStore.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import styles from './FileDialog.module.css';
import { FolderList } from './FolderList.tsx';
import { fileNameProblem } from './fileNameProblem.ts';
import { joinPath } from './joinPath.ts';
import { Notice } from './Notice.tsx';
import { SafeText } from './SafeText.tsx';
import type { FilePickOptions } from './useFilePicker.ts';
import { useFolder } from './useFolder.ts';

interface FileDialogProps extends FilePickOptions {
  /** The chosen path, or null when the user closed the dialog. */
  onClose: (path: string | null) => void;
}

const TITLES = {
  backup: 'Choose the backup file',
  cookie: 'Choose the cookie file',
  'save-backup': 'Save the new backup',
} as const;

export function FileDialog({ purpose, suggestedName = '', dropped, onClose }: FileDialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pathField = useRef<HTMLInputElement>(null);
  const platform = useApp(({ info }) => info?.platform ?? 'other');
  /** Whether the field holds what the user is typing: a folder that arrives late must not replace it. */
  const typing = useRef(false);
  const { listing, error, looking, open: openFolder } = useFolder();
  const [chosenPath, setChosenPath] = useState<string | null>(null);
  const [name, setName] = useState(suggestedName || 'wallet.bak');
  const saving = purpose === 'save-backup';

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
  const taken = entries.some((entry) => entry.name === name);
  const problem = taken
    ? 'There is a file of this name here. The app never overwrites one: choose another name.'
    : fileNameProblem(name, platform);

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
    else if (entry.kind === 'file' && !saving) onClose(entry.path);
  }

  function save(event: FormEvent) {
    event.preventDefault();
    if (!listing || problem || error) return;
    // A typed folder is looked into first: the file must not go where the user no longer looks.
    const typed = pathField.current?.value.trim();
    if (typed && typed !== listing.path) open(typed);
    else onClose(joinPath(listing.path, name, platform));
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
      <h2 id={titleId} className={styles.title}>
        {TITLES[purpose]}
      </h2>
      {dropped !== undefined && (
        <Notice tone="info" title="Find the file that you dropped">
          A browser does not tell a page where a dropped file lies. Go to the folder of{' '}
          <strong>
            <SafeText text={dropped} />
          </strong>{' '}
          here and choose it.
        </Notice>
      )}
      <form className={styles.path} onSubmit={goToTyped}>
        <Button
          variant="default"
          px="xs"
          aria-label="Parent folder"
          disabled={!listing?.parent}
          onClick={goUp}
        >
          <IconArrowUp size={18} />
        </Button>
        <TextInput
          ref={pathField}
          className={styles.pathField}
          aria-label="Folder"
          onChange={() => {
            typing.current = true;
          }}
          spellCheck={false}
          autoComplete="off"
          dir="ltr"
        />
        <Button type="submit" variant="default">
          Go
        </Button>
      </form>
      {listing && (
        <ul className={styles.places} aria-label="Where to start from">
          {listing.places.map((place) => (
            <li key={place.path}>
              <Button size="compact-sm" variant="default" onClick={() => open(place.path)}>
                <SafeText text={place.label} truncate />
              </Button>
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
          filesAreFaint={saving}
          onSelect={(entry) => setChosenPath(entry.path)}
          onOpen={choose}
          onParent={goUp}
        />
      ) : (
        <p className={styles.note}>{looking ? 'Looking into the folder…' : ''}</p>
      )}
      {listing?.truncated && (
        <p className={styles.note}>
          Only the first 5,000 entries are shown. Type the path of a folder above to go there.
        </p>
      )}
      {saving ? (
        <form className={styles.foot} onSubmit={save}>
          <TextInput
            className={styles.name}
            label="File name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem}
            spellCheck={false}
            autoComplete="off"
          />
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => onClose(null)}>
              Cancel
            </Button>
            <Button type="submit" disabled={!listing || problem !== null || error !== null}>
              Save here
            </Button>
          </div>
        </form>
      ) : (
        <div className={styles.foot}>
          <div className={styles.chosen} role="status">
            {chosen?.kind === 'file' ? <SafeText text={chosen.name} truncate /> : 'No file chosen yet'}
          </div>
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => onClose(null)}>
              Cancel
            </Button>
            <Button disabled={chosen?.kind !== 'file'} onClick={() => chosen && choose(chosen)}>
              Choose
            </Button>
          </div>
        </div>
      )}
    </dialog>
  );
}
