import { expect, it } from 'vitest';
import type { WholeCopy } from '../model/safety.ts';
import { fileToRescue, interruptionWords } from './interruptionWords.ts';

const copy: WholeCopy = {
  path: '/node/wallets/old_1795678025.legacy.bak',
  from: 'legacy-backup',
  made: 1_795_678_025,
  size: 94_208,
  sha256: '00'.repeat(32),
  matches: true,
};

const half = { wallet: 'old', cause: 'legacy-records', file: '/w' } as const;

it('names the way back for a wallet with a whole copy', () => {
  expect(interruptionWords({ ...half, wallet: null, copies: [copy] }).hint).toEqual([
    'The half-migrated wallet is kept too.',
  ]);
});

it('promises to keep no half-migrated wallet where there is none', () => {
  expect(interruptionWords({ ...half, wallet: null, cause: 'missing', copies: [copy] }).hint).toEqual([]);
});

it.each(['', 'old'])('says how to start a node that opens the wallet at start: “%s”', (wallet) => {
  expect(interruptionWords({ ...half, wallet, copies: [copy] }).hint).toContain(
    'If Bitcoin Core fails to start, use -nowallet.',
  );
});

it('says what to keep if no copy is whole', () => {
  const { title, hint } = interruptionWords({ ...half, copies: [] });
  expect(title).toBe('No whole copy was found.');
  expect(hint[0]).toContain('Keep the file');
  expect(hint).toContain('Rescue what is intact.');
  // No copy of this wallet, but the file still has its records.
  expect(fileToRescue({ ...half, copies: [{ ...copy, isOther: true }] })).toBe('/w');
  expect(fileToRescue({ ...half, copies: [copy] })).toBeNull();
  expect(fileToRescue({ ...half, cause: 'no-format', copies: [] })).toBeNull();
});
