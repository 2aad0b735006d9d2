/** Reads the entries of a wallet file of either kind, as far as they can be read, and tells what the file is. */
import type { FileProblem, InspectedFile } from '../../../shared/inspection.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { readBerkeley } from './berkeley.ts';
import { startsLikeSqlite } from './fileStart.ts';
import { problemOf } from './problemLog.ts';
import type { RawRecord } from './rawRecord.ts';
import { readSqlite } from './readSqlite.ts';
import { sqlitePageSize } from './sqliteHeader.ts';

interface Entries {
  records: RawRecord[];
  format: InspectedFile['format'];
  /** As a descriptor wallet's head says; null where it does not, and for legacy wallets. */
  network: Network | null;
  problems: readonly FileProblem[];
}

/** Throws `not_a_wallet` for what is neither a Berkeley DB tree nor an SQLite database with a wallet's table. */
export async function readEntries(bytes: Uint8Array): Promise<Entries> {
  if (!startsLikeSqlite(bytes)) return readBerkeleyEntries(bytes);
  const { records, applicationId, network, userVersion, problems } = await readSqlite(bytes, {
    onDamage: 'salvage',
  });
  const format = { kind: 'sqlite', pageSize: sqlitePageSize(bytes), applicationId, userVersion } as const;
  return { records, format, network, problems };
}

function readBerkeleyEntries(bytes: Uint8Array): Entries {
  const file = readBerkeley(bytes, { onDamage: 'salvage' });
  const { records, pageSize, byteOrder, cleanLsns, uncleanPages, problems } = file;
  return {
    records,
    format: { kind: 'berkeley-db', pageSize, byteOrder, cleanlyClosed: cleanLsns, uncleanPages },
    network: null,
    problems: cleanLsns ? problems : [...problems, UNCLEAN],
  };
}

const UNCLEAN = problemOf(
  say(
    'The file was not closed cleanly and may lack the last changes. Releases from 30 on refuse it: load it once in an earlier one.',
  ),
  'whole',
);
