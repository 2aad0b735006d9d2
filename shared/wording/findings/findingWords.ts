/** Words for every finding, and the error that a user reads for any thrown value. */
import type { z } from 'zod/mini';
import { AppError, type AppErrorShape } from '../../model/errors.ts';
import type { FactsOf } from '../../model/findings/coded.ts';
import { FileError } from '../../model/findings/fileError.ts';
import type {
  databaseFindings,
  Finding,
  FindingFacts,
  keyFindings,
  walletFindings,
} from '../../model/findings/finding.ts';
import { counted } from '../format/formatNumber.ts';
import { anyNetwork, networkName } from '../format/names.ts';
import { andMore } from '../lines.ts';
import { say } from '../say.ts';
import { ADDRESSES_DO_NOT_FIT, conditionLines, DESCRIPTOR_KEYLESS, faultText } from './faultWords.ts';
import { coinAdvice, coinSentences, coinTitle, fileKindAdvice, fileKindText } from './fileKindWords.ts';
import { fileWords } from './fileWords.ts';
import {
  askForHelp,
  asSentence,
  checkDescriptor,
  givePassphrase,
  keepAndLook,
  keepFile,
  nodeRefuses,
  nothingChanged,
  notSent,
  otherFile,
  type WordsByCode,
} from './hints.ts';
import { migrationWords } from './migrationWords.ts';

const databaseWords: WordsByCode<FactsOf<typeof databaseFindings>> = {
  wallet_damaged: ({ fault }) => [
    say('Damaged wallet file: {fault}.', { fault: faultText(fault) }),
    keepFile(),
  ],
  not_core_wallet: ({ kind }) => [
    say('Not a Bitcoin Core wallet: {kind}.', { kind: fileKindText(kind) }),
    fileKindAdvice(kind) ?? '',
  ],
  not_descriptor_wallet: () => [say('Not a descriptor wallet.'), otherFile()],
  not_legacy_wallet: () => [say('Not a legacy wallet.'), otherFile()],
  no_wallet_table: () => [say('No wallet in the file.'), otherFile()],
  no_table_yet: () => [say('Interrupted: the wallet was left incomplete.'), keepAndLook()],
  table_form_unknown: () => [say('Unreadable database format.'), keepFile()],
  no_main_database: () => [say('No database named main.'), otherFile()],
  no_wallet_inside: () => [say('No wallet in the file.'), otherFile()],
  berkeley_version_unknown: () => [say('Unknown Berkeley DB version.'), otherFile()],
  berkeley_encrypted: () => [say('Encrypted by Berkeley DB itself.'), otherFile()],
  berkeley_features_unknown: () => [say('Unreadable database format.'), otherFile()],
  page_without_tree: ({ page }) => [say('Page {page} does not describe a tree.', { page }), otherFile()],
  page_size_impossible: ({ size }) => [say('Impossible page size: {size} bytes.', { size }), otherFile()],
  file_too_large: () => [
    say('Larger than 2 GiB: too large for memory.'),
    say('A node can restore and migrate a whole wallet.'),
  ],
  wallet_not_written: () => [say('The new wallet was not written.'), askForHelp()],
  record_not_written: ({ type }) => [say('A record of type {type} was not written.', { type }), askForHelp()],
  main_database_unnamed: () => [`${say('No database named main.')} ${nodeRefuses()}`],
  page_count_differs: ({ pages, claimed }) => [
    say('Pages: {pages, number}, claimed: {claimed, number}.', { pages, claimed }),
  ],
  entries_outside_tree: ({ count }) => [say('Entries outside the damaged tree: {count, number}.', { count })],
  not_closed_cleanly: () => [
    say('Not closed: the last changes may be missing.'),
    nothingChanged(say('Unload or rescue it.')),
  ],
  more_problems: ({ count }) => [andMore(count)],
  sqlite_not_asked: () => [say('Too large for SQLite’s own check.')],
  changes_in_wal: () => [say('The last changes may be in its -wal file.')],
  changes_read_from_log: () => [say('Last changes read from its log.')],
  change_undone_by_journal: () => [say('The journal undid an interrupted change.')],
  journal_of_other_file: () => [say('Ignored: another file’s journal.')],
  journal_damaged: () => [say('Damaged journal: changes may be missing.')],
};

