import { describe, expect, it } from 'vitest';
import { checkNewName } from '../migrate/checkNewName.ts';
import { freeName } from './freeName.ts';

const free = (suggested: string, taken: string[]) => freeName(suggested, { taken, platform: 'linux' });

describe('freeName', () => {
  it('keeps a suggestion that is free', () => {
    expect(free('savings', ['other'])).toBe('savings');
  });

  it('counts on from a taken one', () => {
    expect(free('savings', ['savings'])).toBe('savings-restored');
    expect(free('savings', ['savings', 'savings-restored'])).toBe('savings-restored-2');
  });

  it('counts on until the further wallets of a migration have their names too', () => {
    const rules = { taken: ['savings', 'savings-restored_watchonly'], platform: 'linux' } as const;
    expect(freeName('savings', rules, checkNewName)).toBe('savings-restored-2');
  });

  it('leaves the field empty rather than to suggest what cannot be used', () => {
    expect(free('..', [])).toBe('');
    expect(free('a'.repeat(255), ['a'.repeat(255)])).toBe('');
  });
});
