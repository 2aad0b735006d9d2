/** Who found an old wallet.dat is led from the file to the page that takes it across. */
import { join } from 'node:path';
import { dropFile } from '../app/dropFile.ts';
import { ontoStick } from '../app/ontoStick.ts';
import { button, goTo, heading, openDetails, takeProposal } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('leads from an encrypted legacy file, before a node is connected, to its restore', async ({
  openApp,
  startNode,
  home,
}) => {
  await startNode('28.1');
  const app = await openApp();
  const { page } = app;
  const file = await ontoStick('legacy-hd-encrypted', home, 'wallet.dat');
  await goTo(app, 'Guide');
  await expect(heading(page, 'I found an old wallet.dat')).toBeVisible();
  await expect(page.getByText('~/.bitcoin', { exact: true })).toBeVisible();
  await app.pickFile(file, () => button(page, 'Choose a file…').click());
  await expect(heading(page, 'Wallet file')).toBeVisible();
  await expect(page.getByText('Legacy wallet (Berkeley DB)')).toBeVisible();
  await expect(page.getByRole('form', { name: 'Try the passphrase' })).toBeVisible();

  await expect(page.getByText('Best on the Bitcoin Core 28.1 of this computer.')).toBeVisible();
  await takeProposal(app);
  await openDetails(app);
  await expect(page.getByText(file, { exact: true })).toBeVisible();
});

test('looks into a file that is dropped', async ({ openApp, startNode }) => {
  const node = await startNode('28.1');
  const app = await openApp();
  const { page } = app;
  await goTo(app, 'Guide');
  await app.pickFile(join(node.backupsFolder, 'picture.png'), () =>
    dropFile(app, join(node.backupsFolder, 'picture.png')),
  );
  await expect(page.getByText('This is not a Bitcoin Core wallet', { exact: true })).toBeVisible();
  await expect(page.getByText(/PNG image/)).toBeVisible();
});

test('explains every word that the app explains elsewhere', async ({ openApp }) => {
  const app = await openApp();
  await goTo(app, 'Guide');
  const terms = app.page.getByRole('region', { name: 'What the words mean' });
  await expect(terms.getByRole('term').filter({ hasText: /^rescan$/ })).toHaveCount(1);
  await expect(terms.getByRole('term')).toHaveCount(19);
});
