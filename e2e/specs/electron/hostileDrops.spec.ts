/** What is dropped on the window and is not one plain file: looked at as every path is, and nothing is done with it. */

import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app/app.ts';
import { button, connect, heading, openDetails, takeProposal } from '../../app/steps.ts';
import { expect, fixtureFile, test } from '../../app.ts';

test.skip(process.platform === 'win32', 'Windows lets not everyone make links.');

// SECURITY.md: Whoever starts the app with a file
test('takes neither a folder nor several files, and shows where a link leads', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('29.3');
  const stick = join(home, 'stick');
  const target = join(stick, 'where it really is.dat');
  const link = join(stick, 'holiday.bak');
  const folder = join(stick, 'folder.bak');
  mkdirSync(folder, { recursive: true });
  copyFileSync(fixtureFile('descriptor-hd'), target);
  symlinkSync(target, link);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);

  await dropPaths(app, [target, link]);
  await expect(page.getByRole('alert')).toContainText('One file at a time');
  await expect(heading(page, 'Wallets')).toBeVisible();

  await dropPaths(app, [link]);
  await expect(heading(page, 'Wallet file')).toBeVisible();
  await takeProposal(app);
  await openDetails(app);
  await expect(page.getByText(target, { exact: true })).toBeVisible();
  await expect(page.getByText(link)).toHaveCount(0);

  await dropPaths(app, [folder]);
  const shown = page.getByText(target).filter({ visible: true });
  await expect(page.getByRole('main')).toContainText(/folder/);
  await expect(shown).toHaveCount(0);
  await expect(button(page, 'Restore')).toHaveCount(0);
  expect(node.countCalls('restorewallet')).toBe(0);
});

/** Drops paths on the desktop window as the system does: a folder, or several files. */
async function dropPaths({ page }: App, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await session.detach();
}
