/**
 * Measures the app. Fails only if there is nothing to measure. Each figure is compared with another one of the same run.
 */
import { appendFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { _electron } from '@playwright/test';
import { electronLaunch } from '../app/openElectron.ts';
import { dropFile, runningJob, startRestore } from '../app/steps.ts';
import { expect, test } from '../app.ts';
import { benchWallet } from './benchWallets.ts';
import { type Figure, inShort, median, report } from './figures.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = 'npm run bench -- app';
const figures: Omit<Figure, 'date'>[] = [];
let electronRelease: string | undefined;

test.describe.configure({ mode: 'serial', timeout: 240_000 });

test.afterAll(() => report(figures, { electron: electronRelease }));

test('size of the page', async () => {
  const folder = join(root, 'out', 'renderer');
  const document = await readFile(join(folder, 'index.html'), 'utf8');
  const files = (await readdir(join(folder, 'assets'))).filter((name) => /\.(?:js|css)$/.test(name));
  const sizes = await Promise.all(
    files.map(async (name) => ({
      name,
      kilobytes: gzipSync(await readFile(join(folder, 'assets', name))).length / 1000,
    })),
  );
  // The document names all that is loaded before the first frame.
  const first = sizes.filter(({ name }) => document.includes(name));
  const sum = (some: typeof sizes) => some.reduce((all, { kilobytes }) => all + kilobytes, 0);
  figures.push({
    what: 'size of the page, gzipped',
    goal: '≤ 250 kB',
    measured: `${inShort(sum(sizes) / 250)} × (${inShort(sum(sizes))} kB, of them ${inShort(sum(first))} kB before the first frame)`,
    against: '250 kB',
    met: sum(sizes) <= 250,
    command,
  });
  expect(first.length).toBeLessThan(sizes.length);
});

test('from start to usable window', async () => {
  const bare: number[] = [];
  const app: number[] = [];
  // Both keep their data folder, as a user's app does.
  const home = await mkdtemp(join(tmpdir(), 'ferry-bench-'));
  // In turns, so that both meet the same load of the machine. The first pairs only fill the caches: Chromium keeps the page's
  // compiled code at the second load.
  for (let turn = 0; turn < CACHING_STARTS + STARTS; turn++) {
    const one = await startOf([join(root, 'e2e', 'bench', 'bareWindow.cjs')], join(home, 'bare'));
    const other = await startOf([root], join(home, 'app'));
    if (turn < CACHING_STARTS) continue;
    bare.push(one);
    app.push(other);
  }
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
  const ratio = median(app) / median(bare);
  figures.push({
    what: 'from start to usable window',
    goal: '≤ 1.2 × bare window',
    measured: `${inShort(ratio)} × (${Math.round(median(app))} ms)`,
    against: `bare window ${Math.round(median(bare))} ms`,
    met: ratio <= 1.2,
    command,
  });
  expect(app).toHaveLength(STARTS);
});

test('from a line in the node’s log to the screen', async ({ openConnected }) => {
  const { app, node } = await openConnected('28.1', { rescan: { shares: [0.01], ms: 10, hold: true } });
  const backupFile = join(node.walletsFolder, 'savings', 'wallet.dat');
  await startRestore(app, backupFile, 'measured');
  await runningJob(app).waitFor();

  const delays: number[] = [];
  for (let sample = 1; sample <= 30; sample++) {
    const block = 40 + sample;
    const firstPaint = app.page.evaluate(
      (text) =>
        new Promise<number>((resolve) => {
          const check = () => {
            if (document.body.textContent.includes(text)) resolve(performance.timeOrigin + performance.now());
            else requestAnimationFrame(check);
          };
          check();
        }),
      `${block} of 137 blocks`,
    );
    // Out of step with the app's timers.
    await app.page.waitForTimeout(137 + ((sample * 53) % 100));
    const written = performance.timeOrigin + performance.now();
    const stamp = new Date().toISOString().replace(/\.\d+/, '');
    appendFileSync(
      node.logPath,
      `${stamp} [measured] Still rescanning. At block ${block}. Progress=${(block / 137).toFixed(6)}\n`,
    );
    delays.push((await firstPaint) - written);
  }
  node.resume();
  figures.push({
    what: 'from a line in the node’s log to the screen',
    goal: '≤ 250 ms',
    measured: `${inShort(median(delays) / 250)} × (median ${Math.round(median(delays))} ms, most ${Math.round(Math.max(...delays))} ms)`,
    against: '250 ms',
    met: median(delays) <= 250,
    command,
  });
  expect(delays).toHaveLength(30);
});

test('a file of 100 MB, from the drop to its facts', async ({ openApp }) => {
  const { path } = await benchWallet(100_000);
  const app = await openApp();
  const seen = await app.page.evaluateHandle((name) => {
    const times = { dropped: 0, kind: 0, verdict: 0 };
    const check = () => {
      const hero = document.querySelector('main header');
      const isItself = hero?.querySelector('h1')?.textContent === name;
      if (isItself && hero.textContent.includes('Legacy')) times.kind ||= performance.now();
      if (isItself && hero.querySelector('[data-verdict]')) times.verdict ||= performance.now();
      if (times.verdict === 0) requestAnimationFrame(check);
    };
    const start = () => {
      times.dropped = performance.now();
      check();
    };
    document.addEventListener('drop', start, { capture: true, once: true });
    return times;
  }, basename(path));
  await dropFile(app, path);
  await expect.poll(() => seen.evaluate(({ verdict }) => verdict), { timeout: 120_000 }).toBeGreaterThan(0);
  const { dropped, kind, verdict } = await seen.jsonValue();
  const [first, whole] = [(kind - dropped) / 1000, (verdict - dropped) / 1000];
  figures.push({
    what: 'a file of 100 MB, from the drop to its first facts',
    goal: '≤ 0.3 s',
    measured: `${inShort(first)} s (all facts after ${inShort(whole)} s)`,
    against: '0.3 s',
    met: first <= 0.3,
    command,
  });
});

const STARTS = 9;
const CACHING_STARTS = 2;

/** Milliseconds from the launch to a heading in the window. `home`: the user's folder. */
async function startOf(args: string[], home: string): Promise<number> {
  await mkdir(home, { recursive: true });
  const startedAt = performance.timeOrigin + performance.now();
  const electron = await _electron.launch(electronLaunch({ args, home, dataFolder: join(home, 'data') }));
  const page = await electron.firstWindow();
  // Check each frame, because a locator may wait half a second between its checks.
  const seen = await page.waitForFunction(
    () => document.querySelector('h1') && performance.timeOrigin + performance.now(),
    undefined,
    { polling: 'raf' },
  );
  const milliseconds = Number(await seen.jsonValue()) - startedAt;
  electronRelease = await electron.evaluate(() => process.versions.electron);
  await electron.close();
  return milliseconds;
}
