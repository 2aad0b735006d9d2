/** The keyboard shortcuts of every page. The help lists them. */
import { go, useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { chooseFile } from '../state/filePicker.ts';

/** Called once. The desktop app's menu has some of these keys too, and handles them first. */
export function takeShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    if (!event.defaultPrevented && !event.isComposing && act(event)) event.preventDefault();
  });
  bridge.on('showRoute', ({ route }) => route === 'open' && void chooseFile());
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

/** To the search field of the page. Without one, a browser searches the page itself. */
function find(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
