import { describe, expect, it } from 'vitest';
import { sampleJob } from '../testing/sampleJob.ts';
import { haveSameWallets, isBeingChecked, type Job, type Step, wasPutBack } from './job.ts';

it.each<[boolean, Step[]]>([
  [
    false,
    [
      { phase: 'sent', state: 'running' },
      { phase: 'proving', state: 'waiting' },
    ],
  ],
  [
    false,
    [
      { phase: 'loading', state: 'running' },
      { phase: 'verifying', state: 'skipped' },
    ],
  ],
  [
    true,
    [
      { phase: 'sent', state: 'done' },
      { phase: 'proving', state: 'running' },
    ],
  ],
  [
    true,
    [
      { phase: 'sent', state: 'done' },
      { phase: 'verifying', state: 'running' },
    ],
  ],
])('tells whether a job is being checked: %s for %j', (expected, steps) => {
  expect(isBeingChecked({ steps })).toBe(expected);
});

describe('two nodes have the same wallets', () => {
  const at = (port: number) => ({ host: '127.0.0.1', port, tls: false });
  const node = { address: at(8332), network: 'main', offline: false, walletsFolder: '/w' } as const;

  it.each<[boolean, Partial<Parameters<typeof haveSameWallets>[0]>]>([
    [true, { address: at(9000) }],
    [false, { walletsFolder: '/other' }],
    [false, { network: 'signet' }],
    [false, { offline: true }],
    [true, { walletsFolder: null }],
    [false, { walletsFolder: null, address: at(9000) }],
    [true, { offline: undefined, walletsFolder: undefined }],
  ])('%s if one differs by %j', (expected, change) => {
    expect(haveSameWallets(node, { ...node, ...change })).toBe(expected);
    expect(haveSameWallets({ ...node, ...change }, node)).toBe(expected);
  });

  it.each([
    [false, 'another creation time', {}, { dev: '2', ino: '8', born: '9' }],
    [
      true,
      'another inode, as after a new mount, where no creation time is kept',
      {},
      { dev: '2', ino: '8', born: null },
    ],
    [true, 'another path, and the same mark', { walletsFolder: '/link' }, { dev: '1', ino: '7', born: '3' }],
  ])('%s if the folder has %s', (expected, _, change, walletsFolderMark) => {
    const marked = { ...node, walletsFolderMark: { dev: '1', ino: '7', born: '3' } };
    expect(haveSameWallets(marked, { ...node, ...change, walletsFolderMark })).toBe(expected);
  });
});

describe('an interrupted wallet is settled', () => {
  const { node } = sampleJob({});
  const interrupted = sampleJob({
    id: '1',
    kind: 'migrate',
    wallet: '',
    state: 'interrupted',
    node: { ...node, offline: false, walletsFolder: '/w' },
  });
  const restored = { kind: 'restore', walletName: 'wallet', walletKind: 'legacy', balance: null } as const;
  const done = { id: '2', action: 'put-back', state: 'done', wallet: 'wallet' } as const;
  const moved = { ...restored, movedWallets: [{ name: '', newName: 'wallet.interrupted' }] };
  const kept = { ...restored, movedWallets: [{ name: 'other', newName: 'other.interrupted' }] };
  it.each<[string, Partial<Job>, boolean]>([
    ['once it was put back under another name', { ...done, result: moved }, true],
    ['once it was put back under its name', { ...done, wallet: '', result: restored }, true],
    [
      'by the engine',
      { ...done, wallet: '', result: restored, node: { ...interrupted.node, offline: true } },
      true,
    ],
    ['not by a failure', { ...done, state: 'failed', result: null, wallet: '' }, false],
    ['not by a restore', { ...done, action: undefined, wallet: '', result: restored }, false],
    ['not by another wallet', { ...done, result: kept }, false],
  ])('%s', (_, later, isSettled) => {
    const jobs = [sampleJob(later), interrupted];
    expect(wasPutBack(interrupted, jobs)).toBe(isSettled);
    expect(wasPutBack(interrupted, jobs.toReversed())).toBe(false);
  });
});
