import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../files/inspect.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { foreignNote, hasForeignWallets, reportFolder } from '../testing/foreignWallets.ts';
import { walletFile } from '../testing/wallets.ts';
import { recoverSqlite } from './recoverSqlite.ts';
import { loadSqlite } from './sqliteDatabase.ts';
import { applyLog, isJournalOf, readRollbackJournal, readWriteAheadLog, rollBack } from './sqliteJournal.ts';
import { journalOf, logOf, pageOf, recoverBySqlite, superJournal } from './testing/sqliteJournals.ts';
import { readSqlite } from './walletDatabase.ts';

const PAGE = 4096;

function together(
  file: Uint8Array,
  { journal = null, wal = null }: { journal?: Uint8Array | null; wal?: Uint8Array | null },
  isThere = (_path: string) => false,
) {
  return recoverSqlite(file, { journal, wal }, isThere);
}

/** A wallet before and after a change by SQLite that made it larger. */
async function changedWallet(rows = 60) {
  const { Database } = await loadSqlite();
  const database = new Database(walletFile('descriptor-hd'));
  database.run('PRAGMA user_version = 0');
  const before = database.export();
  for (let row = 0; row < rows; row += 1)
    database.run('INSERT INTO main VALUES (?, ?)', [
      Uint8Array.from([3, 97, 98, 99, row]),
      new Uint8Array(200),
    ]);
  database.run("DELETE FROM main WHERE hex(substr(key, 2, 19)) = hex('walletdescriptorkey')");
  const after = database.export();
  database.close();
  // With the change counter of one open database.
  after.set(before.subarray(24, 28), 24);
  after.set(before.subarray(92, 96), 92);
  return { before, after };
}

const numbersIn = (file: Uint8Array) => Array.from({ length: file.length / PAGE }, (_, page) => page + 1);
const changedIn = (before: Uint8Array, after: Uint8Array) =>
  numbersIn(before).filter(
    (number) => Buffer.compare(pageOf(before, number, PAGE), pageOf(after, number, PAGE)) !== 0,
  );
/** A hash without SQLite's change counter and version, which differ in its copy. */
const withoutCounts = (file: Uint8Array) => {
  const copy = Uint8Array.from(file);
  for (const [from, to] of [
    [24, 28],
    [40, 44],
    [92, 100],
  ] as const)
    copy.fill(0, from, to);
  return createHash('sha256').update(copy).digest('hex');
};

