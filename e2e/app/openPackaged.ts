/** Starts a packed app, and drives its page through Chromium's debugging port. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chromium, expect } from '@playwright/test';
import { WebSocket } from 'undici';
import { z } from 'zod/mini';
import type { App, Opened } from './app.ts';
import { callFromPage } from './callFromPage.ts';
import { electronLaunch } from './openElectron.ts';
import { watchTrouble } from './pageTrouble.ts';

export interface PackagedOptions {
  program: string;
  home: string;
  dataFolder: string;
  colorScheme?: 'light' | 'dark';
  /** Arguments, such as a file to open. */
  args?: readonly string[];
  /** More environment variables. */
  env?: Readonly<Record<string, string>>;
  /** Starts the app as another user, because it has no sandbox as root: in a namespace in which it can use root's files. */
  asUser?: boolean;
  /** How a debugger may connect to Chromium. */
  debugOver?: 'port' | 'pipe';
}

/** Opens the twin of the packed app to which a debugger can attach. Nothing can attach to the app as it ships. */
export async function openPackaged(options: PackagedOptions): Promise<Opened> {
  const { dataFolder, colorScheme = 'light', args = [] } = options;
  const program = startPackaged({ ...options, args: ['--inspect=0', ...args] });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  program.stdout?.on('data', collect);
  program.stderr?.on('data', collect);
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        const found = pattern.exec(output)?.[1];
        if (found) resolve(found);
      };
      check();
      program.stderr?.on('data', check);
      program.once('exit', (code) => reject(new Error(`The app ended at once (${code}): ${output}`)));
    });
  const address = await printed(/^DevTools listening on (ws:\S+)/m);
  const main = await attachToMain(await printed(/^Debugger listening on (ws:\S+)/m));
  await pageListed(new URL(address).host);
  // While the app loads its services, the debugger may lose an answer, for which Playwright then waits in vain.
  const attach = () => chromium.connectOverCDP(address, { timeout: 15_000 });
  const browser = await attach().catch(attach);
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
      const chosenPath = JSON.stringify(path);
      await main.run(`
        electron.dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [${chosenPath}] });
        electron.dialog.showSaveDialog = async () => ({ canceled: false, filePath: ${chosenPath} });
      `);
      await open();
    },
    call: (name, input) => callFromPage(page, name, input),
    expectTrouble: (pattern) => trouble.expect(pattern),
    stopServing: () => Promise.reject(new Error('The desktop entry cannot end without its page.')),
    kill: () => end('SIGKILL'),
    async close() {
      // With a running job the app would ask first.
      await main.run('electron.dialog.showMessageBox = async () => ({ response: 1 });');
      main.leave();
      await end('SIGTERM');
    },
  };
  return { app, trouble };
}

/** Waits for the page, because a debugger that attaches earlier never finds it. */
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
  const isKept = (arg: string) => arg !== '--no-sandbox' || args.includes(arg);
  const allArgs = asUser ? launch.args.filter(isKept) : launch.args;
  const [command = program, ...first] = asUser ? [...anotherUser, program] : [program];
  return spawn(command, [...first, ...allArgs], {
    cwd: home,
    env: { ...launch.env, ...env },
    // The last two are Chromium's debugging pipe.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
}

/** The command that runs another one as a user who is not root: none, or as user 1000 of a new namespace. */
const anotherUser =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : [];

/** Why Chromium's sandbox cannot be tested here; null if it can. */
export function noSandboxHere(): string | null {
  if (process.platform !== 'linux') return 'only Linux shows how a process is confined';
  const [command = '', ...args] = [...anotherUser, 'unshare', '--user', '--map-root-user', 'true'];
  return spawnSync(command, args).status === 0 ? null : 'this machine gives programs no user namespaces';
}

interface MainProcess {
  /** Runs the body of a function whose parameter is `electron`. Throws its error. */
  run(body: string): Promise<void>;
  leave(): void;
}

/** Attaches to the debugger of Electron's main process, at the address that it prints. */
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
  id: z.optional(z.number()),
  result: z.optional(z.object({ exceptionDetails: z.optional(z.unknown()) })),
});
