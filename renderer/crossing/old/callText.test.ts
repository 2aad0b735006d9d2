import { describe, expect, it } from 'vitest';
import { migrateCalls, restoreCall } from './callText.ts';

describe('the calls shown for review', () => {
  it('writes a restore as it is sent, with the third argument always there', () => {
    expect(restoreCall('savings', '/media/stick/wallet.dat', null)).toBe(
      'restorewallet "savings" "/media/stick/wallet.dat" null',
    );
    expect(restoreCall('a "b"', 'C:\\old\\wallet.dat', true)).toBe(
      'restorewallet "a \\"b\\"" "C:\\\\old\\\\wallet.dat" true',
    );
  });

  it('shows that a passphrase is passed, and nothing of it', () => {
    const wallet = { loaded: true, migrates: 'yes' } as const;
    expect(migrateCalls({ ...wallet, name: 'savings', withPassphrase: true })).toEqual([
      'migratewallet "savings" "•••"',
    ]);
    expect(migrateCalls({ ...wallet, name: '', withPassphrase: false })).toEqual(['migratewallet ""']);
  });

  it('shows the safety copy that the node writes, and the wallet loaded for it', () => {
    const wallet = { name: 'savings', withPassphrase: false, copyWay: 'backupwallet' } as const;
    expect(migrateCalls({ ...wallet, loaded: false, migrates: 'yes' })).toEqual([
      'loadwallet "savings"',
      'backupwallet …',
      'migratewallet "savings"',
    ]);
    expect(migrateCalls({ ...wallet, loaded: true, migrates: 'yes' })).toEqual([
      'backupwallet …',
      'migratewallet "savings"',
    ]);
    expect(migrateCalls({ ...wallet, loaded: false, migrates: 'unlock-first' })).toEqual([
      'loadwallet "savings"',
      'backupwallet …',
      'migratewallet',
    ]);
    for (const copyWay of ['copied', 'cannot'] as const) {
      expect(migrateCalls({ ...wallet, copyWay, loaded: false, migrates: 'yes' })).toEqual([
        'migratewallet "savings"',
      ]);
    }
  });

  it('loads and unlocks first on release 24, where the call takes no arguments', () => {
    const wallet = { name: 'savings', migrates: 'unlock-first' } as const;
    expect(migrateCalls({ ...wallet, loaded: false, withPassphrase: true })).toEqual([
      'loadwallet "savings"',
      'walletpassphrase "•••" …',
      'migratewallet',
    ]);
    expect(migrateCalls({ ...wallet, loaded: true, withPassphrase: false })).toEqual(['migratewallet']);
  });
});
