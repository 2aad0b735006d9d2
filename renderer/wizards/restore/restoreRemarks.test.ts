import { describe, expect, it } from 'vitest';
import type { FileFacts, NodeStatus } from '../../../shared/model.ts';
import { testNodeStatus } from '../testNodeStatus.ts';
import { restoreRemarks, restoreUnsupported } from './restoreRemarks.ts';

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
  restoreRemarks(facts, { ...testNodeStatus, ...change });
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

  it('tells the age of the wallet beside it, once the file was read', () => {
    const pruned = { ...testNodeStatus, pruned: true };
    const aged = (birth: Parameters<typeof restoreRemarks>[2]) =>
      restoreRemarks(descriptor, pruned, birth)[0]?.text[1];
    expect(aged(null)).toContain('was not read');
    expect(aged({ known: 'exactly', time: 1_795_180_497 })).toContain('2026');
    expect(aged({ known: 'at-latest', time: 1_795_180_497, undated: 1 })).toContain('or earlier');
    expect(aged({ known: 'no', undated: 0 })).toContain('does not tell');
  });

  it('speaks of no rescan, filters or pruning where there is no chain', () => {
    const offline = said(descriptor, { offline: true, pruned: true, initialBlockDownload: true });
    expect(offline.map(({ key }) => key)).toEqual(['offline']);
    expect(offline[0]?.text[0]).toContain('what the file last knew');
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
    const release = { ...testNodeStatus.release, number: 220_000, text: '22.0' };
    expect(restoreUnsupported({ release })).toMatchObject({ stops: true });
    expect(restoreUnsupported({ release: { ...release, number: 230_000 } })).toBeNull();
  });
});
