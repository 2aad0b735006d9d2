import { describe, expect, it } from 'vitest';
import { madeOperation } from '../../../shared/testing/madeOperation.ts';
import { newestBackup } from './newestBackup.ts';

const NODE = madeOperation().node.address;

const backup = (id: string, wallet: string, started: number) =>
  madeOperation({ id, kind: 'backup', wallet, started });
const operations = [
  backup('third', 'savings', 300),
  backup('second', 'other', 200),
  backup('first', 'savings', 100),
];

describe('newestBackup', () => {
  it('takes the newest of the wallet', () => {
    expect(newestBackup(operations, 'savings', 0, NODE)?.id).toBe('third');
    expect(newestBackup(operations, 'other', 0, NODE)?.id).toBe('second');
  });

  it('leaves out what was begun before, and what is no backup', () => {
    expect(newestBackup(operations, 'other', 201, NODE)).toBeNull();
    expect(
      newestBackup([{ ...backup('x', 'savings', 400), kind: 'migrate' }], 'savings', 0, NODE),
    ).toBeNull();
  });

  it('leaves out the backups of a wallet of that name on another node', () => {
    expect(newestBackup([backup('x', 'savings', 400)], 'savings', 0, { ...NODE, port: 1 })).toBeNull();
    expect(newestBackup([backup('x', 'savings', 400)], 'savings', 0, undefined)).toBeNull();
  });
});
