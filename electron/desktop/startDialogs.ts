/** What the desktop entry says before it has a window: an error that ends it, and the question about a missing sandbox. */
import '../backend/setLanguage.ts';
import { app, dialog } from 'electron';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { say } from '../../shared/wording/say.ts';
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

/** The button that opens the app anyway. Any other one exits. */
export const OPEN_WITHOUT_SANDBOX = 1;

interface Start {
  packaged: boolean;
  /** The user id; undefined on Windows. Root never has a sandbox. */
  user: number | undefined;
}

/**
 * Whether to ask at a start with `--no-sandbox`. An AppImage adds that argument by itself if the system refuses user
 * namespaces (AppRun of electron-builder). Root, or whoever runs the sources, passed it knowingly.
 */
export function asksAboutSandbox({ packaged, user }: Start): boolean {
  return packaged && user !== 0;
}

/** For `dialog.showMessageBox`. */
export function withoutSandboxQuestion() {
  return {
    type: 'warning' as const,
    title: 'Wallet Ferry',
    message: say('Wallet Ferry would lack its sandbox'),
    detail: [
      say('Started with --no-sandbox, as AppImages are on Ubuntu 24.04.'),
      say('A sandbox protects this computer from faults in Chromium.'),
      say('Nothing was started. For a sandbox, install the deb package.'),
    ].join('\n\n'),
    buttons: [say('Quit'), say('Open without sandbox')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
