import { expect, it } from 'vitest';
import { hasUnknownMandatoryFlag, walletFlags } from './walletFlags.ts';

it('names flags as getwalletinfo does, those without a name too', () => {
  expect(walletFlags(0n)).toEqual([]);
  expect(walletFlags((1n << 34n) | 0b110n)).toEqual([
    'key_origin_metadata',
    'last_hardened_xpub_cached',
    'descriptor_wallet',
  ]);
  expect(walletFlags((1n << 40n) | (1n << 5n))).toEqual(['unknown_flag_5', 'unknown_flag_40']);
});

it('tells only unknown flags of the upper half as such that a release must know', () => {
  expect(hasUnknownMandatoryFlag((1n << 34n) | (1n << 5n))).toBe(false);
  expect(hasUnknownMandatoryFlag(1n << 40n)).toBe(true);
});
