/** How far a search for a passphrase, or of a disk image, is: the last that was told. What is searched, the page keeps nowhere. */
import { create } from 'zustand';
import type { EventValue } from '../../shared/contract.ts';
import { bridge } from './bridge/bridge.ts';

interface Told {
  latest: EventValue<'searchProgress'> | null;
}

export const useSearchProgress = create<Told>()((set) => {
  bridge.on('searchProgress', (latest) => set({ latest }));
  return { latest: null };
});
