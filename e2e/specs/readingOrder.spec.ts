/** The order and the names in which a screen reader reads the app, from the accessibility tree. */

import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import type { App } from '../app/app.ts';
import {
  button,
  chooseBackup,
  goTo,
  openHelp,
  openTab,
  openWallet,
  startMigration,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('reads the sidebar first, then the page: a list, a plan, a result, with a name for every control', async ({
  openConnected,
}) => {
  const { app, node, page } = await openConnected('31.0', { loaded: ['savings'] });
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - link "Skip to content"
    - navigation "Wallets and pages":
      - button "Open wallet…"
      - list:
        - listitem:
          - button "Home"
      - list "Wallets":
        - listitem:
          - button /legacy-hd/
        - listitem:
          - button /legacy-hd-encrypted/
        - listitem:
          - button /legacy-watchonly/
        - listitem:
          - button /savings/
      - list:
        - listitem:
          - button "All wallets"
      - status "Jobs"
      - list:
        - listitem:
          - button "History"
        - listitem:
          - button "Settings"
        - listitem:
          - button "Help"
      - button /Bitcoin Core 31.0 Regtest/
    - main:
      - heading "All wallets" [level=1]
  `);
  await test.step('names every control', () => namesControls(app));
  await button(page, 'Close the help').click();

  // A file: its name, whether it is safe, the steps, and the next action.
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "descriptor.bak" [level=1]
      - status: /Safe/
      - list "Steps":
        - listitem:
          - text: /Your file.*done/
        - listitem:
          - text: /Restore.*now/
        - listitem:
          - text: /Rescan.*upcoming/
        - listitem:
          - text: /New backup.*upcoming/
      - form "Restore this wallet":
        - heading "Restore this wallet" [level=2]
        - combobox "Where"
        - button "Restore"
        - group: Name and place
        - group: Options
      - tablist
      - tabpanel "Overview"
  `);

  // A result: the proof, and then the next steps.
  await goTo(app, 'All wallets');
  await startMigration(app, 'legacy-watchonly');
  await expect(verdict(app)).toContainText('Everything arrived');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "legacy-watchonly" [level=1]
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
        - listitem:
          - group "Safety copy"
        - listitem:
          - group "Old wallet’s backup"
      - region "Proof":
        - term: Before
        - definition
        - term: After
        - definition
        - group: /are here/
      - region "Next":
        - list:
          - listitem "Save a backup":
            - button "Save a backup…"
            - list "New wallets":
              - listitem: /legacy-watchonly/
          - listitem /See and spend/
          - listitem /Keep the old file/
  `);

  // A large window shows the technical facts beside the page.
  await expect(page.getByRole('complementary', { name: 'Technical' })).toHaveCount(0);
  await page.setViewportSize({ width: 1700, height: 900 });
  const left = async (part: Locator) => (await part.boundingBox())?.x ?? 0;
  const technical = page.getByRole('complementary', { name: 'Technical' });
  await expect(technical).toBeVisible();
  expect(await left(technical)).toBeGreaterThan(
    (await left(page.getByRole('region', { name: 'Proof' }))) + 400,
  );
});

/** Names every control of the list of wallets, the export and the help. */
async function namesControls(app: App): Promise<void> {
  const { page } = app;
  await expect(walletRow(app, 'savings')).toContainText('6 transactions');
  await expect(page.getByRole('table', { name: 'Wallets' })).toMatchAriaSnapshot(`
    - table "Wallets":
      - rowgroup:
        - row "Select all Name Kind Encrypted Balance Size Last backup":
          - cell:
            - checkbox "Select all"
          - columnheader "Name":
            - button "Name"
          - columnheader "Kind":
            - button "Kind"
          - columnheader "Encrypted":
            - button "Encrypted"
          - columnheader "Balance":
            - button "Balance"
          - columnheader "Size":
            - button "Size"
          - columnheader "Last backup":
            - button "Last backup"
          - cell
      - rowgroup:
        - row "legacy-hd":
          - cell:
            - checkbox "legacy-hd"
          - rowheader "legacy-hd":
            - button "legacy-hd"
          - cell "Legacy Not loaded"
          - cell "8.599 971 80 rBTC last known"
          - cell "73.7 kB"
          - cell /Last backup/
          - cell:
            - button "Migrate"
            - button "More"
        - row "legacy-hd-encrypted"
        - row "legacy-watchonly"
        - row "savings":
          - cell "Descriptor Loaded"
          - cell:
            - button "Back up"
            - button "More"
  `);
  // The wallet's name distinguishes buttons of the same name.
  for (const name of ['Migrate', 'More'])
    await expect(button(walletRow(app, 'legacy-hd'), name)).toHaveAccessibleDescription('legacy-hd');

  await openWallet(app, 'savings');
  await openTab(app, 'Export');
  const exporting = page.getByRole('form', { name: 'Export' });
  await expect(exporting).toMatchAriaSnapshot(`
    - form "Export":
      - radiogroup "Format":
        - radio "JSON for importdescriptors" [checked]
        - radio "One descriptor per line"
        - radio "For Electrum"
        - radio "For Sparrow"
      - radiogroup "Keys":
        - radio "Public keys only" [checked]
        - radio "With private keys"
      - button "Export…"
  `);
  await expect(exporting.getByRole('radio', { name: 'Public keys only' })).toHaveAccessibleDescription(
    'Cannot spend.',
  );
  await exporting.getByRole('radio', { name: 'With private keys' }).check();
  await expect(exporting).toMatchAriaSnapshot(`
    - form "Export":
      - radiogroup "Keys"
      - checkbox "I understand"
      - button "Export…" [disabled]
  `);

  const help = await openHelp(app);
  await expect(help).toMatchAriaSnapshot(`
    - dialog "Help":
      - heading "Help" [level=2]
      - button "Close the help"
      - group:
        - text: I found an old wallet.dat
        - list:
          - listitem:
            - heading /Find the file/ [level=3]
          - listitem:
            - heading /Look inside/ [level=3]
            - button "Choose a file…"
          - listitem:
            - heading /Restore and migrate/ [level=3]
          - listitem:
            - heading /After that/ [level=3]
      - group: Files and texts
      - group: Ask for help
      - group: Keyboard
      - group: Glossary
  `);
  await help.getByText('Keyboard', { exact: true }).click();
  await expect(help.getByRole('term').filter({ hasText: 'Any action by name' })).toBeVisible();
}
