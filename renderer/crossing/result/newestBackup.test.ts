import { describe, expect, it } from 'vitest';
import { sampleCrossing } from '../../../shared/testing/sampleCrossing.ts';
import { newestBackup } from './newestBackup.ts';

const NODE = sampleCrossing().node.address;

const backup = (id: string, wallet: string, started: number) =>
  sampleCrossing({ id, kind: 'backup', wallet, started });
const crossings = [
  backup('third', 'savings', 300),
  backup('second', 'other', 200),
  backup('first', 'savings', 100),
];

describe('newestBackup', () => {
  it('takes the newest of the wallet', () => {
    expect(newestBackup(crossings, 'savings', 0, NODE)?.id).toBe('third');
    expect(newestBackup(crossings, 'other', 0, NODE)?.id).toBe('second');
  });

  it('leaves out what was begun before, and what is no backup', () => {
    expect(newestBackup(crossings, 'other', 201, NODE)).toBeNull();
    expect(
      newestBackup([{ ...backup('x', 'savings', 400), kind: 'migrate' }], 'savings', 0, NODE),
    ).toBeNull();
  });

  it('leaves out the backups of a wallet of that name on another node', () => {
    expect(newestBackup([backup('x', 'savings', 400)], 'savings', 0, { ...NODE, port: 1 })).toBeNull();
    expect(newestBackup([backup('x', 'savings', 400)], 'savings', 0, undefined)).toBeNull();
  });
});
