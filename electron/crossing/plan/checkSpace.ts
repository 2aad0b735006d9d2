/** Whether the disks have room for what a crossing writes. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { fine, read, stop } from './check.ts';
import type { Space } from './checkFacts.ts';

/** What is written, each copy about as large as the wallet's file. */
export interface Written {
  /** Copies in the wallets folder. */
  readonly there: number;
  /** Whether the app makes a copy of its own, and of the wallets beside it, in its own folder. */
  readonly appCopies: boolean;
}

/** The node's backup of it and the new wallet. */
export const BY_MIGRATION: Written = { there: 2, appCopies: true };
/** What a migration writes, and the copy that is placed for it. */
export const BY_RESTORE_AND_MIGRATION: Written = { there: 3, appCopies: true };
export const BY_RESTORE: Written = { there: 1, appCopies: false };

/** Each disk by itself, by its own numbers; both as one where they are. */
export function checkSpace(space: Space | null, { there, appCopies }: Written): Check {
  const disks = space === null ? [] : disksOf(space, { there, appCopies });
  const full = disks.filter(({ needed, free }) => free !== null && free < needed);
  if (full.length > 0) {
    return stop('space', {
      title: say('There is not enough space'),
      text: full.map(({ told, needed, free }) => told(megabytes(needed), megabytes(free ?? 0))),
      todo: [say('Make room on that disk. Then look again.')],
    });
  }
  if (space === null || disks.some(({ free }) => free === null)) {
    return read('space', {
      title: say('The free space is not known'),
      text: [
        say(
          'The app cannot look at the disk. {count, plural, one {One copy of the wallet’s file is made} other {Up to # copies of the wallet’s file are made}}.',
          { count: there + (appCopies ? 1 : 0) },
        ),
      ],
      todo: [say('Make sure that the disk is not full.')],
    });
  }
  return fine('space', { title: say('There is enough space for every copy that is made') });
}

interface Disk {
  needed: number;
  free: number | null;
  told(needed: string, free: string): string;
}

function disksOf(
  { size, beside, free, freeForCopies, oneDisk }: Space,
  { there, appCopies }: Written,
): Disk[] {
  const inFolder = there * size;
  const inApp = size + beside;
  if (appCopies && oneDisk) {
    return [
      {
        needed: inFolder + inApp + MARGIN,
        free,
        told: (needed, left) =>
          say(
            'The disk of the wallets folder, which also takes the app’s copies: {needed} are needed, and {free} are free.',
            { needed, free: left },
          ),
      },
    ];
  }
  const ofFolder: Disk = {
    needed: inFolder + MARGIN,
    free,
    told: (needed, left) =>
      say('The disk of the wallets folder: {needed} are needed, and {free} are free.', {
        needed,
        free: left,
      }),
  };
  if (!appCopies) return [ofFolder];
  return [
    ofFolder,
    {
      needed: inApp + MARGIN,
      free: freeForCopies,
      told: (needed, left) =>
        say('The disk of the app’s copies: {needed} are needed, and {free} are free.', {
          needed,
          free: left,
        }),
    },
  ];
}

const MARGIN = 16 * 1024 * 1024;

function megabytes(bytes: number): string {
  return say('{megabytes, number} MB', { megabytes: Math.ceil(bytes / 1_000_000) });
}