describe('a wallet with a rollback journal', () => {
  it('has the keys that only its journal holds', async () => {
    const { before, after } = await changedWallet();
    const found = await together(after, { journal: journalOf(before, numbersIn(before)) });
    expect(found).toMatchObject({ journal: 'used', wal: 'none' });
    expect(Buffer.compare(found.bytes, before)).toBe(0);
  });

  it('is restored from a journal with a flipped bit in its number of pages, which the first page shows', async () => {
    const { before, after } = await changedWallet();
    const pages = before.length / PAGE + 2 ** 27;
    const changed = changedIn(before, after);
    expect(changed[0]).toBe(1);
    for (const file of [after, Uint8Array.from([...before.subarray(0, PAGE), ...after.subarray(PAGE)])]) {
      const journal = journalOf(before, file === after ? changed : changed.slice(1), { pages });
      const found = await together(file, { journal });
      expect(found.journal).toBe('used');
      expect(Buffer.compare(found.bytes, before)).toBe(0);
    }
  });

  it('is restored from a journal with two headers, with any sector size', async () => {
    const { before, after } = await changedWallet();
    for (const options of [{ perHeader: 2 }, { perHeader: 3, sectorSize: 4096 }]) {
      const journal = journalOf(before, changedIn(before, after), options);
      expect((await together(after, { journal })).journal).toBe('used');
      expect(Buffer.compare((await together(after, { journal })).bytes, before)).toBe(0);
    }
  });

  it('is the file alone if SQLite ignores the journal', async () => {
    const { before, after } = await changedWallet();
    const journal = journalOf(before, numbersIn(before));
    const zeroed = Buffer.from(journal).fill(0, 0, 28);
    for (const ignored of [
      zeroed,
      Buffer.alloc(5000),
      Buffer.from('no journal at all'),
      journal.subarray(0, 100),
    ])
      expect(await together(after, { journal: ignored })).toMatchObject({ bytes: after, journal: 'idle' });
    expect(await together(after, { journal: Buffer.alloc(0) })).toMatchObject({
      bytes: after,
      journal: 'none',
    });
  });

  it('is the file alone if the change had not reached it', async () => {
    const { before } = await changedWallet();
    expect(await together(before, { journal: journalOf(before, [1, 2]) })).toEqual({
      bytes: before,
      recovered: false,
      journal: 'idle',
      wal: 'none',
    });
  });

  it('is the file alone if the journal belongs to another file or an earlier state', async () => {
    const { before, after } = await changedWallet();
    const other = walletFile('descriptor-encrypted');
    const older = Uint8Array.from(before);
    older[27] = (older[27] ?? 0) - 2;
    const journals = [
      journalOf(other, numbersIn(other)),
      journalOf(older, numbersIn(older)),
      journalOf(before, [2, 3], { pageSize: 512 }),
      // A node would add millions of pages.
      journalOf(before, [1, 2], { pages: 0x7fffffff }),
    ];
    for (const journal of journals)
      expect(await together(after, { journal })).toMatchObject({ bytes: after, journal: 'other' });
    // Without a first page, or with the same change counter, only the resulting file shows it.
    expect(await together(before, { journal: journalOf(other, [3, 4, 5]) })).toMatchObject({
      bytes: before,
      journal: 'other',
    });
    const sameCount = Uint8Array.from(other);
    sameCount.set(before.subarray(24, 28), 24);
    sameCount.set(before.subarray(92, 96), 92);
    expect(await together(before, { journal: journalOf(sameCount, numbersIn(other)) })).toMatchObject({
      bytes: before,
      journal: 'other',
    });
  });

  it('is damaged if the journal is cut off or has a bad page', async () => {
    const { before, after } = await changedWallet();
    const journal = journalOf(before, numbersIn(before));
    const bad = Buffer.from(journal);
    // A byte that the checksum includes.
    const at = 512 + 3 * (PAGE + 8) + 4 + PAGE - 200;
    bad[at] = (bad[at] ?? 0) ^ 1;
    for (const damaged of [journal.subarray(0, journal.length - 3000), bad, journal.subarray(0, 512)])
      expect((await together(after, { journal: damaged })).journal).toBe('damaged');
  });

  it('respects a super-journal only while it exists', async () => {
    const { before, after } = await changedWallet();
    const journal = Buffer.concat([journalOf(before, numbersIn(before)), superJournal('/wallets/x-mj1')]);
    expect(await together(after, { journal }, (path) => path === '/wallets/x-mj1')).toMatchObject({
      journal: 'used',
    });
    expect(await together(after, { journal })).toMatchObject({ bytes: after, journal: 'idle' });
  });
});

