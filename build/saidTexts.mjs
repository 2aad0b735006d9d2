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
const SILENT = new Set(['ImportDeclaration', 'TSTypeAliasDeclaration', 'TSInterfaceDeclaration']);

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
  return `${JSON.stringify(texts, null, 1)}\n`;
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

/** @param {string} file */
function read(file) {
  const source = readFileSync(join(root, file), 'utf8');
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

  /** @param {any} node */
  function visit(node) {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (!node || typeof node.type !== 'string' || SILENT.has(node.type)) return;
    if (node.type === 'CallExpression' && SAYING.has(node.callee.name)) {
      const [text, values] = node.arguments;
      for (const one of literalsOf(text))
        said.push({ text: one, values: keysOf(values), place: place(node) });
      return visit(values);
    }
    if (node.type === 'JSXOpeningElement' && node.name.name === 'Say') {
      const given = (/** @type {string} */ name) =>
        node.attributes.find((/** @type {Node} */ one) => one.name?.name === name)?.value;
      const text = given('text');
      for (const one of literalsOf(text?.expression ?? text)) {
        said.push({ text: one, values: keysOf(given('values')?.expression), place: place(node) });
      }
      return visit(given('values'));
    }
    if (node.type === 'JSXElement' && node.openingElement.name.name === 'code') return;
    if (node.type === 'JSXText' && /\p{L}{2}/u.test(node.value)) {
      unsaid.push({ text: node.value.trim(), place: place(node) });
    }
    for (const [key, value] of Object.entries(node)) {
      if (value && typeof value === 'object' && key !== 'typeAnnotation') visit(value);
    }
  }
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
