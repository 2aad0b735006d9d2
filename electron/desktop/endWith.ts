/** Ends the desktop entry with a word to who started it. */
import '../backend/setLanguage.ts';
import { app, dialog } from 'electron';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { refuseSharedFolder } from '../files/lock/refuseSharedFolder.ts';

/** The word stands in a dialog and in the terminal. */
export function endWith(message: string, detail: string): void {
  process.stderr.write(`${message}\n${detail}\n`);
  dialog.showErrorBox(message, detail);
  app.exit(1);
}

/** Where others can change its folder of data. */
export function endForSharedFolder(folder: string): void {
  try {
    refuseSharedFolder(folder);
    // It was mended since: the next start will find it so.
    app.exit(1);
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    endWith(message, hint);
  }
}
