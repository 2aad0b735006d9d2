/** Asks the app for something that only fails or not: whether it is under way, and why it failed. */
import { useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import { useSending } from './useSending.ts';

export interface Asking {
  busy: boolean;
  /** Of the last time. */
  error: AppErrorShape | null;
  /** The call resolves with why it failed, or with null. */
  ask(call: () => Promise<AppErrorShape | null>): Promise<void>;
}

export function useAsking(): Asking {
  const { busy, send } = useSending();
  const [error, setError] = useState<AppErrorShape | null>(null);

  async function ask(call: () => Promise<AppErrorShape | null>): Promise<void> {
    await send(async () => {
      setError(null);
      setError(await call());
    });
  }

  return { busy, error, ask };
}
