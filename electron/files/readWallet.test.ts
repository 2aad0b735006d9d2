import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sourceOf } from '../walletfile/bytes/byteSource.ts';
import { journalOf, logOf } from '../walletfile/database/testing/sqliteJournals.ts';
import { cutOffChange } from '../walletfile/testing/cutOffChange.ts';
import { walletFile, walletPath } from '../walletfile/testing/wallets.ts';
import { sha256Of } from './hash.ts';
import { inspectFile } from './inspect.ts';
import { readWallet, withJournals, withWallet } from './readWallet.ts';
import { CAN_LINK } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const equal = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

describe('withWallet', () => {
  const fromDisk = { mostInMemory: 0 };

  it.each(['legacy-hd', 'descriptor-hd'])('reads a large file from its disk: %s', async (name) => {
    const path = walletPath(name);
    const bytes = readFileSync(path);
    const read = await withWallet(
      path,
      async ({ content, sha256, ...rest }) => {
        const source = sourceOf(content);
        return { ...rest, sha256: sha256(), isInMemory: source.inMemory !== null, start: source.read(0, 64) };
      },
      fromDisk,
    );
    expect(read).toMatchObject({ isInMemory: false, recovered: false, journal: 'none', wal: 'none' });
    expect(Buffer.from(read.start)).toEqual(bytes.subarray(0, 64));
    expect(read.sha256).toBe(sha256Of(bytes));
    expect(await withWallet(path, async ({ content }) => sourceOf(content).inMemory?.length)).toBe(
      bytes.length,
    );
  });

  it('reads an SQLite file into memory, where SQLite can check it, up to a larger size than a legacy wallet', async () => {
    const inMemory = async (name: string) => {
      const path = join(folder, `${name}.dat`);
      copyFileSync(walletPath(name), path);
      truncateSync(path, 2 ** 28 + 4096);
      return withWallet(path, async ({ content }) => sourceOf(content).inMemory !== null);
    };
    expect(await inMemory('legacy-hd')).toBe(false);
    expect(await inMemory('descriptor-hd')).toBe(true);
  });

  it('refuses a large file with a journal that changes it', async () => {
    const { path } = await cutOffChange(folder);
    await expect(withWallet(path, async () => null, fromDisk)).rejects.toMatchObject({
      code: 'beyond_limits',
      finding: { code: 'large_file_has_journal', ending: '-journal' },
    });
  });

  it('notices that a large file changed, even if its bytes were not read', async () => {
    const path = join(folder, 'wallet.dat');
    copyFileSync(walletPath('legacy-hd'), path);
    const read = withWallet(path, async () => appendFileSync(path, 'more'), fromDisk);
    await expect(read).rejects.toMatchObject({ code: 'file_changed' });
  });

  it('says what a large file is if it is not a wallet', async () => {
    const path = join(folder, 'large.pdf');
    writeFileSync(path, `%PDF-${'x'.repeat(9000)}`);
    const finding = { code: 'not_core_wallet', kind: { code: 'pdf' } };
    await expect(withWallet(path, async () => null, fromDisk)).rejects.toMatchObject({ finding });
  });
});

