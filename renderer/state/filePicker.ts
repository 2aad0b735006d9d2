/** Asks the user for a file or a folder: with the system's dialog, or the app's own where there is none. */
import { create } from 'zustand';
import type { Input } from '../../shared/contract.ts';
import { openFile, useApp } from './appStore.ts';
import { bridge } from './bridge/bridge.ts';
import { attempt } from './tasks.ts';

export interface FileQuestion {
  purpose: Input<'files.pick'>['purpose'];
  suggestedName?: string;
  /** Name of a file that was dropped here but whose place the browser does not tell: it is to be found. */
  dropped?: string;
}

interface FilePicker {
  /** What the app's own dialog asks for now, and what it closes with: the chosen path, or null. */
  asked: (FileQuestion & { onClose: (path: string | null) => void }) | null;
}

export const useFilePicker = create<FilePicker>()(() => ({ asked: null }));

/** Gives the chosen path, or null when the user closed the dialog. */
export async function pickFile(question: FileQuestion): Promise<string | null> {
  if (useApp.getState().info?.entry === 'electron') {
    const picked = await attempt(() => bridge.call('files.pick', question));
    // Where the system's dialog fails, the app's own does.
    if (picked.ok) return picked.value.path;
  }
  // One dialog at a time: an earlier question is answered as if it had been closed.
  useFilePicker.getState().asked?.onClose(null);
  return new Promise((resolve) => {
    function onClose(path: string | null) {
      useFilePicker.setState({ asked: null });
      resolve(path);
    }
    useFilePicker.setState({ asked: { ...question, onClose } });
  });
}

export async function chooseFile(): Promise<void> {
  const path = await pickFile({ purpose: 'wallet' });
  if (path !== null) openFile(path);
}
