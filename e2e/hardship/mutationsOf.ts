/** Mutations that aim at the numbers a reader trusts: lengths, counts, page numbers, kinds. */
import fc from 'fast-check';
import { structureOf } from './fileStructure.ts';
import type { ByteEdit, Mutation, RecordEdit } from './mutation.ts';

/** `rewrite`: whether a file can be written again from its records. */
export function mutationsOf(file: Uint8Array, rewrite: boolean): fc.Arbitrary<Mutation> {
  const bytes = fc.array(byteEdits(file), { minLength: 1, maxLength: 4 });
  const records = fc.array(recordEdits, { minLength: 1, maxLength: 3 });
  const none = fc.constant([]);
  const onlyBytes = fc.record({ records: none, bytes });
  if (!rewrite) return onlyBytes;
  return fc.oneof(
    { weight: 5, arbitrary: onlyBytes },
    { weight: 4, arbitrary: fc.record({ records, bytes: none }) },
    { weight: 1, arbitrary: fc.record({ records, bytes }) },
  );
}

const any32 = fc.nat({ max: 0x7fffffff });
const hexOf = (most: number) =>
  fc.uint8Array({ minLength: 1, maxLength: most }).map((bytes) => Buffer.from(bytes).toString('hex'));
const flip = fc.record({ kind: fc.constant('flip' as const), at: any32, bit: fc.nat({ max: 7 }) });

function byteEdits(file: Uint8Array): fc.Arbitrary<ByteEdit> {
  const { pageSize, places, little } = structureOf(file);
  const pages = Math.max(1, Math.floor(file.length / pageSize));
  const page = fc.nat({ max: pages - 1 }).map((number) => number * pageSize);
  const lie = fc
    .record({ place: fc.constantFrom(...places), value: lies(pages, pageSize), turned: fc.nat({ max: 7 }) })
    .map(({ place: { at, width }, value, turned }): ByteEdit => {
      const bytes = Buffer.alloc(4);
      // Sometimes in the wrong byte order.
      if (little === turned > 0) bytes.writeUInt32LE(value);
      else bytes.writeUInt32BE(value);
      const written = little === turned > 0 ? bytes.subarray(0, width) : bytes.subarray(4 - width);
      return { kind: 'write', at, hex: written.toString('hex') };
    });
  const whole = fc.record({
    kind: fc.constantFrom('copy' as const, 'swap' as const),
    from: page,
    to: page,
    length: fc.constant(pageSize),
  });
  const range = fc.record({
    kind: fc.constantFrom('copy' as const, 'swap' as const),
    from: any32,
    to: any32,
    length: fc.nat({ max: 300 }),
  });
  return fc.oneof(
    { weight: 8, arbitrary: lie },
    { weight: 3, arbitrary: flip },
    { weight: 2, arbitrary: whole },
    { weight: 1, arbitrary: range },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), length: any32 }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), length: page }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('write' as const), at: any32, hex: hexOf(64) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('insert' as const), at: any32, hex: hexOf(16) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('remove' as const),
        at: any32,
        length: fc.nat({ max: pageSize }),
      }),
    },
    {
      weight: 1,
      arbitrary: page.map(
        (at): ByteEdit => ({
          kind: 'grow',
          hex: Buffer.from(file.subarray(at, at + pageSize)).toString('hex'),
          times: 1 + (at % 3),
        }),
      ),
    },
  );
}

/** Numbers that a reader should not trust. */
function lies(pages: number, pageSize: number): fc.Arbitrary<number> {
  const edges = [0, 1, 2, 3, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000]
    .concat([0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff])
    .concat([pages - 2, pages - 1, pages, pages + 1, pageSize - 1, pageSize, pageSize + 1, pageSize * pages])
    .map((number) => Math.max(0, number));
  return fc.oneof(
    fc.constantFrom(...edges),
    fc.nat({ max: pages + 1 }),
    fc.nat({ max: 0xffffffff }),
    fc.nat({ max: 40 }),
  );
}

const types = [
  ...'key wkey ckey mkey keymeta hdchain pool watchs watchmeta cscript tx name purpose'.split(' '),
  ...'destdata acc acentry bestblock bestblock_nomerkle orderposnext flags version minversion'.split(' '),
  ...'lockedutxo settings defaultkey walletdescriptor walletdescriptorkey walletdescriptorckey'.split(' '),
  ...'walletdescriptorcache walletdescriptorlhcache activeexternalspk activeinternalspk'.split(' '),
  'no such type',
  '',
];

/** Edits of a key or a value: anywhere, or at its start or end, where the counts are. */
const halfEdits: fc.Arbitrary<ByteEdit> = fc.oneof(
  flip,
  fc.record({
    kind: fc.constant('write' as const),
    at: fc.oneof(any32, fc.nat({ max: 12 })),
    hex: fc.oneof(
      hexOf(9),
      fc.constantFrom('fd', 'fe', 'ff', 'fdffff', 'fdfd00', 'feffffffff', 'fe00000002', 'ffffffffffffffffff'),
      fc.constantFrom('ffffff7f', '00000080', 'ffffffff', '00000000', 'ffffffffffffff7f', '0000000000000080'),
    ),
  }),
  fc.record({ kind: fc.constant('cut' as const), length: any32 }),
  fc.record({ kind: fc.constant('grow' as const), hex: hexOf(40), times: fc.constantFrom(1, 1, 2, 300) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat({ max: 40 }), hex: hexOf(8) }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat({ max: 40 }), length: fc.nat({ max: 12 }) }),
);

/** Descriptors that nest too deep, have too many keys or steps, or are not descriptors. */
const descriptorTexts: fc.Arbitrary<string> = fc.oneof(
  fc
    .record({
      wrap: fc.constantFrom('sh', 'wsh', 'wpkh', 'tr', 'combo', 'multi', 'x'),
      times: fc.constantFrom(1, 2, 5, 400, 5000),
    })
    .map(({ wrap, times }) => `${`${wrap}(`.repeat(times)}pk(KEY)${')'.repeat(times)}`),
  fc.constantFrom(3, 16, 21, 500, 3000).map((count) => `sh(multi(1${',KEY'.repeat(count)}))`),
  fc.constantFrom(1, 9, 255, 256, 4000).map((steps) => `pkh(KEY${'/1'.repeat(steps)}/*)`),
  fc
    .constantFrom('0', '4294967296', '99999999999999999999', '-1', '1e3')
    .map((number) => `wsh(multi(${number},KEY))`),
  fc
    .constantFrom(2, 128, 129, 3000)
    .map((depth) => `tr(KEY,${'{pk(KEY),'.repeat(depth)}pk(KEY)${'}'.repeat(depth)})`),
  fc.constantFrom(
    'pkh(KEY/2147483647h/*h)',
    'wpkh(KEY/2147483648/*)',
    'addr(KEY)',
    'raw(6a)',
    'raw(',
    'combo(KEY/*)',
  ),
  fc.string({ maxLength: 60 }),
);

const recordEdits: fc.Arbitrary<RecordEdit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('bytes' as const),
      record: any32,
      half: fc.constantFrom('key' as const, 'value' as const, 'value' as const),
      edit: halfEdits,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), record: any32 }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cross' as const), record: any32, other: any32 }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      type: fc.constantFrom(...types),
      key: fc.oneof(fc.constant(''), hexOf(40)),
      value: fc.oneof(hexOf(120), fc.constantFrom('', 'fe00000002', 'feffffff01', 'ffffffffffffffffff')),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('descriptor' as const), record: any32, text: descriptorTexts }),
  },
);
