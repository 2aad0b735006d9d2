import { expect, it } from 'vitest';
import type { WholeCopy } from '../model/safety.ts';
import { interruptionWords } from './interruptionWords.ts';

const copy: WholeCopy = {
  path: '/node/wallets/old_1795678025.legacy.bak',
  from: 'legacy-backup',
  made: 1_795_678_025,
  size: 94_208,
  sha256: '00'.repeat(32),
  matches: true,
};

it('names the way back for a wallet with a whole copy', () => {
  expect(interruptionWords({ wallet: 'old', copies: [copy] }).hint).toEqual([
    'The incomplete wallet is kept.',
  ]);
});

it('says how to start a node that cannot open its unnamed wallet', () => {
  expect(interruptionWords({ wallet: '', copies: [copy] }).hint).toContain(
    'If Bitcoin Core fails to start, use -nowallet.',
  );
});

it('says what to keep if no copy is whole', () => {
  const { title, hint } = interruptionWords({ wallet: 'old', copies: [] });
  expect(title).toBe('No whole copy was found.');
  expect(hint[0]).toContain('Keep the file');
});
