/** Reads a wallet's file into memory as it was at one moment, links resolved. */
import { type FileHandle, realpath } from 'node:fs/promises';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../walletfile/database/fileStart.ts';
import { notWallet } from '../walletfile/database/problemLog.ts';
import { recogniseOther } from '../walletfile/inspect/recognise.ts';
import { fileError } from './fileError.ts';
import { fileChanged, whileUnchanged } from './openRegularFile.ts';

/**
 * The bytes of a file that begins as a wallet of either kind does; with `anything`, of any file.
 *
 * @throws AppError `file_missing`, `file_unreadable`, `not_a_file` for folders, devices, pipes and sockets, `file_empty`,
 * `not_a_wallet` for what begins otherwise (then no more than its beginning is read) or is larger than 2 GiB,
 * `file_changed` when something writes to it meanwhile.
 */
export async function readWholeFile(path: string, of: 'wallet' | 'anything' = 'wallet'): Promise<Uint8Array> {
  try {
    return await whileUnchanged(await realpath(path), (handle, size) => readAll(handle, size, of));
  } catch (error) {
    throw fileError(error, path);
  }
}

const MOST_BYTES = 2 ** 31;
const FIRST_BYTES = 4096;

async function readAll(handle: FileHandle, size: number, of: 'wallet' | 'anything'): Promise<Uint8Array> {
  if (size === 0) throw new FileError('file_empty', { code: 'file_empty' });
  const first = new Uint8Array(Math.min(size, FIRST_BYTES));
  await fill(handle, first, 0);
  if (of === 'wallet' && !startsLikeSqlite(first) && berkeleyByteOrder(first) === null) {
    throw notWallet({ code: 'not_core_wallet', kind: recogniseOther(first, size) });
  }
  if (size > MOST_BYTES) throw notWallet({ code: 'file_too_large' });
  const bytes = new Uint8Array(size);
  bytes.set(first);
  await fill(handle, bytes, first.length);
  return bytes;
}

async function fill(handle: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let at = from; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at);
    if (bytesRead === 0) throw fileChanged();
    at += bytesRead;
  }
}
