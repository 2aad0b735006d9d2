/** Several legacy wallets one after another: each with its own checks, passphrase, safety copy, proof and result. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { App } from '../app/app.ts';
import { button, connect, goTo, heading, next, walletRow } from '../app/steps.ts';
import {
  expect,
  type FixtureName,
  fixtureFile,
  fixturePassphrase,
  type Scenario,
  type TestNode,
  test,
} from '../app.ts';

const wallets: Record<string, FixtureName> = {
  savings: 'descriptor-hd',
  'legacy-hd': 'legacy-hd',
  'legacy-hd-encrypted': 'legacy-hd-encrypted',
  'legacy-watchonly': 'legacy-watchonly',
  'legacy-imported': 'legacy-imported',
};
const scenario: Scenario = { wallets, callMs: 100 };
const LEGACY = Object.keys(wallets).filter((name) => name !== 'savings');
const ENCRYPTED = 'legacy-hd-encrypted';

/** The row of a wallet in a list of the wizard. */
function rowIn(page: Page, list: string, name: string): Locator {
  return page
    .getByRole('list', { name: list, exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();
}

const inQueue = (page: Page, name: string) => rowIn(page, 'Wallets of this queue', name);

/** From the list of wallets to the checks of these. */
async function checkSeveral(app: App, names: readonly string[] = LEGACY): Promise<void> {
  const { page } = app;
  await button(page, 'Migrate several…').click();
  await expect(heading(page, 'Migrate several wallets')).toBeVisible();
  if (names === LEGACY) await button(page, 'Choose all').click();
  else for (const name of names) await page.getByRole('checkbox', { name, exact: true }).check();
  await expect(page.getByText(`${names.length} of ${LEGACY.length} chosen`)).toBeVisible();
  await next(app);
  await expect(page.getByText(`${names.length} wallets can be migrated`)).toBeVisible();
}

/** The same for all that can be chosen. */
async function checkAll(app: App, count: number): Promise<void> {
  const { page } = app;
  await button(page, 'Migrate several…').click();
  await button(page, 'Choose all').click();
  await next(app);
  await expect(page.getByText(`${count} wallets can be migrated`)).toBeVisible();
}

const passphraseOf = (page: Page, name: string) => page.getByLabel(`Passphrase of ${name}`, { exact: true });

/** The whole way to a queue of all of them at work. */
async function migrateAll(app: App, passphrase: string): Promise<void> {
  await checkSeveral(app);
  await next(app);
  await passphraseOf(app.page, ENCRYPTED).fill(passphrase);
  await next(app);
  await expect(heading(app.page, 'Review', 2)).toBeVisible();
  await button(app.page, 'Migrate 4 wallets').click();
}

/** The wallets that the node was asked to migrate, in order. */
function migrated(node: TestNode): unknown[] {
  return node.calls
    .filter(({ method }) => method === 'migratewallet')
    .map(({ params }) => Object.entries(params).find(([name]) => name === 'wallet_name')?.[1]);
}

/** Each of several migrations takes its time. */
const SLOW = { timeout: 60_000 };

test('migrates all but the one with a wrong passphrase, and that one afterwards', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('28.1', scenario);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await expect(walletRow(app, 'legacy-imported')).toContainText('Legacy');
  await checkSeveral(app);
  const looked = rowIn(page, 'Wallets that were looked at', ENCRYPTED);
  await looked.getByText(/^Its \d+ checks$/).click();
  await expect(looked).toContainText('The wallet is encrypted: its passphrase is needed');
  await next(app);

  // Only the file of one of them is encrypted, and only it is asked for.
  await expect(page.getByRole('list', { name: 'Passphrases' }).getByRole('listitem')).toHaveCount(1);
  await next(app);
  await expect(page.getByRole('alert')).toContainText('Type its passphrase');
  const field = passphraseOf(page, ENCRYPTED);
  await expect(field).toBeFocused();
  await field.fill('not the passphrase');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await button(page, 'Try this passphrase').click();
  await expect(page.getByText('The passphrase is not right.')).toBeVisible();
  await next(app);
  const review = page.getByRole('list', { name: 'Wallets to migrate, in this order' });
  await expect(review.getByRole('listitem')).toHaveCount(4);
  await expect(review).toContainText(`migratewallet "${ENCRYPTED}" "•••"`);
  await button(page, 'Migrate 4 wallets').click();

  await expect(heading(page, '3 of 4 wallets are migrated', 2)).toBeVisible(SLOW);
  const failed = inQueue(page, ENCRYPTED);
  await expect(failed).toContainText('The passphrase is not right');
  await failed.getByText('Why', { exact: true }).click();
  await expect(failed).toContainText('the wallet passphrase was not provided or was incorrect');
  for (const name of LEGACY.filter((one) => one !== ENCRYPTED)) {
    await expect(inQueue(page, name)).toContainText('Migrated');
    await expect(inQueue(page, name)).toContainText(/Everything arrived|Nothing differs|Something differs/);
  }
  await expect(inQueue(page, 'legacy-hd')).toContainText('Everything arrived');
  // Each has the app's own copy of the file as it was, also the one that failed.
  for (const name of LEGACY) {
    const row = inQueue(page, name);
    await row.getByText('Safety copy', { exact: true }).click();
    const path =
      (await row
        .getByRole('group', { name: /safety copy/ })
        .locator('code')
        .textContent()) ?? '';
    expect(readFileSync(path)).toEqual(readFileSync(fixtureFile(wallets[name] ?? 'legacy-hd')));
  }
  expect(migrated(node)).toEqual(LEGACY.toSorted());

  await button(failed, 'Try again').click();
  await expect(heading(page, 'Passphrase', 2)).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The passphrase is not right');
  await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase(ENCRYPTED));
  await next(app);
  await button(page, 'Migrate this wallet').click();
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(walletRow(app, ENCRYPTED)).toContainText('Descriptor');
  await expect(button(page, 'Migrate several…')).toHaveCount(0);

  // The way back to the results, and from there to the proof of one of them.
  await button(page, 'Show the results').click();
  await button(inQueue(page, 'legacy-hd'), 'Proof and new backup').click();
  await expect(heading(page, 'The wallet is migrated', 2)).toBeVisible();
  await expect(page.getByText('legacy-hd', { exact: true }).first()).toBeVisible();
  await goTo(app, 'Wallets');
  await button(page, 'Hide').click();
  await expect(button(page, 'Show the results')).toHaveCount(0);
});

