/** Starts the browser entry and opens its link in Chromium. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from '@playwright/test';
import { z } from 'zod/mini';
import { currentLocale, say } from '../../shared/wording/say.ts';
import type { App, Opened, OpenOptions } from './app.ts';
import { SERVING, TRANSLATED_SERVING } from './bundleServing.ts';
import { callFromPage } from './callFromPage.ts';
import { watchTrouble } from './pageTrouble.ts';
import { startServing } from './startServing.ts';
import type { Windows } from './windows.ts';

export async function openBrowser(browser: Browser, options: OpenOptions): Promise<Opened> {
  const { dataFolder, colorScheme, ownProcess, networkLogs, windows } = options;
  const served = windows
    ? await serveOnWindows(windows, options)
    : ownProcess || networkLogs !== undefined
      ? await serveInProcess(options)
      : await loadServing().serveHere(options);
  const { http } = served;

  const context = await browser.newContext({
    viewport: { width: 1100, height: 760 },
    colorScheme,
    // Specs compare dates with their own.
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
      await chooseInDialog(page, path, windows?.toWindowsPath);
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

/** Loads it only if needed, because it contains the whole back end. */
function loadServing(): typeof import('./serveHere.ts') {
  return createRequire(import.meta.url)(currentLocale().language === 'en' ? SERVING : TRANSLATED_SERVING);
}

/** A running browser entry. */
export interface Served {
  readonly http: { readonly origin: string; readonly link: string };
  /** See `App.output`. */
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

/** On Windows a program can only be killed. */
async function serveOnWindows(
  windows: Windows,
  { home, dataFolder }: Pick<OpenOptions, 'home' | 'dataFolder'>,
): Promise<Served> {
  const server = windows.start(home, ['out/main/serve.cjs', '--port', '0'], {
    env: { WALLET_FERRY_DATA: windows.toWindowsPath(dataFolder) },
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
 * Chooses a path in the app's own file dialog. A missing folder is entered as a new one. `toAppPath` converts a path of this
 * machine to one of the app's system.
 */
export async function chooseInDialog(
  page: Page,
  path: string,
  toAppPath = (here: string) => here,
): Promise<void> {
  const dialog = page.getByRole('dialog');
  // Wait for the first folder, whose path would replace what is typed.
  await dialog.getByRole('listbox').waitFor();
  const newFolder = dialog.getByLabel(say('New folder (optional)'));
  const name = dialog.getByLabel(say('File name'));
  const thisFolder = dialog.getByRole('button', { name: say('Choose this folder'), exact: true });
  const exists = existsSync(path);
  if ((await newFolder.isVisible()) || (await thisFolder.isVisible())) {
    await goInto(page, toAppPath(exists ? path : dirname(path)));
    if (!exists) await newFolder.fill(basename(path));
    const label = exists ? say('Choose this folder') : say('Choose the new folder');
    await dialog.getByRole('button', { name: label, exact: true }).click();
  } else if (await name.isVisible()) {
    await goInto(page, toAppPath(dirname(path)));
    await name.fill(basename(path));
    await dialog.getByRole('button', { name: say('Save here') }).click();
  } else {
    await goInto(page, toAppPath(dirname(path)));
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
