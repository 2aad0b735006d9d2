/** Words for what is found about the database of a wallet file. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { databaseFindings } from '../../model/findings/finding.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';
import { fileKindAdvice, fileKindText } from './fileKindWords.ts';
import { askForHelp, keepFile, otherFile, unchanged } from './hints.ts';
import type { WordsByCode } from './words.ts';

export const databaseWords: WordsByCode<FactsOf<typeof databaseFindings>> = {
  wallet_damaged: ({ fault }) => [
    say('The wallet file is damaged: {fault}.', { fault: faultText(fault) }),
    keepFile(),
  ],
  not_core_wallet: ({ kind }) => [
    say('Not a Bitcoin Core wallet: {kind}.', { kind: fileKindText(kind) }),
    fileKindAdvice(kind) ?? '',
  ],
  not_descriptor_wallet: () => [say('The file is not a descriptor wallet.'), otherFile()],
  not_legacy_wallet: () => [say('The file is not a legacy wallet.'), otherFile()],
  no_wallet_table: () => [say('The SQLite database has no wallet’s table.'), otherFile()],
  no_main_database: () => [say('The file has no database named main.'), otherFile()],
  no_wallet_inside: () => [say('The file holds no wallet.'), otherFile()],
  berkeley_version_unknown: () => [say('No wallet uses this version of Berkeley DB.'), otherFile()],
  berkeley_encrypted: () => [
    say('Berkeley DB encrypted this file: it is no Bitcoin Core wallet.'),
    otherFile(),
  ],
  berkeley_features_unknown: () => [
    say('The file has Berkeley DB features that no wallet uses.'),
    otherFile(),
  ],
  page_without_tree: ({ page }) => [say('Page {page} should describe a tree.', { page }), otherFile()],
  page_size_impossible: ({ size }) => [
    say('The page size is impossible: {size} bytes.', { size }),
    otherFile(),
  ],
  file_too_large: () => [say('Files larger than 2 GiB are not read.'), otherFile()],
  wallet_not_written: () => [say('The new wallet could not be written.'), askForHelp()],
  record_not_written: ({ type }) => [
    say('A record of type {type} could not be written.', { type }),
    askForHelp(),
  ],
  main_database_unnamed: () => [say('The file has no database named main: a node refuses it.')],
  page_count_differs: ({ pages, claimed }) => [
    say('The file has {pages, plural, one {# page} other {# pages}} and claims {named, number}.', {
      pages,
      named: claimed,
    }),
  ],
  entries_outside_tree: ({ count }) => [
    say('Entries found outside the damaged tree: {count, number}.', {
      count,
    }),
  ],
  not_closed_cleanly: () => [
    say('The file was not closed cleanly and may lack the last changes.'),
    unchanged(say('Load it once in release 29 or earlier; then migrate.')),
  ],
  more_problems: ({ count }) => [say('And {count, number} more.', { count })],
  changes_in_wal: () => [say('The last changes may be in its -wal file.')],
  changes_read_from_wal: () => [say('The last changes are in its -wal file, so the app reads both.')],
  change_undone_by_journal: () => [
    say('A change was interrupted. The journal undoes it, so the app reads both.'),
  ],
  journal_of_other_file: () => [say('The journal belongs to another file. The app ignores it.')],
  journal_damaged: () => [say('The journal is damaged. The file may lack changes.')],
};
