/** Tells what a file is before anything is done with it. Reads its header only, and never changes it. */
import { constants, type Stats } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { FileFacts } from '../../shared/model.ts';
import { fileError } from './fileError.ts';
import { HEADER_BYTES, readHeader } from './fileHeader.ts';
import { suggestedName } from './suggestedName.ts';

/**
 * The facts of one file, links resolved. An empty file or one of another kind is told as such, not thrown.
 *
 * @throws AppError `file_missing`, `file_unreadable`, or `not_a_file` for folders, devices, pipes and sockets.
 */
export async function inspectFile(path: string): Promise<FileFacts> {
  try {
    const real = await realpath(path);
    refuseSpecial(await stat(real));
    // Should the file become a pipe just now, opening it must not wait for someone to write to it.
    const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      refuseSpecial(stats);
      const header = Buffer.alloc(Math.min(stats.size, HEADER_BYTES));
      const { bytesRead } = await handle.read(header, 0, header.length, 0);
      return {
        path: real,
        name: basename(real),
        folder: dirname(real),
        size: stats.size,
        modified: Math.max(0, stats.mtimeMs / 1000),
        ...readHeader(header.subarray(0, bytesRead), stats.size),
        suggestedName: suggestedName(real, homedir()),
      };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

function refuseSpecial(stats: Stats): void {
  if (stats.isFile()) return;
  throw new AppError(
    'not_a_file',
    stats.isDirectory()
      ? 'This is a folder, not a file.'
      : 'This is a device, a pipe or a socket, not a file.',
    stats.isDirectory()
      ? 'Choose the file inside it: a wallet’s file is mostly called wallet.dat.'
      : 'Choose a file on a disk.',
  );
}