describe('readWallet', () => {
  it('returns the file unchanged without a journal or with an empty one', async () => {
    const { changed, after } = await cutOffChange(folder);
    const alone = { recovered: false, journal: 'none', wal: 'none' };
    expect(await readWallet(changed)).toMatchObject(alone);
    writeFileSync(`${changed}-journal`, '');
    const found = await readWallet(changed);
    expect(found).toMatchObject(alone);
    expect(equal(found.bytes, after)).toBe(true);
  });

  describe.skipIf(process.platform === 'win32')('with a huge file next to the wallet', () => {
    const HUGE = 10 * 2 ** 30;

    it.each(['-journal', '-wal'])('ignores a %s file without a header, as SQLite does', async (ending) => {
      const { changed, after } = await cutOffChange(folder);
      writeFileSync(`${changed}${ending}`, '');
      truncateSync(`${changed}${ending}`, HUGE);
      const found = await readWallet(changed);
      expect(found).toMatchObject({ recovered: false, journal: ending === '-wal' ? 'none' : 'idle' });
      expect(equal(found.bytes, after)).toBe(true);
    });

    it('refuses a large log whose first commit lies far behind its start', async () => {
      const { changed } = await cutOffChange(folder);
      // Frames of a change without its commit. More frames and the commit may follow anywhere.
      writeFileSync(`${changed}-wal`, logOf(4096, [{ number: 2, page: new Uint8Array(4096) }]));
      truncateSync(`${changed}-wal`, HUGE);
      const finding = { code: 'journal_too_large' };
      await expect(readWallet(changed)).rejects.toMatchObject({ code: 'beyond_limits', finding });
    });

    it('refuses a large journal that leaves the page size to the database', async () => {
      const { path, journal, before } = await cutOffChange(folder);
      writeFileSync(`${path}-journal`, Buffer.from(journal).fill(0, 24, 28));
      expect(equal((await readWallet(path)).bytes, before)).toBe(true);
      truncateSync(`${path}-journal`, HUGE);
      await expect(readWallet(path)).rejects.toMatchObject({ finding: { code: 'journal_too_large' } });
    });

    it('refuses a journal that is too large and changes neither file', async () => {
      const { path, journal } = await cutOffChange(folder);
      const before = readFileSync(path);
      truncateSync(`${path}-journal`, HUGE);
      const finding = { code: 'journal_too_large', path: `${path}-journal`, bytes: HUGE };
      await expect(readWallet(path)).rejects.toMatchObject({ code: 'beyond_limits', finding });
      expect(equal(readFileSync(path), before)).toBe(true);
      truncateSync(`${path}-journal`, journal.length);
      expect((await readWallet(path)).journal).toBe('used');
    });
  });

  it.skipIf(!CAN_LINK)('finds the journal next to the target of a link', async () => {
    const { path, before } = await cutOffChange(folder);
    const link = join(folder, 'link.dat');
    symlinkSync(path, link);
    expect(equal((await readWallet(link)).bytes, before)).toBe(true);
  });

  it('refuses the file if its journal cannot be read', async () => {
    const { path, changed } = await cutOffChange(folder);
    mkdirSync(`${changed}-journal`);
    const canHide = process.platform !== 'win32' && process.getuid?.() !== 0;
    if (canHide) chmodSync(`${path}-journal`, 0);
    for (const file of canHide ? [changed, path] : [changed]) {
      const finding = { code: 'journal_unreadable', path: `${file}-journal` };
      await expect(readWallet(file)).rejects.toMatchObject({ code: 'file_unreadable', finding });
    }
  });

  it('reads again until neither the file nor its journal changes', async () => {
    const { path, journal, before } = await cutOffChange(folder);
    // The journal as a node writes it: page by page, and whole only at the third look.
    writeFileSync(`${path}-journal`, journal.subarray(0, 600));
    let reads = 0;
    const found = await withJournals(path, () => {
      reads += 1;
      if (reads === 1) appendFileSync(`${path}-journal`, journal.subarray(600, 9000));
      if (reads === 2) appendFileSync(`${path}-journal`, journal.subarray(9000));
      return new Uint8Array(readFileSync(path));
    });
    expect(reads).toBe(3);
    expect(found.journal).toBe('used');
    expect(equal(found.bytes, before)).toBe(true);
  });

  it('uses a journal that appears during the read', async () => {
    const { path, changed, before } = await cutOffChange(folder);
    let reads = 0;
    const found = await withJournals(changed, () => {
      const bytes = new Uint8Array(readFileSync(changed));
      reads += 1;
      if (reads === 1) writeFileSync(`${changed}-journal`, readFileSync(`${path}-journal`));
      return bytes;
    });
    expect(equal(found.bytes, before)).toBe(true);
  });

  it('reports a file that keeps changing', async () => {
    const { path } = await cutOffChange(folder);
    const restless = () => {
      appendFileSync(`${path}-journal`, 'more');
      return new Uint8Array(readFileSync(path));
    };
    await expect(withJournals(path, restless)).rejects.toMatchObject({ code: 'file_changed' });
  });

  it('does not apply an SQLite journal to a legacy wallet', async () => {
    const path = join(folder, 'wallet.dat');
    const other = walletFile('descriptor-hd');
    writeFileSync(path, walletFile('legacy-hd'));
    writeFileSync(`${path}-journal`, journalOf(other, [1, 2, 3]));
    const found = await readWallet(path);
    expect(found.journal).toBe('none');
    expect(equal(found.bytes, walletFile('legacy-hd'))).toBe(true);
  });

  it('recognises a file whose header only the journal has', async () => {
    const { path, before } = await cutOffChange(folder);
    const hurt = Buffer.from(before).fill(0, 0, 4096);
    writeFileSync(path, hurt);
    expect(equal((await readWallet(path)).bytes, before)).toBe(true);
    expect(await inspectFile(path)).toMatchObject({ kind: 'descriptor-wallet', network: 'regtest' });
  });

  describe('that is empty', () => {
    const wallet = walletFile('descriptor-hd');
    const numbers = Array.from({ length: wallet.length / 4096 }, (_, page) => page + 1);
    const frames = numbers.map((number) => ({
      number,
      page: wallet.subarray((number - 1) * 4096, number * 4096),
      commit: number === numbers.length ? number : 0,
    }));

    it.each([
      ['-journal', journalOf(wallet, numbers)],
      ['-wal', logOf(4096, frames)],
    ])('is read from its %s file if that has every page', async (ending, bytes) => {
      const path = join(folder, 'wallet.dat');
      writeFileSync(path, '');
      writeFileSync(`${path}${ending}`, bytes);
      expect(equal((await readWallet(path)).bytes, wallet)).toBe(true);
      expect(await inspectFile(path)).toMatchObject({ kind: 'descriptor-wallet', truncated: false });
    });

    it('has the pages of its incomplete journal, and zeros elsewhere', async () => {
      const path = join(folder, 'wallet.dat');
      writeFileSync(path, '');
      writeFileSync(`${path}-journal`, journalOf(wallet, [1, 2]));
      const expected = Buffer.alloc(wallet.length);
      expected.set(wallet.subarray(0, 2 * 4096));
      expect(equal((await readWallet(path)).bytes, expected)).toBe(true);
    });

    it('is named by the journal that has only other pages than its first', async () => {
      const path = join(folder, 'wallet.dat');
      writeFileSync(path, '');
      writeFileSync(`${path}-journal`, journalOf(wallet, numbers.slice(1)));
      const kind = { code: 'sqlite_journal' };
      expect(await inspectFile(path)).toMatchObject({ kind: 'other', fileKind: kind });
      await expect(readWallet(path)).rejects.toMatchObject({ finding: { code: 'not_core_wallet', kind } });
      const expected = Buffer.from(wallet).fill(0, 0, 4096);
      expect(equal((await readWallet(path, 'anything')).bytes, expected)).toBe(true);
    });

    it.each([
      ['has no pages', new Uint8Array(600)],
      ['counts more pages than a journal describes', journalOf(wallet, [1, 2], { pages: 2 ** 20 })],
    ])('is empty next to a journal that %s', async (_, journal) => {
      const path = join(folder, 'wallet.dat');
      writeFileSync(path, '');
      writeFileSync(`${path}-journal`, journal);
      expect(await inspectFile(path)).toMatchObject({ fileKind: { code: 'empty' } });
      await expect(readWallet(path)).rejects.toMatchObject({ code: 'file_empty' });
      await expect(readWallet(path, 'anything')).rejects.toMatchObject({ code: 'file_empty' });
    });
  });
});

