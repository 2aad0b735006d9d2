import { describe, expect, it } from 'vitest';
import type { FileFacts, NodeStatus } from '../../../shared/model.ts';
import { restoreRemarks, restoreUnsupported } from './restoreRemarks.ts';

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
const descriptor: FileFacts = {
  path: '/stick/wallet.dat',
  name: 'wallet.dat',
  folder: '/stick',
  size: 16_384,
  modified: 1_795_180_497,
  kind: 'descriptor-wallet',
  description: 'descriptor wallet (SQLite)',
  network: 'main',
  truncated: false,
  suggestedName: 'stick',
};

const said = (facts: FileFacts | null, change: Partial<NodeStatus>) =>
  restoreRemarks(facts, { ...node, ...change });
const rescan = (facts: FileFacts | null, blockFilters: NodeStatus['blockFilters']) =>
  said(facts, { blockFilters }).find(({ key }) => key === 'rescan');

describe('restoreRemarks', () => {
  it('always tells of the rescan and of who reads the file', () => {
    expect(said(descriptor, {}).map(({ key }) => key)).toEqual(['rescan', 'reader']);
    expect(said(null, { local: false }).at(-1)?.text[0]).toContain('on its own machine');
  });

  it('promises a fast rescan only to a descriptor wallet on a node with block filters', () => {
    expect(rescan(descriptor, 'on')).toMatchObject({
      tone: 'good',
      title: 'Block filters make the rescan fast',
    });
    for (const filters of ['off', 'building', 'unknown'] as const) {
      expect(rescan(descriptor, filters)?.tone).toBe('info');
    }
    expect(rescan({ ...descriptor, kind: 'legacy-wallet' }, 'on')).toMatchObject({
      tone: 'info',
      title: 'The rescan may take hours',
    });
  });

  it('makes it a condition where the kind of the file cannot be seen', () => {
    expect(rescan(null, 'on')?.title).toContain('if the wallet is a descriptor wallet');
  });

  it('warns of a pruned node and names the block, where it is known', () => {
    const [remark] = said(descriptor, { pruned: true, pruneHeight: 850_000 });
    expect(remark).toMatchObject({ key: 'pruned', tone: 'read', stops: false });
    expect(remark?.text[0]).toContain('850,000');
    expect(said(descriptor, { pruned: true })[0]?.text[0]).toContain('only the newest blocks');
  });

  it('warns of a node that is catching up, but not of one that is a block behind', () => {
    const [remark] = said(descriptor, { blocks: 860_000, syncProgress: 0.93, initialBlockDownload: true });
    expect(remark).toMatchObject({ key: 'syncing', tone: 'read' });
    expect(remark?.text[0]).toContain('860,000 of 925,000 (93\u00a0%)');
    expect(said(descriptor, { blocks: 924_999 }).map(({ key }) => key)).not.toContain('syncing');
  });
});

describe('restoreUnsupported', () => {
  it('stops on releases before 23', () => {
    const release = { ...node.release, number: 220_000, text: '22.0' };
    expect(restoreUnsupported({ release })).toMatchObject({ stops: true });
    expect(restoreUnsupported({ release: { ...release, number: 230_000 } })).toBeNull();
  });
});
