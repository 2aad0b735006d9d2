/** Counts what stands between a person and the proof: clicks, and the words on the screen that were not there before. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import {
  button,
  checkPage,
  foundNode,
  heading,
  planIsMade,
  typePassphrase,
  walletRow,
} from '../app/steps.ts';
import { expect, fixtureFile, fixturePassphrase, test } from '../app.ts';
import { type Figure, report } from './figures.ts';

const figures: Omit<Figure, 'date'>[] = [];
test.describe.configure({ mode: 'serial', timeout: 120_000 });
test.afterAll(() => report(figures));

interface Counted {
  /** Reads the page as it is now, and presses. */
  click(what: Locator): Promise<void>;
  /** Reads the page at its end. */
  end(what: string, goal: { clicks: number; words: number }): Promise<void>;
}

function counted(page: Page): Counted {
  const seen = new Set<string>();
  let clicks = 0;
  let words = 0;
  const read = async () => {
    const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim());
    // What is read once is known: a line that comes back is not read again.
    for (const line of lines.filter((each) => /\p{L}/u.test(each) && !seen.has(each))) {
      seen.add(line);
      words += line.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
    }
  };
  return {
    async click(what) {
      await what.waitFor();
      await read();
      clicks += 1;
      await what.click();
    },
    async end(what, goal) {
      await read();
      figures.push({
        what: `${what}: from the start to the proof`,
        goal: `≤ ${goal.clicks} clicks, ≤ ${goal.words} new words`,
        measured: `${clicks} clicks, ${words} words`,
        against: 'the words on the screen',
        met: clicks <= goal.clicks && words <= goal.words,
        command: 'npm run bench -- way',
      });
    },
  };
}

/** The button of the Check page, once it may be pressed. */
async function ready(start: Locator): Promise<Locator> {
  await expect(start).not.toHaveAttribute('aria-disabled', 'true', { timeout: 60_000 });
  return start;
}

test('a node’s encrypted wallet', async ({ startNode, openApp }) => {
  const node = await startNode('29.3');
  const app = await openApp();
  const { page } = app;
  const way = counted(page);
  const name = 'legacy-hd-encrypted';
  await way.click(button(foundNode(app, node), 'Connect'));
  await expect(walletRow(app, name)).toContainText('Legacy');
  await way.click(button(walletRow(app, name), 'Migrate'));
  await planIsMade(app);
  await typePassphrase(app, fixturePassphrase(name));
  await way.click(await ready(button(checkPage(app), 'Migrate')));
  await expect(heading(page, 'Everything arrived')).toBeVisible({ timeout: 60_000 });
  await way.end('an encrypted wallet of a node', { clicks: 5, words: 400 });
});

test('a file found, without a node', async ({ openApp, home }) => {
  const app = await openApp();
  const { page } = app;
  const way = counted(page);
  const file = join(home, 'old wallet.dat');
  copyFileSync(fixtureFile('legacy-hd'), file);
  await app.pickFile(file, () => way.click(button(page, 'Choose a file…')));
  await way.click(await ready(button(page.getByRole('main'), 'Restore and migrate')));
  await way.click(await ready(button(checkPage(app), 'Restore and migrate')));
  await expect(heading(page, 'Everything arrived')).toBeVisible({ timeout: 60_000 });
  await way.end('a file found, without a node', { clicks: 7, words: 500 });
});
