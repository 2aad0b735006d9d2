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
