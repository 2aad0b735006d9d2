/** Deceptive names and messages from files and nodes: the app shows them safely on every page, in reports and in its output. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import {
  button,
  chooseBackup,
  connect,
  goTo,
  goToFolder,
  nameWallet,
  openDetails,
  openFile,
  prepareMigration,
  run,
  saveBackups,
  startRestore,
  verdict,
  walletAction,
  walletRow,
} from '../app/steps.ts';
import { expect, type FixtureName, fixtureFile, test } from '../app.ts';

const OVERRIDE = 'a\u202Etxt.exe\u2066b';
const SHOWN_OVERRIDE = 'a⟨U+202E⟩txt.exe⟨U+2066⟩b';
const TERMINAL = '\u001b[2J\u001b]0;owned\u0007c';
const LINES = 'd\n2026-11-21T00:00:00Z [d] Rescan completed in              1ms';
const HIDDEN = 'e\u200B\u00AD\uFEFFf\u2028g';
const MARKUP = '<img src=x onerror="window.obeyed=1">';
/** The longest name: the file system limits each part of the path. */
const MAX_LENGTH = `${'a'.repeat(150)}/${'b'.repeat(149)}`;
const PLAIN = ['  spaces  ', '{{constructor}}', 'Ersparnisse für später 💰'];
const names = [
  OVERRIDE,
  TERMINAL,
  LINES,
  HIDDEN,
  '__proto__',
  'constructor',
  'toString',
  MAX_LENGTH,
  ...PLAIN,
];
const messages = [OVERRIDE, TERMINAL, HIDDEN, MARKUP];

/** All texts of the page, including titles, names for screen readers, and the window's title. */
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

/** Expects that the page hides no character, obeys no markup, and is not too wide. */
async function expectHonest(app: App): Promise<void> {
  const texts = await readable(app);
  expect(texts.filter((text) => /[^\P{Cc}\n\t]|[\p{Cf}\u2028\u2029]/u.test(text))).toEqual([]);
  const state = await app.page.evaluate(() => ({
    changed: { ...Object.prototype },
    obeyed: 'obeyed' in window,
    images: [...document.images].filter((image) => image.alt !== '' || !image.src.endsWith('.svg')).length,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  expect(state).toEqual({ changed: {}, obeyed: false, images: 0, overflow: 0 });
}

/** Opens the app's own file dialog, which only the browser entry has. */
async function lookIntoFolder(app: App, folder: string): Promise<void> {
  const { page } = app;
  await button(page, 'Choose a file…').click();
  const dialog = page.getByRole('dialog');
  await goToFolder(dialog, folder);
  await expect(dialog.getByRole('option').filter({ hasText: '⟨U+001B⟩' })).toBeVisible();
  await expectHonest(app);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
}

// SECURITY.md: A node or file with markup, scripts, or characters that hide or reverse text
test('obeys no name or message, and shows their hidden and reversing characters', async ({
  openApp,
  startNode,
  home,
  entry,
}) => {
  const wallets: [string, FixtureName][] = names.map((name) => [name, 'descriptor-hd']);
  wallets.push([`${OVERRIDE}${MARKUP}`, 'legacy-watchonly']);
  const node = await startNode('29.3', {
    wallets: Object.fromEntries(wallets),
    loaded: names,
    nodeWarnings: messages,
    restoreWarnings: messages,
  });
  const folder = join(home, OVERRIDE);
  // The app's own dialog shows the name escaped, so `pickFile` needs a plain one there.
  const file = join(folder, entry === 'browser' ? 'plain.dat' : `${HIDDEN}.dat`);
  mkdirSync(folder);
  copyFileSync(fixtureFile('descriptor-hd'), file);
  writeFileSync(join(folder, TERMINAL), 'x');
  node.setStarting(`Loading ${OVERRIDE}… ${MARKUP}`);
  const app = await openApp({ ownProcess: true });
  const { page } = app;
  // Large enough for all rows, because the table holds only visible ones.
  await page.setViewportSize({ width: 1280, height: 1600 });
  await goTo(app, 'Node');
  await expect(page.getByText(`Loading ${SHOWN_OVERRIDE}… ${MARKUP}`).first()).toBeVisible();
  await expectHonest(app);
  node.setStarting(null);
  await button(page, 'Search again').click();
  await connect(app, node);
  for (const name of ['__proto__', 'constructor', 'toString', MAX_LENGTH, ...PLAIN.slice(1)]) {
    await expect(walletRow(app, name)).toContainText('Loaded');
  }
  // The name is in its own <bdi>, so the override cannot reverse the text beside it.
  await expect(walletRow(app, SHOWN_OVERRIDE).locator('bdi').first()).toHaveText(SHOWN_OVERRIDE);
  await walletAction(app, MAX_LENGTH, 'Unload');
  await expect(walletRow(app, MAX_LENGTH)).toContainText('Not loaded');
  await expectHonest(app);

  await goTo(app, 'Home');
  if (app.entry === 'browser') await lookIntoFolder(app, folder);
  await chooseBackup(app, file);
  await openDetails(app);
  await expect(page.getByText(/^[0-9a-f]{64}$/).first()).toBeVisible();
  await expectHonest(app);
  await startRestore(app, file, '__proto__2');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expectHonest(app);

  await goTo(app, 'All wallets');
  await prepareMigration(app, `${SHOWN_OVERRIDE}${MARKUP}`);
  await openDetails(app);
  await expectHonest(app);
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expectHonest(app);
  const stick = join(home, 'stick');
  mkdirSync(stick);
  await saveBackups(app, stick);
  await expect(page.getByText('2 of 2 backed up')).toBeVisible();
  await expectHonest(app);
  await openFile(app, file);
  await page.getByText('Start again').click();
  await nameWallet(app, `${MAX_LENGTH}2`);
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expectHonest(app);

  await goTo(app, 'Home');
  await app.pickFile(file, () => button(page, 'Choose a file…').click());
  await expect(page.getByRole('heading', { name: /descriptor|dat/, level: 1 }).first()).toBeVisible();
  await expectHonest(app);
  await goTo(app, 'Node');
  await expectHonest(app);
  await goTo(app, 'History');
  for (const name of ['__proto__2', `${MAX_LENGTH}2`])
    await expect(page.getByText(name).first()).toBeVisible();
  await expectHonest(app);

  const listed = await app.call('jobs.list', {});
  const { jobs } = listed.value as { jobs: { id: string }[] };
  for (const { id } of jobs) {
    const report = await app.call('jobs.report', { id, which: 'for-help' });
    expect((report.value as { text: string }).text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/u);
  }
  expect(app.output()).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
});
