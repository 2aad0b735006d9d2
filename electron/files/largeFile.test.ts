import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FileBytes } from '../walletfile/bytes/byteSource.ts';
import { exportKeys } from '../walletfile/inspect/exportWallet.ts';
import { readEntries } from '../walletfile/inspect/identifyWallet.ts';
import { inspect } from '../walletfile/inspect/inspect.ts';
import { migrateWallet } from '../walletfile/migrate/migrateWallet.ts';
import { oldWallet, oldWallets } from '../walletfile/testing/foreignWallets.ts';
import {
  berkeleyFile,
  descriptorNames,
  factsOf,
  legacyNames,
  recordTexts,
  walletFile,
  walletPath,
} from '../walletfile/testing/wallets.ts';
import { createFile } from './durableFile.ts';
import { sha256Of } from './hash.ts';
import { fillFile, openLargeFile, withMarkedFile } from './largeFile.ts';
import { makeTestFolder } from './testing/testFolder.ts';

const opened = (path: string) => {
  const file = openLargeFile(path, 2);
  onTestFinished(file[Symbol.dispose]);
  return file;
};
const written = (bytes: Uint8Array) => {
  const path = join(makeTestFolder(), 'wallet.dat');
  writeFileSync(path, bytes);
  return path;
};

describe('a large file', () => {
  it('is read in pieces of any length, and hashed', () => {
    const path = walletPath('legacy-hd');
    const bytes = readFileSync(path);
    const file = opened(path);
    expect(file.size).toBe(bytes.length);
    const keepsNone = openLargeFile(path, 0);
    onTestFinished(keepsNone[Symbol.dispose]);
    for (const [offset, length] of [
      [0, 10],
      [65_530, 10],
      [65_530, 4096],
      [40_000, 100_000],
      [70_000, 100],
      [5, 4096],
      [bytes.length - 3, 10],
      [bytes.length, 1],
    ] as const)
      for (const { read } of [file, keepsNone])
        expect(Buffer.from(read(offset, length))).toEqual(bytes.subarray(offset, offset + length));
    expect(file.sha256()).toBe(createHash('sha256').update(bytes).digest('hex'));
    file.throwError();
  });

  it('leaves earlier bytes as they are while it reads on', () => {
    const bytes = Uint8Array.from({ length: 5 * 65_536 }, (_, at) => at / 65_536);
    const file = opened(written(bytes));
    const pages = [0, 1, 2, 3, 4].map((block) => file.read(block * 65_536, 4096));
    expect(pages.map((page) => [page[0], page.at(-1)])).toEqual([0, 1, 2, 3, 4].map((byte) => [byte, byte]));
  });

  it('throws if the file became shorter, even after a caller treated that as damage', () => {
    const path = written(new Uint8Array(140_000));
    const file = opened(path);
    truncateSync(path, 70_000);
    expect(() => file.read(72_000, 4)).toThrow(expect.objectContaining({ code: 'file_changed' }));
    expect(file.throwError).toThrow(expect.objectContaining({ code: 'file_changed' }));
  });

  it('keeps its first size if it grows', () => {
    const path = written(Uint8Array.of(1, 2));
    const file = opened(path);
    appendFileSync(path, 'more');
    expect([...file.read(0, 9)]).toEqual([1, 2]);
  });
});

describe('a marked file', () => {
  const marked = (path: string) => {
    const { size, stateNow } = opened(path);
    return { path, size, mark: stateNow(), bytes: null };
  };

  it('is refused once it has changed: before it is read, or meanwhile', async () => {
    const path = written(Uint8Array.of(1, 2));
    const before = marked(path);
    const change = () => appendFileSync(path, 'more');
    const changed = expect.objectContaining({ code: 'file_changed' });
    await expect(withMarkedFile(before, change)).rejects.toEqual(changed);
    const mistake = () => {
      change();
      throw new Error('damaged');
    };
    await expect(withMarkedFile(marked(path), mistake)).rejects.toEqual(changed);
    await expect(withMarkedFile(before, () => {})).rejects.toEqual(changed);
  });
});

describe('a file that is filled', () => {
  it('has the parts where they were written, in any order', () => {
    const path = join(makeTestFolder(), 'new');
    createFile(path);
    const file = fillFile(path);
    const page = (byte: number) => new Uint8Array(300_000).fill(byte);
    for (const place of [1, 2, 3, 4, 5, 0]) file.write(page(place), place * 300_000);
    file.end();
    expect(readFileSync(path).equals(Buffer.concat([0, 1, 2, 3, 4, 5].map(page)))).toBe(true);
  });

  it('is not created again where it has disappeared', () => {
    const path = join(makeTestFolder(), 'new');
    expect(() => fillFile(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(existsSync(path)).toBe(false);
  });
});

describe('a wallet that is read from a disk', () => {
  const files: [name: string, file: () => Uint8Array][] = [
    ...[...legacyNames, ...descriptorNames].map((name): [string, () => Uint8Array] => [
      name,
      () => walletFile(name),
    ]),
    ...oldWallets.map(({ name }): [string, () => Uint8Array] => [name, () => oldWallet(name)]),
    ...['hd-512-big', 'imported-1024-checksums', 'long-keys-512', 'two-databases'].map(
      (name): [string, () => Uint8Array] => [name, () => berkeleyFile(name)],
    ),
  ];

  it.each(files)('has the same records and facts as in memory: %s', async (_, file) => {
    const bytes = file();
    const large = opened(written(bytes));
    const unasked = (problems: readonly { finding: { code: string } }[]) =>
      problems.filter(({ finding }) => finding.code !== 'sqlite_not_asked');
    const [inMemory, onDisk] = [await readEntries(bytes), await readEntries(large)];
    expect(recordTexts(onDisk.records)).toEqual(recordTexts(inMemory.records));
    expect({ ...onDisk, records: [], problems: unasked(onDisk.problems) }).toEqual({
      ...inMemory,
      records: [],
    });
    const [known, found] = [await inspect(bytes), await inspect(large)];
    expect({ ...found, problems: unasked(found.problems) }).toEqual(known);
    large.throwError();
  });

  const legacy = files.filter(([name]) => !name.startsWith('descriptor'));
  it.each(legacy)('is migrated to the same files, or refused for the same reason: %s', async (name, file) => {
    const { passphrase } = legacyNames.includes(name) ? factsOf(name) : {};
    const migrate = (bytes: FileBytes) =>
      migrateWallet({
        ...(passphrase === undefined ? {} : { passphrase }),
        bytes,
        name,
        network: 'regtest',
        now: 1_700_000_000,
        keypoolSize: 5,
        random: (size) => new Uint8Array(size).fill(7),
      }).then(
        ({ proof, ...wallets }) => ({
          proof,
          files: Object.values(wallets).map((wallet) => wallet && [wallet.name, sha256Of(wallet.bytes)]),
        }),
        (error: unknown) => error,
      );
    const bytes = file();
    const known = await migrate(bytes);
    expect(await migrate(opened(written(bytes)))).toEqual(known);
    if (legacyNames.includes(name)) expect(known).toHaveProperty('proof');
  });

  it.each(['legacy-hd', 'descriptor-hd'] as const)('exports the same keys: %s', async (name) => {
    const bytes = walletFile(name);
    const large = opened(written(bytes));
    const options = { format: 'wif', network: 'regtest' } as const;
    const found = await exportKeys(large, options);
    expect(found).toEqual(await exportKeys(bytes, options));
    expect(found.used).toBeGreaterThan(0);
  });
});
