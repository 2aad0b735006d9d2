/** Starts the browser entry as a process, without opening its page. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { OpenOptions } from './app.ts';
import { recordingEnvironment } from './networkLogs.ts';

export interface Serving {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** The output so far. */
  output(): string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export function startServing({
  home,
  dataFolder,
  networkLogs,
  port = 0,
}: Pick<OpenOptions, 'home' | 'dataFolder' | 'networkLogs'> & { port?: number }): Serving {
  const child = spawn(process.execPath, [join(root, 'out/main/serve.cjs'), '--port', `${port}`], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      WALLET_FERRY_DATA: dataFolder,
      ...(networkLogs === undefined ? {} : recordingEnvironment(networkLogs)),
    },
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return { child, output: () => output };
}
