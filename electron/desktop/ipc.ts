/** The contract over Electron's IPC, for the app's own frame only. */
import { ipcMain, type WebContents } from 'electron';
import type { RequestReply } from '../../shared/contract.ts';
import type { Services } from '../backend/host.ts';
import { CALL_CHANNEL, EVENT_CHANNEL } from './constants.ts';

/**
 * Serves `services` to the top frame of `page` while that frame is at `origin`, and refuses any other caller. Calls wait
 * until the services are loaded. Returns the function that ends it.
 */
export function serveOverIpc(services: Promise<Services>, page: WebContents, origin: string): () => void {
  /** Aborts when the page that waits for answers is gone. */
  let waiting = new AbortController();
  ipcMain.handle(CALL_CHANNEL, async (event, name: unknown, input: unknown): Promise<RequestReply> => {
    const frame = event.senderFrame;
    const ours =
      event.sender === page && frame !== null && frame === page.mainFrame && originOf(frame.url) === origin;
    if (!ours || typeof name !== 'string') throw new Error('Refused.');
    return (await services).call(name, input, waiting.signal);
  });
  const abortWaiting = () => {
    waiting.abort();
    waiting = new AbortController();
  };
  page.on('render-process-gone', abortWaiting);
  page.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) abortWaiting();
  });
  void services.then(({ subscribe }) => {
    subscribe((name, value) => {
      if (!page.isDestroyed() && originOf(page.mainFrame.url) === origin) {
        page.send(EVENT_CHANNEL, name, value);
      }
    });
  });
  return () => {
    ipcMain.removeHandler(CALL_CHANNEL);
    abortWaiting();
  };
}

/** Scheme and host. `URL.origin` is opaque for our scheme outside the page. */
export function originOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
