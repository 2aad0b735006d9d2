import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { PassphraseVerdict } from '../../../shared/inspection.ts';
import { createSafetyCopies } from '../copies/safetyCopies.ts';
import { inspectionOf, statusOf } from '../testing/testFacts.ts';
import { refusePassphrase } from './refusePassphrase.ts';

const encryption = { masterKeys: 1, iterations: 25_000, secondsPerTry: null };
const encrypted = {
  status: statusOf(),
  looked: { state: 'seen', inspection: inspectionOf({ encryption }) },
} as const;

function looking(verdict: PassphraseVerdict | AppError) {
  return {
    inspect: async () => inspectionOf(),
    tryPassphrase: vi.fn(async () => {
      if (verdict instanceof AppError) throw verdict;
      return verdict;
    }),
    copies: createSafetyCopies({ folder: '/none' }),
    copiesFolder: '/none',
    now: () => 0,
  };
}

describe('refusePassphrase', () => {
  it.each([
    ['a wrong one', 'wrong', 'There is no limit of tries'],
    ['one of which only the beginning is right', 'right-cut-at-zero', 'Give that part alone'],
  ] as const)('refuses %s', async (_, verdict, hint) => {
    await expect(refusePassphrase(encrypted, '/b.dat', 'words', looking(verdict))).rejects.toMatchObject({
      code: 'wrong_passphrase',
      hint: expect.stringContaining(hint),
    });
  });

  it('asks for one where the wallet is encrypted', async () => {
    await expect(refusePassphrase(encrypted, '/b.dat', undefined, looking('right'))).rejects.toMatchObject({
      code: 'wallet_unlock_needed',
    });
  });

  it.each([
    ['the right one', 'right'],
    ['one that cannot be tried', 'cannot-be-tried'],
    ['one on a file that cannot be read', new AppError('file_unreadable', 'No.', 'No.')],
  ] as const)('lets pass %s', async (_, verdict) => {
    await expect(refusePassphrase(encrypted, '/b.dat', 'words', looking(verdict))).resolves.toBeUndefined();
  });

  it('lets the offline engine take the beginning by itself', async () => {
    const offline = { ...encrypted, status: statusOf({ offline: true }) };
    await expect(
      refusePassphrase(offline, '/b.dat', 'words', looking('right-cut-at-zero')),
    ).resolves.toBeUndefined();
  });

  it('tries none on a wallet that is not encrypted, or that cannot be looked into', async () => {
    const plain = { ...encrypted, looked: { state: 'seen', inspection: inspectionOf() } } as const;
    const look = looking('wrong');
    await refusePassphrase(plain, '/b.dat', 'words', look);
    await refusePassphrase({ ...encrypted, looked: { state: 'elsewhere' } }, '/b.dat', 'words', look);
    expect(look.tryPassphrase).not.toHaveBeenCalled();
  });
});
