import { describe, expect, it } from 'vitest';
import { samplePreview } from '../testing/sampleInspection.ts';
import { sampleProvedWallet } from '../testing/sampleJob.ts';
import { newWalletWords, previewedWallets } from './proofWords.ts';

const result = {
  kind: 'migrate',
  walletName: 'savings',
  watchonlyName: null,
  solvablesName: null,
  backupPath: null,
  backupSeen: null,
} as const;
type Result = Parameters<typeof newWalletWords>[0];
const partsOf = (migrated: Result) =>
  newWalletWords(migrated, 'savings').map(({ name, part }) => [name, part]);

describe('newWalletWords', () => {
  it('is one wallet if nothing was separated', () => {
    expect(partsOf(result)).toEqual([['savings', 'primary']]);
  });

  it('has no main wallet after a watch-only legacy wallet', () => {
    const walletName = 'savings_watchonly';
    for (const watchonlyName of [walletName, null]) {
      const [only, ...others] = newWalletWords({ ...result, walletName, watchonlyName }, 'savings');
      expect(others).toEqual([]);
      expect(only).toMatchObject({ name: walletName, part: 'watchonly' });
    }
  });

  it('has only a wallet of solvable scripts where nothing else is left', () => {
    const walletName = 'savings_solvables';
    expect(partsOf({ ...result, walletName, solvablesName: walletName })).toEqual([
      [walletName, 'solvables'],
    ]);
  });

  it('does not call the coins of a wallet without private keys spendable', () => {
    const meaningOf = (watches?: true) =>
      newWalletWords(result, 'savings', [sampleProvedWallet({ name: 'savings', watches })])[0]?.meaning;
    expect(meaningOf()).toBe('Your spendable coins.');
    expect(meaningOf(true)).toBe('Your coins, without private keys.');
  });

  it('keeps the unnamed wallet as the main one under any new name', () => {
    expect(newWalletWords({ ...result, walletName: 'default_wallet' }, '')).toMatchObject([
      { name: 'default_wallet', part: 'primary' },
    ]);
  });
});

const preview = samplePreview({
  primary: { descriptors: 11, seed: 'kept' },
  watchOnly: { descriptors: 7 },
  solvables: { descriptors: 6 },
});

describe('previewedWallets', () => {
  it('names each wallet and counts its descriptors, the main one first', () => {
    const listed = previewedWallets(preview, 'savings').map(({ name, title, descriptors }) => [
      name,
      title,
      descriptors,
    ]);
    expect(listed).toEqual([
      ['savings', 'Main wallet', 11],
      ['savings_watchonly', 'Watch-only wallet', 7],
      ['savings_solvables', 'Wallet of solvable scripts', 6],
    ]);
  });

  it('gives no names of other wallets if releases differ or there is no name yet', () => {
    for (const name of ['', null]) {
      expect(previewedWallets(preview, name).map((wallet) => wallet.name)).toEqual([name, null, null]);
    }
  });

  it('says whether new addresses come from the old seed', () => {
    const said = (seed: 'kept' | 'fresh' | 'none') =>
      previewedWallets({ ...preview, primary: { descriptors: 1, seed } }, 'a')[0]?.meaning;
    expect(said('kept')).toBe('Your spendable coins.');
    expect(said('fresh')).toContain('contain the new keys');
    expect(said('none')).toContain('without private keys');
  });
});
