/** Starts the browser entry and opens its link in Chromium. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from '@playwright/test';
import { z } from 'zod';
import { say, spoken } from '../../shared/wording/say.ts';
import type { App, Opened, OpenOptions } from './app.ts';
import { callFromPage } from './callFromPage.ts';
import { watchTrouble } from './pageTrouble.ts';
import { startServing } from './startServing.ts';
import type { Windows } from './windows.ts';

export async function openBrowser(browser: Browser, options: OpenOptions): Promise<Opened> {
  const { dataFolder, colorScheme, ownProcess, networkLogs, windows } = options;
  // Threads keep the language that they began with.
  const isAlone = ownProcess || networkLogs !== undefined || spoken().language !== 'en';
  // Loaded where it is used: it brings all of the back end.
  const served = windows
    ? await serveOnWindows(windows, options)
    : isAlone
      ? await serveInProcess(options)
      : await (await import('./serveHere.ts')).serveHere(options);
  const { http } = served;

  const context = await browser.newContext({
    viewport: { width: 1100, height: 760 },
    colorScheme,
    // Specs compare dates with those that they make themselves.
    locale: 'en-GB',
    permissions: [],
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const trouble = watchTrouble(page);
  await page.goto(http.link);
  await page.waitForURL(new URL('.', http.link).href);

  const app: App = {
    entry: 'browser',
    page,
    electron: null,
    http,
    dataFolder,
    output: served.output,
    async pickFile(path, open) {
      await open();
      await chooseInDialog(page, path, windows?.seen);
    },
    call: (name, input) => callFromPage(page, name, input),
    expectTrouble: (pattern) => trouble.expect(pattern),
    stopServing: () => served.stop(),
    async kill() {
      await context.close();
      await served.kill();
    },
    async close() {
      await context.close();
      await served.stop();
    },
  };
  return { app, trouble };
}

/** The browser entry, wherever it is served from. */
export interface Served {
  readonly http: { readonly origin: string; readonly link: string };
  /** See `App`. */
  output(): string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

async function serveInProcess(options: OpenOptions): Promise<Served> {
  const { child: server, output } = startServing(options);
  const lines = createInterface({ input: server.stdout });
  const first = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    server.once('exit', (code) => reject(new Error(`The browser entry ended (${code}): ${output()}`)));
  });
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }
  return {
    http: readyShape.parse(JSON.parse(first)),
    output,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** There a program can only be killed. */
async function serveOnWindows(
  windows: Windows,
  { home, dataFolder }: Pick<OpenOptions, 'home' | 'dataFolder'>,
): Promise<Served> {
  const server = windows.start(home, ['out/main/serve.cjs', '--port', '0'], {
    env: { WALLET_FERRY_DATA: windows.seen(dataFolder) },
  });
  return {
    http: readyShape.parse(JSON.parse(await server.firstLine())),
    output: server.output,
    stop: server.kill,
    kill: server.kill,
  };
}

const readyShape = z.object({ origin: z.string(), link: z.string() });

/**
 * Drives the app's own file dialog by its path field. A folder that is not there yet is named as a new one. `seen`: a path of this
 * machine as the app sees it.
 */
export async function chooseInDialog(page: Page, path: string, seen = (here: string) => here): Promise<void> {
  const dialog = page.getByRole('dialog');
  // It begins in a folder of its own choice, whose path comes with its entries.
  await dialog.getByRole('listbox').waitFor();
  const newFolder = dialog.getByLabel(say('New folder (optional)'));
  const name = dialog.getByLabel(say('File name'));
  const thisFolder = dialog.getByRole('button', { name: say('Choose this folder'), exact: true });
  const isThere = existsSync(path);
  if ((await newFolder.isVisible()) || (await thisFolder.isVisible())) {
    await goInto(page, seen(isThere ? path : dirname(path)));
    if (!isThere) await newFolder.fill(basename(path));
    const words = isThere ? say('Choose this folder') : say('Choose the new folder');
    await dialog.getByRole('button', { name: words, exact: true }).click();
  } else if (await name.isVisible()) {
    await goInto(page, seen(dirname(path)));
    await name.fill(basename(path));
    await dialog.getByRole('button', { name: say('Save here') }).click();
  } else {
    await goInto(page, seen(dirname(path)));
    await dialog.getByRole('option', { name: basename(path), exact: true }).click();
    await dialog.getByRole('button', { name: say('Choose'), exact: true }).click();
  }
  await dialog.waitFor({ state: 'detached' });
}

async function goInto(page: Page, folder: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('Folder'), { exact: true }).fill(folder);
  const listed = page.waitForResponse((response) => response.url().endsWith('/call/files.browse'));
  await dialog.getByRole('button', { name: say('Go') }).click();
  await listed;
}
