import { homedir } from 'node:os';
import { join, parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { othersMayRead } from './othersMayRead.ts';
import { ON_WINDOWS } from './testing/system.ts';

describe('othersMayRead', () => {
  const onWindows = { platform: 'win32', profile: 'C:\\Users\\ana' } as const;

  // SECURITY.md: Other users, on Windows, outside your own folders
  it.each([
    'D:\\Bitcoin',
    'C:\\',
    'C:\\Users',
    'C:\\Users\\Public\\Documents',
    'C:\\Users\\ana2',
    'C:\\Users\\ana\\..\\bob',
    '\\\\server\\share',
    '\\\\?\\D:\\Bitcoin',
  ])('is true for a folder outside the profile: %s', (folder) => {
    expect(othersMayRead(folder, onWindows)).toBe(true);
  });

  it.each([
    'C:\\Users\\ana',
    'C:\\Users\\ana\\Documents',
    'c:\\users\\ANA\\Documents',
    'C:/Users/ana/Documents',
    'C:\\Users\\ana\\..backups',
  ])('is false in the profile: %s', (folder) => {
    expect(othersMayRead(folder, onWindows)).toBe(false);
  });

  it.each(['linux', 'darwin'] as const)('is false on %s, where new files have modes', (platform) => {
    expect(othersMayRead('/srv/shared', { platform, profile: '/home/ana' })).toBe(false);
  });

  it('knows the profile of this user', () => {
    expect(othersMayRead(join(homedir(), 'not there yet'))).toBe(false);
    expect(othersMayRead(parse(homedir()).root)).toBe(ON_WINDOWS);
  });
});
