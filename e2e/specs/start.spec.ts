/** Start: a file is found on this computer, opened again, and taken across by the way that fits it. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  button,
  checkPage,
  goTo,
  heading,
  openFile,
  planIsMade,
  press,
  run,
  tabTo,
  takeProposal,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, test } from '../app.ts';
import { ontoStick } from '../testNode/walletFixture.ts';

/** The engine truly derives thousands of scripts: on a busy machine that takes its time. */
const LONG = { timeout: 60_000 };

const found = ({ page }: App) => page.getByRole('region', { name: 'Wallets found' });
const recent = ({ page }: App) => page.getByRole('region', { name: 'Opened lately' });

test('finds a wallet by what is in it, and opens it', { tag: '@desktop' }, async ({ openApp, home }) => {
  const folder = join(home, 'pictures', '2013');
  const wallet = join(folder, 'holiday.jpg');
  mkdirSync(folder, { recursive: true });
  copyFileSync(fixtureFile('legacy-hd'), wallet);
  writeFileSync(join(folder, 'wallet.dat'), 'none');
  const app = await openApp();
  const { page } = app;
  await button(page, 'Search this computer for wallets').click();
  await expect(found(app)).toContainText(/files searched\./, LONG);
  await expect(button(found(app), 'Stop the search')).toHaveCount(0, LONG);
  const row = found(app).getByRole('listitem').filter({ hasText: wallet });
  await expect(row).toContainText('Legacy');
  await expect(found(app)).not.toContainText(join(folder, 'wallet.dat'));
  await button(row, 'Open').click();
  await expect(page.getByRole('heading', { name: 'holiday.jpg', level: 2 })).toBeVisible();

  // What was found is there after a look elsewhere.
  await goTo(app, 'Start');
  await expect(row).toBeVisible();
});

test('stops a search, and keeps what it has found', async ({ openApp, home }) => {
  copyFileSync(fixtureFile('descriptor-hd'), join(home, 'wallet.dat'));
  for (let folder = 0; folder < 60; folder += 1) {
    mkdirSync(join(home, `folder ${folder}`));
    for (let file = 0; file < 400; file += 1) writeFileSync(join(home, `folder ${folder}`, `${file}`), '');
  }
  const app = await openApp();
  await button(app.page, 'Search this computer for wallets').click();
  await button(found(app), 'Stop the search').click();
  await expect(found(app)).toContainText(/Stopped after [\d,]+ files?\./);
  await expect(button(app.page, 'Search this computer for wallets')).not.toHaveAttribute('aria-disabled');
});

test('lists the files opened lately after a restart, and forgets them', { tag: '@desktop' }, async ({
  openApp,
  home,
}) => {
  const file = await ontoStick('descriptor-hd', home);
  const dataFolder = join(home, 'ferry-data');
  const first = await openApp({ dataFolder, ownProcess: true });
  await openFile(first, file);
  await expect(button(first.page, 'Restore and migrate').or(button(first.page, 'Restore'))).toBeVisible();
  await first.close();

  const app = await openApp({ dataFolder, ownProcess: true });
  await button(recent(app).getByRole('listitem').filter({ hasText: file }), 'Open').click();
  await expect(heading(app.page, 'Wallet file')).toBeVisible();
  await goTo(app, 'Start');
  await button(recent(app), 'Clear the list').click();
  await expect(recent(app)).toHaveCount(0);
  await app.page.reload();
  await expect(app.page.getByText('No node was found on this computer')).toBeVisible();
  await expect(recent(app)).toHaveCount(0);
});

test('finds a legacy file and takes it across without a node, by Tab, Enter and Space alone', async ({
  openApp,
  home,
}) => {
  await ontoStick('legacy-imported', home);
  const app = await openApp();
  const { page } = app;
  await heading(page, 'Start').waitFor();
  await press(page, 'Search this computer for wallets', 'Space');
  await expect(button(found(app), 'Open')).toBeVisible(LONG);
  await press(page, 'Open');
  await expect(heading(page, 'Wallet file')).toBeFocused();
  await expect(page.getByText('This computer has no node on Regtest. None is needed.')).toBeVisible();
  await press(page, 'Restore and migrate');
  await expect(heading(page, 'Restore and migrate')).toBeFocused(LONG);
  await planIsMade(app);
  await press(page, 'Restore and migrate', 'Space');
  await expect(heading(page, 'Everything arrived')).toBeFocused(LONG);
  await expect(page.getByRole('navigation', { name: 'Places' })).toContainText('Regtest');
  await tabTo(page, 'button', 'Save new backups…');
  await press(page, 'Export “legacy-imported”…');
  await expect(heading(page, 'Wallet file')).toBeFocused();
});

test('proposes a node of the file’s network, and reaches it', async ({ openApp, startNode, home }) => {
  const node = await startNode('29.3');
  const app = await openApp();
  const { page } = app;
  await openFile(app, await ontoStick('descriptor-hd', home));
  await expect(page.getByText('Best on the Bitcoin Core 29.3 of this computer.')).toBeVisible();
  await takeProposal(app);
  await page.getByLabel('Wallet name').fill('brought back');
  await run(app, 'Restore');
  await expect(heading(page, 'Wallet restored')).toBeVisible();
  expect(node.countCalls('restorewallet')).toBe(1);

  // Once connected, that node is taken without asking again.
  await openFile(app, await ontoStick('descriptor-encrypted', home));
  await expect(page.getByText('Best on your node, Bitcoin Core 29.3.')).toBeVisible();
});

test('asks for a node at the file, and comes back to it', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', {}, 'elsewhere');
  const app = await openApp();
  const { page } = app;
  await openFile(app, await ontoStick('legacy-hd', home));
  await button(page, 'Another node…').click();
  const form = page.getByRole('form', { name: 'Connect by hand' });
  await form.getByLabel('Port').fill(String(node.port));
  await form.getByLabel('Cookie file path').fill(node.cookieFile);
  await button(form, 'Connect by hand').click();
  await expect(heading(page, 'Wallet file')).toBeVisible();
  await expect(page.getByText('Best on your node, Bitcoin Core 31.0.')).toBeVisible();
  await button(page, 'Restore and migrate').click();
  await planIsMade(app);
  await expect(checkPage(app)).toContainText('31.0');
});
