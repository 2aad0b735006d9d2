/** Names a file that is no wallet of Bitcoin Core, by its content, its name, or the tables of its database. */
import { base58 } from '@scure/base';
import type { FileKind } from '../../../shared/model/findings/fileKinds.ts';
import { once, orNull } from '../bytes/once.ts';
import { endsWithChecksum } from '../bytes/quickHash.ts';
import { BITCOIN, coins, coinsWith } from '../coin/coins.ts';
import { startsLikeSqlite } from '../database/fileStart.ts';
import { decodeText } from '../text/decodeText.ts';
import { keysInText } from '../text/keysInText.ts';
import { RECORD_DUMP } from '../text/recordDump.ts';
import type { TextKey } from '../text/scanText.ts';
import { seedIn } from '../text/seedWords.ts';

/** The facts by which a kind is recognised. */
interface FileContent {
  readonly bytes: Buffer;
  /** The bytes as text without leading white space; null if they are not text. */
  readonly text: string | null;
  /** The forms of the keys in the text, by the reader that also takes them, and whether any is damaged. */
  readonly keys: () => ReadonlySet<TextKey['form'] | 'damaged'>;
  /** Size of the whole file in bytes. */
  readonly size: number;
  /** The file's name, or empty. */
  readonly name: string;
}

interface Kind {
  /** Unique. Several kinds can share a code. */
  readonly id: string;
  readonly fileKind: FileKind;
  readonly fits: (content: FileContent) => boolean;
}

/**
 * The kind of a file that is not a Bitcoin Core wallet, since people choose a wrong file more often than a damaged one. `bytes`: the
 * first `bytesToRecognise` of the file, or all. `size`: the whole size in bytes. A file of another coin's program wins, then the
 * first kind that fits.
 */
export function recogniseOther(bytes: Uint8Array, size: number, name: string): FileKind {
  const content = contentOf(bytes, size, name);
  const kind = kinds.find(({ fits }) => fits(content));
  const seed = kind && WEAK_KINDS.has(kind.id) ? seedOf(content) : null;
  return coinFile(content) ?? seed ?? kind?.fileKind ?? { code: 'unknown' };
}

/** Kinds that say less of a text than the seed words in it. */
const WEAK_KINDS: ReadonlySet<string> = new Set(['JSON', 'HTML', 'text', 'extended key']);

