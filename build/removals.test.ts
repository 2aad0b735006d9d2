/**
 * Only `electron/files/removeFolder.ts` removes folders recursively: Node's own removal would follow a swapped folder to the
 * user's files.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './system.mjs';

/** Calls that create or list folders, including calls in their arguments. */
const HARMLESS = /\b(?:mkdir|readdir)(?:Sync)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Whether the option occurs anywhere else. */
function removesRecursively(source: string): boolean {
  return /\brecursive['"]?\s*[:,}]|\brimraf\b|\brmtree\b/.test(source.replace(HARMLESS, ''));
}

it('no source removes folders recursively', () => {
  const sources = readdirSync(join(root, 'electron'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.[cm]?[jt]sx?$/.test(path) && !/\.test\.ts$|[\\/]testing[\\/]/.test(path),
  );
  expect(sources.length).toBeGreaterThan(200);
  const texts = sources.map((path) => ({ path, text: readFileSync(join(root, 'electron', path), 'utf8') }));
  expect(texts.filter(({ text }) => removesRecursively(text)).map(({ path }) => path)).toEqual([]);
});

it.each([
  'rmSync(path, { recursive: true, force: true });',
  'await rm(join(dirname(path), name), {\n  force: true,\n  recursive: true,\n});',
  'rmdir(path, { recursive })',
  'const options = { force: true, recursive: true };\nmkdirSync(path);',
  'mkdirSync(join(path)); rmSync(path, { "recursive": true });',
])('recognises a recursive removal: %s', (source) => {
  expect(removesRecursively(source)).toBe(true);
});

it.each([
  'mkdirSync(dirname(join(path)), { recursive: true, mode: 0o700 });',
  'await readdir(folder, {\n  withFileTypes: true,\n  recursive: true,\n});',
  '// It is not recursive.\nrmSync(path, { force: true });',
])('recognises no recursive removal: %s', (source) => {
  expect(removesRecursively(source)).toBe(false);
});
