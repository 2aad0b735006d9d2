import { describe, expect, it } from 'vitest';
import type { Crossing } from '../../../shared/crossing.ts';
import { sampleCrossing } from '../../../shared/testing/sampleCrossing.ts';
import { lacksNewBackup } from './lacksNewBackup.ts';

const NODE = sampleCrossing().node.address;

const crossing = (kind: Crossing['kind'], wallet: string, change: Partial<Crossing> = {}) =>
  sampleCrossing({ id: `${kind} ${wallet}`, kind, wallet, state: 'done', ended: 2, ...change });
const migrated = (wallet: string, change: Partial<Crossing> = {}) =>
  crossing('migrate', wallet, {
    result: {
      kind: 'migrate',
      walletName: wallet,
      watchonlyName: `${wallet}_watchonly`,
      solvablesName: null,
      backupPath: null,
      backupSeen: null,
    },
    ...change,
  });
const lacks = (crossings: Crossing[], wallet: string) => lacksNewBackup(crossings, wallet, NODE);

describe('lacksNewBackup', () => {
  it('says so of every wallet that came of a migration, and of no other', () => {
    const crossings = [migrated('savings')];
    expect(lacks(crossings, 'savings')).toBe(true);
    expect(lacks(crossings, 'savings_watchonly')).toBe(true);
    expect(lacks(crossings, 'savings_solvables')).toBe(false);
    expect(lacks(crossings, 'other')).toBe(false);
  });

  it('is content with a later backup that is done, of that wallet alone', () => {
    const crossings = [crossing('backup', 'savings'), migrated('savings')];
    expect(lacks(crossings, 'savings')).toBe(false);
    expect(lacks(crossings, 'savings_watchonly')).toBe(true);
    expect(lacks([crossing('backup', 'savings', { state: 'failed' }), migrated('savings')], 'savings')).toBe(
      true,
    );
  });

  it('does not count a backup from before the migration', () => {
    expect(lacks([migrated('savings'), crossing('backup', 'savings')], 'savings')).toBe(true);
  });

  it('knows a restored and migrated one too, and leaves one restored since alone', () => {
    expect(lacks([migrated('old', { kind: 'restore-migrate' })], 'old')).toBe(true);
    expect(lacks([crossing('restore', 'savings'), migrated('savings')], 'savings')).toBe(false);
  });

  it('keeps to the node, and to what is done', () => {
    expect(lacksNewBackup([migrated('savings')], 'savings', { ...NODE, port: 1 })).toBe(false);
    expect(lacks([migrated('savings', { state: 'failed' })], 'savings')).toBe(false);
  });
});
