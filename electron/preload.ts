/** The bridge between the sandboxed page and the main process. It passes on requests and events of the contract only. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CALL_CHANNEL, EVENT_CHANNEL } from './desktop/constants.ts';

/** The build inserts these names from the contract, because loading its shapes would slow down the start. */
declare const REQUEST_NAMES: readonly string[];
declare const EVENT_NAMES: readonly string[];

contextBridge.exposeInMainWorld('ferry', {
  call(name: string, input: unknown): Promise<unknown> {
    if (!REQUEST_NAMES.includes(name)) return Promise.reject(new Error('Not a request of the app.'));
    return ipcRenderer.invoke(CALL_CHANNEL, name, input);
  },
  on(event: string, listener: (value: unknown) => void): void {
    if (!EVENT_NAMES.includes(event)) throw new Error('Not an event of the app.');
    ipcRenderer.on(EVENT_CHANNEL, (_, name: string, value: unknown) => {
      if (name === event) listener(value);
    });
  },
  /** The path of a dropped file, which only Electron knows. Reads nothing of the file. */
  pathOf: (file: File): string => webUtils.getPathForFile(file),
});

// The main process can refuse every navigation except those to about:blank, which Electron reports too late. This script
// runs in its own world before any script of the page, and refuses all navigations except reloads.
window.navigation.addEventListener('navigate', (event) => {
  if (event.navigationType !== 'reload' && !event.destination.sameDocument) event.preventDefault();
});
