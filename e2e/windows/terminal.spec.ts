/** The terminal on Windows, and the restart of an app that was killed. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { button, goTo, LONG, runningJob, startMigration, verdict } from '../app/steps.ts';
import { userFolders } from '../app/windows.ts';
import { connectThere, expect, fixtureFile, fixturePassphrase, test } from './windowsTest.ts';

const ENCRYPTED = 'legacy-hd-encrypted';

test('restores and migrates with a passphrase from standard input, and refuses a wallet that another program has open', async ({
  ferry,
  start,
  windows,
  home,
}) => {
  const file = join(home, 'old wallet.dat');
  copyFileSync(fixtureFile(ENCRYPTED), file);
  const onWindows = (name: string) => windows.toWindowsPath(join(home, name));
  const offline = ['--offline', onWindows('wallets'), '--chain', 'regtest', '--yes'];
  const migrated = await ferry(
    ['run', 'restore', onWindows('old wallet.dat'), '--name', 'old', ...offline, '--passphrase-fd', '0'],
    fixturePassphrase(ENCRYPTED),
  );
  expect(migrated.code).toBe(0);
  expect(migrated.out).toContain(onWindows('wallets'));
  const wallet = join(home, 'wallets', 'old', 'wallet.dat');
  expect(readFileSync(wallet).subarray(0, 15).toString()).toBe('SQLite format 3');
  expect(readFileSync(file)).toEqual(readFileSync(fixtureFile(ENCRYPTED)));

  const open = join(home, 'wallets', 'legacy-hd', 'wallet.dat');
  mkdirSync(dirname(open), { recursive: true });
  copyFileSync(fixtureFile('legacy-hd'), open);
  const holder = start(home, ['e2e/windows/holdFile.ts', windows.toWindowsPath(open)]);
  await holder.firstLine();
  const refused = await ferry(['run', 'migrate', 'legacy-hd', ...offline]);
  expect(refused.code).toBe(4);
  expect(refused.out + refused.err).toContain('Another program');
  expect(readFileSync(open)).toEqual(readFileSync(fixtureFile('legacy-hd')));
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
