/** What goes wrong with files and folders of this machine, with logs of Berkeley DB, and with work on them. */
import { z } from 'zod';
import { count } from '../shapes.ts';

const path = z.string();

/** Why a log of Berkeley DB is of no use for a wallet file. */
export const logFindings = {
  log_unusable: {},
  log_of_other_file: {},
  log_file_missing: { number: z.number() },
  log_file_damaged: { name: z.string() },
  log_version_unknown: { version: z.number() },
  log_too_large: {},
  no_log: {},
} as const;

export const fileFindings = {
  ...logFindings,
  // reading
  nothing_at_path: { path },
  file_not_allowed: { path },
  file_unreadable: { path },
  file_empty: {},
  file_changed: {},
  too_many_open_files: { path },
  disk_failed: { path },
  disk_full: {},
  path_invalid: {},
  path_not_absolute: {},
  folder_not_file: {},
  not_regular_file: {},
  journal_unreadable: { path },
  journal_too_large: { path, bytes: count },
  reading_stopped: {},
  // writing
  path_taken: { path },
  folder_missing: { folder: path },
  folder_full: { folder: path },
  file_too_large_for_disk: { folder: path },
  folder_not_writable: { folder: path },
  file_not_written: { path },
  folder_replaced: { path },
  /** Other users can change it. `owned-by-another`: it belongs to another user. */
  folder_shared: { folder: path, how: z.enum(['owned-by-another', 'writable-by-others']) },
  copy_differs: {},
  copying_stopped: {},
  image_output_too_large: { bytes: count },
  // work in a thread
  work_too_long: { seconds: count },
  work_too_large: {},
  work_stopped: {},
  unforeseen: {},
} as const;
