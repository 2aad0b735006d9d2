import { expect, it } from 'vitest';
import { openRequestOf } from './fileArgument.ts';
import { iconTask } from './iconTask.ts';

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
