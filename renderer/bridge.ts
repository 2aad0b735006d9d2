/** The page's only way out: the contract's operations and events, over Electron's bridge or loopback HTTP. */
import { z } from 'zod';
import {
  answer,
  type EventValue,
  eventTable,
  type Input,
  type Output,
  operationTable,
} from '../shared/contract.ts';
import type { EventName, OperationName } from '../shared/contractNames.ts';
import { AppError } from '../shared/errors.ts';
import { say } from '../shared/say.ts';

/** How encoded values travel. */
interface Line {
  call(name: string, input: unknown): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): () => void;
  /** Where a dropped file lies; null where the browser does not tell. */
  pathOf(file: File): string | null;
  /** Tells whether the app behind the page can be reached. Never, where the page lives and ends with it. */
  watch?(listener: (reachable: boolean) => void): void;
}

declare global {
  interface Window {
    /** What the preload exposes; absent in the browser entry. */
    ferry?: Omit<Line, 'watch'>;
  }
}

const line: Line = window.ferry ?? httpLine();

export const bridge = {
  /** Runs an operation of the contract. Throws AppError. */
  async call<N extends OperationName>(name: N, input: Input<N>): Promise<Output<N>> {
    const { input: sending, output: receiving } = operationTable[name];
    const sent = z.encode(sending, input);
    const came = answer.parse(await line.call(name, sent));
    if (!came.ok) throw AppError.fromShape(came.error);
    return receiving.parse(came.value);
  },

  /** Listens to an event of the contract until the returned function is called or `signal` aborts. */
  on<N extends EventName>(
    name: N,
    listener: (value: EventValue<N>) => void,
    signal?: AbortSignal,
  ): () => void {
    const schema = eventTable[name];
    const stop = line.on(name, (value) => listener(schema.parse(value)));
    signal?.addEventListener('abort', stop, { once: true });
    return stop;
  },

  pathOf: (file: File): string | null => line.pathOf(file) || null,

  /**
   * Calls `listener` when the page loses the app behind it and when it has it again: what was emitted in
   * between did not arrive and has to be asked for.
   */
  watch(listener: (reachable: boolean) => void): void {
    line.watch?.(listener);
  },
};

function httpLine(): Line {
  const stream = new EventSource('events');
  return {
    async call(name, input) {
      const response = await fetch(`call/${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      }).catch(() => {
        throw appStopped();
      });
      if (!response.ok) throw appStopped();
      return response.json();
    },
    on(event, listener) {
      const handler = (message: MessageEvent<string>) => listener(JSON.parse(message.data));
      stream.addEventListener(event, handler);
      return () => stream.removeEventListener(event, handler);
    },
    pathOf: () => null,
    watch(listener) {
      stream.addEventListener('open', () => listener(true));
      stream.addEventListener('error', () => listener(false));
    },
  };
}

function appStopped(): AppError {
  return new AppError(
    'connection_lost',
    say('This page has lost the app that serves it.'),
    say(
      'Start Wallet Ferry again and open the link that it prints. What a node was asked to do, it goes on doing.',
    ),
  );
}