/** Null for a text without seed words, or with the private key that they make. */
function seedOf({ text }: FileContent): FileKind | null {
  return text === null || /\b[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{100}/i.test(text) ? null : seedIn(text);
}

/** How many bytes to read of a file to recognise it: of a text all, as exports name their program anywhere. `header`: its start. */
export function bytesToRecognise(header: Uint8Array, size: number): number {
  return Math.min(size, decodeText(header, true) === null ? MAX_BINARY : MAX_TEXT);
}

const MAX_BINARY = 1_000_000;
const MAX_TEXT = 64_000_000;

function contentOf(start: Uint8Array, size: number, name: string): FileContent {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  const text = decodeText(bytes, true)?.trimStart() ?? null;
  const keys = once(() => {
    const found = text === null ? null : keysInText(text, { compares: false });
    return new Set([
      ...(found?.keys.map(({ form }) => form) ?? []),
      ...(found?.hexKeys.length ? (['private'] as const) : []),
      ...(found?.lines.damaged.length ? (['damaged'] as const) : []),
    ]);
  });
  return { bytes, text, keys, size, name };
}

/** Every kind of file that the app recognises, each once, without those that say nothing of their content. */
export function knownKinds(): FileKind[] {
  const ofCoins = coins.flatMap(({ name, program }): FileKind[] =>
    program === null || name === BITCOIN ? [] : [{ code: 'other_wallet', program: name, openIn: [program] }],
  );
  const ofTexts = [
    ...([{ code: 'seed_words', words: 12, checksum: 'fits' }, { code: 'seed_qr' }] as const),
    ...([{ code: 'slip39_share' }, { code: 'codex32_share' }] as const),
    { code: 'other_wallet', program: 'Monero', openIn: ['Monero GUI'] } as const,
  ];
  const all = [...kinds.map(({ fileKind }) => fileKind), ...ofTexts, ...ofCoins];
  return [...new Map(all.map((kind) => [JSON.stringify(kind), kind])).values()];
}

/** A wallet of another program. `programs`: the programs that open it, by default the same. */
function ofProgram(program: string, fits: Kind['fits'], id = program, programs = [program]): Kind {
  return { id, fileKind: { code: 'other_wallet', program, openIn: programs }, fits };
}

function ofText(id: string, fileKind: FileKind, pattern: RegExp): Kind {
  return { id, fileKind, fits: textMatches(pattern) };
}

/** The first bytes of SQLite and Berkeley DB of either byte order, in base64 or hex, perhaps behind the head of a mail. */
const ENCODED_WALLET =
  /^(?:U1FMaXRlIG|[\w+/]{16}(?:YjEFA|AAUxYg)|53514c69|[0-9a-f]{24}(?:62310500|00053162))/im;

/** `bytes`: one character for each byte. */
function ofBytes(id: string, fileKind: FileKind, bytes: string, at = 0): Kind {
  return { id, fileKind, fits: bytesStartWith(bytes, at) };
}

/**
 * In the order in which they are tried. Sources: the readers of 3rdIteration/btcrecover (`btcrpass.py`) and
 * sparrowwallet/sparrow (`io`), and the specification of each format.
 */
export const kinds: readonly Kind[] = [
  { id: 'node lock', fileKind: { code: 'node_lock' }, fits: nameMatches(/^\.(?:wallet)?lock$/) },
  {
    id: 'SQLite journal',
    fileKind: { code: 'sqlite_journal' },
    fits: ({ bytes, name }) =>
      /-(?:journal|wal)$/i.test(name) || bytes.toString('hex', 0, 8) === 'd9d505f920a163d7',
  },
  { id: 'empty', fileKind: { code: 'empty' }, fits: ({ size }) => size === 0 },
  { id: 'zeros', fileKind: { code: 'zeros' }, fits: ({ bytes }) => bytes.every((byte) => byte === 0) },

  // wallets of other programs
  ofProgram('Armory', bytesStartWith('\xba\x57\x41\x4c\x4c\x45\x54\0')),
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
  ofProgram('Bither', sqliteWithTable(/CREATE TABLE (?:hd_seeds|hdm_bid) /)),
  ofProgram(
    'BDK',
    sqliteWithTable(/CREATE TABLE ["`]?(?:bdk_(?:wallet|blocks|txs)|last_derivation_indices)\b/),
    'BDK',
    ['the program that wrote it'],
  ),
  ofProgram('Core Lightning', sqliteWithTable(/CREATE TABLE ["`]?(?:shachains|channeltxs)\b/)),
  ofProgram(
    'Core Lightning',
    ({ name, size }) => /^hsm_secret\b/i.test(name) && (size === 32 || size === 73),
    'Core Lightning, its secret',
  ),
  ofProgram('Liana', sqliteWithTable(/\bmain_descriptor\b/)),
  // bbolt databases: the wallets of Decred, and of LND, which are btcwallet's.
  ofProgram('Decred', boltWith(['wstakemgr'])),
  ofProgram('LND', boltWith(['waddrmgr', 'open-chan-bucket', 'channel-id-bucket', 'macrootkeys'])),
  ofProgram('LND', nameMatches(/^channel\.backup$/i), 'LND, its channels'),
  ofProgram(
    'Tapsigner',
    ({ name, size, text }) => text === null && size < 300 && /\.aes$/i.test(name) && !/wallet/i.test(name),
    'Tapsigner',
    ['Nunchuk'],
  ),
  ofProgram('Monero', ({ name, text }) => text === null && /\.keys$/i.test(name), 'Monero', ['Monero GUI']),
  ofProgram('JoinMarket', ({ bytes }) => /^JM(?:WALLET|ENCWLT)/.test(bytes.toString('latin1', 0, 8))),
  ofProgram('Coinomi', ({ bytes }) => bytes[0] === 8 && bytes[2] === 0x12 && bytes.includes('bitcoin.main')),
  ofProgram(
    'MetaMask',
    ({ bytes, text }) => text === null && bytes.includes('KeyringController'),
    'MetaMask, in a browser',
    ['MetaMask'],
  ),
  ofProgram('mSIGNA', sqliteWithTable(/^(?=.*CREATE TABLE "Network").*CREATE TABLE "schema_version"/s)),
  ofProgram('Sparrow', ({ bytes, name }) => {
    const start = bytes.toString('latin1', 0, 8);
    // Plain, in base64, and as H2's database without encryption.
    return /^(?:SPRW1|U1BSVzE)/.test(start) || (start.startsWith('H:2,') && name.endsWith('.mv.db'));
  }),
  ofProgram('block.io', textMatches(/^\{(?=[\s\S]*"encrypted_passphrase")[\s\S]*"user_key"/)),
  ofProgram(
    'BitGo or Copay',
    textMatches(/^\{(?=[\s\S]*"adata")(?=[\s\S]*"iv")(?=[\s\S]*"salt")[\s\S]*"ct"/),
    'BitGo or Copay',
    ['BitGo', 'BitPay'],
  ),
  ofProgram('imToken', textMatches(/^\{[\s\S]*"imTokenMeta"/)),
  ofProgram('BTC.com', textMatches(/"?passwordEncryptedSecretMnemonic"?/)),
  ofProgram('Toast', textMatches(/^(?=[\s\S]*"ppdata")[\s\S]*"rpdata"/), 'Toast Wallet', [
    'a program for XRP',
  ]),
  ofProgram('CoinVault', textMatches(/^\{(?=[\s\S]*"EncryptedKey")[\s\S]*"EncryptedWallet/i)),
  // Its site closed in 2022.
  ofProgram(
    'Dogechain.info',
    textMatches(
      /^\{(?=[\s\S]*"payload")(?:(?=[\s\S]*"salt")[\s\S]*"cipher"|(?=[\s\S]*"email")[\s\S]*"two_fa_method")/,
    ),
    'Dogechain.info',
    ['BTCRecover'],
  ),
  ofProgram('MetaMask', ({ text }) => isMetaMask(text)),
  ofProgram(
    'Electrum',
    textMatches(
      /^\{(?=[\s\S]*["'](?:accounts(?:_expanded)?|addr_history)["'])[\s\S]*["'](?:addr_history|use_encryption|master_public_keys?)["']/,
    ),
  ),
  ofProgram(
    'Electrum',
    textMatches(/^\{[\s\S]*["'](?:seed_version|wallet_type)["']\s*:/),
    'Electrum, by its type',
  ),
  // Base64 of "BIE1" and "BIE2".
  ofProgram('Electrum', textMatches(/^QklFM[Qg]/), 'Electrum, encrypted'),
  ofProgram(
    'Blockchain.com',
    textMatches(/^\{(?![\s\S]*"salt"\s*:)(?:"payload":"|"pbkdf2_iterations"\s*:|[\s\S]*"sharedKey"\s*:)/),
  ),
  ofProgram(
    'Wasabi',
    textMatches(
      /^\{(?=[\s\S]*"(?:EncryptedSecret|ExtPubKey)"\s*:)[\s\S]*"(?:ChainCode|MasterFingerprint|AccountKeyPath)"/,
    ),
  ),
  ofProgram(
    'Specter',
    textMatches(/^\{[\s\S]*"recv_descriptor"\s*:|^\{(?=[\s\S]*"blockheight"\s*:)(?=[\s\S]*"descriptor"\s*:)/),
  ),
  ofProgram(
    'Blockchain.com',
    // Early wallets are base64 alone.
    ({ name, text }) =>
      text !== null && /(?:wallet\.)?aes(?:\.json)?$|blockchain/i.test(name) && isBase64(text),
    'Blockchain.com, early',
  ),
  ofProgram(
    'Samourai',
    textMatches(/^\{(?=[\s\S]*"payload"\s*:)(?=[\s\S]*"version"\s*:)[\s\S]*"external"\s*:/),
    'Samourai',
    ['Sparrow'],
  ),
  ofProgram('Sparrow', textMatches(/^\{[\s\S]*"policyType"\s*:/), 'Sparrow, as JSON'),
  ofProgram('Ethereum', textMatches(/^\{[\s\S]*"(?:kdf|kdfparams)"\s*:/), 'Ethereum', ['MetaMask']),
  ofText('encrypted keys', { code: 'encrypted_keys' }, /^U2FsdGVkX1/),

  // keys and texts
  ofText('encoded wallet', { code: 'encoded_wallet' }, ENCODED_WALLET),
  ofText(
    'password hash',
    { code: 'password_hash' },
    /^(?:[^\s:$]*:)?\$(?:bitcoin|electrum|blockchain|multibit|metamask[\w-]*|ethereum|dogechain|exodus|stellar|monero|bitshares)\$|^EXODUS:/im,
  ),
  ofText('dumpwallet', { code: 'wallet_dump' }, /^[>| \t]*# Wallet dump created by Bitcoin/m),
  ofText('bitcoin-wallet dump', { code: 'record_dump' }, RECORD_DUMP),
  { id: 'descriptors', fileKind: { code: 'descriptors' }, fits: ({ keys }) => keys().has('descriptor') },
  { id: 'BIP38', fileKind: { code: 'bip38_key' }, fits: ({ keys }) => keys().has('sealed') },
  { id: 'WIF', fileKind: { code: 'private_keys' }, fits: ({ keys }) => keys().has('private') },
  ofText('pywallet', { code: 'private_keys' }, /"(?:hexsec|encrypted_privkey)"\s*:/),
  { id: 'extended key', fileKind: { code: 'extended_key' }, fits: ({ keys }) => keys().has('extended') },
  { id: 'damaged key', fileKind: { code: 'damaged_keys' }, fits: ({ keys }) => keys().has('damaged') },
  ofText('hex', { code: 'hex' }, /^(?:(?:0x)?[0-9a-f]{64}\s*)+$/i),
  // The root key of a paper backup, in its own sixteen letters.
  ofProgram(
    'Armory',
    textMatches(/^(?:[^:\n]{0,30}:)?\s{0,20}(?:[asdfghjkwertuion]{4}\s{1,20}){8}[asdfghjkwertuion]{4}\s*$/im),
    'Armory, on paper',
  ),
  ofBytes('PSBT', { code: 'partially_signed_transaction' }, 'psbt\xff'),
  ofText('PSBT, as text', { code: 'partially_signed_transaction' }, /^cHNidP8/),
  // a node's own files
  {
    id: 'node data',
    fileKind: { code: 'node_data' },
    fits: ({ bytes }) => coinsWith(({ magic }) => magic === bytes.toString('hex', 0, 4)).length > 0,
  },
  ofBytes('Berkeley DB log', { code: 'berkeley_log' }, '\x88\x09\x04\0', 12),
  { id: 'Berkeley DB', fileKind: { code: 'other_berkeley' }, fits: ({ bytes }) => isOtherBerkeley(bytes) },
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
  // Compressed images of disks, in which a search finds nothing.
  ofBytes('E01', { code: 'archive', format: 'E01' }, 'EVF\t\r\n\xff\0'),
  ofBytes('WIM', { code: 'archive', format: 'WIM' }, 'MSWIM\0\0\0'),
  {
    id: 'VMDK',
    fileKind: { code: 'archive', format: 'VMDK' },
    fits: ({ bytes }) => bytes.toString('latin1', 0, 4) === 'KDMV' && ((bytes[10] ?? 0) & 1) === 1,
  },
  ofBytes('tar', { code: 'archive', format: 'tar' }, 'ustar', 257),
  ofBytes('ELF', { code: 'program', system: 'Linux' }, '\x7fELF'),
  ofBytes('EXE', { code: 'program', system: 'Windows' }, 'MZ'),
  ofBytes('Mach-O', { code: 'program', system: 'macOS' }, '\xcf\xfa\xed\xfe'),
  ofBytes('OpenSSL', { code: 'encrypted_file', program: 'OpenSSL' }, 'Salted__'),
  ofBytes('AppleDouble', { code: 'macos_metadata' }, '\0\x05\x16\x07'),
  { id: 'iCloud', fileKind: { code: 'icloud_placeholder' }, fits: nameMatches(/^\..+\.icloud$/) },
  ofBytes('PGP', { code: 'encrypted_file', program: 'PGP' }, '-----BEGIN PGP MESSAGE'),

  // other texts
  ofText('JSON', { code: 'json' }, /^(?:\[|\{(?!\\rtf))/),
  { id: 'LevelDB', fileKind: { code: 'leveldb' }, fits: nameMatches(/\.ldb$/i) },
  { id: 'text', fileKind: { code: 'text' }, fits: ({ text }) => text !== null },
];

function bytesStartWith(bytes: string, at = 0): Kind['fits'] {
  const wanted = Buffer.from(bytes, 'latin1');
  return (start) => start.bytes.subarray(at, at + wanted.length).equals(wanted);
}

function textMatches(pattern: RegExp): Kind['fits'] {
  return ({ text }) => text !== null && pattern.test(text);
}

function nameMatches(pattern: RegExp): Kind['fits'] {
  return ({ name }) => pattern.test(name);
}

/** In a browser's vault, the quotes are escaped once or twice. Source: `WalletMetamask` of btcrecover. */
function isMetaMask(text: string | null): boolean {
  const plain = text?.replaceAll('\\', '') ?? '';
  if (!/^[{["]/.test(plain)) return false;
  return (
    ['"data"', '"iv"', '"salt"'].every((name) => plain.includes(name)) || plain.includes('"lib":"original"')
  );
}

function isBase64(text: string): boolean {
  return text.length > 100 && /^[A-Za-z0-9+/\\\s]+(?:={1,2}\s*)?$/.test(text);
}

/** A database of bbolt with one of these buckets. Its first page has the magic number behind a header of 16 bytes. */
function boltWith(buckets: readonly string[]): Kind['fits'] {
  return ({ bytes }) =>
    bytes.toString('hex', 16, 20) === 'edda0ced' && buckets.some((bucket) => bytes.includes(bucket));
}

/** The first page of an SQLite file holds the statements that create its tables. */
function sqliteWithTable(pattern: RegExp): Kind['fits'] {
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
  const words =
    text
      ?.slice(0, MAX_FOR_COINS)
      .split(/[\s,;"']+/)
      .filter((word) => pattern.test(word)) ?? [];
  return words.slice(0, 10).flatMap((word) => {
    const data = orNull(() => base58.decode(word));
    return data !== null && endsWithChecksum(data) ? [data] : [];
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
function coinFile({ bytes, text }: FileContent): FileKind | null {
  const names = startsLikeSqlite(bytes)
    ? coinsWith(({ magic }) => magic === bytes.toString('hex', 68, 72))
    : [...(/^# Wallet dump created by (\w+)/.exec(text ?? '')?.slice(1) ?? coinsOfKeys(text))];
  const coin = coins.find(({ name }) => names[0] === name);
  if (!coin?.program || names.includes(BITCOIN)) return null;
  return { code: 'other_wallet', program: coin.name, openIn: [coin.program] };
}

/** Characters. The first keys name the coin. */
const MAX_FOR_COINS = 1_000_000;
