/** The terminal on Windows, and the restart of an app that was killed. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { button, goTo, LONG, runningJob, startMigration, verdict } from '../app/steps.ts';
import { userFolders } from '../app/windows.ts';
import { connectThere, expect, fixtureFile, fixturePassphrase, test } from './windowsTest.ts';

const ENCRYPTED = 'legacy-hd-encrypted';

test('inspects, restores, migrates, exports and backs up', async ({ ferry, windows, home }) => {
  const file = join(home, 'old wallet.dat');
  copyFileSync(fixtureFile(ENCRYPTED), file);
  const onWindows = (name: string) => windows.toWindowsPath(join(home, name));
  const offline = ['--offline', onWindows('wallets'), '--chain', 'regtest'];

  const inspected = await ferry(['inspect', onWindows('old wallet.dat'), '--json']);
  expect(inspected).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(inspected.out)).toHaveProperty('file.format');

  const migrated = await ferry(
    [
      'run',
      'restore',
      onWindows('old wallet.dat'),
      '--name',
      'old',
      ...offline,
      '--yes',
      '--passphrase-fd',
      '0',
    ],
    fixturePassphrase(ENCRYPTED),
  );
  expect(migrated.code).toBe(0);
  expect(migrated.out).toContain(windows.toWindowsPath(join(home, 'wallets')));
  const wallet = join(home, 'wallets', 'old', 'wallet.dat');
  expect(readFileSync(wallet).subarray(0, 15).toString()).toBe('SQLite format 3');

  const exported = await ferry(['export', windows.toWindowsPath(wallet), onWindows('list.txt')]);
  expect(exported.code).toBe(0);
  expect(readFileSync(join(home, 'list.txt'), 'utf8').trim().split(/\r?\n/)).toHaveLength(142);
  expect(await ferry(['export', windows.toWindowsPath(wallet), onWindows('nul.txt')])).toMatchObject({
    code: 1,
  });

  const backup = await ferry(['run', 'backup', 'old', onWindows('backup.dat'), ...offline, '--yes']);
  expect(backup.code).toBe(0);
  expect(readFileSync(join(home, 'backup.dat'))).toEqual(readFileSync(wallet));
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile(ENCRYPTED)));
});

test('refuses a wallet that another program has open', async ({ ferry, start, windows, home }) => {
  const wallets = join(home, 'wallets');
  const file = join(wallets, 'legacy-hd', 'wallet.dat');
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(fixtureFile('legacy-hd'), file);
  const migrate = [
    'run',
    'migrate',
    'legacy-hd',
    '--offline',
    windows.toWindowsPath(wallets),
    '--chain',
    'regtest',
    '--yes',
  ];
  const holder = start(home, ['e2e/windows/holdFile.ts', windows.toWindowsPath(file)]);
  await holder.firstLine();
  const refused = await ferry(migrate);
  expect(refused.code).toBe(4);
  expect(refused.out + refused.err).toContain('Another program');
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile('legacy-hd')));
  await holder.kill();
  expect((await ferry(migrate)).code).toBe(0);
});

test('ends a second app, and reports the outcome of a job after a kill', async ({
  openOnWindows,
  startNodeThere,
  start,
  windows,
  home,
}) => {
  const rescan = { shares: [0.42], ms: 8_000 };
  const port = await startNodeThere('31.0', join(userFolders(home).roaming, 'Bitcoin'), { rescan });
  const app = await openOnWindows();
  const second = start(home, ['out/main/serve.cjs'], {
    env: { WALLET_FERRY_DATA: windows.toWindowsPath(app.dataFolder) },
  });
  expect(await second.exited).toBe(1);
  expect(second.errors()).toContain('Wallet Ferry is already running.');
  await connectThere(app, port);
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toHaveAttribute('aria-valuenow', /^42/, LONG);
  await app.kill();

  const again = await openOnWindows();
  await goTo(again, 'History');
  const job = again.page.getByRole('list', { name: 'Jobs' }).getByRole('article');
  await expect(job).toContainText('Done', LONG);
  await button(job, 'Open').click();
  await expect(verdict(again)).toContainText('Everything arrived', LONG);
});
