/** The record of a job, in parts to print. */
import { z } from 'zod/mini';

const texts = z.readonly(z.array(z.string()));

/** A file of a job, in its record. */
const recordFile = z.object({
  name: z.string(),
  path: z.string(),
  /** Null if the app did not record it. */
  sha256: z.nullable(z.string()),
  notes: z.optional(texts),
});
export type RecordFile = z.infer<typeof recordFile>;

/** One part of a record, which the terminal prints as lines and a sheet of paper shows as tables. */
const reportSection = z.object({
  title: z.optional(z.string()),
  /** Each a label and its value. */
  rows: z.optional(z.readonly(z.array(z.readonly(z.tuple([z.string(), z.string()]))))),
  /** The heads first. */
  table: z.optional(z.readonly(z.array(texts))),
  lines: z.optional(texts),
  files: z.optional(z.readonly(z.array(recordFile))),
});
export type ReportSection = z.infer<typeof reportSection>;

export const recordParts = z.object({ wallet: z.string(), sections: z.array(reportSection) });
export type RecordParts = z.infer<typeof recordParts>;
