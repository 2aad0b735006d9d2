/** The house is as docs/architecture.md says: what each room may import, how much it holds, and no circles of rooms. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './system.mjs';
import { pageOf, tableAfter } from './testing/documentPages.ts';

const MOST_IN_A_ROOM = 20;

interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly room: string;
  /** What it imports: files of ours by their paths, packages by their names. */
  readonly imports: readonly string[];
}

const sources: readonly Source[] = ['shared', 'electron', 'renderer'].flatMap(filesBelow).map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s(?:[^'"=;]*\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  const imports = [...found].map(([, one, other]) => one ?? other ?? '');
  const resolve = (name: string) => (name.startsWith('.') ? posix.join(dirname(path), name) : name);
  return { path, room: dirname(path), imports: imports.map(resolve) };
});
const product = sources.filter(({ path }) => !/\.test\.tsx?$|\/testing\//.test(path));

describe('a room', () => {
  const rules = new Map(
    tableAfter(pageOf('docs/architecture.md'), '## What may import what').map(([room, may]) => [
      code(room).join(),
      code(may),
    ]),
  );
  const ruleOf = (path: string) =>
    [...rules.keys()]
      .filter((room) => path.startsWith(`${room}/`))
      .reduce((longest, room) => (room.length > longest.length ? room : longest), '');

  /** What stands above all rooms of its side: the doors, and the page's frame. */
  const allFor = (own: string) => {
    if (own === 'electron') return [...rules.keys()].filter((room) => room !== 'electron/engine');
    return own === 'renderer/frame' ? [...rules.keys()].filter((room) => room.startsWith('renderer/')) : [];
  };

  it('imports what it may, and nothing else of ours', () => {
    const wrong = product.flatMap(({ path, imports }) => {
      const own = ruleOf(path);
      const may = [own, ...(rules.get(own) ?? []), ...allFor(own)];
      return imports
        .filter((name) => ruleOf(name) !== '' && !may.includes(ruleOf(name)))
        .map((name) => `${path}: ${name}`);
    });
    expect(wrong).toEqual([]);
    expect(product.map(({ path }) => path).filter((path) => ruleOf(path) === '')).toEqual([]);
  });

  it('takes Node and Electron only where they belong', () => {
    const importing = (pattern: RegExp) =>
      product.filter(({ imports }) => imports.some((name) => pattern.test(name))).map(({ path }) => path);
    expect(importing(/^node:/).filter((path) => /^(?:shared|renderer)\//.test(path))).toEqual([]);
    expect(
      importing(/^electron$/).filter(
        (path) => !/^electron\/(?:main|preload|desktop|desktopServices)\.ts$|^electron\/host\//.test(path),
      ),
    ).toEqual([]);
  });

  it(`holds at most ${MOST_IN_A_ROOM} files`, () => {
    const sizes = new Map<string, number>();
    for (const { room } of product) sizes.set(room, (sizes.get(room) ?? 0) + 1);
    const large = [...sizes].filter(([, size]) => size > MOST_IN_A_ROOM);
    expect(large).toEqual([]);
  });

  it('is in no circle with other rooms', () => {
    const leadsTo = new Map<string, Set<string>>();
    // The doors, and the page's start, stand above all rooms, in the folder around them.
    for (const { room, imports } of product) {
      for (const name of imports.filter((one) => /^(?:electron|renderer)\/.*\.tsx?$/.test(one))) {
        if (dirname(name) === room) continue;
        leadsTo.set(room, (leadsTo.get(room) ?? new Set()).add(dirname(name)));
      }
    }
    const reached = (room: string, seen = new Set<string>()): Set<string> => {
      for (const next of leadsTo.get(room) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        reached(next, seen);
      }
      return seen;
    };
    expect([...leadsTo.keys()].filter((room) => reached(room).has(room))).toEqual([]);
  });
});

function code(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) =>
      posix.join(
        entry.parentPath
          .slice(root.length)
          .replace(/^[\\/]/, '')
          .replaceAll('\\', '/'),
        entry.name,
      ),
    );
}
