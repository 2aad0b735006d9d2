import { sha256 } from '@noble/hashes/sha2.js';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { fileKindAdvice, fileKindText, kindGroups } from '../../../shared/wording/findings/fileKindWords.ts';
import { coins } from '../coin/coins.ts';
import { chainParameters } from '../script/address.ts';
import seedTexts from '../testing/seedTexts.json' with { type: 'json' };
import { walletFile } from '../testing/wallets.ts';
import { bytesToRecognise, kinds, knownKinds, recogniseOther } from './otherFiles.ts';
import { recognise } from './recognise.ts';

type Sample = string | Buffer | { content: string | Buffer; name: string };

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** The Base58 text of bytes and their checksum, as for keys. */
const checked = (...data: number[]) => {
  const bytes = Uint8Array.from(data);
  return base58.encode(Uint8Array.of(...bytes, ...sha256(sha256(bytes)).subarray(0, 4)));
};
const secret = Array<number>(32).fill(7);
const wifOf = (version: number) => checked(version, ...secret, 1);
const sqliteOf = (id: number, tables = '') => {
  const bytes = Buffer.alloc(512);
  bytes.write('SQLite format 3\0');
  bytes.writeUInt32BE(id, 68);
  bytes.write(tables, 100);
  return bytes;
};
const XPUB = checked(0x04, 0x88, 0xb2, 0x1e, ...Array<number>(9).fill(3), ...secret, 2, ...secret);
const boltWith = (bucket: string) =>
  Buffer.concat([Buffer.alloc(16), Buffer.from('edda0ced', 'hex'), Buffer.from(bucket)]);
const at = (place: number, bytes: Buffer) => Buffer.concat([Buffer.alloc(place, 1), bytes]);

