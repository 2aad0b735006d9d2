/** Runs the app in a pseudo-language with each translated text in ⟦brackets⟧, so that untranslated texts stand out. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pseudo } from '../../build/pseudoLanguage.mjs';
import { CATALOGUE } from '../../build/saidTexts.mjs';
import { configureLanguage } from '../../shared/wording/say.ts';

const LANGUAGE = 'en-XA';
const VARIABLE = 'WALLET_FERRY_LANGUAGE';

/** Uses the pseudo-language in `say`, and in apps started from now on. The returned function ends this. */
export function usePseudoLanguage(folder: string): () => void {
  const texts = pseudo(JSON.parse(readFileSync(CATALOGUE, 'utf8')));
  const file = join(folder, `${LANGUAGE}.json`);
  writeFileSync(file, JSON.stringify(texts));
  process.env[VARIABLE] = file;
  configureLanguage(LANGUAGE, texts);
  return () => {
    delete process.env[VARIABLE];
    configureLanguage('en', {});
  };
}

/** What remains of a text without its translated parts and without what needs no translation. */
export function untranslatedIn(text: string, allowed: readonly RegExp[] = []): string {
  const rest = [TRANSLATED, ...NOT_TEXT, ...allowed].reduce((left, known) => left.replace(known, ' '), text);
  return LETTERS.test(rest) ? rest.replace(/\s+/g, ' ').trim() : '';
}

const TRANSLATED = /⟦[^⟦⟧]*⟧/g;
const LETTERS = /\p{L}{2}/u;
/** Dates and sizes, hashes, paths, and names that are the same in every language. */
const NOT_TEXT = [
  /\b\d{1,2} \p{L}{3,4} \d{4}\b/gu,
  /\p{L}{3,4} \d{1,2}, \d{4}/gu,
  /\b[AP]M\b/g,
  /\d\s?(?:bytes?|[kKMG]B)\b/g,
  /\b[0-9a-f]{8,}\b/g,
  /(?:^|[\s“])[/~][^\s”]*/g,
  /\bWallet Ferry\b/g,
];

/** The untranslated texts and labels of the page, except names and other texts from users, files and nodes. */
export async function untranslatedOn(page: Page, allowed: readonly RegExp[] = []): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    // Names are in <bdi>. What a user types or a program writes is in <code>, <pre> and fields.
    const foreign = 'code, pre, bdi, textarea, script, style, [translate="no"]';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent?.checkVisibility() && parent.closest(foreign) === null) found.push(node.textContent ?? '');
    }
    for (const attribute of ['aria-label', 'placeholder', 'title', 'alt', 'aria-valuetext']) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        if (!element.checkVisibility() || element.closest(foreign) !== null) continue;
        found.push(element.getAttribute(attribute) ?? '');
      }
    }
    return found;
  });
  return [...new Set(texts.filter((text) => untranslatedIn(text, allowed) !== ''))];
}
