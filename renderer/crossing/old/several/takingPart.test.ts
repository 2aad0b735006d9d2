import { describe, expect, it } from 'vitest';
import type { Check, MigrationChecks } from '../../../../shared/safety.ts';
import { madeIdentity } from '../../../../shared/testing/madeNodeStatus.ts';
import { takingPart } from './takingPart.ts';
import type { WalletLook } from './useManyChecks.ts';

const known = (found: Partial<MigrationChecks> = {}): WalletLook => ({
  state: 'known',
  encrypted: null,
  found: {
    node: madeIdentity(),
    checks: [],
    copy: { way: 'copied', text: '' },
    way: 'migrate',
    file: null,
    ...found,
  },
});
const ticked = { unticked: false, hasOwnCopy: false };
const cannot = known({ copy: { way: 'cannot', text: '' } });

describe('takingPart', () => {
  it('takes what nothing stops, once it is looked at', () => {
    expect(takingPart(known(), ticked)).toEqual({ is: 'in' });
    expect(takingPart({ state: 'looking' }, ticked)).toEqual({ is: 'open' });
    expect(takingPart(known(), { ...ticked, unticked: true })).toEqual({ is: 'unticked' });
  });

  it('leaves out what a check stops, and says why', () => {
    const stop: Check = { id: 'space', verdict: 'stop', title: 'No room', looked: '', text: [], todo: [] };
    expect(takingPart(known({ way: 'none', checks: [stop] }), ticked)).toEqual({
      is: 'stopped',
      why: 'No room',
    });
    expect(takingPart(known({ way: 'copy-first' }), ticked)).toMatchObject({ is: 'stopped' });
    const error = { code: 'cannot_connect', message: 'No answer.', hint: '' } as const;
    expect(takingPart({ state: 'failed', error }, ticked)).toEqual({ is: 'stopped', why: 'No answer' });
  });

  it('asks for the user’s word where no copy can be made', () => {
    expect(takingPart(cannot, ticked)).toEqual({ is: 'word-needed' });
    expect(takingPart(cannot, { ...ticked, hasOwnCopy: true })).toEqual({ is: 'in' });
    expect(takingPart(cannot, { ...ticked, unticked: true })).toEqual({ is: 'unticked' });
  });
});
