/** What the first bytes of a file tell: a wallet of either kind, or which other thing it is. */
import type { FileFacts } from '../../../shared/model/files.ts';
import type { FileKind } from '../../../shared/model/findings/fileKinds.ts';
import { isReadableVersion } from '../database/berkeleyPage.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../database/fileStart.ts';
import { networkOfApplicationId, SQLITE_HEADER_SIZE, sqlitePageSize } from '../database/sqliteHeader.ts';
import { otherFileOf } from './otherFiles.ts';

type HeaderFacts = Pick<FileFacts, 'kind' | 'fileKind' | 'network' | 'truncated'>;

/** How many bytes of the file `recognise` wants. */
export const HEADER_BYTES = 4096;

/**
 * Recognises a file. `header` are its first bytes (all of them when it is shorter than HEADER_BYTES), `size`
 * is its whole size in bytes, `name` the file's. Facts of the formats: SQLite's file format document, section 1.3, and Berkeley
 * DB's B-tree meta page (`dbinc/db_page.h`, DBMETA).
 */
export function recognise(header: Uint8Array, size: number, name = ''): HeaderFacts {
  const bytes = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (startsLikeSqlite(header)) return readSqlite(header, bytes, size);
  const byteOrder = berkeleyByteOrder(header);
  if (byteOrder !== null) return readBerkeley(bytes, byteOrder === 'little', size);
  return other(otherFileOf(header, size, name));
}

function readSqlite(header: Uint8Array, bytes: DataView, size: number): HeaderFacts {
  if (header.length < SQLITE_HEADER_SIZE) {
    return { ...other({ code: 'sqlite_incomplete' }), truncated: true };
  }
  const pages = bytes.getUint32(28);
  // Versions before 3.7.0 leave the page count alone: it only counts when these two agree.
  const pagesKnown = bytes.getUint32(24) === bytes.getUint32(92) && pages > 0;
  const truncated = pagesKnown && size < pages * sqlitePageSize(header);
  const network = networkOfApplicationId(bytes.getUint32(68));
  return network === null
    ? { ...other(otherFileOf(header, size)), truncated }
    : { kind: 'descriptor-wallet', fileKind: { code: 'descriptor_wallet' }, network, truncated };
}

const BERKELEY_META_BYTES = 72;

function readBerkeley(bytes: DataView, littleEndian: boolean, size: number): HeaderFacts {
  if (bytes.byteLength < BERKELEY_META_BYTES) {
    return { ...other({ code: 'berkeley_incomplete' }), truncated: true };
  }
  const version = bytes.getUint32(16, littleEndian);
  if (!isReadableVersion(version)) {
    return other({ code: 'berkeley_version', version });
  }
  const pageSize = bytes.getUint32(20, littleEndian);
  const lastPage = bytes.getUint32(32, littleEndian);
  return {
    kind: 'legacy-wallet',
    fileKind: { code: 'legacy_wallet' },
    network: null,
    truncated: size < (lastPage + 1) * pageSize,
  };
}

function other(fileKind: FileKind): HeaderFacts {
  return { kind: 'other', fileKind, network: null, truncated: false };
}
