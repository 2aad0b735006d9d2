/** Ends the desktop entry with a word to who started it, in a dialog and in the terminal. */
import { app, dialog } from 'electron';

export function endWith(message: string, detail: string): void {
  process.stderr.write(`${message}\n${detail}\n`);
  dialog.showErrorBox(message, detail);
  app.exit(1);
}