/** A handmade file of each kind, in its program's format. */
const samples: Readonly<Record<string, Sample>> = {
  empty: '',
  'node lock': { content: '', name: '.walletlock' },
  BDK: sqliteOf(0, 'CREATE TABLE bdk_wallet( id INTEGER'),
  'Core Lightning': sqliteOf(0, 'CREATE TABLE shachains (id BIGSERIAL'),
  'Core Lightning, its secret': { content: Buffer.alloc(32, 9), name: 'hsm_secret' },
  Liana: sqliteOf(0, 'CREATE TABLE wallets (id INTEGER, main_descriptor TEXT NOT NULL'),
  Decred: boltWith('wstakemgr'),
  LND: boltWith('waddrmgr'),
  'LND, its channels': { content: Buffer.from([0, 1, 2, 3]), name: 'channel.backup' },
  Tapsigner: { content: Buffer.alloc(120, 0x91), name: 'backup-O7E3K.aes' },
  Monero: { content: Buffer.alloc(1500, 0x91), name: 'mine.keys' },
  JoinMarket: 'JMWALLETd4:',
  Coinomi: latin1('\x08\x14\x12\xba\x01\x08\x03bitcoin.main'),
  'MetaMask, in a browser': latin1('\0\x01KeyringController":{"vault"'),
  'block.io': '{"status": "success", "data": {"user_key": {"encrypted_passphrase": "x"}}}',
  'BitGo or Copay': '{"iv":"ZG0","v":1,"iter":10000,"ks":256,"adata":"","salt":"l","ct":"2M"}',
  imToken: '{"crypto":{"cipherparams":{}},"imTokenMeta":{}}',
  'BTC.com': '{"version":3,"passwordEncryptedSecretMnemonic":"library"}',
  'Toast Wallet': 'c69d22de{"ppdata":{"salt1":"e3"},"rpdata":{}}',
  CoinVault: '{"Salt":"+x9","EncryptedKey":"amZ","EncryptedWallet":"x"}',
  'Dogechain.info': '{"guid":"5","payload":"Dw5g","email":"","two_fa_method":0}',
  MetaMask: '{"data":"Z1","iv":"k","salt":"s"}',
  'Blockchain.com, early': { content: `${'VPXtmcNa7D9H'.repeat(20)}==\n`, name: 'wallet.aes.json' },
  Samourai: '{"version":2,"payload":"abc","external":false}',
  'password hash':
    'wallet.dat:$bitcoin$96$d011a1b6a8d675b7a36d0cd2efaca32a9f8dc1d57d6d$16$1$25000$2$00$2$00\n',
  'SQLite journal': { content: Buffer.alloc(600), name: 'wallet.dat-journal' },
  zeros: Buffer.alloc(5000),
  Armory: latin1('\xba\x57\x41\x4c\x4c\x45\x54\0\0\x60'),
  bitcoinj: latin1('\n\x16org.bitcoin.production\x12 \x08'),
  'MultiBit Classic': latin1('\xac\xed\0\x05sr\0\x1fcom.google.bitcoin.core.Wallet'),
  'MultiBit HD': { content: Buffer.from([0x2d, 0x81, 0x92, 0xf3, 0x04]), name: 'mbhd.wallet.aes' },
  Bither: sqliteOf(0, 'CREATE TABLE hd_seeds (hd_seed_id integer not null primary key autoincrement'),
  mSIGNA: sqliteOf(0, 'CREATE TABLE "Network" (\n"id")CREATE TABLE "schema_version" ('),
  Sparrow: 'SPRW1\n\u0001',
  'Sparrow, as JSON': '{"name":"mine","network":"mainnet","policyType":"SINGLE"}',
  Electrum: '{\n    "addr_history": {\n        "bc1q": []',
  'Electrum, by its type': '{"seed_version": 18, "wallet_type": "standard"}',
  'Electrum, encrypted': 'QklFMQKsomethinginbase64',
  'Blockchain.com': '{"pbkdf2_iterations":5000,"version":3,"payload":"tAAh"}',
  Wasabi: '{\n  "EncryptedSecret": "6PYx",\n  "ChainCode": "ZMqS",\n  "MasterFingerprint": "a60e43c8"',
  Specter: '{"name": "mine", "recv_descriptor": "wpkh(x)"}',
  Ethereum: '{"version":3,"crypto":{"cipher":"aes-128-ctr","kdf":"scrypt"}}',
  'encrypted keys': 'U2FsdGVkX1/35u4y/6DTtdj6lEMBaCS+',
  'encoded wallet': Buffer.from(walletFile('legacy-hd')).toString('base64'),
  dumpwallet: '# Wallet dump created by Bitcoin v0.16.1\n',
  'bitcoin-wallet dump': 'BITCOIN_CORE_WALLET_DUMP,1\nformat,bdb\n',
  descriptors: `listed:\nwpkh([d34db33f/84h/0h/0h]${XPUB}/0/*)\n`,
  BIP38: checked(0x01, 0x42, 0xc0, ...secret, 1, 1, 1, 1),
  WIF: `${wifOf(128)}\n`,
  'extended key': XPUB,
  pywallet: '{"keys": [{"addr": "1abc", "hexsec": "00"}]}',
  'damaged key': `${wifOf(128).slice(0, -1)}1`,
  hex: `${'07'.repeat(32)}\n${'08'.repeat(32)}\n`,
  'Armory, on paper': `Root Key: ${'asdf ghjk wert uion asdf ghjk wert uion asdf\n'.repeat(2)}`,
  LevelDB: { content: Buffer.from([0, 1, 2, 0x91]), name: '000005.ldb' },
  PSBT: latin1('psbt\xff\x01\0'),
  'PSBT, as text': 'cHNidP8BAHUCAAAAASaBcTce3',
  'node data': latin1('\xf9\xbe\xb4\xd9\x1d\x01\0\0'),
  'Berkeley DB log': at(12, latin1('\x88\x09\x04\0')),
  'Berkeley DB': at(12, Buffer.from([0x61, 0x15, 0x06, 0])),
  SQLite: sqliteOf(0),
  E01: latin1('EVF\t\r\n\xff\0\x01'),
  WIM: latin1('MSWIM\0\0\0'),
  VMDK: latin1('KDMV\x03\0\0\0\x01\0\x03\0'),
  PNG: latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  JPEG: latin1('\xff\xd8\xff\xe0\0\x10'),
  GIF: 'GIF89a...',
  WebP: latin1('RIFF\xa4\x01\0\0WEBPVP8 '),
  video: latin1('\0\0\0\x18ftypheic'),
  PDF: '%PDF-1.7\n',
  HTML: '\n<!DOCTYPE html>\n<html>',
  ZIP: latin1('PK\x03\x04\x14\0'),
  'ZIP, empty': latin1('PK\x05\x06\0\0'),
  gzip: latin1('\x1f\x8b\x08\0'),
  bzip2: latin1('BZh91AY'),
  xz: latin1('\xfd7zXZ\0'),
  zstd: latin1('\x28\xb5\x2f\xfd'),
  '7-Zip': latin1('7z\xbc\xaf\x27\x1c'),
  RAR: latin1('Rar!\x1a\x07\0'),
  tar: at(257, latin1('ustar\0')),
  ELF: latin1('\x7fELF\x02'),
  EXE: latin1('MZ\x90\0\x03'),
  'Mach-O': latin1('\xcf\xfa\xed\xfe\x07'),
  OpenSSL: latin1('Salted__\x01\x02'),
  AppleDouble: { content: latin1('\0\x05\x16\x07\0\x02\0\0Mac OS X'), name: '._wallet.dat' },
  iCloud: { content: latin1('bplist00\xd3\x01'), name: '.wallet.dat.icloud' },
  PGP: '-----BEGIN PGP MESSAGE-----\n',
  JSON: '{"balance": 1}',
  text: 'my wallet is in the other folder\n',
};

