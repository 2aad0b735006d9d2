/** Recognises a file by its first bytes: a wallet of either kind, or another kind of file. */

import { base58 } from '@scure/base';
import type { FileFacts } from '../../../shared/model/files.ts';
import type { FileKind } from '../../../shared/model/findings/fileKinds.ts';
import { orNull } from '../bytes/once.ts';
import { BITCOIN, coins, coinsWith, hasChecksum } from '../coin/coins.ts';
import { isReadableVersion } from '../database/berkeleyPage.ts';
import {
  berkeleyByteOrder,
  networkOfApplicationId,
  SQLITE_HEADER_SIZE,
  sqlitePageSize,
  startsLikeSqlite,
} from '../database/fileStart.ts';

/** The facts by which a kind is recognised. */
interface FileStart {
  readonly bytes: Buffer;
  /** The bytes as text without leading white space; null if they are not text. */
  readonly text: string | null;
  /** Size of the whole file in bytes. */
  readonly size: number;
  /** The file's name, or empty. */
  readonly name: string;
}

interface Kind {
  /** For tests, because several kinds can share a code. */
  readonly id: string;
  readonly is: FileKind;
  readonly fits: (start: FileStart) => boolean;
}

/**
 * The kind of a file that is not a Bitcoin Core wallet, since people choose a wrong file more often than a damaged one. `header`:
 * the first 4,096 bytes, or all. `size`: the whole size in bytes. A file of another coin's program wins, then the first kind that
 * fits.
 */
export function recogniseOther(header: Uint8Array, size: number, name = ''): FileKind {
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  const text = textOf(bytes)?.trimStart() ?? null;
  const kind = kinds.find(({ fits }) => fits({ bytes, text, size, name }));
  return coinFile(bytes, text) ?? kind?.is ?? { code: 'unknown' };
}

/** A wallet of another program. `programs`: the programs that open it, by default the same. */
function ofProgram(program: string, fits: Kind['fits'], id = program, programs = [program]): Kind {
  return { id, is: { code: 'other_wallet', program, openIn: programs }, fits };
}

function ofText(id: string, is: FileKind, pattern: RegExp): Kind {
  return { id, is, fits: matches(pattern) };
}

/** `bytes`: one character for each byte. */
function ofBytes(id: string, is: FileKind, bytes: string, at = 0): Kind {
  return { id, is, fits: starts(bytes, at) };
}

/**
 * In the order in which they are tried. Sources: the readers of 3rdIteration/btcrecover (`btcrpass.py`) and
 * sparrowwallet/sparrow (`io`), and the specification of each format.
 */
