/** The translations of a text in a desktop entry. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * `Name`, and `Name[de]` for each translation of the catalogue in `folder` that has the text.
 * @param {string} text
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export function desktopNames(text, folder) {
  /** @type {Record<string, string>} */
  const names = { Name: text };
  for (const file of readdirSync(folder).sort()) {
    const translated = JSON.parse(readFileSync(join(folder, file), 'utf8'))[text];
    const locale = basename(file, '.json').replaceAll('-', '_');
    if (locale !== 'en' && translated !== undefined) names[`Name[${locale}]`] = translated;
  }
  return names;
}
