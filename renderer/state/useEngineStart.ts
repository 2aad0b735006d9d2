/** Starts the offline engine from a button: whether it is under way, and why it could not be started. */
import type { Input } from '../../shared/contract.ts';
import { useApp } from './appStore.ts';
import { type Asking, useAsking } from './useAsking.ts';

export function useEngineStart(place: Input<'engine.start'>): Omit<Asking, 'ask'> & { start(): void } {
  const workOffline = useApp((state) => state.workOffline);
  const { busy, error, ask } = useAsking();
  return { busy, error, start: () => void ask(() => workOffline(place)) };
}
