/** The record of a job: saved as text, or as PDF in the desktop app, or printed in a browser. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { button, shownPath, startMigration, verdict } from '../app/steps.ts';
import { expect, test } from '../app.ts';

test('saves the record of a migration, and overwrites no file', { tag: '@desktop' }, async ({
  openConnected,
  home,
}) => {
  const { app, page } = await openConnected('28.1', { loaded: ['legacy-hd'] });
  await startMigration(app, 'legacy-hd');
  await expect(verdict(app)).toContainText('Everything arrived');
  const file = join(home, 'report.txt');
  const save = () => button(page, 'Save a record…').click();
  const saved = page.getByRole('group', { name: 'The record' });
  if (app.entry === 'browser') {
    const downloading = page.waitForEvent('download');
    await save();
    await (await downloading).saveAs(file);
  } else {
    await app.pickFile(file, save);
    await expect(saved).toContainText(shownPath(file));
  }
  const text = readFileSync(file, 'utf8');
  for (const detail of ['legacy-hd', '.legacy.bak', 'Everything arrived', 'SHA-256', 'Safety copy'])
    expect(text).toContain(detail);
  expect(text).not.toMatch(/[xt](?:pub|prv)[0-9A-Za-z]{50}/);
  expect(text).toMatch(/ Addresses +(\d+) +all \1\n/);
  const balance = '8.599\u2009971\u200980\u00a0rBTC';
  expect(text).toContain(balance);
  // Release 28 loads the old wallet, so the app compares with the node's balance.
  expect(text).toMatch(new RegExp(`^ +Balance +${balance} +${balance}$`, 'm'));
  // The record's hash is that of the copy that it names.
  const [, copy = '', sha256 = ''] = /Safety copy\n +(\S.*)\n +SHA-256 (\w{64})\n/.exec(text) ?? [];
  expect(createHash('sha256').update(readFileSync(copy)).digest('hex')).toBe(sha256);
  const {
    jobs: [job],
  } = (await app.call('jobs.list', {})).value as { jobs: { id: string }[] };
  const forHelp = JSON.stringify(await app.call('jobs.report', { id: job?.id, which: 'for-help' }));
  expect(forHelp).toContain('Proof: same, 0 differences');
  for (const own of ['legacy-hd', '.legacy.bak', copy, sha256, '8.599', home])
    expect(forHelp).not.toContain(own);

  if (app.entry === 'browser') {
    // In sight without scrolling.
    const arrived = page.getByText(/^All \d+ addresses, \d+ labels and \d+ transactions are here\./);
    await expect(arrived).toBeInViewport({ ratio: 1 });
    await expect(button(page, 'As PDF…')).toHaveCount(0);
    // The print dialog belongs to the browser, so check what the page would print.
    await page.evaluate(() => {
      window.print = () => {};
    });
    await button(page, 'Print the record…').click();
    const paper = page.locator('body > article');
    await expect(paper).toBeAttached();
    await expect(paper).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(paper).toBeVisible();
    await expect(paper.getByRole('heading', { level: 1 })).toHaveText('legacy-hd');
    const onPaper = ((await paper.textContent()) ?? '').replaceAll('\u202f', '\u2009');
    const words = text.split('\n').slice(3).join('  ').split(/ {2,}/);
    for (const word of words) expect(onPaper).toContain(word);
    await expect(verdict(app)).toBeHidden();
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(paper).toHaveCount(0);
    const destination = join(home, '.bash_profile');
    const notChosen = { id: job?.id, which: 'record', destination };
    expect(await app.call('jobs.saveReport', notChosen)).toMatchObject({
      error: { code: 'not_available_here' },
    });
    expect(existsSync(destination)).toBe(false);
    return;
  }
  await app.pickFile(file, save);
  await expect(page.getByText('Not saved')).toBeVisible();
  const pdf = join(home, 'report.pdf');
  await app.pickFile(pdf, () => button(page, 'As PDF…').click());
  await expect(saved).toContainText(shownPath(pdf));
  expect(readFileSync(pdf).subarray(0, 4).toString()).toBe('%PDF');
});
