import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../shared/inspection.ts';
import type { NodeStatus, Release, Wallet } from '../../../shared/model.ts';
import { stopped } from '../remark.ts';
import { testNodeStatus } from '../testNodeStatus.ts';
import { madeInspection } from './madeInspection.ts';
import { migrationRemarks } from './migrationRemarks.ts';

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

interface Change {
  wallet?: Partial<Wallet>;
  node?: Partial<NodeStatus>;
  others?: string[];
  found?: Inspection;
}

function said(change: Change) {
  const remarks = migrationRemarks(
    { ...wallet, ...change.wallet },
    { ...testNodeStatus, ...change.node },
    change.others ?? [],
    change.found ?? null,
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
    const node24 = {
      ...testNodeStatus.release,
      number: 240_000,
      text: '24.0',
      migrates: 'unlock-first',
    } as const;
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

  it('sees in the file whether it was closed cleanly', () => {
    const newNode = { release: release(310_000, '31.0') };
    const found = (cleanlyClosed: boolean) => {
      const { file } = madeInspection();
      const format = {
        ...file.format,
        kind: 'berkeley-db',
        byteOrder: 'little',
        cleanlyClosed,
        uncleanPages: 0,
      } as const;
      return madeInspection({ file: { ...file, format } });
    };
    expect(said({ node: newNode, found: found(true) }).keys).toEqual([]);
    expect(said({ node: newNode, found: found(false) })).toMatchObject({
      keys: ['not-closed'],
      tones: ['read'],
    });
    expect(said({ found: found(false) }).keys).toEqual([]);
    expect(said({ node: { offline: true }, found: found(false) }).tones).toEqual(['read']);
  });

  it('warns only of names that this wallet needs, where its file tells', () => {
    const found = madeInspection();
    expect(said({ others: ['savings_watchonly'], found }).keys).toEqual([]);
    const watching = madeInspection({
      migration: found.migration && {
        ...found.migration,
        watchOnly: { suffix: '_watchonly', descriptors: 1 },
      },
    });
    expect(said({ others: ['savings_watchonly'], found: watching }).keys).toEqual(['name-taken']);
  });

  it('says nothing of a chain, or of the faults of a release, of the offline engine', () => {
    const engine = {
      offline: true,
      pruned: true,
      initialBlockDownload: true,
      release: release(300_000, '30.0'),
    };
    expect(said({ node: engine, wallet: { name: '' } })).toMatchObject({
      keys: ['not-closed'],
      stops: false,
    });
  });
});
