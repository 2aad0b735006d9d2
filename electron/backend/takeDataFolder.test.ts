import { expect, it } from 'vitest';
import { lockRefusalText } from './takeDataFolder.ts';

const dataFolder = '/home/ana/ferry';
const lockFile = '/home/ana/ferry/lock';

it('names the process, the folder and every solution', () => {
  const { message, hint } = lockRefusalText(dataFolder, { taken: false, why: 'held', lockFile, pid: 4711 });
  expect(message).toBe('Wallet Ferry is already running.');
  expect(hint).toContain('process 4711');
  expect(hint).toContain('/home/ana/ferry.');
  expect(hint).toContain('WALLET_FERRY_DATA');
  expect(hint).toContain('remove /home/ana/ferry/lock');
});

it('does not suggest to remove the lock of an unknown process', () => {
  const { hint } = lockRefusalText(dataFolder, { taken: false, why: 'held', lockFile, pid: null });
  expect(hint).not.toContain('remove');
});

it.each([
  ['ENOSPC', /Not enough space in .*\nMake room.*\n.*\nNothing was changed/],
  ['EDQUOT', /Not enough space in .*\nMake room.*\n.*\nNothing was changed/],
  ['EROFS', /cannot write \/home\/ana\/ferry\/lock.*EROFS.*\nMake \/home\/ana\/ferry.*\n.*\nNothing/],
  [null, /unknown/],
])('says what to do if the folder cannot be used (%s)', (code, pattern) => {
  const refusal = lockRefusalText(dataFolder, { taken: false, why: 'unusable', code, lockFile });
  expect(refusal.message).toBe('Unusable data folder.');
  expect(refusal.hint).toMatch(pattern);
  expect(refusal.hint).toContain('WALLET_FERRY_DATA');
});
