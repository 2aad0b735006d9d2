import { describe, expect, it } from 'vitest';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { recordsByType } from '../../walletfile/records/records.ts';
import {
  brokenWallet,
  brokenWallets,
  foreignNote,
  hasForeignWallets,
} from '../../walletfile/testing/foreignWallets.ts';
import {
  encryptedKeyRecords,
  inOrder,
  keyRecords,
  masterKeyRecord,
  sampleKey,
  transactionRecord,
} from '../../walletfile/testing/sampleWallet.ts';
import {
  berkeleyFile,
  entriesOf,
  recordTexts,
  walletFile,
  wifsIn,
} from '../../walletfile/testing/wallets.ts';
import { writeBerkeley } from '../repair/writeBerkeley.ts';
import { salvage } from '../salvage/salvage.ts';
import { type CarvedFile, carveWallet, type GatheredPieces, gatherPieces } from './gatherPieces.ts';
import { type PieceSource, searchPieces } from './searchPieces.ts';

const SECTOR = 512;

describe('a disk with deleted wallets', () => {
  it.each(['legacy-hd', 'legacy-hd-encrypted', 'descriptor-encrypted'] as const)(
    'gives back the file of %s that lies in one piece',
    async (name) => {
      const file = walletFile(name);
      const { disk, found } = await searched([noise(8), file, noise(4)]);
      expect(found.wallets).toHaveLength(1);
      expect(toLatin1((await carved(disk, found))[0] ?? file.subarray(1))).toBe(toLatin1(file));
    },
  );

  it('puts the pages of wallets together that lie among each other', async () => {
    const names = ['legacy-hd', 'legacy-imported', 'legacy-hd-encrypted'] as const;
    const { disk, found } = await searched(interleaved(names.map((name) => inPages(walletFile(name), 4096))));
    expect(found.unassigned).toEqual([]);
    const keys = (await carved(disk, found)).map((file) => contentOf(salvage(file)));
    const wanted = names.map((name) => contentOf(salvage(walletFile(name))));
    expect(keys.sort()).toEqual(wanted.sort());
    expect(found.wallets.filter(({ encrypted }) => encrypted)).toHaveLength(1);
    expect(found.wallets.map(({ masterKeys }) => masterKeys).sort()).toEqual([0, 0, 1]);
  });

  it('gives back each state of one wallet whose file lies in one piece', async () => {
    const keys = Array.from({ length: 60 }, (_, index) => sampleKey(index + 1));
    const paid = keys.map(({ p2pkh }) => transactionRecord([p2pkh]).record);
    const [older, newer, encrypted] = [
      inOrder(...keys.slice(0, 20).map((key) => keyRecords(key))),
      inOrder(paid, ...keys.map((key) => keyRecords(key))),
      inOrder(paid, ...keys.map(encryptedKeyRecords), await masterKeyRecord('one')),
    ].map((records) => {
      const file = writeBerkeley(records);
      // Copies keep the id of their file.
      for (const page of [0, 2]) file.fill(7, page * 4096 + 52, page * 4096 + 72);
      return file;
    }) as [Uint8Array, Uint8Array, Uint8Array];
    const disks = [
      [older, newer],
      [newer, older],
      [newer, encrypted],
      [encrypted, newer, older],
    ];
    for (const files of disks) {
      const { disk, found } = await searched(files.flatMap((file) => [noise(3), file]));
      expect(found.unassigned).toEqual([]);
      expect((await carved(disk, found)).map(toLatin1).sort()).toEqual(files.map(toLatin1).sort());
    }
    // The first piece of the newer file is as long as the older file.
    const pieces = [newer.slice(0, older.length), newer.slice(older.length)];
    const [start, end] = pieces as [Uint8Array, Uint8Array];
    for (const parts of [
      [start, end, older],
      [older, start, end],
      [start, older, end],
    ]) {
      const { disk, found } = await searched(parts.flatMap((part) => [noise(5), part]));
      expect((await carved(disk, found)).map(toLatin1).sort()).toEqual([older, newer].map(toLatin1).sort());
    }
  });

  it.each(['hd-512-big', 'hd-512-little', 'imported-8192-big'])('finds pages of %s', async (name) => {
    const file = berkeleyFile(name);
    const { pageSize } = readBerkeley(file).format;
    const { disk, found } = await searched(interleaved([inPages(file, pageSize ?? 0), [noise(1), noise(3)]]));
    const [wallet] = await carved(disk, found);
    expect(contentOf(salvage(wallet ?? new Uint8Array()))).toEqual(contentOf(salvage(file)));
  });

  it('finds a tree of version 10', async () => {
    const file = walletFile('legacy-hd');
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    for (const page of [0, 2]) view.setUint32(page * 4096 + 16, 10, true);
    const { disk, found } = await searched([noise(2), file]);
    const [wallet] = await carved(disk, found);
    expect(wifsIn(salvage(wallet ?? file).records)).toEqual(wifsIn(await entriesOf('legacy-hd')));
  });

  it('finds descriptor wallets, whole or as pages without their first', async () => {
    const whole = walletFile('descriptor-hd');
    const pages = inPages(walletFile('descriptor-encrypted'), 4096).slice(1);
    const { disk, found } = await searched([noise(3), whole, noise(1), ...interleaved([pages, [noise(5)]])]);
    expect(found.wallets.map(({ kind, encrypted }) => ({ kind, encrypted }))).toEqual(
      expect.arrayContaining([
        { kind: 'sqlite', encrypted: false },
        { kind: 'sqlite', encrypted: true },
      ]),
    );
    const files = await carved(disk, found);
    expect(files.some((file) => toLatin1(file) === toLatin1(whole))).toBe(true);
    const wanted = (await entriesOf('descriptor-encrypted')).filter(({ key }) => /ckey/.test(toLatin1(key)));
    const saved = files.flatMap((file) => salvage(file).unprovedKeys);
    expect(recordTexts(saved).sort()).toEqual(recordTexts(wanted).sort());
  });

  it('makes no large file for pages with implausibly high numbers, and saves them', async () => {
    const pages = inPages(walletFile('legacy-hd'), 4096);
    const leaf = pages.find((page) => page[25] === 5 && page.includes(0x30)) ?? new Uint8Array();
    for (const number of [0x7ffff, 0x6ffff]) {
      const far = leaf.slice();
      new DataView(far.buffer).setUint32(8, number, true);
      const { disk, found } = await searched([far]);
      const files = await carved(disk, found);
      expect(files).toHaveLength(1);
      expect(files[0]?.length).toBeLessThanOrEqual(4 * 4096);
      expect(contentOf(salvage(files[0] ?? far))).toEqual(contentOf(salvage(leaf)));
    }
  });

  it('keeps a page at its number if few are lost', async () => {
    const pages = inPages(walletFile('legacy-hd'), 4096);
    const { disk, found } = await searched(pages.filter((_, number) => number % 3 !== 1));
    const [file] = await carved(disk, found);
    expect(file?.length).toBeGreaterThanOrEqual((pages.length - 1) * 4096);
    expect(file?.length).toBeLessThanOrEqual(pages.length * 4096);
  });

  it('saves single records that lie on no page', async () => {
    const file = walletFile('legacy-imported');
    // Not aligned to sectors, as in an undelete of other formats.
    const shifted = new Uint8Array(file.length + SECTOR);
    shifted.set(file, 100);
    const { disk, found } = await searched([noise(4), shifted, noise(2)]);
    expect(found.wallets).toHaveLength(1);
    const [wallet] = await carved(disk, found);
    const { records } = salvage(wallet ?? new Uint8Array());
    expect(wifsIn(records)).toEqual(wifsIn(readBerkeley(file).records));
  });

  it('finds nothing in other data', async () => {
    const { found } = await searched([noise(4000), new Uint8Array(9 << 20), noise(100)]);
    expect(found).toEqual({ wallets: [], unassigned: [] });
  });
});

