/** Files that are no wallet of Bitcoin Core: what each is, and in one line what to do with it. */
import { base58 } from '@scure/base';
import { openIn } from '../../../shared/wording/coinWords.ts';
import { oneOf } from '../../../shared/wording/format/perRegion.ts';
import { say } from '../../../shared/wording/say.ts';
import { once, orNull } from '../bytes/once.ts';
import { BITCOIN, coins, coinsWith, isChecked } from '../coin/coins.ts';
import { startsLikeSqlite } from '../database/fileStart.ts';

/** What a file is, in words, and what to do. */
export interface OtherFile {
  readonly is: string;
  readonly advice: string;
}

/** What kinds are told by. */
interface Start {
  readonly bytes: Buffer;
  /** The same as text without the white space before it, where it is one; else null. */
  readonly text: string | null;
  /** Of the whole file, in bytes. */
  readonly size: number;
  /** The file's, or empty. */
  readonly name: string;
}

interface Kind extends OtherFile {
  /** For tests and documents. */
  readonly id: string;
  readonly fits: (start: Start) => boolean;
}

/**
 * People take the wrong file more often than a bad one. `header` are the first bytes of the file (4,096, or all), `size`
 * is its whole size in bytes. The first kind that fits is told.
 */
export function otherFileOf(header: Uint8Array, size: number, name = ''): OtherFile {
  const bytes = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  const text = textOf(bytes)?.trimStart() ?? null;
  return coinFile(bytes, text) ?? kinds().find(({ fits }) => fits({ bytes, text, size, name })) ?? UNKNOWN;
}

const CHOOSE = say('Choose another file, mostly wallet.dat, *.bak or *.dat.');
const LOST = say('Look for another copy.');
const UNPACK = say('Unpack it, then choose the wallet file in it.');
const DECRYPT = say('Decrypt it first.');
const UNKNOWN: OtherFile = {
  is: say('nothing the app knows'),
  advice: say('Damaged wallets look like this, too: search it for keys, or choose another file.'),
};

/** A wallet of another program. */
function ofProgram(program: string, fits: Kind['fits'], id = program): Kind {
  return { id, is: say('{program} wallet', { program }), advice: openIn(program), fits };
}

const importIn = (...programs: string[]) => say('Import it in {program}.', { program: oneOf(programs) });
const openInOne = (...programs: string[]) => openIn(oneOf(programs));
const callIn = (call: string, program: string) => say('Use {call} of {program}.', { call, program });

function ofText(id: string, is: string, advice: string, pattern: RegExp): Kind {
  return { id, is, advice, fits: ({ text }) => text !== null && pattern.test(text) };
}

/** One character of `bytes` for each byte. */
function ofBytes(id: string, is: string, advice: string, bytes: string, at = 0): Kind {
  const wanted = Buffer.from(bytes, 'latin1');
  return { id, is, advice, fits: (start) => start.bytes.subarray(at, at + wanted.length).equals(wanted) };
}

/**
 * Their texts take a while to make, and a wallet's file needs none of them. Sources: the readers of
 * 3rdIteration/btcrecover (`btcrpass.py`), sparrowwallet/sparrow (`io`), and each format's own.
 */
