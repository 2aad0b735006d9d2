/** Rescues of files that nodes refuse, from Home to the result: not closed, damaged, or not recognised. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWif } from '../../electron/walletfile/keys/privateKey.ts';
import { factsOf } from '../../electron/walletfile/testing/wallets.ts';
import {
  actionCard,
  button,
  heading,
  LONG,
  nameWallet,
  openFile,
  pathIn,
  planIsMade,
  run,
  typePassphrase,
  verdict,
} from '../app/steps.ts';
import { type App, expect, fixtureFile, fixturePassphrase, test } from '../app.ts';

const PAGE = 4096;

/** Writes a damaged wallet. Returns its path. */
function writeDamaged(
  home: string,
  name: Parameters<typeof fixtureFile>[0],
  damage: (bytes: Buffer) => void,
): string {
  const path = join(home, 'wallet.dat');
  const bytes = Buffer.from(readFileSync(fixtureFile(name)));
  damage(bytes);
  writeFileSync(path, bytes);
  return path;
}

async function openRescue(app: App): Promise<void> {
  await button(app.page.getByRole('main'), 'Rescue').click();
  await expect(heading(app.page, 'Rescue this wallet', 2)).toBeVisible();
  await planIsMade(app);
}

test('rescues a wallet that was not closed once the user confirms that its log is gone', async ({
  openApp,
  home,
}) => {
  const file = writeDamaged(home, 'legacy-hd-encrypted', (bytes) => {
    bytes.writeUInt32LE(1, 0);
    bytes.fill(0, 5 * PAGE, 6 * PAGE);
  });
  const before = readFileSync(file);
  const app = await openApp();
  const { page } = app;
  await openFile(app, file);
  await openRescue(app);
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('Can be saved: ');
  await expect(actionCard(app)).toContainText('Its log is missing');
  await typePassphrase(app, 'wrong');
  await expect(actionCard(app)).toContainText('Wrong passphrase');
  await typePassphrase(app, fixturePassphrase('legacy-hd-encrypted'));

  // A folder without a log changes nothing.
  mkdirSync(join(home, 'empty'));
  await page.getByLabel('Its log folder').fill(join(home, 'empty'));
  await expect(actionCard(app)).toContainText('No log in this folder');
  await page.getByLabel('Continue without the log.').check();
  await expect(actionCard(app)).toContainText('The last changes may be missing.');
  await nameWallet(app, 'saved');
  await run(app, 'Rescue');
  await expect(verdict(app)).toContainText('The last changes may be missing.', LONG);
  const saved = page.getByRole('region', { name: 'Rescued', exact: true });
  await expect(saved).toContainText(/Saved\s*\d+ private keys/);
  await expect(saved).toContainText('rescanblockchain');
  expect(readFileSync(file).equals(before)).toBe(true);
  const copy = page
    .getByRole('listitem', { name: 'Keep the old file' })
    .getByRole('group', { name: /^Copy of a/ });
  await expect(copy).toBeVisible();
  expect(readFileSync(await pathIn(copy.locator('code'))).equals(before)).toBe(true);
  await expect(page.getByText('There is no safety copy.')).toHaveCount(0);
});

test('searches an unrecognised file for keys, and says if it has none', async ({ openApp, home }) => {
  const noise = join(home, 'noise.bin');
  writeFileSync(noise, Buffer.alloc(9 * PAGE, 0xaa));
  const app = await openApp();
  const { page } = app;
  await openFile(app, noise);
  await button(page, 'Search it for keys').click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('No wallet in the file.');
  await expect(alert).not.toContainText('not read');
  await expect(button(alert, 'Choose a file…')).toBeVisible();
  await expect(page.getByText('Search it for deleted wallets')).toBeVisible();

  const file = writeDamaged(home, 'legacy-hd', (bytes) => bytes.fill(0xaa, 0, 2 * PAGE));
  await openFile(app, file);
  await expect(page.getByText('A damaged wallet?')).toBeVisible();
  await button(page, 'Search it for keys').click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await nameWallet(app, 'found');
  await run(app, 'Rescue');
  // What was on the lost pages is not known, so the app asks once more.
  await expect(actionCard(app)).toContainText('Damaged pages: 1');
  await run(app, 'Rescue');
  await expect(verdict(app)).toContainText('Damaged pages: 1. Keys may be lost.', LONG);
  await expect(page.getByRole('region', { name: 'Rescued', exact: true })).toContainText('private keys');
});

test('offers no search of an empty file, and knows or asks for the network of the keys in a text', async ({
  openApp,
  home,
}) => {
  const empty = join(home, 'empty.dat');
  writeFileSync(empty, '');
  const app = await openApp();
  const { page } = app;
  await openFile(app, empty);
  const said = page.getByRole('status').filter({ hasText: 'Type: empty file.' });
  await expect(said).toContainText('Look for another copy.');
  await expect(button(said, 'Choose a file…')).toBeVisible();
  await expect(page.getByRole('main').getByText('Search it for')).toHaveCount(0);

  const keys = join(home, 'paper.csv');
  const key = 'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP';
  writeFileSync(keys, `address;private key\r\n164MQi977u9GUteHr4EPH27VkkdxmfCvGW;${key}\r\n`);
  await openFile(app, keys);
  await expect(page.getByRole('status').filter({ hasText: 'private keys' })).toContainText(
    'Keys, not a wallet',
  );
  await expect(page.getByText('Search it for deleted wallets')).toHaveCount(0);
  await expect(page.getByText('Search it for keys')).toHaveCount(1);
  await button(page, 'Search it for keys').click();
  await planIsMade(app);
  await expect(page.getByText('Which network?')).toHaveCount(0);
  await expect(button(actionCard(app), 'Rescue')).toBeVisible();

  const descriptors = join(home, 'listed.txt');
  const listed = JSON.stringify(factsOf('descriptor-hd').before.listdescriptors_private);
  writeFileSync(descriptors, `listdescriptors\n${listed}`);
  await openFile(app, descriptors);
  await button(page, 'Search it for keys').click();
  await page.getByRole('radio', { name: 'Regtest' }).click();
  await planIsMade(app);
  await expect(button(actionCard(app), 'Restore')).toBeVisible();
});

