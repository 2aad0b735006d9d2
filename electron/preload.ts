/** The bridge between the sandboxed page and the main process: names of the contract, and nothing else. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { CALL_CHANNEL, EVENT_CHANNEL } from './desktop/channels.ts';

/** Put in when this is built, out of the table: its shapes would have the preload, which starts first, start late. */
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
  /** Where a dropped file lies. Only Electron can tell; it reads nothing of the file. */
  pathOf: (file: File): string => webUtils.getPathForFile(file),
});

// The main process is asked before every navigation but those to an empty page (about:blank), which need no loading: of
// them Electron tells only when they have begun. Here, in a world of its own and before any script of the page, they are
// refused with all the others. Loading the same page anew is none.
window.navigation.addEventListener('navigate', (event) => {
  if (event.navigationType !== 'reload' && !event.destination.sameDocument) event.preventDefault();
});
