/** Navigation as people expect it: Back, reload and keyboard shortcuts. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createJournal, type JournalEntry } from '../../electron/jobs/run/journal.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { sampleIdentity } from '../../shared/testing/sampleNodeStatus.ts';
import {
  button,
  goTo,
  heading,
  nameField,
  nameWallet,
  nodeChip,
  openFile,
  sidebar,
  startMigration,
  verdict,
  walletHeading,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('goes back through its pages, keeps its page and answers over a reload, and has keyboard shortcuts', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('31.0');
  await goTo(app, 'History');
  await goTo(app, 'Home');
  await openFile(app, join(node.backupsFolder, 'descriptor.bak'));
  await nameWallet(app, 'mine');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  // The node is still connected, and the file's plan uses it.
  await expect(sidebar(app)).toContainText('Bitcoin Core 31.0 Regtest');
  await expect(page.getByLabel('Where')).toContainText('On your Bitcoin Core 31.0');
  await expect(await nameField(app)).toHaveValue('mine');
  await page.goBack();
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'History')).toBeVisible();
  await page.goForward();
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  expect(await page.title()).toBe('Home – Wallet Ferry');

  await goTo(app, 'All wallets');
  await walletRow(app, 'savings').waitFor();
  await page.keyboard.press('Control+f');
  await expect(page.getByRole('searchbox', { name: 'Find a wallet' })).toBeFocused();
  // A question mark typed into a field does not open the help.
  await page.keyboard.type('?');
  await expect(page.getByRole('dialog', { name: 'Help' })).toHaveCount(0);
  await page.keyboard.press('Control+,');
  await expect(heading(page, 'Settings')).toBeVisible();
  await app.pickFile(join(node.backupsFolder, 'descriptor.bak'), () => page.keyboard.press('Control+o'));
  await expect(walletHeading(page, 'descriptor.bak')).toBeVisible();
  // What is chosen takes the focus, not what had it before.
  await button(sidebar(app), 'Settings').focus();
  await page.keyboard.press('Control+k');
  // By its label, which its placeholder would hide from a search by name.
  await expect(page.getByLabel('Action or wallet')).toBeFocused();
  await page.keyboard.type('history');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'History')).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
});

test('shows a new wallet of another node in the sidebar, as long as its folder is there', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('31.0');
  await startMigration(app, 'legacy-hd');
  await expect(verdict(app)).toContainText('Everything arrived');
  await nodeChip(app).click();
  await button(page, 'Disconnect').click();
  await page.reload();
  await page.setViewportSize({ width: 550, height: 600 });
  const entry = sidebar(app).getByRole('button', { name: 'legacy-hd' });
  await expect(entry).toBeInViewport({ ratio: 1 });
  rmSync(node.walletsFolder, { recursive: true });
  await page.reload();
  await expect(button(sidebar(app), 'History')).toBeVisible();
  await expect(entry).toHaveCount(0);
});

test('looks once for the folder of wallets elsewhere, and again when the user returns', async ({
  openApp,
  home,
}) => {
  const [there, gone] = [join(home, 'there'), join(home, 'gone')];
  mkdirSync(there);
  const dataFolder = join(home, 'ferry-data');
  const journal = createJournal(join(dataFolder, 'journal'));
  // Each still needs a backup. The newest three are of the folder that is gone.
  for (const [at, wallet] of ['first', 'second', 'third', 'fourth', 'fifth'].entries())
    journal.write(migrated(wallet, at, at < 2 ? there : gone));
  const app = await openApp({ dataFolder });
  const { page } = app;
  const entry = (name: string) => sidebar(app).getByRole('button', { name });
  // Until then, the opened page may look too.
  await expect(entry('second')).toBeVisible();
  const looks: string[] = [];
  page.on('request', (request) => request.url().endsWith('/call/files.inspect') && looks.push(request.url()));
  await page.reload();
  await expect(entry('first')).toContainText('Bitcoin Core');
  await expect(entry('second')).toBeVisible();
  await expect(entry('fifth')).toHaveCount(0);
  expect(looks).toHaveLength(2);
  rmSync(there, { recursive: true });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(entry('first')).toHaveCount(0);
  expect(looks).toHaveLength(4);
  mkdirSync(there);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await entry('first').click();
  await expect(entry('first')).toHaveAttribute('aria-current', 'page');
  // In a narrow window, an entry that appears late leaves the page where the user scrolled it to.
  await page.setViewportSize({ width: 550, height: 380 });
  rmSync(there, { recursive: true });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(entry('first')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 300));
  mkdirSync(there);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(entry('first')).toHaveAttribute('aria-current', 'page');
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
});

/** An ended migration, the number `at` of the journal. */
function migrated(wallet: string, at: number, walletsFolder: string): JournalEntry {
  const node = sampleIdentity({ walletsFolder });
  const names = { walletName: wallet, watchonlyName: null, solvablesName: null };
  const job = sampleJob({
    id: crypto.randomUUID(),
    wallet,
    state: 'done',
    started: at,
    ended: at + 1,
    result: { kind: 'migrate', ...names, backupPath: null, backupSeen: null },
  });
  return {
    job: { ...job, node: { ...job.node, walletsFolder } },
    node,
    sent: true,
    logMark: null,
    checkpoint: { kind: 'restore', name: wallet, backupFile: '/old.dat' },
  };
}