describe('a wallet with a write-ahead log', () => {
  it('has all committed changes and no others', async () => {
    const { before, after } = await changedWallet();
    const committed = numbersIn(after).map((number) => ({ number, page: pageOf(after, number, PAGE) }));
    const last = committed.at(-1);
    if (last) Object.assign(last, { commit: after.length / PAGE });
    const open = [{ number: 2, page: new Uint8Array(PAGE).fill(7) }];
    for (const isLittle of [true, false]) {
      const wal = logOf(PAGE, [...committed, ...open], { isLittle });
      const found = await together(before, { wal });
      expect(found).toMatchObject({ journal: 'none', wal: 'used' });
      expect(Buffer.compare(found.bytes, after)).toBe(0);
    }
    const uncommitted = committed.slice(0, -1);
    expect(await together(before, { wal: logOf(PAGE, uncommitted) })).toMatchObject({
      bytes: before,
      wal: 'idle',
    });
    const old = committed.map((frame) => ({ ...frame, old: true }));
    expect(await together(before, { wal: logOf(PAGE, old) })).toMatchObject({ bytes: before, wal: 'idle' });
  });

  it('has all its records in a log that follows an empty database', async () => {
    const { Database } = await loadSqlite();
    const database = new Database();
    database.run('PRAGMA user_version = 1; PRAGMA user_version = 0');
    const begun = database.export();
    database.close();
    expect([begun.length, begun[68]]).toEqual([PAGE, 0]);
    const whole = walletFile('descriptor-hd');
    const commit = whole.length / PAGE;
    const wal = logOf(
      PAGE,
      numbersIn(whole).map((number) => ({ number, page: pageOf(whole, number, PAGE), commit })),
    );
    const found = await together(begun, { wal });
    expect(found.wal).toBe('used');
    expect(Buffer.compare(found.bytes, whole)).toBe(0);
    const path = join(makeTestFolder(), 'wallet.dat');
    writeFileSync(path, begun);
    expect(await inspectFile(path)).toMatchObject({ kind: 'other', fileKind: { code: 'other_sqlite' } });
    writeFileSync(`${path}-wal`, wal);
    expect(await inspectFile(path)).toMatchObject({ kind: 'descriptor-wallet', network: 'regtest' });
  });

  it('is the file alone with another wallet’s log', async () => {
    const file = walletFile('descriptor-hd');
    const other = walletFile('descriptor-encrypted');
    const frames = numbersIn(other).map((number) => ({
      number,
      page: pageOf(other, number, PAGE),
      commit: number,
    }));
    expect(await together(file, { wal: logOf(PAGE, frames) })).toMatchObject({ bytes: file, wal: 'other' });
    const small = [{ number: 2, page: new Uint8Array(512), commit: 9 }];
    expect(await together(file, { wal: logOf(512, small) })).toMatchObject({ bytes: file, wal: 'other' });
  });

  it('is damaged if a committed change is unreachable', async () => {
    const { before } = await changedWallet();
    const pages = before.length / PAGE;
    const wal = logOf(PAGE, [
      { number: 2, page: pageOf(before, 2, PAGE), commit: pages },
      { number: 3, page: pageOf(before, 3, PAGE), commit: pages },
    ]);
    wal[32 + 24 + 5] = (wal[32 + 24 + 5] ?? 0) ^ 1;
    expect(await together(before, { wal })).toMatchObject({ bytes: before, wal: 'damaged' });
  });
});

describe('SQLite itself', () => {
  it('refuses a log of another version, which we call damaged', async () => {
    const { before } = await changedWallet();
    const wal = logOf(PAGE, [{ number: 2, page: pageOf(before, 2, PAGE), commit: before.length / PAGE }], {
      version: 3007001,
    });
    await expect(recoverBySqlite(before, { wal })).rejects.toThrow('unable to open database file');
    expect(await together(before, { wal })).toMatchObject({ bytes: before, wal: 'damaged' });
  });

  it('cuts the file off by a journal that ends within its first sector, which we call damaged', async () => {
    const { before, after } = await changedWallet();
    const journal = journalOf(before, numbersIn(before), { sectorSize: 4096 });
    for (const length of [512, 4095]) {
      const start = journal.subarray(0, length);
      expect((await recoverBySqlite(after, { journal: start })).length).toBe(before.length);
      expect(await together(after, { journal: start })).toMatchObject({ bytes: after, journal: 'damaged' });
    }
    const shorter = journal.subarray(0, 511);
    expect((await recoverBySqlite(after, { journal: shorter })).length).toBe(after.length);
    expect(await together(after, { journal: shorter })).toMatchObject({ bytes: after, journal: 'idle' });
  });

  it('rolls back every journal to the same bytes', { timeout: 120_000 }, async () => {
    const { before, after } = await changedWallet();
    // SQLite reads the number of pages in the first page.
    after.set(before.subarray(0, PAGE));
    const journals = fc.record({
      order: fc.shuffledSubarray(numbersIn(before), { minLength: 1 }),
      perHeader: fc.integer({ min: 1, max: 9 }),
      sectorSize: fc.constantFrom(512, 1024, 4096),
      nonce: fc.nat({ max: 0xffffffff }),
      counted: fc.constantFrom(undefined, undefined, undefined, undefined, 0, 1, 2, 0xffffffff),
      cut: fc.nat({ max: 4000 }).map((part) => Math.min(1, part / 1000)),
      flip: fc.nat({ max: 4000 }).map((part) => (part < 1000 ? part / 1000 : null)),
    });
    let rolledBack = 0;
    await fc.assert(
      fc.asyncProperty(journals, async ({ order, cut, flip, counted, ...options }) => {
        const journal = cutAndFlipped(
          journalOf(before, order, counted === undefined ? options : { ...options, counted }),
          cut,
          flip,
        );
        const read = readRollbackJournal(journal, after);
        // The changed bit made an impossible length, which the first page corrects or `isJournalOf` refuses.
        if (read !== null && journal.readUInt32BE(16) > 1000) {
          expect(read.pages === before.length / PAGE || !isJournalOf(read, after)).toBe(true);
          return;
        }
        const ours = read === null ? after : rollBack(after, read);
        if (Buffer.compare(ours, after) !== 0) rolledBack += 1;
        const bySqlite = await recoverBySqlite(after, { journal }).catch(() => null);
        if (bySqlite === null) {
          // The checksum skips the header of the first page, so that a bit may have changed there.
          expect(ours.subarray(0, 100)).not.toEqual(before.subarray(0, 100));
          return;
        }
        expect(withoutCounts(ours.subarray(0, bySqlite.length))).toBe(withoutCounts(bySqlite));
      }),
      { numRuns: 100, examples: [[RESTORES_A_BAD_SCHEMA]] },
    );
    expect(rolledBack).toBeGreaterThan(10);
  });

  it('reads every log to the same bytes', { timeout: 120_000 }, async () => {
    const { before, after } = await changedWallet();
    const logs = fc.record({
      frames: fc.array(
        fc.record({
          number: fc.constantFrom(...numbersIn(after).slice(1)),
          isNew: fc.boolean(),
          isCommit: fc.boolean(),
          old: fc.nat({ max: 40 }).map((number) => number === 0),
        }),
        { minLength: 1, maxLength: 30 },
      ),
      isLittle: fc.boolean(),
      cut: fc.nat({ max: 4000 }).map((part) => Math.min(1, part / 1000)),
      flip: fc.nat({ max: 4000 }).map((part) => (part < 1000 ? part / 1000 : null)),
    });
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(logs, async ({ frames, isLittle, cut, flip }) => {
        const wal = cutAndFlipped(
          logOf(
            PAGE,
            frames.map(({ number, isNew, isCommit, old }) => ({
              number,
              page: pageOf(isNew ? after : before, number, PAGE),
              commit: isCommit ? after.length / PAGE : 0,
              old,
            })),
            { isLittle },
          ),
          cut,
          flip,
        );
        const read = readWriteAheadLog(wal);
        const ours = read === null || read.pages === 0 ? before : applyLog(before, read);
        if (Buffer.compare(ours.subarray(0, before.length), before) !== 0) applied += 1;
        const bySqlite = await recoverBySqlite(before, { wal });
        expect(withoutCounts(ours.subarray(0, bySqlite.length))).toBe(withoutCounts(bySqlite));
      }),
      { numRuns: 300 },
    );
    expect(applied).toBeGreaterThan(10);
  });
});

