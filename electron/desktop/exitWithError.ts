/** Exits the desktop entry with an error that the user sees. */
import '../backend/setLanguage.ts';
import { app, dialog } from 'electron';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { refuseSharedFolder } from '../files/lock/refuseSharedFolder.ts';

/** Shows the error in a dialog and in the terminal. */
export function exitWithError(message: string, detail: string): void {
  process.stderr.write(`${message}\n${detail}\n`);
  dialog.showErrorBox(message, detail);
  app.exit(1);
}

/** Exits because other users can change the data folder. */
export function exitForSharedFolder(folder: string): void {
  try {
    refuseSharedFolder(folder);
    // Somebody has repaired the folder since the check, so the next start will succeed.
    app.exit(1);
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    exitWithError(message, hint);
  }
}
