/** Words for faults: clauses for a longer sentence. */
import type { Fault, FaultFacts } from '../../model/findings/faults.ts';
import { networkName } from '../format/networkName.ts';
import { say } from '../say.ts';
import type { WordsByCode } from './words.ts';

/** `page 7 is missing`. */
export function faultText<C extends keyof FaultFacts>(fault: Fault<C>): string {
  return WORDS[fault.code](fault);
}

const WORDS: WordsByCode<FaultFacts, string> = {
  page_missing: ({ page }) => say('missing page {page}', { page }),
  page_repeated: ({ page }) => say('page {page} named twice', { page }),
  page_of_wrong_type: ({ page }) => say('wrong type of page {page}', { page }),
  entries_misplaced: ({ page }) => say('bad entries on page {page}', { page }),
  entry_unknown: ({ page }) => say('unknown entry on page {page}', { page }),
  end_missing: ({ pages, present }) =>
    say('cut short: {present, number} of {pages, number} pages', { pages, present }),
  main_database_missing: () => say('no database main'),
  main_database_page_size: () => say('another page size in database main'),
  long_value_incomplete: ({ present, wanted }) =>
    say('value of {present, number} instead of {wanted, number} bytes', { present, wanted }),
  entries_not_bytes: ({ count }) => say('entries that are not bytes ({count, number})', { count }),
  table_unknown: () => say('not a wallet’s schema'),
  sqlite_cannot_check: () => say('SQLite cannot check it'),
  sqlite_finds_faults: () => say('SQLite finds faults'),
  private_keys_incomplete: ({ count }) => say('incomplete private keys ({count, number})', { count }),
  types_unreadable: ({ types }) =>
    say('unreadable records ({records})', {
      records: types
        .map(({ count, type }) => say('{count, number} of type {type}', { count, type }))
        .join(', '),
    }),
  dump_incomplete: () => say('incomplete dump'),
  public_keys_missing: () => say('missing public keys'),
  private_key_damaged: () => say('damaged private key'),
  records_unreadable: () => say('unreadable records'),
  descriptor_unreadable: () => say('unreadable descriptor'),
  text_after_end: () => say('text after the end'),
  function_unknown: () => say('unknown function'),
  function_not_allowed: ({ function: name }) => say('{function}() is not allowed here', { function: name }),
  script_not_hex: () => say('script not in hex'),
  script_tree_too_deep: () => say('script tree too deep'),
  comma_missing: () => say('missing comma'),
  bracket_missing: () => say('missing bracket'),
  miniscript_refused: () => say('Miniscript that Bitcoin Core refuses'),
  signatures_invalid: () => say('invalid number of signatures'),
  key_count_not_allowed: ({ keys, most }) => say('{keys} keys; 1 to {most} allowed', { keys, most }),
  more_signatures_than_keys: ({ signatures, keys }) =>
    say('signatures needed: {signatures}, keys: {keys}', { signatures, keys }),
  script_too_large: ({ size, most }) => say('{size} bytes of script; {most} allowed', { size, most }),
  key_path_step_invalid: () => say('invalid key path step'),
  key_bracket_repeated: () => say('second “]” in the key'),
  key_origin_bracket_missing: () => say('key origin without “[”'),
  fingerprint_invalid: () => say('fingerprint must be 8 hex digits'),
  key_missing: () => say('missing key'),
  space_next_to_key: () => say('space beside the key'),
  hybrid_key: () => say('hybrid keys not allowed'),
  public_key_invalid: () => say('invalid public key'),
  key_invalid_on_network: ({ network }) => say('key invalid on {network}', { network: networkName(network) }),
  key_path_too_long: () => say('key path too long'),
  uncompressed_key: () => say('uncompressed keys not allowed'),
};
