/** The app in the pseudo-language, where every text that is said stands in ⟦brackets⟧, and what does not shows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pseudo } from '../../build/pseudoLanguage.mjs';
import { CATALOGUE } from '../../build/saidTexts.mjs';
import { speak } from '../../shared/wording/say.ts';

const LANGUAGE = 'en-XA';
const VARIABLE = 'WALLET_FERRY_LANGUAGE';

/** Has apps that are started from now on speak it, and `say` too, until the function that is returned is called. */
export function speakPseudo(folder: string): () => void {
  const texts = pseudo(JSON.parse(readFileSync(CATALOGUE, 'utf8')));
  const file = join(folder, `${LANGUAGE}.json`);
  writeFileSync(file, JSON.stringify(texts));
  process.env[VARIABLE] = file;
  speak(LANGUAGE, texts);
  return () => {
    delete process.env[VARIABLE];
    speak('en', {});
  };
}

/** What is left of a text without what is said, and without what needs no translation. */
export function unsaidIn(text: string, allowed: readonly RegExp[] = []): string {
  const rest = [SAID, ...NOT_TEXT, ...allowed].reduce((left, known) => left.replace(known, ' '), text);
  return LETTERS.test(rest) ? rest.replace(/\s+/g, ' ').trim() : '';
}

const SAID = /⟦[^⟦⟧]*⟧/g;
const LETTERS = /\p{L}{2}/u;
/** Dates and sizes in the form of the region, hashes, paths, and names that are the same in every language. */
const NOT_TEXT = [
  /\b\d{1,2} \p{L}{3,4} \d{4}\b/gu,
  /\p{L}{3,4} \d{1,2}, \d{4}/gu,
  /\b[AP]M\b/g,
  /\d\s?(?:bytes?|[kKMG]B)\b/g,
  /\b[0-9a-f]{8,}\b/g,
  /(?:^|[\s“])[/~][^\s”]*/g,
  /\bWallet Ferry\b/g,
];

/** The visible texts and labels of the page that are not said, without what others chose or a node said. */
export async function unsaidOn(page: Page, allowed: readonly RegExp[] = []): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    // What others chose stands in <bdi>, what is typed or written by a machine in <code>, <pre> and fields.
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
  return [...new Set(texts.filter((text) => unsaidIn(text, allowed) !== ''))];
}
