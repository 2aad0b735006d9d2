import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../../shared/operation.ts';
import { madeNodeStatus } from '../../../../shared/testing/madeNodeStatus.ts';
import { madeOperation } from '../../../../shared/testing/madeOperation.ts';
import type { Queue, Standing } from '../../../state/manyQueue.ts';
import { countWords, restWords, resultsHeading, standingWords } from './queueWords.ts';

const queue = (...standings: Standing[]): Queue => ({
  node: madeNodeStatus(),
  items: standings.map((standing, at) => ({
    wallet: `w${at}`,
    passphrase: 'none',
    hasOwnCopy: false,
    standing,
  })),
});
const begun = { state: 'begun', operation: 'one' } as const;
const done = [{ id: 'one', state: 'done' }] as const;
const operation = (change: Partial<Operation>) =>
  madeOperation({
    wallet: 'w0',
    state: 'done',
    steps: [{ phase: 'rescanning', state: 'running' }],
    ...change,
  });

describe('the words of a queue', () => {
  it('count what is done, and name the rest only where there is one', () => {
    const mixed = queue(begun, { state: 'waiting' }, { state: 'not-begun', why: 'stopped' });
    expect(countWords(mixed, done)).toBe('1 of 3 migrated, 1 not begun, 1 waits');
    expect(restWords(queue(begun), done)).toBe('');
    expect(resultsHeading(mixed, done)).toBe('1 of 3 wallets is migrated');
    expect(resultsHeading(queue(begun, begun), done)).toBe('All 2 wallets are migrated');
  });
});

describe('standingWords', () => {
  const words = (change: Partial<Operation>) => standingWords({ standing: begun }, operation(change));

  it('tells the phase of one that runs, and that its line is lost', () => {
    expect(words({ state: 'running' })).toMatchObject({ word: 'Runs', text: 'Rescanning the block chain' });
    expect(words({ state: 'running', line: 'lost' }).text).toBe('The line to the node is lost');
  });

  it('does not call well what was not compared', () => {
    expect(words({})).toMatchObject({ tone: 'read', text: 'Before and after were not compared' });
  });

  it('says shortly why one failed', () => {
    const error = { code: 'wrong_passphrase', message: 'Refused.', hint: '' } as const;
    expect(words({ state: 'failed', error }).text).toBe('The passphrase is not right');
    expect(words({ state: 'failed', error: { ...error, code: 'no_space' } }).text).toBe('Refused.');
  });

  it('tells of one that nobody knows any more', () => {
    expect(standingWords({ standing: begun }, null)).toMatchObject({ word: 'Outcome not known' });
  });
});
