/** The pages of a restore and of the history. */
import { join } from 'node:path';
import { say } from '../../../shared/wording/say.ts';
import { checkPage } from '../../app/checkPage.ts';
import { test } from '../../app/inPseudoLanguage.ts';
import {
  button,
  chooseBackup,
  goTo,
  heading,
  nameWallet,
  openDetails,
  openFile,
  openTab,
  otherJobs,
  planIsMade,
  run,
  runningJob,
  shown,
  verdictSays,
} from '../../app/steps.ts';
import { expect, type Scenario } from '../../app.ts';
import { copyToStick } from '../../testNode/walletFixture.ts';

test('the pages of a restore, its progress elsewhere and the history are accessible, translated and fit', async ({
  openConnected,
  home,
}) => {
  const rescan = { shares: [0.42], ms: 100, hold: true };
  const scenario: Scenario = { rescan, restoreWarnings: ['Mind the gap'] };
  const { app, node, page } = await openConnected('28.1', scenario);
  await goTo(app, 'Home');
  await button(page, 'Choose a file…').waitFor();
  await checkPage(app, 'Start, connected');
  await openFile(app, await copyToStick('legacy-hd', home));
  await planIsMade(app);
  await checkPage(app, 'A file, with its plan');
  await shown(page, 'Name and place').click();
  await page.getByLabel(say('Wallet name')).fill('savings');
  await page.getByRole('alert').waitFor();
  await checkPage(app, 'Check, the name is taken');
  await page.getByLabel(say('Wallet name')).fill('holiday');
  await planIsMade(app);
  await openDetails(app);
  await page.locator('summary').last().click();
  await checkPage(app, 'Check, with its details');
  await run(app, 'Restore');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/);
  await openTab(app, 'Technical');
  await checkPage(app, 'Progress, with its details');
  await goTo(app, 'All wallets');
  await otherJobs(app).getByRole('button').waitFor();
  await checkPage(app, 'Jobs, running');
  node.resume();
  await otherJobs(app).getByText('holiday').waitFor();
  await checkPage(app, 'Jobs, ended');
  await otherJobs(app).getByRole('button').click();
  await verdictSays(app, 'Restored. Now migrate it.');
  await checkPage(app, 'Result, restored');
  await button(page, 'Migrate').click();
  await heading(page, 'Migrate this wallet', 2).waitFor();

  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await nameWallet(app, 'second');
  scenario.readOnlyWallets = true;
  await run(app, 'Restore');
  await heading(page, 'Not restored', 2).waitFor();
  await checkPage(app, 'Result, failed');
  await goTo(app, 'History');
  await shown(page, 'Details').first().click();
  await button(page, 'Report for help').first().click();
  await page.getByLabel(say('Report for help')).waitFor();
  await checkPage(app, 'History, jobs and a report');

  app.expectTrouble(/no dates today/);
  await page.evaluate(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() {
        throw new Error('no dates today');
      },
    });
  });
  await goTo(app, 'All wallets');
  await goTo(app, 'History');
  await shown(page, 'Page failed').waitFor();
  await checkPage(app, 'A page that failed');
});
