/**
 * The crossings on the offline engine in every release's dialect: real wallet files, really restored and migrated, and
 * what came of them compared with what nodes made of the same files. That each dialect answers as its node is for
 * `electron/engine/replay.test.ts`, and what becomes of every recorded wallet for `electron/wallet/migrate`: here both are
 * seen through the page.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { migrationFacts, sortedDescriptors } from '../app/migrationFacts.ts';
import {
  button,
  checkPage,
  chooseBackup,
  connectByHand,
  copyPath,
  goTo,
  heading,
  prepareMigration,
  run,
  startMigration,
  startRestore,
  walletRow,
} from '../app/steps.ts';
import {
  type App,
  type EngineRelease,
  expect,
  type FixtureName,
  fixtureFile,
  fixturePassphrase,
  type TestEngine,
  test,
} from '../app.ts';

const migrating = [25, 28, 30] as const;
/** What is migrated does not depend on the dialect: each recorded wallet in one of them, the encrypted one further below. */
const migrated = {
  25: ['legacy-solvable'],
  28: ['legacy-watchonly'],
  30: ['legacy-hd'],
} as const;
/** The engine truly derives thousands of scripts: on a busy machine that takes its time. */
const LONG = { timeout: 60_000 };
test.setTimeout(150_000);

/** What the fixtures `legacy-hd` and `descriptor-hd` hold, as their file last knew. */
const LEGACY_BALANCE = /8\.599\s971\s80/;
const BALANCE = /9\.300\s000\s00/;

async function connect(app: App, { port, cookieFile }: TestEngine): Promise<void> {
  await connectByHand(app, { port, cookieFile });
  await expect(heading(app.page, 'Wallets')).toBeVisible();
}

// The warning has another shape from 25 on.
for (const release of [23, 30] as const) {
  test(`release ${release}: restores a descriptor wallet under its name, and no second one`, async ({
    openApp,
    runEngine,
  }) => {
    const engine = await runEngine(release, { taken: 'descriptor-encrypted' });
    const app = await openApp();
    const { page } = app;
    await connect(app, engine);
    await startRestore(app, fixtureFile('descriptor-hd'), 'brought back');
    await expect(heading(page, 'Wallet restored')).toBeVisible();
    expect(readFileSync(engine.walletFile('brought back'))).toEqual(
      readFileSync(fixtureFile('descriptor-hd')),
    );
    await goTo(app, 'Wallets');
    await expect(walletRow(app, 'brought back')).toContainText('Descriptor');
    await expect(walletRow(app, 'brought back')).toContainText(BALANCE, LONG);

    await chooseBackup(app, fixtureFile('descriptor-hd'));
    await page.getByLabel('Wallet name').fill('taken');
    await expect(page.getByRole('alert')).toHaveText('This name is already taken.');
    await expect(button(checkPage(app), 'Restore')).toHaveAttribute('aria-disabled', 'true');
    await expect(engine.call('restorewallet', ['taken', fixtureFile('descriptor-hd')])).rejects.toThrow(
      /exists/,
    );
    expect(readFileSync(engine.walletFile('taken'))).toEqual(
      readFileSync(fixtureFile('descriptor-encrypted')),
    );
  });
}

for (const release of [23, 28] as const) {
  test(`release ${release}: restores a legacy wallet, with the release’s warning`, async ({
    openApp,
    runEngine,
  }) => {
    const engine = await runEngine(release);
    const app = await openApp();
    await connect(app, engine);
    await startRestore(app, fixtureFile('legacy-hd'), 'old one');
    await expect(heading(app.page, 'Wallet restored')).toBeVisible();
    await expect(app.page.getByText('The legacy wallet type is being deprecated')).toHaveCount(
      release === 28 ? 1 : 0,
    );
    expect(readFileSync(engine.walletFile('old one'))).toEqual(readFileSync(fixtureFile('legacy-hd')));
    await goTo(app, 'Wallets');
    await expect(walletRow(app, 'old one')).toContainText('Legacy');
    await expect(walletRow(app, 'old one')).toContainText(LEGACY_BALANCE, LONG);
  });
}

test('release 23: refuses to migrate, and leaves the wallet as it is', async ({ openApp, runEngine }) => {
  const engine = await runEngine(23, { 'legacy-hd': 'legacy-hd' });
  await engine.call('loadwallet', ['legacy-hd']);
  const app = await openApp();
  await connect(app, engine);
  await expect(
    app.page.getByText('Release 23.0 cannot migrate legacy wallets', { exact: true }),
  ).toBeVisible();
  await expect(button(walletRow(app, 'legacy-hd'), 'Migrate')).toHaveCount(0);
  const source = { by: 'wallet', name: 'legacy-hd' };
  const { value } = await app.call('plan.make', { wanted: 'migrate', source, answers: {} });
  const { checks } = value as { checks: unknown[] };
  expect(checks[0]).toMatchObject({ verdict: 'stop', title: 'Release 23.0 cannot migrate' });
  expect(readFileSync(engine.walletFile('legacy-hd'))).toEqual(readFileSync(fixtureFile('legacy-hd')));
});