/** Damage that SQLite's checksums do not cover. */
const RESTORES_A_BAD_SCHEMA = {
  order: [2, 4, 1, 7, 5],
  perHeader: 5,
  sectorSize: 512 as const,
  nonce: 0,
  counted: undefined,
  cut: 0.994,
  flip: 0.607,
};

/** Cuts a file off and changes one bit. */
function cutAndFlipped(file: Buffer, cut: number, flip: number | null): Buffer {
  const left = file.subarray(0, Math.ceil(file.length * cut));
  const at = flip === null ? -1 : Math.floor(flip * left.length);
  return Buffer.from(left.map((byte, place) => (place === at ? byte ^ 0x10 : byte)));
}

describe.skipIf(!hasForeignWallets)(`wallets of public reports${foreignNote}`, () => {
  const read = (report: string, file: string) =>
    new Uint8Array(readFileSync(join(reportFolder(report), file)));

  it('has the keys again that only the journal holds', async () => {
    const file = read('sqlite-hot-journal-whole', 'wallet.dat');
    const journal = read('sqlite-hot-journal-whole', 'wallet.dat-journal');
    const found = await together(file, { journal });
    expect(found.journal).toBe('used');
    const { records, problems } = await readSqlite(found.bytes);
    expect([records.length, problems]).toEqual([64, []]);
    expect(withoutCounts(found.bytes)).toBe(withoutCounts(await recoverBySqlite(file, { journal })));
  });

  it('is the same with a journal that begins with zeros as without', async () => {
    const file = read('sqlite-stale-journal', 'wallet.dat');
    const journal = read('sqlite-stale-journal', 'wallet.dat-journal');
    expect(await together(file, { journal })).toEqual({
      bytes: file,
      recovered: false,
      journal: 'idle',
      wal: 'none',
    });
  });
});
