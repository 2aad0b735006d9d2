/** Words for findings about the database of a wallet file. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { databaseFindings } from '../../model/findings/finding.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';
import { fileKindAdvice, fileKindText } from './fileKindWords.ts';
import { askForHelp, keepFile, nodeRefuses, otherFile, unchanged } from './hints.ts';
import type { WordsByCode } from './words.ts';

export const databaseWords: WordsByCode<FactsOf<typeof databaseFindings>> = {
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
  no_main_database: () => [say('No database named main.'), otherFile()],
  no_wallet_inside: () => [say('No wallet in the file.'), otherFile()],
  berkeley_version_unknown: () => [say('Not a wallet’s version of Berkeley DB.'), otherFile()],
  berkeley_encrypted: () => [say('Encrypted by Berkeley DB itself.'), otherFile()],
  berkeley_features_unknown: () => [say('Unreadable database format.'), otherFile()],
  page_without_tree: ({ page }) => [say('Page {page} does not describe a tree.', { page }), otherFile()],
  page_size_impossible: ({ size }) => [say('Impossible page size: {size} bytes.', { size }), otherFile()],
  file_too_large: () => [say('Larger than 2 GiB.'), otherFile()],
  wallet_not_written: () => [say('The new wallet was not written.'), askForHelp()],
  record_not_written: ({ type }) => [say('A record of type {type} was not written.', { type }), askForHelp()],
  main_database_unnamed: () => [`${say('No database named main.')} ${nodeRefuses()}`],
  page_count_differs: ({ pages, claimed }) => [
    say('Pages: {pages, number}, claimed: {claimed, number}.', { pages, claimed }),
  ],
  entries_outside_tree: ({ count }) => [
    say('Entries outside the damaged tree: {count, number}.', {
      count,
    }),
  ],
  not_closed_cleanly: () => [
    say('Not closed cleanly: the last changes may be missing.'),
    unchanged(say('Load it in release 29 or earlier, then migrate.')),
  ],
  more_problems: ({ count }) => [say('And {count, number} more.', { count })],
  changes_in_wal: () => [say('The last changes may be in its -wal file.')],
  changes_read_from_wal: () => [say('Last changes read from its -wal file.')],
  change_undone_by_journal: () => [say('The journal undid an interrupted change.')],
  journal_of_other_file: () => [say('Ignored: another file’s journal.')],
  journal_damaged: () => [say('Damaged journal: changes may be missing.')],
};
