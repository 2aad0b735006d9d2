/**
 * The steps of `docs/first-steps.md` as a new user takes them: from a fresh clone in an empty home to a migrated wallet
 * without a node, in a browser and, where there is an Electron, in a window. `npm run screenshots -- firstSteps` takes
 * the pictures of that page, and writes how long each step took into `test-results/first-steps.md`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { _electron, type Browser, type Page } from '@playwright/test';
import { endGroup } from '../app/machine.ts';
import { chooseInDialog } from '../app/openBrowser.ts';
import { electronLaunch } from '../app/openElectron.ts';
import { button, settled } from '../app/steps.ts';
import { expect, test } from '../app.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const results = join(root, 'test-results');
const pictures = join(root, 'docs', 'screenshots');
const WALLET = 'e2e/fixtures/wallets/legacy-hd/wallet.dat';
const FIVE_MINUTES = 300;

test('the first steps take less than five minutes', async ({ sharedBrowser }) => {
  test.setTimeout(1_200_000);
  const folder = mkdtempSync(join(tmpdir(), 'first-steps-'));
  // Of the same name each time, because paths are in the pictures.
  const home = join(tmpdir(), 'ana');
  const clone = join(folder, 'wallet-ferry');
  const env = environmentOf(home);

  try {
    freshHome(home, null);
    // Getting the sources is a matter of the line to them, and not counted.
    execFileSync('git', ['clone', '--quiet', root, clone], { env });
    const installed = new Stopwatch();
    await installed.step('`npm ci`', () => execFileSync('npm', ['ci'], { cwd: clone, env, stdio: 'ignore' }));
    const ways: Way[] = [
      { name: 'in a browser', watch: installed.copy(), open: () => openInBrowser(clone, env, sharedBrowser) },
    ];
    if (process.env.ELECTRON_PATH) {
      ways.push({ name: 'in a window', watch: installed.copy(), open: () => openInWindow(clone, home, env) });
    }
    for (const { watch, open } of ways) {
      freshHome(home, clone);
      await cross(home, watch, open);
      expect(readFileSync(join(home, 'wallet.dat'))).toEqual(readFileSync(join(root, WALLET)));
      // Where the README says that the app keeps what is its own.
      if (process.platform === 'linux')
        expect(readdirSync(join(home, '.config/Wallet Ferry'))).not.toEqual([]);
      expect(watch.total()).toBeLessThan(FIVE_MINUTES);
    }
    writeTimes(ways);
  } finally {
    for (const left of [folder, home]) rmSync(left, { recursive: true, force: true, maxRetries: 3 });
  }
});

/** From the start of the app to the new backup, as the page says it. */
async function cross(home: string, watch: Stopwatch, open: () => Promise<Opened>): Promise<void> {
  const { tab, pick, pictured, close } = await watch.step('`npm start`, until the app is there', async () => {
    const opened = await open();
    await opened.tab.getByRole('heading', { level: 1 }).waitFor();
    return opened;
  });
  const take = async (name: string) => {
    if (!pictured) return;
    await settled(tab);
    await tab.mouse.move(0, 0);
    await tab.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    await tab.screenshot({ path: join(pictures, `first-${name}.png`), animations: 'disabled' });
  };
  const inMain = tab.getByRole('main');

  try {
    await watch.step('Home', async () => {
      await take('1-home');
    });
    await watch.step('The page of the file', async () => {
      await pick(join(home, 'wallet.dat'), () => button(tab, 'Choose a file…').click());
      await button(inMain, 'Migrate').waitFor();
      await take('2-file');
    });
    await watch.step('The migration', async () => {
      await button(inMain, 'Migrate').click();
      await expect(inMain.locator('[data-verdict]')).toContainText('Everything arrived', {
        timeout: 120_000,
      });
      await take('3-proof');
    });
    await watch.step('A new backup', async () => {
      await pick(home, () => button(tab, 'Save a backup…').click());
      await expect(inMain.locator('[data-verdict]')).toContainText('Safe and backed up');
      await take('4-backup');
    });
  } finally {
    await close();
  }
}

interface Way {
  /** The head of its column. */
  readonly name: string;
  readonly watch: Stopwatch;
  open(): Promise<Opened>;
}