export const kinds: readonly Kind[] = [
  { id: 'empty', is: { code: 'empty' }, fits: ({ size }) => size === 0 },
  {
    ...{ id: 'zeros', is: { code: 'zeros' } },
    fits: ({ bytes }) => bytes.every((byte) => byte === 0),
  },

  // wallets of other programs
  ofProgram('Armory', starts('\xba\x57\x41\x4c\x4c\x45\x54\0')),
  ofProgram(
    'bitcoinj',
    ({ bytes }) => /^\n.org\.\w+\.\w+/s.test(bytes.toString('latin1', 0, 40)),
    'bitcoinj',
    ['MultiBit Classic', 'Bitcoin Wallet (Android)'],
  ),
  // Java's serialization, from before bitcoinj had its own format.
  ofProgram(
    'MultiBit Classic',
    ({ bytes }) => bytes.toString('hex', 0, 4) === 'aced0005' && bytes.includes('com.google.bitcoin'),
  ),
  ofProgram('MultiBit HD', ({ name, text }) => text === null && /^mbhd.*\.aes$/i.test(name)),
  ofProgram('Bither', hasTable(/CREATE TABLE (?:hd_seeds|hdm_bid) /)),
  ofProgram('mSIGNA', hasTable(/CREATE TABLE "Network".*CREATE TABLE "schema_version"/s)),
  ofProgram('Sparrow', ({ bytes, name }) => {
    const start = bytes.toString('latin1', 0, 8);
    // Plain, in base64, and as H2's database without encryption.
    return /^(?:SPRW1|U1BSVzE)/.test(start) || (start.startsWith('H:2,') && name.endsWith('.mv.db'));
  }),
  ofProgram('Electrum', matches(/^\{\s*["'](?:accounts(?:_expanded)?|addr_history)["']/)),
  ofProgram(
    'Electrum',
    matches(/^\{[\s\S]*["'](?:seed_version|wallet_type)["']\s*:/),
    'Electrum, by its type',
  ),
  // Base64 of "BIE1" and "BIE2".
  ofProgram('Electrum', matches(/^QklFM[Qg]/), 'Electrum, encrypted'),
  ofProgram(
    'Blockchain.com',
    matches(/^\{(?![\s\S]*"salt"\s*:)(?:"payload":"|"pbkdf2_iterations"\s*:|[\s\S]*"sharedKey"\s*:)/),
  ),
  ofProgram(
    'Wasabi',
    matches(
      /^\{[\s\S]*"(?:EncryptedSecret|ExtPubKey)"\s*:[\s\S]*"(?:ChainCode|MasterFingerprint|AccountKeyPath)"/,
    ),
  ),
  ofProgram(
    'Specter',
    matches(/^\{[\s\S]*"recv_descriptor"\s*:|^\{(?=[\s\S]*"blockheight"\s*:)(?=[\s\S]*"descriptor"\s*:)/),
  ),
  ofProgram('Sparrow', matches(/^\{[\s\S]*"policyType"\s*:/), 'Sparrow, as JSON'),
  ofProgram('Ethereum', matches(/^\{[\s\S]*"(?:kdf|kdfparams)"\s*:/), 'Ethereum', ['MetaMask']),
  ofText('encrypted keys', { code: 'encrypted_keys' }, /^U2FsdGVkX1/),

  // keys and texts
  ofText('dumpwallet', { code: 'wallet_dump' }, /^# Wallet dump created by Bitcoin/),
  ofText('bitcoin-wallet dump', { code: 'record_dump' }, /^BITCOIN_CORE_WALLET_DUMP,/),
  ofText(
    'descriptors',
    { code: 'descriptors' },
    /^(?:(?:pkh?|wpkh|sh|wsh|tr|rawtr|combo|(?:sorted)?multi|addr|raw)\([^\s]{20,}|[[{][\s\S]*"desc"\s*:)/,
  ),
  {
    ...{ id: 'BIP38', is: { code: 'bip38_key' } },
    fits: ({ text }) => decodedKeys(text, /^6P[1-9A-HJ-NP-Za-km-z]{56}$/).length > 0,
  },
  {
    ...{ id: 'WIF', is: { code: 'private_keys' } },
    fits: ({ text }) => coinsOfKeys(text).includes(BITCOIN),
  },
  {
    ...{ id: 'extended key', is: { code: 'extended_key' } },
    fits: ({ text }) => decodedKeys(text, /^[a-zA-Z](?:pub|prv)[1-9A-HJ-NP-Za-km-z]{100,110}$/).length > 0,
  },
  {
    ...{ id: 'seed words', is: { code: 'seed_words' } },
    fits: ({ text }) => text !== null && looksLikeSeedWords(text),
  },
  ofBytes('PSBT', { code: 'partially_signed_transaction' }, 'psbt\xff'),
  ofText('PSBT, as text', { code: 'partially_signed_transaction' }, /^cHNidP8/),

  // a node's own files
  {
    ...{ id: 'node data', is: { code: 'node_data' } },
    fits: ({ bytes }) => coinsWith(({ magic }) => magic === bytes.toString('hex', 0, 4)).length > 0,
  },
  ofBytes('Berkeley DB log', { code: 'berkeley_log' }, '\x88\x09\x04\0', 12),
  {
    ...{ id: 'Berkeley DB', is: { code: 'other_berkeley' } },
    fits: ({ bytes }) => isOtherBerkeley(bytes),
  },
  ofBytes('SQLite', { code: 'other_sqlite' }, 'SQLite format 3\0'),

  // pictures and documents
  ofBytes('PNG', { code: 'image', format: 'PNG' }, '\x89PNG\r\n\x1a\n'),
  ofBytes('JPEG', { code: 'image', format: 'JPEG' }, '\xff\xd8\xff'),
  ofBytes('GIF', { code: 'image', format: 'GIF' }, 'GIF8'),
  ofBytes('WebP', { code: 'image', format: 'WebP' }, 'WEBP', 8),
  ofBytes('video', { code: 'video' }, 'ftyp', 4),
  ofBytes('PDF', { code: 'pdf' }, '%PDF-'),
  ofText('HTML', { code: 'html' }, /^(?:<!doctype html|<html)/i),

  // archives, programs, encrypted files
  ofBytes('ZIP', { code: 'zip' }, 'PK\x03\x04'),
  ofBytes('ZIP, empty', { code: 'empty_zip' }, 'PK\x05\x06'),
  ofBytes('gzip', { code: 'archive', format: 'gzip' }, '\x1f\x8b'),
  ofBytes('bzip2', { code: 'archive', format: 'bzip2' }, 'BZh'),
  ofBytes('xz', { code: 'archive', format: 'xz' }, '\xfd7zXZ\0'),
  ofBytes('zstd', { code: 'archive', format: 'zstd' }, '\x28\xb5\x2f\xfd'),
  ofBytes('7-Zip', { code: 'archive', format: '7-Zip' }, '7z\xbc\xaf\x27\x1c'),
  ofBytes('RAR', { code: 'archive', format: 'RAR' }, 'Rar!\x1a\x07'),
  ofBytes('tar', { code: 'archive', format: 'tar' }, 'ustar', 257),
  ofBytes('ELF', { code: 'program', system: 'Linux' }, '\x7fELF'),
  ofBytes('EXE', { code: 'program', system: 'Windows' }, 'MZ'),
  ofBytes('Mach-O', { code: 'program', system: 'macOS' }, '\xcf\xfa\xed\xfe'),
  ofBytes('OpenSSL', { code: 'encrypted_file', program: 'OpenSSL' }, 'Salted__'),
  ofBytes('PGP', { code: 'encrypted_file', program: 'PGP' }, '-----BEGIN PGP MESSAGE'),

  // other texts
  ofText('JSON', { code: 'json' }, /^[{[]/),
  { id: 'text', is: { code: 'text' }, fits: ({ text }) => text !== null },
];

/** Whether a text has the number and form of seed words: 12 to 24 of BIP 39 or Electrum, numbered or not. */
export function looksLikeSeedWords(text: string): boolean {
  const words = text.split(/[\s\d.,;:)]+/).filter((word) => word !== '');
  return [12, 15, 18, 21, 24].includes(words.length) && words.every((word) => /^[a-z]{3,8}$/i.test(word));
}

function starts(bytes: string, at = 0): Kind['fits'] {
  const wanted = Buffer.from(bytes, 'latin1');
  return (start) => start.bytes.subarray(at, at + wanted.length).equals(wanted);
}

function matches(pattern: RegExp): Kind['fits'] {
  return ({ text }) => text !== null && pattern.test(text);
}

/** The first page of an SQLite file holds the statements that create its tables. */
function hasTable(pattern: RegExp): Kind['fits'] {
  return ({ bytes }) => startsLikeSqlite(bytes) && pattern.test(bytes.toString('latin1'));
}

/** Berkeley DB's other kinds of tables: hash, queue, heap. */
const OTHER_BERKELEY_MAGICS: readonly number[] = [0x00061561, 0x00042253, 0x00074582];

function isOtherBerkeley(bytes: Buffer): boolean {
  if (bytes.length < 16) return false;
  return [bytes.readUInt32LE(12), bytes.readUInt32BE(12)].some((magic) =>
    OTHER_BERKELEY_MAGICS.includes(magic),
  );
}

/** The decoded words of a text that match the pattern and have a valid checksum. */
function decodedKeys(text: string | null, pattern: RegExp): Uint8Array[] {
  const words = text?.split(/[\s,;"']+/).filter((word) => pattern.test(word)) ?? [];
  return words.slice(0, 10).flatMap((word) => {
    const data = orNull(() => base58.decode(word));
    return data !== null && hasChecksum(data) ? [data] : [];
  });
}

/** Names of the coins of private keys in a text: a version, 32 bytes, and the byte for a compressed key or none. */
function coinsOfKeys(text: string | null): string[] {
  const [key] = decodedKeys(text, /^[1-9A-HJ-NP-Za-km-z]{51,52}$/).filter((data) =>
    [37, 38].includes(data.length),
  );
  const version = key?.[0];
  return version === undefined ? [] : coinsWith(({ wif }) => wif.includes(version));
}

/** A file of another coin's program: a descriptor wallet, a dump, or keys as text; else null. */
function coinFile(bytes: Buffer, text: string | null): FileKind | null {
  const names = startsLikeSqlite(bytes)
    ? coinsWith(({ magic }) => magic === bytes.toString('hex', 68, 72))
    : [...(/^# Wallet dump created by (\w+)/.exec(text ?? '')?.slice(1) ?? coinsOfKeys(text))];
  const coin = coins.find(({ name }) => names[0] === name);
  if (!coin?.program || names.includes(BITCOIN)) return null;
  return { code: 'other_wallet', program: coin.name, openIn: [coin.program] };
}

/** The bytes as text if they are UTF-8 without control characters, or UTF-16 with a byte order mark; else null. */
function textOf(start: Buffer): string | null {
  const utf16 = start[0] === 0xff && start[1] === 0xfe;
  return orNull(() => {
    const decoder = new TextDecoder(utf16 ? 'utf-16le' : 'utf-8', { fatal: true });
    // `stream`: the header may end in the middle of a character.
    const text = decoder.decode(start, { stream: true });
    return /[^\P{Cc}\t\n\r\f]/u.test(text) ? null : text;
  });
}

type HeaderFacts = Pick<FileFacts, 'kind' | 'fileKind' | 'network' | 'truncated'>;

/** How many bytes of the file `recognise` needs. */
export const HEADER_BYTES = 4096;

/**
 * Recognises a file. `header`: its first HEADER_BYTES, or all. `size`: its whole size in bytes. Sources: SQLite's file format
 * document, section 1.3, and Berkeley DB's B-tree meta page (`dbinc/db_page.h`, DBMETA).
 */
export function recognise(header: Uint8Array, size: number, name = ''): HeaderFacts {
  const bytes = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (startsLikeSqlite(header)) return readSqlite(header, bytes, size);
  const byteOrder = berkeleyByteOrder(header);
  if (byteOrder !== null) return readBerkeley(bytes, byteOrder === 'little', size);
  return other(recogniseOther(header, size, name));
}

function readSqlite(header: Uint8Array, bytes: DataView, size: number): HeaderFacts {
  if (header.length < SQLITE_HEADER_SIZE) {
    return { ...other({ code: 'sqlite_incomplete' }), truncated: true };
  }
  const pages = bytes.getUint32(28);
  // SQLite before 3.7.0 does not update the page count: it is valid only if these two agree.
  const pagesKnown = bytes.getUint32(24) === bytes.getUint32(92) && pages > 0;
  const truncated = pagesKnown && size < pages * sqlitePageSize(header);
  const network = networkOfApplicationId(bytes.getUint32(68));
  return network === null
    ? { ...other(recogniseOther(header, size)), truncated }
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
