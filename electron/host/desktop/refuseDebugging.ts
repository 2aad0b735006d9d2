/** Lets no debugger look into the page of the packed app: a passphrase is on it while it is typed. */
import { url } from 'node:inspector';
import { app } from 'electron';

/**
 * Before the app is ready, for Chromium then reads these words of the command line. Where a debugger is in the main
 * process, which a fuse of the app as it ships lets none into, the page holds nothing that it could not have anyway.
 */
export function refuseDebugging(): void {
  if (!app.isPackaged || url() !== undefined) return;
  for (const word of ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address']) {
    app.commandLine.removeSwitch(word);
  }
}