describe('a search', () => {
  const disk = sourceOf([new Uint8Array((8 << 20) - 40_960), walletFile('legacy-hd'), noise(9 << 11)]);

  it('resumes from plain data', async () => {
    const whole = await searchPieces(disk);
    expect(whole.pages.length).toBeGreaterThan(10);
    const first = await searchPieces(disk, null, 8 << 20);
    expect(first).toMatchObject({ at: 8 << 20, full: false });
    const second = await searchPieces(disk, JSON.parse(JSON.stringify(first)));
    expect(second).toEqual(whole);
  });

  it('reads no more at a time however long the stream is', async () => {
    const lengths: number[] = [];
    const read = (start: number, end: number) => {
      lengths.push(end - start);
      return disk.read(start, end);
    };
    await searchPieces({ ...disk, read });
    expect(Math.max(...lengths)).toBeLessThan(3 << 20);
  });

  it('fails if reading fails, even while reading ahead', async () => {
    const read = async (start: number, end: number) => {
      if (start > 0) throw new Error('unplugged');
      return disk.read(start, end);
    };
    await expect(searchPieces({ ...disk, read })).rejects.toThrow(new Error('unplugged'));
    expect((await searchPieces({ ...disk, read }, null, 1)).at).toBeGreaterThan(0);
  });
});

