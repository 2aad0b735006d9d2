import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { quickHash160, quickHash256, quickSha256 } from './quickHash.ts';
import { fromLatin1, toLatin1 } from './textCoding.ts';

it('gives the hashes that are given elsewhere, as texts of their bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
      expect(fromLatin1(quickSha256(data))).toEqual(sha256(data));
      expect(quickHash256(data)).toBe(toLatin1(sha256(sha256(data))));
      expect(quickHash160(data)).toBe(toLatin1(ripemd160(sha256(data))));
    }),
  );
  expect(quickSha256('pkh()')).toBe(toLatin1(sha256(utf8ToBytes('pkh()'))));
});

it('keeps texts of bytes apart, however long', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600, size: 'max' }), (bytes) => {
      expect(toLatin1(bytes)).toHaveLength(bytes.length);
      expect(fromLatin1(toLatin1(bytes))).toEqual(bytes);
    }),
  );
});

it('is the same in a Node without RIPEMD-160', async () => {
  vi.resetModules();
  vi.doMock('node:crypto', async (original) => {
    const crypto = await original<typeof import('node:crypto')>();
    const hash = new Proxy(crypto.hash, {
      apply(target, self, args) {
        if (args[0] === 'ripemd160') throw new Error('Digest method not supported');
        return Reflect.apply(target, self, args);
      },
    });
    return { ...crypto, hash };
  });
  const without = await import('./quickHash.ts');
  vi.doUnmock('node:crypto');
  expect(without.quickHash160).not.toBe(quickHash160);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
      expect(without.quickHash160(data)).toBe(toLatin1(ripemd160(sha256(data))));
    }),
  );
});
