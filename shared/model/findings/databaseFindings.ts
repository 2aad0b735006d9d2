/** What is found about the database of a wallet file, and about its journal. */
import { z } from 'zod';
import { count } from '../shapes.ts';
import { fault } from './faults.ts';
import { fileKind } from './fileKinds.ts';

export const databaseFindings = {
  wallet_damaged: { fault },
  not_core_wallet: { kind: fileKind },
  not_descriptor_wallet: {},
  not_legacy_wallet: {},
  no_wallet_table: {},
  no_main_database: {},
  no_wallet_inside: {},
  berkeley_version_unknown: {},
  berkeley_encrypted: {},
  berkeley_features_unknown: {},
  page_without_tree: { page: z.number() },
  page_size_impossible: { size: z.number() },
  file_too_large: {},
  wallet_not_written: {},
  record_not_written: { type: z.string() },
  // what is odd in a file that can be read
  main_database_unnamed: {},
  page_count_differs: { pages: count, claimed: count },
  entries_outside_tree: { count },
  not_closed_cleanly: {},
  /** Instead of the rest of a long list of problems. */
  more_problems: { count },
  // journals
  changes_in_wal: {},
  changes_read_from_wal: {},
  change_undone_by_journal: {},
  journal_of_other_file: {},
  journal_damaged: {},
} as const;
