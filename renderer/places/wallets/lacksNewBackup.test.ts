import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../shared/operation.ts';
import { madeOperation } from '../../../shared/testing/madeOperation.ts';
import { lacksNewBackup } from './lacksNewBackup.ts';

const NODE = madeOperation().node.address;

const operation = (kind: Operation['kind'], wallet: string, change: Partial<Operation> = {}) =>
  madeOperation({ id: `${kind} ${wallet}`, kind, wallet, state: 'done', ended: 2, ...change });
const migrated = (wallet: string, change: Partial<Operation> = {}) =>
  operation('migrate', wallet, {
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
const lacks = (operations: Operation[], wallet: string) => lacksNewBackup(operations, wallet, NODE);

describe('lacksNewBackup', () => {
  it('says so of every wallet that came of a migration, and of no other', () => {
    const operations = [migrated('savings')];
    expect(lacks(operations, 'savings')).toBe(true);
    expect(lacks(operations, 'savings_watchonly')).toBe(true);
    expect(lacks(operations, 'savings_solvables')).toBe(false);
    expect(lacks(operations, 'other')).toBe(false);
  });

  it('is content with a later backup that is done, of that wallet alone', () => {
    const operations = [operation('backup', 'savings'), migrated('savings')];
    expect(lacks(operations, 'savings')).toBe(false);
    expect(lacks(operations, 'savings_watchonly')).toBe(true);
    expect(lacks([operation('backup', 'savings', { state: 'failed' }), migrated('savings')], 'savings')).toBe(
      true,
    );
  });

  it('does not count a backup from before the migration', () => {
    expect(lacks([migrated('savings'), operation('backup', 'savings')], 'savings')).toBe(true);
  });

  it('knows a restored and migrated one too, and leaves one restored since alone', () => {
    expect(lacks([migrated('old', { kind: 'restore-migrate' })], 'old')).toBe(true);
    expect(lacks([operation('restore', 'savings'), migrated('savings')], 'savings')).toBe(false);
  });

  it('keeps to the node, and to what is done', () => {
    expect(lacksNewBackup([migrated('savings')], 'savings', { ...NODE, port: 1 })).toBe(false);
    expect(lacks([migrated('savings', { state: 'failed' })], 'savings')).toBe(false);
  });
});
