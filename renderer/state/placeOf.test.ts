import { describe, expect, it } from 'vitest';
import { isShownAt, placeOf } from './placeOf.ts';

const running = { id: 'one', wallet: '', state: 'running' } as const;

describe('placeOf', () => {
  it('leads to the wizard of a restore or a migration, running or not', () => {
    expect(placeOf({ ...running, kind: 'restore' })).toEqual({ at: 'restore', file: null, operation: 'one' });
    expect(placeOf({ ...running, kind: 'migrate', state: 'failed' })).toEqual({
      at: 'migrate',
      wallet: '',
      operation: 'one',
    });
  });

  it('leads to the wizard of a backup only while it runs', () => {
    expect(placeOf({ ...running, kind: 'backup' })).toEqual({ at: 'backup', wallet: '' });
    expect(placeOf({ ...running, kind: 'backup', state: 'done' })).toEqual({ at: 'activity' });
  });

  it('gives a place at which the operation is shown', () => {
    for (const kind of ['restore', 'migrate', 'backup'] as const) {
      expect(isShownAt(placeOf({ ...running, kind }), { ...running, kind })).toBe(true);
      expect(isShownAt({ at: 'wallets' }, { ...running, kind })).toBe(false);
    }
    expect(isShownAt({ at: 'migrate', wallet: '', operation: null }, { ...running, kind: 'migrate' })).toBe(
      false,
    );
  });

  it('counts a backup as shown in the migrate wizard, which makes it', () => {
    expect(
      isShownAt({ at: 'migrate', wallet: 'w', operation: 'other' }, { ...running, kind: 'backup' }),
    ).toBe(true);
  });

  it('shows the operations of a queue where the queue is shown, and no others', () => {
    const operation = { ...running, kind: 'migrate' } as const;
    expect(isShownAt({ at: 'migrate-many' }, operation, true)).toBe(true);
    expect(isShownAt({ at: 'migrate-many' }, operation)).toBe(false);
  });
});