interface Opened {
  readonly tab: Page;
  /** Chooses a file in the dialog that `press` opens. */
  pick(path: string, press: () => Promise<void>): Promise<void>;
  /** Whether the pictures are of this one. */
  readonly pictured: boolean;
  close(): Promise<void>;
}

async function openInBrowser(
  clone: string,
  env: NodeJS.ProcessEnv,
  sharedBrowser: () => Promise<Browser>,
): Promise<Opened> {
  const app = spawn('npm', ['start', '--', '--browser'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const link = await linkOf(app);
  const browser = await sharedBrowser();
  const tab = await browser.newPage({ viewport: { width: 1100, height: 760 }, colorScheme: 'light' });
  await tab.goto(link);
  return {
    tab,
    async pick(path, press) {
      await press();
      await chooseInDialog(tab, path);
    },
    pictured: true,
    async close() {
      await tab.close();
      await endGroup(app);
    },
  };
}

/** What `npm start` does, in its two halves: who holds the window has to open it, and as root only without a sandbox. */
async function openInWindow(clone: string, home: string, env: NodeJS.ProcessEnv): Promise<Opened> {
  execFileSync('npm', ['run', 'build'], { cwd: clone, env, stdio: 'ignore' });
  const { DISPLAY = '', XAUTHORITY = '' } = process.env;
  const electron = await _electron.launch({
    ...electronLaunch({ args: [clone], home, dataFolder: '' }),
    env: { PATH: env.PATH ?? '', HOME: home, DISPLAY, XAUTHORITY },
  });
  return {
    tab: await electron.firstWindow(),
    async pick(path, press) {
      await electron.evaluate(({ dialog }, picked) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [picked] });
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: picked });
      }, path);
      await press();
    },
    pictured: false,
    close: () => electron.close(),
  };
}

/** Empty but for the old wallet, which lies in it as soon as there is a clone to take it from. */
function freshHome(home: string, clone: string | null): void {
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(home);
  if (clone !== null) copyFileSync(join(clone, WALLET), join(home, 'wallet.dat'));
}

/** Nothing of whoever runs this but the way to the programs: not even npm's store of what it once fetched. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  const { PATH, LANG, TMPDIR } = process.env;
  return { PATH, HOME: home, ...(LANG ? { LANG } : {}), ...(TMPDIR ? { TMPDIR } : {}) };
}

async function linkOf(app: ChildProcess): Promise<string> {
  if (!app.stdout) throw new Error('The app has no output.');
  for await (const line of createInterface({ input: app.stdout })) {
    const link = /^Open this link, once: (\S+)$/.exec(line)?.[1];
    if (link) return link;
  }
  throw new Error('The app ended before it showed its link.');
}

function writeTimes(ways: readonly Way[]): void {
  const columns = ways.map(({ watch }) => watch.times);
  const steps = columns[0]?.map(({ step }) => step) ?? [];
  const row = (name: string, seconds: readonly number[]) =>
    `| ${[name, ...seconds.map((one) => one.toFixed(1))].join(' | ')} |`;
  const table = [
    `| seconds for | ${ways.map(({ name }) => name).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(ways.length)}`,
    ...steps.map((step, index) =>
      row(
        step,
        columns.map((times) => times[index]?.seconds ?? Number.NaN),
      ),
    ),
    row(
      '**in all**',
      ways.map(({ watch }) => watch.total()),
    ),
  ];
  const machine = `${cpus().length} processors, Node.js ${process.version.slice(1)}`;
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'first-steps.md'), `Measured on ${machine}:\n\n${table.join('\n')}\n`);
}

class Stopwatch {
  readonly times: { readonly step: string; readonly seconds: number }[] = [];

  async step<T>(step: string, work: () => Promise<T> | T): Promise<T> {
    const startedAt = performance.now();
    const result = await work();
    this.times.push({ step, seconds: (performance.now() - startedAt) / 1000 });
    return result;
  }

  copy(): Stopwatch {
    const other = new Stopwatch();
    other.times.push(...this.times);
    return other;
  }

  total(): number {
    return this.times.reduce((sum, { seconds }) => sum + seconds, 0);
  }
}
