import { describe, expect, it } from 'vitest';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import { berkeleyFile, legacyNames, recordTexts as texts, walletFile } from '../testing/wallets.ts';
import { readBerkeley } from './berkeley.ts';

const recordsOf = (wallet: string) => texts(readBerkeley(walletFile(wallet)).records);
const codesOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof FileError && error.code === 'not_a_wallet') return codesIn(error.finding);
    throw error;
  }
  return 'nothing was thrown';
};
/** The fault of a damaged wallet; other findings as they are. */
const codesIn = (finding: Finding) => (finding.code === 'wallet_damaged' ? finding.fault : finding);
const edited = (file: Uint8Array, edit: (view: DataView, file: Uint8Array) => void) => {
  const copy = Uint8Array.from(file);
  edit(new DataView(copy.buffer), copy);
  return copy;
};
/** Pages of one type in a little endian file: 3 internal, 5 leaf, 7 overflow. The first leaf lists databases. */
const pagesOfType = (file: Uint8Array, pageSize: number, type: number) =>
  Array.from({ length: file.length / pageSize }, (_, page) => page).filter(
    (page) => page > 0 && file[page * pageSize + 25] === type,
  );

describe('a legacy wallet file', () => {
  it.each(legacyNames)('%s was closed cleanly and is read in the order of its keys', (name) => {
    const { records, problems, format } = readBerkeley(walletFile(name));
    expect(format).toEqual({
      kind: 'berkeley-db',
      pageSize: 4096,
      byteOrder: 'little',
      cleanlyClosed: true,
      uncleanPages: 0,
      onlyLastUnclean: false,
      refusals: [],
    });
    expect(problems).toEqual([]);
    expect(records.length).toBeGreaterThan(4);
    const keys = records.map(({ key }) => Buffer.from(key));
    expect(keys).toEqual([...keys].sort(Buffer.compare));
  });

  it.each([
    ['hd-512-little', 512, 'little', 'legacy-hd'],
    ['hd-512-big', 512, 'big', 'legacy-hd'],
    ['imported-8192-big', 8192, 'big', 'legacy-imported'],
    ['imported-1024-checksums', 1024, 'little', 'legacy-imported'],
    ['blank-65536-little', 65536, 'little', 'legacy-blank'],
    ['blank-65536-big', 65536, 'big', 'legacy-blank'],
    ['two-databases', 4096, 'little', 'legacy-imported'],
  ])('%s has the records of its wallet', (name, pageSize, byteOrder, wallet) => {
    const file = readBerkeley(berkeleyFile(name));
    expect(file).toMatchObject({ format: { pageSize, byteOrder, cleanlyClosed: true }, problems: [] });
    expect(texts(file.records)).toEqual(recordsOf(wallet));
  });

  it('may have keys longer than a page', () => {
    const { records } = readBerkeley(berkeleyFile('long-keys-512'));
    expect(records.map(({ key }) => [key.length, key.at(-1)])).toEqual(
      Array.from({ length: 40 }, (_, number) => [710, number]),
    );
    expect(records.every(({ value }) => value.length === 1 && value[0] === 0x31)).toBe(true);
  });

  it('reads a file without named databases, with a problem', () => {
    const { records, problems } = readBerkeley(berkeleyFile('imported-bare'));
    expect(texts(records)).toEqual(recordsOf('legacy-imported'));
    expect(problems).toEqual([{ page: null, lost: false, finding: { code: 'main_database_unnamed' } }]);
  });

  it('is the same out of a Buffer that lies inside a larger one', () => {
    const inside = Buffer.concat([Buffer.alloc(7), walletFile('legacy-blank')]).subarray(7);
    const { records } = readBerkeley(inside);
    expect(texts(records)).toEqual(recordsOf('legacy-blank'));
    expect(Object.getPrototypeOf(records[0]?.key)).toBe(Uint8Array.prototype);
  });

  it('counts the unclean pages of a file that was not closed cleanly', () => {
    const file = edited(walletFile('legacy-hd'), (view) => {
      view.setUint32(3 * 4096, 1, true);
      view.setUint32(5 * 4096 + 4, 28, true);
    });
    expect(readBerkeley(file)).toMatchObject({
      format: { cleanlyClosed: false, uncleanPages: 2 },
      problems: [],
    });
  });

  it('reports a file with only its last page unclean', () => {
    const last = walletFile('legacy-hd').length - 4096;
    const file = edited(walletFile('legacy-hd'), (view) => view.setUint32(last, 1, true));
    expect(readBerkeley(file).format).toMatchObject({ uncleanPages: 1, onlyLastUnclean: true });
  });

  it('reports why Bitcoin Core’s own reader or Berkeley DB refuses it', () => {
    const whole = walletFile('legacy-blank');
    const byBerkeley6 = edited(whole, (view) => {
      for (const page of [0, 2]) view.setUint32(page * 4096 + 16, 10, true);
    });
    const longer = new Uint8Array(whole.length + 4096);
    longer.set(whole);
    const refusals = (file: Uint8Array) => readBerkeley(file).format.refusals;
    expect(refusals(whole)).toEqual([]);
    expect(refusals(byBerkeley6)).toEqual(['version']);
    expect(texts(readBerkeley(byBerkeley6).records)).toEqual(recordsOf('legacy-blank'));
    expect(refusals(longer)).toEqual(['length']);
    expect(refusals(longer.subarray(0, whole.length + 1))).toEqual(['partial-page']);
    for (const name of ['long-keys-512', 'imported-bare', 'two-databases', 'imported-1024-checksums'])
      expect(refusals(berkeleyFile(name)), name).toEqual(['tree']);
    // The first page of the wallet's own tree names a page after the file's end, or lacks a flag.
    for (const [at, value] of [
      [34, 1],
      [48, 0],
    ] as const)
      expect(refusals(edited(whole, (view) => view.setUint8(2 * 4096 + at, value)))).toEqual(['tree']);
    expect(refusals(Buffer.concat([berkeleyFile('imported-bare'), Buffer.of(0)]))).toEqual([
      'tree',
      'partial-page',
    ]);
  });

  it('yields no deleted records', () => {
    const wallet = walletFile('legacy-blank');
    const { records } = readBerkeley(wallet);
    const value = records[2]?.value;
    if (!value) throw new Error('the fixture has five records');
    // The byte before an item's bytes is its type.
    const file = edited(wallet, (_, bytes) => {
      bytes[value.byteOffset - 1] = 0x81;
    });
    expect(texts(readBerkeley(file).records)).toEqual(texts(records.filter((_, index) => index !== 2)));
  });
});

