/** Lets only regular files pass: reading a pipe could wait forever, and a device could be endless. */
import type { StatsBase } from 'node:fs';
import { AppError } from '../../shared/errors.ts';
import { say } from '../../shared/say.ts';

/** Throws AppError `not_a_file` for folders, devices, pipes and sockets. */
export function refuseSpecial(stats: Pick<StatsBase<unknown>, 'isFile' | 'isDirectory'>): void {
  if (stats.isFile()) return;
  throw new AppError(
    'not_a_file',
    stats.isDirectory()
      ? say('This is a folder, not a file.')
      : say('This is a device, a pipe or a socket, not a file.'),
    stats.isDirectory()
      ? say('Nothing was changed. Choose the file inside it: a wallet’s file is mostly called wallet.dat.')
      : say('Nothing was changed. Choose a file on a disk.'),
  );
}
