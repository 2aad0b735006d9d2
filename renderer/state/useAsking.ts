/** Asks the app for something that only fails or not: whether it is under way, and why it failed. */
import { useRef, useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';

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

interface Sending {
  busy: boolean;
  /** Null while the call before is under way. */
  send<T>(call: () => Promise<T>): Promise<T | null>;
}

/** Sends something once, however often the button is pressed. */
function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  // A second click may come before the page shows the first.
  const sent = useRef(false);

  async function send<T>(call: () => Promise<T>): Promise<T | null> {
    if (sent.current) return null;
    sent.current = true;
    setBusy(true);
    const answer = await call();
    sent.current = false;
    setBusy(false);
    return answer;
  }

  return { busy, send };
}