test('stops after the one that runs, and goes on with the rest later', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', { wallets, rescan: { shares: [0.42], ms: 100, hold: true } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await checkSeveral(app, ['legacy-hd', 'legacy-watchonly', 'legacy-imported']);
  await page
    .getByRole('list', { name: 'Wallets that were looked at' })
    .getByRole('checkbox', { name: 'legacy-imported' })
    .uncheck();
  await next(app);
  await expect(page.getByRole('list', { name: 'Wallets left out' })).toContainText('legacy-imported');
  await button(page, 'Migrate 2 wallets').click();
  await expect(page.getByText(/42\u00a0% rescanned/)).toBeVisible();
  await expect(inQueue(page, 'legacy-watchonly')).toContainText('Waits');
  await expect(page.getByRole('status', { name: 'Running operation' })).toHaveCount(0);
  await button(page, 'Stop after this one').click();
  await expect(inQueue(page, 'legacy-watchonly')).toContainText('The queue was stopped before its turn');
  node.letGo();
  await expect(heading(page, '1 of 2 wallets is migrated', 2)).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);

  await button(page, 'Migrate the rest…').click();
  await expect(page.getByText('1 of 3 chosen')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'legacy-watchonly' })).toBeChecked();
});

test('begins nothing more once the page is left, and shows it on the way back', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('28.1', { wallets, rescan: { shares: [0.42], ms: 100, hold: true } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await migrateAll(app, fixturePassphrase(ENCRYPTED));
  await expect(page.getByText(/42\u00a0% rescanned/)).toBeVisible();
  await expect(page.getByText(/if you leave it, the wallet that runs goes on/)).toBeVisible();
  await goTo(app, 'Wallets');
  await expect(page.getByRole('status', { name: 'Running operation' })).toContainText('legacy-hd');
  await expect(page.getByRole('region', { name: 'Migration of several wallets' })).toContainText(
    '0 of 4 migrated, 3 not begun',
  );
  node.letGo();
  await button(
    page.getByRole('region', { name: 'Migration of several wallets' }),
    'Show the results',
  ).click();
  await expect(heading(page, '1 of 4 wallets is migrated', 2)).toBeVisible();
  await expect(inQueue(page, ENCRYPTED)).toContainText('The page was left before its turn');
  expect(node.countCalls('migratewallet')).toBe(1);
});

test('waits for a line that is lost, and goes on by itself', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', {
    wallets,
    rescan: { shares: [0.42], ms: 100, hold: true },
  });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await migrateAll(app, fixturePassphrase(ENCRYPTED));
  await expect(page.getByText(/42\u00a0% rescanned/)).toBeVisible();
  await node.cut();
  await expect(page.getByRole('main').getByText('The line to the node is lost').first()).toBeVisible();
  expect(node.countCalls('migratewallet')).toBe(1);
  node.letGo();
  await node.mend();
  await expect(heading(page, 'All 4 wallets are migrated', 2)).toBeVisible(SLOW);
  expect(migrated(node)).toEqual(LEGACY.toSorted());
});

