import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readJsonFile, tryToWriteJsonFile } from '../files/jsonFile.ts';
import { windowBounds } from './windowBounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'ferry-window-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bounds = { area: { x: -20, y: 40, width: 900, height: 600 }, maximized: true };

it('reads what it wrote, into a folder that was missing', () => {
  const file = join(folder, 'new', 'window.json');
  expect(readJsonFile(file, windowBounds)).toBeNull();
  tryToWriteJsonFile(file, bounds);
  expect(readJsonFile(file, windowBounds)).toEqual(bounds);
});

it.each([
  ['torn', '{"area":{"x":1,'],
  ['of another shape', '[]'],
  ['without a width', JSON.stringify({ ...bounds, area: { ...bounds.area, width: 0 } })],
  ['with coordinates beyond all displays', JSON.stringify({ ...bounds, area: { ...bounds.area, x: 1e9 } })],
  ['with text instead of a number', JSON.stringify({ ...bounds, area: { ...bounds.area, y: '1' } })],
])('reads nothing from a file that is %s', (_, content) => {
  const file = join(folder, 'broken.json');
  writeFileSync(file, content);
  expect(readJsonFile(file, windowBounds)).toBeNull();
});

it.skipIf(process.platform === 'win32')('does not wait for a pipe, and replaces it with a file', () => {
  const file = join(folder, 'pipe.json');
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  expect(readJsonFile(file, windowBounds)).toBeNull();
  tryToWriteJsonFile(file, bounds);
  expect(readJsonFile(file, windowBounds)).toEqual(bounds);
});

it('does not throw if it cannot write', () => {
  const file = join(folder, 'a file', 'window.json');
  writeFileSync(join(folder, 'a file'), '');
  expect(() => tryToWriteJsonFile(file, bounds)).not.toThrow();
});
