/** Names that are made to deceive, on every screen, in the report, in the output of the app and in its files. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import {
  button,
  chooseBackup,
  connect,
  goTo,
  goToFolder,
  openDetails,
  prepareMigration,
  run,
  startRestore,
  verdict,
} from '../app/steps.ts';
import { expect, type FixtureName, fixtureFile, test } from '../app.ts';

const OVERRIDE = 'a\u202Etxt.exe\u2066b';
const TERMINAL = '\u001b[2J\u001b]0;owned\u0007c';
const LINES = 'd\n2026-11-21T00:00:00Z [d] Rescan completed in              1ms';
const HIDDEN = 'e\u200B\u00AD\uFEFFf\u2028g';
const names = [OVERRIDE, TERMINAL, LINES, HIDDEN, '__proto__', 'constructor', 'toString'];
const words = [OVERRIDE, TERMINAL, HIDDEN];

/** All that a person reads or hears: texts, titles, names for screen readers, the window's title. */
async function readable({ page }: App): Promise<string[]> {
  return page.evaluate(() => {
    const found = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node.textContent ?? '');
    const spoken = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder'];
    for (const element of document.querySelectorAll('*')) {
      for (const name of spoken) found.push(element.getAttribute(name) ?? '');
    }
    return found;
  });
}

async function isHonest(app: App): Promise<void> {
  const texts = await readable(app);
  expect(texts.filter((text) => /[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/u.test(text))).toEqual([]);
  expect(await app.page.evaluate(() => ({ ...Object.prototype }))).toEqual({});
}

/** The app's own file dialog, which the other entry does not have. */
async function lookIntoFolder(app: App, folder: string): Promise<void> {
  const { page } = app;
  await button(page, 'Choose a file…').click();
  const dialog = page.getByRole('dialog');
  await goToFolder(dialog, folder);
  await expect(dialog.getByRole('option').filter({ hasText: '⟨U+001B⟩' })).toBeVisible();
  await isHonest(app);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

// SECURITY.md: Words from a node or a file
test('shows no name in which something is hidden or turned around', async ({
  openApp,
  startNode,
  home,
  entry,
}) => {
  const wallets: [string, FixtureName][] = names.map((name) => [name, 'descriptor-hd']);
  wallets.push([`${OVERRIDE}2`, 'legacy-hd']);
  const node = await startNode('29.3', {
    wallets: Object.fromEntries(wallets),
    loaded: names,
    nodeWarnings: words,
    restoreWarnings: words,
  });
  const folder = join(home, OVERRIDE);
  // The app's own dialog is driven by what it shows, so there the file has a plain name.
  const file = join(folder, entry === 'browser' ? 'plain.dat' : `${HIDDEN}.dat`);
  mkdirSync(folder);
  copyFileSync(fixtureFile('descriptor-hd'), file);
  writeFileSync(join(folder, TERMINAL), 'x');
  const app = await openApp({ ownProcess: true });
  const { page } = app;
  await isHonest(app);
  await connect(app, node);
  for (const name of ['__proto__', 'constructor', 'toString']) {
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
  }
  await isHonest(app);

  await goTo(app, 'Home');
  if (app.entry === 'browser') await lookIntoFolder(app, folder);
  await chooseBackup(app, file);
  await openDetails(app);
  await expect(page.getByText(/^[0-9a-f]{64}$/).first()).toBeVisible();
  await isHonest(app);
  await startRestore(app, file, '__proto__2');
  await expect(verdict(app)).toContainText('Wallet restored');
  await isHonest(app);

  await goTo(app, 'All wallets');
  await prepareMigration(app, 'a⟨U+202E⟩txt.exe⟨U+2066⟩b2');
  await openDetails(app);
  await isHonest(app);
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived');
  await isHonest(app);

  await goTo(app, 'Home');
  await app.pickFile(file, () => button(page, 'Choose a file…').click());
  await expect(page.getByRole('heading', { name: /descriptor|dat/, level: 1 }).first()).toBeVisible();
  await isHonest(app);
  await goTo(app, 'Node');
  await isHonest(app);
  await goTo(app, 'History');
  await expect(page.getByText('__proto__2').first()).toBeVisible();
  await isHonest(app);

  const listed = await app.call('jobs.list', {});
  const { jobs } = listed.value as { jobs: { id: string }[] };
  for (const { id } of jobs) {
    const report = await app.call('jobs.report', { id, which: 'for-help' });
    expect((report.value as { text: string }).text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/u);
  }
  expect(app.output()).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
});
