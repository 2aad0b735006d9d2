import { describe, expect, it } from 'vitest';
import { checkNewName } from './checkNewName.ts';

const rules = { taken: ['savings', 'old_watchonly'], platform: 'linux' } as const;

describe('checkNewName', () => {
  it('lets a free name pass', () => {
    expect(checkNewName('holiday', rules)).toEqual({ ok: true });
  });

  it('refuses what no wallet may be called', () => {
    expect(checkNewName('', rules)).toMatchObject({ reason: 'empty' });
    expect(checkNewName('savings', rules)).toMatchObject({ reason: 'taken' });
  });

  it('refuses a folder within a folder', () => {
    expect(checkNewName('family/alice', rules)).toMatchObject({ reason: 'leaves-folder' });
  });

  it('refuses a name whose further wallets would find theirs taken, and says which', () => {
    const verdict = checkNewName('old', rules);
    expect(verdict).toMatchObject({ reason: 'taken' });
    expect(verdict).toMatchObject({ message: expect.stringContaining('“old_watchonly”') });
  });

  it('leaves room for the endings', () => {
    expect(checkNewName('a'.repeat(250), rules)).toMatchObject({ reason: 'too-long' });
  });
});
