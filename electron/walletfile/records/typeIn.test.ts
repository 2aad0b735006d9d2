import { utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import { typeIn } from './recordsByType.ts';

const keyOf = (size: number, rest: string) => Uint8Array.from([size, ...utf8ToBytes(rest)]);

it('gives the type that each key names', () => {
  const keys = [keyOf(3, 'key1'), keyOf(3, 'key22'), keyOf(4, 'name1'), keyOf(3, 'key'), keyOf(0, '')];
  expect(keys.map(typeIn)).toEqual(['key', 'key', 'name', 'key', '']);
});

it('is not led astray by a key that ends within its type', () => {
  expect([keyOf(4, 'c'), keyOf(4, 'ckey1'), new Uint8Array(), keyOf(4, 'ckey2')].map(typeIn)).toEqual([
    'c',
    'ckey',
    '',
    'ckey',
  ]);
});
