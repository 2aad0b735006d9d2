import { describe, expect, it } from 'vitest';
import type { Check } from '../../../../shared/safety.ts';
import { madeIdentity } from '../../../../shared/testing/madeNodeStatus.ts';
import { checksSummary } from './checksSummary.ts';
import type { WalletLook } from './useManyChecks.ts';

const check = (verdict: Check['verdict'], title: string): Check => ({
  id: 'space',
  verdict,
  title,
  looked: '',
  text: [],
  todo: [],
});
const known = (...checks: Check[]): WalletLook => ({
  state: 'known',
  encrypted: null,
  found: { node: madeIdentity(), checks, copy: { way: 'copied', text: '' }, way: 'migrate', file: null },
});
const taken = { is: 'in' } as const;

describe('checksSummary', () => {
  it('calls fine only what was looked at and is fine', () => {
    const fine = check('fine', 'There is room');
    const unseen = check('unseen', 'Not looked at: the file');
    expect(checksSummary(known(fine), taken)).toEqual({ tone: 'good', word: 'Fine', text: '' });
    expect(checksSummary(known(fine, unseen), taken)).toEqual({
      tone: 'info',
      word: 'Not all known',
      text: 'Not looked at: the file',
    });
  });

  it('tells first what is to be read', () => {
    const checks = [check('unseen', 'Not looked at'), check('read', 'A long rescan')];
    expect(checksSummary(known(...checks), taken)).toMatchObject({
      tone: 'read',
      text: expect.stringContaining('A long rescan'),
    });
  });

  it('says no more of one that is not taken along', () => {
    const look = known(check('read', 'A long rescan'));
    expect(checksSummary(look, { is: 'unticked' })).toMatchObject({ tone: 'plain', text: '' });
    expect(checksSummary(look, { is: 'stopped', why: 'No room' })).toMatchObject({
      tone: 'danger',
      text: 'No room',
    });
  });
});
