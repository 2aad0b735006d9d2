/** The texts of the main process and its threads are translated. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksOf, type Plan } from '../../../shared/model/plan.ts';
import type { Answer, App } from '../../app/app.ts';
import { test } from '../../app/inPseudoLanguage.ts';
import { untranslatedIn } from '../../app/pseudoLanguage.ts';
import { connect, openFile, shown } from '../../app/steps.ts';
import { expect, fixtureFile } from '../../app.ts';

/** Names of wallets, files, formats and networks, which are values in texts. */
const VALUES = [
  /\b(?:legacy|descriptor)-[\w-]+(?:\.dat)?\b/g,
  /\bsavings\b/g,
  /\bregtest\b/g,
  /127\.0\.0\.1:\d+/g,
  /\b\w+\.(?:dat|bak|txt|log)\b/g,
  /\bnot there\b/g,
  /\bPNG\b/g,
  /\baction, source, answers\b/g,
];

function expectTranslated(place: string, texts: readonly string[]): void {
  expect(texts.length, place).toBeGreaterThan(0);
  const untranslated = texts.filter((text) => untranslatedIn(text, VALUES) !== '');
  expect.soft(untranslated, place).toEqual([]);
}

/** The texts of a plan: its checks, its copies, and when it sends each call. */
function textsOf(answer: Answer): string[] {
  const plan = answer.value as Plan;
  return [
    ...checksOf(plan).flatMap(({ title, text, todo }) => [title, ...text, ...todo]),
    ...plan.copies.map(({ text }) => text),
    ...plan.calls.flatMap(({ when }) => (when === null ? [] : [when])),
  ];
}

test('translates the checks and errors of the main process and its threads, and what is wrong with a file', async ({
  openApp,
  startNode,
  home,
}) => {
  const node = await startNode('31.0');
  const app = await openApp({ ownProcess: true });
  await connect(app, node);
  for (const [action, source] of [
    ['restore', { by: 'file', path: fixtureFile('legacy-hd') }],
    ['migrate', { by: 'wallet', name: 'legacy-hd' }],
  ] as const) {
    const plan = await app.call('plan.make', { action, source, answers: { name: 'savings' }, task: action });
    expectTranslated(`a plan to ${action}`, textsOf(plan));
  }

  const picture = pictureIn(home);
  // A second tab may not open the used link.
  const tab = await app.page.context().newPage();
  const refusal = await tab.goto(app.http?.link ?? '');
  expectTranslated('a used link', [(await refusal?.text()) ?? '']);
  await tab.close();

  const errors = [
    await app.call('files.inspect', { path: join(home, 'nothing') }),
    await app.call('files.browse', { path: 'relative path' }),
    await app.call('wallet.inspect', { source: { by: 'file', path: picture } }),
    await app.call('wallet.inspect', { source: { by: 'wallet', name: 'not there' } }),
    await app.call('plan.make', {}),
    await app.call('plan.run', { plan: 'not there', answers: {} }),
  ].flatMap(({ error }) => [error?.message ?? 'none', error?.hint ?? 'none']);
  expectTranslated('errors', errors);
  await test.step('the problems and the kind of a file, and an error of the thread that reads it', () =>
    translatesFiles(app, home));
});

function pictureIn(folder: string): string {
  const path = join(folder, 'picture.dat');
  writeFileSync(path, Buffer.from('89504e470d0a1a0a', 'hex'));
  return path;
}

/** A wallet that was not closed, with overwritten pages. */
function damagedWallet(folder: string): string {
  const path = join(folder, 'damaged.dat');
  const bytes = Buffer.from(readFileSync(fixtureFile('legacy-hd')));
  bytes.writeUInt32LE(1, 0);
  bytes.fill(0xff, 4096 * 8, 4096 * 12);
  writeFileSync(path, bytes);
  return path;
}

// The specs of `pages` skip these texts, because they are among texts of files, in <bdi>.
async function translatesFiles(app: App, home: string): Promise<void> {
  const { page } = app;
  const linesOf = async (file: string, title: string) => {
    await openFile(app, file);
    const notice = page.getByRole('status').filter({ has: shown(page, title) });
    await notice.waitFor();
    for (const summary of await notice.locator('summary').all()) await summary.click();
    return (await notice.locator('p, li').allInnerTexts()).flatMap((text) => text.split('\n'));
  };
  expectTranslated('problems', await linesOf(damagedWallet(home), 'Partly unreadable'));
  const kind = await linesOf(pictureIn(home), 'Not a Bitcoin Core wallet');
  expectTranslated('a kind of file', kind);
  const failed = await app.call('wallet.export', {
    source: { by: 'file', path: damagedWallet(home) },
    private: false,
    format: 'lines',
    destination: join(home, 'descriptors.txt'),
  });
  expectTranslated('an export', [failed.error?.message ?? 'none', failed.error?.hint ?? 'none']);
}
