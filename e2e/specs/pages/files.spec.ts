/** The pages of files without a node, the help and the settings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../../shared/wording/say.ts';
import { checkPage } from '../../app/checkPage.ts';
import { test } from '../../app/inPseudoLanguage.ts';
import { button, goTo, LONG, openFile, openHelp, openTab, shown } from '../../app/steps.ts';
import { fixturePassphrase } from '../../app.ts';
import { copyToStick } from '../../testNode/walletFixture.ts';

test('the pages of files, the help and the settings are accessible, translated and fit', async ({
  openApp,
  home,
}) => {
  const app = await openApp();
  const { page } = app;
  const inspect = (file: string) => openFile(app, file);
  const exporting = page.getByRole('form', { name: say('Export') });
  const exported = exporting.getByRole('status').filter({ hasText: /\w/ });

  await button(page, 'Paste keys').click();
  const pasting = page.getByRole('form', { name: say('Paste keys') });
  await pasting.getByRole('textbox').fill('a cat');
  await button(pasting, 'Open').click();
  await pasting.getByRole('alert').waitFor(LONG);
  await checkPage(app, 'Start, pasted text without keys');

  await inspect(await copyToStick('descriptor-hd', home));
  await openTab(app, 'Technical');
  await page.locator('summary').first().click();
  await checkPage(app, 'Technical, a descriptor wallet');
  await openTab(app, 'Export');
  await app.pickFile(join(home, 'public.json'), () => button(exporting, 'Export…').click());
  await exported.first().waitFor();
  await checkPage(app, 'Inspect, a descriptor wallet, exported');
  await button(page, 'descriptors').first().click();
  const meaning = say('Text that describes addresses and their keys.');
  await page.getByRole('status').filter({ hasText: meaning }).waitFor();
  await checkPage(app, 'Inspect, a term explained');

  await exporting.getByRole('radio', { name: say('For Electrum') }).check();
  await exporting.getByRole('checkbox', { name: say('I understand') }).check();
  await app.pickFile(join(home, 'keys.txt'), () => button(exporting, 'Export…').click());
  await shown(exporting, 'This file has private keys').waitFor(LONG);
  await checkPage(app, 'Inspect, keys for Electrum');

  await inspect(await copyToStick('descriptor-encrypted', home));
  const trying = page.getByRole('form', { name: say('Try the passphrase') });
  await trying.getByLabel(say('Passphrase'), { exact: true }).fill('wrong');
  await trying.getByRole('alert').waitFor(LONG);
  await shown(page, 'Forgotten part of it?').click();
  await page.getByLabel(say('Pieces, one per line')).fill('?my\nred|blue\nhorse');
  await page.getByRole('checkbox', { name: say('Pieces in any order') }).check();
  await button(page, 'Count the tries').click();
  await button(page, 'Search').waitFor(LONG);
  await checkPage(app, 'Inspect, a half-remembered passphrase');
  await openTab(app, 'Export');
  await exporting.getByRole('radio', { name: say('With private keys') }).check();
  const understood = exporting.getByRole('checkbox', { name: say('I understand') });
  await understood.check();
  await button(exporting, 'Export…').click();
  await exporting.getByRole('alert').waitFor();
  await checkPage(app, 'Inspect, encrypted, a private export without its passphrase');
  await exporting
    .getByLabel(say('Passphrase'), { exact: true })
    .fill(fixturePassphrase('descriptor-encrypted'));
  await app.pickFile(join(home, 'private.json'), () => button(exporting, 'Export…').click());
  await shown(exporting, 'This file has private keys').waitFor(LONG);
  await checkPage(app, 'Inspect, encrypted, a private export');

  await inspect(await copyToStick('legacy-imported', home));
  await openTab(app, 'Addresses and labels');
  await page.getByRole('tabpanel').getByRole('searchbox').first().waitFor();
  await checkPage(app, 'Inspect, a legacy wallet with long lists');

  const whole = readFileSync(await copyToStick('legacy-hd', home));
  const cut = join(home, 'cut.dat');
  writeFileSync(cut, whole.subarray(0, Math.floor(whole.length / 2)));
  await inspect(cut);
  await page.getByText(say('Partly unreadable'), { exact: true }).waitFor();
  await checkPage(app, 'Inspect, cut off');
  const picture = join(home, 'picture.png');
  writeFileSync(picture, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  await inspect(picture);
  await shown(page, 'Not a Bitcoin Core wallet').first().waitFor();
  await checkPage(app, 'Inspect, not a wallet');

  await goTo(app, 'Settings');
  await shown(app.page, 'Data folder').waitFor();
  await checkPage(app, 'Settings');
  const help = await openHelp(app);
  await shown(help, '1. Find the file').waitFor();
  await checkPage(app, 'Help');
  await shown(help, 'I found an old wallet.dat').click();
  await shown(help, 'Keyboard').click();
  await checkPage(app, 'Help, the keyboard');
});
