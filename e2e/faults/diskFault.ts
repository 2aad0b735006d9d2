/** What goes wrong between an app in a process of its own and its disk. Handed over in the environment. */
import { z } from 'zod';

export const diskFault = z.discriminatedUnion('call', [
  z.object({
    /** Of an entry of the journal to its place, the n-th of all. `fill`: that one and all later ones fail. */
    call: z.literal('rename'),
    folder: z.string(),
    number: z.number().int().positive(),
    does: z.enum(['kill before', 'kill after', 'fill']),
  }),
  z.object({
    /** Of the first copy that is made below a folder. The half of it is written first. */
    call: z.literal('write'),
    folder: z.string(),
    does: z.enum(['kill', 'fill']),
  }),
  z.object({
    /** Of each file below a folder whose name ends so. The half of it is written first. */
    call: z.literal('file'),
    folder: z.string(),
    ends: z.string(),
    does: z.enum(['kill', 'fill']),
  }),
  z.object({
    /** Of this file: after its first bytes were read. */
    call: z.literal('read'),
    path: z.string(),
    does: z.enum(['grow', 'remove']),
  }),
  z.object({
    /** Of the first folder that is made in a folder. */
    call: z.literal('mkdir'),
    folder: z.string(),
    does: z.enum(['kill after', 'refuse']),
  }),
]);
export type DiskFault = z.infer<typeof diskFault>;

/** Name of the variable with the fault as JSON. */
export const VARIABLE = 'FERRY_TEST_DISK_FAULT';
