/** The workflows of GitHub. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './system.mjs';

const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe.each(readdirSync(folder))('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

  it('runs only npm scripts and files that exist', () => {
    const named = [...all(/\bnpm run ([\w:]+)/g), ...(/\bnpm test\b/.test(text) ? ['test'] : [])];
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    const files = [...all(/\bnode ([\w/.]+\.mjs)/g), ...all(/uses: \.\/(\S+)/g)];
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('waits only for its own jobs', () => {
    expect(all(/^ {2}(\w+):$/gm)).toEqual(expect.arrayContaining(all(/^ {4}needs: (\w+)$/gm)));
  });

  it('pins each third-party action to a commit', () => {
    expect(all(/uses: (?!\.\/)(\S+)/g).filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

it('tests and packs with the official Electron that the lock file names', () => {
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(
      /ELECTRON_(?:\w*DIST_PATH|MIRROR|CUSTOM\w*)/i,
    );
});

it('tests and packs on the three systems', () => {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  for (const name of ['ci.yml', 'release.yml'])
    expect(read(name)).toContain('os: [ubuntu-24.04, macos-15, windows-2025]');
  expect(read('ci.yml')).toContain('run: npm ci && npm test');
});