describe('a file that is not a legacy wallet', () => {
  it.each([
    ['empty', new Uint8Array(), 'not_legacy_wallet'],
    ['a text', new TextEncoder().encode('# a wallet dump\n'.repeat(100)), 'not_legacy_wallet'],
    ['a descriptor wallet', walletFile('descriptor-hd'), 'not_legacy_wallet'],
    ['a tree of other names', berkeleyFile('no-main'), 'no_main_database'],
    [
      'another version',
      edited(walletFile('legacy-blank'), (view) => view.setUint32(16, 8, true)),
      'berkeley_version_unknown',
    ],
    [
      'encrypted by Berkeley DB',
      edited(walletFile('legacy-blank'), (view) => view.setUint8(24, 1)),
      'berkeley_encrypted',
    ],
    [
      'a page size',
      edited(walletFile('legacy-blank'), (view) => view.setUint32(20, 4095, true)),
      'page_size_impossible',
    ],
  ])('%s is refused in either way', (_, file, code) => {
    expect(codesOf(() => readBerkeley(file))).toMatchObject({ code });
    expect(codesOf(() => readBerkeley(file, 'salvage'))).toMatchObject({ code });
  });
});

describe('a Berkeley DB file whose main database is not a wallet’s', () => {
  it.each([
    ['hash', 'not_legacy_wallet'],
    ['duplicates', 'berkeley_features_unknown'],
  ])('%s', (name, code) => {
    expect(codesOf(() => readBerkeley(berkeleyFile(name)))).toEqual({ code });
    const { problems } = readBerkeley(berkeleyFile(name), 'salvage');
    expect(problems[0]).toMatchObject({ lost: true, finding: { code } });
  });
});

