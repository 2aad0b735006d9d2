/** Searches generated images for wallets. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { errorOfFailure } from '../../shared/model/findings/fileError.ts';
import type { SearchProgress } from '../../shared/model/searches.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { formatSize } from '../../shared/wording/format/formatNumber.ts';
import { partPath } from '../files/durableFile.ts';
import { systemError } from '../files/fileError.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { readBerkeley } from '../walletfile/database/berkeley.ts';
import type { RawRecord } from '../walletfile/database/rawRecord.ts';
import { readSqlite } from '../walletfile/database/walletDatabase.ts';
import { recordsByType } from '../walletfile/records/records.ts';
import { cutOffChange } from '../walletfile/testing/cutOffChange.ts';
import { keyRecords, sampleKey } from '../walletfile/testing/sampleWallet.ts';
import { walletFile } from '../walletfile/testing/wallets.ts';
import { createImageSearch } from './imageSearch.ts';
import { readOrZeros } from './imageSource.ts';
import { withRescued } from './rescueFile.ts';
import { walletWorkHere } from './testing/walletWorkHere.ts';
import type { WalletWork } from './walletWork.ts';

vi.mock('../files/durableFile.ts', { spy: true });

const never = new AbortController().signal;
const OTHER = Buffer.from(Array.from({ length: 40 * 512 }, (_, at) => (at * 31) >> 3));
const KEYS = recordsByType(readBerkeley(walletFile('legacy-hd')).records).of('key').length;

let folder: string;
let image: string;
let out: string;
let kept: string;
beforeEach(() => {
  folder = makeTestFolder();
  [image, out, kept] = [join(folder, 'disk.img'), join(folder, 'out'), join(folder, 'image-search.json')];
  writeFileSync(
    image,
    Buffer.concat([OTHER, walletFile('legacy-hd'), OTHER, walletFile('legacy-hd-encrypted')]),
  );
  mkdirSync(out);
});

const searching =
  (work: WalletWork = walletWorkHere, signal = never) =>
  (path: string, into: string | null, reports: SearchProgress[] = []) =>
    createImageSearch(work, folder)(
      { path, folder: into, report: (progress) => void reports.push(progress) },
      signal,
    );
const search = searching();

describe('a disk image with deleted wallets', () => {
  it('reports its wallets and the progress, and writes no file unless asked', async () => {
    const before = readFileSync(image);
    const reports: SearchProgress[] = [];
    expect(await search(image, null, reports)).toMatchObject({
      wallets: [
        { kind: 'berkeley-db', encrypted: true, path: null, error: null },
        { kind: 'berkeley-db', encrypted: false, path: null, keys: KEYS },
      ],
      unread: 0,
    });
    expect(readFileSync(image).equals(before)).toBe(true);
    expect(reports.at(-1)).toMatchObject({ done: before.length, total: before.length, seconds: 0 });
    expect(existsSync(kept)).toBe(false);
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.platform === 'win32')(
    'writes nothing through a link that replaces the folder',
    async () => {
      const elsewhere = join(folder, 'elsewhere');
      mkdirSync(elsewhere);
      const part = join(out, '.wallet-ferry-0123456789abcdef.part');
      // Called twice before the first file: to try the folder, and for the file.
      const swap = () => {
        renameSync(out, join(folder, 'moved'));
        symlinkSync(elsewhere, out);
        return part;
      };
      vi.mocked(partPath).mockReturnValueOnce(part).mockImplementationOnce(swap);
      const { wallets } = await search(image, out);
      expect(wallets[0]).toMatchObject({ path: null, error: { code: 'file_changed' } });
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  it('saves each wallet as a file that a rescue reads, and overwrites no file', async () => {
    const found = await search(image, out);
    const plain = found.wallets.find(({ encrypted }) => !encrypted)?.path ?? '';
    const rescue = { logs: 'none', network: 'regtest' } as const;
    const facts = await withRescued(plain, rescue, {}, async (rescued) => rescued.facts);
    expect(facts.saved.keys).toBe(KEYS);
    expect(found.wallets.map(({ wasThere }) => wasThere)).toEqual([false, false]);
    writeFileSync(join(out, 'found-1.dat'), 'another file');
    const again = await search(image, out);
    expect(again.wallets.map(({ path, wasThere }) => [path, wasThere])).toEqual([
      [join(out, 'found-3.dat'), false],
      [join(out, 'found-2.dat'), true],
    ]);
    expect(readFileSync(join(out, 'found-1.dat'), 'utf8')).toBe('another file');
    expect(readdirSync(out)).toHaveLength(3);
  });

  it.skipIf(process.platform === 'win32')('writes files no larger than the pieces it found', async () => {
    const pages = walletFile('legacy-hd');
    const leaves = [...Array(pages.length / 4096).keys()]
      .map((number) => Buffer.from(pages.subarray(number * 4096, (number + 1) * 4096)))
      .filter((page) => page[25] === 5);
    for (const [at, leaf] of leaves.entries()) leaf.writeUInt32LE(0x70000 + at * 1000, 8);
    const far = Buffer.concat(leaves);
    writeFileSync(image, far);
    const { wallets } = await search(image, out);
    expect(wallets.length).toBeGreaterThan(0);
    expect(wallets.filter(({ error }) => error !== null)).toEqual([]);
    const sizes = readdirSync(out).map((name) => statSync(join(out, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2 * far.length);
  });

  it.skipIf(process.platform === 'win32')(
    'writes no more than a bound for all files, and says so',
    async () => {
      // Each page is a wallet, whose number makes its file 73 pages long.
      const pages = Array.from({ length: 20 }, (_, at) => largeLeaf(72, keyRecords(sampleKey(at + 1))));
      writeFileSync(image, Buffer.concat(pages));
      const { wallets } = await search(image, out);
      expect(wallets).toHaveLength(20);
      const bound = 4 * statSync(image).size + 64 * 2 ** 20;
      const sizes = readdirSync(out).map((name) => statSync(join(out, name)).size);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bound);
      expect(sizes).toHaveLength(Math.floor(bound / (73 * LARGE_PAGE)));
      const left = wallets.filter(({ path }) => path === null);
      expect(left).toHaveLength(20 - sizes.length);
      const message = `Not written: the files would exceed ${formatSize(bound)}.`;
      for (const { error } of left)
        expect(errorShapeOf(error && errorOfFailure(error))).toMatchObject({
          code: 'beyond_limits',
          message,
        });
    },
  );

  it('reads nothing if the folder cannot be written to', async () => {
    const work: WalletWork = () => expect.fail('It was read.');
    for (const place of [join(out, 'none'), image])
      await expect(searching(work)(image, place)).rejects.toMatchObject({ code: 'folder_missing' });
  });

  it('joins fragments from a folder of recovered files', async () => {
    const pieces = join(folder, 'recovered', 'b');
    mkdirSync(pieces, { recursive: true });
    const file = walletFile('legacy-hd');
    const half = 4096 * 9;
    writeFileSync(join(pieces, '1.bin'), file.subarray(half));
    writeFileSync(join(folder, 'recovered', 'a.txt'), 'no sector');
    writeFileSync(join(folder, 'recovered', '2.bin'), file.subarray(0, half));
    const { wallets } = await search(join(folder, 'recovered'), out);
    expect(wallets).toMatchObject([{ keys: KEYS }]);
    const { records } = readBerkeley(readFileSync(wallets[0]?.path ?? ''));
    expect(records).toHaveLength(readBerkeley(file).records.length);
  });

  it.each([
    ['-journal', 'alone'],
    ['-journal', 'in a folder of recovered files'],
    ['-wal', 'alone'],
    ['-wal', 'in a folder of recovered files'],
  ] as const)('reads a wallet with its %s: %s', async (ending, how) => {
    const recovered = join(folder, 'recovered');
    mkdirSync(recovered);
    const { path, before, changed, whole } = await cutOffChange(recovered, ending);
    rmSync(changed);
    rmSync(whole);
    const { wallets } = await search(how === 'alone' ? path : recovered, out);
    const [found] = wallets.filter(({ kind }) => kind === 'sqlite');
    const records = async (bytes: Uint8Array) => (await readSqlite(bytes)).records.length;
    expect(await records(new Uint8Array(readFileSync(found?.path ?? '')))).toBe(await records(before));
  });

  it('starts again if the journal has changed', async () => {
    const { path } = await cutOffChange(folder);
    /** Stops a search after its first part. Returns what identifies the searched bytes. */
    const stoppedSubject = async () => {
      const stop = new AbortController();
      const work: WalletWork = async (task, signal) => {
        const done = await walletWorkHere(task, signal);
        stop.abort(new Error('stopped'));
        return done;
      };
      await expect(searching(work, stop.signal)(path, null)).rejects.toThrow(new Error('stopped'));
      return JSON.parse(readFileSync(kept, 'utf8')).subject;
    };
    const first = await stoppedSubject();
    writeFileSync(`${path}-journal`, 'other');
    expect(await stoppedSubject()).not.toBe(first);
  });

  it('reports a path that is gone and finds nothing in an empty folder', async () => {
    await expect(search(join(folder, 'gone'), null)).rejects.toMatchObject({ code: 'file_missing' });
    expect(await search(out, null)).toEqual({ wallets: [], unread: 0, leftOver: false });
  });
});

