import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ON_WINDOWS } from '../files/testing/system.ts';
import { CHOOSE_FILE, ferryArguments, findWalletArgument, iconTask, openRequestOf } from './fileArgument.ts';

const home = resolve('/home/ana');
const backup = join(home, 'my wallet-17.legacy.bak');

it('takes a full path, and resolves one in the working folder', () => {
  expect(findWalletArgument(['app', backup], '/')).toBe(backup);
  expect(findWalletArgument(['app', 'my wallet-17.legacy.bak'], home)).toBe(backup);
});

it('takes the URL that a file manager passes', () => {
  expect(findWalletArgument(['app', pathToFileURL(backup).href], '/')).toBe(backup);
});

it('takes the last file, in any letter case', () => {
  expect(findWalletArgument(['app', '--flag', 'old.bak', 'WALLET.DAT'], home)).toBe(join(home, 'WALLET.DAT'));
});

it.each<readonly [string, readonly string[]]>([
  ['no argument', []],
  ['another kind of file', ['notes.txt']],
  ['an option', ['--log-file=x.dat']],
  // On Windows it is the path of a share.
  ...(ON_WINDOWS ? [] : [['a URL of another machine', ['file://server/share/wallet.bak']] as const]),
  ['an invalid URL', ['file:///%zz.bak']],
])('takes nothing from %s', (_, args) => {
  expect(findWalletArgument(['app.dat', ...args], home)).toBeNull();
});

it('asks for the dialog that chooses a file, unless it was given a file', () => {
  expect(openRequestOf(['app', CHOOSE_FILE], home)).toEqual({ route: 'open' });
  expect(openRequestOf(['app', CHOOSE_FILE, backup], home)).toEqual({ file: backup });
  expect(openRequestOf(['app', '--no-sandbox'], home)).toBeNull();
});

it('takes the arguments after “ferry” only if it comes first', () => {
  expect(ferryArguments(['app', 'ferry', 'inspect', 'a.dat'], true)).toEqual(['inspect', 'a.dat']);
  expect(ferryArguments(['app', '--no-sandbox', 'ferry'], true)).toEqual([]);
  expect(ferryArguments(['electron', '.', 'ferry', '--help'], false)).toEqual(['--help']);
  expect(ferryArguments(['app', 'a.dat', 'ferry'], true)).toBeNull();
  expect(ferryArguments(['electron', '.'], false)).toBeNull();
});

const path = 'C:\\Users\\ana\\AppData\\Local\\Programs\\Wallet Ferry\\Wallet Ferry.exe';
const installed = { platform: 'win32', packaged: true, portable: undefined, path } as const;

it('has the installed app open the dialog that chooses a wallet', () => {
  const task = iconTask('Open a wallet file…', installed);
  expect(task).toMatchObject({ program: path, iconPath: path, title: 'Open a wallet file…' });
  expect(openRequestOf([path, task?.arguments ?? ''], 'C:\\')).toEqual({ route: 'open' });
});

it.each([
  ['another system', { platform: 'darwin' }],
  ['the app in development', { packaged: false }],
  ['the portable app, which lies elsewhere at its next start', { portable: 'D:\\portable.exe' }],
] as const)('is not offered for %s', (_, other) => {
  expect(iconTask('Open a wallet file…', { ...installed, ...other })).toBeNull();
});
