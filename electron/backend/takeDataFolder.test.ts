import { expect, it } from 'vitest';
import { notTakenWords } from './takeDataFolder.ts';

const dataFolder = '/home/ana/ferry';
const lockFile = '/home/ana/ferry/lock';

it('names the process, the folder, and every way out', () => {
  const { message, hint } = notTakenWords(dataFolder, { taken: false, why: 'held', lockFile, pid: 4711 });
  expect(message).toBe('Wallet Ferry runs already.');
  expect(hint).toContain('process 4711');
  expect(hint).toContain('/home/ana/ferry.');
  expect(hint).toContain('WALLET_FERRY_DATA');
  expect(hint).toContain('remove /home/ana/ferry/lock');
});

it('has nobody remove the lock of a process that is not known', () => {
  const { hint } = notTakenWords(dataFolder, { taken: false, why: 'held', lockFile, pid: null });
  expect(hint).not.toContain('remove');
});

it.each([
  ['ENOSPC', /is full\.\nMake room.*\n.*\nNothing was changed/],
  ['EDQUOT', /is full\.\nMake room.*\n.*\nNothing was changed/],
  ['EROFS', /cannot write \/home\/ana\/ferry\/lock.*EROFS.*\nMake \/home\/ana\/ferry.*\n.*\nNothing/],
  [null, /unknown/],
])('says what to do about a folder that cannot be used (%s)', (code, words) => {
  const told = notTakenWords(dataFolder, { taken: false, why: 'unusable', code, lockFile });
  expect(told.message).toBe('Wallet Ferry cannot use its data folder.');
  expect(told.hint).toMatch(words);
  expect(told.hint).toContain('WALLET_FERRY_DATA');
});