describe('a file that belongs to a wallet', () => {
  it('opens as the wallet', async () => {
    const { path, before } = await cutOffChange(folder);
    expect(equal((await readWallet(`${path}-journal`)).bytes, before)).toBe(true);
    expect(await inspectFile(`${path}-journal`)).toMatchObject({ path, kind: 'descriptor-wallet' });
    const legacy = join(folder, 'old', 'wallet.dat');
    mkdirSync(join(dirname(legacy), 'database'), { recursive: true });
    writeFileSync(legacy, walletFile('legacy-hd'));
    for (const beside of ['database/log.0000000001', 'log.0000000001', 'db.log', '.walletlock', '__db.001']) {
      const file = join(dirname(legacy), beside);
      writeFileSync(file, 'x');
      expect(await inspectFile(file)).toMatchObject({ path: legacy, kind: 'legacy-wallet' });
    }
  });

  it('opens as itself if it is a wallet or has no wallet next to it', async () => {
    const { path } = await cutOffChange(folder);
    const named = join(folder, 'mine-journal');
    writeFileSync(join(folder, 'mine'), 'a note');
    writeFileSync(named, walletFile('descriptor-hd'));
    expect(await inspectFile(named)).toMatchObject({ path: named, kind: 'descriptor-wallet' });
    renameSync(path, join(folder, 'elsewhere.dat'));
    expect(await inspectFile(`${path}-journal`)).toMatchObject({ path: `${path}-journal`, kind: 'other' });
  });
});
