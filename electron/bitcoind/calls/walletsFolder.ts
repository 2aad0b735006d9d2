/** The folder of a node's wallets on this machine, proved before anyone writes there, and each wallet's file in it. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { Network } from '../../../shared/model/network.ts';
import { isThere } from '../../files/isThere.ts';
import { firstBytes, openRegularFile } from '../../files/openRegularFile.ts';
import { berkeleyByteOrder, START_BYTES, startsLikeSqlite } from '../../walletfile/database/fileStart.ts';
import { applicationIds } from '../../walletfile/database/sqliteHeader.ts';
import { logOwner, readLoggedFolder } from '../log/nodeLog.ts';
import type { NodeClient } from '../rpc/session.ts';
import { listWalletDir } from './walletCalls.ts';

/** Where a node keeps its wallets without `-walletdir`: `wallets` in its chain's folder where that exists, else beside it. */
export async function guessWalletsFolder(chainFolder: string): Promise<string> {
  const ofItsOwn = join(chainFolder, 'wallets');
  return (await isThere(ofItsOwn, 'folder')) ? ofItsOwn : chainFolder;
}

/**
 * The wallets folder of a node on this machine, or null when it is not known for certain. Its log names it; else it is in the
 * chain's folder, which is the log's, or it is `chosen`. The proof is that every wallet the node lists lies in it.
 * Ask again before writing: the node may have been started anew with another folder.
 * `chosen`: a folder that the user named, and the node once proved with `provesFolder`. Throws what `listwalletdir` throws.
 */
export async function proveWalletsFolder(
  client: NodeClient,
  logPath: string | null,
  { chosen = null, signal }: { chosen?: string | null; signal?: AbortSignal | undefined } = {},
): Promise<string | null> {
  if (logPath === null && chosen === null) return null;
  const names = (await listWalletDir(client, signal)).map(({ name }) => name);
  const told = logPath === null ? null : await readLoggedFolder(logPath, logOwner(client.listener()));
  for (const folder of [told, chosen]) {
    if (folder !== null && (await isListed(folder, names))) return folder;
  }
  // A node that tells of another folder than the usual one does not use that.
  if (logPath === null || told !== null) return null;
  const chainFolder = dirname(logPath);
  const guess = await guessWalletsFolder(chainFolder);
  // No wallets prove nothing. But the node makes `wallets` in its chain folder when it first starts, and uses
  // it unless -walletdir says otherwise.
  if (names.length === 0 && guess === chainFolder) return null;
  return (await isListed(guess, names)) ? guess : null;
}

/** Whether the node lists what is in the folder; were it not this one, a folder that holds wallets would give it away. */
async function isListed(folder: string, names: readonly string[]): Promise<boolean> {
  if (!(await isThere(folder, 'folder'))) return false;
  if (names.length === 0) return !(await holdsWallets(folder));
  const files = await Promise.all(names.map((name) => walletFilePath(folder, name)));
  return !files.includes(null);
}

/**
 * Whether this is the node's wallets folder: an empty file that looks like a wallet is put there for a moment, under a name
 * that nobody else uses, and the node lists it or does not. Throws what the folder's system and `listwalletdir` throw.
 */
export async function probeWalletsFolder(
  client: NodeClient,
  folder: string,
  network: Network,
): Promise<boolean> {
  const name = `wallet-ferry-${randomBytes(8).toString('hex')}`;
  const place = join(folder, name);
  const file = join(place, 'wallet.dat');
  await mkdir(place, { mode: 0o700 });
  try {
    await writeFile(file, emptyDatabase(network), { mode: 0o600, flag: 'wx' });
    return (await listWalletDir(client)).some((wallet) => wallet.name === name);
  } finally {
    // By their names: nothing else is taken away, whoever put it there.
    await unlink(file).catch(() => undefined);
    await rmdir(place).catch(() => undefined);
  }
}

/** What a node takes for a wallet (`IsSQLiteFile` of `db.cpp`): 512 bytes with SQLite's first ones and the network's number. */
function emptyDatabase(network: Network): Uint8Array {
  const bytes = Buffer.alloc(512);
  bytes.write('SQLite format 3\0', 0, 'latin1');
  bytes.writeUInt32BE(applicationIds[network], 68);
  return bytes;
}

/** Whether a node would list a wallet in it. A node does not list an empty file, which a killed node can leave. */
async function holdsWallets(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  for (const name of ['', ...entries]) {
    const file = await walletFilePath(join(folder, name), '');
    if (file !== null && (await mayBeListed(file))) return true;
  }
  return false;
}

/** A file that cannot be read may be a wallet. */
async function mayBeListed(path: string): Promise<boolean> {
  try {
    await using file = await openRegularFile(path);
    return kindOfStart(await firstBytes(file, START_BYTES)) !== 'unknown';
  } catch {
    return true;
  }
}

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
  try {
    await using file = await openRegularFile(path);
    return kindOfStart(await firstBytes(file, START_BYTES));
  } catch {
    return 'unknown';
  }
}

function kindOfStart(start: Uint8Array): 'descriptor' | 'legacy' | 'unknown' {
  if (startsLikeSqlite(start)) return 'descriptor';
  return berkeleyByteOrder(start) === null ? 'unknown' : 'legacy';
}
