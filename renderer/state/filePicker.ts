/** Asks the user for a file or a folder, with the system's dialog or, in a browser, the app's own. */
import { create } from 'zustand';
import type { Input } from '../../shared/contract.ts';
import { openFile, useApp } from './appStore.ts';
import { attempt, until } from './asking.ts';
import { bridge } from './bridge.ts';

export interface FileQuestion {
  purpose: Input<'files.pick'>['purpose'];
  suggestedName?: string;
  /** The name of a dropped file whose path the browser hides. The user has to find it. */
  dropped?: string;
}

interface FilePicker {
  /** The open question of the app's own dialog. `onClose` takes the chosen path, or null. */
  question: (FileQuestion & { onClose: (path: string | null) => void }) | null;
}

export const useFilePicker = create<FilePicker>()(() => ({ question: null }));

/** Resolves with the chosen path, or null if the user closed the dialog. */
export async function pickFile(question: FileQuestion): Promise<string | null> {
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
