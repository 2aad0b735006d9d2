/** Whether the disks have room for what an operation writes. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/say.ts';
import { fine, read, stop } from './check.ts';
import type { Space } from './checkFacts.ts';

/** The node's backup, the new wallet and the app's own copy: each about as large as the file. */
export function checkSpace(space: Space | null): Check {
  const words = { looked: say('The free space on the disks of the wallets folder and of the app’s copies.') };
  if (space === null || space.free === null) {
    return read('space', {
      ...words,
      title: say('The free space is not known'),
      text: [
        say('The app cannot look at the node’s disk. Up to three copies of the wallet’s file are made.'),
      ],
      todo: [say('Make sure that the disk is not full.')],
    });
  }
  const needed = 3 * space.size + MARGIN;
  const enough =
    space.free >= needed && (space.freeForCopies ?? Number.POSITIVE_INFINITY) >= space.size + MARGIN;
  if (enough) return fine('space', { ...words, title: say('There is enough space for three copies') });
  return stop('space', {
    ...words,
    title: say('There is not enough space'),
    text: [
      say('{needed} are needed for three copies, and {free} are free.', {
        needed: megabytes(needed),
        free: megabytes(space.free),
      }),
    ],
    todo: [say('Make room on that disk. Then look again.')],
  });
}

const MARGIN = 16 * 1024 * 1024;

function megabytes(bytes: number): string {
  return say('{megabytes, number} MB', { megabytes: Math.ceil(bytes / 1_000_000) });
}
