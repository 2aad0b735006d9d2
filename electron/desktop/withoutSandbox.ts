/** The question to a user who may not know that the app starts without Chromium's sandbox. */
import { say } from '../../shared/wording/say.ts';

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
