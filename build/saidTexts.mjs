/** Finds every text for users in the sources: the calls of `say`, which translates it, and texts that lack one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from './system.mjs';

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 * @typedef {{ file: string, line: number }} Place
 * @typedef {{ text: string, values: string[] | null, place: Place }} Translated `values` is null if they are computed.
 */

/** The engine uses Bitcoin Core's messages, which clients recognise. */
const SKIPPED = new Set(['electron/engine']);
const TRANSLATING = new Set(['say', 'sayParts']);
/** Parts of the code that no user sees. */
const INVISIBLE = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAnnotation',
]);
/** Properties and attributes whose texts users always see or hear. */
const READ_OUT = new Set([
  'title',
  'heading',
  'label',
  'aria-label',
  'alt',
  'description',
  'placeholder',
  'summary',
  'note',
  'word',
  'text',
  'meaning',
  'message',
  'hint',
]);
const SENTENCE = /^\s*\p{Lu}[\p{L}’]*[,:;.]?(\s+\S+){2,}/u;
const WORD = /\p{L}{2}/u;

export const CATALOGUE = join(root, 'languages', 'en.json');

/** Every call of `say` and every `<Say>` in the app. @returns {Translated[]} */
export function translatedTexts() {
  return sources().flatMap((file) => read(file).translated);
}

/** Every text that a user may see without a call of `say`. @returns {{ text: string, place: Place }[]} */
export function untranslatedTexts() {
  return sources().flatMap((file) => read(file).untranslated);
}

/** @param {Translated[]} translated @returns {Record<string, string>} */
export function sortedTexts(translated) {
  const texts = [...new Set(translated.map(({ text }) => text))].sort();
  return Object.fromEntries(texts.map((text) => [text, text]));
}

/** @param {Record<string, string>} texts */
export function asJson(texts) {
  return `${JSON.stringify(texts, null, 2)}\n`;
}

function sources() {
  return ['electron', 'renderer', 'shared'].flatMap((folder) => filesIn(folder));
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(path) ? [] : filesIn(path);
    return /(?<!\.test|\.d)\.tsx?$/.test(entry.name) && !SKIPPED.has(path) ? [path] : [];
  });
}

/** Finds both kinds of texts in a source file. @param {string} file @param {string} [source] */
export function read(file, source = readFileSync(join(root, file), 'utf8')) {
  const { program } = parseSync(file, source);
  /** @type {Translated[]} */
  const translated = [];
  /** @type {{ text: string, place: Place }[]} */
  const untranslated = [];
  const place = (/** @type {Node} */ { start }) => ({
    file,
    line: source.slice(0, start).split('\n').length,
  });
  visit(/** @type {any} */ (program));
  return { translated, untranslated };

  /** @param {any} node @param {any} [parent] */
  function visit(node, parent) {
    if (Array.isArray(node)) for (const one of node) visit(one, parent);
    if (!node || typeof node.type !== 'string' || INVISIBLE.has(node.type)) return;
    if (node.type === 'ThrowStatement') {
      // An untranslated error is for developers.
      const before = untranslated.length;
      visit(node.argument, node);
      untranslated.length = before;
      return;
    }
    if (node.type === 'CallExpression' && TRANSLATING.has(node.callee.name)) {
      const [text, values] = node.arguments;
      for (const one of literalsOf(text))
        translated.push({ text: one, values: keysOf(values), place: place(node) });
      return visitValues(values);
    }
    if (node.type === 'JSXOpeningElement' && node.name.name === 'Say') {
      const attribute = (/** @type {string} */ name) =>
        node.attributes.find((/** @type {Node} */ one) => one.name?.name === name)?.value;
      const text = attribute('text');
      for (const one of literalsOf(text?.expression ?? text)) {
        translated.push({ text: one, values: keysOf(attribute('values')?.expression), place: place(node) });
      }
      return visitValues(attribute('values')?.expression);
    }
    if (node.type === 'JSXElement' && node.openingElement.name.name === 'code') return;
    if (node.type === 'CallExpression' && node.callee.object?.name === 'console') return;
    if (node.type === 'JSXText' && WORD.test(node.value)) {
      untranslated.push({ text: node.value.trim(), place: place(node) });
    }
    // Look further only in the page. Texts of the main process may be for the terminal or reports, which stay English.
    if (file.startsWith('renderer/')) {
      const text = textOf(node);
      if (text !== null && SENTENCE.test(text)) untranslated.push({ text, place: place(node) });
      else if (isReadOut(node)) mark(node.value);
      else if (isShownIn(parent)) mark(node);
    }
    for (const [key, value] of Object.entries(node)) {
      if (value && typeof value === 'object' && key !== 'typeAnnotation') visit(value, node);
    }
  }

  /** A literal among the values would be an untranslated part of a sentence. @param {any} values */
  function visitValues(values) {
    if (file.startsWith('renderer/')) for (const one of values?.properties ?? []) mark(one.value);
    visit(values);
  }

  /** @param {any} node */
  function mark(node) {
    for (const text of wordsOf(node)) untranslated.push({ text, place: place(node) });
  }
}

/** Whether it is an attribute or property that users see or hear. @param {any} node */
function isReadOut(node) {
  // `word` names a term of the glossary there.
  if (node.type === 'JSXAttribute') return READ_OUT.has(node.name.name) && node.name.name !== 'word';
  return node.type === 'Property' && !node.computed && READ_OUT.has(node.key.name ?? node.key.value);
}

/** Whether the page shows its contents: `{…}` between tags, not in an attribute. @param {any} node */
function isShownIn(node) {
  return node?.type === 'JSXElement' || node?.type === 'JSXFragment';
}

/** Literals with a word that are the value, or a value that a condition chooses. @param {any} node @returns {string[]} */
function wordsOf(node) {
  if (node?.type === 'JSXExpressionContainer') return wordsOf(node.expression);
  if (node?.type === 'ConditionalExpression')
    return [...wordsOf(node.consequent), ...wordsOf(node.alternate)];
  if (node?.type === 'LogicalExpression') return [...wordsOf(node.left), ...wordsOf(node.right)];
  const text = textOf(node);
  return text !== null && WORD.test(text) && !text.includes('://') ? [text] : [];
}

/** The text of a literal, with `…` for its expressions. @param {any} node @returns {string | null} */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral') return null;
  return node.quasis.map((/** @type {any} */ { value }) => value.cooked).join('…');
}

/** A text, or the texts that a condition chooses from. @param {any} node @returns {string[]} */
function literalsOf(node) {
  if (node?.type === 'ConditionalExpression')
    return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return [node.quasis[0].value.cooked];
  return [];
}

/** @param {any} node @returns {string[] | null} */
function keysOf(node) {
  if (!node) return [];
  if (node.type !== 'ObjectExpression') return null;
  if (node.properties.some((/** @type {Node} */ one) => one.type !== 'Property')) return null;
  return node.properties.map((/** @type {Node} */ one) => one.key.name ?? one.key.value).sort();
}
