import { describe, expect, it } from 'vitest';
import {
  findNameProblem,
  joinPath,
  type NameRules,
  pathOfText,
  similarNames,
  suggestBackupName,
  suggestedBackups,
  walletIdentity,
} from './walletName.ts';

const problemOf = (name: string, rules: Partial<NameRules> = {}) =>
  findNameProblem(name, { taken: [], platform: 'linux', ...rules });

describe('findNameProblem', () => {
  it.each([
    ['savings'],
    ['wallet.dat old'],
    ['wallets of mine'],
    ['family/alice'],
    ['family/wallets'],
    ['Ersparnisse für später 💰'],
    ['a..b'],
    ['..hidden'],
    ['odd [name] of: mine'],
    ['trailing dot.'],
  ])('takes %j, which a node on Linux can store', (name) => {
    expect(problemOf(name)).toBeNull();
  });

  // SECURITY.md: A hostile wallets folder
  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['..', 'leads_out'],
    ['../outside', 'leads_out'],
    ['a/../../b', 'leads_out'],
    ['/etc/wallet', 'empty_part'],
    ['wallet/', 'empty_part'],
    ['C:/wallets', 'drive_letter'],
    ['c:', 'drive_letter'],
    ['a\\b', 'backslash'],
    ['a//b', 'empty_part'],
    ['./a', 'empty_part'],
    ['.', 'empty_part'],
    ['nul\0byte', 'control_character'],
    ['two\nlines', 'control_character'],
    ['delete\u007f', 'control_character'],
    ['half a pair \ud83d', 'unpaired_surrogate'],
    ['savings\ufe0f', 'invisible_character'],
    ['sav\u034fings', 'invisible_character'],
    ['sav\u00a0ings', 'invisible_character'],
    ['\u202esgnivas', 'invisible_character'],
    ['savings\u{e0fff}', 'invisible_character'],
    ['.wallet-ferry-0123456789abcdef.part', 'reserved_by_app'],
    ['a/.Wallet-Ferry-x/b', 'reserved_by_app'],
    ['wallets', 'reserved_by_node'],
    ['Wallets/savings', 'reserved_by_node'],
    ['database', 'reserved_by_node'],
    ['peers.dat', 'reserved_by_node'],
    ['wallet.dat', 'reserved_by_node'],
    ['.walletlock', 'reserved_by_node'],
  ])('refuses %j on every system: %s', (name, reason) => {
    for (const platform of ['linux', 'darwin', 'win32', 'other'] as const) {
      expect(problemOf(name, { platform })).toBe(reason);
    }
  });

  it.each([
    ['what?', 'windows_character'],
    ['a|b', 'windows_character'],
    ['"quoted"', 'windows_character'],
    ['<x>', 'windows_character'],
    ['a*', 'windows_character'],
    ['ends in a dot.', 'windows_ending'],
    ['ends in a space ', 'windows_ending'],
    ['CON', 'windows_device'],
    ['folder/aux', 'windows_device'],
    ['nul.dat', 'windows_device'],
    ['Lpt1', 'windows_device'],
    ['CONIN$', 'windows_device'],
  ])('refuses %j on Windows only: %s', (name, problem) => {
    expect(problemOf(name, { platform: 'win32' })).toBe(problem);
    expect(problemOf(name, { platform: 'linux' })).toBeNull();
    expect(problemOf(name, { platform: 'darwin' })).toBeNull();
  });

  it('limits the bytes (UTF-8) of each part of the path', () => {
    expect(problemOf('a'.repeat(255))).toBeNull();
    expect(problemOf('a'.repeat(256))).toBe('too_long');
    expect(problemOf('💰'.repeat(63))).toBeNull();
    expect(problemOf('💰'.repeat(64))).toBe('too_long');
    expect(problemOf(`${'a'.repeat(200)}/${'b'.repeat(200)}`)).toBeNull();
  });

  it('finds a taken name, also in another case if the file system ignores case', () => {
    const taken = ['Savings', 'family/alice'];
    expect(problemOf('Savings', { taken })).toBe('taken');
    expect(problemOf('savings', { taken })).toBeNull();
    expect(problemOf('savings', { taken, platform: 'darwin' })).toBe('taken');
    expect(problemOf('SAVINGS', { taken, platform: 'win32' })).toBe('taken');
    expect(problemOf('family/alice', { taken })).toBe('taken');
    expect(problemOf('family', { taken })).toBeNull();
  });

  it('finds a taken nested name that Windows lists with a backslash', () => {
    expect(problemOf('family/alice', { taken: ['family\\alice'], platform: 'win32' })).toBe('taken');
  });

  it('finds a taken name with decomposed accents on a Mac', () => {
    expect(problemOf('sp\u00e4ter', { taken: ['spa\u0308ter'], platform: 'darwin' })).toBe('taken');
  });
});

const day = new Date(2026, 2, 7, 12);

describe('suggestBackupName', () => {
  it.each([
    ['savings', 'savings 2026-03-07.dat'],
    ['', 'wallet 2026-03-07.dat'],
    ['family/alice', 'family-alice 2026-03-07.dat'],
    ['../../etc/passwd', 'etc-passwd 2026-03-07.dat'],
    ['a:b*c?"d"', 'a-b-c--d- 2026-03-07.dat'],
    ['evil\u202Etxt.exe', 'evil-txt.exe 2026-03-07.dat'],
    ['Ersparnisse für später 💰', 'Ersparnisse für später 💰 2026-03-07.dat'],
    ['...', 'wallet 2026-03-07.dat'],
  ])('calls the backup of %j %j', (wallet, file) => {
    expect(suggestBackupName(wallet, day)).toBe(file);
  });

  it('is a valid file name on every system', () => {
    const file = suggestBackupName('💰'.repeat(300), day);
    expect(new TextEncoder().encode(file).length).toBeLessThanOrEqual(255);
    expect(() => encodeURIComponent(file)).not.toThrow();
  });
});

