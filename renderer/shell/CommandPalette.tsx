/** The search for actions and wallets by name. */
import { createSpotlightStore, Spotlight, type SpotlightActionData, useSpotlight } from '@mantine/spotlight';
import { useState } from 'react';
import type { NodeStatus } from '../../shared/model/node.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import { walletLabel } from '../../shared/wording/format/names.ts';
import { say } from '../../shared/wording/say.ts';
import { disconnect, go, showHelp, useNode } from '../state/appStore.ts';
import { chooseFile } from '../state/filePicker.ts';
import { walletActions } from '../state/walletActions.ts';
import { useWallets } from '../state/walletsStore.ts';

const store = createSpotlightStore();

export function CommandPalette() {
  const { opened } = useSpotlight(store);
  const [hasChosen, setChosen] = useState(false);
  const node = useNode();
  // A closed palette does not follow the wallets, whose details may arrive by the thousand.
  const wallets = useWallets((state) => (opened ? state.wallets : null));
  const actions: SpotlightActionData[] = [
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
  return (
    <Spotlight
      store={store}
      actions={actions.map(({ onClick, ...action }) => ({
        ...action,
        onClick: (event) => {
          setChosen(true);
          onClick?.(event);
        },
      }))}
      onSpotlightOpen={() => setChosen(false)}
      // What was chosen takes the focus.
      returnFocus={!hasChosen}
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

function actionsOf(one: Wallet, node: NodeStatus): SpotlightActionData[] {
  const { name } = one;
  const wallet = walletLabel(name);
  const { open, migrate, backUp } = walletActions(one, node);
  return [
    { id: `show ${name}`, label: say('Open “{wallet}”', { wallet }), onClick: open },
    { id: `migrate ${name}`, label: say('Migrate “{wallet}”', { wallet }), onClick: migrate },
    { id: `back up ${name}`, label: say('Back up “{wallet}”', { wallet }), onClick: backUp },
  ].flatMap(({ onClick, ...action }) => (onClick === null ? [] : { ...action, onClick }));
}
