import { describe, expect, it } from 'vitest';
import type { Connection, NodeStatus } from '../../shared/node.ts';
import { madeNodeStatus } from '../../shared/testing/madeNodeStatus.ts';
import {
  type Around,
  countsOf,
  dropped,
  hasWaiting,
  isOver,
  isQueued,
  nextStep,
  type Queue,
  type Standing,
  withStanding,
} from './manyQueue.ts';

const node = madeNodeStatus({
  label: 'This computer',
  address: { host: '127.0.0.1', port: 18443, tls: false },
  network: 'regtest',
  walletsFolder: '/wallets',
});
const status = (change: Partial<NodeStatus> = {}) => madeNodeStatus({ ...node, ...change });
const connected = (change?: Partial<NodeStatus>): Connection => ({
  state: 'connected',
  node: status(change),
});
const lost = (change?: Partial<NodeStatus>): Connection => ({
  state: 'lost',
  node: status(change),
  error: { code: 'connection_lost', message: '', hint: '' },
  since: 1,
});
const around = (change: Partial<Around> = {}): Around => ({
  connection: connected(),
  held: false,
  operations: [],
  ...change,
});
const waiting: Standing = { state: 'waiting' };
const begun: Standing = { state: 'begun', operation: 'one' };
const refused: Standing = { state: 'refused', error: { code: 'wallet_error', message: '', hint: '' } };
const queue = (...standings: Standing[]): Queue => ({
  node,
  items: standings.map((standing, at) => ({
    wallet: `w${at}`,
    passphrase: 'none',
    hasOwnCopy: false,
    standing,
  })),
});
const running = [{ id: 'one', state: 'running' as const }];
const elsewhere = { address: { host: '127.0.0.1', port: 1, tls: false }, walletsFolder: '/others' };

describe('nextStep', () => {
  it('begins with the first that waits', () => {
    expect(nextStep(queue(refused, waiting, waiting), around())).toMatchObject({
      do: 'begin',
      item: { wallet: 'w1' },
    });
  });

  it('waits for the one at work, whatever became of the line', () => {
    expect(nextStep(queue({ state: 'starting' }, waiting), around())).toEqual({ do: 'wait', for: 'wallet' });
    for (const connection of [connected(), lost(), { state: 'none' } as const]) {
      expect(nextStep(queue(begun, waiting), around({ connection, operations: running }))).toEqual({
        do: 'wait',
        for: 'wallet',
      });
    }
  });

  it.each(['done', 'failed', 'unknown'] as const)('goes on after one that ended as %s', (state) => {
    const operations = [{ id: 'one', state }];
    expect(nextStep(queue(begun, waiting), around({ operations }))).toMatchObject({ do: 'begin' });
  });

  it('waits for the line and begins nothing meanwhile', () => {
    for (const change of [
      { connection: lost() },
      { connection: { state: 'none' } as const },
      { held: true },
    ]) {
      expect(nextStep(queue(waiting), around(change))).toEqual({ do: 'wait', for: 'line' });
    }
  });

  it('drops what waits on another node or network, also while one still runs', () => {
    const drop = { do: 'drop', why: 'other-node' };
    expect(nextStep(queue(waiting), around({ connection: connected(elsewhere) }))).toEqual(drop);
    expect(nextStep(queue(waiting), around({ connection: lost(elsewhere) }))).toEqual(drop);
    expect(nextStep(queue(waiting), around({ connection: connected({ network: 'main' }) }))).toEqual(drop);
    expect(
      nextStep(queue(begun, waiting), around({ connection: connected(elsewhere), operations: running })),
    ).toEqual(drop);
  });

  it('knows a node that came back at another port by its wallets folder', () => {
    const connection = connected({ address: { host: '127.0.0.1', port: 2, tls: false } });
    expect(nextStep(queue(waiting), around({ connection }))).toMatchObject({ do: 'begin' });
  });

  it('ends when nothing waits or runs', () => {
    expect(nextStep(queue(refused), around())).toEqual({ do: 'end' });
    expect(nextStep(queue(), around({ connection: connected(elsewhere) }))).toEqual({ do: 'end' });
  });
});

describe('dropped', () => {
  it('leaves what was begun as it is', () => {
    const left = dropped(queue(begun, { state: 'starting' }, waiting), 'stopped');
    expect(left.items.map(({ standing }) => standing)).toEqual([
      begun,
      { state: 'starting' },
      { state: 'not-begun', why: 'stopped' },
    ]);
    expect(hasWaiting(left)).toBe(false);
  });
});

describe('countsOf', () => {
  it('counts each wallet once', () => {
    const all = queue(waiting, { state: 'starting' }, begun, refused, { state: 'not-begun', why: 'left' });
    const counts = { all: 5, done: 0, failed: 1, unknown: 0, notBegun: 1, open: 3 };
    expect(countsOf(all, running)).toEqual(counts);
    expect(countsOf(all, [{ id: 'one', state: 'done' }])).toEqual({ ...counts, done: 1, open: 2 });
    // Of one that is not known any more nobody can tell how it ended.
    expect(countsOf(all, [])).toEqual({ ...counts, unknown: 1, open: 2 });
  });

  it('is over once nothing waits or runs', () => {
    expect(isOver(queue(begun), running)).toBe(false);
    expect(isOver(queue(begun), [{ id: 'one', state: 'failed' }])).toBe(true);
    expect(isOver(withStanding(queue(waiting), 'w0', refused), [])).toBe(true);
  });
});

describe('isQueued', () => {
  const operation = { id: 'one', kind: 'migrate', wallet: 'w0', state: 'running' } as const;

  it('knows its operations, also before the answer has told their ids', () => {
    expect(isQueued(queue(begun), operation)).toBe(true);
    expect(isQueued(queue({ state: 'starting' }), operation)).toBe(true);
  });

  it('takes no other one for its own', () => {
    expect(isQueued(null, operation)).toBe(false);
    expect(isQueued(queue(waiting), operation)).toBe(false);
    expect(isQueued(queue({ state: 'starting' }), { ...operation, wallet: 'other' })).toBe(false);
    expect(isQueued(queue({ state: 'starting' }), { ...operation, state: 'failed' })).toBe(false);
  });
});
