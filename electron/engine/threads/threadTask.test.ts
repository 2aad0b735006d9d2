import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sha256Of } from '../../files/hash.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { walletFile } from '../../walletfile/testing/wallets.ts';
import { doTask, readShared } from './threadTask.ts';

describe('readShared', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
  });

  it.each([0, 1, 3_000_000])('gives a file of %i bytes in shared memory', (size) => {
    const path = join(folder, 'file');
    const written = Uint8Array.from({ length: size }, (_, at) => at % 251);
    writeFileSync(path, written);
    const read = readShared(path);
    expect(Buffer.compare(read, written)).toBe(0);
    expect(read.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  // SECURITY.md: A hostile wallets folder
  it('reads no more than the beginning of what is no wallet, and nothing larger than 2 GiB', () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    truncateSync(path, 2 ** 42);
    expect(readShared(path, 'wallet')).toHaveLength(4096);
    writeFileSync(path, 'SQLite format 3\0');
    truncateSync(path, 2 ** 42);
    expect(() => readShared(path, 'wallet')).toThrow(expect.objectContaining({ code: 'EFBIG' }));
    truncateSync(path, 5000);
    expect(readShared(path, 'wallet')).toHaveLength(5000);
  });

  it('throws the system’s error', () => {
    expect(() => readShared(join(folder, 'nothing'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => readShared(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });
});

describe('a wallet that a migration has proved', () => {
  const open = (bytes: Uint8Array, proved?: string) =>
    doTask(
      { is: 'open', input: { wallet: { id: 1, bytes, kind: 'sqlite', network: 'regtest', proved } } },
      new Map(),
    );

  it('is opened with the same facts as any other', async () => {
    for (const name of ['legacy-hd', 'legacy-imported']) {
      const options = { network: 'regtest', name, now: 1_700_000_000 } as const;
      const { primary, watchonly } = await migrateWallet({ ...options, bytes: walletFile(name) });
      for (const wallet of [primary, watchonly]) {
        if (wallet)
          expect(await open(wallet.bytes, sha256Of(wallet.bytes))).toEqual(await open(wallet.bytes));
      }
    }
  });

  it('is checked again if its bytes are others', async () => {
    const bytes = walletFile('descriptor-hd');
    const hash = sha256Of(bytes);
    bytes[4096] = 0;
    await expect(open(bytes, hash)).rejects.toMatchObject({ code: 'not_a_wallet' });
  });
});