test('tells of a wallet that another window migrates, and goes on with the others', async ({
  openApp,
  startNode,
}) => {
  const node = await startNode('28.1', { wallets, rescan: { shares: [0.42], ms: 100, hold: true } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await checkSeveral(app, ['legacy-hd', 'legacy-imported']);
  await next(app);
  expect(await app.call('migrate.start', { name: 'legacy-hd' })).toMatchObject({ ok: true });
  await button(page, 'Migrate 2 wallets').click();
  await expect(inQueue(page, 'legacy-hd')).toContainText('“legacy-hd” is being worked on.');
  await expect(inQueue(page, 'legacy-imported')).toContainText('Runs');
  await expect.poll(() => node.countCalls('migratewallet')).toBe(2);
  await expect(page.getByText(/42\u00a0% rescanned/).first()).toBeVisible();
  node.letGo();
  await expect(heading(page, '1 of 2 wallets is migrated', 2)).toBeVisible();
});

test('copies one passphrase to the others only when asked', async ({ openApp, startNode }) => {
  const passphrase = fixturePassphrase(ENCRYPTED);
  const node = await startNode('28.1', {
    ...scenario,
    wallets: { one: ENCRYPTED, two: ENCRYPTED, three: ENCRYPTED },
  });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await checkAll(app, 3);
  await next(app);
  await passphraseOf(page, 'two').fill(passphrase);
  await expect(passphraseOf(page, 'one')).toHaveValue('');
  await passphraseOf(page, 'three').fill('another one');
  await button(rowIn(page, 'Passphrases', 'two'), 'The same passphrase for all that are left').click();
  await expect(page.getByText('Put into 1 more field.')).toBeVisible();
  await expect(passphraseOf(page, 'one')).toHaveValue(passphrase);
  await expect(passphraseOf(page, 'three')).toHaveValue('another one');
  await passphraseOf(page, 'three').fill(passphrase);
  await next(app);
  await button(page, 'Migrate 3 wallets').click();
  await expect(heading(page, 'All 3 wallets are migrated', 2)).toBeVisible(SLOW);
  // Each field was emptied with its call, and is gone.
  await expect(page.locator('input[type=password]')).toHaveCount(0);
});

test('tells of a zero byte in the passphrase of each that has one', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', { ...scenario, wallets: { one: ENCRYPTED, two: ENCRYPTED } });
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await checkAll(app, 2);
  await next(app);
  const type = (name: string, text: string) =>
    passphraseOf(page, name).evaluate((element: HTMLInputElement, value) => {
      element.value = value;
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }, text);
  const told = page.getByText('The passphrase holds a zero byte');
  await type('one', 'before\0after');
  await expect(rowIn(page, 'Passphrases', 'one')).toContainText('The passphrase holds a zero byte');
  await expect(told).toHaveCount(1);
  await button(page, 'The same passphrase for all that are left').click();
  await expect(told).toHaveCount(2);
  await type('one', 'before');
  await expect(told).toHaveCount(1);
});

test('migrates several with the keyboard alone', async ({ openApp, startNode }) => {
  const node = await startNode('28.1', scenario);
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  await expect(heading(page, 'Wallets')).toBeFocused();
  const press = async (role: 'button' | 'checkbox', name: string, key = 'Enter') => {
    const wanted = page.getByRole(role, { name, exact: true });
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      if (await wanted.evaluateAll((found) => found.some((one) => one === document.activeElement))) {
        return page.keyboard.press(key);
      }
    }
    throw new Error(`Tab does not reach ${role} “${name}”.`);
  };
  await press('button', 'Migrate several…');
  await expect(heading(page, 'Wallets', 2)).toBeFocused();
  await press('checkbox', 'legacy-hd', 'Space');
  await press('checkbox', ENCRYPTED, 'Space');
  // Enter in a field goes on, as in every step.
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Checks', 2)).toBeFocused();
  await expect(page.getByText('2 wallets can be migrated')).toBeVisible();
  await press('button', 'Next');
  await expect(heading(page, 'Passphrases', 2)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(passphraseOf(page, ENCRYPTED)).toBeFocused();
  await page.keyboard.type(fixturePassphrase(ENCRYPTED));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Review', 2)).toBeFocused();
  await press('button', 'Migrate 2 wallets');
  await expect(heading(page, 'All 2 wallets are migrated', 2)).toBeFocused(SLOW);
  await press('button', 'Proof and new backup');
  await expect(heading(page, 'The wallet is migrated', 2)).toBeFocused();
});
