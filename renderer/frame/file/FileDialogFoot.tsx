/** The foot of the app's own file dialog: the answer that is about to be given, and the buttons. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AppInfo } from '../../../shared/contract.ts';
import { say } from '../../../shared/text/say.ts';
import { SafeText } from '../../elements/text/SafeText.tsx';
import styles from './FileDialog.module.css';
import { fileNameProblem } from './fileNameProblem.ts';

interface ChosenFileProps {
  /** The file's name; null while none is chosen. */
  name: string | null;
  onChoose: () => void;
  onCancel: () => void;
}

export function ChosenFile({ name, onChoose, onCancel }: ChosenFileProps) {
  return (
    <div className={styles.foot}>
      <div className={styles.chosen} role="status">
        {name === null ? say('No file chosen') : <SafeText text={name} truncate />}
      </div>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onCancel}>
          {say('Cancel')}
        </Button>
        <Button disabled={name === null} onClick={onChoose}>
          {say('Choose')}
        </Button>
      </div>
    </div>
  );
}

interface NewNameProps {
  asks: 'folder' | 'new-folder' | 'new-file';
  usualName: string;
  /** Names in the folder that is shown; null while it cannot be seen. */
  taken: ReadonlySet<string> | null;
  platform: AppInfo['platform'];
  /** Given the name that was typed: for a folder it may be empty, which is the folder that is shown itself. */
  onName: (name: string) => void;
  onCancel: () => void;
}

/** The name of a new file, or of a new folder if one is wanted. */
export function NewName({ asks, usualName, taken, platform, onName, onCancel }: NewNameProps) {
  const [name, setName] = useState(usualName);
  const folder = asks !== 'new-file';
  const kind = folder ? 'folder' : asks;
  const problem =
    folder && name === '' ? null : taken?.has(name) ? TAKEN[kind] : fileNameProblem(name, platform, kind);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (taken !== null && problem === null) onName(name);
  }

  return (
    <form className={styles.foot} onSubmit={submit}>
      {asks !== 'folder' && (
        <TextInput
          className={styles.name}
          label={folder ? say('New folder (optional)') : say('File name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      <div className={styles.buttons}>
        <Button variant="default" onClick={onCancel}>
          {say('Cancel')}
        </Button>
        <Button type="submit" disabled={taken === null || problem !== null}>
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
