/** Searches that take long: how far they are, and what one of a disk image comes to. */
import { z } from 'zod';
import { failure } from '../findings/fileError.ts';
import { count, path } from '../shapes.ts';

/**
 * How far a search is, in tries or bytes; `done` counts what an earlier one that it goes on with did, too. The rate is
 * measured, the seconds that are left are an estimate.
 */
export const searchProgress = z.object({
  done: count,
  total: count,
  perSecond: z.number().nonnegative(),
  seconds: z.number().nonnegative(),
});
export type SearchProgress = z.infer<typeof searchProgress>;

/** What a disk image, a device or a folder of fragments holds of wallets that were deleted. */
export const imageFound = z.object({
  /** Those with the most keys first. */
  wallets: z.array(
    z.object({
      kind: z.enum(['berkeley-db', 'sqlite']),
      /** With a record of a private key; none is proved yet. */
      keys: count,
      encrypted: z.boolean(),
      pages: count,
      /** Where it was written; null where that was not asked for, or failed. */
      path: path.nullable(),
      /** Whether an earlier search had written it there. */
      wasThere: z.boolean(),
      /** Why it could not be written. */
      error: failure.nullable(),
    }),
  ),
  /** Bytes that the disk could not read. */
  unread: count,
  /** Whether pieces are left over that matter: a master key of any of these wallets or of none, or more than are kept. */
  leftOver: z.boolean(),
});
export type ImageFound = z.infer<typeof imageFound>;
