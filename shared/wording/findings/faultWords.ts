/** Words for faults, clauses for a longer sentence, and for the conditions that make Bitcoin Core fail on a wallet file. */
import type { Condition, ConditionCode } from '../../model/conditions.ts';
import type { Fault, FaultFacts } from '../../model/findings/faults.ts';
import { networkName } from '../format/names.ts';
import { say } from '../say.ts';
import { asSentence, type WordsByCode } from './hints.ts';

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
  start_unreadable: () => say('unreadable start'),
  file_converted: () => say('altered in transfer'),
  header_field_invalid: ({ field }) => say('invalid {field}', { field }),
  end_missing: ({ pages, present }) =>
    say('cut short: {present, number} of {pages, number} pages', { pages, present }),
  main_database_missing: () => say('no database main'),
  main_database_page_size: () => say('another page size in database main'),
  long_value_incomplete: ({ present, wanted }) =>
    say('value of {present, number} instead of {wanted, number} bytes', { present, wanted }),
  entries_not_bytes: ({ count }) => say('entries that are not bytes ({count, number})', { count }),
  table_unknown: () => say('unknown schema'),
  sqlite_cannot_check: () => say('SQLite cannot check it'),
  sqlite_finds_faults: () => say('SQLite finds faults'),
  private_keys_incomplete: ({ count }) => say('incomplete private keys ({count, number})', { count }),
  types_unreadable: ({ types }) =>
    say('unreadable records ({records})', {
      records: types
        .map(({ count, type }) => say('{count, number} of type {type}', { count, type }))
        .join(', '),
    }),
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

/** Of a wallet whose cached public keys are not its own. */
export const ADDRESSES_DO_NOT_FIT = say('Its addresses do not fit its keys');
/** In a wallet with private keys. */
export const DESCRIPTOR_KEYLESS = say('Descriptor without its private key');

const TEXTS: Readonly<Record<ConditionCode, string>> = {
  'record-unreadable': asSentence(say('Damaged records')),
  'record-longer': say('Extra bytes after records.'),
  'flags-unknown': say('Needs a newer release.'),
  'transaction-id': say('Wrong transaction id.'),
  'transaction-amount': say('Transaction over 21 million bitcoin.'),
  'transaction-notes': say('Unknown transaction metadata.'),
  'transaction-variant': say('Damaged transaction variant.'),
  'transaction-place': say('Impossible block position.'),
  'reward-conflicted': say('Block reward marked conflicted.'),
  'reward-spent': say('Spent unconfirmed block reward.'),
  'database-damaged': say('Damaged database.'),
  'flags-missing': say('Missing wallet flags.'),
  'descriptor-flag-watching': say('Wrongly marked as watch-only.'),
  'descriptor-flag-signer': say('Wrongly marked as a hardware wallet.'),
  'legacy-record': say('Legacy records in a descriptor wallet.'),
  'descriptor-unknown': say('Unreadable descriptor.'),
  'descriptor-id': say('Wrong descriptor id.'),
  'descriptor-id-earlier': say('Release 31 refuses its Miniscript descriptors.'),
  'descriptor-id-later': say('Its Miniscript descriptors need release 31.'),
  'descriptor-range': say('Single-address descriptor with a range.'),
  'descriptor-range-negative': say('Negative descriptor range.'),
  'descriptor-cache': say('Missing cached public keys.'),
  'descriptor-cache-locked': say('Missing cached public keys.'),
  'descriptor-cache-key': say('Damaged cached public key.'),
  'descriptor-misfit': asSentence(ADDRESSES_DO_NOT_FIT),
  'descriptor-keyless': asSentence(DESCRIPTOR_KEYLESS),
  'descriptor-key': say('Damaged private key.'),
  'descriptor-keys-mixed': say('Only some private keys are encrypted.'),
  'descriptor-keys-open': say('Unencrypted keys: no passphrase unlocks it.'),
  'descriptor-key-sealed': say('Undecryptable private key.'),
  'descriptor-next': say('Negative descriptor index.'),
  'descriptor-orphan': say('Keys of a missing descriptor.'),
  'descriptor-seed': say('Old descriptor without its private key.'),
  'descriptor-size': say('Huge descriptor range.'),
  'active-unknown': say('Missing active descriptor.'),
  'active-type': say('Unknown address type.'),
  'active-kind': say('Active descriptor without addresses.'),
  'descriptor-record': say('Descriptor records in a legacy wallet.'),
  'flags-blank': say('Wrongly marked as blank.'),
  'flags-descriptor': say('Wrongly marked as a descriptor wallet.'),
  'flags-signer': say('Wrongly marked as a hardware wallet.'),
  'flags-no-keys': say('Wrongly marked as watch-only.'),
  'key-damaged': say('Damaged private key.'),
  'key-form': say('Hybrid public key.'),
  'key-misfit': say('Private and public key mismatch.'),
  'key-sealed': say('Undecryptable private key.'),
  'keys-mixed': say('Only some private keys are encrypted.'),
  'default-key': say('Damaged default key.'),
  'master-missing': say('Missing master key: keys undecryptable.'),
  'master-needless': say('Passphrase set, private keys unencrypted.'),
  'master-watching': say('Passphrase on a watch-only wallet.'),
  'pool-damaged': say('Damaged key pool record.'),
  'pool-longer': say('Damaged key pool record.'),
  'pool-key': say('Damaged public key in the pool.'),
  'version-rewrite': say('Encrypted by 0.4 or 0.5.'),
  'chain-apart': say('Chain key recorded as a single key.'),
  'chain-twice': say('Two key chains from one seed.'),
  'chain-unknown': say('Key chain gaps: unknown until unlocked.'),
};

/** Why earlier releases cannot load a wallet with a descriptor of this form. */
export const FORM_NEEDS = {
  musig: say('A descriptor needs release 30.'),
  'key-only': say('A descriptor needs release 32.'),
} as const;

export function conditionText(code: ConditionCode): string {
  return TEXTS[code];
}

/** The sentence, and the first records with the condition, each shortened. */
export function conditionLines({ code, records: { total, shown } }: Condition): string[] {
  const named = shown
    .slice(0, MAX_NAMED)
    .map((record) => cut(typeof record === 'string' ? record : faultText(record)));
  const more = total - named.length;
  if (more > 0) named.push(say('{more, number} more', { more }));
  return [conditionText(code), say('In: {records}.', { records: named.join(', ') })];
}

const MAX_NAMED = 3;

function cut(record: string): string {
  return record.length > MAX_LENGTH ? `${record.slice(0, MAX_LENGTH)}…` : record;
}

const MAX_LENGTH = 64;