describe.skipIf(process.platform === 'win32')('a search into a folder that others can write to', () => {
  it.each([
    ['the folder itself', () => chmodSync(out, 0o777)],
    ['a folder above it', () => chmodSync(folder, 0o777)],
    [
      'a folder behind a link',
      () => {
        const behind = join(folder, 'open', 'behind');
        mkdirSync(behind, { recursive: true });
        chmodSync(join(folder, 'open'), 0o777);
        rmSync(out, { recursive: true });
        symlinkSync(behind, out);
      },
    ],
  ])('saves no wallet and removes no file: %s', async (_, open) => {
    open();
    const theirs = join(out, '.wallet-ferry-0123456789abcdef.part');
    mkdirSync(theirs);
    writeFileSync(join(theirs, 'wallet.dat'), 'keys');
    await expect(search(image, out)).rejects.toMatchObject({ code: 'not_available_here' });
    expect(readdirSync(out)).toEqual(['.wallet-ferry-0123456789abcdef.part']);
    expect(readdirSync(theirs)).toEqual(['wallet.dat']);
  });

  it('saves no wallet if others get access during the search', async () => {
    const work: WalletWork = (task, signal) => {
      if (task.kind === 'carveImage') chmodSync(out, 0o777);
      return walletWorkHere(task, signal);
    };
    const { wallets } = await searching(work)(image, out);
    const refused = { path: null, error: { code: 'not_available_here' } };
    expect(wallets).toMatchObject([refused, refused]);
    expect(readdirSync(out)).toEqual([]);
  });
});