export const kinds = once((): readonly Kind[] => [
  { id: 'empty', is: say('empty file'), advice: LOST, fits: ({ size }) => size === 0 },
  {
    ...{ id: 'zeros', is: say('file of zeros'), advice: LOST },
    fits: ({ bytes }) => bytes.every((byte) => byte === 0),
  },

  // wallets of other programs
  ofProgram('Armory', starts('\xba\x57\x41\x4c\x4c\x45\x54\0')),
  {
    ...ofProgram('bitcoinj', ({ bytes }) => /^\n.org\.\w+\.\w+/s.test(bytes.toString('latin1', 0, 40))),
    advice: openInOne('MultiBit Classic', 'Bitcoin Wallet (Android)'),
  },
  // Java's serialization, before bitcoinj had a format of its own.
  ofProgram(
    'MultiBit Classic',
    ({ bytes }) => bytes.toString('hex', 0, 4) === 'aced0005' && bytes.includes('com.google.bitcoin'),
  ),
  ofProgram('MultiBit HD', ({ name, text }) => text === null && /^mbhd.*\.aes$/i.test(name)),
  ofProgram('Bither', hasTable(/CREATE TABLE (?:hd_seeds|hdm_bid) /)),
  ofProgram('mSIGNA', hasTable(/CREATE TABLE "Network".*CREATE TABLE "schema_version"/s)),
  ofProgram('Sparrow', ({ bytes, name }) => {
    const start = bytes.toString('latin1', 0, 8);
    // As it is, in base64, and H2's database without encryption.
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
  { ...ofProgram('Ethereum', matches(/^\{[\s\S]*"(?:kdf|kdfparams)"\s*:/)), advice: openIn('MetaMask') },
  ofText(
    'encrypted keys',
    say('encrypted backup of keys'),
    openInOne('MultiBit Classic', 'Bitcoin Wallet (Android)'),
    /^U2FsdGVkX1/,
  ),

  // keys and texts
  ofText(
    'dumpwallet',
    say('dump of a wallet’s keys'),
    callIn('importwallet', 'Bitcoin Core 29'),
    /^# Wallet dump created by Bitcoin/,
  ),
  ofText(
    'bitcoin-wallet dump',
    say('dump of a wallet’s records'),
    callIn('createfromdump', 'bitcoin-wallet'),
    /^BITCOIN_CORE_WALLET_DUMP,/,
  ),
  ofText(
    'descriptors',
    say('descriptors'),
    callIn('importdescriptors', 'Bitcoin Core'),
    /^(?:(?:pkh?|wpkh|sh|wsh|tr|rawtr|combo|(?:sorted)?multi|addr|raw)\([^\s]{20,}|[[{][\s\S]*"desc"\s*:)/,
  ),
  {
    ...{ id: 'BIP38', is: say('encrypted private key (BIP38)'), advice: importIn('Sparrow') },
    fits: ({ text }) => keysIn(text, /^6P[1-9A-HJ-NP-Za-km-z]{56}$/).length > 0,
  },
  {
    ...{ id: 'WIF', is: say('private keys'), advice: importIn('Electrum', 'Sparrow') },
    fits: ({ text }) => coinsOfKeys(text).includes(BITCOIN),
  },
  {
    ...{ id: 'extended key', is: say('extended key'), advice: importIn('Sparrow') },
    fits: ({ text }) => keysIn(text, /^[a-zA-Z](?:pub|prv)[1-9A-HJ-NP-Za-km-z]{100,110}$/).length > 0,
  },
  {
    ...{ id: 'seed words', is: say('seed words'), advice: importIn('Electrum', 'Sparrow') },
    fits: ({ text }) => text !== null && looksLikeSeedWords(text),
  },
  ofBytes('PSBT', say('partially signed transaction'), openInOne('Bitcoin Core', 'Sparrow'), 'psbt\xff'),
  ofText(
    'PSBT, as text',
    say('partially signed transaction'),
    openInOne('Bitcoin Core', 'Sparrow'),
    /^cHNidP8/,
  ),

  // a node's own files
  {
    ...{ id: 'node data', is: say('a node’s blocks or peers'), advice: CHOOSE },
    fits: ({ bytes }) => coinsWith(({ magic }) => magic === bytes.toString('hex', 0, 4)).length > 0,
  },
  ofBytes(
    'Berkeley DB log',
    say('Berkeley DB log'),
    say('Choose the wallet.dat it belongs to.'),
    '\x88\x09\x04\0',
    12,
  ),
  {
    ...{ id: 'Berkeley DB', is: say('Berkeley DB database, not a wallet'), advice: CHOOSE },
    fits: ({ bytes }) => isOtherBerkeley(bytes),
  },
  ofBytes('SQLite', say('SQLite database, not a wallet'), CHOOSE, 'SQLite format 3\0'),

  // pictures and documents
  ofBytes('PNG', say('{format} image', { format: 'PNG' }), CHOOSE, '\x89PNG\r\n\x1a\n'),
  ofBytes('JPEG', say('{format} image', { format: 'JPEG' }), CHOOSE, '\xff\xd8\xff'),
  ofBytes('GIF', say('{format} image', { format: 'GIF' }), CHOOSE, 'GIF8'),
  ofBytes('WebP', say('{format} image', { format: 'WebP' }), CHOOSE, 'WEBP', 8),
  ofBytes('video', say('video or photo'), CHOOSE, 'ftyp', 4),
  ofBytes('PDF', say('PDF document'), CHOOSE, '%PDF-'),
  ofText('HTML', say('HTML page'), CHOOSE, /^(?:<!doctype html|<html)/i),

  // archives, programs, encrypted files
  ofBytes('ZIP', say('ZIP archive or document'), UNPACK, 'PK\x03\x04'),
  ofBytes('ZIP, empty', say('empty ZIP archive'), LOST, 'PK\x05\x06'),
  ofBytes('gzip', say('{format} archive', { format: 'gzip' }), UNPACK, '\x1f\x8b'),
  ofBytes('bzip2', say('{format} archive', { format: 'bzip2' }), UNPACK, 'BZh'),
  ofBytes('xz', say('{format} archive', { format: 'xz' }), UNPACK, '\xfd7zXZ\0'),
  ofBytes('zstd', say('{format} archive', { format: 'zstd' }), UNPACK, '\x28\xb5\x2f\xfd'),
  ofBytes('7-Zip', say('{format} archive', { format: '7-Zip' }), UNPACK, '7z\xbc\xaf\x27\x1c'),
  ofBytes('RAR', say('{format} archive', { format: 'RAR' }), UNPACK, 'Rar!\x1a\x07'),
  ofBytes('tar', say('{format} archive', { format: 'tar' }), UNPACK, 'ustar', 257),
  ofBytes('ELF', say('{system} program', { system: 'Linux' }), CHOOSE, '\x7fELF'),
  ofBytes('EXE', say('{system} program', { system: 'Windows' }), CHOOSE, 'MZ'),
  ofBytes('Mach-O', say('{system} program', { system: 'macOS' }), CHOOSE, '\xcf\xfa\xed\xfe'),
  ofBytes('OpenSSL', say('{program}-encrypted file', { program: 'OpenSSL' }), DECRYPT, 'Salted__'),
  ofBytes('PGP', say('{program}-encrypted file', { program: 'PGP' }), DECRYPT, '-----BEGIN PGP MESSAGE'),

  // texts that are nothing of these
  ofText('JSON', say('JSON file'), CHOOSE, /^[{[]/),
  { id: 'text', is: say('text file'), advice: CHOOSE, fits: ({ text }) => text !== null },
]);

/** By number and form: 12 to 24 words of BIP 39 or Electrum, with numbers between them if you like. */
export function looksLikeSeedWords(text: string): boolean {
  const words = text.split(/[\s\d.,;:)]+/).filter((word) => word !== '');
  return [12, 15, 18, 21, 24].includes(words.length) && words.every((word) => /^[a-z]{3,8}$/i.test(word));
}

function starts(bytes: string): Kind['fits'] {
  return ofBytes('', '', '', bytes).fits;
}

function matches(pattern: RegExp): Kind['fits'] {
  return ({ text }) => text !== null && pattern.test(text);
}

/** The first page of an SQLite file tells what its tables are made of. */
function hasTable(pattern: RegExp): Kind['fits'] {
  return ({ bytes }) => startsLikeSqlite(bytes) && pattern.test(bytes.toString('latin1'));
}

/** Tables of other kinds that Berkeley DB makes: hash, queue, heap. */
const OTHER_BERKELEY_MAGICS: readonly number[] = [0x00061561, 0x00042253, 0x00074582];

function isOtherBerkeley(bytes: Buffer): boolean {
  if (bytes.length < 16) return false;
  return [bytes.readUInt32LE(12), bytes.readUInt32BE(12)].some((magic) =>
    OTHER_BERKELEY_MAGICS.includes(magic),
  );
}

/** The words of a text that look like this, and whose checksum is right. */
function keysIn(text: string | null, pattern: RegExp): Uint8Array[] {
  const words = text?.split(/[\s,;"']+/).filter((word) => pattern.test(word)) ?? [];
  return words.slice(0, 10).flatMap((word) => {
    const data = orNull(() => base58.decode(word));
    return data !== null && isChecked(data) ? [data] : [];
  });
}

/** Names of the coins that private keys in a text are written for: 32 bytes after a version, and a mark or none. */
function coinsOfKeys(text: string | null): string[] {
  const [key] = keysIn(text, /^[1-9A-HJ-NP-Za-km-z]{51,52}$/).filter((data) =>
    [37, 38].includes(data.length),
  );
  const version = key?.[0];
  return version === undefined ? [] : coinsWith(({ wif }) => wif.includes(version));
}

/** What another coin's program wrote: a descriptor wallet, a dump, or keys as a text. */
function coinFile(bytes: Buffer, text: string | null): OtherFile | null {
  const names = startsLikeSqlite(bytes)
    ? coinsWith(({ magic }) => magic === bytes.toString('hex', 68, 72))
    : [...(/^# Wallet dump created by (\w+)/.exec(text ?? '')?.slice(1) ?? coinsOfKeys(text))];
  const coin = coins.find(({ name }) => names[0] === name);
  if (!coin?.program || names.includes(BITCOIN)) return null;
  return { is: say('{program} wallet', { program: coin.name }), advice: openIn(coin.program) };
}

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
