/** A fault of the disk of an app that runs as a process, passed to it in the environment. */
import { z } from 'zod/mini';

export const diskFault = z.discriminatedUnion('call', [
  z.object({
    /** The n-th move of a file into a folder. `fill`: this and all later ones fail. */
    call: z.literal('rename'),
    folder: z.string(),
    number: z.int().check(z.positive()),
    does: z.enum(['kill before', 'kill after', 'fill']),
  }),
  z.object({
    /** A copy that the app makes below a folder, after half of it is written. */
    call: z.literal('write'),
    folder: z.string(),
    does: z.enum(['kill', 'fill']),
  }),
  z.object({
    /** Each file below a folder whose name ends like this, after half of it is written. */
    call: z.literal('file'),
    folder: z.string(),
    ends: z.string(),
    does: z.enum(['kill', 'fill']),
  }),
  z.object({
    /** This file, after its first bytes are read. */
    call: z.literal('read'),
    path: z.string(),
    does: z.enum(['grow', 'remove']),
  }),
  z.object({
    /** A folder that the app creates below another. */
    call: z.literal('mkdir'),
    folder: z.string(),
    does: z.enum(['kill after', 'refuse']),
  }),
]);
export type DiskFault = z.infer<typeof diskFault>;

/** The environment variable with the fault as JSON. */
export const VARIABLE = 'FERRY_TEST_DISK_FAULT';
