/** Logs of everything that the app sends, written by each of its Node processes and by Chromium's network service. */
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod/mini';

export interface NetworkTraffic {
  /** The programs and threads that wrote to the log. */
  programs: string[];
  /** `host:port` of each connection, or the path of its socket, without duplicates. */
  connections: string[];
  /** Looked-up names and datagrams. */
  others: string[];
  /** What Chromium connected to, looked up or requested; null if it wrote no log. */
  chromium: string[] | null;
}

const recorder = fileURLToPath(new URL('recordNetwork.cjs', import.meta.url));
const nodeLog = (folder: string) => join(folder, 'node.jsonl');
const chromiumLog = (folder: string) => join(folder, 'chromium.json');

/** The environment with which every Node process of the app loads the recorder. */
export function recordingEnvironment(folder: string): Record<string, string> {
  return { NODE_OPTIONS: `--require ${recorder}`, FERRY_NETWORK_LOG: nodeLog(folder) };
}

/** The first arguments of Electron, which ignores NODE_OPTIONS. Chromium's log is complete once the app has ended. */
export function recordingArguments(folder: string): string[] {
  return ['--require', recorder, `--log-net-log=${chromiumLog(folder)}`];
}

/** Reads the logs of an app that has ended. */
export function readNetworkLogs(folder: string): NetworkTraffic {
  const entries = readFileSync(nodeLog(folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => entryShape.parse(JSON.parse(line)));
  const unique = (describe: (entry: Entry) => string | null) => [
    ...new Set(entries.map(describe).filter((text) => text !== null)),
  ];
  return {
    programs: unique((entry) => (entry.kind === 'began' ? entry.program : null)),
    connections: unique((entry) => {
      if (entry.kind !== 'connection') return null;
      return entry.path ?? `${entry.host}:${entry.port}`;
    }),
    others: unique((entry) =>
      entry.kind === 'look-up' && isIP(entry.name) === 0
        ? `look-up of ${entry.name}`
        : entry.kind === 'datagram'
          ? `datagram to ${entry.to.join(' ')}`
          : null,
    ),
    chromium: existsSync(chromiumLog(folder))
      ? chromiumTraffic(readFileSync(chromiumLog(folder), 'utf8'))
      : null,
  };
}

const entryShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('began'), program: z.string() }),
  z.object({
    kind: z.literal('connection'),
    path: z.optional(z.string()),
    host: z.optional(z.string()),
    port: z.optional(z.number()),
  }),
  z.object({ kind: z.literal('datagram'), to: z.array(z.string()) }),
  z.object({ kind: z.literal('look-up'), name: z.string() }),
]);
type Entry = z.infer<typeof entryShape>;

/**
 * Every address, host and URL in the events of a log of Chromium (`--log-net-log`). Its first line describes the kinds of
 * events and the settings, which are no traffic. Throws if it is no such log.
 */
function chromiumTraffic(log: string): string[] {
  const start = log.indexOf('"events"');
  if (start < 0) throw new Error('Chromium wrote a log without events.');
  const found = log
    .slice(start)
    .matchAll(/"(?:address|remote_address|host|url|location|group_id)":"([^"]*)"/g);
  return [...new Set([...found].map(([, text = '']) => text))];
}
