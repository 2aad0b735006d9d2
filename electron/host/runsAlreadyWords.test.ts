import { expect, it } from 'vitest';
import { notTakenWords, runsAlreadyWords } from './runsAlreadyWords.ts';

const holder = { dataFolder: '/home/ana/ferry', lockFile: '/home/ana/ferry/lock' };

it('names the process, the folder, and every way out', () => {
  const { message, detail } = runsAlreadyWords({ ...holder, pid: 4711 });
  expect(message).toBe('Wallet Ferry runs already.');
  expect(detail).toContain('process 4711');
  expect(detail).toContain('/home/ana/ferry,');
  expect(detail).toContain('WALLET_FERRY_DATA');
  expect(detail).toContain('remove the file /home/ana/ferry/lock');
});

it('has nobody remove the lock of a process that is not known', () => {
  expect(runsAlreadyWords({ ...holder, pid: null }).detail).not.toContain('remove the file');
});

it.each([
  ['ENOSPC', /is full.*\n.*changed nothing.*\nMake room/],
  [
    'EROFS',
    /cannot write the file \/home\/ana\/ferry\/lock.*EROFS.*\n.*changed nothing.*\nMake \/home\/ana\/ferry/,
  ],
  [null, /unknown reason/],
])('says what to do about a folder that cannot be used (%s)', (code, words) => {
  const { lockFile, dataFolder } = holder;
  const told = notTakenWords(dataFolder, { taken: false, why: 'unusable', code, lockFile });
  expect(told.message).toBe('Wallet Ferry cannot use its folder of data.');
  expect(told.detail).toMatch(words);
  expect(told.detail).toContain('WALLET_FERRY_DATA');
});
