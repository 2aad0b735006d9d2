/** Lets only regular files pass: reading a pipe could wait forever, and a device could be endless. */
import type { StatsBase } from 'node:fs';
import { AppError } from '../../shared/errors.ts';

/** Throws AppError `not_a_file` for folders, devices, pipes and sockets. */
export function refuseSpecial(stats: Pick<StatsBase<unknown>, 'isFile' | 'isDirectory'>): void {
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
