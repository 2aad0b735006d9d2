/** Asks the app for something: whether it is under way, and why it failed. */
import { useRef, useState } from 'react';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { attempt } from './attempt.ts';

export function useAsking() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppErrorShape | null>(null);
  // A second click may come before the page shows the first.
  const sent = useRef(false);

  async function ask(call: () => Promise<unknown>): Promise<void> {
    if (sent.current) return;
    sent.current = true;
    setBusy(true);
    setError(null);
    const result = await attempt(call);
    setError(result.ok ? null : result.error);
    sent.current = false;
    setBusy(false);
  }

  return {
    busy,
    /** Of the last time. */
    error,
    /** Why the call fails, it throws. It is sent once, however often the button is pressed. */
    ask,
  };
}
