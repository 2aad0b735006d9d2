/** Records every network call of the main jobs: the app connects to nothing but the node and its own engine. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import { readNetworkLogs } from '../app/networkLogs.ts';
import {
  button,
  connect,
  goTo,
  LONG,
  openDetails,
  openFile,
  openTab,
  prepareMigration,
  run,
  saveBackups,
  shownPath,
  startMigration,
  startRestore,
  verdict,
  workOffline,
} from '../app/steps.ts';
import { expect, test } from '../app.ts';

interface Files {
  backup: string;
  newBackups: string;
  exported: string;
}

/** Restores a descriptor backup, rehearses, migrates, backs up, exports, and visits every page. */
async function runMainJobs(app: App, files: Files): Promise<void> {
  const { page } = app;
  await startRestore(app, files.backup, 'restored');
  await expect(verdict(app)).toContainText('Everything arrived');

  await goTo(app, 'All wallets');
  await prepareMigration(app, 'legacy-watchonly');
  await openDetails(app);
  await button(page, 'Rehearse').click();
  await expect(page.getByRole('list', { name: 'Rehearsed wallets' })).toBeVisible(LONG);
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived');
  await saveBackups(app, files.newBackups);
  await expect(page.getByText('2 of 2 backed up')).toBeVisible();

  await openFile(app, files.backup);
  await openTab(app, 'Export');
  const exporting = page.getByRole('form', { name: 'Export' });
  await app.pickFile(files.exported, () => button(exporting, 'Export…').click());
  await expect(exporting.getByText(shownPath(files.exported), { exact: true })).toBeVisible();

  for (const to of ['Node', 'All wallets', 'Settings', 'History'] as const) {
    await goTo(app, to);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
}

async function enginePortOf(app: App): Promise<number> {
  const answer = await app.call('nodes.connection', {});
  return (answer.value as { node: { address: { port: number } } }).node.address.port;
}

// SECURITY.md: The app's own libraries calling out
test('connects to nothing but the node', { tag: '@desktop' }, async ({ openApp, startNode, home }) => {
  const networkLogs = join(home, 'network');
  mkdirSync(networkLogs);
  const stick = join(home, 'stick');
  mkdirSync(stick);
  const node = await startNode('31.0');
  const app = await openApp({ networkLogs });
  const { page } = app;
  const origins = new Set<string>();
  page.context().on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('websocket', (socket) => origins.add(socket.url()));
  // Record the page's requests from the first one.
  await page.reload();
  await connect(app, node);
  if (app.entry === 'browser') {
    await runMainJobs(app, {
      backup: join(node.backupsFolder, 'descriptor.bak'),
      newBackups: stick,
      exported: join(home, 'public.json'),
    });
  } else {
    // The same back end in Electron: what may differ is Chromium's own traffic.
    await startMigration(app, 'legacy-watchonly');
    await expect(verdict(app)).toContainText('Everything arrived');
  }
  await workOffline(app);
  const enginePort = await enginePortOf(app);
  const own = new URL(page.url());
  await app.close();

  const { programs, connections, others, chromium } = readNetworkLogs(networkLogs);
  // Show that the recorder ran in the app and in its engine, and recorded connections.
  for (const part of app.entry === 'browser' ? ['serve.cjs', 'engine.cjs'] : ['engine.cjs']) {
    expect(programs.join('\n')).toContain(part);
  }
  expect(connections).toContain(`127.0.0.1:${node.port}`);
  expect(connections).toContain(`127.0.0.1:${enginePort}`);
  // The app looks for nodes at the default ports of this machine.
  const defaultPorts = [8332, 18332, 18443, 38332, 48332];
  const expected = [node.port, enginePort, ...defaultPorts].map((port) => `127.0.0.1:${port}`);
  expect(connections.filter((to) => !expected.includes(to))).toEqual([]);
  expect(others).toEqual([]);
  expect([...origins]).toEqual([app.entry === 'browser' ? own.origin : 'null']);
  // `electron/networkLog.spec.ts` shows that Chromium's log records requests.
  expect(chromium).toEqual(app.entry === 'browser' ? null : []);
});
