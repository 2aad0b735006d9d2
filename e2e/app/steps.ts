/** The steps of a user, found by the texts on the screen in the app's language: see `usePseudoLanguage`. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { say, type Values } from '../../shared/wording/say.ts';
import type { Scenario, TestNode } from '../testNode/testNode.ts';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';
import type { App } from './app.ts';

/** For work on wallet files, which derives thousands of scripts, on a busy machine. */
export const LONG = { timeout: 180_000 };

/** A node that stops in its rescan at 42 % until it may go on. */
export const RESCANNING: Scenario = { rescan: { shares: [0.42], ms: 100, hold: true } };

/** The heading of the page of a wallet or a file: its name. */
export function walletHeading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, level: 1 });
}

/** A heading of level 1: the name of a page. */
export function heading(page: Page, name: string, level = 1): Locator {
  return page.getByRole('heading', { name: say(name), level, exact: true });
}

export function button(page: Page | Locator, name: string): Locator {
  return page.getByRole('button', { name: say(name), exact: true });
}

/** A text on the screen. */
export function shown(page: Page | Locator, text: string, values?: Values): Locator {
  return page.getByText(say(text, values));
}

/** Clicks a button even if it is marked as disabled. */
export async function tryButton(page: Page | Locator, name: string): Promise<void> {
  const target = button(page, name);
  // A forced click hits what lies over the button, such as the bar at the top.
  await target.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await target.click({ force: true });
}

/** Goes to a folder in the app's own file dialog. */
export async function goToFolder(dialog: Locator, folder: string): Promise<void> {
  const field = dialog.getByLabel(say('Folder'), { exact: true });
  // The dialog replaces the typed text once it has found its first folder.
  await expect(field).not.toHaveValue('');
  await field.fill(folder);
  await button(dialog, 'Go').click();
}

export function sidebar({ page }: App): Locator {
  return page.getByRole('navigation', { name: say('Wallets and pages') });
}

/** The chip of the node in the sidebar. */
export function nodeChip(app: App): Locator {
  return sidebar(app).getByRole('button', { expanded: false }).last();
}

export async function goTo(
  app: App,
  to: 'Home' | 'All wallets' | 'History' | 'Node' | 'Settings',
): Promise<void> {
  if (to !== 'Node') return button(sidebar(app), to).click();
  await nodeChip(app).click();
  await button(app.page, 'All connections…').click();
}

/** Opens the page of a wallet from the sidebar. */
export async function openWallet(app: App, name: string): Promise<void> {
  await sidebar(app)
    .getByRole('list', { name: say('Wallets') })
    .getByText(name, { exact: true })
    .click();
}

export async function openHelp(app: App): Promise<Locator> {
  await button(sidebar(app), 'Help').click();
  return app.page.getByRole('dialog', { name: say('Help') });
}

/** The sentence below the balance on a wallet's page: whether it is safe, and the next step. */
export function verdict({ page }: App): Locator {
  return page.locator('main [data-verdict]');
}

/** Waits for this sentence. */
export async function verdictSays(app: App, text: string): Promise<void> {
  await verdict(app)
    .filter({ hasText: say(text) })
    .waitFor(LONG);
}

/** Saves backups of all new wallets into a folder, on the page of a migrated wallet. */
export async function saveBackups(app: App, folder: string): Promise<void> {
  await app.pickFile(folder, () => button(app.page, 'Save a backup…').click());
}

/** The progress bar of the job on the page of a wallet. */
export function runningJob({ page }: App): Locator {
  return page.getByRole('main').getByRole('progressbar');
}

/** The sidebar's list of jobs of other pages, running or ended. */
export function otherJobs(app: App): Locator {
  return sidebar(app).getByRole('status', { name: say('Jobs') });
}

/** Opens a tab of a wallet's page. */
export async function openTab({ page }: App, name: string): Promise<void> {
  await page.getByRole('tab', { name: say(name), exact: true }).click();
}

/** The card of a node that was found on this computer. */
export function foundNode({ page }: App, node: TestNode): Locator {
  return page
    .getByRole('list', { name: say('Nodes on this computer') })
    .getByRole('listitem')
    .filter({ hasText: `:${node.port}` });
}

/** Connects to a node that the app found by itself, and waits for the page that follows. */
export async function connect(app: App, node: TestNode, { arriveAt = 'All wallets' } = {}): Promise<void> {
  await goTo(app, 'Node');
  await button(foundNode(app, node), 'Connect').click();
  await heading(app.page, arriveAt).waitFor(LONG);
}

export interface ByHand {
  host?: string;
  port: number;
  cookieFile?: string;
  user?: string;
  password?: string;
}

