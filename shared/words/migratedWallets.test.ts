import { describe, expect, it } from 'vitest';
import { migratedWallets } from './migratedWallets.ts';

const result = {
  kind: 'migrate',
  walletName: 'savings',
  watchonlyName: null,
  solvablesName: null,
  backupPath: null,
  backupSeen: null,
} as const;
type Result = Parameters<typeof migratedWallets>[0];
const partsOf = (migrated: Result) =>
  migratedWallets(migrated, 'savings').map(({ name, part }) => [name, part]);

describe('migratedWallets', () => {
  it('is one wallet where nothing was put apart', () => {
    expect(partsOf(result)).toEqual([['savings', 'primary']]);
  });

  it('lists all three, the main one first', () => {
    const names = { watchonlyName: 'savings_watchonly', solvablesName: 'savings_solvables' };
    expect(partsOf({ ...result, ...names })).toEqual([
      ['savings', 'primary'],
      ['savings_watchonly', 'watchonly'],
      ['savings_solvables', 'solvables'],
    ]);
  });

  it('names no main wallet where the legacy wallet only watched, and says so', () => {
    const walletName = 'savings_watchonly';
    for (const watchonlyName of [walletName, null]) {
      const [only, ...others] = migratedWallets({ ...result, walletName, watchonlyName }, 'savings');
      expect(others).toEqual([]);
      expect(only).toMatchObject({ name: walletName, part: 'watchonly' });
      expect(only?.meaning).toContain('no spendable wallet');
    }
  });

  it('keeps the unnamed wallet the main one, whatever the node calls it afterwards', () => {
    expect(migratedWallets({ ...result, walletName: 'default_wallet' }, '')).toMatchObject([
      { name: 'default_wallet', part: 'primary' },
    ]);
  });
});
