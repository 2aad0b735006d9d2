/** A whole run with every network call written down: nothing but the node is ever asked. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import { networkSeen } from '../app/networkSeen.ts';
import { button, connect, goTo, heading, startMigration, startRestore } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test.setTimeout(150_000);

/** Restores, migrates, makes a new backup, looks into a file and at every place. */
async function wholeRun(app: App, backup: string, newBackup: string): Promise<void> {
  const { page } = app;
  await startRestore(app, backup, 'restored');
  await expect(heading(page, 'The wallet is restored', 2)).toBeVisible();
  await goTo(app, 'Wallets');
  await startMigration(app, 'legacy-hd');
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
  await button(page, 'Make a new backup').click();
  await app.pickFile(newBackup, () => button(page, 'Choose where…').click());
  await expect(page.getByText(/^[0-9a-f]{64}$/).first()).toBeVisible();
  await goTo(app, 'Inspect a file');
  await app.pickFile(backup, () => button(page, 'Choose a file…').click());
  await expect(page.getByRole('heading', { name: 'descriptor.bak', level: 2 })).toBeVisible();
  for (const place of ['Activity', 'Node', 'Wallets'] as const) {
    await goTo(app, place);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
}

test('asks nobody but the node', async ({ openApp, startNode, home }) => {
  const networkLogs = join(home, 'network');
  mkdirSync(networkLogs);
  const node = await startNode('29.3');
  const app = await openApp({ networkLogs });
  const { page } = app;
  const asked = new Set<string>();
  page.context().on('request', (request) => asked.add(new URL(request.url()).origin));
  page.on('websocket', (socket) => asked.add(socket.url()));
  // From the first request of the page on.
  await page.reload();
  await connect(app, node);
  await wholeRun(app, join(node.backupsFolder, 'descriptor.bak'), join(home, 'new.bak'));
  const engine = await app.call('engine.start', { walletsFolder: null, network: 'regtest' });
  expect(engine).toMatchObject({ ok: true });
  const enginePort = (engine.value as { node: { address: { port: number } } }).node.address.port;
  const own = new URL(page.url());
  await app.close();

  const { programs, connections, others, chromium } = networkSeen(networkLogs);
  // The recorder was in the app, in the browser entry in its engine too, and it does see connections.
  const parts = app.entry === 'browser' ? ['serve.cjs', 'engine.cjs'] : [''];
  for (const part of parts) expect(programs.some((program) => program.includes(part))).toBe(true);
  expect(connections).toContain(`127.0.0.1:${node.port}`);
  // Where it looks for nodes: the ports of the networks, on this machine.
  const places = [8332, 18332, 18443, 38332, 48332];
  const expected = [node.port, enginePort, ...places].map((port) => `127.0.0.1:${port}`);
  expect(connections.filter((to) => !expected.includes(to))).toEqual([]);
  expect(others).toEqual([]);
  expect([...asked]).toEqual([app.entry === 'browser' ? own.origin : 'null']);
  expect(chromium === null).toBe(app.entry === 'browser');
  expect(chromium ?? []).toEqual([]);
});
