import { describe, expect, it } from 'vitest';
import { madeNodeStatus, release31 } from '../../../../shared/testing/madeNodeStatus.ts';
import { undoWay } from './undoWay.ts';

const old = madeNodeStatus();
const young = madeNodeStatus({ release: release31 });

describe('undoWay', () => {
  it('restores where legacy wallets are loaded', () => {
    expect(undoWay({ node: old, here: true, backupSeen: true })).toBe('restore');
    expect(undoWay({ node: old, here: false, backupSeen: true })).toBe('restore');
  });

  it('restores in the offline engine, whatever release it speaks as', () => {
    expect(undoWay({ node: { ...young, offline: true }, here: false, backupSeen: true })).toBe('restore');
  });

  it('looks for something that loads it on release 30 and later, and without a node', () => {
    expect(undoWay({ node: young, here: true, backupSeen: true })).toBe('no-loader');
    expect(undoWay({ node: null, here: false, backupSeen: true })).toBe('no-loader');
  });

  it('does not send a file of this computer to a node on another', () => {
    expect(undoWay({ node: { ...old, local: false }, here: false, backupSeen: true })).toBe('no-loader');
  });

  it('names the path to the node that wrote it, and only to that one', () => {
    const remote = { ...old, local: false };
    expect(undoWay({ node: remote, here: true, backupSeen: null })).toBe('by-path');
    expect(undoWay({ node: old, here: false, backupSeen: null })).toBe('not-here');
    expect(undoWay({ node: { ...young, local: false }, here: true, backupSeen: null })).toBe('not-here');
  });
});
