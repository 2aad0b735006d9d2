/** Findings about a file: codes with their facts. `shared/wording/findings` has the sentence for each. */
import { z } from 'zod/mini';
import { condition } from '../conditions.ts';
import { walletPart } from '../migrationPreview.ts';
import { inspectedCoin, network } from '../network.ts';
import { count, truncatedList } from '../shapes.ts';
import { type Coded, codedShape, type FactsOf } from './coded.ts';
import { fault } from './faults.ts';
import { fileKind } from './fileKinds.ts';

const path = z.string();

/** Findings about the database of a wallet file and its journal. */
export const databaseFindings = {
  wallet_damaged: { fault },
  not_core_wallet: { kind: fileKind },
  not_descriptor_wallet: {},
  not_legacy_wallet: {},
  no_wallet_table: {},
  /** A database without tables, as a node leaves it that was killed while it created one. */
  no_table_yet: {},
  /** The wallet's table has another form than any release gives it. */
  table_form_unknown: {},
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
  // oddities in a readable file
  main_database_unnamed: {},
  page_count_differs: { pages: count, claimed: count },
  entries_outside_tree: { count },
  not_closed_cleanly: {},
  /** Replaces the rest of a long list of problems. */
  more_problems: { count },
  // journals
  changes_in_wal: {},
  sqlite_not_asked: {},
  changes_read_from_log: {},
  change_undone_by_journal: {},
  journal_of_other_file: {},
  journal_damaged: {},
} as const;

/** Findings about keys, passphrases, addresses and descriptors. */
export const keyFindings = {
  // passphrases
  passphrase_needed: {},
  passphrase_wrong: {},
  /** It contains a zero byte. Releases before 25 ignored all that follows one. */
  passphrase_wrong_after_zero: {},
  encryption_record_damaged: {},
  /** `rounds` of hashing for each try of a passphrase. */
  too_many_rounds: { rounds: count },
  key_not_decrypted: {},
  wallet_not_encrypted: {},
  too_many_tries: { most: count },
  // addresses and paths
  not_address: {},
  not_address_of_network: { network },
  key_path_too_long: {},
  private_key_needed: {},
  // descriptors
  /** `function`: those around the place, such as `sh(multi())`; empty at the top. `key`: counted from 1. */
  descriptor_wrong: { function: z.string(), key: z.nullable(z.number()), fault },
  descriptor_too_long: {},
  descriptor_range_too_long: {},
  descriptor_index_impossible: {},
  descriptor_character_invalid: {},
  descriptor_checksum_repeated: {},
  descriptor_checksum_missing: {},
  descriptor_checksum_wrong: {},
  descriptor_with_private_key: {},
  script_without_address: {},
  multisig_key_alone: {},
  keys_of_several_wallets: {},
} as const;

/** Findings about a whole wallet: its network and coin, its records, its balance. */
export const walletFindings = {
  // network and coin
  network_unknown: {},
  /** The same, but only a node can show the network. */
  network_needed: {},
  network_ambiguous: { networks: z.readonly(z.array(network)) },
  network_differs: { network, expected: network },
  network_of_other_chain: {},
  other_coin: { coin: inspectedCoin },
  not_surely_bitcoin: { coin: inspectedCoin },
  /** Bitcoin Core would refuse the wallet because of this condition. */
  condition_refused: { condition },
  // keys
  keys_do_not_fit: { count },
  encrypted_keys_repeat: {},
  addresses_without_key: { count },
  addresses_do_not_fit: {},
  addresses_unproved: {},
  descriptor_without_key: {},
  only_addresses: {},
  keys_excluded: { count },
  keys_locked: { count },
  keys_damaged: { count },
  keys_missing: { count },
  keys_not_encrypted: { count },
  master_key_missing: {},
  passphrase_cannot_be_proved: {},
  // records
  /** `type`: of the first of them. */
  records_damaged: { count, type: z.string() },
  records_of_type_unreadable: { type: z.string(), count },
  records_of_unknown_types: { count },
  transactions_damaged: { count },
  transactions_invalid: { count },
  transaction_in_future: {},
  newer_release_needed: {},
  more_than_all_bitcoin: {},
  descriptors_unreadable: { damaged: count, all: count },
  balance_lacks_addresses: { count },
  balance_lacks_hardened_addresses: { count },
  // remains of a migration
  half_migrated: {},
  empty_wallet: {},
} as const;

