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
const rolesOf = (migrated: Result) =>
  migratedWallets(migrated, 'savings').map(({ name, role }) => [name, role]);

describe('migratedWallets', () => {
  it('is one wallet where nothing was put apart', () => {
    expect(rolesOf(result)).toEqual([['savings', 'main']]);
  });

  it('lists all three, the main one first', () => {
    const names = { watchonlyName: 'savings_watchonly', solvablesName: 'savings_solvables' };
    expect(rolesOf({ ...result, ...names })).toEqual([
      ['savings', 'main'],
      ['savings_watchonly', 'watch-only'],
      ['savings_solvables', 'solvable'],
    ]);
  });

  it('names no main wallet where the legacy wallet only watched, and says so', () => {
    const walletName = 'savings_watchonly';
    for (const watchonlyName of [walletName, null]) {
      const [only, ...others] = migratedWallets({ ...result, walletName, watchonlyName }, 'savings');
      expect(others).toEqual([]);
      expect(only).toMatchObject({ name: walletName, role: 'watch-only' });
      expect(only?.meaning).toContain('no spendable wallet');
    }
  });

  it('keeps the unnamed wallet the main one, whatever the node calls it afterwards', () => {
    expect(migratedWallets({ ...result, walletName: 'default_wallet' }, '')).toMatchObject([
      { name: 'default_wallet', role: 'main' },
    ]);
  });
});
