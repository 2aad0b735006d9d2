/** Asks the user for a file or a folder: with the system's dialog, or the app's own where there is none. */
import { createContext, useContext } from 'react';
import type { Input } from '../../../shared/contract.ts';

export interface FilePickOptions {
  purpose: Input<'files.pick'>['purpose'];
  /** File name to begin with when saving. */
  suggestedName?: string;
  /** Name of a file that was dropped here but whose place the browser does not tell: it is to be found. */
  dropped?: string;
}

/** Gives the chosen path, or null when the user closed the dialog. */
type PickFile = (options: FilePickOptions) => Promise<string | null>;

export const FilePickerContext = createContext<PickFile>(() => {
  throw new Error('useFilePicker needs a FileDialogProvider around it.');
});

export function useFilePicker(): PickFile {
  return useContext(FilePickerContext);
}
