/** Leaving the page while the node works. */
import type { Dialog } from '@playwright/test';
import { goTo, heading, otherJobs, RESCANNING, runningJob, startMigration } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

test('makes the browser ask before it leaves a running job, and shows the job after a reload', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('31.0', RESCANNING);
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toBeVisible();
  const dialogs: string[] = [];
  page.on('dialog', (dialog: Dialog) => {
    dialogs.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  expect(dialogs).toEqual(['beforeunload']);
  // The job belongs to the app, not to the page.
  await expect(runningJob(app)).toBeVisible();
  await goTo(app, 'Home');
  await expect(otherJobs(app)).toContainText('legacy-hd');
  node.resume();
  await expect(otherJobs(app)).toContainText('Wallet migrated');
  dialogs.length = 0;
  await page.reload();
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  expect(dialogs).toEqual([]);
});
