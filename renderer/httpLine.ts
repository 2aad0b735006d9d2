/**
 * The contract over loopback HTTP: calls, and one stream of events that is opened again when it ends. Both carry the
 * session of this tab in a header, which no other page can send here.
 */
import { AppError } from '../shared/errors.ts';
import { BEAT_MS, eventShape, proofShape } from '../shared/letIn.ts';
import { parseJson } from '../shared/parseJson.ts';
import { say } from '../shared/text/say.ts';
import type { Line } from './line.ts';
import { readSession } from './session.ts';

/** Between two tries to reach the app again, in milliseconds. */
const PAUSE_MS = 1000;
/** Without a beat for so long, the stream is dead though nothing has said so. */
const SILENCE_MS = 3 * BEAT_MS;

/** Throws where this tab has no session. */
export function httpLine(): Line {
  const session = readSession();
  if (session === null) throw new Error('This tab was not let in.');
  const authorization = `Bearer ${session.page}`;
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const watchers = new Set<(reachable: boolean) => void>();
  /**
   * Resolves once the stream stands and what answers has proved to be the app. Who takes the port over after the app's
   * end cannot, and is sent no call: it may carry a passphrase.
   */
  let proved: Promise<void> = Promise.resolve();

  async function keepConnected(): Promise<never> {
    for (;;) {
      let open = () => {};
      let giveUp = (_: AppError) => {};
      proved = new Promise((resolve, reject) => {
        open = resolve;
        giveUp = reject;
      });
      // Told to those who call, if there are any.
      proved.catch(() => {});
      await follow(open).catch(() => {});
      giveUp(appStopped());
      proved = Promise.reject(appStopped());
      proved.catch(() => {});
      for (const watcher of watchers) watcher(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Ends, or throws, with the stream. */
  async function follow(open: () => void): Promise<void> {
    const silence = new AbortController();
    let limit = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const { ok, body } = await fetch('events', { headers: { authorization }, signal: silence.signal });
      if (!ok || body === null) return;
      let isProved = false;
      await readLines(body, (line) => {
        clearTimeout(limit);
        limit = setTimeout(() => silence.abort(), SILENCE_MS);
        if (line === '') return;
        if (isProved) {
          emit(line);
          return;
        }
        if (proofShape.parse(parseJson(line)).app !== session?.app) throw new Error('Not the app.');
        isProved = true;
        open();
        for (const watcher of watchers) watcher(true);
      });
    } finally {
      clearTimeout(limit);
      silence.abort();
    }
  }

  function emit(line: string): void {
    const { name, value } = eventShape.parse(parseJson(line));
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(value);
      } catch (error) {
        // One that fails does not keep the others from being told.
        reportError(error);
      }
    }
  }

  void keepConnected();
  return {
    async call(name, input) {
      await proved;
      const response = await fetch(`call/${encodeURIComponent(name)}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      }).catch(() => {
        throw appStopped();
      });
      if (!response.ok) throw appStopped();
      return response.json();
    },
    on(event, listener) {
      const all = listeners.get(event) ?? new Set();
      listeners.set(event, all.add(listener));
      return () => all.delete(listener);
    },
    pathOf: () => null,
    watch: (listener) => void watchers.add(listener),
  };
}

async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  }
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
