/** Checks the sources against importRules.json: what each folder may import, and how many files it may have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { expect, it } from 'vitest';
import rules from './importRules.json' with { type: 'json' };
import { root } from './system.mjs';

const { dirname } = posix;
const folders = new Map(Object.entries(rules.folders));
const files = ['shared', 'electron', 'renderer']
  .flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name}`),
  )
  .map((path) => path.replaceAll(sep, '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path))
  .map((path) => ({ path, imports: importsOf(path) }));

/** The imports of a file: the paths of our files, and the names of packages. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s(?:[^'"=;]*\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found]
    .map(([, one, other]) => one ?? other ?? '')
    .map((name) => (name.startsWith('.') ? posix.join(dirname(path), name) : name));
}

const isBelow = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

/** The rule's folder that contains a file: the longest, because such folders are nested. */
function folderOf(path: string): string | undefined {
  return [...folders.keys()]
    .filter((folder) => path.startsWith(`${folder}/`))
    .toSorted((one, other) => other.length - one.length)[0];
}

it('has a rule for each source file', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(files.map(({ path }) => path).filter((path) => folderOf(path) === undefined)).toEqual([]);
});

it('lets each folder import only its own files and those of the folders in its rule', () => {
  const wrong = files.flatMap(({ path, imports }) => {
    const own = folderOf(path) ?? '';
    const others = folders.get(own) ?? [];
    const mayImport = (folder: string) => folder === own || others.some((other) => isBelow(folder, other));
    return imports
      .filter((name) => !mayImport(folderOf(name) ?? own))
      .map((name) => `${path} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

it('lets no source import from tests', () => {
  const isTest = (name: string) => /^e2e\/|\/testing\/|\.test\.tsx?$/.test(name);
  const wrong = files.flatMap(({ path, imports }) =>
    imports.filter(isTest).map((name) => `${path} imports ${name}`),
  );
  expect(wrong).toEqual([]);
});

it('keeps Node out of the page’s code, and Electron out of code that runs without it', () => {
  const importing = (pattern: RegExp) =>
    files.filter(({ imports }) => imports.some((name) => pattern.test(name))).map(({ path }) => path);
  const inAny = (path: string, places: readonly string[]) => places.some((place) => isBelow(path, place));
  expect(importing(/^node:/).filter((path) => inAny(path, rules.withoutNode))).toEqual([]);
  expect(importing(/^electron$/).filter((path) => !inAny(path, rules.withElectron))).toEqual([]);
});

it('limits the number of files in each folder', () => {
  const sizes = new Map<string, number>();
  for (const { path } of files) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  expect([...sizes].filter(([, size]) => size > rules.mostFilesInAFolder)).toEqual([]);
});

// The linter finds cycles of files.
it('finds no cycle of folders', () => {
  const leadsTo = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const name of imports.filter((each) => /^(?:electron|renderer)\/.*\.tsx?$/.test(each))) {
      if (dirname(name) === dirname(path)) continue;
      leadsTo.set(dirname(path), (leadsTo.get(dirname(path)) ?? new Set()).add(dirname(name)));
    }
  }
  const reached = (folder: string, seen = new Set<string>()): Set<string> => {
    for (const next of leadsTo.get(folder) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  expect([...leadsTo.keys()].filter((folder) => reached(folder).has(folder))).toEqual([]);
});
