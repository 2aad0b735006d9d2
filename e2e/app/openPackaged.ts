/** Starts the packed app exactly as it ships, and drives its page over the port that Chromium offers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chromium, expect } from '@playwright/test';
import type { App } from './app.ts';
import { callFromPage } from './callFromPage.ts';
import { dropFile } from './dropFile.ts';
import type { Opened } from './openApp.ts';
import { electronLaunch } from './openElectron.ts';
import { watchTrouble } from './pageTrouble.ts';

export interface ShippedOptions {
  program: string;
  home: string;
  dataFolder: string;
  /** Words of the command line, such as a file to open. */
  args?: readonly string[];
  /** On top of the usual environment. */
  env?: Readonly<Record<string, string>>;
}

/** The main process cannot be attached to: no dialog of the system is answered, and files are dropped instead. */
export async function openShipped(options: ShippedOptions): Promise<Opened> {
  const { dataFolder } = options;
  const program = startShipped(options);
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    program.stdout?.on('data', collect);
    program.stderr?.on('data', collect);
    program.once('exit', (code) => reject(new Error(`The app ended at once (${code}): ${output}`)));
  });
  await pageListed(new URL(address).host);
  const browser = await chromium.connectOverCDP(address);
  const [page] = browser.contexts().flatMap((context) => context.pages());
  if (!page) throw new Error('The app has no page.');
  const trouble = watchTrouble(page);
  await page.waitForLoadState('load');

  async function end(signal: NodeJS.Signals): Promise<void> {
    await browser.close().catch(() => undefined);
    if (program.exitCode !== null || program.signalCode !== null) return;
    const ended = once(program, 'exit');
    program.kill(signal);
    await ended;
  }

  const app: App = {
    entry: 'electron',
    page,
    electron: null,
    http: null,
    dataFolder,
    output: () => output,
    async pickFile(path) {
      await dropFile(app, path);
    },
    call: (name, input) => callFromPage(page, name, input),
    expectTrouble: (pattern) => trouble.expect(pattern),
    stopServing: () => Promise.reject(new Error('The desktop entry is one with its page.')),
    kill: () => end('SIGKILL'),
    close: () => end('SIGTERM'),
  };
  return { app, trouble };
}

/** Who attaches before the window is there waits in vain for its page to be told. */
async function pageListed(host: string): Promise<void> {
  await expect(async () => {
    const listed: unknown = await (await fetch(`http://${host}/json/list`)).json();
    expect(listed).toContainEqual(expect.objectContaining({ type: 'page', url: 'ferry://app/' }));
  }).toPass({ intervals: [50], timeout: 20_000 });
}

/** The program without a hand on its page, as a file manager starts it. */
export function startShipped({
  program,
  home,
  dataFolder,
  args = [],
  env = {},
}: ShippedOptions): ChildProcess {
  const launch = electronLaunch({ args: ['--remote-debugging-port=0', ...args], home, dataFolder });
  return spawn(program, launch.args, {
    cwd: home,
    env: { ...launch.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
