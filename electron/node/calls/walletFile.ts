/** Where the file of a named wallet lies in a wallets folder, and what its first bytes say it is. */
import { isAbsolute, join, normalize, sep } from 'node:path';
import { isThere } from '../../disk/isThere.ts';
import { openRegularFile } from '../../disk/openRegularFile.ts';
import { berkeleyByteOrder, START_BYTES, startsLikeSqlite } from '../../wallet/database/fileStart.ts';

/**
 * The file of a wallet by the node's rules: `wallet.dat` in the folder of that name, a bare file of that name
 * (old releases), or for the unnamed wallet `wallet.dat` in the wallets folder itself.
 * Null when there is none, or when the name leads out of the folder.
 */
export async function walletFilePath(walletsFolder: string, name: string): Promise<string | null> {
  const path = normalize(name);
  if (isAbsolute(path) || path.split(sep).includes('..') || name.includes('\0')) return null;
  const place = join(walletsFolder, name);
  if (name !== '' && (await isThere(place, 'file'))) return place;
  const inside = join(place, 'wallet.dat');
  return (await isThere(inside, 'file')) ? inside : null;
}

/** By how it starts. `unknown` also when the file cannot be read. */
export async function walletFileKind(path: string): Promise<'descriptor' | 'legacy' | 'unknown'> {
  const start = await firstBytes(path, START_BYTES).catch(() => Buffer.alloc(0));
  if (startsLikeSqlite(start)) return 'descriptor';
  return berkeleyByteOrder(start) === null ? 'unknown' : 'legacy';
}

async function firstBytes(path: string, length: number): Promise<Buffer> {
  const handle = await openRegularFile(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
