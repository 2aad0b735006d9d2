/** The fixtures of the specs: an empty home, test nodes, and the app in the entry that the project names. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { orNull } from '../electron/walletfile/bytes/once.ts';
import type { App, Entry, Opened, OpenOptions } from './app/app.ts';
import { otherAddress } from './app/machine.ts';
import { openBrowser } from './app/openBrowser.ts';
import { openElectron } from './app/openElectron.ts';
import { openPackaged } from './app/openPackaged.ts';
import { type EngineRelease, startEngine, type TestEngine } from './app/startEngine.ts';
import { connect, connectByHand } from './app/steps.ts';
import {
  type FixtureName,
  type ReleaseName,
  type Scenario,
  startTestNode,
  type TestNode,
} from './testNode/testNode.ts';

export type { App, Entry } from './app/app.ts';
export * from './app/startEngine.ts';
export * from './testNode/testNode.ts';
export { expect };

export interface EntryOptions {
  /** `packaged`: the packed desktop entry that ATTACHABLE_APP names. */
  entry: Entry | 'packaged';
}

interface Fixtures {
  /** An empty folder, which is the app's HOME. */
  home: string;
  /**
   * Starts a test node. `folder` is its data folder below `home`. By default the app finds it by itself.
   */
  startNode(release: ReleaseName, scenario?: Scenario, folder?: string): Promise<TestNode>;
  /** Starts a test node and the app, and connects the app to it. */
  openConnected(release: ReleaseName, scenario?: Scenario): Promise<{ app: App; node: TestNode; page: Page }>;
  /**
   * Starts a node at an address that belongs to another machine for the app, and connects the app to it. Skips the spec
   * if this machine has no such address.
   */
  openRemote(release: ReleaseName, scenario?: Scenario): Promise<{ app: App; node: TestNode }>;
  /** Starts the built offline engine without the app, in a folder below `home`, with these wallets by name. */
  runEngine(
    release: EngineRelease,
    wallets?: Readonly<Record<string, FixtureName>>,
    folder?: string,
  ): Promise<TestEngine>;
  /** Starts the app. Any error on its page fails the spec. */
  openApp(options?: Partial<Omit<OpenOptions, 'home'>>): Promise<App>;
}

interface WorkerFixtures {
  /** The Chromium of this worker, started when a spec first needs it. */
  sharedBrowser(): Promise<Browser>;
}

export const test = base.extend<Fixtures & EntryOptions, WorkerFixtures>({
  entry: ['browser', { option: true }],

  home: async ({ entry }, use) => {
    const home = await mkdtemp(join(tmpdir(), `ferry-${entry}-`));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  },

  startNode: async ({ home }, use) => {
    const nodes: TestNode[] = [];
    await use(async (release, scenario = {}, folder = '.bitcoin') => {
      const node = await startTestNode({ release, dataFolder: join(home, folder), scenario });
      nodes.push(node);
      return node;
    });
    for (const node of nodes) await node.stop();
    // A method without a recording proves nothing.
    expect(nodes.flatMap((node) => node.unrecorded)).toEqual([]);
  },

  runEngine: async ({ home }, use) => {
    const engines: TestEngine[] = [];
    await use(async (release, wallets, folder = 'engine') => {
      const engine = await startEngine(release, join(home, folder), wallets);
      engines.push(engine);
      return engine;
    });
    for (const engine of engines) await engine.stop();
  },

  openApp: async ({ entry, home, sharedBrowser }, use, info) => {
    const opened: Opened[] = [];
    await use(
      async ({
        colorScheme = 'light',
        dataFolder = join(home, 'ferry-data'),
        ownProcess = false,
        ...others
      } = {}) => {
        const options = { home, dataFolder, colorScheme, ownProcess, ...others };
        const one =
          entry === 'electron'
            ? await openElectron(options)
            : entry === 'browser'
              ? await openBrowser(await sharedBrowser(), options)
              : await openPackaged({ ...options, program: packagedProgram('ATTACHABLE_APP') });
        opened.push(one);
        return one.app;
      },
    );
    for (const { app } of opened) {
      if (info.status !== info.expectedStatus) await attachScene(app, info);
      await app.close();
    }
    expect(opened.flatMap(({ trouble }) => trouble.unexpected())).toEqual([]);
  },

  openConnected: async ({ openApp, startNode }, use) => {
    await use(async (release, scenario) => {
      const node = await startNode(release, scenario);
      const app = await openApp();
      await connect(app, node);
      return { app, node, page: app.page };
    });
  },

  openRemote: async ({ openApp, startNode }, use) => {
    await use(async (release, scenario = {}) => {
      base.skip(otherAddress === undefined, 'this machine has no address except its loopback');
      const [host, login] = [otherAddress ?? '', { user: 'ana', password: 'far away' }];
      const node = await startNode(release, { ...scenario, login, host }, 'elsewhere');
      const app = await openApp();
      await connectByHand(app, { host, port: node.port, ...login });
      return { app, node };
    });
  },

  sharedBrowser: [
    async ({ playwright }, use) => {
      const started: Browser[] = [];
      await use(async () => {
        const running = started[0];
        if (running) return running;
        const browser = await playwright.chromium.launch({
          executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
          args: [
            ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
            '--disable-gpu',
            // Optimising the code of a page that lives for seconds costs more than it saves.
            '--js-flags=--no-maglev --no-opt',
            '--disable-background-networking',
          ],
        });
        started.push(browser);
        return browser;
      });
      for (const browser of started) await browser.close();
    },
    { scope: 'worker' },
  ],
});

/** The path of a packed app. `build/packForSpecs.mjs` packs them, and names them in the environment. */
export function packagedProgram(which: 'PACKAGED_APP' | 'ATTACHABLE_APP'): string {
  const program = process.env[which];
  if (!program) throw new Error(`${which} names no packed app: run these specs with build/endToEnd.mjs.`);
  return program;
}

/** Attaches the page of a failed spec to its report. */
async function attachScene(app: App, info: ReturnType<typeof test.info>): Promise<void> {
  const page = await app.page
    .locator('body')
    .ariaSnapshot()
    .catch(() => 'The page is gone.');
  await info.attach('page', { body: page, contentType: 'text/plain' });
  await info.attach('output', {
    body: orNull(() => app.output()) ?? 'The app has no process of its own.',
    contentType: 'text/plain',
  });
  const picture = await app.page.screenshot({ timeout: 5000 }).catch(() => null);
  if (picture) await info.attach('screenshot', { body: picture, contentType: 'image/png' });
}
