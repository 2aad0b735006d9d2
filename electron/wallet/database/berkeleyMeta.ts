/** The first page of a Berkeley DB tree: byte order, page size, where its root is, and what makes it no wallet. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { berkeleyByteOrder } from './fileStart.ts';

export interface BerkeleyMeta {
  byteOrder: 'little' | 'big';
  /** Bytes. */
  pageSize: number;
  /** The number of the file's last page, as the file says. */
  lastPage: number;
  /** The page at which the tree starts. */
  root: number;
  /** Whether the tree is a list of named trees, as in every wallet, and not one of records. */
  listsDatabases: boolean;
  /** Whether each page carries a checksum (not used by Bitcoin Core; told, not verified). */
  checksums: boolean;
}

/** Bytes of a meta page that mean something, whatever the page size. */
const META_SIZE = 512;

/** The only one that wallets use. */
export const BTREE_VERSION = 9;
const META_PAGE_TYPE = 9;
const FLAG_LISTS_DATABASES = 0x20;
const META_FLAG_CHECKSUMS = 0x01;

/**
 * Reads the meta page at a byte offset. Layout: `DBMETA` and `BTMETA` of Berkeley DB 4 and 5.
 * Throws `not_a_wallet` for what is not a plain B-tree of version 9.
 */
export function readBerkeleyMeta(bytes: Uint8Array, offset: number, page: number): BerkeleyMeta {
  if (offset + META_SIZE > bytes.length) throw notWallet(say('The file is too short to be a legacy wallet.'));
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, META_SIZE);
  const byteOrder = berkeleyByteOrder(bytes, offset);
  if (byteOrder === null) {
    throw notWallet(say('The file is not a legacy wallet: it does not start like a Berkeley DB tree.'));
  }
  const little = byteOrder === 'little';
  if (view.getUint32(16, little) !== BTREE_VERSION) {
    throw notWallet(say('The file is a Berkeley DB tree of a version that no wallet uses.'));
  }
  if (view.getUint8(24) !== 0) {
    throw new AppError(
      'not_a_wallet',
      say(
        'The file is a Berkeley DB file that Berkeley DB itself encrypted. No Bitcoin Core wallet is like that.',
      ),
      say(
        'The file was not changed. An encrypted wallet of Bitcoin Core is something else and can be read here.',
      ),
    );
  }
  if (view.getUint8(25) !== META_PAGE_TYPE || view.getUint32(8, little) !== page) {
    throw notWallet(say('Page {page} of the file should describe a tree and does not.', { page }));
  }
  const pageSize = view.getUint32(20, little);
  if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0) {
    throw notWallet(say('The file names a page size that cannot be: {size} bytes.', { size: pageSize }));
  }
  const flags = view.getUint32(48, little);
  if ((flags & ~FLAG_LISTS_DATABASES) !== 0) {
    throw notWallet(
      say('The file is a Berkeley DB tree with duplicates or other features that no wallet uses.'),
    );
  }
  return {
    byteOrder,
    pageSize,
    lastPage: view.getUint32(32, little),
    root: view.getUint32(88, little),
    listsDatabases: flags === FLAG_LISTS_DATABASES,
    checksums: (view.getUint8(26) & META_FLAG_CHECKSUMS) !== 0,
  };
}

/** The error for a file that is something else than a legacy wallet. */
export function notWallet(message: string): AppError {
  return new AppError(
    'not_a_wallet',
    message,
    say('The file was not changed. Choose another file, or another copy of this backup.'),
  );
}
