/** Faults inside a file or a text. Each becomes a clause of a longer sentence. Pages count from 0. */
import { z } from 'zod/mini';
import { network } from '../network.ts';
import { count } from '../shapes.ts';
import { type Coded, codedShape, type FactsOf } from './coded.ts';

const page = z.number();

export const faults = {
  // pages of either kind of database
  page_missing: { page },
  page_repeated: { page },
  page_of_wrong_type: { page },
  /** Entries overlap, or lie outside the page. */
  entries_misplaced: { page },
  entry_unknown: { page },
  // the database
  /** Its first page, without which nothing shows where the others are. */
  start_unreadable: {},
  /** The whole file is in another form, such as FTP's for text. */
  file_converted: {},
  /** A field of SQLite's header, by its name there, with a value for which nodes refuse the file. */
  header_field_invalid: { field: z.enum(['user_version', 'write_version', 'application_id']) },
  end_missing: { pages: count, present: count },
  main_database_missing: {},
  main_database_page_size: {},
  long_value_incomplete: { present: count, wanted: count },
  entries_not_bytes: { count },
  table_unknown: {},
  sqlite_cannot_check: {},
  sqlite_finds_faults: {},
  // records
  private_keys_incomplete: { count },
  types_unreadable: { types: z.readonly(z.array(z.object({ type: z.string(), count }))) },
  // missing from an export
  public_keys_missing: {},
  private_key_damaged: {},
  records_unreadable: {},
  descriptor_unreadable: {},
  // descriptors
  text_after_end: {},
  function_unknown: {},
  function_not_allowed: { function: z.string() },
  script_not_hex: {},
  script_tree_too_deep: {},
  comma_missing: {},
  bracket_missing: {},
  miniscript_refused: {},
  signatures_invalid: {},
  key_count_not_allowed: { keys: count, most: count },
  more_signatures_than_keys: { signatures: count, keys: count },
  script_too_large: { size: count, most: count },
  // keys in descriptors
  key_path_step_invalid: {},
  key_bracket_repeated: {},
  key_origin_bracket_missing: {},
  fingerprint_invalid: {},
  key_missing: {},
  space_next_to_key: {},
  hybrid_key: {},
  public_key_invalid: {},
  key_invalid_on_network: { network },
  key_path_too_long: {},
  uncompressed_key: {},
} as const;

export type FaultFacts = FactsOf<typeof faults>;
export type Fault<C extends keyof FaultFacts = keyof FaultFacts> = Coded<FaultFacts, C>;
export const fault = codedShape(faults);
