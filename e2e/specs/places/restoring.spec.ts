/** Restoring, restoring and migrating in one go, and what is kept of both. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../../shared/wording/say.ts';
import { lookAt } from '../../app/lookAt.ts';
import {
  button,
  chooseBackup,
  connect,
  dropFile,
  goTo,
  heading,
  openDetails,
  openFile,
  planIsMade,
  run,
  shown,
  startRestore,
  takeProposal,
} from '../../app/steps.ts';
import { test } from '../../app/walk.ts';
import { expect, type Scenario } from '../../app.ts';
import { ontoStick } from '../../testNode/walletFixture.ts';

const LONG = { timeout: 60_000 };

test('restoring, the bar and the activity', async ({ openApp, startNode, home }) => {
  const rescan = { shares: [0.42], ms: 100, hold: true };
  const scenario: Scenario = { rescan, restoreWarnings: ['Mind the gap'] };
  const node = await startNode('28.1', scenario);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await goTo(app, 'Start');
  await button(page, 'Choose a file…').waitFor();
  await lookAt(app, 'Start, connected');
  await dropFile(app, [join(node.backupsFolder, 'legacy.bak'), join(node.backupsFolder, 'descriptor.bak')]);
  await shown(page, 'One file at a time').waitFor();
  await lookAt(app, 'Start, several files dropped');
  await openFile(app, await ontoStick('legacy-hd', home));
  await button(page, 'Restore').waitFor();
  await lookAt(app, 'Wallet file, with its proposal');
  await takeProposal(app);
  await page.getByLabel(say('Wallet name')).fill('savings');
  await page.getByRole('alert').waitFor();
  await lookAt(app, 'Check, the name is taken');
  await page.getByLabel(say('Wallet name')).fill('holiday');
  await planIsMade(app);
  await page.locator('summary').first().click();
  await openDetails(app);
  await lookAt(app, 'Check, all of it');
  await run(app, 'Restore');
  await page.getByText('42 %', { exact: true }).waitFor();
  await page.getByText(say('Details'), { exact: true }).click();
  await lookAt(app, 'Progress, with its details');
  await goTo(app, 'Wallets');
  await page.getByRole('status', { name: say('Running job') }).waitFor();
  await lookAt(app, 'Bar, running');
  node.letGo();
  await page.getByRole('status', { name: say('Finished job') }).waitFor();
  await lookAt(app, 'Bar, ended');
  await button(page, 'Open the result').click();
  await heading(page, 'Wallet restored').waitFor();
  await lookAt(app, 'Result, restored');

  await chooseBackup(app, join(node.backupsFolder, 'truncated.bak'));
  await shown(page, 'The node would refuse the wallet').first().waitFor();
  await lookAt(app, 'Check, the file is cut off');
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await page.getByLabel(say('Wallet name')).fill('second');
  await planIsMade(app);
  scenario.readOnlyWallets = true;
  await run(app, 'Restore');
  await heading(page, 'Not restored').waitFor();
  await lookAt(app, 'Result, failed');
  await goTo(app, 'Activity');
  await button(page, 'Report').first().click();
  await page.getByLabel(say('Report for asking for help')).waitFor();
  await lookAt(app, 'Activity, jobs and a report');

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
  await shown(page, 'Page failed').waitFor();
  await lookAt(app, 'A place that could not be shown');
});

test('restoring and migrating in one go', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0', { wallets: { savings: 'descriptor-hd' } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, await ontoStick('legacy-hd-encrypted', home));
  await page.getByLabel(say('Wallet name')).fill('holiday');
  await page.getByLabel(say('Passphrase'), { exact: true }).fill('not the passphrase');
  await shown(page, 'The passphrase is wrong').first().waitFor(LONG);
  await openDetails(app);
  await lookAt(app, 'Check in one go, the passphrase is wrong');
  await startRestore(app, await ontoStick('legacy-watchonly', home), 'holiday');
  await heading(page, 'Everything arrived').waitFor(LONG);
  await lookAt(app, 'Result in one go');

  // Where the node does not tell its wallets folder.
  rmSync(node.logPath);
  await goTo(app, 'Node');
  await button(page, 'Disconnect').click();
  await connect(app, node);
  await chooseBackup(app, await ontoStick('legacy-hd', home));
  await expect(page.getByRole('main')).toContainText(
    say('Without a node, on {network}', { network: say('Regtest') }),
  );
  await planIsMade(app);
  await lookAt(app, 'Check in one go, without a node');
});
