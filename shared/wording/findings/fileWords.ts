/** Words for failures of files, folders and logs, and of work on them. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { fileFindings } from '../../model/findings/finding.ts';
import { isMisread } from '../../model/names/walletName.ts';
import { formatSize } from '../format/formatNumber.ts';
import { nameProblemText } from '../format/names.ts';
import { say } from '../say.ts';
import type { WordsByCode } from './hints.ts';
import {
  connectDisk,
  keepFile,
  makeRoom,
  nothingChanged,
  nothingReadOrChanged,
  otherFile,
  otherLog,
  sharedFolderText,
} from './hints.ts';

export const fileWords: WordsByCode<FactsOf<typeof fileFindings>> = {
  log_unusable: () => [say('Unusable log.'), otherLog()],
  log_of_other_file: () => [say('Not this wallet’s log.'), otherLog()],
  log_file_missing: ({ number }) => [say('Missing log file after {number}.', { number }), otherLog()],
  log_file_damaged: ({ name }) => [say('Damaged log file {name}.', { name }), otherLog()],
  log_version_unknown: ({ version }) => [say('Unknown log version: {version}.', { version }), otherLog()],
  log_too_large: () => [say('File or log too large.'), otherLog()],
  no_log: () => [say('No log in this folder.'), otherLog()],
  nothing_at_path: ({ path }) => [
    say('Nothing is at {path}.', { path }),
    isMisread(path) ? nothingChanged(say('Its name is not UTF-8. Rename it.')) : connectDisk(),
  ],
  file_not_allowed: ({ path }) => [
    say('You are not allowed to open {path}.', { path }),
    nothingChanged(say('Allow your user to read {path}.', { path })),
  ],
  file_unreadable: ({ path }) => [
    say('{path} is unreadable.', { path }),
    nothingChanged(say('Try again, or use another disk.')),
  ],
  file_empty: () => [say('The file is empty.'), keepFile()],
  file_changed: () => [say('The file changed meanwhile.'), say('Close it in other programs.')],
  too_many_open_files: ({ path }) => [
    say('Too many open files: {path}.', { path }),
    nothingChanged(say('Close other programs and try again.')),
  ],
  disk_failed: ({ path }) => [
    say('Disk error in {path}.', { path }),
    nothingChanged(say('First copy what you can.')),
  ],
  disk_full: () => [say('The disk is full.'), makeRoom()],
  path_invalid: () => [say('Not a file’s path.'), nothingChanged()],
  path_not_absolute: () => [say('Not a full path.'), nothingChanged(say('Give the full path.'))],
  name_not_for_windows: ({ problem }) => [
    nameProblemText(problem),
    nothingChanged(say('Choose another name.')),
  ],
  folder_not_file: () => [say('A folder, not a file.'), nothingChanged(say('Choose the wallet.dat in it.'))],
  not_regular_file: () => [say('Not a regular file.'), otherFile()],
  journal_unreadable: ({ path }) => [
    say('Unreadable journal.'),
    nothingChanged(say('Allow your user to read {path}.', { path })),
  ],
  journal_too_large: ({ path, bytes }) => [
    say('Journal too large: {size}.', { size: formatSize(bytes) }),
    nothingChanged(say('Open a copy of the wallet and {path} in Bitcoin Core.', { path })),
  ],
  large_file_has_journal: ({ ending }) => [
    say('Larger than 2 GiB, with a journal.'),
    nothingChanged(
      // SQLite finds a journal only by this name.
      say(
        'Copy it to a new folder among the node’s wallets as wallet.dat, and its journal as {journal}. Load that wallet.',
        { journal: `wallet.dat${ending}` },
      ),
    ),
  ],
  reading_stopped: () => [say('Reading stopped.'), nothingChanged()],
  path_taken: ({ path }) => [
    say('{path} already exists.', { path }),
    nothingChanged(say('Choose another name.')),
  ],
  folder_missing: ({ folder }) => [say('No folder {path}.', { path: folder }), connectDisk()],
  folder_full: ({ folder }) => [say('Not enough space in {path}.', { path: folder }), makeRoom()],
  file_too_large_for_disk: ({ folder }) => [
    say('{path} cannot hold a file this large.', { path: folder }),
    nothingChanged(say('Use another disk.')),
  ],
  folder_not_writable: ({ folder }) => [
    say('You are not allowed to write to {path}.', { path: folder }),
    nothingChanged(say('Choose another folder.')),
  ],
  file_not_written: ({ path }) => [
    say('{path} was not written.', { path }),
    nothingChanged(say('Try again, or use another disk.')),
  ],
  folder_replaced: ({ path }) => [
    say('{path} was replaced.', { path }),
    say('The app stopped. Check who can write there first.'),
  ],
  folder_shared: (facts) => [
    sharedFolderText(facts),
    `${say('Nothing was written.')} ${say('Choose another folder.')}`,
  ],
  data_folder_shared: (facts) => [
    sharedFolderText(facts),
    nothingReadOrChanged(
      say('Make {folder} private (mode 700), without others’ files, or set WALLET_FERRY_DATA.', {
        folder: facts.folder,
      }),
    ),
  ],
  folder_above_data_shared: (facts) => [
    sharedFolderText(facts),
    nothingReadOrChanged(
      facts.how === 'owned-by-another'
        ? say('Set WALLET_FERRY_DATA to a folder in your home.')
        : say('Run “chmod go-w” on {folder}, or set WALLET_FERRY_DATA.', { folder: facts.folder }),
    ),
  ],
  copies_folder_shared: (facts) => [
    sharedFolderText(facts),
    say('No wallet was changed or copied. Quit, check {folder}, and make it private.', {
      folder: facts.folder,
    }),
  ],
  copy_differs: () => [
    say('The copy differs from the file.'),
    say('The app removed it. Close the file in each node, then try again.'),
  ],
  copying_stopped: () => [say('Copying stopped.'), nothingChanged()],
  image_output_too_large: ({ bytes }) => [
    say('Not written: the files would exceed {size}.', { size: formatSize(bytes) }),
    say('It may be damaged or hostile. Search a part.'),
  ],
  work_too_long: ({ seconds }) => [
    say('Stopped after {minutes, number} min.', { minutes: Math.round(seconds / 60) }),
    nothingChanged(say('Try another copy, or a faster computer.')),
  ],
  work_too_large: () => [
    say('Not enough memory for this wallet.'),
    nothingChanged(say('Close other programs and try again.')),
  ],
  work_stopped: () => [say('Reading stopped.'), nothingChanged(say('Try again.'))],
  unforeseen: () => [say('Something went wrong.'), `${say('No wallet was changed.')} ${say('Try again.')}`],
};
