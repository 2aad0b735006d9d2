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
  page_missing: ({ page }) => say('page {page} is missing', { page }),
  page_repeated: ({ page }) => say('page {page} is named twice', { page }),
  page_of_wrong_type: ({ page }) => say('page {page} has the wrong type', { page }),
  entries_misplaced: ({ page }) => say('the entries of page {page} do not fit', { page }),
  entry_unknown: ({ page }) => say('page {page} has an unknown entry', { page }),
  end_missing: ({ pages, present }) =>
    say('its end is missing: {present, number} of {pages, number} pages', {
      pages,
      present,
    }),
  main_database_missing: () => say('its database main is missing'),
  main_database_page_size: () => say('its database main has another page size'),
  long_value_incomplete: ({ present, wanted }) =>
    say('a long value has {present, number} of {wanted, number} bytes', { present, wanted }),
  entries_not_bytes: ({ count }) => say('entries that are not bytes ({count, number})', { count }),
  table_unknown: () => say('its schema is not a wallet’s'),
  sqlite_cannot_check: () => say('SQLite cannot check it'),
  sqlite_finds_faults: () => say('SQLite finds faults'),
  private_keys_incomplete: ({ count }) => say('incomplete private keys ({count, number})', { count }),
  types_unreadable: ({ types }) =>
    say('some records cannot be read ({records})', {
      records: types
        .map(({ count, type }) => say('{count, number} of type {type}', { count, type }))
        .join(', '),
    }),
  dump_incomplete: () => say('the dump is incomplete'),
  public_keys_missing: () => say('some public keys are missing'),
  private_key_damaged: () => say('a private key is damaged'),
  records_unreadable: () => say('some records cannot be read'),
  descriptor_unreadable: () => say('a descriptor cannot be read'),
  text_after_end: () => say('text after the end'),
  function_unknown: () => say('unknown function'),
  function_not_allowed: ({ function: name }) => say('{function}() is not allowed here', { function: name }),
  script_not_hex: () => say('the script is not hex'),
  script_tree_too_deep: () => say('the script tree is too deep'),
  comma_missing: () => say('a comma is missing'),
  bracket_missing: () => say('a bracket is missing'),
  miniscript_refused: () => say('Bitcoin Core refuses this Miniscript'),
  signatures_invalid: () => say('invalid number of signatures'),
  key_count_not_allowed: ({ keys, most }) => say('{keys} keys; 1 to {most} are allowed', { keys, most }),
  more_signatures_than_keys: ({ signatures, keys }) =>
    say('signatures needed: {signatures}, keys: {keys}', {
      signatures,
      keys,
    }),
  script_too_large: ({ size, most }) => say('{size} bytes of script; {most} are allowed', { size, most }),
  key_path_step_invalid: () => say('invalid step in the key path'),
  key_bracket_repeated: () => say('the key has more than one “]”'),
  key_origin_bracket_missing: () => say('the key origin lacks its “[”'),
  fingerprint_invalid: () => say('the fingerprint must be 8 hex digits'),
  key_missing: () => say('the key is missing'),
  space_next_to_key: () => say('a space next to the key'),
  hybrid_key: () => say('hybrid keys are not allowed'),
  public_key_invalid: () => say('invalid public key'),
  key_invalid_on_network: ({ network }) =>
    say('the key is invalid on {network}', { network: networkName(network) }),
  key_path_too_long: () => say('the key path is too long'),
  uncompressed_key: () => say('uncompressed keys are not allowed'),
};
