/** Restrains Chromium: it sends nothing over the network, lets no debugger in and grants a page nothing. */
import { url } from 'node:inspector';
import { app, type Session } from 'electron';

/**
 * Keeps Chromium from resolving any name and from sending any request, both the page's and its own. It would otherwise
 * fetch spell checker dictionaries from Google, although the window has no spell checker. Call it before the app is ready.
 */
export function keepChromiumOffline(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  // Saves a process of some 14 MB that would have nothing to fetch.
  app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
  app.on('session-created', refuseRequests);
  app.on('web-contents-created', (_, contents) => {
    // The page's policy does not cover WebRTC, which could send datagrams to any address.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
}

function refuseRequests(session: Session): void {
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerLanguages([]);
  // Chromium already loads its first dictionary by now. Give it an address that holds nothing.
  session.setSpellCheckerDictionaryDownloadURL('data:,');
  session.webRequest.onBeforeRequest({ urls: REMOTE }, (_, decide) => decide({ cancel: true }));
}

const REMOTE = ['http', 'https', 'ws', 'wss', 'ftp'].map((scheme) => `${scheme}://*/*`);

/**
 * Removes Chromium's debugging switches. Call it before the app is ready, because Chromium reads its switches then. A
 * debugger in the main process can read more than the page anyway; a fuse keeps it out of the packaged app.
 */
export function refuseDebugging(): void {
  if (!app.isPackaged || url() !== undefined) return;
  for (const name of ['remote-debugging-port', 'remote-debugging-pipe', 'remote-debugging-address']) {
    app.commandLine.removeSwitch(name);
  }
}

type PermissionHandlers = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
>;

/** Refuses every permission and device. By default Electron grants nearly all that a page asks for. */
export function refusePermissions(session: PermissionHandlers): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}
