/** Requests to the back end, their values or errors, and the tasks that cancel long ones: for stores and, as hooks, for the page. */
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { type Input, isFileTask, type Output, type RequestName } from '../../shared/contract.ts';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { bridge } from './bridge.ts';

/** Runs one task for each purpose. A new task cancels the earlier one of its purpose. */
export function newestTasks() {
  const running = new Map<string, string>();

  function cancel(purpose: string): void {
    cancelTask(running.get(purpose));
    running.delete(purpose);
  }

  return {
    /** Resolves with null if it was cancelled, or replaced by a newer task. */
    async run<T>(purpose: string, work: (task: string) => Promise<T>): Promise<Attempt<T> | null> {
      cancel(purpose);
      const task = crypto.randomUUID();
      running.set(purpose, task);
      const result = await attempt(() => work(task));
      if (running.get(purpose) !== task) return null;
      running.delete(purpose);
      return result;
    },
    cancel,
    cancelAll() {
      for (const purpose of running.keys()) cancel(purpose);
    },
  };
}

/** Does nothing if there is no work, or it has ended. */
export function cancelTask(task: string | undefined): void {
  if (task !== undefined) void attempt(() => bridge.call('tasks.cancel', { task }));
}

/** Resolves with `value` once it is not null: at once, or after a change of the store. */
export function until<T>(subscribe: (listener: () => void) => () => void, value: () => T | null): Promise<T> {
  const now = value();
  if (now !== null) return Promise.resolve(now);
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      const found = value();
      if (found === null) return;
      stop();
      resolve(found);
    });
  });
}

export type Attempt<T> = { ok: true; value: T } | { ok: false; error: AppErrorShape };

/** Runs `work` and resolves with its value or its error, so that a store or a form can show either. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    return { ok: false, error: errorShapeOf(thrown) };
  }
}

/** A request that the user starts: whether it runs, and the result or error of the last one. */
export function useUserRequest<Found = unknown>() {
  const [state, setState] = useState<Asking<Found>>(NOT_ASKED);
  const tasks = useTasks();
  // A second click may come before the page has rendered the first one.
  const sent = useRef(false);

  async function ask(call: (task: string) => Promise<Found>): Promise<Attempt<Found> | null> {
    if (sent.current) return null;
    sent.current = true;
    setState({ ...NOT_ASKED, busy: true });
    const result = await tasks.run('ask', call);
    sent.current = false;
    const found = result?.ok ? result.value : null;
    setState({ busy: false, error: result?.ok === false ? result.error : null, found });
    return result;
  }

  return {
    ...state,
    /** Runs `call`, and keeps its result. Null if it was cancelled. Ignores further clicks while it runs. */
    ask,
    /** Cancels the reading of a file. */
    cancel: tasks.cancelAll,
    /** Drops the last result. A request that runs goes on. */
    clear: () => setState(({ busy }) => ({ ...NOT_ASKED, busy })),
  };
}

interface Asking<Found> {
  busy: boolean;
  error: AppErrorShape | null;
  found: Found | null;
}

const NOT_ASKED = { busy: false, error: null, found: null };

/** Tasks that end when the component unmounts. */
export function useTasks() {
  const [tasks] = useState(newestTasks);
  useEffect(() => tasks.cancelAll, [tasks]);
  return tasks;
}

/** The state of a request by `useRequest`. */
export type RequestState<Found> =
  | { state: 'none' }
  /** `before`: the last result for the same subject; null the first time. */
  | {
      state: 'looking';
      before: Found | null;
      /** Ends the reading of a whole file. */
      cancel?: () => void;
    }
  | { state: 'known'; found: Found }
  | { state: 'failed'; error: AppErrorShape };

interface RequestOptions {
  /** Identifies the subject; by default the whole input. */
  of?: string;
  /** Another value repeats the request for the same subject, which may have changed. */
  turn?: string | number;
}

/**
 * Makes the request whenever its input changes. Null makes no request and drops the result. Ignores answers to earlier inputs,
 * and cancels the reading of their files.
 */
export function useRequest<N extends RequestName>(
  request: N,
  input: Input<N> | null,
  { of, turn = 0 }: RequestOptions = {},
): RequestState<Output<N>> {
  const sentInput = input === null ? null : JSON.stringify(input);
  const subject = of ?? sentInput;
  const question = `${turn} ${subject} ${sentInput}`;
  const [last, setLast] = useState<Answer<Output<N>> | null>(null);
  const reading = useRef<string | null>(null);
  useEffect(() => {
    if (sentInput === null) return;
    const sent: Input<N> = JSON.parse(sentInput);
    const task = isFileTask(request) ? crypto.randomUUID() : null;
    reading.current = task;
    let wanted = true;
    void attempt(() => bridge.call(request, task === null ? sent : { ...sent, task })).then((result) => {
      if (reading.current === task) reading.current = null;
      if (!wanted) return;
      const look = result.ok
        ? ({ state: 'known', found: result.value } as const)
        : ({ state: 'failed', error: result.error } as const);
      setLast({ subject, question, look });
    });
    return () => {
      wanted = false;
      if (task !== null && reading.current === task) cancelTask(task);
    };
  }, [request, sentInput, subject, question]);
  if (sentInput === null) {
    if (last !== null) setLast(null);
    return { state: 'none' };
  }
  if (last?.question === question) return last.look;
  const before = last?.subject === subject && last.look.state === 'known' ? last.look.found : null;
  if (!isFileTask(request)) return { state: 'looking', before };
  return { state: 'looking', before, cancel: () => reading.current && cancelTask(reading.current) };
}

/** How often the user has returned to the window. Pass it as `turn` to look again, because another program may have changed files. */
export function useReturns(): number {
  const [returns, setReturns] = useState(0);
  useWindowEvent('focus', () => setReturns(returns + 1));
  return returns;
}

/** The result, also while the request is repeated; null before the first result and after an error. */
export function foundIn<Found>(look: RequestState<Found>): Found | null {
  if (look.state === 'known') return look.found;
  return look.state === 'looking' ? look.before : null;
}

interface Answer<Found> {
  subject: string | null;
  question: string;
  look: Extract<RequestState<Found>, { state: 'known' | 'failed' }>;
}
