/**
 * Words for kinds of files, with advice for those that are no Bitcoin Core wallet, the list of all kinds for Help and the terminal, and
 * the coin of a wallet that is not certainly Bitcoin.
 */
import type { FileKind, FileKindFacts } from '../../model/findings/fileKinds.ts';
import type { InspectedCoin } from '../../model/network.ts';
import { joinList, oneOf } from '../format/perRegion.ts';
import { say } from '../say.ts';
import { asSentence, type WordsByCode } from './hints.ts';

/** `PNG image`, `descriptor wallet (SQLite)`. */
export function fileKindText<C extends keyof FileKindFacts>(kind: FileKind<C>): string {
  return WORDS[kind.code](kind)[0];
}

/** What to do with it, in a sentence; null for a wallet of Bitcoin Core. */
export function fileKindAdvice<C extends keyof FileKindFacts>(kind: FileKind<C>): string | null {
  return WORDS[kind.code](kind)[1];
}

const choose = () => say('Choose a *.dat or *.bak file.');
const lookElsewhere = () => say('Look for another copy.');
const unpack = () => say('Unpack it first.');
const decrypt = () => say('Decrypt it first.');
/** What “Search it for keys” and the terminal’s rescue take. */
const searchIt = () => asSentence(say('Search it for keys'));
const importIn = (...programs: string[]) => say('Import it in {program}.', { program: oneOf(programs) });

const WORDS: WordsByCode<FileKindFacts, readonly [text: string, advice: string | null]> = {
  descriptor_wallet: () => [say('descriptor wallet (SQLite)'), null],
  legacy_wallet: () => [say('legacy wallet (Berkeley DB)'), null],
  sqlite_incomplete: () => [say('incomplete SQLite database'), lookElsewhere()],
  berkeley_incomplete: () => [say('incomplete Berkeley DB'), lookElsewhere()],
  berkeley_version: ({ version }) => [say('Berkeley DB version {version}', { version }), lookElsewhere()],
  encoded_wallet: () => [say('encoded wallet file'), unpack()],
  other_wallet: ({ program, openIn: programs }) => [
    say('{program} wallet', { program }),
    openIn(oneOf(programs)),
  ],
  encrypted_keys: () => [
    say('encrypted key backup'),
    openIn(oneOf(['MultiBit Classic', 'Bitcoin Wallet (Android)'])),
  ],
  wallet_dump: () => [say('wallet key dump'), searchIt()],
  record_dump: () => [say('wallet record dump'), searchIt()],
  descriptors: () => [say('descriptors'), searchIt()],
  bip38_key: () => [say('encrypted private key (BIP38)'), searchIt()],
  private_keys: () => [say('private keys'), searchIt()],
  extended_key: () => [say('extended key'), searchIt()],
  damaged_keys: () => [say('damaged keys'), searchIt()],
  hex: () => [say('hex digits'), say('Private keys? Write “private key” before each.')],
  seed_words: ({ words, checksum }) => [
    say('{words, number} seed words', { words }),
    checksum === 'fits'
      ? importIn('Electrum', 'Sparrow')
      : say('Wrong checksum: compare each word. LND and early Electrum use other seeds.'),
  ],
  seed_qr: () => [say('seed words (SeedQR)'), importIn('Sparrow', 'SeedSigner')],
  slip39_share: () => [say('seed share (SLIP 39)'), importIn('Trezor Suite', 'Sparrow')],
  codex32_share: () => [say('seed or share (codex32)'), importIn('Core Lightning')],
  password_hash: () => [say('wallet password hash'), say('It holds no key. Look for its wallet.')],
  partially_signed_transaction: () => [
    say('partially signed transaction'),
    openIn(oneOf(['Bitcoin Core', 'Sparrow'])),
  ],
  node_data: () => [say('node’s blocks or peers'), choose()],
  berkeley_log: () => [say('Berkeley DB log'), say('Choose its wallet.dat.')],
  sqlite_journal: () => [say('wallet journal'), `${searchIt()} ${say('Keep the files beside it.')}`],
  node_lock: () => [say('wallets folder lock'), choose()],
  other_berkeley: () => [say('other Berkeley DB'), choose()],
  leveldb: () => [say('LevelDB file'), choose()],
  other_sqlite: () => [say('other SQLite database'), choose()],
  empty: () => [say('empty file'), lookElsewhere()],
  zeros: () => [say('file of zeros'), lookElsewhere()],
  image: ({ format }) => [say('{format} image', { format }), say('A paper wallet? Paste its key.')],
  video: () => [say('video or photo'), choose()],
  pdf: () => [say('PDF document'), say('A paper wallet? Paste its key.')],
  html: () => [say('HTML page'), choose()],
  zip: () => [say('ZIP archive or document'), unpack()],
  empty_zip: () => [say('empty ZIP archive'), lookElsewhere()],
  archive: ({ format }) => [say('{format} archive', { format }), unpack()],
  program: ({ system }) => [say('{system} program', { system }), choose()],
  encrypted_file: ({ program }) => [say('{program}-encrypted file', { program }), decrypt()],
  macos_metadata: () => [say('macOS metadata file'), say('Choose the file itself.')],
  icloud_placeholder: () => [say('file in iCloud'), openIn('Finder')],
  json: () => [say('JSON file'), choose()],
  text: () => [say('text file'), choose()],
  unknown: () => [say('unknown file'), `${say('A damaged wallet?')} ${searchIt()}`],
};