const partsOf = (sample: Sample) =>
  typeof sample === 'string' || Buffer.isBuffer(sample) ? { content: sample, name: '' } : sample;

function kindOf(sample: Sample) {
  const { content, name } = partsOf(sample);
  const bytes = Buffer.from(content);
  const read = bytesToRecognise(bytes.subarray(0, 4096), bytes.length);
  return recogniseOther(bytes.subarray(0, read), bytes.length, name);
}

describe('a file of another kind', () => {
  it.each(kinds)('$id: is recognised by its sample', ({ id, fileKind }) => {
    expect(samples).toHaveProperty([id]);
    expect(kindOf(samples[id] ?? '')).toEqual(fileKind);
  });

  it.each([
    'VERSION=3\nformat=print\nHEADER=END\n \\04name1x\n \\01a\n',
    'VERSION=3\nformat=bytevalue\nHEADER=END\n 046e616d653178\n 0161\n',
    "INSERT INTO main VALUES(X'0776657273696f6e',X'24460400');",
    "INSERT OR IGNORE INTO 'lost_and_found' VALUES( 2, 5, 2, 7, X'036b657921', X'00' );",
  ])('is recognised as a dump of a database: %s', (text) => {
    expect(kindOf(text)).toEqual({ code: 'record_dump' });
  });

  it('has no sample without its kind', () => {
    expect(Object.keys(samples).sort()).toEqual(kinds.map(({ id }) => id).sort());
  });

  it.each(['legacy-hd', 'descriptor-hd'])(
    'is an encoded wallet: %s in base64 and hex, by its lines',
    (name) => {
      for (const encoding of ['base64', 'hex'] as const) {
        const lines = Buffer.from(walletFile(name)).toString(encoding).replace(/.{60}/g, '$&\n');
        expect(kindOf(`Content-Type: text/plain\n\n${lines}`)).toEqual({ code: 'encoded_wallet' });
      }
    },
  );

  it('is unknown without evidence', () => {
    expect(kindOf(Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]))).toEqual({ code: 'unknown' });
  });

  it('names what opens it', () => {
    const electrum = kindOf(samples.Electrum ?? '');
    expect([fileKindText(electrum), fileKindAdvice(electrum)]).toEqual([
      'Electrum wallet',
      'Open it in Electrum.',
    ]);
    expect(fileKindAdvice(kindOf(samples.bitcoinj ?? ''))).toBe(
      'Open it in MultiBit Classic or Bitcoin Wallet (Android).',
    );
    expect(fileKindAdvice(kindOf(samples.dumpwallet ?? ''))).toBe('Search it for keys.');
  });

  it('is not a key with a wrong checksum', () => {
    const wrong = `${wifOf(128).slice(0, -1)}${wifOf(128).endsWith('A') ? 'B' : 'A'}`;
    expect(kindOf(wrong)).toEqual({ code: 'damaged_keys' });
  });
});

describe('what another coin’s program wrote', () => {
  const known = coins.filter(({ name, program }) => name !== 'Bitcoin' && program !== null);
  const bitcoins = ['main', 'testnet3', 'testnet4', 'signet', 'regtest'] as const;

  it.each(known)('$name', ({ name, program, chains }) => {
    const own = chains.flatMap(({ magic }) => (magic === null ? [] : [Number.parseInt(magic, 16)]));
    for (const magic of own) {
      expect(bitcoins.map((network) => chainParameters[network].magic)).not.toContain(magic);
      const bytes = sqliteOf(magic);
      expect(recognise(bytes, bytes.length)).toBeNull();
      expect(kindOf(bytes)).toEqual({ code: 'other_wallet', program: name, openIn: [program] });
    }
    const dump = `# Wallet dump created by ${name} v0.18.1\n`;
    if (!name.includes(' ')) expect(kindOf(dump)).toMatchObject({ program: name });
  });

  it('is recognised by the version of private keys, unless Bitcoin shares it', () => {
    expect(kindOf(wifOf(176))).toMatchObject({ program: 'Litecoin' });
    expect(kindOf(wifOf(158))).toMatchObject({ program: expect.stringMatching(/Dogecoin|DigiByte/) });
    expect(kindOf(wifOf(239))).toEqual({ code: 'private_keys' });
  });
});

