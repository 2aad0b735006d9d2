/** Who found an old wallet.dat is led from the file to the page that takes it across. */
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import { dropFile } from '../app/dropFile.ts';
import { ontoStick } from '../app/ontoStick.ts';
import { button, connect, goTo, heading, openDetails, planIsMade } from '../app/steps.ts';
import { expect, test } from '../app.ts';

const answer = (app: App, label: string) => app.page.getByRole('radio', { name: label, exact: true }).check();
const HERE = 'On this computer, or on a stick or disk that is plugged in';

async function guideWith(app: App, file: string): Promise<void> {
  await goTo(app, 'Guide');
  await expect(heading(app.page, 'I found an old wallet.dat')).toBeVisible();
  await answer(app, HERE);
  await app.pickFile(file, () => button(app.page, 'Choose a file…').click());
}

test('leads from an encrypted legacy file, without a node yet, to its restore', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('28.1');
  const app = await openApp();
  const { page } = app;
  const file = await ontoStick('legacy-hd-encrypted', home, 'wallet.dat');
  await guideWith(app, file);
  await expect(page.getByText('Legacy wallet (Berkeley DB)')).toBeVisible();

  await answer(app, 'No');
  await expect(page.getByText('Without it, the coins cannot be spent')).toBeVisible();
  await answer(app, 'I am not sure which it is');
  await button(page, 'Try the passphrase').click();
  await expect(heading(page, 'Inspect a file')).toBeVisible();

  // The answers are still there.
  await goTo(app, 'Guide');
  await expect(page.getByRole('radio', { name: HERE, exact: true })).toBeChecked();
  await expect(heading(page, 'Choose what does the work', 2)).toBeVisible();
  await button(page, 'Choose a node, or work without one').click();
  await expect(heading(page, 'Connect to a node')).toBeVisible();
  await connect(app, node, { arriveAt: 'Restore a backup' });
  await planIsMade(app);
  await openDetails(app);
  await expect(page.getByText(file, { exact: true })).toBeVisible();
});

test('proposes the way that the node in use takes', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await guideWith(app, await ontoStick('legacy-hd', home, 'wallet.dat'));
  await expect(page.getByText(/release 31\.0, loads no legacy wallet as it is/)).toBeVisible();
  await button(page, 'Restore and migrate it').click();
  await planIsMade(app);
  await expect(button(page, 'Restore and migrate')).toBeVisible();
  expect(node.countCalls('restorewallet') + node.countCalls('migratewallet')).toBe(0);
});

test('takes a file that is dropped, and says when it is no wallet', async ({ openApp, startNode }) => {
  const node = await startNode('28.1');
  const app = await openApp();
  const { page } = app;
  await goTo(app, 'Guide');
  await answer(app, 'I am still looking for it');
  await expect(page.getByText('~/.bitcoin', { exact: true })).toBeVisible();
  await app.pickFile(join(node.backupsFolder, 'picture.png'), () =>
    dropFile(app, join(node.backupsFolder, 'picture.png')),
  );
  await expect(page.getByText('This is not a Bitcoin Core wallet', { exact: true })).toBeVisible();
  await expect(page.getByText(/PNG picture/)).toBeVisible();
  await expect(heading(page, 'Choose what does the work', 2)).toHaveCount(0);
  await button(page, 'Start again').click();
  await expect(heading(page, 'Which file is it?', 2)).toHaveCount(0);
});

test('explains every word that the app explains elsewhere', async ({ openApp }) => {
  const app = await openApp();
  await goTo(app, 'Guide');
  const terms = app.page.getByRole('region', { name: 'What the words mean' });
  await expect(terms.getByRole('term').filter({ hasText: /^rescan$/ })).toHaveCount(1);
  await expect(terms.getByRole('term')).toHaveCount(19);
});
