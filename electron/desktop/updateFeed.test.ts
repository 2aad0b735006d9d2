import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { updateFeed } from './updateFeed.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'feed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const feedOf = (manifest: string) => {
  writeFileSync(join(folder, 'package.json'), manifest);
  return updateFeed(folder)?.href ?? null;
};

it.each(['https://example.org/ferry/', 'http://127.0.0.1:8080/', 'http://[::1]/'])('is %s', (updateFeed) => {
  expect(feedOf(JSON.stringify({ name: 'wallet-ferry', updateFeed }))).toBe(updateFeed);
});

// SECURITY.md: A hostile feed of releases
it.each([
  '{"name":"wallet-ferry"}',
  '{"updateFeed":""}',
  '{"updateFeed":"example.org"}',
  '{"updateFeed":["https://example.org/"]}',
  '{"updateFeed":"http://example.org/"}',
  '{"updateFeed":"file:///etc/"}',
  '"updateFeed"',
  'no JSON',
])('is none in %s', (manifest) => {
  expect(feedOf(manifest)).toBeNull();
});

it('is none where there is no package.json', () => {
  expect(updateFeed(folder)).toBeNull();
});