describe('seeds that people write down', () => {
  it.each(seedTexts)('$text', ({ text, kind }) => {
    expect(kindOf(text)).toEqual(kind);
  });
});

it('prefers a private key over the words that make it', () => {
  const xprv = checked(0x04, 0x88, 0xad, 0xe4, ...Array<number>(9).fill(3), ...secret, 0, ...secret);
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  expect(kindOf(`mnemonic = "${words}"\nxprv = "${xprv}"`)).toEqual({ code: 'extended_key' });
  expect(kindOf(`mnemonic = "${words}"\nxpub = "${XPUB}"`)).toMatchObject({ code: 'seed_words' });
});

it('lists every kind once, with what opens it', () => {
  const { supported, others } = kindGroups(knownKinds());
  expect(supported).toContain('legacy wallet (Berkeley DB)');
  expect(supported).toContain('private keys');
  const own = others.find(({ advice }) => advice === 'A wallet of one of these? Open it there.');
  expect(own?.kinds).toMatch(/^Armory, MultiBit Classic, .*Dogecoin Core/);
  expect(others).toContainEqual({ advice: 'Open it in Nunchuk.', kinds: 'Tapsigner wallet' });
  expect(others.every(({ advice, kinds: names }) => advice !== '' && names !== '')).toBe(true);
  expect(new Set(others.map(({ advice }) => advice)).size).toBe(others.length);
});

it('does not mistake a hash called “seed”, or JSON with accounts, for an Electrum wallet', () => {
  const seed = 'seed: acb740e454c3134901d7c8f16497cc1c';
  expect([kindOf(seed), kindOf(`electrum\n${seed}`)]).toMatchObject([
    { code: 'text' },
    { program: 'Electrum' },
  ]);
  expect(kindOf('{"accounts": [{"name": "mine"}]}')).toEqual({ code: 'json' });
});

it('reads a text to its end: Electrum names itself behind a long history', () => {
  const text = `{"verified_tx3": {"${'a'.repeat(70_000)}": 1}, "seed_version": 57},\n{"op": "add"}`;
  expect(kindOf(text)).toMatchObject({ program: 'Electrum' });
});

it.each([
  ['spaces', `abcdefghijk\n${' '.repeat(500)}(x)`],
  ['paragraphs of RTF', `abcdefghijk\n${'\\par '.repeat(500)}!`],
  ['dashes between words of RTF', `abcdefghijk${'\\a-'.repeat(500)}!`],
  ['words and lines', `${'word '.repeat(5000)}\n${'x\n'.repeat(20_000)}`],
  ['tabs behind a word', `abcdefghijk${'\t'.repeat(5000)}!\nabcd`],
  ['digits in hex', `private key ${'a1'.repeat(100_000)}`],
  ['open brackets', 'sh('.repeat(20_000)],
  ['open brackets of raw scripts', 'raw('.repeat(20_000)],
  ['stars in place of a key', `K${'*'.repeat(51)}`],
  ['private keys', 'private: '.concat('1'.repeat(64), '\n').repeat(5000), 'private_keys'],
  ['empty lines', `a${'\n'.repeat(100_000)}b`],
  ['empty cells', `${wifOf(128)} 0 label=${','.repeat(100_000)}x`, 'private_keys'],
  ['digits of a step', `{"a":"a(${'1'.repeat(100_000)}#"}`, 'json'],
  ['open tags', wifOf(128) + '<'.repeat(100_000), 'private_keys'],
  ['marks in a label', `${wifOf(128)} a${'-'.repeat(100_000)}b`, 'private_keys'],
  ['members of a name', `{${'"ExtPubKey":'.repeat(20_000)}`, 'json'],
  ['spaces behind base64', `${'a'.repeat(100)}${' '.repeat(100_000)}!`, 'text', 'wallet.aes'],
])('reads a text of many %s at once', (_, text, code = 'text', name = 'notes.txt') => {
  expect(recogniseOther(Buffer.from(text), text.length, name)).toEqual({ code });
});
