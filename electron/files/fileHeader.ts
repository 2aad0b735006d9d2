/** What the first bytes of a file tell: a wallet of either kind, or which other thing it is. */
import type { FileFacts, Network } from '../../shared/model.ts';
import { otherKindOf } from './otherKinds.ts';

export type HeaderFacts = Pick<FileFacts, 'kind' | 'description' | 'network' | 'truncated'>;

/** How many bytes of the file `readHeader` wants. */
export const HEADER_BYTES = 4096;

/**
 * Reads a file's header. `header` are its first bytes (all of them when it is shorter than HEADER_BYTES), `size`
 * is its whole size in bytes. Facts of the formats: SQLite's file format document, section 1.3, and Berkeley
 * DB's B-tree meta page (`dbinc/db_page.h`, DBMETA).
 */
export function readHeader(header: Uint8Array, size: number): HeaderFacts {
  const bytes = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (startsWith(header, SQLITE_MAGIC)) return readSqlite(bytes, size);
  return readBerkeley(bytes, size) ?? other(otherKindOf(header, size));
}

const SQLITE_MAGIC = 'SQLite format 3\0';
const SQLITE_HEADER_BYTES = 100;

/** Network magics as `application_id` holds them, big endian. */
const NETWORK_OF_MAGIC: ReadonlyMap<number, Network> = new Map([
  [0xf9beb4d9, 'main'],
  [0x0b110907, 'testnet3'],
  [0x1c163f28, 'testnet4'],
  [0x0a03cf40, 'signet'],
  [0xfabfb5da, 'regtest'],
]);

function readSqlite(bytes: DataView, size: number): HeaderFacts {
  if (bytes.byteLength < SQLITE_HEADER_BYTES) {
    return { ...other('SQLite database, cut off within its header'), truncated: true };
  }
  const pageField = bytes.getUint16(16);
  const pageSize = pageField === 1 ? 65_536 : pageField;
  const pages = bytes.getUint32(28);
  // Versions before 3.7.0 leave the page count alone: it only counts when these two agree.
  const pagesKnown = bytes.getUint32(24) === bytes.getUint32(92) && pages > 0;
  const truncated = pagesKnown && size < pages * pageSize;
  const network = NETWORK_OF_MAGIC.get(bytes.getUint32(68));
  return network === undefined
    ? { ...other('SQLite database that is not a wallet'), truncated }
    : { kind: 'descriptor-wallet', description: 'descriptor wallet (SQLite)', network, truncated };
}

const BERKELEY_META_BYTES = 72;
const BTREE_MAGIC = 0x00053162;
/** Tables of other kinds that Berkeley DB makes: hash, queue, heap. */
const OTHER_BERKELEY_MAGICS: readonly number[] = [0x00061561, 0x00042253, 0x00074582];
const BTREE_VERSION = 9;

function readBerkeley(bytes: DataView, size: number): HeaderFacts | null {
  if (bytes.byteLength < 16) return null;
  for (const littleEndian of [true, false]) {
    const magic = bytes.getUint32(12, littleEndian);
    if (OTHER_BERKELEY_MAGICS.includes(magic)) return other('Berkeley DB database that is not a wallet');
    if (magic !== BTREE_MAGIC) continue;
    if (bytes.byteLength < BERKELEY_META_BYTES) {
      return { ...other('Berkeley DB database, cut off within its header'), truncated: true };
    }
    const version = bytes.getUint32(16, littleEndian);
    if (version !== BTREE_VERSION) {
      return other(`Berkeley DB database of version ${version}, which wallets do not use`);
    }
    const pageSize = bytes.getUint32(20, littleEndian);
    const lastPage = bytes.getUint32(32, littleEndian);
    return {
      kind: 'legacy-wallet',
      description: 'legacy wallet (Berkeley DB)',
      network: null,
      truncated: size < (lastPage + 1) * pageSize,
    };
  }
  return null;
}

function other(description: string): HeaderFacts {
  return { kind: 'other', description, network: null, truncated: false };
}

function startsWith(header: Uint8Array, text: string): boolean {
  return Buffer.from(header.buffer, header.byteOffset, Math.min(header.length, text.length)).equals(
    Buffer.from(text, 'latin1'),
  );
}
