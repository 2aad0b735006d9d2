/** What a screen reader meets, and in which order, from the accessibility tree. */
import { join } from 'node:path';
import { chooseBackup, connect, goTo, startMigration } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('reads the frame first, then the place: a list, a check, a result', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { loaded: ['savings'] });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await expect(page.locator('body')).toMatchAriaSnapshot(`
    - link "Skip to content"
    - navigation "Places":
      - text: Wallet Ferry
      - list:
        - listitem:
          - button "Start"
        - listitem:
          - button "Wallets"
        - listitem:
          - button "Activity"
        - listitem:
          - button "Node"
        - listitem:
          - button "Settings"
      - text: Connected Regtest · 31.0
      - button "Help"
    - main:
      - heading "Wallets" [level=1]
  `);

  // A check as its verdict, what it is about and what to do.
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await page.getByText(/checks passed/).click();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Restore a backup" [level=1]
      - status:
        - strong: Ready to restore.
        - text: /Result.+1 wallet/
      - button "Check again"
      - group:
        - text: /checks passed/
        - list "Checks":
          - listitem:
            - paragraph: "Passed: Wallet file: descriptor wallet (SQLite)"
      - textbox "Wallet name"
      - term: File
      - definition: /descriptor.bak/
      - group: Options
      - group: Details
      - status
      - button "Cancel"
      - button "Restore"
  `);

  // A result before what can be done next.
  await goTo(app, 'Wallets');
  await startMigration(app, 'legacy-watchonly');
  await expect(page.getByRole('heading', { name: 'Everything arrived', level: 1 })).toBeVisible();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Everything arrived" [level=1]
      - region "Proof":
        - table "Before and after"
      - region /Result.+2 wallets/:
        - list "New wallets":
          - listitem: /legacy-watchonly/
        - button "Save new backups…"
      - region "What now"
      - button "Go to wallets"
  `);

  // A large window has room for what is next beside what was.
  const left = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.x ?? 0;
  expect(await left('What now')).toBe(await left('Proof'));
  await page.setViewportSize({ width: 1400, height: 900 });
  expect(await left('What now')).toBeGreaterThan((await left('Proof')) + 400);
});