const keyWords: WordsByCode<FactsOf<typeof keyFindings>> = {
  passphrase_needed: () => [say('This needs the passphrase.'), nothingChanged(say('Type the passphrase.'))],
  passphrase_wrong: () => [
    say('Wrong passphrase.'),
    nothingChanged(say('Check capitals, spaces and keyboard layout.')),
  ],
  passphrase_wrong_after_zero: () => [
    say('Wrong passphrase.'),
    nothingChanged(say('If set before release 25, try only the part before the zero byte.')),
  ],
  encryption_record_damaged: () => [say('Missing or damaged encryption record.'), keepFile()],
  too_many_rounds: ({ rounds }) => [say('Too many rounds: {rounds, number}.', { rounds }), keepFile()],
  key_not_decrypted: () => [say('The right passphrase does not decrypt a key.'), keepFile()],
  wallet_not_encrypted: () => [say('The wallet is not encrypted.'), nothingChanged()],
  too_many_tries: ({ most }) => [
    say('More than {most, number} tries.', { most }),
    say('Choose fewer variations.'),
  ],
  not_address: () => [say('Not a Bitcoin address.'), nothingChanged(say('Check that it is complete.'))],
  not_address_of_network: ({ network }) => [
    say('Not an address of {network}.', { network: networkName(network) }),
    nothingChanged(say('Check that it is complete.')),
  ],
  key_path_too_long: () => [say('Key path too long.'), givePassphrase()],
  private_key_needed: () => [say('A hardened step needs the private key.'), givePassphrase()],
  descriptor_wrong: ({ function: functions, key, fault: found }) => {
    const inFunctions =
      key === null ? functions : say('{function}, key {number}', { function: functions, number: key });
    const place = functions === '' ? say('the descriptor') : inFunctions;
    return [say('In {place}: {fault}.', { place, fault: faultText(found) }), checkDescriptor()];
  },
  descriptor_too_long: () => [say('Descriptor too long.'), checkDescriptor()],
  descriptor_range_too_long: () => [say('Range too long.'), checkDescriptor()],
  descriptor_index_impossible: () => [say('An index is above 2147483647.'), checkDescriptor()],
  descriptor_character_invalid: () => [say('Invalid character in the descriptor.'), checkDescriptor()],
  descriptor_checksum_repeated: () => [say('More than one “#”.'), checkDescriptor()],
  descriptor_checksum_missing: () => [say('No checksum.'), checkDescriptor()],
  descriptor_checksum_wrong: () => [say('Wrong descriptor checksum.'), checkDescriptor()],
  descriptor_with_private_key: () => [say('Private key in the descriptor.'), checkDescriptor()],
  script_without_address: () => [say('This script has no address.'), checkDescriptor()],
  multisig_key_alone: () => [say('One multisig key finds no coins.'), say('Open the multisig descriptor.')],
  keys_of_several_wallets: () => [
    say('These keys need separate wallets.'),
    say('Open BIP38 keys and watch-only descriptors separately.'),
  ],
};

const chooseNetwork = () => nothingChanged(say('Choose the network.'));

