import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ferryArguments, fileArgument } from './fileArgument.ts';

const home = resolve('/home/ana');
const backup = join(home, 'my wallet-17.legacy.bak');

it('takes a path as it is, and one from the working folder made absolute', () => {
  expect(fileArgument(['app', backup], '/')).toBe(backup);
  expect(fileArgument(['app', 'my wallet-17.legacy.bak'], home)).toBe(backup);
});

it('takes the address that a file manager gives', () => {
  expect(fileArgument(['app', pathToFileURL(backup).href], '/')).toBe(backup);
});

it('takes the last one, in small letters or large', () => {
  expect(fileArgument(['app', '--flag', 'old.bak', 'WALLET.DAT'], home)).toBe(join(home, 'WALLET.DAT'));
});

// SECURITY.md: Whoever starts the app with a file
it.each([
  ['nothing', []],
  ['no such file', ['notes.txt']],
  ['a switch', ['--log-file=x.dat']],
  ['an address elsewhere', ['file://server/share/wallet.bak']],
  ['an address that is none', ['file:///%zz.bak']],
])('takes nothing of %s', (_, words) => {
  // A share on another machine has a path on Windows alone.
  if (process.platform === 'win32' && words[0]?.startsWith('file://server')) return;
  expect(fileArgument(['app.dat', ...words], home)).toBeNull();
});

it('takes what follows the word “ferry” for the terminal, and that word nowhere else', () => {
  expect(ferryArguments(['app', 'ferry', 'inspect', 'a.dat'], true)).toEqual(['inspect', 'a.dat']);
  expect(ferryArguments(['app', '--no-sandbox', 'ferry'], true)).toEqual([]);
  expect(ferryArguments(['electron', '.', 'ferry', '--help'], false)).toEqual(['--help']);
  expect(ferryArguments(['app', 'a.dat', 'ferry'], true)).toBeNull();
  expect(ferryArguments(['electron', '.'], false)).toBeNull();
});
