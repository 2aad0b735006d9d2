/**
 * Sets the language of this process. Import it first, because constants keep the language in which they were made.
 * `WALLET_FERRY_LANGUAGE` names a translation of `languages/en.json`; its file name is the language (`de.json`).
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { configureLanguage, parseCatalogue } from '../../shared/wording/say.ts';

/** `Intl.PluralRules` reports the locale in a tenth of the time that date or number formats take. */
const preferred = [new Intl.PluralRules().resolvedOptions().locale];
const file = process.env.WALLET_FERRY_LANGUAGE;
try {
  if (file) {
    const catalogue = parseCatalogue(JSON.parse(readFileSync(file, 'utf8')));
    configureLanguage(Intl.getCanonicalLocales(basename(file, '.json'))[0] ?? 'en', catalogue, preferred);
  } else {
    configureLanguage('en', {}, preferred);
  }
} catch {
  configureLanguage('en', {}, preferred);
  process.stderr.write(`The language file ${file} cannot be used. The app speaks English.\n`);
}
