import { describe, expect, it } from 'vitest';
import type { FileFacts } from '../../../../shared/files.ts';
import type { Release } from '../../../../shared/node.ts';
import { release31 } from '../../../../shared/testing/madeNodeStatus.ts';
import { stopped } from '../remark.ts';
import { fileRemarks } from './fileRemarks.ts';

const release29: Release = { number: 290_300, text: '29.3', migrates: 'yes', loadsLegacy: true };
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
const legacy: FileFacts = { ...descriptor, kind: 'legacy-wallet', network: null };

function said(facts: FileFacts, release = release29) {
  const remarks = fileRemarks(facts, { network: 'main', release });
  return { keys: remarks.map(({ key }) => key), stops: stopped(remarks) };
}

describe('fileRemarks', () => {
  it('has nothing to say of a descriptor wallet of this network', () => {
    expect(said(descriptor)).toEqual({ keys: [], stops: false });
    expect(said(descriptor, release31)).toEqual({ keys: [], stops: false });
  });

  it('says what a file is that is no wallet, and stops', () => {
    const picture: FileFacts = { ...descriptor, kind: 'other', description: 'PNG picture', network: null };
    expect(said(picture)).toEqual({ keys: ['not-a-wallet'], stops: true });
    const [remark] = fileRemarks(picture, { network: 'main', release: release29 });
    expect(remark?.text.join(' ')).toContain('PNG picture');
  });

  it('stops for a wallet of another network', () => {
    expect(said({ ...descriptor, network: 'regtest' })).toEqual({ keys: ['other-network'], stops: true });
  });

  it('leaves a legacy wallet to the checks, whichever way it goes', () => {
    expect(said(legacy)).toEqual({ keys: [], stops: false });
    expect(said(legacy, release31)).toEqual({ keys: [], stops: false });
  });

  it('warns of a file that was cut off, without stopping', () => {
    expect(said({ ...descriptor, truncated: true })).toEqual({ keys: ['truncated'], stops: false });
    expect(said({ ...legacy, truncated: true })).toEqual({ keys: ['truncated'], stops: false });
  });

  it('stops for one that would be migrated in the same go, which must be whole', () => {
    expect(said({ ...legacy, truncated: true }, release31)).toEqual({ keys: ['not-whole'], stops: true });
  });
});
