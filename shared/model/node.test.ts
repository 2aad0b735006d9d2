import { describe, expect, it } from 'vitest';
import { sampleIdentity, sampleNodeStatus } from '../testing/sampleNodeStatus.ts';
import {
  isBehind,
  isListenerOfOtherUser,
  isSameNode,
  isSameRun,
  type NodeStatus,
  UNIDENTIFIED_USER,
} from './node.ts';

const address = (port: number) => ({ host: '127.0.0.1', port, tls: false });
const mark = { dev: '1', ino: '7', born: '1700000000000000001' };
const known = sampleIdentity({
  ...{
    address: address(8332),
    network: 'main',
    walletsFolder: '/n/wallets',
    reportedLogPath: '/n/debug.log',
  },
  walletsFolderMark: mark,
  started: 1_700_000_000,
  listener: { user: 1000, socket: '1' },
});
const now = (change: Partial<typeof known>) => ({ ...known, ...change });

describe('the same node', () => {
  it.each([
    ['it was never away', {}],
    ['it was restarted', { started: 1_700_009_000, listener: { user: 1000, socket: '2' } }],
    ['it is at another port', { address: address(1), listener: { user: 1000, socket: '2' } }],
    ['it is of a newer release', { release: 310_000 }],
    ['its folder cannot be proved just now', { walletsFolder: null }],
    ['nobody can look at its folder just now', { walletsFolderMark: null }],
    ['its disk has another number', { walletsFolderMark: { ...mark, dev: '2' } }],
    ['its disk gives folders other inodes', { walletsFolderMark: { ...mark, dev: '2', ino: '8' } }],
    ['its disk records no creation time', { walletsFolderMark: { ...mark, dev: '2', born: null } }],
    ['its disk reports the last change as the creation time', { walletsFolderMark: { ...mark, born: '9' } }],
    ['a link leads to its folder', { walletsFolder: '/link/wallets', reportedLogPath: '/link/debug.log' }],
    ['the system stands between', { listener: { user: 0, socket: '2' } }],
    ['the system does not name the listener', { listener: null }],
  ])('though %s', (_, change) => {
    expect(isSameNode(known, now(change))).toBe(true);
  });

  // SECURITY.md: Another user who listens on the node's port
  it.each<[string, Partial<typeof known>]>([
    ['another network', { network: 'regtest' }],
    ['another wallets folder', { walletsFolder: '/other/wallets', walletsFolderMark: null }],
    [
      'the folder on a copy of its disk',
      { walletsFolder: '/copy', walletsFolderMark: { ...mark, dev: '2' } },
    ],
    ['another folder at the path of its own', { walletsFolderMark: { ...mark, ino: '8', born: '9' } }],
    [
      'another folder there that cannot be proved',
      { walletsFolder: null, walletsFolderMark: { ...mark, ino: '8', born: '9' } },
    ],
    ['one of another disk there', { walletsFolderMark: { ...mark, dev: '2', born: '9' } }],
    ['another one there, on a disk without births', { walletsFolderMark: { ...mark, ino: '8', born: null } }],
    ['another log, and no folder', { walletsFolder: null, reportedLogPath: '/other/debug.log' }],
    ['another user', { listener: { user: 1001, socket: '2' } }],
    [
      'a user who cannot be distinguished from others',
      { listener: { user: UNIDENTIFIED_USER, socket: '2' } },
    ],
    ['no folder, at another port', { walletsFolder: null, address: address(1) }],
    ['the offline engine on its folder', { offline: true }],
  ])('is none with %s', (_, change) => {
    expect(isSameNode(known, now(change))).toBe(false);
  });

  it('is found by its address alone in records of earlier versions', () => {
    const little = sampleIdentity({ network: 'main', address: address(8332), release: null });
    expect(isSameNode(little, known)).toBe(true);
    expect(isSameNode(little, now({ address: address(1) }))).toBe(false);
  });
});

it('takes the same socket for the same user if users cannot be distinguished', () => {
  const unidentified = (socket: string) => ({ user: UNIDENTIFIED_USER, socket });
  expect(isListenerOfOtherUser(unidentified('1'), unidentified('1'))).toBe(false);
  expect(isListenerOfOtherUser(unidentified('1'), unidentified('2'))).toBe(true);
});

describe('the same run', () => {
  it('allows for a corrected clock', () => {
    expect(isSameRun(known, now({ started: 1_700_000_008 }))).toBe(true);
    expect(isSameRun(known, now({ started: 1_700_000_030 }))).toBe(false);
  });

  it('is the same after the machine slept, because one of its clocks stopped too', () => {
    const before = { ...known, startedSteady: 500 };
    const [slept, restarted] = [1_700_003_600, 1_700_003_700];
    expect(isSameRun(before, now({ started: slept, startedSteady: 501 }))).toBe(true);
    expect(isSameRun(before, now({ started: restarted, startedSteady: 600 }))).toBe(false);
    expect(isSameRun(known, now({ started: restarted, startedSteady: 600 }))).toBe(false);
  });

  it('has the same listening socket, if known', () => {
    expect(isSameRun(known, now({ listener: { user: 1000, socket: '2' } }))).toBe(false);
  });
});

describe('isBehind', () => {
  const now = 1_795_000_000;
  const old = now - 30 * 3600;
  it.each<[boolean, Partial<NodeStatus>]>([
    [false, {}],
    [false, { newestBlockTime: now - 40_000 }],
    // It has no peers, and knows of no newer block.
    [true, { newestBlockTime: old }],
    [false, { newestBlockTime: old, network: 'regtest' }],
    [false, { newestBlockTime: old, offline: true }],
    [false, { blocks: 924_997 }],
    [true, { blocks: 924_996 }],
    [true, { initialBlockDownload: true }],
  ])('is %s for %j', (isIt, change) => {
    expect(isBehind(sampleNodeStatus(change), now)).toBe(isIt);
  });
});
