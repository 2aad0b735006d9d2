import { describe, expect, it } from 'vitest';
import type { PassphraseVerdict } from '../../../shared/model/inspection.ts';
import { migrationFacts, restoreFacts, seenAs, statusOf } from '../testing/testFacts.ts';
import { checkPassphrase, refusePassphrase } from './checkPassphrase.ts';

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
  ])('a try that came to %s is %s', (tried, verdict) => {
    expect(checkPassphrase(tried, { passphrase, offline: false })).toMatchObject({
      id: 'passphrase',
      verdict,
    });
  });

  it('lets the offline engine take the beginning by itself', () => {
    expect(checkPassphrase('right-cut-at-zero', { passphrase, offline: true }).verdict).toBe('fine');
  });

  it('tells of a zero byte where it cannot be tried', () => {
    const { verdict, title } = checkPassphrase(null, { passphrase: 'wor\0ds', offline: false });
    expect([verdict, title]).toEqual(['warning', 'The passphrase contains a zero byte']);
  });
});

describe('refusePassphrase', () => {
  const encryption = { masterKeys: 1, iterations: 25_000, secondsPerTry: null };
  const tried = (verdict: PassphraseVerdict, offline = false) => {
    const fileInspection = seenAs({ encryption, passphrase: verdict });
    const status = statusOf({ offline });
    return [
      { kind: 'migrate', ...migrationFacts({ fileInspection, status }) },
      { kind: 'restore-migrate', ...restoreFacts({ fileInspection, status }), unnamed: null },
    ] as const;
  };

  it.each([
    ['a wrong one', 'wrong', 'Tries are not limited'],
    ['one of which only the beginning is right', 'right-cut-at-zero', 'Type only what comes before'],
  ] as const)('refuses %s', (_, verdict, hint) => {
    for (const facts of tried(verdict)) {
      expect(() => refusePassphrase(facts, passphrase)).toThrow(
        expect.objectContaining({
          code: 'wrong_passphrase',
          hint: expect.stringMatching(`Nothing was sent to the node.*${hint}`),
        }),
      );
    }
  });

  it.each(['right', 'cannot-be-tried', 'too-many-rounds'] as const)(
    'lets pass what came to %s',
    (verdict) => {
      for (const facts of tried(verdict)) {
        expect(() => refusePassphrase(facts, passphrase)).not.toThrow();
      }
    },
  );

  it('lets pass what is not needed, and what the app cannot see', () => {
    const plain = migrationFacts({ fileInspection: seenAs({ passphrase: 'wrong' }) });
    const unseen = migrationFacts({ fileInspection: { state: 'out-of-reach' } });
    for (const facts of [plain, unseen]) {
      expect(() => refusePassphrase({ kind: 'migrate', ...facts }, passphrase)).not.toThrow();
    }
    for (const facts of tried('wrong', true)) {
      expect(() => refusePassphrase(facts, undefined)).not.toThrow();
    }
  });
});
