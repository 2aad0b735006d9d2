import { describe, expect, it } from 'vitest';
import type { NodeStatus, Release, Wallet } from '../../../shared/model.ts';
import { stopped } from '../remark.ts';
import { migrationRemarks } from './migrationRemarks.ts';

const node: NodeStatus = {
  label: 'node',
  address: { host: '127.0.0.1', port: 8332, tls: false },
  local: true,
  offline: false,
  network: 'main',
  release: { number: 280_100, text: '28.1', migrates: 'yes', loadsLegacy: true },
  subversion: '/Satoshi:28.1.0/',
  blocks: 925_000,
  headers: 925_000,
  syncProgress: 1,
  initialBlockDownload: false,
  pruned: false,
  pruneHeight: null,
  blockFilters: 'off',
  logPath: null,
  walletsFolder: null,
  warnings: [],
};
const wallet: Wallet = {
  name: 'savings',
  kind: 'legacy',
  loaded: true,
  encrypted: false,
  watchOnly: false,
  balance: 0n,
  spendable: 0n,
  transactions: 0,
  birthTime: null,
  scanning: null,
  warnings: [],
  pending: false,
  problem: null,
};
const release = (number: number, text: string): Release => ({
  number,
  text,
  migrates: 'yes',
  loadsLegacy: number < 300_000,
});

function said(change: { wallet?: Partial<Wallet>; node?: Partial<NodeStatus>; others?: string[] }) {
  const remarks = migrationRemarks(
    { ...wallet, ...change.wallet },
    { ...node, ...change.node },
    change.others ?? [],
  );
  return {
    keys: remarks.map(({ key }) => key),
    tones: remarks.map(({ tone }) => tone),
    stops: stopped(remarks),
  };
}

describe('migrationRemarks', () => {
  it('has nothing to say of a legacy wallet on a release in good order', () => {
    expect(said({})).toEqual({ keys: [], tones: [], stops: false });
  });

  it.each([
    [300_000, '30.0'],
    [300_100, '30.1'],
  ])('stops in red for the unnamed wallet on %d', (number, text) => {
    const unnamed = said({ wallet: { name: '' }, node: { release: release(number, text) } });
    expect(unnamed).toMatchObject({ stops: true });
    expect([unnamed.keys[0], unnamed.tones[0]]).toEqual(['unnamed-danger', 'danger']);
  });

  it('lets the unnamed wallet pass where the fault is not or no longer', () => {
    for (const other of [release(290_300, '29.3'), release(300_200, '30.2'), release(310_000, '31.0')]) {
      expect(said({ wallet: { name: '' }, node: { release: other } }).stops).toBe(false);
    }
  });

  it('advises against the withdrawn releases for a named wallet, without stopping', () => {
    const named = said({ node: { release: release(300_000, '30.0') } });
    expect(named).toMatchObject({ keys: ['withdrawn-release', 'not-closed'], stops: false });
  });

  it('stops where the node has no migratewallet, and for a wallet that needs none', () => {
    const old: Release = { number: 230_000, text: '23.0', migrates: 'no', loadsLegacy: true };
    expect(said({ node: { release: old } })).toMatchObject({ keys: ['no-migratewallet'], stops: true });
    expect(said({ wallet: { kind: 'descriptor' } })).toMatchObject({
      keys: ['already-descriptor'],
      stops: true,
    });
  });

  it('warns of a pruned node, of one that catches up, and of release 24', () => {
    const node24 = { ...node.release, number: 240_000, text: '24.0', migrates: 'unlock-first' } as const;
    const warned = said({ node: { pruned: true, initialBlockDownload: true, release: node24 } });
    expect(warned).toEqual({
      keys: ['pruned', 'syncing', 'experimental'],
      tones: ['read', 'read', 'read'],
      stops: false,
    });
  });

  it('sees that a name for the second wallet is taken', () => {
    expect(said({ others: ['savings_watchonly'] }).keys).toEqual(['name-taken']);
    expect(said({ wallet: { name: '' }, others: ['default_wallet_solvables'] }).keys).toEqual(['name-taken']);
    expect(said({ others: ['other_watchonly'] }).keys).toEqual([]);
  });

  it('says that the kind of a wallet is not known before it is loaded', () => {
    expect(said({ wallet: { kind: 'unknown', loaded: false } })).toMatchObject({
      keys: ['unknown-kind'],
      stops: false,
    });
  });
});
