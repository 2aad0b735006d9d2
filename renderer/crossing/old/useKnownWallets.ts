/** The wallets of the node, fetched when nobody did yet. */
import { useEffect } from 'react';
import type { Wallet } from '../../../shared/wallet.ts';
import { useWallets } from '../../state/walletsStore.ts';

/** Null until the first list came. */
export function useKnownWallets(): Wallet[] | null {
  const wallets = useWallets((state) => state.wallets);
  const missing = wallets === null;
  useEffect(() => {
    const { refreshing, refresh } = useWallets.getState();
    if (missing && !refreshing) void refresh();
  }, [missing]);
  return wallets;
}