/** `supported`: a line each. `others`: advice, and the kinds of files that it is for. */
export function kindGroups(kinds: readonly FileKind[]): {
  supported: readonly string[];
  others: readonly { advice: string; kinds: string }[];
} {
  const others = new Map<string, string[]>();
  for (const kind of kinds.filter(({ code }) => !SUPPORTED.has(code))) {
    const own = ownProgram(kind);
    const advice =
      own === null ? (fileKindAdvice(kind) ?? '') : say('A wallet of one of these? Open it there.');
    others.set(advice, [...(others.get(advice) ?? []), own ?? kindName(kind)]);
  }
  return {
    supported: unique([...WALLETS, ...kinds.filter(({ code }) => SUPPORTED.has(code))].map(kindName)),
    others: [...others].map(([advice, names]) => ({ advice, kinds: joinList(unique(names)) })),
  };
}

/** The program that made a wallet and opens it; null if others open it. */
function ownProgram(kind: FileKind): string | null {
  if (kind.code !== 'other_wallet') return null;
  const { program, openIn } = kind as FileKind<'other_wallet'>;
  const [first = ''] = openIn;
  return openIn.length === 1 && first.startsWith(program) ? first : null;
}

function kindName(kind: FileKind): string {
  return kind.code === 'seed_words' ? say('12 to 24 seed words') : fileKindText(kind);
}

const WALLETS: readonly FileKind[] = [{ code: 'legacy_wallet' }, { code: 'descriptor_wallet' }];

/** Texts whose keys a rescue takes. */
const SUPPORTED: ReadonlySet<FileKind['code']> = new Set([
  ...(['wallet_dump', 'record_dump', 'descriptors'] as const),
  ...(['bip38_key', 'private_keys', 'extended_key'] as const),
]);

/** Whether to search such a file for keys. */
export function isSearchableForKeys({ code }: FileKind): boolean {
  return SUPPORTED.has(code) || code === 'damaged_keys';
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** `It holds Dash, not bitcoin`, or that the coin is uncertain. */
export function coinTitle({ verdict, coins }: InspectedCoin): string {
  return verdict === 'other'
    ? say('It holds {coins}, not bitcoin', { coins: coinNames(coins, say('another coin')) })
    : say('Its coin is uncertain');
}

/** `Dash`, for a card. */
export function coinName({ coins }: InspectedCoin): string {
  return coinNames(coins, say('another coin'));
}

/** The evidence, a sentence each. */
export function coinEvidence({ evidence }: InspectedCoin): string[] {
  if (evidence.length === 0) return [say('The file does not say.')];
  // The addresses of two kinds can fit the same coins.
  return [...new Set(evidence.map(evidenceSentence))];
}

function evidenceSentence({ by, coins: fitting }: InspectedCoin['evidence'][number]): string {
  const coins = coinNames(fitting, fitting.length === 0 ? say('no known coin') : say('several coins'));
  switch (by) {
    case 'genesis-block':
      return say('First block: {coins}.', { coins });
    case 'addresses':
      return say('Addresses: {coins}.', { coins });
    case 'records':
      return say('Records: {coins}.', { coins });
    case 'client':
      return say('Last written by: {coins}.', { coins });
    case 'signatures':
      return say('Signatures: {coins}.', { coins });
  }
}

/** What to do with a wallet of another coin. */
export function coinAdvice({ programs }: InspectedCoin): string {
  return programs.length === 0 || programs.length > MAX_NAMED
    ? say('Open it in its program.')
    : openIn(oneOf(programs));
}

/** Title, evidence and advice, a sentence each. */
export function coinSentences(coin: InspectedCoin): string[] {
  return [
    asSentence(coinTitle(coin)),
    ...coinEvidence(coin),
    ...(coin.verdict === 'other' ? [coinAdvice(coin)] : []),
  ];
}

/** Advice for a file of another program. */
function openIn(program: string): string {
  return say('Open it in {program}.', { program });
}

const MAX_NAMED = 4;

function coinNames(coins: readonly string[], otherwise: string): string {
  return coins.length === 0 || coins.length > MAX_NAMED ? otherwise : oneOf(coins);
}