export async function connectByHand(app: App, { host, port, cookieFile, user, password }: ByHand) {
  const { page } = app;
  await goTo(app, 'Node');
  const form = page.getByRole('form', { name: say('Connect by hand') });
  if (host !== undefined) await form.getByLabel(say('Host')).fill(host);
  await form.getByLabel(say('Port')).fill(String(port));
  if (cookieFile === undefined) {
    await form.getByRole('radio', { name: say('User and password') }).check();
    await form.getByLabel(say('User'), { exact: true }).fill(user ?? '');
    await form.getByLabel(say('Password'), { exact: true }).fill(password ?? '');
  } else {
    await form.getByRole('radio', { name: say('Cookie file') }).check();
    await form.getByLabel(say('Cookie file path')).fill(cookieFile);
  }
  await button(form, 'Connect by hand').click();
}

/** The row of a wallet in the table of wallets. */
export function walletRow({ page }: App, name: string): Locator {
  return page
    .getByRole('table', { name: say('Wallets'), exact: true })
    .getByRole('row', { name, exact: true });
}

/** Chooses an action in the menu of a wallet's row. */
export async function walletAction(
  app: App,
  name: string,
  action: 'Migrate' | 'Back up…' | 'Load' | 'Unload' | 'Open',
): Promise<void> {
  await button(walletRow(app, name), 'More').click();
  await app.page.getByRole('menuitem', { name: say(action), exact: true }).click();
}

/** Opens the page of a wallet file. */
export async function openFile(app: App, file: string): Promise<void> {
  await app.pickFile(file, () => button(sidebar(app), 'Open wallet…').click());
}

/** Opens the page of a backup while a node is connected, and waits for its plan. */
export async function chooseBackup(app: App, file: string): Promise<void> {
  await openFile(app, file);
  await planIsMade(app);
}

/** The card of the action on a wallet's page, or the form of a batch. */
export function actionCard({ page }: App): Locator {
  return page.locator('main form[aria-busy]');
}

/** Waits until the page shows a plan, or a job that starts with its plan, and no request is pending. */
export async function planIsMade({ page }: App): Promise<void> {
  await page.locator('main form[aria-busy="false"]:not([data-planned="no"])').waitFor(LONG);
}

/** Opens the tab with the checks, the copies, the calls and the rehearsal. */
export async function openDetails(app: App): Promise<void> {
  await openTab(app, 'Technical');
}

/** The field for the name of the new wallet, unfolded. */
export async function nameField(app: App): Promise<Locator> {
  const field = actionCard(app).getByLabel(say('Wallet name'));
  if (!(await field.isVisible())) await shown(actionCard(app), 'Name and place').click();
  return field;
}

/** Gives the new wallet a name, and waits for its plan. */
export async function nameWallet(app: App, name: string): Promise<void> {
  await (await nameField(app)).fill(name);
  await planIsMade(app);
}

/** Types a passphrase, and waits for the app's verdict on it. */
export async function typePassphrase(app: App, passphrase: string): Promise<void> {
  await app.page.getByLabel(say('Passphrase'), { exact: true }).fill(passphrase);
  const [right, ...others] = [
    say('Right passphrase'),
    say('Wrong passphrase'),
    say('Only the node can try it'),
  ].map((text) => actionCard(app).getByText(text)) as [Locator, ...Locator[]];
  // Deriving a key is slow on a busy machine.
  await others
    .reduce((all, one) => all.or(one), right)
    .first()
    .waitFor(LONG);
}

/** Clicks the button of the action card once it is enabled. */
export async function run(
  app: App,
  label: 'Restore' | 'Migrate' | 'Back up' | 'Undo' | 'Rescue' | 'Put it back' | 'Rescan',
): Promise<void> {
  const start = button(actionCard(app), label);
  // The plan reads the whole file.
  await expect(start).not.toHaveAttribute('aria-disabled', 'true', LONG);
  await start.click();
}

/** Starts a restore, or a restore and migration if the release loads no legacy wallet. */
export async function startRestore(app: App, file: string, name: string): Promise<void> {
  await chooseBackup(app, file);
  await nameWallet(app, name);
  const start = button(actionCard(app), 'Restore').or(button(actionCard(app), 'Migrate'));
  await expect(start).not.toHaveAttribute('aria-disabled', 'true');
  await start.click();
}

/** The part of the page that offers the offline engine. */
export function offlineOffer({ page }: App): Locator {
  return page.getByRole('region', { name: say('Work without a node') });
}

/** Starts the offline engine on regtest from the page that offers it. */
export async function startOfferedEngine(app: App): Promise<void> {
  await offlineOffer(app).getByLabel(say('Network')).selectOption('regtest');
  await button(offlineOffer(app), 'Work without a node').click();
}

/** Starts the offline engine on regtest from the page of nodes, and waits for its wallets. */
export async function workOffline(app: App): Promise<void> {
  await goTo(app, 'Node');
  await startOfferedEngine(app);
  await heading(app.page, 'All wallets').waitFor(LONG);
}

/** The engine's default wallets folder on regtest. */
export function offlineFolder({ dataFolder }: App): string {
  return join(dataFolder, 'offline', 'regtest', 'wallets');
}

