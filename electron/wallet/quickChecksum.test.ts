import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withChecksum } from './checksum.ts';
import { withQuickChecksum } from './quickChecksum.ts';

describe('withQuickChecksum', () => {
  it('gives the checksum of BIP 380', () => {
    expect(withQuickChecksum('raw(deadbeef)')).toBe('raw(deadbeef)#89f8spxm');
  });

  it('gives what withChecksum gives, for every text that a descriptor can be', () => {
    const characters =
      '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`"\\ ';
    const text = fc.array(fc.constantFrom(...characters), { maxLength: 200 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, (text) => {
        expect(withQuickChecksum(text)).toBe(withChecksum(text));
      }),
    );
  });
});
