/** The fixtures of the specs on Windows: the app, the terminal and test nodes, all of which run there. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { z } from 'zod/mini';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import { button, goTo, heading, LONG } from '../app/steps.ts';
import { findWindows, type OnWindows, type Windows } from '../app/windows.ts';
import { type App, test as base, type ReleaseName, type Scenario } from '../app.ts';

export { expect, fixtureFile, fixturePassphrase } from '../app.ts';

/** The card of the node on this port, which the app finds by itself. */
export function nodeThere({ page }: App, port: number): Locator {
  const found = page.getByRole('list', { name: 'Nodes on this computer' }).getByRole('listitem');
  return found.filter({ hasText: `:${port}` });
}

/** Connects to the node on this port. */
export async function connectThere(app: App, port: number): Promise<void> {
  await goTo(app, 'Node');
  await button(nodeThere(app, port), 'Connect').click();
  await heading(app.page, 'All wallets').waitFor(LONG);
}

interface Fixtures {
  /** A folder outside of the user's profile. */
  outside: string;
  /** Starts a program there. The fixture kills it at the end. */
  start: Windows['start'];
  /** Opens the browser entry. */
  openOnWindows(): Promise<App>;
  /** Starts a test node in a data folder, created if missing. Returns its port. */
  startNodeThere(release: ReleaseName, dataFolder: string, scenario?: Scenario): Promise<number>;
  /** Runs the terminal entry to its end. `input`: its whole standard input. */
  ferry(args: readonly string[], input?: string): Promise<{ code: number | null; out: string; err: string }>;
}

export const test = base.extend<Fixtures, { windows: Windows }>({
  windows: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern.
    async ({}, use) => {
      const windows = await findWindows();
      await use(windows);
      await windows.remove();
    },
    { scope: 'worker' },
  ],

  start: async ({ windows }, use) => {
    const started: OnWindows[] = [];
    await use((...args) => {
      const one = windows.start(...args);
      started.push(one);
      return one;
    });
    for (const one of started) await one.kill();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern.
  outside: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'outside-'));
    await use(folder);
    await removeTestFolder(folder);
  },

  openOnWindows: async ({ openApp, windows }, use) => {
    await use(() => openApp({ windows }));
  },

  startNodeThere: async ({ start, windows, home }, use) => {
    await use(async (release, dataFolder, scenario = {}) => {
      const args = [release, windows.toWindowsPath(dataFolder), JSON.stringify(scenario)];
      const node = start(home, ['e2e/windows/nodeProgram.ts', ...args]);
      return readyShape.parse(JSON.parse(await node.firstLine())).port;
    });
  },

  ferry: async ({ start, windows, home }, use) => {
    await use(async (args, input) => {
      const env = { WALLET_FERRY_DATA: windows.toWindowsPath(join(home, 'ferry-data')) };
      const run = start(home, ['out/main/ferry.cjs', ...args], {
        env,
        ...(input === undefined ? {} : { input }),
      });
      const code = await run.exited;
      return { code, out: run.output(), err: run.errors() };
    });
  },
});

const readyShape = z.object({ port: z.number() });
