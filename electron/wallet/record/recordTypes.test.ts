import { utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import { recordTypes } from './recordsByType.ts';

const keyOf = (size: number, rest: string) => Uint8Array.from([size, ...utf8ToBytes(rest)]);

it('gives the type of each key, also where it changes from one to the next', () => {
  const typeOf = recordTypes();
  const keys = [keyOf(3, 'key1'), keyOf(3, 'key22'), keyOf(4, 'name1'), keyOf(3, 'key'), keyOf(0, '')];
  expect(keys.map(typeOf)).toEqual(['key', 'key', 'name', 'key', '']);
});

it('is not led astray by a key that ends within its type', () => {
  const typeOf = recordTypes();
  expect([keyOf(4, 'c'), keyOf(4, 'ckey1'), new Uint8Array(), keyOf(4, 'ckey2')].map(typeOf)).toEqual([
    'c',
    'ckey',
    '',
    'ckey',
  ]);
});