test('finds deleted wallets in a disk image, and offers to rescue one', async ({ openApp, home }) => {
  const image = join(home, 'disk.img');
  const damaged = readFileSync(writeDamaged(home, 'legacy-hd', (bytes) => bytes.fill(0, 5 * PAGE, 6 * PAGE)));
  const other = Buffer.alloc(40 * 512, 'other files');
  writeFileSync(image, Buffer.concat([other, damaged, other, readFileSync(fixtureFile('legacy-imported'))]));
  const out = join(home, 'found');
  mkdirSync(out);
  const app = await openApp();
  const { page } = app;
  await openFile(app, image);
  await page.getByText('Search it for deleted wallets').click();
  await expect(button(page, 'Search')).toBeDisabled();
  await page.getByLabel('Folder for found wallets').fill(join(home, 'nowhere'));
  await button(page, 'Search').click();
  await expect(page.getByRole('alert')).toContainText('folder');
  await page.getByLabel('Folder for found wallets').fill(out);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Folder for found wallets').press('Enter');
  const found = page.getByRole('list', { name: 'Wallets found' });
  await expect(found.getByRole('listitem')).toHaveCount(2, LONG);
  await expect(page.getByRole('status').filter({ hasText: 'Result: 2 wallets' })).toBeVisible();
  await expect(button(page, 'Search')).toBeFocused();
  await expect(found).toContainText('private keys');
  await button(found.getByRole('listitem').first(), 'Open').click();
  await openRescue(app);
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('Can be saved: ');
});

test('creates a wallet from pasted keys, and one from the descriptors of a file', async ({
  openApp,
  home,
}) => {
  const app = await openApp();
  const { page } = app;
  const wif = writeWif({ privateKey: new Uint8Array(32).fill(9), compressed: true }, 'regtest');
  const paste = page.getByRole('form', { name: 'Paste keys' });
  const field = paste.getByRole('textbox');
  await button(page, 'Paste keys').click();
  await expect(field).toBeFocused();
  await field.fill('a cat');
  await button(paste, 'Open').click();
  await expect(paste.getByRole('alert')).toContainText('No keys in this text.');
  await expect(field).toHaveValue('a cat');
  await expect(field).toBeFocused();
  await field.fill(`savings:\n${wif}\n${wif.slice(0, 9)}0${wif.slice(10)}`);
  await button(paste, 'Open').click();
  const damaged = paste.getByRole('status');
  await expect(damaged).toContainText('Readable: 1 of 2 lines with keys.');
  const third = 'Line 3, character 10: no key has “0”.';
  await expect(damaged.getByRole('listitem')).toHaveText([third]);
  // The marks beside the text.
  const marks = paste.getByRole('list', { name: 'Lines' });
  await expect(marks.getByRole('listitem')).toContainText([
    'Line 1 No key',
    'Line 2 Key',
    `${third} Damaged`,
  ]);
  const [top, mark] = [await field.boundingBox(), await marks.getByRole('listitem').last().boundingBox()];
  // The third line lies below the border, the padding and two lines of the field.
  expect(Math.round((mark?.y ?? 0) - (top?.y ?? 0))).toBe(1 + 8 + 2 * 20);
  await expect(field).toHaveValue(/^savings/);
  await button(paste, 'Continue without 1 key').click();
  await expect(page.getByRole('heading', { name: 'Pasted keys' })).toBeFocused();
  await button(page, 'Home').click();
  await button(page, 'Paste keys').click();
  await field.fill(wif);
  await button(paste, 'Open').click();
  await expect(page.getByRole('heading', { name: 'Pasted keys' })).toBeFocused();
  await expect(page.getByText('Path')).toHaveCount(0);
  // The key does not show which test network it is for.
  await page.getByRole('radio', { name: 'Regtest' }).check();
  await openRescue(app);
  await nameWallet(app, 'paper');
  // The key alone does not show that it is Bitcoin's.
  await page.getByRole('checkbox', { name: 'Its keys are Bitcoin’s.' }).check();
  await planIsMade(app);
  await run(app, 'Rescue');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  expect(await page.content()).not.toContain(wif);

  // The first test vector of BIP 38.
  await button(page, 'Home').click();
  await button(page, 'Paste keys').click();
  await field.fill('6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg');
  await button(paste, 'Open').click();
  await expect(page.getByLabel('Passphrase', { exact: true })).toBeFocused();
  await typePassphrase(app, 'a wrong one');
  await expect(actionCard(app).getByRole('alert')).toContainText('Wrong passphrase');
  await typePassphrase(app, 'TestingOneTwoThree');
  await expect(button(actionCard(app), 'Rescue')).not.toHaveAttribute('aria-disabled', 'true');

  const file = join(home, 'listed.json');
  const listed = JSON.stringify(factsOf('descriptor-hd').before.listdescriptors_private);
  writeFileSync(file, listed.replace(/#\w{8}/, ''));
  await openFile(app, file);
  await button(page, 'Search it for keys').click();
  await expect(page.getByRole('status').filter({ hasText: 'Descriptor without a checksum' })).toBeVisible();
  await planIsMade(app);
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
});
