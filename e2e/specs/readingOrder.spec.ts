/** What a screen reader meets, and in which order, from the accessibility tree. */

import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { chooseBackup, goTo, startMigration, verdict } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('reads the frame first, then the place: a list, a check, a result', async ({ openConnected }) => {
  const { app, node, page } = await openConnected('31.0', { loaded: ['savings'] });
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - link "Skip to content"
    - navigation "Wallets and pages":
      - button "Open wallet…"
      - list "Wallets":
        - listitem:
          - button /legacy-hd/
        - listitem:
          - button /legacy-hd-encrypted/
        - listitem:
          - button /legacy-watchonly/
        - listitem:
          - button /savings/
        - listitem:
          - button "All wallets"
      - status "Jobs"
      - list:
        - listitem:
          - button "Home"
        - listitem:
          - button "History"
        - listitem:
          - button "Settings"
        - listitem:
          - button "Help"
      - button /Bitcoin Core 31.0 · Regtest/
    - main:
      - heading "All wallets" [level=1]
  `);

  // A file: what it is, whether it is safe, the way it goes, and what to do.
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Wallet file descriptor.bak" [level=1]
      - status: /Safe/
      - list "Steps":
        - listitem:
          - text: /Your file.*done/
        - listitem:
          - text: /Restore.*now/
        - listitem:
          - text: /Rescan.*to come/
        - listitem:
          - text: /New backup.*to come/
      - form "Restore this wallet":
        - heading "Restore this wallet" [level=2]
        - combobox "Where"
        - button "Restore"
        - group: Name and place
        - group: Options
        - button "Check again"
      - tablist
      - tabpanel "Overview"
  `);

  // A result: what can be done next before a proof that found nothing.
  await goTo(app, 'All wallets');
  await startMigration(app, 'legacy-watchonly');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Wallet legacy-watchonly" [level=1]
      - status: /Everything arrived/
      - list "Steps":
        - listitem:
          - text: /Your wallet.*done/
        - listitem:
          - text: /Safety copy.*done/
        - listitem:
          - text: /Migrate.*done/
        - listitem:
          - text: /Proof.*done/
        - listitem:
          - text: /New backup.*now/
      - list "Files":
        - listitem: /Safety copy/
        - listitem: /Old wallet’s backup/
      - region "Next":
        - list:
          - listitem "Save a backup of both wallets":
            - button "Save a backup…"
            - list "New wallets":
              - listitem: /legacy-watchonly/
          - listitem "See and spend"
          - listitem /Keep the old file/
      - region "Proof":
        - heading "Before and after" [level=2]
  `);

  // A large window has room for the technical facts beside the page.
  await expect(page.getByRole('complementary', { name: 'Technical' })).toHaveCount(0);
  await page.setViewportSize({ width: 1700, height: 900 });
  const left = async (part: Locator) => (await part.boundingBox())?.x ?? 0;
  const technical = page.getByRole('complementary', { name: 'Technical' });
  await expect(technical).toBeVisible();
  expect(await left(technical)).toBeGreaterThan(
    (await left(page.getByRole('region', { name: 'Proof' }))) + 400,
  );
});
