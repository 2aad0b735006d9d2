import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../shared/model.ts';
import { newestBackup } from './newestBackup.ts';

const NODE = { host: '127.0.0.1', port: 8332, tls: false };

const backup = (id: string, wallet: string, started: number): Operation => ({
  id,
  kind: 'backup',
  wallet,
  node: { label: 'node', address: NODE, network: 'main', release: '28.1' },
  state: 'running',
  line: 'ok',
  steps: [],
  measured: 'log',
  progress: null,
  started,
  ended: null,
  warnings: [],
  result: null,
  error: null,
  safetyCopy: null,
  proof: null,
  resumed: false,
  log: [],
});
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
