/**
 * Sets the language of a process of the app when it is loaded, which has to be first: constants keep theirs.
 * `WALLET_FERRY_LANGUAGE` names a translation of `languages/en.json`; its file name is the language (`de.json`).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseCatalogue, speak } from '../../shared/wording/say.ts';

/** Plural rules tell the user's locale in a tenth of the time that formats of dates or numbers need to be there. */
const preferred = [new Intl.PluralRules().resolvedOptions().locale];
const file = process.env.WALLET_FERRY_LANGUAGE;
try {
  if (file) {
    const catalogue = parseCatalogue(JSON.parse(readFileSync(file, 'utf8')));
    speak(Intl.getCanonicalLocales(basename(file, '.json'))[0] ?? 'en', catalogue, preferred);
  } else {
    speak('en', {}, preferred);
  }
} catch {
  speak('en', {}, preferred);
  process.stderr.write(`The language file ${file} cannot be used. The app speaks English.\n`);
}
