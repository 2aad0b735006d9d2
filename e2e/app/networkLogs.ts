/** What the app has sent to anyone: written down by each of its Node processes, and by Electron's own network service. */
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export interface NetworkTraffic {
  /** The programs and threads that wrote down what they do. */
  programs: string[];
  /** `host:port` of each connection, once; a path for a socket of the file system. */
  connections: string[];
  /** Names that were looked up, and datagrams. */
  others: string[];
  /** What Chromium connected to, looked up or asked for over the network; null where it kept no log. */
  chromium: string[] | null;
}

const recorder = fileURLToPath(new URL('recordNetwork.cjs', import.meta.url));
const nodeLog = (folder: string) => join(folder, 'node.jsonl');
const chromiumLog = (folder: string) => join(folder, 'chromium.json');

/** For the environment of the app: every Node process that comes of it loads the recorder. */
export function recordingEnvironment(folder: string): Record<string, string> {
  return { NODE_OPTIONS: `--require ${recorder}`, FERRY_NETWORK_LOG: nodeLog(folder) };
}

/** For the start of Electron's command line, which takes no NODE_OPTIONS. The log is whole once the app has ended. */
export function recordingArguments(folder: string): string[] {
  return ['--require', recorder, `--log-net-log=${chromiumLog(folder)}`];
}

/** Of an app that has ended. */
export function readNetworkLogs(folder: string): NetworkTraffic {
  const entries = readFileSync(nodeLog(folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => entryShape.parse(JSON.parse(line)));
  const seen = (tell: (entry: Entry) => string | null) => [
    ...new Set(entries.map(tell).filter((text) => text !== null)),
  ];
  return {
    programs: seen((entry) => (entry.kind === 'began' ? entry.program : null)),
    connections: seen((entry) => {
      if (entry.kind !== 'connection') return null;
      return entry.path ?? `${entry.host}:${entry.port}`;
    }),
    others: seen((entry) =>
      entry.kind === 'look-up' && isIP(entry.name) === 0
        ? `look-up of ${entry.name}`
        : entry.kind === 'datagram'
          ? `datagram to ${entry.to.join(' ')}`
          : null,
    ),
    chromium: existsSync(chromiumLog(folder))
      ? chromiumSeen(readFileSync(chromiumLog(folder), 'utf8'))
      : null,
  };
}

const entryShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('began'), program: z.string() }),
  z.object({
    kind: z.literal('connection'),
    path: z.string().optional(),
    host: z.string().optional(),
    port: z.number().optional(),
  }),
  z.object({ kind: z.literal('datagram'), to: z.array(z.string()) }),
  z.object({ kind: z.literal('look-up'), name: z.string() }),
]);
type Entry = z.infer<typeof entryShape>;

/**
 * Every address, host and URL among the parameters of the events, of a log of Chromium's (`--log-net-log`). Its first
 * line names the kinds of events and the settings, which are no traffic. Throws where it is no such log.
 */
function chromiumSeen(log: string): string[] {
  const start = log.indexOf('"events"');
  if (start < 0) throw new Error('Chromium wrote a log without events.');
  const found = log
    .slice(start)
    .matchAll(/"(?:address|remote_address|host|url|location|group_id)":"([^"]*)"/g);
  return [...new Set([...found].map(([, text = '']) => text))];
}
