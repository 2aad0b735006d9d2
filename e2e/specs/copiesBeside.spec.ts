/** The safety copies of the wallets next to an unnamed one, which the user can restore by name. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  button,
  goTo,
  nameField,
  openDetails,
  pathIn,
  planIsMade,
  startMigration,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, fixtureFile, test } from '../app.ts';

test('restores the copy of a neighbouring wallet, and suggests a name like its own', async ({
  openConnected,
}) => {
  const wallets = { '': 'legacy-imported', savings: 'descriptor-hd', other: 'descriptor-hd' } as const;
  const { app, page } = await openConnected('31.0', { wallets });
  await startMigration(app, 'Unnamed wallet');
  await expect(verdict(app)).toContainText('Everything arrived');
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'Unnamed wallet')).toContainText('Descriptor');
  await goTo(app, 'History');
  const copy = page.getByRole('list', { name: 'Safety copies' }).getByRole('listitem').first();
  await expect(button(copy, 'Restore')).toHaveCount(1);
  await copy.getByText('Details').click();
  await copy.getByText('2 more copied').click();
  const beside = copy.getByRole('group', { name: 'Copy of “savings”' });
  const path = await pathIn(beside.locator('code').first());
  expect(basename(path)).toMatch(/^beside \d savings\.dat$/);
  expect(readFileSync(path)).toEqual(readFileSync(fixtureFile('descriptor-hd')));
  await button(copy, 'Restore “savings”').click();
  await planIsMade(app);
  await openDetails(app);
  await expect(page.getByTitle(path).first()).toBeVisible();
  // Its own name is taken.
  const name = await nameField(app);
  await expect(name).toHaveValue('savings-restored');
  await name.fill('savings');
  await button(page, 'Use the name “savings-restored”').click();
  await expect(name).toHaveValue('savings-restored');
  await planIsMade(app);
});
