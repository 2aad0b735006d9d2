/**
 * The contract over loopback HTTP: calls, and one stream of events that is opened again when it ends, all of it sealed
 * between this tab and the app (see `shared/model/seal.ts`).
 */
import { AppError } from '../../../shared/model/errors.ts';
import { parseJson } from '../../../shared/model/parseJson.ts';
import {
  about,
  BEAT_MS,
  eventShape,
  fromBase64,
  NUMBER_HEADER,
  randomSecret,
  SEALED_TYPE,
  type Seal,
  sealedWithShape,
  sealWith,
} from '../../../shared/model/seal.ts';
import { say } from '../../../shared/wording/say.ts';
import { readSession } from './session.ts';

/** How encoded values travel between the page and the app. */
export interface Line {
  call(name: string, input: unknown): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): void;
  /** Where a dropped file lies; null where the browser does not tell. */
  pathOf(file: File): string | null;
  /** Tells whether the app behind the page can be reached. Never, where the page lives and ends with it. */
  watch?(listener: (reachable: boolean) => void): void;
}

declare global {
  interface Window {
    /** What the preload exposes; absent in the browser entry. */
    ferry?: Line;
  }
}

/** Between two tries to reach the app again, in milliseconds. */
const PAUSE_MS = 1000;
/** Without a beat for so long, the stream is dead though nothing has said so. */
const SILENCE_MS = 3 * BEAT_MS;

/** What the app gave for calls, for as long as the stream stands. */
interface CallLine {
  id: string;
  seal: Seal;
  /** Of calls so far: each has a number of its own. */
  count: number;
}

/** Throws where this tab has no session. */
export function httpLine(): Line {
  const session = readSession();
  if (session === null) throw new Error('This tab has no access.');
  const tab = sealWith(session.key);
  const authorization = `Bearer ${session.id}`;
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  const watchers: ((reachable: boolean) => void)[] = [];
  /**
   * Resolves once the stream stands; with null where it has ended. Who takes the port over after the app's end cannot
   * have it stand.
   */
  let standing: Promise<CallLine | null>;

  async function keepConnected(): Promise<never> {
    for (;;) {
      let open = (_: CallLine | null) => {};
      standing = new Promise((resolve) => {
        open = resolve;
      });
      await follow(open).catch(() => {});
      // For calls that wait for it.
      open(null);
      standing = Promise.resolve(null);
      for (const watcher of watchers) watcher(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Ends, or throws, with the stream. */
  async function follow(open: (line: CallLine) => void): Promise<void> {
    const silence = new AbortController();
    let limit = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const tabSeal = await tab;
      const word = randomSecret();
      const { ok, body } = await fetch('events', {
        method: 'POST',
        headers: { authorization, 'content-type': SEALED_TYPE },
        body: await tabSeal.close(word, about.line()),
        signal: silence.signal,
      });
      if (!ok || body === null) return;
      let count = 0;
      await readLines(body, async (line) => {
        clearTimeout(limit);
        limit = setTimeout(() => silence.abort(), SILENCE_MS);
        if (line === '') return;
        const number = count++;
        const text = await tabSeal.open(fromBase64(line), about.event(word, number));
        if (number > 0) {
          emit(text);
          return;
        }
        const { id, key } = sealedWithShape.parse(parseJson(text));
        open({ id, seal: await sealWith(key), count: 0 });
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
      const line = await standing;
      if (line === null) throw appStopped();
      const number = String(line.count++);
      const body = await line.seal.close(JSON.stringify(input) ?? '', about.call(name, number));
      const send = () =>
        fetch(`call/${encodeURIComponent(name)}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${line.id}`,
            'content-type': SEALED_TYPE,
            [NUMBER_HEADER]: number,
          },
          body,
        });
      try {
        // Once more where no answer came: the app does no call twice.
        const response = await send().catch(send);
        if (!response.ok) throw appStopped();
        const answer = new Uint8Array(await response.arrayBuffer());
        return parseJson(await line.seal.open(answer, about.answer(number)));
      } catch {
        throw appStopped();
      }
    },
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    pathOf: () => null,
    watch: (listener) => void watchers.push(listener),
  };
}

async function readLines(
  body: ReadableStream<Uint8Array>,
  onLine: (line: string) => Promise<void>,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) await onLine(line);
  }
}

function appStopped(): AppError {
  return new AppError(
    'connection_lost',
    say('Wallet Ferry does not answer.'),
    say('The node continues. Start Wallet Ferry again and open its link.'),
  );
}
