/** Asks the user for a file or a folder, with the system's dialog or, in a browser, the app's own. */
import { create } from 'zustand';
import type { Input } from '../../shared/contract.ts';
import { syncServiceAt } from '../../shared/model/files.ts';
import { openFile, useApp } from './appStore.ts';
import { attempt, until } from './asking.ts';
import { bridge } from './bridge.ts';

export interface FileQuestion {
  purpose: Input<'files.pick'>['purpose'];
  suggestedName?: string;
  /** The private keys in what is saved there, if any: it asks before it takes a folder that is copied to the internet. */
  keys?: 'open' | 'encrypted';
  /** The name of a dropped file whose path the browser hides. The user has to find it. */
  dropped?: string;
}

interface FilePicker {
  /** The open question of the app's own dialog. `onClose` takes the chosen path, or null. */
  question: (FileQuestion & { onClose: (path: string | null) => void }) | null;
  /** The open question whether keys may lie where a service copies them. */
  synced: SyncedQuestion | null;
}

export interface SyncedQuestion {
  service: string;
  keys: NonNullable<FileQuestion['keys']>;
  onAnswer: (answer: 'save' | 'again' | null) => void;
}

export const useFilePicker = create<FilePicker>()(() => ({ question: null, synced: null }));

/** Has the user name the node's wallets folder, which is checked before it is used. False if the user closed the dialog. */
export async function chooseWalletsFolder(): Promise<boolean> {
  const path = await pickFile({ purpose: 'wallets-folder' });
  if (path !== null) await bridge.call('nodes.useWalletsFolder', { path });
  return path !== null;
}

/** Resolves with the chosen path, or null if the user closed the dialog. */
export async function pickFile(question: FileQuestion): Promise<string | null> {
  const { keys, ...asked } = question;
  for (;;) {
    const path = await pickAny(asked);
    const service = path === null || keys === undefined ? null : syncServiceAt(path);
    if (service === null || keys === undefined) return path;
    const answer = await new Promise<'save' | 'again' | null>((onAnswer) => {
      useFilePicker.setState({ synced: { service, keys, onAnswer } });
    });
    useFilePicker.setState({ synced: null });
    if (answer !== 'again') return answer === 'save' ? path : null;
  }
}

async function pickAny(question: FileQuestion): Promise<string | null> {
  // The system may ask for a file while the app starts.
  const { entry } = await until(useApp.subscribe, () => useApp.getState().info);
  if (entry === 'electron') {
    const chosen = await attempt(() => bridge.call('files.pick', question));
    // If the system's dialog fails, show the app's own.
    if (chosen.ok) return chosen.value.path;
  }
  // Close an earlier dialog: there is only one at a time.
  useFilePicker.getState().question?.onClose(null);
  return new Promise((resolve) => {
    function onClose(path: string | null) {
      useFilePicker.setState({ question: null });
      resolve(path);
    }
    useFilePicker.setState({ question: { ...question, onClose } });
  });
}

export async function chooseFile(): Promise<void> {
  const path = await pickFile({ purpose: 'wallet' });
  if (path !== null) openFile(path);
}
