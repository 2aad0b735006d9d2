/**
 * The way of somebody who has never seen the app: out of a fresh clone, in an empty home, from the README's two words
 * to an old wallet taken across without a node. `npm run screenshots -- firstCrossing` takes the pictures of
 * `docs/first-crossing.md` and writes its times.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endGroup } from '../app/endGroup.ts';
import { chooseInDialog } from '../app/openBrowser.ts';
import { button, heading } from '../app/steps.ts';
import { expect, test } from '../app.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = join(root, 'docs', 'first-crossing.md');
const pictures = join(root, 'docs', 'screenshots');
const FIVE_MINUTES = 300;

test('a first crossing takes less than five minutes', async ({ sharedBrowser }) => {
  test.setTimeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'first-crossing-'));
  // Of the same name each time, because paths are in the pictures.
  const home = join(tmpdir(), 'ana');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
  const clone = join(folder, 'wallet-ferry');
  const wallet = join(home, 'wallet.dat');
  const env = environmentOf(home);
  let app: ChildProcess | undefined;
  const times: { step: string; seconds: number }[] = [];
  async function step<T>(name: string, work: () => Promise<T> | T): Promise<T> {
    const begun = performance.now();
    const result = await work();
    times.push({ step: name, seconds: (performance.now() - begun) / 1000 });
    return result;
  }

  try {
    // Getting the sources is a matter of the line to them, and not counted.
    execFileSync('git', ['clone', '--quiet', root, clone], { env });
    await step('`npm ci`', () => execFileSync('npm', ['ci'], { cwd: clone, env, stdio: 'ignore' }));
    const link = await step('`npm start`, until it shows its link', async () => {
      app = spawn('npm', ['start', '--', '--browser'], {
        cwd: clone,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      return linkOf(app);
    });
    copyFileSync(join(clone, 'e2e', 'fixtures', 'wallets', 'legacy-hd', 'wallet.dat'), wallet);

    const browser = await sharedBrowser();
    const tab = await browser.newPage({ viewport: { width: 1100, height: 760 }, colorScheme: 'light' });
    const take = async (name: string) => {
      await tab.mouse.move(0, 0);
      await tab.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
      await tab.screenshot({ path: join(pictures, `first-${name}.png`), animations: 'disabled' });
    };
    const place = (name: string) => button(tab.getByRole('navigation', { name: 'Places' }), name);
    const inMain = tab.getByRole('main');

    await step('Guide: which file it is', async () => {
      await tab.goto(link);
      await place('Guide').click();
      await tab.getByRole('radio', { name: /^On this computer/ }).check();
      await button(tab, 'Choose a file…').click();
      await chooseInDialog(tab, wallet);
      await tab.getByText('Legacy wallet (Berkeley DB)').waitFor();
      await take('1-guide');
    });
    await step('Inspect: what is in it', async () => {
      await button(tab, 'See everything in it').click();
      await tab.getByRole('region', { name: 'Keys' }).waitFor();
      await take('2-inspect');
    });
    await step('Work without a node', async () => {
      await place('Guide').click();
      await button(tab, 'Choose a node, or work without one').click();
      const offer = tab.getByRole('region', { name: 'Work without a node' });
      await offer.getByLabel('Network').selectOption('Regtest');
      await take('3-work-without-a-node');
      await button(offer, 'Work without a node').click();
      await heading(tab, 'Backup', 2).waitFor();
    });
    await step('Restore', async () => {
      await button(tab, 'Next').click();
      await tab.getByLabel('Wallet name').fill('old wallet');
      await button(tab, 'Next').click();
      await heading(tab, 'Review', 2).waitFor();
      await tab.getByText('Looking at the file and the node…').waitFor({ state: 'detached' });
      await take('4-restore-review');
      await button(tab, 'Restore this backup').click();
      await heading(tab, 'The wallet is restored', 2).waitFor();
      await take('5-restored');
    });
    await step('Migrate', async () => {
      await button(inMain, 'Migrate').click();
      await heading(tab, 'Check', 2).waitFor();
      await button(tab, 'Look again').and(tab.locator(':not([aria-busy])')).waitFor();
      await take('6-migrate-check');
      await button(tab, 'Next').click();
      await heading(tab, 'Review', 2).waitFor();
      await take('7-migrate-review');
      await button(tab, 'Migrate this wallet').click();
      await heading(tab, 'The wallet is migrated', 2).waitFor({ timeout: 120_000 });
      await take('8-proof');
    });
    await step('A new backup', async () => {
      await button(tab, 'Make a new backup').click();
      const row = tab.getByRole('list', { name: 'Backups to make' }).getByRole('listitem').first();
      await button(row, 'Choose where…').click();
      await chooseInDialog(tab, join(home, 'old wallet, new backup.bak'));
      await expect(row).toContainText(/[0-9a-f]{64}/);
      await take('9-new-backup');
      await button(tab, 'Finish').click();
      await expect(inMain).toContainText('Descriptor');
    });
    await tab.close();

    expect(readFileSync(wallet)).toEqual(
      readFileSync(join(root, 'e2e/fixtures/wallets/legacy-hd/wallet.dat')),
    );
    const total = times.reduce((sum, { seconds }) => sum + seconds, 0);
    expect(total).toBeLessThan(FIVE_MINUTES);
    writeTimes([...times, { step: '**in all**', seconds: total }]);
  } finally {
    if (app) await endGroup(app);
    for (const left of [folder, home]) rmSync(left, { recursive: true, force: true, maxRetries: 3 });
  }
});

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

/** Into the page, between its two marks. */
function writeTimes(rows: readonly { step: string; seconds: number }[]): void {
  const machine = `${cpus().length} processors, Node.js ${process.version.slice(1)}`;
  const table = ['| step | seconds |', '| --- | ---: |'].concat(
    rows.map(({ step, seconds }) => `| ${step} | ${seconds.toFixed(1)} |`),
  );
  const measured = `<!-- measured -->\nMeasured on ${machine}:\n\n${table.join('\n')}\n<!-- /measured -->`;
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace(/<!-- measured -->[\s\S]*<!-- \/measured -->/, () => measured),
  );
}
