import { describe, expect, it } from 'vitest';
import { guideWay } from './guideWay.ts';

const release = (loadsLegacy: boolean) => ({
  number: loadsLegacy ? 280_100 : 310_000,
  text: loadsLegacy ? '28.1' : '31.0',
  loadsLegacy,
  migrates: 'yes' as const,
});
const node = { network: 'main', release: release(false), local: true, walletsFolder: '/w' } as const;
const legacy = { kind: 'legacy-wallet', network: null } as const;
const descriptor = { kind: 'descriptor-wallet', network: 'main' } as const;

describe('guideWay', () => {
  it('leads nowhere with what is no wallet', () => {
    expect(guideWay({ kind: 'other', network: null }, node)).toBe('none');
  });

  it('asks for a node where there is none', () => {
    expect(guideWay(legacy, null)).toBe('choose-node');
  });

  it('restores what the node loads as it is', () => {
    expect(guideWay(descriptor, node)).toBe('restore');
    expect(guideWay(legacy, { ...node, release: release(true) })).toBe('restore');
  });

  it('restores and migrates a legacy wallet in one go where the node loads none', () => {
    expect(guideWay(legacy, node)).toBe('restore-migrate');
  });

  it('goes without a node where the app cannot place a copy', () => {
    expect(guideWay(legacy, { ...node, local: false })).toBe('without-node');
    expect(guideWay(legacy, { ...node, walletsFolder: null })).toBe('without-node');
    expect(guideWay(descriptor, { ...node, local: false })).toBe('restore');
  });

  it('says when the node is of another network', () => {
    expect(guideWay(descriptor, { ...node, network: 'regtest' })).toBe('other-network');
  });
});
