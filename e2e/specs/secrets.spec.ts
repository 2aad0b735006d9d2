/** After the main jobs, no passphrase, password or cookie is left anywhere, and nothing but the node and the engine was called. */
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import { connectAsTab } from '../app/callFromPage.ts';
import { filesBelow } from '../app/filesBelow.ts';
import { readNetworkLogs } from '../app/networkLogs.ts';
import {
  button,
  connectByHand,
  goTo,
  heapOf,
  LONG,
  openDetails,
  openFile,
  openTab,
  pageTexts,
  prepareMigration,
  run,
  saveBackups,
  verdict,
  walletRow,
} from '../app/steps.ts';
import { expect, fixturePassphrase, test } from '../app.ts';
import { copyToStick } from '../testNode/walletFixture.ts';

const WRONG = 'wrong-passphrase-7f3a9';
const PASSWORD = 'rpc-password-51c0e';
const EVENTS = [
  ...['connection', 'settings', 'wallet', 'job', 'searched', 'searchProgress'],
  ...['openFile', 'showRoute'],
];

/** Records every event that the app sends to the page, as text. */
async function recordEvents({ page, entry }: App): Promise<() => Promise<string[]>> {
  if (entry === 'browser') {
    const connection = await connectAsTab(page);
    return async () => connection.events;
  }
  await page.evaluate((names) => {
    const own = window as unknown as {
      ferry: { on(name: string, listener: (value: unknown) => void): void };
      recorded: string[];
    };
    own.recorded = [];
    for (const name of names) own.ferry.on(name, (value) => own.recorded.push(JSON.stringify(value)));
  }, EVENTS);
  return () => page.evaluate(() => (window as unknown as { recorded: string[] }).recorded);
}

// SECURITY.md: Readers of what is left behind
// SECURITY.md: The app's own libraries calling out
test('keeps no secret anywhere, and connects to nothing but the node', { tag: '@desktop' }, async ({
  openApp,
  startNode,
  home,
}) => {
  const name = 'legacy-hd-encrypted';
  const passphrase = fixturePassphrase(name);
  const otherPassphrase = fixturePassphrase('descriptor-encrypted');
  const node = await startNode('31.0', { login: { user: 'ana', password: PASSWORD } }, 'elsewhere');
  const networkLogs = join(home, 'network');
  mkdirSync(networkLogs);
  const app = await openApp({ ownProcess: true, networkLogs });
  const { page } = app;
  const origins = new Set<string>();
  page.context().on('request', (request) => origins.add(new URL(request.url()).origin));
  page.on('websocket', (socket) => origins.add(socket.url()));
  // Record the page's requests from the first one.
  await page.reload();
  const recordedEvents = await recordEvents(app);
  await connectByHand(app, { port: node.port, user: 'ana', password: `${PASSWORD}x` });
  await expect(page.getByRole('alert')).toBeVisible();
  await connectByHand(app, { port: node.port, user: 'ana', password: PASSWORD });
  await expect(walletRow(app, name)).toBeVisible();

  await prepareMigration(app, name, WRONG);
  await expect(page.getByRole('alert')).toContainText('Wrong passphrase');
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await openDetails(app);
  await button(page, 'Rehearse').click();
  await expect(page.getByRole('list', { name: 'Rehearsed wallets' })).toBeVisible(LONG);
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await saveBackups(app, home);
  await expect(verdict(app)).toContainText('Safe and backed up');

  await openFile(app, await copyToStick('descriptor-encrypted', home));
  await openTab(app, 'Export');
  const exporting = page.getByRole('form', { name: 'Export' });
  await exporting.getByRole('radio', { name: 'With private keys' }).check();
  await exporting.getByRole('checkbox', { name: /^I understand/ }).check();
  await exporting.getByLabel('Passphrase', { exact: true }).fill(otherPassphrase);
  await app.pickFile(join(home, 'private.json'), () => button(exporting, 'Export…').click());
  await expect(exporting.getByText('This file has private keys')).toBeVisible();

  expect((await app.call('engine.start', { walletsFolder: null, network: 'regtest' })).ok).toBe(true);
  await test.step('lets no other user read its files', () => expectPrivate(app));

  const connection = (await app.call('nodes.connection', {})).value;
  const enginePort = (connection as { node: { address: { port: number } } }).node.address.port;
  const own = new URL(page.url());

  const secrets = [passphrase, otherPassphrase, WRONG, PASSWORD, node.cookiePassword(), 'tprv'];
  const places: Record<string, string> = { ...(await pageTexts(app)), output: app.output() };
  places.events = (await recordedEvents()).join('\n');
  for (const to of ['History', 'Node', 'All wallets', 'Settings'] as const) {
    await goTo(app, to);
    places[`html of ${to}`] = await page.content();
  }
  for (const request of ['jobs.list', 'nodes.profiles', 'nodes.connection', 'wallets.list']) {
    places[request] = JSON.stringify(await app.call(request, {}));
  }
  expect(places.events).toContain('"state":"done"');
  for (const file of filesBelow(app.dataFolder)) places[file] = readFileSync(file, 'latin1');
  places.heap = await heapOf(app);
  // Show that the search works, with a text that is no secret.
  expect(places['jobs.list']).toContain(name);
  expect(places.heap).toContain(name);
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    secrets.flatMap((secret, index) => (text.includes(secret) ? [`secret ${index} in ${place}`] : [])),
  );
  expect(leaks).toEqual([]);
  await app.close();
  const after = filesBelow(app.dataFolder).filter((file) =>
    secrets.some((secret) => readFileSync(file, 'latin1').includes(secret)),
  );
  expect(after).toEqual([]);

  const { programs, connections, others, chromium } = readNetworkLogs(networkLogs);
  // Show that the recorder ran in the app and in its engine, and recorded connections.
  for (const part of app.entry === 'browser' ? ['serve.cjs', 'engine.cjs'] : ['engine.cjs'])
    expect(programs.join('\n')).toContain(part);
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

// SECURITY.md: Another user of this computer
function expectPrivate({ dataFolder, entry }: App): void {
  if (process.platform === 'win32') return;
  expect(lstatSync(dataFolder).mode & 0o077).toBe(0);
  // Chromium writes files there too, which only the folder itself protects.
  const own = entry === 'browser' ? [''] : ['journal', 'safety copies', 'offline'];
  const paths = own.flatMap((name) => [
    join(dataFolder, name),
    ...readdirSync(join(dataFolder, name), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(dataFolder, name, path),
    ),
  ]);
  expect(paths.length).toBeGreaterThan(5);
  const isOpen = (path: string) => {
    const facts = lstatSync(path);
    return !facts.isSymbolicLink() && (facts.mode & 0o077) !== 0;
  };
  expect(paths.filter(isOpen)).toEqual([]);
}
