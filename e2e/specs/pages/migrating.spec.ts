/** The pages of migrations of one wallet and several, with their failures and results. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeInterrupted } from '../../../electron/jobs/testing/interruptedStates.ts';
import { say } from '../../../shared/wording/say.ts';
import { checkPage } from '../../app/checkPage.ts';
import { test } from '../../app/inPseudoLanguage.ts';
import {
  actionCard,
  button,
  goTo,
  heading,
  LONG,
  openDetails,
  openFile,
  prepareMigration,
  RESCANNING,
  run,
  saveBackups,
  shown,
  startMigration,
  verdictSays,
} from '../../app/steps.ts';
import { expect, fixturePassphrase, type Scenario } from '../../app.ts';

const ENCRYPTED = 'legacy-hd-encrypted';

const rescanned = (page: Page) => page.getByRole('progressbar', { name: say('Rescan') });

/** Opens everything that is folded, including nested parts. */
async function unfold(page: Page): Promise<void> {
  const folded = page.getByRole('main').locator('details:not([open]) > summary:visible');
  while ((await folded.count()) > 0) await folded.first().click();
}

test('the pages of a migration, of a failed and of an interrupted one are accessible, translated and fit', async ({
  openConnected,
  home,
}) => {
  const scenario: Scenario = { ...RESCANNING };
  const { app, node, page } = await openConnected('31.0', scenario);
  await prepareMigration(app, ENCRYPTED);
  await openDetails(app);
  await unfold(page);
  await checkPage(app, 'Check, an encrypted wallet');
  const field = page.getByLabel(say('Passphrase'), { exact: true });
  await field.fill('wrong');
  await page.getByRole('alert').waitFor(LONG);
  await checkPage(app, 'Check, a wrong passphrase');
  await field.fill(fixturePassphrase(ENCRYPTED));
  await run(app, 'Migrate');
  await rescanned(page).waitFor(LONG);
  await unfold(page);
  await checkPage(app, 'Progress');
  node.resume();
  await verdictSays(app, 'Everything arrived');

  await goTo(app, 'All wallets');
  await prepareMigration(app, 'legacy-watchonly');
  await openDetails(app);
  await button(page, 'Rehearse').click();
  await page.getByRole('list', { name: say('Rehearsed wallets') }).waitFor(LONG);
  await unfold(page);
  await checkPage(app, 'Check, with a rehearsal');
  await run(app, 'Migrate');
  await verdictSays(app, 'Everything arrived');
  await unfold(page);
  await checkPage(app, 'Result');
  await saveBackups(app, home);
  await shown(page, '{made, number} of {all, number} backed up', { made: 2, all: 2 }).waitFor();
  await unfold(page);
  await checkPage(app, 'Result, with new backups');
  await goTo(app, 'History');
  await page.getByRole('list', { name: say('Safety copies') }).waitFor();
  await checkPage(app, 'Activity, a proof and safety copies');

  scenario.readOnlyWallets = true;
  await goTo(app, 'All wallets');
  await startMigration(app, 'legacy-hd');
  await heading(page, 'Not migrated', 2).waitFor(LONG);
  await unfold(page);
  await checkPage(app, 'Result, failed');
  const { file } = writeInterrupted(join(home, 'data', 'wallets'), 'legacy-in-sqlite');
  await openFile(app, file);
  await button(page, 'Put it back').waitFor(LONG);
  await checkPage(app, 'Interrupted');
});

test('the pages of a blocked migration and of one that loses something are accessible, translated and fit', async ({
  openConnected,
}) => {
  const wallets = { '': ENCRYPTED, savings: 'descriptor-hd', 'legacy-hd': 'legacy-hd' } as const;
  const { app, page } = await openConnected('30.0', { wallets, losesOnMigration: true });
  await prepareMigration(app, say('Unnamed wallet'));
  await unfold(page);
  await page.getByLabel(say('Wallet name')).fill('a/b');
  await page.getByRole('alert').waitFor();
  await checkPage(app, 'Check, an invalid name');
  await goTo(app, 'All wallets');
  await prepareMigration(app, 'legacy-hd');
  await run(app, 'Migrate');
  await verdictSays(app, 'Something differs');
  await unfold(page);
  await checkPage(app, 'Result, something differs');
});

test('the page of a migration whose node was killed before it answered is accessible, translated and fits', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('31.0', { holdAt: 'Loading new wallets' });
  await startMigration(app, 'legacy-watchonly');
  await node.untilPaused();
  await node.kill();
  await page.getByRole('main').getByText(say('Disconnected')).waitFor();
  await node.restart();
  const unloaded = shown(page, 'Not loaded');
  await unloaded.waitFor(LONG);
  const newWallets = page.getByRole('list', { name: say('New wallets') }).getByRole('listitem');
  const [, fromFile = ''] = say('{amount}, last known', { amount: '|' }).split('|');
  const asInFile = newWallets.filter({ hasText: fromFile });
  expect(fromFile).not.toBe('');
  await expect(asInFile).toHaveCount(2);
  await checkPage(app, 'Result, not loaded');
  await button(page, 'Load it').click();
  await expect(unloaded).toHaveCount(0);
  await expect(asInFile).toHaveCount(0);
  await expect(newWallets.filter({ hasText: /\d\srBTC/ })).toHaveCount(2);
  expect(node.countCalls('migratewallet')).toBe(1);
});

test('the pages of a batch are accessible, translated and fit', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('28.1', RESCANNING);
  await button(page, 'Migrate several…').click();
  const field = page.getByLabel(say('Passphrase'), { exact: true });
  await expect(actionCard(app).locator('summary')).toHaveCount(3);
  await field.fill('not the passphrase');
  await shown(actionCard(app).getByRole('table'), 'Wrong passphrase').waitFor(LONG);
  await unfold(page);
  await checkPage(app, 'Check, several');
  await field.fill(fixturePassphrase(ENCRYPTED));
  const migrate = actionCard(app).locator('[type=submit]');
  await expect(migrate).not.toHaveAttribute('aria-disabled', 'true', LONG);
  await migrate.click();
  await rescanned(page).waitFor(LONG);
  await checkPage(app, 'Progress, several');
  await button(page, 'Stop after this one').click();
  await shown(page, 'You stopped before this one.').first().waitFor();
  node.resume();
  await button(page, 'Go to wallets').waitFor(LONG);
  await unfold(page);
  await checkPage(app, 'Result, several');
});
