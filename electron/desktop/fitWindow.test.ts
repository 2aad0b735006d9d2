import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readJsonFile, tryToWriteJsonFile } from '../files/durableFile.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { fitWindow, windowBounds } from './fitWindow.ts';

const laptop = { x: 0, y: 27, width: 1440, height: 873 };
const right = { x: 1440, y: 0, width: 1920, height: 1080 };

describe('the opening bounds of the window', () => {
  it('are a default size at first', () => {
    expect(fitWindow(null, [laptop])).toEqual({ width: 1100, height: 760 });
  });

  it('are smaller at first on a small display', () => {
    expect(fitWindow(null, [{ x: 0, y: 0, width: 1024, height: 600 }])).toEqual({ width: 1024, height: 600 });
  });

  it('are where it closed, on either display', () => {
    const onLaptop = { x: 100, y: 80, width: 900, height: 600 };
    const onRight = { x: 1500, y: 10, width: 1200, height: 900 };
    expect(fitWindow(onLaptop, [laptop, right])).toEqual(onLaptop);
    expect(fitWindow(onRight, [laptop, right])).toEqual(onRight);
  });

  it('move onto the display that held most of the window', () => {
    expect(fitWindow({ x: 900, y: 0, width: 900, height: 600 }, [laptop, right])).toEqual({
      x: 540,
      y: 27,
      width: 900,
      height: 600,
    });
  });

  it('shrink to a smaller display', () => {
    expect(fitWindow({ x: 200, y: 100, width: 3000, height: 2000 }, [laptop])).toEqual(laptop);
  });

  it('are only a size if the display is gone', () => {
    expect(fitWindow({ x: 1500, y: 10, width: 1200, height: 1000 }, [laptop])).toEqual({
      width: 1200,
      height: 873,
    });
  });

  it('are never too small to use', () => {
    expect(fitWindow({ x: 10, y: 50, width: 1, height: 1 }, [laptop])).toEqual({
      x: 10,
      y: 50,
      width: 480,
      height: 400,
    });
  });

  it('stay as saved without a display', () => {
    expect(fitWindow({ x: 5, y: 5, width: 800, height: 600 }, [])).toEqual({ width: 800, height: 600 });
  });
});

const bounds = { area: { x: -20, y: 40, width: 900, height: 600 }, maximized: true };

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
