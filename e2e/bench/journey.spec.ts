/** Counts clicks and new words on the screen, from a found wallet to its new backup. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { actionCard, button, connect, goTo, LONG, sidebar, typePassphrase, verdict } from '../app/steps.ts';
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
  const screens = new Set<string>();
  let clicks = 0;
  let words = 0;
  const read = async () => {
    const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim());
    // What is read once is known: a line that comes back is not read again.
    for (const line of new Set(lines.filter((each) => /\p{L}/u.test(each)))) {
      if (screens.has(line)) continue;
      screens.add(line);
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
        what: `${what}: to the new backup`,
        goal: `≤ ${goal.clicks} clicks, ≤ ${goal.words} new words`,
        measured: `${clicks} clicks, ${words} words`,
        against: 'the words on the screen',
        met: clicks <= goal.clicks && words <= goal.words,
        command: 'npm run bench -- journey',
      });
    },
  };
}

/** The button, once it can be pressed. */
async function ready(start: Locator): Promise<Locator> {
  await expect(start).not.toHaveAttribute('aria-disabled', 'true', LONG);
  return start;
}

test('a node’s encrypted wallet', async ({ startNode, openApp, home }) => {
  const node = await startNode('29.3');
  const app = await openApp();
  const { page } = app;
  const way = counted(page);
  const name = 'legacy-hd-encrypted';
  await connect(app, node);
  await goTo(app, 'Home');
  await way.click(sidebar(app).getByText(name, { exact: true }));
  await typePassphrase(app, fixturePassphrase(name));
  await way.click(await ready(button(actionCard(app), 'Migrate')));
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await app.pickFile(home, () => way.click(button(page, 'Save a backup…')));
  await expect(verdict(app)).toContainText('Safe and backed up');
  await way.end('an encrypted wallet of a node', { clicks: 3, words: 250 });
});

test('an encrypted file that was found, without a node', async ({ openApp, home }) => {
  copyFileSync(fixtureFile('legacy-hd-encrypted'), join(home, 'old wallet.dat'));
  const app = await openApp();
  const { page } = app;
  const way = counted(page);
  await button(page, 'Search this computer').click();
  await button(page, 'Search').click();
  const hit = page.getByRole('list', { name: 'Wallets found' }).getByRole('listitem');
  await expect(hit).toContainText('rBTC');
  await way.click(button(hit, 'Open'));
  await typePassphrase(app, fixturePassphrase('legacy-hd-encrypted'));
  await way.click(await ready(button(actionCard(app), 'Migrate')));
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await app.pickFile(home, () => way.click(button(page, 'Save a backup…')));
  await expect(verdict(app)).toContainText('Safe and backed up');
  await way.end('an encrypted file that was found', { clicks: 4, words: 350 });
});
