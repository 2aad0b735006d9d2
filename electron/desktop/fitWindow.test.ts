import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readJsonFile, tryToWriteJsonFile } from '../files/durableFile.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { fitWindow, windowBounds } from './fitWindow.ts';

const laptop = { x: 0, y: 27, width: 1440, height: 873 };
const right = { x: 1440, y: 0, width: 1920, height: 1080 };

const small = { x: 0, y: 0, width: 1024, height: 600 };
const [onLaptop, onRight] = [at(100, 80, 900, 600), at(1500, 10, 1200, 900)];

it.each([
  ['are a default size at first', null, [laptop], sized(1100, 760)],
  ['are smaller at first on a small display', null, [small], sized(1024, 600)],
  ['are where it closed, on one display', onLaptop, [laptop, right], onLaptop],
  ['are where it closed, on another', onRight, [laptop, right], onRight],
  [
    'move onto the display that held most of it',
    at(900, 0, 900, 600),
    [laptop, right],
    at(540, 27, 900, 600),
  ],
  ['shrink to a smaller display', at(200, 100, 3000, 2000), [laptop], laptop],
  ['are only a size if the display is gone', at(1500, 10, 1200, 1000), [laptop], sized(1200, 873)],
  ['are never too small to use', at(10, 50, 1, 1), [laptop], at(10, 50, 480, 400)],
  ['stay as saved without a display', at(5, 5, 800, 600), [], sized(800, 600)],
])('the opening bounds of the window %s', (_, saved, displays, bounds) => {
  expect(fitWindow(saved, displays)).toEqual(bounds);
});

function sized(width: number, height: number) {
  return { width, height };
}

function at(x: number, y: number, width: number, height: number) {
  return { x, y, width, height };
}

const bounds = { area: at(-20, 40, 900, 600), maximized: true };

it('reads what it wrote, into a folder that was missing', () => {
  const file = join(makeTestFolder(), 'new', 'window.json');
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
  const file = join(makeTestFolder(), 'broken.json');
  writeFileSync(file, content);
  expect(readJsonFile(file, windowBounds)).toBeNull();
});

it.skipIf(process.platform === 'win32')('does not wait for a pipe, and replaces it with a file', () => {
  const file = join(makeTestFolder(), 'pipe.json');
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  expect(readJsonFile(file, windowBounds)).toBeNull();
  tryToWriteJsonFile(file, bounds);
  expect(readJsonFile(file, windowBounds)).toEqual(bounds);
});

it('does not throw if it cannot write', () => {
  const file = join(makeTestFolder(), 'a file');
  writeFileSync(file, '');
  expect(() => tryToWriteJsonFile(join(file, 'window.json'), bounds)).not.toThrow();
});
