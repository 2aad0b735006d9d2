import { describe, expect, it } from 'vitest';
import { nameFromPath } from './nameFromPath.ts';

describe('nameFromPath', () => {
  it.each([
    ['/backups/savings_1795180650.legacy.bak', 'savings'],
    ['/backups/savings-1795180650.legacy.bak', 'savings'],
    ['/backups/savings/wallet.dat', 'savings'],
    ['C:\\backups\\old.dat', 'old'],
    ['/backups/2026', '2026'],
    ['wallet.dat', ''],
    ['', ''],
    ['/backups/', ''],
  ])('takes from %j the name %j', (path, name) => {
    expect(nameFromPath(path)).toBe(name);
  });
});
