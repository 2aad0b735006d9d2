import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { networks } from '../../../shared/model/network.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import {
  coreDescriptors,
  invalidDescriptors,
  invalidKeys,
  severalPaths,
  treeDescriptors,
  validKeys,
  wrongDescriptors,
  wrongScripts,
} from '../testing/vectors.ts';
import { parseDescriptor } from './descriptorParse.ts';
import { writePublic } from './descriptorWrite.ts';

const parse = (text: string) => parseDescriptor(text, { network: 'main' });

function errorOf(text: string): FileError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
  throw new Error(`was read: ${text}`);
}

describe('taproot trees of BIP 386', () => {
  it.each(treeDescriptors)('%s', (text) => {
    const { descriptor } = parse(text);
    expect(parse(writePublic(descriptor)).descriptor).toEqual(descriptor);
  });
});

describe('invalid descriptors', () => {
  it.each(wrongDescriptors)('%s', (text, code, facts = {}) => {
    const { code: cause, finding } = errorOf(text);
    expect(cause).toBe('bad_input');
    expect('fault' in finding ? finding.fault : finding).toMatchObject({ code, ...facts });
  });

  it.each([...invalidDescriptors, ...severalPaths, ...wrongScripts])('%s', (text) => {
    expect(errorOf(text).code).toBe('bad_input');
  });

  it('name the position of the fault', () => {
    const key = '03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd';
    const wrong = (text: string, place: string, key: number | null, fault: object) =>
      expect(errorOf(text).finding).toEqual({ code: 'descriptor_wrong', function: place, key, fault });
    wrong(`sh(wsh(multi(1,${key},xpubnonsense)))`, 'sh(wsh(multi()))', 2, {
      code: 'key_invalid_on_network',
      network: 'main',
    });
    wrong('pkh()', 'pkh()', null, { code: 'key_missing' });
    wrong(`wsh(tr(${key}))`, 'wsh()', null, { code: 'function_not_allowed', function: 'tr' });
    wrong(`pkh(${key}),x`, '', null, { code: 'text_after_end' });
    wrong('', '', null, { code: 'function_unknown' });
  });

  it('never quote a private key', () => {
    const secret = 'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1';
    for (const text of [
      `pkh(${secret}x)`,
      `sh(${secret})`,
      `multi(9,${secret})`,
      `tr(${secret},${secret})`,
      secret,
    ]) {
      expect(JSON.stringify(errorShapeOf(errorOf(text)))).not.toContain(secret.slice(0, 8));
    }
  });
});

describe('keys of BIP 380', () => {
  it.each(validKeys)('%s', (key) => {
    expect(() => parse(`pkh(${key})`)).not.toThrow();
  });

  it.each(invalidKeys)('%s is wrong', (key) => {
    expect(errorOf(`pkh(${key})`).code).toBe('bad_input');
  });
});

describe('the checksum', () => {
  const text = 'raw(deadbeef)';
  it('can be required', () => {
    expect(parseDescriptor(`${text}#89f8spxm`, { network: 'main', checksum: 'required' }).descriptor).toEqual(
      parse(text).descriptor,
    );
    expect(() => parseDescriptor(text, { network: 'main', checksum: 'required' })).toThrow(
      expect.objectContaining({ finding: { code: 'descriptor_checksum_missing' } }),
    );
  });
});

describe('networks', () => {
  const tpub =
    'tpubDDfqGWPGjQrWVB4pWo8zd2U9W1ZftouKL7GgogN7JVMtBns1ZaPuKqRgs4o1XEokBW7sx2ScqcstcqFckY5cD4BHtrCvgYemczUuujtpDGa';
  it('have their own keys and addresses', () => {
    expect(errorOf(`pkh(${tpub}/0/*)`).finding).toMatchObject({
      fault: { code: 'key_invalid_on_network', network: 'main' },
    });
    expect(errorOf('addr(2N25SRa28Yk1j9XuvDPHbukT1oPv4jCw1oC)').finding).toEqual({
      code: 'not_address_of_network',
      network: 'main',
    });
    for (const network of networks.filter((name) => name !== 'main')) {
      expect(parseDescriptor(`pkh(${tpub}/0/*)`, { network }).descriptor.network).toBe(network);
      parseDescriptor('addr(2N25SRa28Yk1j9XuvDPHbukT1oPv4jCw1oC)', { network });
    }
  });
});

describe('any text', () => {
  const word = fc.constantFrom(
    ..."pk( pkh( wpkh( sh( wsh( tr( multi( sortedmulti( combo( raw( addr( rawtr( musig( ) , / * h ' # [ ] { } 1 2 deadbeef".split(
      ' ',
    ),
    '03a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd',
    'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
    'L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1',
  );
  const pieces = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
  const damaged = fc
    .tuple(
      fc.constantFrom(...coreDescriptors.map(({ withPublic }) => withPublic)),
      fc.nat(),
      fc.string({ maxLength: 3 }),
    )
    .map(([text, at, change]) => {
      const place = at % text.length;
      return text.slice(0, place) + change + text.slice(place + 1);
    });

  it('is read or rejected with a FileError', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), pieces, damaged), (text) => {
        try {
          parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(FileError);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('may be long', () => {
    const million = 'ab'.repeat(500_000);
    expect(parse(`raw(${million})`).descriptor.script.kind).toBe('raw');
    for (const text of [
      `pk(${million})`,
      `addr(${million})`,
      'sh('.repeat(100_000),
      `multi(1${',a'.repeat(100_000)})`,
    ]) {
      expect(errorOf(text).code).toBe('bad_input');
    }
  });
});