test('release 30: refuses a legacy backup beforehand, and when it is sent all the same', async ({
  openApp,
  runEngine,
}) => {
  const engine = await runEngine(30);
  const app = await openApp();
  await connect(app, engine);
  await chooseBackup(app, fixtureFile('legacy-hd'));
  await expect(app.page.getByText('This release cannot load legacy wallets')).toBeVisible();
  await expect(engine.call('restorewallet', ['old one', fixtureFile('legacy-hd')])).rejects.toThrow(
    /legacy|BDB|Berkeley/i,
  );
  expect(existsSync(join(engine.walletsFolder, 'old one'))).toBe(false);
});

for (const release of migrating) {
  for (const fixture of migrated[release]) {
    test(`release ${release}: migrates ${fixture} into what nodes made of it`, async ({
      openApp,
      runEngine,
    }) => {
      const engine = await runEngine(release, { [fixture]: fixture });
      const app = await openApp();
      const { page } = app;
      await connect(app, engine);
      await expect(walletRow(app, fixture)).toContainText('Legacy');
      await startMigration(app, fixture, passphraseOf(fixture));
      await expect(heading(page, 'Everything arrived')).toBeVisible(LONG);
      const backup = await copyPath(app, 'The node’s backup');
      expect(readFileSync(backup)).toEqual(readFileSync(fixtureFile(fixture)));
      expect(basename(backup)).toMatch(
        new RegExp(`^${fixture}${release === 25 ? '-' : '_'}\\d+\\.legacy\\.bak$`),
      );
      await expectAsNodesMade(engine, fixture, release);
      await goTo(app, 'Wallets');
      for (const { name } of migrationFacts(fixture, release)) {
        await expect(walletRow(app, name)).toContainText('Descriptor');
      }
    });
  }
}

for (const release of [25, 30] as const) {
  test(`release ${release}: keeps the wallet as it is after a wrong passphrase`, async ({
    openApp,
    runEngine,
  }) => {
    const name = 'legacy-hd-encrypted';
    const engine = await runEngine(release, { [name]: name });
    const app = await openApp();
    const { page } = app;
    await connect(app, engine);
    await prepareMigration(app, name, 'not the passphrase');
    await expect(page.getByRole('alert')).toContainText('The passphrase is wrong');
    await expect(button(checkPage(app), 'Migrate')).toHaveAttribute('aria-disabled', 'true');
    // The engine refuses it too.
    await expect(engine.call('migratewallet', [name, 'not the passphrase'])).rejects.toThrow(/passphrase/);
    expect(readFileSync(engine.walletFile(name))).toEqual(readFileSync(fixtureFile(name)));

    await page.getByLabel('Passphrase', { exact: true }).fill(fixturePassphrase(name));
    await run(app, 'Migrate');
    await expect(heading(page, 'Everything arrived')).toBeVisible(LONG);
    await expectAsNodesMade(engine, name, release);
  });
}

for (const release of [28, 30] as const) {
  test(`release ${release}: ${release === 30 ? 'refuses' : 'restores'} the backup that a migration left`, async ({
    openApp,
    runEngine,
  }) => {
    const engine = await runEngine(release, { 'legacy-hd': 'legacy-hd' });
    const app = await openApp();
    const { page } = app;
    await connect(app, engine);
    await startMigration(app, 'legacy-hd');
    await expect(heading(page, 'Everything arrived')).toBeVisible(LONG);
    const backup = await copyPath(app, 'The node’s backup');
    await chooseBackup(app, backup);
    if (release === 30) {
      await expect(page.getByText('This release cannot load legacy wallets')).toBeVisible();
      return;
    }
    await page.getByLabel('Wallet name').fill('before');
    await run(app, 'Restore');
    await expect(heading(page, 'Wallet restored')).toBeVisible();
    await goTo(app, 'Wallets');
    await expect(walletRow(app, 'before')).toContainText('Legacy');
    await expect(walletRow(app, 'legacy-hd')).toContainText('Descriptor');
    for (const name of ['before', 'legacy-hd'])
      await expect(walletRow(app, name)).toContainText(LEGACY_BALANCE, LONG);
    expect(readFileSync(engine.walletFile('before'))).toEqual(readFileSync(fixtureFile('legacy-hd')));
  });
}

function passphraseOf(fixture: FixtureName): string {
  return fixture === 'legacy-hd-encrypted' ? fixturePassphrase(fixture) : '';
}

/** The same wallets, with the same descriptors, each a whole file of its own, and no others. */
async function expectAsNodesMade(
  engine: TestEngine,
  fixture: FixtureName,
  release: EngineRelease,
): Promise<void> {
  const facts = migrationFacts(fixture, release);
  for (const { name, descriptors, balance } of facts) {
    // What solvable scripts hold nobody had watched: only a rescan of a chain finds it.
    const trusted = name.endsWith('_solvables') ? 0 : balance;
    expect(await engine.call('getbalances', [], name)).toMatchObject({ mine: { trusted } });
    expect(sortedDescriptors(await engine.call('listdescriptors', [], name))).toEqual(descriptors);
    expect(readFileSync(engine.walletFile(name)).subarray(0, 15).toString()).toBe('SQLite format 3');
  }
  const folders = readdirSync(engine.walletsFolder, { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  expect(folders.map(({ name }) => name).sort()).toEqual(facts.map(({ name }) => name).sort());
}
