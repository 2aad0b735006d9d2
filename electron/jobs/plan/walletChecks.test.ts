import { describe, expect, it } from 'vitest';
import type { PassphraseVerdict } from '../../../shared/model/inspection.ts';
import { migrationFacts, readResult, restoreFacts, statusOf } from '../testing/testFacts.ts';
import { checkPassphrase, refusePassphrase } from './walletChecks.ts';

const passphrase = 'words';

describe('checkPassphrase', () => {
  it.each<[PassphraseVerdict | null, string]>([
    ['right', 'fine'],
    ['wrong', 'blocker'],
    ['right-cut-at-zero', 'blocker'],
    ['not-encrypted', 'warning'],
    ['too-many-rounds', 'unseen'],
    ['cannot-be-tried', 'unseen'],
    ['not-tried', 'unseen'],
    [null, 'unseen'],
  ])('calls the result %s %s', (tried, verdict) => {
    expect(checkPassphrase(tried, { passphrase, offline: false })).toMatchObject({
      id: 'passphrase',
      verdict,
    });
  });

  it.each([
    ['cannot-be-tried', 'No passphrase can be tried', [], ['Its encrypted key is damaged or missing.']],
    ['not-encrypted', 'Not encrypted', ['It needs no passphrase.'], []],
    [null, 'Only the node can try it', [], []],
  ] as const)('says why the result %s decides nothing', (verdict, title, text, todo) => {
    const check = checkPassphrase(verdict, { passphrase, offline: false });
    expect({ ...check, todo: check.todo.join(' ') }).toMatchObject({
      title,
      text,
      todo: expect.stringContaining(todo.join(' ')),
    });
  });

  it.each([
    ['trimmed', 'Right without the spaces at its ends', 'Remove these spaces.'],
    ['spaced', 'Right with a space at its end', 'Add that space.'],
    ['composed', 'Right with its accents in another form', 'Use the other one.'],
  ] as const)('names the right variant %s, and stops the plan', (variant, title, todo) => {
    expect(checkPassphrase(`right-${variant}`, { passphrase, offline: true })).toMatchObject({
      verdict: 'blocker',
      title,
      variant,
      todo: [expect.stringContaining(todo)],
    });
  });

  it('accepts a passphrase with a zero byte in the offline engine', () => {
    expect(checkPassphrase('right-cut-at-zero', { passphrase, offline: true }).verdict).toBe('fine');
  });

  it('warns about a zero byte if the app cannot try the passphrase', () => {
    const { verdict, title } = checkPassphrase(null, { passphrase: 'wor\0ds', offline: false });
    expect([verdict, title]).toEqual(['warning', 'The passphrase contains a zero byte']);
  });
});

describe('refusePassphrase', () => {
  const encryption = { masterKeys: 1, iterations: 25_000, secondsPerTry: null };
  const tried = (verdict: PassphraseVerdict, offline = false) => {
    const fileInspection = readResult({ encryption, passphrase: verdict });
    const status = statusOf({ offline });
    return [
      { kind: 'migrate', ...migrationFacts({ fileInspection, status }) },
      { kind: 'restore-migrate', ...restoreFacts({ fileInspection, status }), unnamed: null },
    ] as const;
  };

  it.each([
    ['a wrong one', 'wrong', 'Check capitals'],
    ['one of which only the beginning is right', 'right-cut-at-zero', 'Type only the part before'],
  ] as const)('refuses %s', (_, verdict, hint) => {
    for (const facts of tried(verdict)) {
      expect(() => refusePassphrase(facts, passphrase)).toThrow(
        expect.objectContaining({
          code: 'wrong_passphrase',
          hint: expect.stringMatching(`Nothing was sent.*${hint}`),
        }),
      );
    }
  });

  it.each(['right', 'cannot-be-tried', 'too-many-rounds'] as const)('accepts the result %s', (verdict) => {
    for (const facts of tried(verdict)) {
      expect(() => refusePassphrase(facts, passphrase)).not.toThrow();
    }
  });

  it('accepts an unneeded passphrase, and one that the app cannot try', () => {
    const plain = migrationFacts({ fileInspection: readResult({ passphrase: 'wrong' }) });
    const unseen = migrationFacts({ fileInspection: { state: 'out-of-reach' } });
    for (const facts of [plain, unseen]) {
      expect(() => refusePassphrase({ kind: 'migrate', ...facts }, passphrase)).not.toThrow();
    }
    for (const facts of tried('wrong', true)) {
      expect(() => refusePassphrase(facts, undefined)).not.toThrow();
    }
  });
});
