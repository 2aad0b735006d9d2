/** What the page asks the app for: at a click, as long work, or as soon as it knows of which thing. */
import { useEffect, useRef, useState } from 'react';
import { type Input, isFileTask, type Output, type RequestName } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { bridge } from './bridge/bridge.ts';
import { attempt, cancelTask, newestTasks } from './tasks.ts';

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
    error,
    /** Why the call fails, it throws. It is sent once, however often the button is pressed. */
    ask,
  };
}

/** Long work that ends with the place that asks for it. */
export function useTasks() {
  const [tasks] = useState(newestTasks);
  useEffect(() => tasks.cancelAll, [tasks]);
  return tasks;
}

/** How far the app is with looking at a thing. */
export type Look<Found> =
  | { state: 'none' }
  /** `before`: what was found last of the same thing; null the first time. */
  | {
      state: 'looking';
      before: Found | null;
      /** Ends it, where a whole file is read for it. */
      cancel?: () => void;
    }
  | { state: 'known'; found: Found }
  | { state: 'failed'; error: AppErrorShape };

interface LookOptions {
  /** What tells the thing from others; the whole question, unless this is said. */
  of?: string;
  /** Another one looks at the same thing anew: it may have changed. */
  turn?: string | number;
}

/**
 * Null asks for nothing, and forgets. An answer to an earlier question is dropped, however late it comes; where a whole
 * file is read for it, the reading ends.
 */
export function useLook<N extends RequestName>(
  request: N,
  input: Input<N> | null,
  { of, turn = 0 }: LookOptions = {},
): Look<Output<N>> {
  const asked = input === null ? null : JSON.stringify(input);
  const thing = of ?? asked;
  const question = `${turn} ${thing} ${asked}`;
  const [told, setTold] = useState<Told<Output<N>> | null>(null);
  const reading = useRef<string | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const sent: Input<N> = JSON.parse(asked);
    const task = isFileTask(request) ? crypto.randomUUID() : null;
    reading.current = task;
    let wanted = true;
    void attempt(() => bridge.call(request, task === null ? sent : { ...sent, task })).then((result) => {
      if (reading.current === task) reading.current = null;
      if (!wanted) return;
      const look = result.ok
        ? ({ state: 'known', found: result.value } as const)
        : ({ state: 'failed', error: result.error } as const);
      setTold({ thing, question, look });
    });
    return () => {
      wanted = false;
      if (task !== null && reading.current === task) cancelTask(task);
    };
  }, [request, asked, thing, question]);
  if (asked === null) {
    if (told !== null) setTold(null);
    return { state: 'none' };
  }
  if (told?.question === question) return told.look;
  const before = told?.thing === thing && told.look.state === 'known' ? told.look.found : null;
  if (!isFileTask(request)) return { state: 'looking', before };
  return { state: 'looking', before, cancel: () => reading.current && cancelTask(reading.current) };
}

/** What was found, also while it is looked at anew; null before, and where it could not be told. */
export function foundBy<Found>(look: Look<Found>): Found | null {
  if (look.state === 'known') return look.found;
  return look.state === 'looking' ? look.before : null;
}

interface Told<Found> {
  thing: string | null;
  question: string;
  look: Extract<Look<Found>, { state: 'known' | 'failed' }>;
}
