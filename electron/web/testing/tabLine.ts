/** A tab of the browser entry, played by Node: any header, any body, and what the page keeps to itself. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createInterface } from 'node:readline';
import {
  about,
  fromBase64,
  NUMBER_HEADER,
  randomSecret,
  SEALED_TYPE,
  type SealedWith,
  sealedWithShape,
  sealWith,
} from '../../../shared/model/seal.ts';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Opened, where it was sealed. */
  body: string;
}

interface Other {
  headers?: Record<string, string>;
  /** The name that it is sealed about. */
  as?: string;
  signal?: AbortSignal;
}

export interface TabLine {
  /** The headers that the page's browser sends with the next call. */
  headers(): Record<string, string>;
  /** Sends a call: its input as text, with other headers than the page would, or sealed about another call. */
  call(name: string, text: string, other?: Other): Promise<Reply>;
  /** Of all but the first line, opened. */
  events: string[];
  /** What crossed as it was. */
  sealedLines: string[];
  end(): void;
}

/** At 127.0.0.1, with the host that a browser would ask for: not every system knows names below `localhost`. */
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
  // Each on a connection of its own: one that the app has closed would fail the next.
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

/** Opens the line of a tab with this session, at the address of its page; `host` where that is reached by another one. */
export async function openTabLine(
  page: string,
  session: SealedWith,
  host = new URL(page).host,
): Promise<TabLine> {
  const origin = `http://${host}`;
  const tab = await sealWith(session.key);
  const word = randomSecret();
  const stream = requestAt(`${page}events`, {
    method: 'POST',
    headers: { host, authorization: `Bearer ${session.id}`, origin, 'content-type': SEALED_TYPE },
  });
  stream.end(await tab.close(word, about.line()));
  const [response] = await once(stream, 'response');
  if (response.statusCode !== 200) throw new Error(`The line was refused: ${response.statusCode}`);
  const events: string[] = [];
  const sealedLines: string[] = [];
  for (const end of [stream, response]) end.on('error', () => {});
  const first = await new Promise<string>((resolve) => {
    const lines = createInterface({ input: response });
    lines.on('error', () => {});
    lines.on('line', async (line) => {
      if (line === '') return;
      const number = sealedLines.push(line) - 1;
      const text = await tab.open(fromBase64(line), about.event(word, number));
      if (number === 0) resolve(text);
      else events.push(text);
    });
  });
  const { id, key } = sealedWithShape.parse(JSON.parse(first));
  const seal = await sealWith(key);
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
      // An empty one is left out.
      const all = Object.entries({ ...headers(), ...other.headers });
      const sent: Record<string, string> = Object.fromEntries(all.filter(([, value]) => value !== ''));
      const number = sent[NUMBER_HEADER] ?? '';
      const asked = requestAt(`${page}call/${name}`, { method: 'POST', headers: sent, signal: other.signal });
      asked.end(await seal.close(text, about.call(other.as ?? name, number)));
      const [answer] = await once(asked, 'response');
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const body =
        answer.statusCode === 200
          ? await seal.open(Uint8Array.from(bytes), about.answer(number))
          : bytes.toString();
      return { status: answer.statusCode ?? 0, headers: answer.headers, body };
    },
    events,
    sealedLines,
    end: () => void stream.destroy(),
  };
}
