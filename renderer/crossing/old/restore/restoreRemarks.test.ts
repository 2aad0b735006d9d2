import { describe, expect, it } from 'vitest';
import { madeNodeStatus } from '../../../../shared/testing/madeNodeStatus.ts';
import { restoreRemark, restoreUnsupported } from './restoreRemarks.ts';

describe('restoreRemark', () => {
  it('tells who reads the file, and on which machine', () => {
    expect(restoreRemark(madeNodeStatus())).toMatchObject({ key: 'reader', stops: false });
    expect(restoreRemark(madeNodeStatus({ local: false })).text[0]).toContain('on its own machine');
  });

  it('speaks of no rescan where there is no chain', () => {
    const remark = restoreRemark(madeNodeStatus({ offline: true }));
    expect(remark.text[0]).toContain('what the file last knew');
  });
});

describe('restoreUnsupported', () => {
  it('stops on releases before 23', () => {
    const release = { ...madeNodeStatus().release, number: 220_000, text: '22.0' };
    expect(restoreUnsupported({ release })).toMatchObject({ stops: true });
    expect(restoreUnsupported({ release: { ...release, number: 230_000 } })).toBeNull();
  });
});
