import { describe, expect, it } from 'vitest';
import type { MigrationPreview } from '../migrationPreview.ts';
import { previewedWallets } from './previewedWallets.ts';

const preview: MigrationPreview = {
  primary: { descriptors: 11, seed: 'kept' },
  watchOnly: { suffix: '_watchonly', descriptors: 7 },
  solvables: { suffix: '_solvables', descriptors: 6 },
  leftOut: 0,
  strayTransactions: { total: 0, shown: [] },
  obstacles: [],
};

describe('previewedWallets', () => {
  it('names each wallet and counts its descriptors, the main one first', () => {
    const told = previewedWallets(preview, 'savings').map(({ name, title, descriptors }) => [
      name,
      title,
      descriptors,
    ]);
    expect(told).toEqual([
      ['savings', 'Main wallet', 11],
      ['savings_watchonly', 'Watch-only wallet', 7],
      ['savings_solvables', 'Wallet of solvable scripts', 6],
    ]);
  });

  it('gives no companion name where releases differ or there is no name yet', () => {
    for (const name of ['', null]) {
      expect(previewedWallets(preview, name).map((wallet) => wallet.name)).toEqual([name, null, null]);
    }
  });

  it('says whether new addresses come from the old seed', () => {
    const said = (seed: 'kept' | 'fresh' | 'none') =>
      previewedWallets({ ...preview, primary: { descriptors: 1, seed } }, 'a')[0]?.meaning;
    expect(said('kept')).toContain('the seed that it has');
    expect(said('fresh')).toContain('older backups do not hold it');
    expect(said('none')).toContain('no private keys');
  });

  it('explains a watch-only wallet by itself where nothing else comes of the migration', () => {
    const [only, ...others] = previewedWallets({ ...preview, primary: null, solvables: null }, 'a');
    expect(others).toEqual([]);
    expect(only?.meaning).toContain('no spendable wallet');
  });
});
