/** The search for actions and wallets by name. */
import { TextInput, UnstyledButton } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type KeyboardEvent, useId, useState } from 'react';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { walletLabel } from '../../shared/wording/format/names.ts';
import { say } from '../../shared/wording/say.ts';
import { Dialog } from '../components/overlays.tsx';
import { disconnect, go, showHelp, useApp, useNode } from '../state/appStore.ts';
import { chooseFile } from '../state/filePicker.ts';
import { walletActions } from '../state/walletActions.ts';
import { useWallets } from '../state/walletsStore.ts';

interface Action {
  id: string;
  label: string;
  onClick: () => void;
}

/** As many as fit into a small window. */
const MAX_FOUND = 12;

export function CommandPalette() {
  const [opened, setOpened] = useState(false);
  const isMac = useApp(({ info }) => info?.platform === 'darwin');
  useWindowEvent('keydown', (event) => {
    const command = (isMac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
    if (!command || event.key !== 'k') return;
    event.preventDefault();
    setOpened(true);
  });
  return opened && <Palette onClose={() => setOpened(false)} />;
}

function Palette({ onClose }: { onClose: () => void }) {
  const node = useNode();
  const wallets = useWallets((state) => state.wallets);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const actions: Action[] = [
    { id: 'open', label: say('Open wallet…'), onClick: () => void chooseFile() },
    { id: 'home', label: say('Home'), onClick: () => go({ at: 'home' }) },
    { id: 'history', label: say('History'), onClick: () => go({ at: 'history' }) },
    { id: 'settings', label: say('Settings'), onClick: () => go({ at: 'settings' }) },
    { id: 'help', label: say('Help'), onClick: () => showHelp(true) },
    { id: 'connect', label: say('Connect to a node'), onClick: () => go({ at: 'connect' }) },
  ];
  if (node !== null)
    actions.push(
      { id: 'disconnect', label: say('Disconnect'), onClick: () => void disconnect() },
      { id: 'wallets', label: say('All wallets'), onClick: () => go({ at: 'wallets' }) },
      ...(wallets ?? []).flatMap((wallet) => actionsOf(wallet, node)),
    );
  const wanted = query.trim().toLowerCase();
  const found = actions.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, MAX_FOUND);

  function run(action: Action | undefined) {
    if (action === undefined) return;
    onClose();
    action.onClick();
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') run(found[chosen]);
    else if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title={say('Action or wallet')} isTitleHidden look="wide" onClose={onClose}>
      <TextInput
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[chosen] && `${listId}-${chosen}`}
        aria-label={say('Action or wallet')}
        placeholder={say('Action or wallet')}
        data-autofocus
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div id={listId} role="listbox" aria-label={say('Action or wallet')}>
        {found.map((action, at) => (
          // The field keeps the focus, and with it the keys.
          <UnstyledButton
            key={action.id}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            className="item"
            aria-selected={at === chosen}
            onClick={() => run(action)}
          >
            {action.label}
          </UnstyledButton>
        ))}
      </div>
      {found.length === 0 && <p>{say('Nothing found.')}</p>}
    </Dialog>
  );
}

function actionsOf(one: Wallet, node: NodeStatus): Action[] {
  const { name } = one;
  const wallet = walletLabel(name);
  const { open, migrate, backUp } = walletActions(one, node);
  return [
    { id: `show ${name}`, label: say('Open “{wallet}”', { wallet }), onClick: open },
    { id: `migrate ${name}`, label: say('Migrate “{wallet}”', { wallet }), onClick: migrate },
    { id: `back up ${name}`, label: say('Back up “{wallet}”', { wallet }), onClick: backUp },
  ].flatMap(({ onClick, ...action }) => (onClick === null ? [] : { ...action, onClick }));
}