const walletWords: WordsByCode<FactsOf<typeof walletFindings>> = {
  network_unknown: () => [say('Unknown network.'), chooseNetwork()],
  network_needed: () => [say('Unknown network.'), say('Connect to a node on its network.')],
  network_ambiguous: ({ networks }) => [
    say('Its network may be {networks}.', { networks: anyNetwork(networks) }),
    chooseNetwork(),
  ],
  network_differs: ({ network, expected }) => [
    say('Its network is {network}, not {asked}.', {
      network: networkName(network),
      asked: networkName(expected),
    }),
    chooseNetwork(),
  ],
  network_of_other_chain: () => [say('Another network’s wallet'), say('Connect to a node on its network.')],
  other_coin: ({ coin }) => [asSentence(coinTitle(coin)), coinAdvice(coin)],
  not_surely_bitcoin: ({ coin }) => [coinSentences(coin).join(' ')],
  condition_refused: ({ condition }) => [
    conditionLines(condition).join(' '),
    nothingChanged(say('Rescue what is intact.')),
  ],
  keys_do_not_fit: ({ count }) => [say('Mismatched private keys: {count, number}.', { count })],
  encrypted_keys_repeat: () => [say('Repeated encrypted keys: a fake wallet.')],
  addresses_without_key: ({ count }) => [say('Addresses without a key: {count, number}.', { count })],
  addresses_do_not_fit: () => [asSentence(ADDRESSES_DO_NOT_FIT)],
  addresses_unproved: () => [say('Only the passphrase proves its addresses.')],
  descriptor_without_key: () => [asSentence(DESCRIPTOR_KEYLESS)],
  only_addresses: () => [say('Addresses, but no keys.')],
  keys_excluded: ({ count }) => [
    say('Left out: {keys} with other encryption.', { keys: counted.privateKeys(count) }),
  ],
  keys_locked: ({ count }) => [
    say('{keys} under a passphrase. Rescue asks for it.', { keys: counted.privateKeys(count) }),
  ],
  keys_damaged: ({ count }) => [say('Damaged private keys: {count, number}.', { count })],
  keys_missing: ({ count }) => [say('Missing: {keys}.', { keys: counted.privateKeys(count) })],
  keys_not_encrypted: ({ count }) => [say('Unencrypted private keys: {count, number}.', { count })],
  master_key_missing: () => [say('Missing master key: keys undecryptable.')],
  passphrase_cannot_be_proved: () => [say('No encrypted key can prove the passphrase.')],
  records_damaged: ({ count, type }) => [
    say('{count} unreadable records, the first of type {type}.', { count, type }),
    nothingChanged(say('Rescue what is intact.')),
  ],
  records_of_type_unreadable: ({ type, count }) => [
    say('Unreadable {type} records: {count, number}.', { type, count }),
  ],
  records_of_unknown_types: ({ count }) => [say('Records of unknown types: {count, number}.', { count })],
  transactions_damaged: ({ count }) => [say('Damaged transactions, left out: {count, number}.', { count })],
  transactions_invalid: ({ count }) => [say('Invalid transactions: {count, number}.', { count })],
  transaction_in_future: () => [say('Transaction dated in the future.')],
  newer_release_needed: () => [say('Needs a newer release.')],
  more_than_all_bitcoin: () => [say('More than 21 million bitcoin: a fake wallet.')],
  descriptors_unreadable: ({ damaged, all }) => [
    say('Unreadable descriptors: {damaged, number} of {all, number}.', { damaged, all }),
  ],
  balance_lacks_addresses: ({ count }) => [say('The balance lacks addresses: {count, number}.', { count })],
  balance_lacks_hardened_addresses: ({ count }) => [
    say('The balance lacks addresses: {count, number}.', { count }),
  ],
  half_migrated: () => [[say('Interrupted migration.'), keepAndLook()].join(' ')],
  empty_wallet: () => [say('Empty: no keys, addresses or payments.')],
};

const WORDS: WordsByCode<FindingFacts> = {
  ...databaseWords,
  ...keyWords,
  ...walletWords,
  ...migrationWords,
  ...fileWords,
};

/** One plain sentence. */
export function findingText<C extends keyof FindingFacts>(finding: Finding<C>): string {
  return WORDS[finding.code](finding)[0];
}

/** What is safe and what to do next; empty without advice. */
export function findingHint<C extends keyof FindingFacts>(finding: Finding<C>): string {
  return WORDS[finding.code](finding)[1] ?? '';
}

/** Other errors than AppError become `internal` without their text, which may quote a secret. */
export function errorShapeOf(thrown: unknown): AppErrorShape {
  if (thrown instanceof FileError) {
    const { code, finding, node } = thrown;
    return {
      code,
      message: findingText(finding),
      hint: findingHint(finding),
      ...(node ? { node } : {}),
      finding,
    };
  }
  if (thrown instanceof AppError) {
    const { code, message, hint, node, finding } = thrown;
    return { code, message, hint, ...(node ? { node } : {}), ...(finding ? { finding } : {}) };
  }
  return { code: 'internal', message: findingText(UNFORESEEN), hint: findingHint(UNFORESEEN) };
}

const UNFORESEEN: Finding<'unforeseen'> = { code: 'unforeseen' };

/**
 * The checked input of a request. Throws AppError: `beyond_limits` if it is too long, else `bad_input` with the invalid fields. Never names
 * their values: one of them may be a secret.
 */
export function checkedInput<T>({ data, error }: z.core.util.SafeParseResult<T>): T {
  if (error === undefined) return data as T;
  if (error.issues.some(({ code }) => code === 'too_big'))
    throw new AppError('beyond_limits', say('Too long.'), notSent(say('Open it as a file.')));
  const fields = [...new Set(error.issues.map((issue) => issue.path.join('.') || 'input'))].join(', ');
  throw new AppError(
    'bad_input',
    say('Not understood: {fields}.', { fields }),
    notSent(say('Check your entries.')),
  );
}
