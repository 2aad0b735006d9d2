/** The keyboard shortcuts of every page. The help lists them. */
import { go, useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge.ts';
import { chooseFile } from '../state/filePicker.ts';

/** Call it once. The desktop app's menu handles some of these keys first. */
export function takeShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    if (!event.defaultPrevented && !event.isComposing && act(event)) event.preventDefault();
  });
  bridge.on('showRoute', ({ route }) => route === 'open' && chooseOnceStarted());
}

/** The system may ask for it while the app starts: only then does the page know which dialog to open. */
function chooseOnceStarted(): void {
  if (useApp.getState().info !== null) return void chooseFile();
  const stop = useApp.subscribe(({ info }) => {
    if (info === null) return;
    stop();
    void chooseFile();
  });
}

function act(event: KeyboardEvent): boolean {
  const { help, showHelp, info } = useApp.getState();
  const mac = info?.platform === 'darwin';
  const command = (mac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
  const asksForHelp = event.key === 'F1' || (event.key === '?' && !isTyped(event.target));
  if (asksForHelp) showHelp(!help);
  else if (command && event.key === 'o') void chooseFile();
  else if (command && event.key === ',') go({ at: 'settings' });
  else if (command && event.key === 'f') return find();
  else return false;
  return true;
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** Focuses the search field of the page. Without one, the browser searches the page. */
function find(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
