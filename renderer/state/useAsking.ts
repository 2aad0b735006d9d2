/** Asks the app for something that only fails or not: whether it is under way, and why it failed. */
import { useRef, useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';

export function useAsking() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppErrorShape | null>(null);
  // A second click may come before the page shows the first.
  const sent = useRef(false);

  async function ask(call: () => Promise<AppErrorShape | null>): Promise<void> {
    if (sent.current) return;
    sent.current = true;
    setBusy(true);
    setError(null);
    setError(await call());
    sent.current = false;
    setBusy(false);
  }

  return {
    busy,
    /** Of the last time. */
    error,
    /** The call resolves with why it failed, or with null. It is sent once, however often the button is pressed. */
    ask,
  };
}
