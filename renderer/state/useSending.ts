/** Sends something once, however often the button is pressed. */
import { useRef, useState } from 'react';

interface Sending {
  busy: boolean;
  /** Null while the call before is under way. */
  send<T>(call: () => Promise<T>): Promise<T | null>;
}

export function useSending(): Sending {
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
