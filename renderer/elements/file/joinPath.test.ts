import { describe, expect, it } from 'vitest';
import { joinPath } from './joinPath.ts';

describe('joinPath', () => {
  it('joins as the system does, also at the root of a disk', () => {
    expect(joinPath('/home/me', 'a.bak', 'linux')).toBe('/home/me/a.bak');
    expect(joinPath('/', 'a.bak', 'darwin')).toBe('/a.bak');
    expect(joinPath('D:\\', 'a.bak', 'win32')).toBe('D:\\a.bak');
    expect(joinPath('D:\\wallets', 'a.bak', 'win32')).toBe('D:\\wallets\\a.bak');
  });
});
