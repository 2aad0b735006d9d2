/** Recognises a wallet file of Bitcoin Core by its first bytes. */
import type { FileFacts } from '../../../shared/model/files.ts';
import type { FileKind } from '../../../shared/model/findings/fileKinds.ts';
import { coinsOfApplicationId } from '../coin/coins.ts';
import { isReadableVersion, META } from '../database/berkeleyPage.ts';
import {
  berkeleyByteOrder,
  hasWalletTable,
  networkOfApplicationId,
  SQLITE_HEADER_SIZE,
  sqlitePageSize,
  startsLikeSqlite,
} from '../database/fileStart.ts';

export type HeaderFacts = Pick<FileFacts, 'kind' | 'fileKind' | 'network' | 'truncated'>;

/** How many bytes of the file `recognise` needs. */
export const HEADER_BYTES = 4096;

/**
 * Recognises a wallet of Bitcoin Core, whole or cut; null for any other file, which `recogniseOther` names. `header`: its first
 * HEADER_BYTES, or all. `size`: its whole size in bytes. Sources: SQLite's file format document, section 1.3, and Berkeley DB's
 * B-tree meta page (`dbinc/db_page.h`, DBMETA).
 */
export function recognise(header: Uint8Array, size: number): HeaderFacts | null {
  const bytes = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (startsLikeSqlite(header)) return recogniseSqlite(header, bytes, size);
  const byteOrder = berkeleyByteOrder(header);
  if (byteOrder !== null) return recogniseBerkeley(bytes, byteOrder === 'little', size);
  return null;
}

function recogniseSqlite(header: Uint8Array, bytes: DataView, size: number): HeaderFacts | null {
  if (header.length < SQLITE_HEADER_SIZE) {
    return { ...other({ code: 'sqlite_incomplete' }), truncated: true };
  }
  const pages = bytes.getUint32(28);
  // SQLite before 3.7.0 does not update the page count: it is valid only if these two agree.
  const pagesKnown = bytes.getUint32(24) === bytes.getUint32(92) && pages > 0;
  const truncated = pagesKnown && size < pages * sqlitePageSize(header);
  const network = networkOfApplicationId(bytes.getUint32(68));
  if (network === null && !isOfCustomSignet(header, bytes.getUint32(68))) return null;
  return { kind: 'descriptor-wallet', fileKind: { code: 'descriptor_wallet' }, network, truncated };
}

function isOfCustomSignet(header: Uint8Array, applicationId: number): boolean {
  return applicationId !== 0 && hasWalletTable(header) && coinsOfApplicationId(applicationId).length === 0;
}

const BERKELEY_META_BYTES = 72;

function recogniseBerkeley(bytes: DataView, littleEndian: boolean, size: number): HeaderFacts {
  if (bytes.byteLength < BERKELEY_META_BYTES) {
    return { ...other({ code: 'berkeley_incomplete' }), truncated: true };
  }
  const version = bytes.getUint32(META.version, littleEndian);
  if (!isReadableVersion(version)) {
    return other({ code: 'berkeley_version', version });
  }
  const pageSize = bytes.getUint32(META.pageSize, littleEndian);
  const lastPage = bytes.getUint32(META.lastPage, littleEndian);
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
