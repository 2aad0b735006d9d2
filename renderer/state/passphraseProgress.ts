/** How far the search for a passphrase is: the last that was told. What is searched, the page keeps nowhere. */
import { create } from 'zustand';
import type { EventValue } from '../../shared/contract.ts';
import { bridge } from './bridge/bridge.ts';

interface Told {
  latest: EventValue<'passphraseSearch'> | null;
}

export const usePassphraseProgress = create<Told>()((set) => {
  bridge.on('passphraseSearch', (latest) => set({ latest }));
  return { latest: null };
});
