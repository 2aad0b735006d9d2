/** Restoring, restoring and migrating in one go, and what is kept of both. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../../shared/text/say.ts';
import { dropFile } from '../../app/dropFile.ts';
import { lookAt } from '../../app/lookAt.ts';
import { ontoStick } from '../../app/ontoStick.ts';
import { button, chooseBackup, connect, goTo, heading, nameIt, next, shown } from '../../app/steps.ts';
import { test } from '../../app/walk.ts';

test('restoring, the bar and the activity', async ({ openApp, startNode, home }) => {
  const rescan = { shares: [0.42], ms: 100, hold: true };
  const node = await startNode('28.1', { rescan, restoreWarnings: ['Mind the gap'] });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await goTo(app, 'Restore a backup');
  await heading(page, 'Backup', 2).waitFor();
  await lookAt(app, 'Restore 1, nothing chosen');
  await dropFile(app, [join(node.backupsFolder, 'legacy.bak'), join(node.backupsFolder, 'descriptor.bak')]);
  await shown(page, 'Several files were dropped').waitFor();
  await lookAt(app, 'Restore 1, several files dropped');
  await chooseBackup(app, join(node.backupsFolder, 'notes.txt'));
  await shown(page, 'This is not a Bitcoin Core wallet').first().waitFor();
  await lookAt(app, 'Restore 1, not a wallet');
  await chooseBackup(app, await ontoStick('legacy-hd', home));
  await page.getByText(/^[0-9a-f]{64}$/).waitFor();
  await lookAt(app, 'Restore 1, a legacy wallet');
  await next(app);
  await page.getByLabel(say('Wallet name')).fill('savings');
  await page.getByRole('alert').waitFor();
  await lookAt(app, 'Restore 2, the name is taken');
  await page.getByLabel(say('Wallet name')).fill('holiday');
  await next(app);
  await button(page, 'Look again').and(page.locator(':not([aria-busy])')).waitFor();
  await lookAt(app, 'Restore 3, review');
  await button(page, 'Restore this backup').click();
  await shown(page, '{percent} rescanned', { percent: '42 %' }).waitFor();
  await page.getByText(say('Log'), { exact: true }).click();
  await lookAt(app, 'Restore 4, running with its log');
  await goTo(app, 'Wallets');
  await page.getByRole('status', { name: say('Running operation') }).waitFor();
  await lookAt(app, 'Bar, running');
  node.letGo();
  await page.getByRole('status', { name: say('Ended operation') }).waitFor();
  await lookAt(app, 'Bar, ended');
  await button(page, 'Open the result').click();
  await heading(page, 'The wallet is restored', 2).waitFor();
  await lookAt(app, 'Restore 5, done');

  await chooseBackup(app, join(node.backupsFolder, 'truncated.bak'));
  await nameIt(app, 'cut off');
  await button(page, 'Restore this backup').click();
  await heading(page, 'The wallet was not restored', 2).waitFor();
  await lookAt(app, 'Restore 5, failed');
  await goTo(app, 'Activity');
  await button(page, 'Report').first().click();
  await page.getByLabel(say('Report for asking for help')).waitFor();
  await lookAt(app, 'Activity, operations and a report');

  app.expectTrouble(/no dates today/);
  await page.evaluate(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() {
        throw new Error('no dates today');
      },
    });
  });
  await goTo(app, 'Wallets');
  await goTo(app, 'Activity');
  await shown(page, 'This place could not be shown').waitFor();
  await lookAt(app, 'A place that could not be shown');
});

test('restoring and migrating in one go', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', { wallets: { savings: 'descriptor-hd' } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, await ontoStick('legacy-hd-encrypted', home));
  await page.getByText(/^[0-9a-f]{64}$/).waitFor();
  await lookAt(app, 'In one go 1, backup');
  await next(app);
  await page.getByLabel(say('Wallet name')).fill('holiday');
  await lookAt(app, 'In one go 2, new name');
  await next(app);
  await heading(page, 'Passphrase', 2).waitFor();
  await page.getByLabel(say('Passphrase'), { exact: true }).fill('not the passphrase');
  await next(app);
  await button(page, 'Look again').and(page.locator(':not([aria-busy])')).waitFor();
  await lookAt(app, 'In one go 4, review');
  await button(page, 'Restore and migrate').click();
  await page.getByRole('alert').waitFor();
  await lookAt(app, 'In one go 3, passphrase refused');
  await chooseBackup(app, await ontoStick('legacy-watchonly', home));
  await next(app);
  await next(app);
  await button(page, 'Restore and migrate').click();
  await heading(page, 'The wallet is restored and migrated', 2).waitFor();
  await lookAt(app, 'In one go 5, done');

  // Where the node does not tell its wallets folder.
  rmSync(node.logPath);
  await goTo(app, 'Node');
  await button(page, 'Disconnect').click();
  await connect(app, node);
  await chooseBackup(app, await ontoStick('legacy-hd', home));
  await button(page, 'Work without a node').waitFor();
  await lookAt(app, 'In one go 1, not possible here');
});
