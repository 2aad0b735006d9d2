/** The page's client of the contract, over Electron's preload or loopback HTTP. */
import { z } from 'zod/mini';
import {
  type EventName,
  type EventValue,
  eventTable,
  type Input,
  type Output,
  type RequestName,
  replyShape,
  requestTable,
} from '../../shared/contract.ts';
import { AppError } from '../../shared/model/errors.ts';
import {
  createMessageCipher,
  eventShape,
  fromBase64,
  HEARTBEAT_MS,
  type MessageCipher,
  messagePurposes,
  NUMBER_HEADER,
  randomSecret,
  readSession,
  SEALED_TYPE,
  sessionCredentialsShape,
} from '../../shared/model/seal.ts';
import { parseJson } from '../../shared/model/shapes.ts';
import { checkedInput } from '../../shared/wording/findings/findingWords.ts';
import { asSentence } from '../../shared/wording/findings/hints.ts';
import { say } from '../../shared/wording/say.ts';

/** Milliseconds between two tries to reach the app again. */
const PAUSE_MS = 1000;
/** Milliseconds without a beat after which the stream counts as broken. */
const SILENCE_MS = 3 * HEARTBEAT_MS;

const transport: Transport = window.ferry ?? httpTransport();

export const bridge = {
  /** Makes a request of the contract. Throws AppError. */
  async call<N extends RequestName>(name: N, input: Input<N>): Promise<Output<N>> {
    const { input: sending, output: receiving } = requestTable[name];
    const sent = checkedInput(z.safeEncode(sending, input));
    const answered = replyShape.parse(await transport.call(name, sent));
    if (!answered.ok) throw AppError.fromShape(answered.error);
    return receiving.parse(answered.value);
  },

  /** Listens to an event of the contract until the page closes. */
  on<N extends EventName>(name: N, listener: (value: EventValue<N>) => void): void {
    const schema = eventTable[name];
    transport.on(name, (value) => listener(schema.parse(value)));
  },

  pathOf: (file: File): string | null => transport.pathOf(file) || null,

  /** Calls `listener` when the page loses the app and when it returns. Events in between are lost: request the state again. */
  watch(listener: (reachable: boolean) => void): void {
    transport.watch?.(listener);
  },
};

/** How encoded values travel between the page and the app. */
interface Transport {
  call(name: string, input: unknown): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): void;
  /** The path of a dropped file; null if the browser hides it. */
  pathOf(file: File): string | null;
  /** Reports each loss and return of the app. Absent in Electron, where the page ends with the app. */
  watch?(listener: (reachable: boolean) => void): void;
}

declare global {
  interface Window {
    /** What the preload exposes; absent in the browser entry. */
    ferry?: Transport;
  }
}

/** The id and key for calls. Both are valid as long as the stream is open. */
interface CallConnection {
  id: string;
  seal: MessageCipher;
  /** The number of the next call. */
  count: number;
}

/**
 * The contract over loopback HTTP: calls and one stream of events, encrypted as `shared/model/seal.ts` describes. Throws if this tab
 * has no session.
 */
function httpTransport(): Transport {
  const session = readSession();
  if (session === null) throw new Error('This tab has no access.');
  const tab = createMessageCipher(session.key);
  const authorization = `Bearer ${session.id}`;
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  const watchers: ((reachable: boolean) => void)[] = [];
  /**
   * Resolves once the stream is open, and with null if it failed. A program that takes over the port after the app has ended
   * lacks the session's key, so it cannot open the stream.
   */
  let connection: Promise<CallConnection | null>;

  async function keepConnected(): Promise<never> {
    for (;;) {
      let open = (_: CallConnection | null) => {};
      connection = new Promise((resolve) => {
        open = resolve;
      });
      await follow(open).catch(() => {});
      // Calls may be waiting for the connection.
      open(null);
      connection = Promise.resolve(null);
      for (const watcher of watchers) watcher(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Resolves or rejects when the stream ends. */
  async function follow(open: (connection: CallConnection) => void): Promise<void> {
    const silence = new AbortController();
    let limit = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const tabSeal = await tab;
      const nonce = randomSecret();
      const { ok, body } = await fetch('events', {
        method: 'POST',
        headers: { authorization, 'content-type': SEALED_TYPE },
        body: await tabSeal.encrypt(nonce, messagePurposes.connection()),
        signal: silence.signal,
      });
      if (!ok || body === null) return;
      let count = 0;
      await readLines(body, async (line) => {
        clearTimeout(limit);
        limit = setTimeout(() => silence.abort(), SILENCE_MS);
        if (line === '') return;
        const number = count++;
        const text = await tabSeal.decrypt(fromBase64(line), messagePurposes.event(nonce, number));
        if (number > 0) {
          emit(text);
          return;
        }
        const { id, key } = sessionCredentialsShape.parse(parseJson(text));
        open({ id, seal: await createMessageCipher(key), count: 0 });
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
        // Call the other listeners even if one fails.
        reportError(error);
      }
    }
  }

  void keepConnected();
  return {
    async call(name, input) {
      const current = await connection;
      if (current === null) throw appStoppedError();
      const number = String(current.count++);
      const body = await current.seal.encrypt(
        JSON.stringify(input) ?? '',
        messagePurposes.call(name, number),
      );
      const send = () =>
        fetch(`call/${encodeURIComponent(name)}`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${current.id}`,
            'content-type': SEALED_TYPE,
            [NUMBER_HEADER]: number,
          },
          body,
        });
      try {
        // Retry once without an answer: the app runs a call with the same number only once.
        const response = await send().catch(send);
        if (!response.ok) throw appStoppedError();
        const answer = new Uint8Array(await response.arrayBuffer());
        return parseJson(await current.seal.decrypt(answer, messagePurposes.answer(number)));
      } catch {
        throw appStoppedError();
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

/** What to do once the app no longer answers its page. */
export const START_AGAIN = `${say('The node continues.')} ${say('Start Wallet Ferry, then open its link.')}`;

function appStoppedError(): AppError {
  return new AppError('connection_lost', asSentence(say('Wallet Ferry does not answer')), START_AGAIN);
}
