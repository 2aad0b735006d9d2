/** A client of the browser entry that acts as a tab but can send any header and any body. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import {
  createMessageCipher,
  fromBase64,
  messagePurposes,
  NUMBER_HEADER,
  randomSecret,
  SEALED_TYPE,
  type SessionCredentials,
  sessionCredentialsShape,
} from '../../../shared/model/seal.ts';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Unsealed if it was sealed. */
  body: string;
}

interface CallOverrides {
  headers?: Record<string, string>;
  /** The request name that the body is sealed for. */
  as?: string;
  signal?: AbortSignal;
}

export interface TabClient {
  /** The headers that the browser sends with the page's next call. */
  headers(): Record<string, string>;
  /** Sends a call with `text` as its input. */
  call(name: string, text: string, other?: CallOverrides): Promise<Reply>;
  /** All lines but the first, unsealed. */
  events: string[];
  /** All lines as they were sent. */
  sealedLines: string[];
  end(): void;
}

/** Connects to 127.0.0.1 and sends the host of `url`, because some systems cannot resolve names below `localhost`. */
export function requestAt(
  url: string,
  {
    method = 'GET',
    headers = {},
    signal,
  }: { method?: string; headers?: Record<string, string>; signal?: AbortSignal | undefined } = {},
) {
  const { host, port, pathname, search } = new URL(url);
  const path = pathname + search;
  // One connection for each request: the app may have closed an earlier one.
  return request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    headers: { host, ...headers },
    ...(signal ? { signal } : {}),
  });
}

/** Opens the stream of events of a tab with this session. `host`: the server's own host if `page` is a proxy. */
export async function openTabClient(
  page: string,
  session: SessionCredentials,
  host = new URL(page).host,
): Promise<TabClient> {
  const origin = `http://${host}`;
  const tab = await createMessageCipher(session.key);
  const nonce = randomSecret();
  const stream = requestAt(`${page}events`, {
    method: 'POST',
    headers: { host, authorization: `Bearer ${session.id}`, origin, 'content-type': SEALED_TYPE },
  });
  stream.end(await tab.encrypt(nonce, messagePurposes.connection()));
  const [response] = await once(stream, 'response');
  if (response.statusCode !== 200) throw new Error(`The stream was refused: ${response.statusCode}`);
  const events: string[] = [];
  const sealedLines: string[] = [];
  for (const end of [stream, response]) end.on('error', () => {});
  const first = await new Promise<string>((resolve) => {
    const lines = createInterface({ input: response });
    lines.on('error', () => {});
    lines.on('line', async (line) => {
      if (line === '') return;
      const number = sealedLines.push(line) - 1;
      const text = await tab.decrypt(fromBase64(line), messagePurposes.event(nonce, number));
      if (number === 0) resolve(text);
      else events.push(text);
    });
  });
  const { id, key } = sessionCredentialsShape.parse(JSON.parse(first));
  const seal = await createMessageCipher(key);
  let count = 0;
  const headers = () => ({
    host,
    authorization: `Bearer ${id}`,
    origin,
    'sec-fetch-site': 'same-origin',
    'content-type': SEALED_TYPE,
    [NUMBER_HEADER]: String(count++),
  });
  return {
    headers,
    async call(name, text, other = {}) {
      // An empty header is left out.
      const all = Object.entries({ ...headers(), ...other.headers });
      const sent: Record<string, string> = Object.fromEntries(all.filter(([, value]) => value !== ''));
      const number = sent[NUMBER_HEADER] ?? '';
      const sentRequest = requestAt(`${page}call/${name}`, {
        method: 'POST',
        headers: sent,
        signal: other.signal,
      });
      sentRequest.end(await seal.encrypt(text, messagePurposes.call(other.as ?? name, number)));
      const [answer] = await once(sentRequest, 'response');
      const bytes = await buffer(answer);
      const body =
        answer.statusCode === 200
          ? await seal.decrypt(Uint8Array.from(bytes), messagePurposes.answer(number))
          : bytes.toString();
      return { status: answer.statusCode ?? 0, headers: answer.headers, body };
    },
    events,
    sealedLines,
    end: () => void stream.destroy(),
  };
}
