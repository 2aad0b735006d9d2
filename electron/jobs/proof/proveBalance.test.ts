import { describe, expect, it } from 'vitest';
import { compareMigration } from '../../walletfile/migrate/compareMigration.ts';
import { factsOf, legacyNames, type NodeView, walletFile } from '../../walletfile/testing/wallets.ts';
import { proveBalance } from './proveBalance.ts';

type Balances = Parameters<typeof proveBalance>[0];

const file = { amount: 900n, unconfirmed: 0n };
const found: Balances = { before: null, file, after: 900n, offline: false, syncing: false, backup: null };
const prove = (fields: Partial<Balances> = {}) => proveBalance({ ...found, ...fields });

describe('proveBalance', () => {
  it('compares an unloaded wallet with the balance in its file, and says so', () => {
    const { change, differences, unknown } = prove();
    expect([change, differences]).toEqual(['same', []]);
    expect(unknown.join()).toContain('not loaded');
    expect(prove({ offline: true }).unknown).toEqual([]);
  });

  it('reports less than last known, and what to do', () => {
    const { change, differences } = prove({ after: 899n });
    expect(change).toBe('less');
    const meaning = expect.stringMatching(/spent.*rescan.*Keep all backups/);
    expect(differences).toEqual([{ title: expect.stringContaining('Less than last known'), meaning }]);
    expect(prove({ after: 0n }).change).toBe('less');
  });

  it('does not count a higher balance as a loss', () => {
    expect(prove({ after: 901n })).toMatchObject({ change: 'more', differences: [] });
    expect(prove({ before: 900n, after: 901n })).toMatchObject({ change: 'more', differences: [] });
  });

  it('prefers the balance that the node reported to that of the file', () => {
    expect(prove({ before: 100n, after: 100n })).toEqual({ change: 'same', differences: [], unknown: [] });
    expect(prove({ before: 901n }).differences).toHaveLength(1);
    expect(prove({ before: 901n }).change).toBe('less');
  });

  it('leaves a lower balance on a syncing node unclear, but not in the offline engine, nor a loss since before the job', () => {
    const file = { amount: 1000n, unconfirmed: 0n };
    const behind = prove({ file, after: 0n, syncing: true });
    expect(behind).toMatchObject({ change: 'unclear', differences: [] });
    expect(behind.unknown.join()).toContain('node not synced?');
    expect(prove({ file, after: 0n, syncing: true, backup: { isRead: true } }).change).toBe('unclear');
    expect(prove({ file, after: 0n, syncing: true, offline: true }).change).toBe('less');
    expect(prove({ file, before: 1000n, after: 0n, syncing: true }).change).toBe('less');
    expect(prove({ file, after: 1000n, syncing: true }).change).toBe('same');
  });

  it('leaves unconfirmed payments of the file unclear, except in the offline engine', () => {
    const file = { amount: 900n, unconfirmed: 200n };
    const unclear = prove({ file, after: 700n });
    expect(unclear).toMatchObject({ change: 'unclear', differences: [] });
    expect(unclear.unknown.join()).toContain('all confirmed payments are there');
    expect(prove({ file, after: 699n }).change).toBe('less');
    const differences = [{ meaning: expect.stringContaining('Nothing should be missing') }];
    expect(prove({ file, after: 700n, offline: true })).toMatchObject({ change: 'less', differences });
  });

  it('says if there is nothing to compare', () => {
    expect(prove({ after: null })).toMatchObject({ change: null, differences: [] });
    expect(prove({ after: null }).unknown.join()).toContain('the node did not report each');
    const blind = prove({ file: null });
    expect(blind).toMatchObject({ change: null, differences: [] });
    expect(blind.unknown.join()).toContain('the old wallet was not loaded');
  });

  it.each(legacyNames)('finds the balance of %s in its migrations by real nodes', async (name) => {
    const { balance } = await compareMigration(walletFile(name), [], 'regtest');
    const { after_by_release: releases = {} } = factsOf(name);
    expect(Object.keys(releases)).toEqual(['28.1', '30.0', '31.0']);
    for (const { wallets } of Object.values(releases)) {
      const counted = Object.entries(wallets).filter(([part]) => part !== 'solvables_name');
      const after = counted.reduce((sum, [, view]) => sum + wholeOf(view), 0n);
      expect(prove({ file: balance, after })).toMatchObject({ change: 'same', differences: [] });
    }
  });
});

function wholeOf({ getbalances: { mine, watchonly } }: NodeView): bigint {
  return BigInt(Math.round((mine.trusted + (watchonly?.trusted ?? 0)) * 1e8));
}
