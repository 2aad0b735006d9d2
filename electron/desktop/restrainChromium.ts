/** What is asked of Chromium before the app is ready: that it asks nobody for anything, and lets no debugger in. */
import { url } from 'node:inspector';
import { app, type Session } from 'electron';

/**
 * Before the app is ready. No name and no address leads anywhere for Chromium, and no session sends a request: not for
 * the page, and not for what Chromium would fetch by itself, such as the dictionaries of its spell checker, which it
 * asks Google for although the window has none.
 */
export function keepChromiumOffline(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  // What has nothing to fetch needs no process of its own for it, of some 14 MB.
  app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
  app.on('session-created', refuseRequests);
  app.on('web-contents-created', (_, contents) => {
    // The page's policy does not reach WebRTC, which could send datagrams to any address.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
}

function refuseRequests(session: Session): void {
  session.setSpellCheckerEnabled(false);
  session.setSpellCheckerLanguages([]);
  // The load of a first dictionary has begun by now: it finds none here.
  session.setSpellCheckerDictionaryDownloadURL('data:,');
  session.webRequest.onBeforeRequest({ urls: REMOTE }, (_, decide) => decide({ cancel: true }));
}

const REMOTE = ['http', 'https', 'ws', 'wss', 'ftp'].map((scheme) => `${scheme}://*/*`);

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
