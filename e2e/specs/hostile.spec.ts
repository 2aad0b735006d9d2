/** Names and words that others chose: shown, never obeyed. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import {
  button,
  connect,
  goTo,
  saveBackups,
  startMigration,
  startRestore,
  verdict,
  walletAction,
  walletRow,
} from '../app/steps.ts';
import { expect, type FixtureName, test } from '../app.ts';

const MARKUP = '<img src=x onerror="window.obeyed=1">';
const REVERSED = 'savings \u202Etxt.exe';
const SHOWN_REVERSED = 'savings ⟨U+202E⟩txt.exe';
/** As long as a name gets: each part of the path is bounded by the file system. */
const LONG = `${'a'.repeat(150)}/${'b'.repeat(149)}`;
const names = [MARKUP, REVERSED, LONG, '  spaces  ', '{{constructor}}', 'Ersparnisse für später 💰'];

async function isCalm({ page }: App): Promise<void> {
  const state = await page.evaluate(() => ({
    obeyed: 'obeyed' in window,
    images: [...document.images].filter((image) => image.alt !== '' || !image.src.endsWith('.svg')).length,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  expect(state).toEqual({ obeyed: false, images: 0, overflow: 0 });
}

// SECURITY.md: Words from a node or a file
test('shows words of the node and lists wallets of any name', async ({ openApp, startNode }) => {
  const wallets = Object.fromEntries(names.map((name): [string, FixtureName] => [name, 'descriptor-hd']));
  const node = await startNode('31.0', { wallets, loaded: names, nodeWarnings: [MARKUP, REVERSED] });
  node.setStarting(`Loading ${REVERSED}… ${MARKUP}`);
  const app = await openApp();
  await goTo(app, 'Node');
  await expect(app.page.getByText(`Loading ${SHOWN_REVERSED}`).first()).toBeVisible();
  await isCalm(app);
  node.setStarting(null);
  await button(app.page, 'Search again').click();
  await expect(app.page.getByText(`Loading ${SHOWN_REVERSED}`)).toHaveCount(0);
  await expect(app.page.getByText(SHOWN_REVERSED).first()).toBeVisible();
  await isCalm(app);
  await connect(app, node);
  for (const shown of [MARKUP, SHOWN_REVERSED, LONG, '{{constructor}}', 'Ersparnisse für später 💰']) {
    await expect(walletRow(app, shown)).toContainText('Loaded');
  }
  await isCalm(app);
  // The override cannot turn what stands beside it: the name is a piece of its own.
  await expect(walletRow(app, SHOWN_REVERSED).locator('bdi').first()).toHaveText(SHOWN_REVERSED);
  await walletAction(app, LONG, 'Unload');
  await expect(walletRow(app, LONG)).toContainText('Not loaded');
});

test('migrates and restores under such names', async ({ openConnected, home }) => {
  const { app, node, page } = await openConnected('31.0', { wallets: { [MARKUP]: 'legacy-watchonly' } });
  await startMigration(app, MARKUP);
  await expect(verdict(app)).toContainText('Everything arrived');
  await isCalm(app);
  const stick = join(home, 'stick');
  mkdirSync(stick);
  await saveBackups(app, stick);
  await expect(page.getByText('2 of 2 backed up')).toBeVisible();
  await isCalm(app);
  await startRestore(app, join(node.backupsFolder, 'descriptor.bak'), LONG);
  await expect(verdict(app)).toContainText('Wallet restored');
  await isCalm(app);
  await goTo(app, 'History');
  await expect(page.getByText(LONG).first()).toBeVisible();
  await isCalm(app);
});
