/** The progress of long searches, and the result of searching a disk image. */
import { z } from 'zod';
import { failure } from '../findings/fileError.ts';
import { count, path } from '../shapes.ts';

/**
 * Progress in tries or bytes; `done` includes an earlier search that this one continues. The rate is measured, the
 * seconds left are an estimate.
 */
export const searchProgress = z.object({
  done: count,
  total: count,
  perSecond: z.number().nonnegative(),
  seconds: z.number().nonnegative(),
});
export type SearchProgress = z.infer<typeof searchProgress>;

/** Deleted wallets that a search found in a disk image, a device or a folder of fragments. */
export const imageFound = z.object({
  /** The one with the most keys first. */
  wallets: z.array(
    z.object({
      kind: z.enum(['berkeley-db', 'sqlite']),
      /** Records of private keys, not proved yet. */
      keys: count,
      encrypted: z.boolean(),
      pages: count,
      /** The written file; null if writing was not requested, or failed. */
      path: path.nullable(),
      /** Whether an earlier search wrote it. */
      wasThere: z.boolean(),
      /** Why it could not be written. */
      error: failure.nullable(),
    }),
  ),
  /** Bytes that the disk could not read. */
  unread: count,
  /** Whether pieces that matter are left over: a master key, or more pieces than the app keeps. */
  leftOver: z.boolean(),
  /** Other users of this Windows computer may be able to read the written files. Absent otherwise. */
  othersMayRead: z.literal(true).optional(),
});
export type ImageFound = z.infer<typeof imageFound>;