const images = brokenWallets.filter((name) => name.startsWith('image'));

describe.runIf(hasForeignWallets)(`an image of a disk${foreignNote}`, () => {
  it.each(images)('%s', async (name) => {
    const { bytes, facts } = brokenWallet(name);
    const { disk, found } = await searched([bytes]);
    expect(found).toMatchObject({ wallets: [{ kind: 'berkeley-db', pageSize: 4096 }] });
    const [wallet] = await carved(disk, found);
    const { records, problems } = readBerkeley(wallet ?? bytes);
    expect(problems).toEqual([]);
    const keys = Object.values(facts.whole?.keys ?? {}).map(({ wif }) => wif);
    expect(wifsIn(records)).toEqual(expect.arrayContaining(keys));
    expect(recordsByType(records).of('tx')).toHaveLength(facts.whole?.transactions.length ?? 0);
  });

  it('gives each of several wallets its own', async () => {
    const names = brokenWallets.filter((name) => name.startsWith('damaged'));
    const files = names.map((name) => inPages(brokenWallet(name).bytes, 4096));
    const { disk, found } = await searched(interleaved(files));
    const all = names.map((name) => new Set(keysOf(name)));
    const saved = new Map<string, number>();
    for (const file of await carved(disk, found)) {
      const keys = wifsIn(salvage(file).records);
      const owners = names.filter((_, at) => keys.some((key) => all[at]?.has(key)));
      expect(owners.length).toBeLessThan(2);
      for (const name of owners)
        saved.set(name, (saved.get(name) ?? 0) + keys.filter((key) => keysOf(name).includes(key)).length);
    }
    // Keys of the encrypted wallet do not count without its passphrase.
    expect(Object.fromEntries(saved)).toEqual({
      'damaged-bits': 66,
      'damaged-cut': 44,
      'damaged-first-page': 66,
      'damaged-root': 66,
      'damaged-some-leaves': 57,
    });
  });
});

const contentOf = ({ records }: { records: readonly RawRecord[] }) => recordTexts(records).sort();

function keysOf(name: string): string[] {
  return Object.values(brokenWallet(name).facts.whole?.keys ?? {}).map(({ wif }) => wif);
}

async function searched(parts: readonly Uint8Array[]) {
  const disk = sourceOf(parts);
  return { disk, found: await gatherPieces(disk, await searchPieces(disk)) };
}

async function carved(disk: PieceSource, { wallets }: GatheredPieces) {
  return Promise.all(wallets.map((wallet) => written(disk, carveWallet(disk, wallet))));
}

/** The file as the caller writes it. */
async function written(disk: PieceSource, { size, pieces }: CarvedFile): Promise<Buffer> {
  const file = Buffer.alloc(size);
  for (const { at, start, end } of pieces) file.set(await disk.read(start, end), at);
  return file;
}

/** Each part starts at a sector. */
function sourceOf(parts: readonly Uint8Array[]): PieceSource {
  const padded = parts.map((part) =>
    Buffer.concat([part, Buffer.alloc((SECTOR - (part.length % SECTOR)) % SECTOR)]),
  );
  const bytes = Uint8Array.from(Buffer.concat(padded));
  return { length: bytes.length, read: async (start, end) => bytes.slice(start, end) };
}

function inPages(file: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(file.length / size) }, (_, page) =>
    file.slice(page * size, (page + 1) * size),
  );
}

/** A page of each file in turn, from the last page to the first. */
function interleaved(files: readonly Uint8Array[][]): Uint8Array[] {
  const most = Math.max(...files.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => files.flatMap((pages) => pages.at(-1 - at) ?? [])).flat();
}

/** Pseudorandom bytes, the same in each run. */
function noise(sectors: number): Uint8Array {
  const bytes = new Uint8Array(sectors * SECTOR);
  let state = 12_345 + sectors;
  for (let at = 0; at < bytes.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}
