import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readJsonFile, tryToWriteJsonFile } from '../files/jsonFile.ts';
import { windowPlace } from './windowPlace.ts';

const folder = mkdtempSync(join(tmpdir(), 'ferry-window-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = { area: { x: -20, y: 40, width: 900, height: 600 }, maximized: true };

it('gives back what was written, into a folder that was not there', () => {
  const file = join(folder, 'new', 'window.json');
  expect(readJsonFile(file, windowPlace)).toBeNull();
  tryToWriteJsonFile(file, place);
  expect(readJsonFile(file, windowPlace)).toEqual(place);
});

it.each([
  ['torn', '{"area":{"x":1,'],
  ['of another shape', '[]'],
  ['without a size', JSON.stringify({ ...place, area: { ...place.area, width: 0 } })],
  ['with a place beyond all displays', JSON.stringify({ ...place, area: { ...place.area, x: 1e9 } })],
  ['with words for numbers', JSON.stringify({ ...place, area: { ...place.area, y: '1' } })],
])('knows no place from a file that is %s', (_, content) => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, content);
  expect(readJsonFile(file, windowPlace)).toBeNull();
});

it.skipIf(process.platform === 'win32')('waits for no pipe, and puts a file in its place', () => {
  const file = join(folder, 'pipe.json');
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  expect(readJsonFile(file, windowPlace)).toBeNull();
  tryToWriteJsonFile(file, place);
  expect(readJsonFile(file, windowPlace)).toEqual(place);
});

it('goes on where it cannot write', () => {
  const file = join(folder, 'a file', 'window.json');
  writeFileSync(join(folder, 'a file'), '');
  expect(() => tryToWriteJsonFile(file, place)).not.toThrow();
});
