/** The facts that the build inserts into the page. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requests } from '../shared/contract.ts';
import { satoshi } from '../shared/model/money.ts';
import { sampleInspection } from '../shared/testing/sampleInspection.ts';
import { contractFacts, satoshiPlaces } from './contractFacts.ts';

const one = z.object({ by: z.literal('one'), amount: satoshi.nullable() });

describe('the places of satoshi in a shape', () => {
  it('are found in fields, lists, and shapes of a union', () => {
    const shape = z.object({
      list: z.array(one).readonly(),
      other: z.string(),
      deep: z.object({ sum: satoshi }),
    });
    expect(satoshiPlaces(shape)).toEqual({ list: { amount: true }, deep: { sum: true } });
    const other = z.object({ by: z.literal('other'), total: satoshi.optional() });
    expect(satoshiPlaces(z.discriminatedUnion('by', [one, other]))).toEqual({ amount: true, total: true });
    expect(satoshiPlaces(z.array(satoshi))).toBe(true);
    expect(satoshiPlaces(z.object({ text: z.string() }))).toBeNull();
  });

  it('are refused where the page could not tell them from texts', () => {
    const text = z.object({ by: z.literal('text'), amount: z.string() });
    expect(() => satoshiPlaces(z.discriminatedUnion('by', [one, text]))).toThrow('not satoshi');
    expect(() => satoshiPlaces(z.record(z.string(), satoshi))).toThrow('any name');
  });
});

it('decode an inspection to what its shape decodes it to', async () => {
  const { decodedOutput } = await import('../renderer/state/contractFacts.ts');
  const shape = requests['wallet.inspect'].output;
  const sent = z.encode(shape, sampleInspection({ kind: 'legacy' }));
  expect(JSON.parse(contractFacts.SATOSHI_OF_OUTPUTS)).toHaveProperty(['wallet.inspect', 'balance']);
  expect(decodedOutput('wallet.inspect', JSON.parse(JSON.stringify(sent)))).toEqual(shape.parse(sent));
});
