import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { errorOfFailure, FileError, failure, failureOf } from './fileError.ts';
import { finding } from './finding.ts';

describe('a finding in a message', () => {
  it.each([
    { code: 'not_legacy_wallet' },
    { code: 'page_without_tree', page: 3 },
    { code: 'wallet_damaged', fault: { code: 'page_missing', page: 3 } },
    { code: 'network_ambiguous', networks: ['main', 'signet'] },
  ])('passes: %j', (one) => {
    expect(z.encode(finding, finding.parse(one))).toEqual(one);
  });

  it.each([
    'not_legacy_wallet',
    {},
    { code: 'no_such_code' },
    { code: 'constructor' },
    { code: 'page_without_tree' },
    { code: 'page_without_tree', page: '3' },
    { code: 'not_legacy_wallet', text: 'and more' },
    { code: 'wallet_damaged', fault: { code: 'pdf' } },
  ])('is refused: %j', (one) => {
    expect(finding.safeParse(one).success).toBe(false);
  });
});

describe('an error that leaves a thread', () => {
  it('keeps its code, its finding and the node’s message', () => {
    const node = { code: -4, message: 'Wallet loading failed.' };
    const error = new FileError('wallet_error', { code: 'network_of_other_chain' }, node);
    const arrived = errorOfFailure(failure.parse(structuredClone(failureOf(error))));
    expect(arrived).toBeInstanceOf(FileError);
    expect(arrived).toMatchObject({ code: 'wallet_error', finding: error.finding, node });
  });

  it('loses its text unless it is a FileError', () => {
    expect(failureOf(new Error('secret'))).toEqual({ code: 'internal', finding: { code: 'unforeseen' } });
  });
});
