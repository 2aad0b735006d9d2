/** The recorded answers and log lines of one release. A test node has no other source. */
import { readFileSync } from 'node:fs';
import { z } from 'zod/mini';
import { withDataFolder, withDataFolderInJson } from './names.ts';

export const releases = ['23.0', '25.2', '28.1', '29.3', '30.0', '31.0', '32.0-pre'] as const;
export type ReleaseName = (typeof releases)[number];

export interface RpcError {
  code: number;
  message: string;
}
export type Reply = { result: unknown } | { error: RpcError };

/** One exchange. Texts hold `{DATADIR}` for the node's data folder. */
export interface Exchange {
  id: string;
  status: number;
  headers: Record<string, string>;
  /** The body as sent: JSON, or plain text or nothing for some errors. */
  body: string;
  /** The lines that the node logged meanwhile, with the time stamps of the recording. */
  log: string[];
}

/** One recorded exchange with its request, to be replayed. */
export type RecordedExchange = z.infer<typeof exchangeShape>;

export interface Recording {
  release: ReleaseName;
  /** 280100 is release 28.1. */
  number: number;
  /** Throws if the release has no exchange with this id. */
  exchange(id: string): Exchange;
  has(id: string): boolean;
  /** Result or error of an exchange, whichever dialect it was recorded in. */
  reply(id: string): Reply;
}

export function loadRecording(release: ReleaseName): Recording {
  const file = new URL(`../fixtures/rpc/${release}.json`, import.meta.url);
  const parsed = recordingShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  const exchanges = new Map<string, Exchange>();
  for (const { id, response, log } of parsed.exchanges) exchanges.set(id, { id, ...response, log });
  function exchange(id: string): Exchange {
    const found = exchanges.get(id);
    if (!found) throw new Error(`Release ${release} has no recorded exchange ${id}.`);
    return found;
  }
  return {
    release,
    number: parsed.release,
    exchange,
    has: (id) => exchanges.has(id),
    reply: (id) => replyOf(exchange(id).body),
  };
}

/** Every exchange of a release, with `dataFolder` in its requests and answers. */
export function recordedExchanges(release: string, dataFolder: string): RecordedExchange[] {
  const file = new URL(`../fixtures/rpc/${release}.json`, import.meta.url);
  const { exchanges } = recordingShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  return exchanges.map(({ request, response, ...rest }) => ({
    ...rest,
    request: requestShape.parse(mapTexts(request, (text) => withDataFolder(text, dataFolder))),
    response: { ...response, body: withDataFolderInJson(response.body, dataFolder) },
  }));
}

/** Applies `change` to every text in `value`, to replace names and paths. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

const requestShape = z.object({
  path: z.string(),
  auth: z.enum(['cookie', 'none', 'wrong']),
  body: z.looseObject({
    id: z.string(),
    method: z.string(),
    params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  }),
});
const exchangeShape = z.object({
  id: z.string(),
  request: requestShape,
  response: z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() }),
  log: z.array(z.string()),
});
const recordingShape = z.object({ release: z.number(), exchanges: z.array(exchangeShape) });

const errorShape = z.object({ code: z.number(), message: z.string() });
const bodyShape = z.object({ result: z.optional(z.unknown()), error: z.nullish(errorShape) });

function replyOf(body: string): Reply {
  const { result, error } = bodyShape.parse(JSON.parse(body));
  return error ? { error } : { result };
}
