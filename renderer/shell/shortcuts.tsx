/** The keyboard shortcuts of every page, and the search for actions by name. The help lists them. */
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import type { Wallet } from '../../shared/model/wallet.ts';
import { walletLabel } from '../../shared/wording/format/walletLabel.ts';
import { say } from '../../shared/wording/say.ts';
import { go, useApp, useNode } from '../state/appStore.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { chooseFile } from '../state/filePicker.ts';
import { usePlans } from '../state/plansStore.ts';
import { useWallets } from '../state/walletsStore.ts';

export function CommandPalette() {
  const node = useNode();
  const wallets = useWallets((state) => state.wallets);
  const actions: SpotlightActionData[] = [
    { id: 'open', label: say('Open wallet…'), onClick: () => void chooseFile() },
    { id: 'home', label: say('Home'), onClick: () => go({ at: 'home' }) },
    { id: 'history', label: say('History'), onClick: () => go({ at: 'history' }) },
    { id: 'settings', label: say('Settings'), onClick: () => go({ at: 'settings' }) },
    { id: 'help', label: say('Help'), onClick: () => useApp.getState().showHelp(true) },
    { id: 'connect', label: say('Connect to a node'), onClick: () => go({ at: 'connect' }) },
    ...(node === null
      ? []
      : [
          {
            id: 'disconnect',
            label: say('Disconnect'),
            onClick: () => void useApp.getState().disconnect(),
          },
          { id: 'wallets', label: say('All wallets'), onClick: () => go({ at: 'wallets' }) },
          ...(wallets ?? []).flatMap(walletActions),
        ]),
  ];
  return (
    <Spotlight
      actions={actions}
      shortcut="mod + K"
      lockScroll={false}
      // Without this, letters typed during the animation would be lost.
      transitionProps={{ duration: 0 }}
      limit={12}
      nothingFound={say('Nothing found.')}
      searchProps={{ placeholder: say('Action or wallet'), 'aria-label': say('Action or wallet') }}
    />
  );
}

function walletActions({ name, kind }: Wallet): SpotlightActionData[] {
  const wallet = walletLabel(name);
  const source = { by: 'wallet', name } as const;
  const begin = (action: 'migrate' | 'backup') => () => usePlans.getState().begin([{ action, source }]);
  const all = [
    {
      id: `show ${name}`,
      label: say('Open “{wallet}”', { wallet }),
      onClick: () => go({ at: 'wallet', source }),
    },
    kind === 'legacy' && {
      id: `migrate ${name}`,
      label: say('Migrate “{wallet}”', { wallet }),
      onClick: begin('migrate'),
    },
    kind !== 'interrupted' && {
      id: `back up ${name}`,
      label: say('Back up “{wallet}”', { wallet }),
      onClick: begin('backup'),
    },
  ];
  return all.filter((one) => one !== false);
}

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
