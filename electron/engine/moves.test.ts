import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doMoves, finishMoves, type Move } from './moves.ts';
import { makeDataFolder, removeDataFolder } from './testEngine.ts';

/** A bare file makes room for a folder of its name: the hardest series there is. */
const moves: Move[] = [
  { from: '.one.part', to: 'one_watchonly' },
  { from: 'one', to: '.old.part' },
  { from: '.new.part', to: 'one' },
];

describe('a series of moves', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeDataFolder();
    for (const part of ['.one.part', '.new.part']) {
      mkdirSync(join(folder, part));
      writeFileSync(join(folder, part, 'wallet.dat'), part);
    }
    writeFileSync(join(folder, 'one'), 'legacy');
  });
  afterEach(() => removeDataFolder(folder));

  const isDone = () => {
    expect(readFileSync(join(folder, 'one', 'wallet.dat'), 'utf8')).toBe('.new.part');
    expect(readFileSync(join(folder, 'one_watchonly', 'wallet.dat'), 'utf8')).toBe('.one.part');
    expect(readFileSync(join(folder, '.old.part'), 'utf8')).toBe('legacy');
    expect(readdirSync(folder).sort()).toEqual(['.old.part', 'one', 'one_watchonly']);
  };

  it('is done', () => {
    doMoves(folder, moves);
    isDone();
  });

  it.each([0, 1, 2, 3])('is finished by the next start when it was cut off after %i', (done) => {
    writeFileSync(join(folder, '.wallet-ferry-0123456789abcdef.moves'), JSON.stringify({ moves }));
    for (const { from, to } of moves.slice(0, done)) renameSync(join(folder, from), join(folder, to));
    expect(finishMoves(folder)).toEqual([moves]);
    isDone();
    expect(finishMoves(folder)).toEqual([]);
  });

  it('is taken back when a rename fails, and nothing of it is left to be finished', () => {
    const gone = [...moves.slice(0, 2), { from: '.nowhere.part', to: 'one' }];
    const before = readdirSync(folder).sort();
    expect(() => doMoves(folder, gone)).toThrow('ENOENT');
    expect(readdirSync(folder).sort()).toEqual(before);
    expect(readFileSync(join(folder, 'one'), 'utf8')).toBe('legacy');
  });

  it('is not finished over what took its place meanwhile', () => {
    writeFileSync(join(folder, '.wallet-ferry-0123456789abcdef.moves'), JSON.stringify({ moves }));
    mkdirSync(join(folder, 'one_watchonly'));
    expect(() => finishMoves(folder)).toThrow('something else');
    expect(readFileSync(join(folder, 'one'), 'utf8')).toBe('legacy');
  });

  it('never follows one that leads out of the folder', () => {
    const out = [{ from: 'one', to: '../two' }];
    writeFileSync(join(folder, '.wallet-ferry-0123456789abcdef.moves'), JSON.stringify({ moves: out }));
    expect(() => finishMoves(folder)).toThrow();
    expect(existsSync(join(folder, 'one'))).toBe(true);
  });
});
