/** What the keyboard does wherever one is; the list of it stands in the help. */
import { go, useApp } from '../state/appStore.ts';

/** Called once. The desktop app's menu has some of these keys too: what it takes does not come here. */
export function takeShortcuts(): void {
  window.addEventListener('keydown', (event) => {
    if (!event.defaultPrevented && !event.isComposing && act(event)) event.preventDefault();
  });
}

/** Whether the key did something. */
function act(event: KeyboardEvent): boolean {
  const { help, showHelp, info } = useApp.getState();
  const mac = info?.platform === 'darwin';
  const command = (mac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
  const asksForHelp = event.key === 'F1' || (event.key === '?' && !isTyped(event.target));
  if (asksForHelp) showHelp(!help);
  else if (event.key === 'Escape' && help) showHelp(false);
  else if (command && event.key === 'o') go({ at: 'start' });
  else if (command && event.key === ',') go({ at: 'settings' });
  else if (command && event.key === 'f') return find();
  else return false;
  return true;
}

function isTyped(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** To the search of the place; a browser finds in other places by itself, and the desktop app has no words for it there. */
function find(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
  return field !== null;
}
