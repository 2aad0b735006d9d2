import { describe, expect, it } from 'vitest';
import type { FileFacts, Release } from '../../../shared/model.ts';
import { stopped } from '../remark.ts';
import { fileRemarks } from './fileRemarks.ts';

const release29: Release = { number: 290_300, text: '29.3', migrates: 'yes', loadsLegacy: true };
const release31: Release = { number: 310_000, text: '31.0', migrates: 'yes', loadsLegacy: false };
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

  it('tells a legacy wallet as such where the node loads it, and stops where it does not', () => {
    expect(said(legacy)).toEqual({ keys: ['legacy'], stops: false });
    expect(said(legacy, release31)).toEqual({ keys: ['legacy-too-new'], stops: true });
  });

  it('warns of a file that was cut off, without stopping', () => {
    expect(said({ ...descriptor, truncated: true })).toEqual({ keys: ['truncated'], stops: false });
    expect(said({ ...legacy, truncated: true }).keys).toEqual(['truncated', 'legacy']);
  });
});