/** Puts a wallet into that folder, and returns the path of its file. */
export function putOffline(app: App, fixture: FixtureName, name: string = fixture): string {
  const folder = join(offlineFolder(app), name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(fixtureFile(fixture), join(folder, 'wallet.dat'));
  return join(folder, 'wallet.dat');
}

/** The process id of the engine that holds a wallets folder. */
export function holderOf(walletsFolder: string): number {
  return JSON.parse(readFileSync(join(walletsFolder, '.wallet-ferry-engine.lock'), 'utf8')).pid;
}

/** From the list of wallets to the plan of a migration, with the passphrase if one is needed. */
export async function prepareMigration(app: App, name: string, passphrase = ''): Promise<void> {
  await button(walletRow(app, name), 'Migrate').click();
  await planIsMade(app);
  if (passphrase === '') return;
  await typePassphrase(app, passphrase);
  await planIsMade(app);
}

export async function startMigration(app: App, name: string, passphrase = ''): Promise<void> {
  await prepareMigration(app, name, passphrase);
  await run(app, 'Migrate');
}

/** The path of a copy of the old wallet with this label, on the page of a migrated wallet. */
export async function copyPath(
  { page }: App,
  label: 'The old wallet’s backup' | 'Safety copy',
): Promise<string> {
  const line = page
    .getByRole('region', { name: say('Next'), exact: true })
    .getByRole('group', { name: say(label), exact: true });
  if (!(await line.isVisible())) await shown(page, 'The copies').click();
  return pathIn(line.locator('code'));
}

/** A path below the home of the app, as the app shows it. */
export function shownPath(path: string): string {
  return path.replace(HOME, '~');
}

const HOME = new RegExp(`^${join(tmpdir(), 'ferry-')}[a-z]+-\\w+`);

/** The path that an element shows: in full in its title, if the home folder is shortened. */
export async function pathIn(shown: Locator): Promise<string> {
  return shown.evaluate(
    (element) => element.querySelector('[title]')?.getAttribute('title') ?? element.textContent ?? '',
  );
}

/** Opens the optional questions: whether the node loads the wallet at its start. */
export async function openOptions(app: App): Promise<void> {
  await actionCard(app).getByText(say('Options'), { exact: true }).click();
}

/** Waits until the page has loaded everything, so that a screenshot is complete. */
export async function settled(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.locator('.mantine-Loader-root')).toHaveCount(0, { timeout: 60_000 });
  for (const text of ['Reading the file…', 'Asking the node…']) {
    await expect(main.getByText(say(text))).toHaveCount(0);
  }
}

/** Presses Tab, or another key, until one of these elements has the focus. */
export async function reach(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 90; presses += 1) {
    await wanted.page().keyboard.press(key);
    if (await wanted.evaluateAll((found) => found.some((element) => element === document.activeElement)))
      return;
  }
  throw new Error(`${key} does not reach ${wanted}.`);
}

/** Presses Tab, or another key, until the control called `name` has a visible focus. */
export async function tabTo(
  page: Page,
  role: 'button' | 'textbox' | 'combobox',
  name: string,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  await reach(page.getByRole(role, { name, exact: true }), key);
  // Fields show the focus by their border, buttons by a ring around them.
  if (role === 'button') await expect(page.locator(':focus')).toHaveCSS('outline-style', 'solid');
}

/** Tabs to a button, and presses Enter or Space once it is enabled. */
export async function press(page: Page, name: string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, 'button', name);
  await expect(page.locator(':focus')).toBeEnabled();
  await page.keyboard.press(key);
}

/** Drops one or several files on the window, as a file manager does. */
export async function dropFile({ page }: App, file: string | string[]): Promise<void> {
  const input = await page.evaluateHandle(() => {
    const field = document.createElement('input');
    field.type = 'file';
    field.multiple = true;
    return field;
  });
  await input.setInputFiles(file);
  await page.evaluate((holder) => {
    const dropped = [...(holder.files ?? [])];
    if (dropped.length === 0) throw new Error('nothing to drop');
    const dataTransfer = new DataTransfer();
    for (const one of dropped) dataTransfer.items.add(one);
    for (const type of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, input);
}

/** A snapshot of the page's JavaScript heap after a collection, with every string in it. */
export async function heapOf({ page }: App): Promise<string> {
  const session = await page.context().newCDPSession(page);
  let snapshot = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    snapshot += chunk;
  });
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return snapshot;
}

/** Everything that the page shows and stores. */
export async function pageTexts({ page }: App): Promise<Record<string, string>> {
  return page.evaluate(() => ({
    html: document.documentElement.outerHTML,
    fields: JSON.stringify([...document.querySelectorAll('input')].map(({ value }) => value)),
    localStorage: JSON.stringify(localStorage),
    sessionStorage: JSON.stringify(sessionStorage),
    history: JSON.stringify(history.state),
  }));
}
