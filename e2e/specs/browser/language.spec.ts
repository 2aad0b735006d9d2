/** The app in another language: no part of it speaks English beside it, and longer texts fit. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { say } from '../../../shared/say.ts';
import type { Answer, App } from '../../app/app.ts';
import {
  chooseFile,
  cutOffOn,
  saidButton,
  saidHeading,
  speakPseudo,
  unsaidIn,
  unsaidOn,
} from '../../app/pseudoLanguage.ts';
import { expect, fixtureFile, type TestNode, test } from '../../app.ts';

/** Where pictures of every place go, when they are made. */
const PICTURES = process.env.LANGUAGE_PICTURES;

test.setTimeout(120_000);

let speakAsBefore = () => {};
test.beforeEach(({ home }) => {
  speakAsBefore = speakPseudo(home);
});
test.afterEach(() => speakAsBefore());

/** Names of wallets, files and networks, which are values in texts. */
const VALUES = [
  /\b(?:legacy|descriptor)-[\w-]+(?:\.dat)?\b/g,
  /\bsavings\b|\bholiday\b/g,
  /\bregtest\b/g,
  /127\.0\.0\.1:\d+/g,
  /\b\w+\.(?:dat|bak|txt|log)\b/g,
  /\bnot there\b/g,
  /\b(?:xpub|tpub|bcrt1|wpkh|pkh|tr|sh|wsh|combo)\b\S*/g,
  /\b[rst]?BTC\b/g,
  /\bname, backupFile, loadOnStartup(?:, node)?/g,
];
const SIZES = [
  { width: 1100, height: 760 },
  { width: 900, height: 600 },
];

/** The spec goes on, so that one run tells of every place. */
async function expectSaid({ page }: App, place: string): Promise<void> {
  expect.soft(await unsaidOn(page, VALUES), `${place}: not said`).toEqual([]);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect.soft(await cutOffOn(page), `${place}, ${size.width} wide: cut off`).toEqual([]);
  }
  if (PICTURES) {
    const name = place.toLowerCase().replace(/\W+/g, '-');
    await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
  }
}

async function goTo(page: Page, place: string): Promise<void> {
  await saidButton(page.getByRole('navigation').first(), place).click();
}

async function connect({ page }: App, node: TestNode): Promise<void> {
  await goTo(page, 'Node');
  const card = page
    .getByRole('list', { name: say('Nodes on this computer') })
    .getByRole('listitem')
    .filter({ hasText: `:${node.port}` });
  await saidButton(card, 'Connect').click();
  await saidHeading(page, 'Wallets').waitFor();
}

test('the places, and the way through restoring', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-XA');
  await page.getByText(`:${node.port}`).first().waitFor();
  await expectSaid(app, 'Connect');
  await goTo(page, 'Guide');
  await saidHeading(page, 'I found an old wallet.dat').waitFor();
  await expectSaid(app, 'Guide');
  await goTo(page, 'Activity');
  await saidHeading(page, 'Activity').waitFor();
  await expectSaid(app, 'Activity, empty');
  await connect(app, node);
  await page.getByRole('listitem', { name: 'savings', exact: true }).waitFor();
  await expectSaid(app, 'Wallets');

  const stick = join(home, 'stick');
  mkdirSync(stick);
  copyFileSync(fixtureFile('descriptor-hd'), join(stick, 'descriptor-hd.dat'));
  await goTo(page, 'Restore a backup');
  await saidButton(page, 'Choose a file…').waitFor();
  await expectSaid(app, 'Restore 1, nothing chosen');
  await chooseFile(page, stick, 'descriptor-hd.dat');
  await page.getByText(/^[0-9a-f]{64}$/).waitFor();
  await expectSaid(app, 'Restore 1, a backup');
  await saidButton(page, 'Next').click();
  await page.getByLabel(say('Wallet name')).fill('savings');
  await expectSaid(app, 'Restore 2, the name is taken');
  await page.getByLabel(say('Wallet name')).fill('holiday');
  await saidButton(page, 'Next').click();
  await saidButton(page, 'Look again').waitFor();
  await expectSaid(app, 'Restore 3, review');
  await saidButton(page, 'Restore this backup').click();
  await saidHeading(page, 'The wallet is restored').waitFor();
  await expectSaid(app, 'Restore 5, done');
  await goTo(page, 'Activity');
  await page.getByRole('article').first().waitFor();
  await expectSaid(app, 'Activity, an operation');
});

