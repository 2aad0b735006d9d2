/** Tells screen readers when a wallet is loaded or unloaded; on screen its row tells. */
import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { say } from '../../../shared/text/say.ts';
import { walletLabel } from '../../elements/text/WalletName.tsx';
import { useWallets, type WalletChange } from '../../state/walletsStore.ts';

export function WalletsSpoken() {
  const changing = useWallets((state) => state.changing);
  const outcomes = useWallets((state) => state.outcomes);
  const before = useRef(changing);
  const [said, setSaid] = useState('');

  useEffect(() => {
    const ended = [...before.current].filter(([name]) => !changing.has(name));
    before.current = changing;
    for (const [name, change] of ended) {
      const outcome = outcomes.get(name);
      // An error is spoken by its own alert.
      if (outcome && 'error' in outcome) continue;
      const wallet = walletLabel(name);
      setSaid(outcome ? WITH_WARNINGS[change](wallet) : DONE[change](wallet));
    }
  }, [changing, outcomes]);

  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}

type Telling = Readonly<Record<WalletChange, (wallet: string) => string>>;

const DONE: Telling = {
  load: (wallet) => say('{wallet}: loaded', { wallet }),
  unload: (wallet) => say('{wallet}: unloaded', { wallet }),
};
const WITH_WARNINGS: Telling = {
  load: (wallet) => say('{wallet}: loaded, with warnings from the node', { wallet }),
  unload: (wallet) => say('{wallet}: unloaded, with warnings from the node', { wallet }),
};
