/** The feed of new releases in a package, with and without UPDATE_FEED. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CAN_LINK } from '../electron/files/testing/system.ts';
import { makeTestFolder } from '../electron/files/testing/testFolder.ts';
import manifest from '../package.json' with { type: 'json' };
import packaging from './electron-builder.mjs';
import { root } from './system.mjs';
import { writeLatest } from './updateFeed.mjs';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the packed package.json', () => {
  it.each([
    ['https://example.org/ferry', 'https://example.org/ferry/'],
    ['https://example.org', 'https://example.org/'],
    ['http://127.0.0.1:8080/ferry/', 'http://127.0.0.1:8080/ferry/'],
  ])('names the feed %s', (named, updateFeed) => {
    vi.stubEnv('UPDATE_FEED', named);
    expect(packaging().extraMetadata).toMatchObject({ updateFeed });
  });

  it.each([undefined, ''])('names no feed if UPDATE_FEED is %j', (named) => {
    vi.stubEnv('UPDATE_FEED', named);
    expect(packaging().extraMetadata).not.toHaveProperty('updateFeed');
  });
});

const bad = [
  'example.org',
  'http://example.org/',
  'http://127.0.0.1.example.org/',
  'file:///srv/ferry/',
  'https://me:secret@example.org/',
  'https://:secret@example.org/',
  'https://example.org/?of=ferry',
  'https://example.org/#ferry',
];

it.each(bad)('refuses %s', (named) => {
  vi.stubEnv('UPDATE_FEED', named);
  expect(packaging).toThrow(/^UPDATE_FEED must be the address of a folder, https:/);
});

it.skipIf(!CAN_LINK)('refuses a bad feed in one line, before it builds anything', () => {
  // In a copy without sources, which cannot be built.
  const copy = makeTestFolder();
  cpSync(join(root, 'build'), join(copy, 'build'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, 'build', 'package.mjs')], {
    env: { ...process.env, UPDATE_FEED: 'http://example.org/' },
    encoding: 'utf8',
  });
  expect(stderr).toMatch(
    /^UPDATE_FEED must be the address of a folder, .*"http:\/\/example\.org\/" is not.*\n$/,
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});

it('writes the packed version to latest.json', () => {
  const folder = makeTestFolder();
  writeLatest(folder);
  expect(readFileSync(join(folder, 'latest.json'), 'utf8')).toBe(`{"version":"${manifest.version}"}\n`);
});

it('passes the feed of the repository to a release, which includes latest.json', () => {
  const release = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
  expect(release).toMatch(/UPDATE_FEED: \$\{\{ vars\.UPDATE_FEED \}\}/);
  expect(release).toContain('dist/latest.json');
});
