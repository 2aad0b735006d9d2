import { describe, expect, it } from 'vitest';
import { joinPath, suggestedBackup, suggestedBackups } from './fileNames.ts';

const day = new Date(2026, 2, 7, 12);

describe('suggestedBackup', () => {
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
    expect(suggestedBackup(wallet, day)).toBe(file);
  });

  it('is a valid file name on every system', () => {
    const file = suggestedBackup('💰'.repeat(300), day);
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
