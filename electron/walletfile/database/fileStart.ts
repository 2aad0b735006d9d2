/** Reads the first bytes of both kinds of wallet file: the kind of a file, and the header of SQLite. */
import { createView } from '@noble/hashes/utils.js';
import { type Network, networks } from '../../../shared/model/network.ts';
import { orNull } from '../bytes/once.ts';
import { chainParameters } from '../script/address.ts';
import { notWalletError } from './problemLog.ts';

/** Enough bytes to tell the two kinds apart. */
export const START_BYTES = 16;

/** SQLite's name at the start of its files ("The Database Header"). */
export function startsLikeSqlite(bytes: Uint8Array): boolean {
  return SQLITE.every((byte, place) => bytes[place] === byte);
}

/** The byte order of a Berkeley DB B-tree by its magic (`BTMETA`); null for other files. */
export function berkeleyByteOrder(bytes: Uint8Array, offset = 0): 'little' | 'big' | null {
  const place = offset + 12;
  if (place + 4 > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + place, 4);
  if (view.getUint32(0, true) === BERKELEY_BTREE) return 'little';
  return view.getUint32(0, false) === BERKELEY_BTREE ? 'big' : null;
}

const SQLITE = new TextEncoder().encode('SQLite format 3\0');
/** The magic of a B-tree of Berkeley DB. */
export const BERKELEY_BTREE = 0x00053162;

/** Bytes of the header. */
export const SQLITE_HEADER_SIZE = 100;

/** Layout: "The Database Header" of SQLite's file format. Throws `not_a_wallet` for other files. */
export function readSqliteHeader(bytes: Uint8Array) {
  if (!hasSqliteHeader(bytes)) throw notWalletError({ code: 'not_descriptor_wallet' });
  const view = createView(bytes);
  const applicationId = applicationIdOf(bytes);
  return {
    applicationId,
    network: networkOfApplicationId(applicationId),
    userVersion: view.getUint32(60, false),
    /** Whether changes may lie in a second file, the write-ahead log. Bitcoin Core never does that. */
    writeAhead: view.getUint8(18) === 2 || view.getUint8(19) === 2,
    /** Whether SQLite only reads such a file, as one of a later format ("File format version numbers"). */
    readOnly: view.getUint8(18) > 2,
  };
}

/** Null for the id of an unknown network, such as a custom signet's. */
export function networkOfApplicationId(applicationId: number): Network | null {
  return networks.find((network) => chainParameters[network].magic === applicationId) ?? null;
}

/**
 * Whether the first page of an SQLite file creates the table of a wallet (`SQLiteDatabase::Open` of `wallet/sqlite.cpp`), as one of a
 * custom signet does. Nodes of other coins create the same.
 */
export function hasWalletTable(page: Uint8Array): boolean {
  return Buffer.from(page.buffer, page.byteOffset, page.length).includes(WALLET_TABLE);
}

const WALLET_TABLE = 'main(key BLOB PRIMARY KEY';

/** Whether a file is long enough for SQLite's header, and starts like one. */
export function hasSqliteHeader(bytes: Uint8Array): boolean {
  return bytes.length >= SQLITE_HEADER_SIZE && startsLikeSqlite(bytes);
}

/** The application id in SQLite's header. Descriptor wallets store the magic bytes of their network there. */
export function applicationIdOf(bytes: Uint8Array): number {
  return createView(bytes).getUint32(68);
}

/** Whether a size in bytes is a power of two that both kinds of file allow for a page. */
export function isPageSize(size: number, least = 512): boolean {
  return size >= least && size <= 0x10000 && (size & (size - 1)) === 0;
}

/** Bytes of each page. */
export function sqlitePageSize(bytes: Uint8Array): number {
  const written = (bytes[16] ?? 0) * 0x100 + (bytes[17] ?? 0);
  return written === 1 ? 0x10000 : written;
}

/**
 * Undoes what turned a wallet file into text, or put a header in front of it: FTP puts a CR before each LF, other programs write each
 * byte as a character of UTF-8. Null for any other file.
 */
export function undoConversion(bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isWallet = startsLikeWallet(bytes);
  return (
    [withoutReturns(file), bytesOfUtf8(file), isWallet ? null : withoutHead(file)].find(
      (found) => found && startsLikeWallet(found),
    ) ?? null
  );
}

function startsLikeWallet(bytes: Uint8Array): boolean {
  return startsLikeSqlite(bytes) || berkeleyByteOrder(bytes) !== null;
}

function withoutReturns(file: Buffer): Buffer | null {
  const convert = (part: Buffer) =>
    Buffer.from(part.filter((byte, at) => byte !== CR || part[at + 1] !== LF));
  if (!startsLikeWallet(convert(file.subarray(0, SQLITE_HEADER_SIZE)))) return null;
  let [paired, bare] = [0, 0];
  for (let at = file.indexOf(LF); at >= 0; at = file.indexOf(LF, at + 1)) {
    if (file[at - 1] === CR) paired += 1;
    else bare += 1;
    if (bare > 1 + paired / 20) return null;
  }
  return paired < FEWEST ? null : convert(file);
}

const [LF, CR] = [0x0a, 0x0d];
/** No database has so many LF, nearly all behind a CR, by chance. A later damage may have changed a few. */
const FEWEST = 8;

function bytesOfUtf8(file: Buffer): Buffer | null {
  const text = orNull(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file));
  return text === null || text.length === file.length || /[^\0-\xff]/.test(text)
    ? null
    : Buffer.from(text, 'latin1');
}

/** Such as the head of MacBinary, or of an answer of HTTP. */
function withoutHead(file: Buffer): Buffer | null {
  const head = file.subarray(0, MAX_HEAD);
  const starts = [SQLITE_MAGIC, ...BERKELEY_MAGICS].map(
    ({ text, at }) => head.indexOf(text, at, 'latin1') - at,
  );
  const start = starts.find((found) => found > 0);
  return start === undefined ? null : file.subarray(start);
}

const MAX_HEAD = 4096;
const SQLITE_MAGIC = { text: 'SQLite format 3\0', at: 0 };
/** With the version of the tree. */
const BERKELEY_MAGICS = ['\x62\x31\x05\0\x09\0\0\0', '\0\x05\x31\x62\0\0\0\x09'].map((text) => ({
  text,
  at: 12,
}));