describe('a damaged legacy wallet file', () => {
  const file = berkeleyFile('hd-512-little');
  const leaves = pagesOfType(file, 512, 5).slice(1);
  const all = recordsOf('legacy-hd');
  const salvage = (damagedFile: Uint8Array) => readBerkeley(damagedFile, 'salvage');

  it('is refused with its fault, or read except for the damaged page', () => {
    const [page = 0] = leaves;
    const broken = edited(file, (_, bytes) => bytes.fill(0xee, page * 512, (page + 1) * 512));
    expect(codesOf(() => readBerkeley(broken))).toMatchObject({ page });
    const { records, problems } = salvage(broken);
    expect(problems).toContainEqual({
      page,
      lost: true,
      finding: { code: 'wallet_damaged', fault: expect.objectContaining({ page }) },
    });
    const kept = texts(records);
    expect(kept.length).toBeGreaterThan(all.length - 10);
    expect(kept.length).toBeLessThan(all.length);
    expect(all.filter((record) => kept.includes(record))).toEqual(kept);
  });

  it('reads a file with a broken tree page by page', () => {
    const [internal = 0] = pagesOfType(file, 512, 3);
    const broken = edited(file, (_, bytes) => bytes.fill(0, internal * 512, (internal + 1) * 512));
    const { records, problems } = salvage(broken);
    expect(texts(records).sort()).toEqual([...all].sort());
    expect(problems.at(-1)?.finding).toEqual({ code: 'entries_outside_tree', count: all.length });
  });

  it('reads a file without the start of its tree page by page', () => {
    const { records } = salvage(edited(file, (_, bytes) => bytes.fill(0, 512, 3 * 512)));
    expect(texts(records).sort()).toEqual([...all].sort());
  });

  it('loses one record to one broken entry', () => {
    const { records } = readBerkeley(file);
    const number = records.findIndex(({ value }) => value.length < 30);
    const value = records[number]?.value;
    if (!value) throw new Error('the fixture has short values');
    const broken = edited(file, (_, bytes) => {
      bytes[value.byteOffset - 1] = 9;
    });
    expect(codesOf(() => readBerkeley(broken))).toMatchObject({ code: 'entry_unknown' });
    expect(texts(salvage(broken).records)).toEqual(all.filter((_, index) => index !== number));
  });

  it('reads a file that is cut off to its end', () => {
    const broken = file.slice(0, 100 * 512);
    expect(codesOf(() => readBerkeley(broken))).toMatchObject({ code: 'end_missing' });
    const { records, problems } = salvage(broken);
    expect(problems[0]).toMatchObject({ lost: true, page: null });
    const kept = texts(records);
    expect(kept.length).toBeGreaterThan(50);
    for (const record of kept) expect(all).toContain(record);
  });

  it('ends at a page that points back to the root', () => {
    const [internal = 0] = pagesOfType(file, 512, 3).slice(-1);
    const broken = edited(file, (view) => {
      const first = view.getUint16(internal * 512 + 26, true);
      view.setUint32(internal * 512 + first + 4, internal, true);
    });
    expect(codesOf(() => readBerkeley(broken))).toMatchObject({ code: 'page_repeated' });
    expect(texts(salvage(broken).records).sort()).toEqual([...all].sort());
  });

  // SECURITY.md: A hostile wallet file
  it('refuses a long value in a loop, or one that ends early', () => {
    const [overflow = 0] = pagesOfType(file, 512, 7);
    const round = edited(file, (view) => view.setUint32(overflow * 512 + 16, overflow, true));
    expect(codesOf(() => readBerkeley(round))).toMatchObject({ code: 'page_repeated' });
    const short = edited(file, (view) => view.setUint16(overflow * 512 + 22, 1, true));
    expect(codesOf(() => readBerkeley(short))).toEqual({
      code: 'long_value_incomplete',
      present: 1,
      wanted: 316,
    });
    const over = edited(file, (view) => view.setUint16(overflow * 512 + 22, 500, true));
    expect(codesOf(() => readBerkeley(over))).toMatchObject({ code: 'entries_misplaced' });
  });

  // SECURITY.md: A hostile wallet file
  it('cannot claim more bytes of a page than the page has', () => {
    const [leaf = 0] = leaves;
    const stacked = edited(file, (view) => {
      const entries = view.getUint16(leaf * 512 + 20, true);
      const first = view.getUint16(leaf * 512 + 26, true);
      for (let entry = 1; entry < entries; entry += 1)
        view.setUint16(leaf * 512 + 26 + 2 * entry, first, true);
      view.setUint16(leaf * 512 + first, 200, true);
      view.setUint8(leaf * 512 + first + 2, 1);
    });
    expect(codesOf(() => readBerkeley(stacked))).toMatchObject({ code: 'entries_misplaced' });
  });

  it('lists at most a hundred problems, and counts the others', () => {
    const broken = edited(file, (view) => {
      for (const leaf of leaves) view.setUint32(leaf * 512 + 8, 1, true);
      for (const overflow of pagesOfType(file, 512, 7)) view.setUint32(overflow * 512 + 8, 1, true);
    });
    const { problems } = salvage(broken);
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.finding).toEqual({ code: 'more_problems', count: 77 });
  });
});