describe('suggestedBackups', () => {
  it('are unique in a folder, even if the disk ignores case', () => {
    const now = new Date(2026, 2, 7, 9, 5, 2);
    expect(suggestedBackups(['a/b', 'A:b', 'other'], now)).toEqual([
      'a-b 2026-03-07 090502.dat',
      'A-b 2026-03-07 090502 2.dat',
      'other 2026-03-07 090502.dat',
    ]);
  });
});

describe('joinPath', () => {
  it('joins paths as the system does, also at the root of a disk', () => {
    expect(joinPath('/home/me', 'a.bak', 'linux')).toBe('/home/me/a.bak');
    expect(joinPath('/', 'a.bak', 'darwin')).toBe('/a.bak');
    expect(joinPath('D:\\', 'a.bak', 'win32')).toBe('D:\\a.bak');
    expect(joinPath('D:\\wallets', 'a.bak', 'win32')).toBe('D:\\wallets\\a.bak');
  });
});

describe('walletIdentity', () => {
  it.each([
    ['/w', ['./x', 'x/', 'a/../x', '/w/x', '//w/./x/', '../w/x'], 'x'],
    ['/w', ['.', './', '/w'], ''],
    ['/w', ['/v/x', '../v/x'], '/v/x'],
    ['/w', ['../../x'], '/x'],
    ['C:\\W', ['X', 'x', '.\\x', './X', 'c:/w/x', 'C:\\W\\a\\..\\x\\'], 'x'],
    ['/', ['x', './x', '/x'], 'x'],
    [null, ['x', './x', 'a/../x/'], 'x'],
    [null, ['/x/'], '/x'],
  ])('is the same in %s for %j', (folder, names, identity) => {
    expect(names.map((name) => walletIdentity(name, folder))).toEqual(names.map(() => identity));
  });

  it('differs by case and backslashes where these make another folder', () => {
    const identities = ['x', 'X', '\\x', 'y/x', '../w2/x', 'x..'].map((name) => walletIdentity(name, '/w'));
    expect(new Set(identities).size).toBe(6);
  });
});

describe('similarNames', () => {
  it('finds names with a typing error, another case, an accent or a part of the word', () => {
    expect(similarNames('savigns', ['holiday', 'savings', 'old savings'])).toEqual(['savings']);
    expect(similarNames('Savings', ['savings', 'savings-2'])).toEqual(['savings', 'savings-2']);
    expect(similarNames('cafe', ['Café'])).toEqual(['Café']);
    expect(similarNames('sav', ['savings'])).toEqual(['savings']);
    expect(similarNames('--ofline', ['--offline', '--out'])).toEqual(['--offline']);
  });

  it('finds nothing if no name is similar', () => {
    expect(similarNames('x', ['savings', ''])).toEqual([]);
    expect(similarNames('', ['savings'])).toEqual([]);
    expect(similarNames('a'.repeat(4000), ['savings', `b${'a'.repeat(4000)}`])).toEqual([
      `b${'a'.repeat(4000)}`,
    ]);
  });

  it('finds at most three, the nearest first', () => {
    expect(similarNames('wallet', ['wallet-3', 'wallet', 'wallets', 'wallet2', 'wallet-10'])).toEqual([
      'wallet',
      'wallets',
      'wallet2',
    ]);
  });
});

describe('pathOfText', () => {
  it.each([
    ['/home/ana/wallet.dat', '/home/ana/wallet.dat'],
    ['  /home/ana/my wallet.dat \n', '/home/ana/my wallet.dat'],
    [`"/home/ana/my wallet.dat"`, '/home/ana/my wallet.dat'],
    [`'/home/ana/my wallet.dat'`, '/home/ana/my wallet.dat'],
    ['~/old/wallet.dat', '/home/ana/old/wallet.dat'],
    ['~', '/home/ana'],
    ['~bob/wallet.dat', '~bob/wallet.dat'],
    ['/home/ana/my\\ wallet\\ \\(1\\).dat', '/home/ana/my wallet (1).dat'],
    ['/home/ana/"odd".dat', '/home/ana/"odd".dat'],
    ['file:///home/ana/my%20wallet.dat', '/home/ana/my wallet.dat'],
    ['file://localhost/home/ana', '/home/ana'],
    ['file:///home/ana/100%.dat', 'file:///home/ana/100%.dat'],
    ['file://server/share/wallet.dat', '//server/share/wallet.dat'],
    [
      'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP',
      'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP',
    ],
  ])('reads %j', (text, path) => {
    expect(pathOfText(text, { homeFolder: '/home/ana', platform: 'linux' })).toBe(path);
  });

  it.each([
    ['"C:\\Users\\Ana\\my wallet.dat"', 'C:\\Users\\Ana\\my wallet.dat'],
    ['C:\\old (1)\\ wallet.dat', 'C:\\old (1)\\ wallet.dat'],
    ['file:///C:/Users/Ana/my%20wallet.dat', 'C:/Users/Ana/my wallet.dat'],
    ['\\\\?\\C:\\old\\wallet.dat', 'C:\\old\\wallet.dat'],
    ['\\\\?\\UNC\\server\\wallet.dat', '\\\\?\\UNC\\server\\wallet.dat'],
    ['~\\wallet.dat', 'C:\\Users\\Ana\\wallet.dat'],
  ])('reads %j on Windows', (text, path) => {
    expect(pathOfText(text, { homeFolder: 'C:\\Users\\Ana', platform: 'win32' })).toBe(path);
  });
});
