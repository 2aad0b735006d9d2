/** A node that is killed in the middle of a migration: the app says what is left, and puts the wallet back. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actionCard, button, connect, goTo, startMigration, verdict, walletRow } from '../app/steps.ts';
import { expect, test } from '../app.ts';

const state = fileURLToPath(
  new URL('../../../shared/fixtures/interrupted/legacy-in-sqlite/files.tar.xz', import.meta.url),
);

test.skip(
  !existsSync(state) || process.platform !== 'linux',
  'no files of a killed node beside this repository',
);

test('says that a migration was interrupted, and puts the wallet back', async ({ openApp, startNode }) => {
  const node = await startNode('31.0', { holdAt: 'Migrating wallet storage' });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await startMigration(app, 'legacy-hd');
  const backups = () => readdirSync(node.walletsFolder).filter((name) => name.endsWith('.legacy.bak'));
  await expect.poll(backups).toHaveLength(1);
  // What a real node left in its place.
  execFileSync('tar', ['-xJf', state, '-C', join(node.walletsFolder, 'legacy-hd')]);
  await node.kill();
  await expect(verdict(app)).toContainText('Interrupted', { timeout: 60_000 });
  const told = page.getByRole('alert');
  await expect(verdict(app)).toHaveText('Interrupted. Your wallet is safe.');
  await expect(told).toContainText('Your coins are safe, here:');
  await expect(told).toContainText('.legacy.bak');
  await node.restart();
  await expect(button(page, 'Put the old wallet back')).toBeVisible({ timeout: 30_000 });
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'legacy-hd')).toContainText('Interrupted');
  await button(walletRow(app, 'legacy-hd'), 'Put it back').click();
  await expect(actionCard(app)).toContainText(join(node.walletsFolder, 'legacy-hd.interrupted-'));
  await button(actionCard(app), 'Put it back').click();
  await node.standsStill();
  node.letGo();
  await expect(verdict(app)).toContainText('Everything arrived', { timeout: 60_000 });
  await expect(page.getByText(join(node.walletsFolder, 'legacy-hd.interrupted-'))).toBeVisible();
  await goTo(app, 'All wallets');
  const half = readdirSync(node.walletsFolder).find((name) => name.startsWith('legacy-hd.interrupted-'));
  const aside = walletRow(app, half ?? '');
  await expect(aside).toContainText('The wallet was restored as “legacy-hd”.');
  await expect(button(aside, 'Put it back')).toHaveCount(0);
});
