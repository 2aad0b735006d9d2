/** What a screen reader meets, and in which order, from the accessibility tree. */
import { join } from 'node:path';
import { button, chooseBackup, connect, nameIt, startMigration } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('reads the frame first, then the place from its heading on', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { loaded: ['savings'] });
  const app = await openApp();
  await connect(app, node);
  await expect(app.page.locator('body')).toMatchAriaSnapshot(`
    - link "Skip to the content"
    - navigation "Places":
      - text: Wallet Ferry
      - list:
        - listitem:
          - button "Wallets"
        - listitem:
          - button "Restore a backup"
        - listitem:
          - button "Inspect a file"
        - listitem:
          - button "Activity"
        - listitem:
          - button "Node"
        - listitem:
          - button "Guide"
      - text: Connected Regtest · 31.0
      - button "Dark theme"
    - main:
      - heading "Wallets" [level=1]
  `);
});

test('reads a check as its verdict, what it is about and what to do', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await chooseBackup(app, join(node.backupsFolder, 'descriptor.bak'));
  await nameIt(app, 'read aloud');
  await expect(button(page, 'Restore this backup')).toBeEnabled();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Restore a backup" [level=1]
      - list "Steps":
        - listitem: Backup (done)
        - listitem: Name and options (done)
        - listitem: Review
        - listitem: Running
        - listitem: Done
      - heading "Review" [level=2]
      - region "Checks":
        - heading "Checks" [level=3]
        - button "Look again"
        - group:
          - text: 8 checks are fine
          - list "Checks that are fine":
            - listitem:
              - paragraph: "Fine: The file of a wallet: descriptor wallet (SQLite)"
              - paragraph: "Looked at: The backup file."
        - status: The checks are made.
      - term: Backup
      - definition: /descriptor.bak/
      - button "Restore this backup"
  `);
});

test('reads a result before what can be done next', async ({ openApp, startNode }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startMigration(app, 'legacy-watchonly');
  await expect(page.getByRole('heading', { name: 'The wallet is migrated', level: 2 })).toBeVisible();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Migrate a wallet" [level=1]
      - list "Steps"
      - heading "The wallet is migrated" [level=2]
      - list "Wallets that came of the migration":
        - listitem: /legacy-watchonly/
      - button "Make a new backup"
  `);
});