describe('a search that was stopped', () => {
  /** Stops before the wallets are carved, when the whole image is searched. */
  async function stopped(): Promise<void> {
    const stop = new AbortController();
    const work: WalletWork = async (task, signal) => {
      if (task.kind === 'carveImage') stop.abort(new Error('stopped'));
      signal.throwIfAborted();
      return walletWorkHere(task, signal);
    };
    await expect(searching(work, stop.signal)(image, out)).rejects.toThrow(new Error('stopped'));
  }

  /** The offset where the next search starts. */
  async function nextStart(): Promise<number | undefined> {
    let from: number | undefined;
    const work: WalletWork = (task, signal) => {
      if ('from' in task.task) from ??= task.task.from?.at ?? 0;
      return walletWorkHere(task, signal);
    };
    const { wallets } = await searching(work)(image, null);
    expect(wallets).toHaveLength(2);
    return from;
  }

  it('continues where it stopped', async () => {
    await stopped();
    expect(await nextStart()).toBe(readFileSync(image).length);
    expect(await nextStart()).toBe(0);
  });

  it('continues where it stopped, even after it found many pieces', async () => {
    const file = walletFile('legacy-hd');
    const copies = Math.ceil((1500 * 4096) / file.length);
    writeFileSync(image, Buffer.concat(Array.from({ length: copies }, () => file)));
    await stopped();
    expect(readFileSync(kept).length).toBeGreaterThan(64 * 1024);
    const starts: number[] = [];
    const work: WalletWork = (task, signal) => {
      if (task.kind === 'carveImage') throw new Error('searched');
      if ('from' in task.task) starts.push(task.task.from?.at ?? 0);
      return walletWorkHere(task, signal);
    };
    await expect(searching(work)(image, null)).rejects.toThrow(new Error('searched'));
    expect(starts).toEqual([copies * file.length]);
  });

  it('saves its position before its thread ends', async () => {
    const stop = new AbortController();
    const endless: WalletWork = (task, signal) =>
      task.kind === 'carveImage' ? new Promise(() => stop.abort()) : walletWorkHere(task, signal);
    void searching(endless, stop.signal)(image, out);
    await expect.poll(() => stop.signal.aborted).toBe(true);
    expect(await nextStart()).toBe(readFileSync(image).length);
  });

  it('starts again if the image has changed or the saved position is damaged', async () => {
    await stopped();
    utimesSync(image, 1, 1);
    expect(await nextStart()).toBe(0);
    await stopped();
    writeFileSync(kept, '{"subject": 3');
    expect(await nextStart()).toBe(0);
  });
});

describe('a part that the disk cannot read', () => {
  it('becomes zeros, with no more than the damaged sectors', async () => {
    const read = async (buffer: Uint8Array, at: number, bytesRead: number, place: number) => {
      if (place < 100_600 && place + bytesRead > 100_000) throw systemError('EIO');
      buffer.fill(7, at, at + bytesRead);
      return { bytesRead, buffer };
    };
    const bytes = new Uint8Array(300_000).fill(1);
    expect(await readOrZeros({ read } as never, bytes, 0)).toBe(1024);
    expect(bytes.indexOf(0)).toBe(99_840);
    expect(bytes.lastIndexOf(0)).toBe(99_840 + 1023);
    expect(bytes.at(-1)).toBe(7);
  });

  it('is an error if the disk is gone', async () => {
    const gone = { read: async () => Promise.reject(systemError('ENODEV')) };
    await expect(readOrZeros(gone as never, new Uint8Array(5), 0)).rejects.toMatchObject({ code: 'ENODEV' });
  });
});

/** Bytes of the largest page of Berkeley DB. */
const LARGE_PAGE = 65_536;

/** A leaf page of this number with these records. */
function largeLeaf(number: number, records: readonly RawRecord[]): Buffer {
  const page = Buffer.alloc(LARGE_PAGE);
  const items = records.flatMap(({ key, value }) => [key, value]);
  let low = LARGE_PAGE;
  for (const [index, item] of items.entries()) {
    low -= (3 + item.length + 3) & ~3;
    page.writeUInt16LE(low, 26 + 2 * index);
    page.writeUInt16LE(item.length, low);
    page[low + 2] = 1;
    page.set(item, low + 3);
  }
  page.writeUInt32LE(number, 8);
  page.writeUInt16LE(items.length, 20);
  page.writeUInt16LE(low, 22);
  page.set([1, 5], 24);
  return page;
}
