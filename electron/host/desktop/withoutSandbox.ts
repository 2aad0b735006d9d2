/** The question to someone who starts the app without Chromium's sandbox, and may not know it. */
import { say } from '../../../shared/text/say.ts';

/** The answer that opens the app all the same; every other one ends it. */
export const OPEN_WITHOUT_SANDBOX = 1;

/** For `dialog.showMessageBox`. */
export function withoutSandboxQuestion() {
  return {
    type: 'warning' as const,
    title: 'Wallet Ferry',
    message: say('Wallet Ferry would run without its sandbox'),
    detail: [
      say(
        'It was started with --no-sandbox. An AppImage does so by itself where the system keeps from it what a sandbox needs, as Ubuntu 24.04 does.',
      ),
      say(
        'The sandbox keeps the window apart from the rest of this computer, should a fault in Chromium let someone take the window over. The app works without it, and lacks this one protection.',
      ),
      say(
        'Nothing was begun, and nothing was changed. To have the sandbox, quit and install the deb package, which brings what the system asks for.',
      ),
    ].join('\n\n'),
    buttons: [say('Quit'), say('Open without the sandbox')],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
