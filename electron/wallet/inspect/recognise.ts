/** What the first bytes of a file tell: a wallet of either kind, or which other thing it is. */
import type { FileFacts } from '../../../shared/files.ts';
import { say } from '../../../shared/text/say.ts';
import { orNull } from '../bytes/once.ts';
import { isReadableVersion } from '../database/berkeleyPage.ts';
import { berkeleyByteOrder, startsLikeSqlite } from '../database/fileStart.ts';
import { networkOfApplicationId, SQLITE_HEADER_SIZE, sqlitePageSize } from '../database/sqliteHeader.ts';

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
    isOtherBerkeley(bytes) ? say('Berkeley DB database, not a wallet') : otherKindOf(header, size),
  );
}

function readSqlite(header: Uint8Array, bytes: DataView, size: number): HeaderFacts {
  if (header.length < SQLITE_HEADER_SIZE) {
    return { ...other(say('incomplete SQLite database')), truncated: true };
  }
  const pages = bytes.getUint32(28);
  // Versions before 3.7.0 leave the page count alone: it only counts when these two agree.
  const pagesKnown = bytes.getUint32(24) === bytes.getUint32(92) && pages > 0;
  const truncated = pagesKnown && size < pages * sqlitePageSize(header);
  const network = networkOfApplicationId(bytes.getUint32(68));
  return network === null
    ? { ...other(say('SQLite database, not a wallet')), truncated }
    : { kind: 'descriptor-wallet', description: say('descriptor wallet (SQLite)'), network, truncated };
}

const BERKELEY_META_BYTES = 72;

function readBerkeley(bytes: DataView, littleEndian: boolean, size: number): HeaderFacts {
  if (bytes.byteLength < BERKELEY_META_BYTES) {
    return { ...other(say('incomplete Berkeley DB database')), truncated: true };
  }
  const version = bytes.getUint32(16, littleEndian);
  if (!isReadableVersion(version)) {
    return other(say('Berkeley DB database of version {version}', { version }));
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

/**
 * What a file is that is no wallet: people take the wrong file more often than a bad one. `header` are the first bytes
 * of the file, `size` is its whole size in bytes.
 */
export function otherKindOf(header: Uint8Array, size: number): string {
  if (size === 0) return say('empty file');
  const start = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  if (start.every((byte) => byte === 0)) return say('file of zeros');
  for (const { at = 0, bytes, is } of magics) {
    const wanted = Buffer.from(bytes, 'latin1');
    if (start.subarray(at, at + wanted.length).equals(wanted)) return is;
  }
  const text = textOf(start);
  return text === null ? say('unknown file') : textKindOf(text);
}

interface Magic {
  at?: number;
  /** One character for each byte. */
  bytes: string;
  is: string;
}

const magics: readonly Magic[] = [
  { bytes: '\x89PNG\r\n\x1a\n', is: say('PNG image') },
  { bytes: '\xff\xd8\xff', is: say('JPEG image') },
  { bytes: 'GIF87a', is: say('GIF image') },
  { bytes: 'GIF89a', is: say('GIF image') },
  { at: 8, bytes: 'WEBP', is: say('WebP image') },
  { at: 4, bytes: 'ftyp', is: say('video or photo') },
  { bytes: '%PDF-', is: say('PDF document') },
  { bytes: 'PK\x03\x04', is: say('ZIP archive or document') },
  { bytes: 'PK\x05\x06', is: say('empty ZIP archive') },
  { bytes: '\x1f\x8b', is: say('gzip archive') },
  { bytes: 'BZh', is: say('bzip2 archive') },
  { bytes: '\xfd7zXZ\0', is: say('xz archive') },
  { bytes: '\x28\xb5\x2f\xfd', is: say('zstd archive') },
  { bytes: '7z\xbc\xaf\x27\x1c', is: say('7-Zip archive') },
  { bytes: 'Rar!\x1a\x07', is: say('RAR archive') },
  { at: 257, bytes: 'ustar', is: say('tar archive') },
  { bytes: '\x7fELF', is: say('Linux program') },
  { bytes: 'MZ', is: say('Windows program') },
  { bytes: '\xcf\xfa\xed\xfe', is: say('macOS program') },
  { bytes: '\xba\x57\x41\x4c\x4c\x45\x54\0', is: say('Armory wallet') },
  { bytes: '\x0a\x16org.bitcoin.production', is: say('MultiBit or bitcoinj wallet') },
  { bytes: 'psbt\xff', is: say('partially signed transaction') },
  { at: 12, bytes: '\x88\x09\x04\0', is: say('Berkeley DB log') },
  { bytes: 'Salted__', is: say('OpenSSL-encrypted file') },
  { bytes: '-----BEGIN PGP MESSAGE', is: say('PGP-encrypted file') },
];

/** The text, when the bytes are one: UTF-8 without control characters, or UTF-16 with its mark. */
function textOf(start: Buffer): string | null {
  const utf16 = start[0] === 0xff && start[1] === 0xfe;
  return orNull(() => {
    const decoder = new TextDecoder(utf16 ? 'utf-16le' : 'utf-8', { fatal: true });
    // `stream`: the header may end in the middle of a character.
    const text = decoder.decode(start, { stream: true });
    return /[^\P{Cc}\t\n\r\f]/u.test(text) ? null : text;
  });
}

function textKindOf(text: string): string {
  const start = text.trimStart();
  if (start.startsWith('# Wallet dump created by')) return say('dump of a wallet’s keys');
  if (start.startsWith('BITCOIN_CORE_WALLET_DUMP,')) return say('dump of a wallet’s records');
  // Base64 of "BIE1" and "BIE2", how Electrum marks an encrypted file.
  if (/^QklFM[Qg]/.test(start)) return say('encrypted Electrum wallet');
  if (/^(?:<!doctype html|<html)/i.test(start)) return say('HTML page');
  if (/^[{[]/.test(start)) {
    const electrum = /"(?:seed_version|wallet_type)"\s*:/.test(start);
    return electrum ? say('Electrum wallet') : say('JSON file');
  }
  return say('text file');
}
