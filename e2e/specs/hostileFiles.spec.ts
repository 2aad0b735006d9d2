/** Hostile wallet files neither change the page nor occupy the app. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import { loadSqlite } from '../../electron/walletfile/database/sqliteDatabase.ts';
import { readSqlite, writeSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { parseRecord, writeRecord } from '../../electron/walletfile/records/records.ts';
import { actionCard, button, connect, heading, openFile, openTab, walletHeading } from '../app/steps.ts';
import { expect, fixtureFile, test } from '../app.ts';

// SECURITY.md: A hostile wallet file
test('inspects a hostile wallet file without obeying it', async ({ openApp, home }) => {
  const { Database } = await loadSqlite();
  const { records } = await readSqlite(readFileSync(fixtureFile('descriptor-hd')));
  const times = records.map(({ key, value }) => {
    const record = parseRecord(key, value);
    return record.type === 'walletdescriptor'
      ? writeRecord({ ...record, createTime: Number.MAX_SAFE_INTEGER })
      : { key, value };
  });
  const labels = [
    '__proto__',
    '\u202Etxt',
    '<img src=x onerror=window.obeyed=1>',
    'x'.repeat(500_000),
  ].flatMap((word) => [
    writeRecord({ type: 'name', address: word, label: word }),
    writeRecord({ type: 'purpose', address: word, purpose: word }),
  ]);
  const database = new Database(await writeSqlite([...times, ...labels], 'regtest'));
  database.run('CREATE TRIGGER t AFTER INSERT ON main BEGIN DELETE FROM main; END');
  database.run(
    'CREATE VIEW v AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r',
  );
  const file = join(home, 'hostile.dat');
  writeFileSync(file, database.export());
  database.close();
  const app = await openApp();
  const { page } = app;
  await openFile(app, file);
  await expect(walletHeading(page, 'hostile.dat')).toBeVisible();
  await openTab(app, 'Technical');
  await expect(page.getByText(/unknown schema/).first()).toBeVisible();
  await openTab(app, 'Addresses and labels');
  const openers = page.getByRole('tabpanel').locator('details:not([open]) > summary');
  while ((await openers.count()) > 0) await openers.first().click();
  await expect(heading(page, 'Page failed')).toHaveCount(0);
  const state = await page.evaluate(() => ({
    obeyed: 'obeyed' in window,
    images: [...document.images].filter((image) => image.alt !== '' || !image.src.endsWith('.svg')).length,
    hidden: /[\u202A-\u202E]/.test(document.body.innerText),
    longest: document.body.innerText.length < 100_000,
  }));
  expect(state).toEqual({ obeyed: false, images: 0, hidden: false, longest: true });
});

/** An encrypted wallet that needs this many rounds to try a passphrase. */
function withRounds(file: string, rounds: number): Buffer {
  const bytes = readFileSync(file);
  for (const { key, value } of readBerkeley(bytes).records) {
    const record = parseRecord(key, value);
    if (record.type !== 'mkey') continue;
    const { encrypted, salt } = record;
    // The file may contain older copies of the record. The salt, its length and the method follow the encrypted key.
    for (let at = bytes.indexOf(encrypted); at >= 0; at = bytes.indexOf(encrypted, at + 1))
      bytes.writeUInt32LE(rounds, at + encrypted.length + 1 + salt.length + 4);
  }
  return bytes;
}

const ROUNDS = 49_000_000;

// SECURITY.md: A hostile wallet file
test('says that each try of a passphrase takes long, and can cancel it', async ({ openApp, home }) => {
  const file = join(home, 'slow.dat');
  writeFileSync(file, withRounds(fixtureFile('legacy-hd-encrypted'), ROUNDS));
  const app = await openApp();
  await openFile(app, file);
  const card = actionCard(app);
  await expect(card.getByText(/Each try takes about /)).toBeVisible();
  await card.getByLabel('Passphrase', { exact: true }).fill('anything');
  await button(card, 'Try this passphrase').click();
  await expect(card).toContainText('Trying the passphrase…');
  await button(card, 'Cancel').click();
  await expect(card).not.toContainText('Trying the passphrase…');
  await expect(button(card, 'Try this passphrase')).not.toHaveAttribute('aria-busy', 'true');
});

// SECURITY.md: A hostile wallet file
test('stops its work on a file when the page reloads', { tag: '@desktop' }, async ({
  openApp,
  startNode,
  home,
}) => {
  const name = 'legacy-hd-encrypted';
  const node = await startNode('29.3', { loaded: [name] });
  const file = join(node.walletsFolder, name, 'wallet.dat');
  writeFileSync(file, withRounds(file, ROUNDS));
  const app = await openApp();
  await connect(app, node);
  // The node's copy exists as long as the app works on it.
  const reading = join(app.dataFolder, 'reading');
  const copies = () => (existsSync(reading) ? readdirSync(reading).length : 0);
  const source = { by: 'wallet', name };
  const options = { passphrase: 'anything', private: false, format: 'lines' };
  const destination = join(home, 'descriptors.txt');
  const answer = app.call('wallet.export', { source, ...options, destination }).catch(() => null);
  await expect.poll(copies).toBe(1);
  await app.page.reload();
  await answer;
  await expect.poll(copies).toBe(0);
});
