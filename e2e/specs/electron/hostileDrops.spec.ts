/** Files, links and folders dropped on the window are only read. */

import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app/app.ts';
import {
  button,
  connect,
  heading,
  openDetails,
  planIsMade,
  sidebar,
  walletHeading,
} from '../../app/steps.ts';
import { expect, fixtureFile, test } from '../../app.ts';

test.skip(process.platform === 'win32', 'Windows does not let everyone create links.');

// SECURITY.md: Links, pipes and devices in place of files
test('opens dropped files, searches a dropped folder, and shows where a dropped link leads', async ({
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
  // On the first page, which shows no search yet. The file beside the folder is listed.
  await dropPaths(app, [folder, target]);
  await expect(page.getByText('No wallet found.')).toBeVisible();
  await expect(sidebar(app).getByText('where it really is.dat')).toBeVisible();
  await connect(app, node);

  const other = join(stick, 'other.dat');
  copyFileSync(fixtureFile('legacy-hd'), other);
  await dropPaths(app, [other, link]);
  await expect(walletHeading(page, 'other.dat')).toBeVisible();
  const entries = sidebar(app).getByRole('list', { name: 'Wallets' }).getByRole('listitem');
  await expect(entries.filter({ hasText: 'holiday.bak' })).toBeVisible();

  await dropPaths(app, [link]);
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await planIsMade(app);
  await openDetails(app);
  await expect(page.getByTitle(target).first()).toBeVisible();
  await expect(page.getByText(link)).toHaveCount(0);

  // The app searches a folder, even one named like a backup. This one is empty.
  await dropPaths(app, [folder]);
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  await expect(page.getByText('No wallet found.')).toBeVisible();
  await expect(button(page, 'Restore')).toHaveCount(0);
  expect(node.countCalls('restorewallet')).toBe(0);
});

/** Drops paths on the desktop window as the system does: a folder, or several files. The pointer has just come from the sidebar. */
async function dropPaths({ page }: App, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop', x: number) =>
    session.send('Input.dispatchDragEvent', { type, x, y: 300, data });
  await drag('dragEnter', 100);
  await drag('dragOver', 100);
  await drag('drop', 400);
  await session.detach();
}
