/** Every text that a user reads, found in the code: the calls of `say`, and what should be one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from './system.mjs';

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node
 * @typedef {{ file: string, line: number }} Place
 * @typedef {{ text: string, values: string[] | null, place: Place }} Said `values` is null where they are not written out.
 */

/** The engine speaks the words of Bitcoin Core, in which clients look for what they know. */
const NOT_READ = new Set(['electron/engine']);
const SAYING = new Set(['say', 'sayParts']);
/** Parts of the code that no user sees. */
const SILENT = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAnnotation',
]);
/** Where a text stands that is read, or read out, whatever it looks like. */
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

/** Every call of `say` and every `<Say>` in the app. @returns {Said[]} */
export function allSaid() {
  return sources().flatMap((file) => read(file).said);
}

/** Text that a user may see and that is not said. @returns {{ text: string, place: Place }[]} */
export function allUnsaid() {
  return sources().flatMap((file) => read(file).unsaid);
}

/** @param {Said[]} said @returns {Record<string, string>} */
export function sortedTexts(said) {
  const texts = [...new Set(said.map(({ text }) => text))].sort();
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
    if (entry.isDirectory()) return NOT_READ.has(path) ? [] : filesIn(path);
    return /(?<!\.test|\.d)\.tsx?$/.test(entry.name) && !NOT_READ.has(path) ? [path] : [];
  });
}

/** What is said in a source file, and what should be. @param {string} file @param {string} [source] */
export function read(file, source = readFileSync(join(root, file), 'utf8')) {
  const { program } = parseSync(file, source);
  /** @type {Said[]} */
  const said = [];
  /** @type {{ text: string, place: Place }[]} */
  const unsaid = [];
  const place = (/** @type {Node} */ { start }) => ({
    file,
    line: source.slice(0, start).split('\n').length,
  });
  visit(/** @type {any} */ (program));
  return { said, unsaid };

  /** @param {any} node @param {any} [parent] */
  function visit(node, parent) {
    if (Array.isArray(node)) for (const one of node) visit(one, parent);
    if (!node || typeof node.type !== 'string' || SILENT.has(node.type)) return;
    if (node.type === 'ThrowStatement') {
      // What is thrown without being said is for who reads the code.
      const before = unsaid.length;
      visit(node.argument, node);
      unsaid.length = before;
      return;
    }
    if (node.type === 'CallExpression' && SAYING.has(node.callee.name)) {
      const [text, values] = node.arguments;
      for (const one of literalsOf(text))
        said.push({ text: one, values: keysOf(values), place: place(node) });
      return visitValues(values);
    }
    if (node.type === 'JSXOpeningElement' && node.name.name === 'Say') {
      const given = (/** @type {string} */ name) =>
        node.attributes.find((/** @type {Node} */ one) => one.name?.name === name)?.value;
      const text = given('text');
      for (const one of literalsOf(text?.expression ?? text)) {
        said.push({ text: one, values: keysOf(given('values')?.expression), place: place(node) });
      }
      return visitValues(given('values')?.expression);
    }
    if (node.type === 'JSXElement' && node.openingElement.name.name === 'code') return;
    if (node.type === 'CallExpression' && node.callee.object?.name === 'console') return;
    if (node.type === 'JSXText' && WORD.test(node.value)) {
      unsaid.push({ text: node.value.trim(), place: place(node) });
    }
    // The texts of the main process also go to the terminal and to reports, where they stay as they are.
    if (file.startsWith('renderer/')) {
      const text = textOf(node);
      if (text !== null && SENTENCE.test(text)) unsaid.push({ text, place: place(node) });
      else if (isReadOut(node)) mark(node.value);
      else if (isShownIn(parent)) mark(node);
    }
    for (const [key, value] of Object.entries(node)) {
      if (value && typeof value === 'object' && key !== 'typeAnnotation') visit(value, node);
    }
  }

  /** A word among the values is a part of a sentence that no translation reaches. @param {any} values */
  function visitValues(values) {
    if (file.startsWith('renderer/')) for (const one of values?.properties ?? []) mark(one.value);
    visit(values);
  }

  /** @param {any} node */
  function mark(node) {
    for (const text of wordsOf(node)) unsaid.push({ text, place: place(node) });
  }
}

/** Whether it is an attribute or property that holds what a user reads. @param {any} node */
function isReadOut(node) {
  // `word` names a term of the glossary there.
  if (node.type === 'JSXAttribute') return READ_OUT.has(node.name.name) && node.name.name !== 'word';
  return node.type === 'Property' && !node.computed && READ_OUT.has(node.key.name ?? node.key.value);
}

/** Whether what stands in it is shown: `{…}` between tags, not in an attribute. @param {any} node */
function isShownIn(node) {
  return node?.type === 'JSXElement' || node?.type === 'JSXFragment';
}

/** Literals with a word in them that are the value, or one that a condition chooses. @param {any} node @returns {string[]} */
function wordsOf(node) {
  if (node?.type === 'JSXExpressionContainer') return wordsOf(node.expression);
  if (node?.type === 'ConditionalExpression')
    return [...wordsOf(node.consequent), ...wordsOf(node.alternate)];
  if (node?.type === 'LogicalExpression') return [...wordsOf(node.left), ...wordsOf(node.right)];
  const text = textOf(node);
  return text !== null && WORD.test(text) && !text.includes('://') ? [text] : [];
}

/** What a literal says, with `…` for what is put into it. @param {any} node @returns {string | null} */
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
