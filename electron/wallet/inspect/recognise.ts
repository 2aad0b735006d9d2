/** What the first bytes of a file tell: a wallet of either kind, or which other thing it is. */
import type { FileFacts } from '../../../shared/files.ts';
import { say } from '../../../shared/text/say.ts';
import { BTREE_VERSION } from '../database/berkeleyMeta.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../database/fileStart.ts';
import { networkOfApplicationId, SQLITE_HEADER_SIZE, sqlitePageSize } from '../database/sqliteHeader.ts';
import { otherKindOf } from './otherKinds.ts';

type HeaderFacts = Pick<FileFacts, 'kind' | 'description' | 'network' | 'truncated'>;

/** How many bytes of the file `recognise` wants. */
export const HEADER_BYTES = 4096;

/**
 * Recognises a file. `header` are its first bytes (all of them when it is shorter than HEADER_BYTES), `size`
 * is its whole size in bytes. Facts of the formats: SQLite's file format document, section 1.3, and Berkeley
 * DB's B-tree meta page (`dbinc/db_page.h`, DBMETA).
 */
export function recognise(header: Uint8Array, size: number): HeaderFacts {
  const bytes = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (startsLikeSqlite(header)) return readSqlite(header, bytes, size);
  const byteOrder = berkeleyByteOrder(header);
  if (byteOrder !== null) return readBerkeley(bytes, byteOrder === 'little', size);
  return other(
    isOtherBerkeley(bytes) ? say('Berkeley DB database that is not a wallet') : otherKindOf(header, size),
  );
}

function readSqlite(header: Uint8Array, bytes: DataView, size: number): HeaderFacts {
  if (header.length < SQLITE_HEADER_SIZE) {
    return { ...other(say('SQLite database, cut off within its header')), truncated: true };
  }
  const pages = bytes.getUint32(28);
  // Versions before 3.7.0 leave the page count alone: it only counts when these two agree.
  const pagesKnown = bytes.getUint32(24) === bytes.getUint32(92) && pages > 0;
  const truncated = pagesKnown && size < pages * sqlitePageSize(header);
  const network = networkOfApplicationId(bytes.getUint32(68));
  return network === null
    ? { ...other(say('SQLite database that is not a wallet')), truncated }
    : { kind: 'descriptor-wallet', description: say('descriptor wallet (SQLite)'), network, truncated };
}

const BERKELEY_META_BYTES = 72;

function readBerkeley(bytes: DataView, littleEndian: boolean, size: number): HeaderFacts {
  if (bytes.byteLength < BERKELEY_META_BYTES) {
    return { ...other(say('Berkeley DB database, cut off within its header')), truncated: true };
  }
  const version = bytes.getUint32(16, littleEndian);
  if (version !== BTREE_VERSION) {
    return other(say('Berkeley DB database of version {version}, which wallets do not use', { version }));
  }
  const pageSize = bytes.getUint32(20, littleEndian);
  const lastPage = bytes.getUint32(32, littleEndian);
  return {
    kind: 'legacy-wallet',
    description: say('legacy wallet (Berkeley DB)'),
    network: null,
    truncated: size < (lastPage + 1) * pageSize,
  };
}

/** Tables of other kinds that Berkeley DB makes: hash, queue, heap. */
const OTHER_BERKELEY_MAGICS: readonly number[] = [0x00061561, 0x00042253, 0x00074582];

function isOtherBerkeley(bytes: DataView): boolean {
  if (bytes.byteLength < 16) return false;
  return [true, false].some((littleEndian) =>
    OTHER_BERKELEY_MAGICS.includes(bytes.getUint32(12, littleEndian)),
  );
}

function other(description: string): HeaderFacts {
  return { kind: 'other', description, network: null, truncated: false };
}