test('migrating, and looking into a file', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  const { page } = app;
  await connect(app, node);
  const row = page.getByRole('listitem', { name: 'legacy-watchonly', exact: true });
  await saidButton(row, 'Migrate').click();
  await saidButton(page, 'Look again').waitFor();
  await expectSaid(app, 'Migrate 2, check');
  await saidButton(page, 'Next').click();
  await saidButton(page, 'Migrate this wallet').waitFor();
  await expectSaid(app, 'Migrate 4, review');

  const stick = join(home, 'stick');
  mkdirSync(stick);
  copyFileSync(fixtureFile('legacy-hd-encrypted'), join(stick, 'legacy-hd-encrypted.dat'));
  await goTo(page, 'Inspect a file');
  await saidButton(page, 'Choose a file…').waitFor();
  await expectSaid(app, 'Inspect, nothing chosen');
  await chooseFile(page, stick, 'legacy-hd-encrypted.dat');
  await page.getByRole('heading', { name: 'legacy-hd-encrypted.dat', level: 2 }).waitFor();
  await page.getByText(/^[0-9a-f]{64}$/).waitFor();
  await expectSaid(app, 'Inspect, a legacy wallet');
});

interface Check {
  title: string;
  looked: string;
  text: string[];
  todo: string[];
}

function expectAllSaid(place: string, texts: readonly string[], foreign: readonly RegExp[]): void {
  expect(texts.length, place).toBeGreaterThan(0);
  const left = texts.filter((text) => !text.includes('⟦') || unsaidIn(text, foreign) !== '');
  // What is only a value, such as a path, is nothing to be said.
  expect
    .soft(
      left.filter((text) => unsaidIn(text, foreign) !== ''),
      place,
    )
    .toEqual([]);
}

const checksOf = (answer: Answer): string[] => {
  const { checks } = (answer.value ?? { checks: [] }) as { checks: Check[] };
  return checks.flatMap(({ title, looked, text, todo }) => [title, looked, ...text, ...todo]);
};

test('what the main process answers: checks and errors', async ({ openApp, startNode, home }) => {
  const node = await startNode('31.0');
  const app = await openApp();
  await connect(app, node);
  const restored = { backupFile: fixtureFile('legacy-hd'), name: 'savings' };
  expectAllSaid('restore.check', checksOf(await app.call('restore.check', restored)), VALUES);
  const migrated = { name: 'legacy-hd' };
  expectAllSaid('migrate.check', checksOf(await app.call('migrate.check', migrated)), VALUES);

  // A picture: the names of kinds are made when the program is loaded, in the main process and in the thread.
  const picture = join(home, 'picture.dat');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a', 'hex'));
  const { description } = (await app.call('files.inspect', { path: picture })).value as {
    description: string;
  };
  const letIn = await fetch(app.http?.link ?? '');
  expectAllSaid('constants', [description, await letIn.text()], VALUES);

  const errors = [
    await app.call('files.inspect', { path: join(home, 'nothing') }),
    await app.call('files.browse', { path: 'not whole' }),
    await app.call('wallet.inspect', { source: { by: 'file', path: picture } }),
    await app.call('wallet.inspect', { source: { by: 'wallet', name: 'not there' } }),
    await app.call('restore.start', {}),
  ].flatMap(({ error }) => [error?.message ?? 'none', error?.hint ?? 'none']);
  expectAllSaid('errors', errors, VALUES);
});

test('what the thread that reads wallets tells', async ({ openApp, home }) => {
  const whole = readFileSync(fixtureFile('legacy-hd'));
  const damaged = join(home, 'damaged.dat');
  // Not closed cleanly, and with pages that are not what they were.
  const bytes = Buffer.from(whole);
  bytes.writeUInt32LE(1, 0);
  bytes.fill(0xff, 4096 * 8, 4096 * 12);
  writeFileSync(damaged, bytes);
  const app = await openApp();
  const answer = await app.call('wallet.inspect', { source: { by: 'file', path: damaged } });
  const { problems } = answer.value as { problems: { text: string }[] };
  expectAllSaid(
    'problems',
    problems.map(({ text }) => text),
    VALUES,
  );

  const tried = await app.call('wallet.rehearse', { source: { by: 'file', path: damaged } });
  expectAllSaid('a rehearsal', [tried.error?.message ?? 'none', tried.error?.hint ?? 'none'], VALUES);
});