/** What the proof of a migration finds. */
export const proofFaults = {
  private_key_lost: {},
  private_keys_partly_lost: {},
  descriptor_key_lost: { index: z.number() },
  descriptor_keys_reordered: {},
  descriptors_overlap: {},
  script_lost: { address: z.string() },
  script_added: { address: z.string() },
  script_keys_lost: { address: z.string() },
  script_watched_wrongly: { address: z.string() },
  script_only_watched: { address: z.string() },
  script_not_solvable: { address: z.string() },
  solvable_scripts_lost: {},
  address_in_no_wallet: { address: z.string() },
  records_lost: { count },
  transaction_records_lost: { count },
  address_records_lost: { count },
  addresses_in_wrong_wallet: { count },
} as const;

export type ProofFaultFacts = FactsOf<typeof proofFaults>;
/** Something that the new wallets lack, have in excess, or have in the wrong wallet. */
export type ProofFault<C extends keyof ProofFaultFacts = keyof ProofFaultFacts> = Coded<ProofFaultFacts, C>;

/** Reasons not to migrate or export a wallet. */
export const migrationFindings = {
  already_descriptor_wallet: {},
  migration_interrupted: {},
  flags_not_legacy: {},
  watch_only_with_private_keys: {},
  chain_key_missing: { index: z.number() },
  keys_with_expiry: {},
  transactions_in_no_wallet: { transactions: truncatedList(z.string()) },
  addresses_in_no_wallet: { addresses: truncatedList(z.string()) },
  proof_failed: { faults: truncatedList(codedShape(proofFaults)) },
  new_wallet_not_read_back: {},
  not_wallet_and_migration: {},
  // exports
  export_incomplete: { fault },
  legacy_without_descriptors: {},
  no_private_keys: {},
  descriptor_wallet_without_parts: {},
  part_not_made: { part: walletPart, parts: z.readonly(z.array(walletPart)) },
} as const;

/** Why a Berkeley DB log cannot be used with a wallet file. */
const logFindings = {
  log_unusable: {},
  log_of_other_file: {},
  log_file_missing: { number: z.number() },
  log_file_damaged: { name: z.string() },
  log_version_unknown: { version: z.number() },
  log_too_large: {},
  no_log: {},
} as const;

const sharing = { folder: path, how: z.enum(['owned-by-another', 'writable-by-others']) } as const;

/** Failures of files and folders on this machine, of Berkeley DB logs, and of the work on them. */
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
  name_not_for_windows: { problem: z.enum(['windows_character', 'windows_ending', 'windows_device']) },
  folder_not_file: {},
  not_regular_file: {},
  journal_unreadable: { path },
  journal_too_large: { path, bytes: count },
  /** SQLite would apply a journal to a file that is too large for memory. */
  large_file_has_journal: { ending: z.enum(['-journal', '-wal']) },
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
  folder_shared: sharing,
  /** The app's data folder, and what the app keeps in it. */
  data_folder_shared: sharing,
  folder_above_data_shared: sharing,
  copies_folder_shared: sharing,
  copy_differs: {},
  copying_stopped: {},
  image_output_too_large: { bytes: count },
  // work in a thread
  work_too_long: { seconds: count },
  work_too_large: {},
  work_stopped: {},
  unforeseen: {},
} as const;

export const findings = {
  ...databaseFindings,
  ...keyFindings,
  ...walletFindings,
  ...migrationFindings,
  ...fileFindings,
} as const;

export type FindingFacts = FactsOf<typeof findings>;
export type Finding<C extends keyof FindingFacts = keyof FindingFacts> = Coded<FindingFacts, C>;
export const finding = codedShape(findings);

/** Whether a finding with this code tells why SQLite's journal or log could not be applied to a wallet's file. */
export function isAboutJournal(code: string): boolean {
  return code === 'journal_unreadable' || code === 'journal_too_large' || code === 'large_file_has_journal';
}

/** Whether a finding with this code is about a Berkeley DB log. */
export function isAboutLog(code: string): boolean {
  return Object.hasOwn(logFindings, code);
}
