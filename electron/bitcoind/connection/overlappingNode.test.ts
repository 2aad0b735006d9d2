import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundNode } from '../../../shared/model/node.ts';
import { overlappingNode } from './offlineEngine.ts';

let home: string;
let node: FoundNode;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ferry-overlap-'));
  mkdirSync(join(home, 'node', 'regtest', 'wallets', 'savings'), { recursive: true });
  mkdirSync(join(home, 'other'));
  symlinkSync(join(home, 'node', 'regtest'), join(home, 'link'));
  node = {
    id: 'a',
    dataFolder: join(home, 'node'),
    network: 'regtest',
    address: { host: '127.0.0.1', port: 18443, tls: false },
    credentials: 'cookie',
    state: { state: 'starting', message: 'Loading…' },
  };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const overlaps = async (...way: string[]) => (await overlappingNode(join(home, ...way), [node])) === node;

describe('overlappingNode', () => {
  it.each([
    [['node', 'regtest', 'wallets']],
    [['node', 'regtest', 'wallets', 'savings']],
    [['node', 'regtest', 'wallets', 'not there yet']],
    [['node', 'regtest']],
    [['node']],
    [['link', 'wallets']],
    [[]],
  ])('finds the node whose wallets lie in, above or below %j', async (way) => {
    expect(await overlaps(...way)).toBe(true);
  });

  it.each([
    [['other']],
    [['not', 'there']],
    [['node', 'regtest', 'wallets-2']],
    [['node', 'wallets']],
    [['..wallets']],
  ])('finds none for %j', async (way) => {
    expect(await overlaps(...way)).toBe(false);
  });

  it('looks at the chain’s folder where the node has no folder for wallets', async () => {
    rmSync(join(home, 'node', 'regtest', 'wallets'), { recursive: true });
    expect(await overlaps('node', 'regtest')).toBe(true);
    expect(await overlaps('node', 'signet', 'wallets')).toBe(false);
  });

  it('passes over a node that does not run', async () => {
    node = {
      ...node,
      state: { state: 'failed', error: { code: 'cannot_connect', message: 'No.', hint: '' } },
    };
    expect(await overlaps('node', 'regtest', 'wallets')).toBe(false);
  });

  it('does not pass over one that is too busy to answer', async () => {
    node = {
      ...node,
      state: { state: 'failed', error: { code: 'timed_out', message: 'Busy.', hint: '' } },
    };
    expect(await overlaps('node', 'regtest', 'wallets')).toBe(true);
  });
});
