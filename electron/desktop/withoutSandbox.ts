/** The question to someone who starts the app without Chromium's sandbox, and may not know it. */
import { say } from '../../shared/wording/say.ts';

/** The answer that opens the app all the same; every other one ends it. */
export const OPEN_WITHOUT_SANDBOX = 1;

interface Start {
  packaged: boolean;
  /** `--no-sandbox` is among the words of the command line. */
  noSandbox: boolean;
  /** Root has no sandbox in any case; undefined on Windows. */
  user: number | undefined;
}

/**
 * Whether to ask before the app runs. An AppImage starts its app with `--no-sandbox` by itself where the system lets it
 * have no user namespaces (AppRun of electron-builder). Whoever runs as root, or the app from its sources, gave the word
 * knowingly.
 */
export function asksAboutSandbox({ packaged, noSandbox, user }: Start): boolean {
  return packaged && noSandbox && user !== 0;
}

/** For `dialog.showMessageBox`. */
export function withoutSandboxQuestion() {
  return {
    type: 'warning' as const,
    title: 'Wallet Ferry',
    message: say('Wallet Ferry would lack its sandbox'),
    detail: [
      say('It was started with --no-sandbox, as an AppImage is on Ubuntu 24.04.'),
      say('A sandbox protects this computer from faults in Chromium.'),
      say('Nothing was started. To have it, quit and install the deb package.'),
    ].join('\n\n'),
    buttons: [say('Quit'), say('Open without sandbox')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
