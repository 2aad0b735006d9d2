/** The pseudo-language: every text accented, at least 40 % longer, and in brackets, so that untranslated texts stand out. */
import { parse as parseMessage, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import pseudolocale from 'pseudolocale';

/** Disguises texts, but not their values and plural rules. @param {Record<string, string>} texts */
export function pseudo(texts) {
  return Object.fromEntries(Object.keys(texts).map((text) => [text, printAST(disguised(parse(text)))]));
}

/** The names of the values in a text. @param {string} text @returns {string[]} */
export function valuesOf(text) {
  const names = new Set();
  const visit = (/** @type {any[]} */ parts) => {
    for (const part of parts) {
      if (part.type !== TYPE.literal && part.type !== TYPE.pound) names.add(part.value);
      for (const option of Object.values(part.options ?? {})) visit(/** @type {any} */ (option).value);
    }
  };
  visit(parse(text));
  return [...names].sort();
}

/** @param {string} text @returns {any[]} */
function parse(text) {
  return parseMessage(text, { ignoreTag: true });
}

/** @param {any[]} parts @returns {any[]} */
function disguised(parts) {
  return parts.map((part) => {
    if (part.type === TYPE.literal) return { ...part, value: disguisedText(part.value) };
    if (!part.options) return part;
    const options = Object.entries(part.options).map(([name, option]) => [
      name,
      { ...option, value: disguised(option.value) },
    ]);
    return { ...part, options: Object.fromEntries(options) };
  });
}

/** @param {string} text */
function disguisedText(text) {
  const words = text.trim();
  if (words === '') return text;
  const around = text.split(words);
  const accented = pseudolocale(words, { prepend: '', append: '', extend: 0 });
  // Add words instead of one word that no line could break.
  const longer = '~'.repeat(Math.ceil(words.length * 0.4)).replace(/~{8}(?=~)/g, '$& ');
  return `${around[0]}⟦${accented}${longer}⟧${around[1]}`;
}
