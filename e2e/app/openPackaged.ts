/** Starts a packed app, and drives its page over the port that Chromium offers. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chromium, expect } from '@playwright/test';
import { WebSocket } from 'undici';
import { z } from 'zod';
import type { App, Opened } from './app.ts';
import { callFromPage } from './callFromPage.ts';
import { electronLaunch } from './openElectron.ts';
import { watchTrouble } from './pageTrouble.ts';

export interface PackagedOptions {
  program: string;
  home: string;
  dataFolder: string;
  colorScheme?: 'light' | 'dark';
  /** Words of the command line, such as a file to open. */
  args?: readonly string[];
  /** On top of the usual environment. */
  env?: Readonly<Record<string, string>>;
  /** As root it has no sandbox: starts it as another user, in a namespace of its own that leaves it root's files. */
  asUser?: boolean;
  /** What of Chromium's two ways for a debugger is asked for. */
  debugOver?: 'port' | 'pipe';
}

/** For the copy that lets a debugger in: as the app ships, neither its main process nor its page can be attached to. */
export async function openPackaged(options: PackagedOptions): Promise<Opened> {
  const { dataFolder, colorScheme = 'light', args = [] } = options;
  const program = startPackaged({ ...options, args: ['--inspect=0', ...args] });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  program.stdout?.on('data', collect);
  program.stderr?.on('data', collect);
  const said = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output)?.[1];
        if (found) resolve(found);
      };
      look();
      program.stderr?.on('data', look);
      program.once('exit', (code) => reject(new Error(`The app ended at once (${code}): ${output}`)));
    });
  const address = await said(/^DevTools listening on (ws:\S+)/m);
  const main = await attachToMain(await said(/^Debugger listening on (ws:\S+)/m));
  await pageListed(new URL(address).host);
  const browser = await chromium.connectOverCDP(address);
  const [page] = browser.contexts().flatMap((context) => context.pages());
  if (!page) throw new Error('The app has no page.');
  const trouble = watchTrouble(page);
  await page.emulateMedia({ colorScheme });
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
    async pickFile(path, open) {
      const picked = JSON.stringify(path);
      await main.run(`
        electron.dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [${picked}] });
        electron.dialog.showSaveDialog = async () => ({ canceled: false, filePath: ${picked} });
      `);
      await open();
    },
    call: (name, input) => callFromPage(page, name, input),
    expectTrouble: (pattern) => trouble.expect(pattern),
    stopServing: () => Promise.reject(new Error('The desktop entry is one with its page.')),
    kill: () => end('SIGKILL'),
    async close() {
      // A running job would have the app ask first.
      await main.run('electron.dialog.showMessageBox = async () => ({ response: 1 });');
      main.leave();
      await end('SIGTERM');
    },
  };
  return { app, trouble };
}

/** Waits for the page, because a debugger that attaches earlier never hears of it. */
async function pageListed(host: string): Promise<void> {
  await expect(async () => {
    const listed: unknown = await (await fetch(`http://${host}/json/list`)).json();
    expect(listed).toContainEqual(expect.objectContaining({ type: 'page', url: 'ferry://app/' }));
  }).toPass({ intervals: [50], timeout: 20_000 });
}

/** Starts the program as a file manager does, without attaching to its page. */
export function startPackaged(options: PackagedOptions): ChildProcess {
  const { program, home, dataFolder, args = [], env = {}, asUser = false, debugOver = 'port' } = options;
  const debug = debugOver === 'port' ? '--remote-debugging-port=0' : '--remote-debugging-pipe';
  const launch = electronLaunch({ args: [debug, ...args], home, dataFolder });
  const given = (word: string) => word !== '--no-sandbox' || args.includes(word);
  const words = asUser ? launch.args.filter(given) : launch.args;
  const [command = program, ...first] = asUser ? [...anotherUser, program] : [program];
  return spawn(command, [...first, ...words], {
    cwd: home,
    env: { ...launch.env, ...env },
    // The last two are those that Chromium's pipe is read from and written to.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
}

/** Starts what follows as a user who is not root: as it is, or as user 1000 of a namespace of its own. */
const anotherUser =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : [];

/** Why no program can be started in Chromium's sandbox here, or null where it can. */
export function noSandboxHere(): string | null {
  if (process.platform !== 'linux') return 'only Linux tells how a process is kept in';
  const [command = '', ...args] = [...anotherUser, 'unshare', '--user', '--map-root-user', 'true'];
  return spawnSync(command, args).status === 0 ? null : 'this machine gives programs no user namespaces';
}

interface MainProcess {
  /** Runs the body of a function that is given `electron`. Throws with its error. */
  run(body: string): Promise<void>;
  leave(): void;
}

/** Attaches to the debugger of Electron's main process, at the address that follows "Debugger listening on". */
async function attachToMain(address: string): Promise<MainProcess> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, (reply: z.infer<typeof replyShape>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const reply = replyShape.parse(JSON.parse(String(data)));
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let last = 0;
  return {
    async run(body) {
      last += 1;
      const id = last;
      const replied = new Promise<z.infer<typeof replyShape>>((resolve) => waiting.set(id, resolve));
      const expression = `((electron) => { ${body} })(process.mainModule.require('electron'))`;
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params: { expression } }));
      const { result } = await replied;
      if (result?.exceptionDetails) throw new Error(JSON.stringify(result.exceptionDetails));
    },
    leave: () => socket.close(),
  };
}

const replyShape = z.object({
  id: z.number().optional(),
  result: z.object({ exceptionDetails: z.unknown().optional() }).optional(),
});
