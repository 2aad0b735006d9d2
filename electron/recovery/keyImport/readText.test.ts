import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { fromLatin1, toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import { extendedKeyOfSeed } from '../../walletfile/keys/extendedKey.ts';
import { readDer, readWif, writeWif } from '../../walletfile/keys/privateKey.ts';
import { branchKeys } from '../../walletfile/legacy/legacyWallet.ts';
import { recordsByType } from '../../walletfile/records/records.ts';
import { sealedKeys } from '../../walletfile/testing/vectors.ts';
import { walletFile, wifsIn as wifsOf } from '../../walletfile/testing/wallets.ts';
import { keysInText } from '../../walletfile/text/keysInText.ts';
import { networksOfText, readText, type TextRecords } from './readText.ts';

const read = (text: string, passphrase?: string) =>
  readText(new TextEncoder().encode(text), { network: 'main', passphrase });

const [first, second, , last] = sealedKeys;
const [, SEALED_ONE, ONE] = first;
const [, , TWO] = second;

describe('single keys', () => {
  it.each(sealedKeys)('opens keys of BIP 38 by %s: %s', (passphrase, sealed, wif) => {
    expect(wifsIn(read(sealed, passphrase))).toEqual([wif]);
  });

  it('asks for the passphrase of keys of BIP 38', () => {
    expect(read(SEALED_ONE)).toMatchObject({ records: [], sealed: 1 });
  });

  it('of BIP 38 under another passphrase keep none of the others back, and report one that fits none', () => {
    const [otherPassphrase, otherSealed, other] = last;
    const list = `${SEALED_ONE}\n${otherSealed}\n${TWO}`;
    const found = read(list, 'TestingOneTwoThree');
    expect(found).toMatchObject({ sealed: 1, unread: 0 });
    expect(new Set(wifsIn(found))).toEqual(new Set([ONE, TWO]));
    expect(wifsIn(read(list, otherPassphrase))).toContain(other);
    expect(() => read(list, 'neither')).toThrow(
      expect.objectContaining({ finding: { code: 'passphrase_wrong' } }),
    );
  });

  it('reads mini private keys', () => {
    const [key] = keysIn(read('S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy'));
    expect(key?.publicKey).toHaveLength(65);
    expect(bytesToHex(readDer(key?.der ?? new Uint8Array()) ?? new Uint8Array())).toBe(
      '4c7a9640c72dc2099f23715d0c8a0d8a35f8906e3cab61dd3f78b67bf887c9ab',
    );
    expect(read('S6c56bnXQiBjk9mqSYE7ykVQ7NzrRz')).toBeNull();
  });

  it('in lists keep their labels, whatever text is around them', () => {
    const list = read(`My keys:\r\n${ONE} the old one\r\n\r\n${TWO}\r\n${ONE}, ${TWO}`);
    expect(new Set(wifsIn(list))).toEqual(new Set([ONE, TWO]));
    expect(
      recordsByType(list?.records ?? [])
        .of('name')
        .map(({ label }) => label),
    ).toEqual(['the old one']);
  });

  it.each([
    ['a character wrong', `${ONE.slice(0, -1)}e`],
    ['one too few', ONE.slice(1)],
    ['one that no key has', `${SEALED_ONE.slice(0, -1)}0`],
    ['in a mini key', 'S6c56bnXQiBjk9mqSYE7ykVQ7NzrRz'],
  ])('with %s are counted separately from right ones', (_, mistyped) => {
    const found = read(`${TWO} savings\n${mistyped}\nSome words around them.`);
    expect(wifsIn(found)).toEqual([TWO]);
    expect(found?.unread).toBe(1);
  });

  it('finds no keys of another network, and none in other text', () => {
    const bytes = new TextEncoder().encode(ONE);
    expect(readText(bytes, { network: 'regtest' })).toBeNull();
    expect(wifsIn(readText(bytes, {}))).toEqual([ONE]);
    for (const text of ['', 'a cat', '{}', '{"keys": 7}', 'BITCOIN_CORE_WALLET_DUMP,1'])
      expect(read(text)).toBeNull();
  });
});

/** The form of release 0.16, with the secrets of BIP 32's test vectors as keys. */
describe('dumpwallet', () => {
  const dump = [
    '# Wallet dump created by Bitcoin v0.16.1',
    '',
    `${TWO} 2018-07-17T11:27:37Z hdmaster=1 # addr=3218hGJYVVQVLEx5xx4tp54UcyHhy3c7Bn hdkeypath=m`,
    `${ONE} 0 label=caf%C3%A9%20%E2%98%95 # addr=1abc,bc1qabc`,
    '001454793058198501aa07faee3be72baeed94ff1d0c 0 script=1 # addr=3218hGJYVVQVLEx5xx4tp54UcyHhy3c7Bn',
    'L1zh3RoMsiQGb 2018-07-17T11:26:28Z change=1',
    '# End of dump',
  ].join('\n');

  it('gives keys with their times, labels, scripts and seeds', () => {
    const found = read(dump);
    const records = recordsByType(found?.records ?? []);
    expect(found?.unread).toBe(1);
    expect(new Set(wifsIn(found))).toEqual(new Set([ONE, TWO]));
    expect(records.of('keymeta').map(({ createTime, hd }) => [createTime, hd?.keyPath])).toEqual([
      [1531826857, 's'],
      [1, undefined],
    ]);
    expect(records.of('name')).toMatchObject([
      { address: '1abc', label: 'café ☕' },
      { address: 'bc1qabc', label: 'café ☕' },
    ]);
    expect(records.of('cscript')).toHaveLength(1);
    expect(records.of('hdchain')).toMatchObject([{ externalCounter: 0, internalCounter: 0 }]);
  });

  it('is incomplete without its last line', () => {
    const lines = dump.split('\n').filter((line) => !line.startsWith('L1'));
    expect(read(lines.join('\n'))?.unread).toBe(0);
    const cut = read(lines.slice(0, 4).join('\n'));
    expect(cut?.lines?.damaged).toEqual([{ line: 4, column: 1, why: 'cut' }]);
    expect(new Set(wifsIn(cut))).toEqual(new Set([ONE, TWO]));
  });
});

/** Of release 0.16. Its seed derives the last two keys. */
const published = [
  '# Wallet dump created by Bitcoin v0.16.1',
  '# extended private masterkey: xprv9s21ZrQH143K2Vg1aS8WmfyW5czp9MdELEcEiMvhASomQvyzs3SeZHJoe4gbJPA4NjPBf23aAdtkNqcNDu87eRjVWUExoZLRoTcGMFxjMs2',
  `L1uaD1GSyvL78gRkBgMggLSUYkMrULFVGeS9wTxhLcBJN83HYRF3 2018-07-17T11:26:29Z change=1 # addr=3FQnnDzRBvg2Cztpxf2H2rmenDxSVbyGkX hdkeypath=m/0'/1'/0'`,
  `L4rSveM7cUAQ5L4VBpdsZLPTiRqZA5fBKwS9trQ1GCaMfN37vjXq 2018-07-17T11:26:29Z label= # addr=3QiWVmnYvdQsi9wpr7q6SrxHnus4kzpGyV hdkeypath=m/0'/0'/0'`,
  'L3CP9hcf9pGQAzDcTQkQciC4BemJZNfKHmoMpDT5pFHJMrgyCwYg 2018-07-17T11:27:37Z hdmaster=1 # addr=3218hGJYVVQVLEx5xx4tp54UcyHhy3c7Bn hdkeypath=m',
  `L1ynb1hj75g22cRrh3sdeM7qCrj9JyUhzumxpkP81tXaDu1k9f6b 2018-07-17T11:27:37Z reserve=1 # addr=3LSu8Q77FYQYhv3qfCwNskJyF9Nr3yHRAf hdkeypath=m/0'/1'/0'`,
  `Kz1MJgnRAmUoeWq6gVwEmeCy1ykKPjNbDK9bcDbCUMipSLMKnwrm 2018-07-17T11:27:37Z reserve=1 # addr=3AvFhTs3fE1GjPk3y5uPADFiWJqaXpVrUz hdkeypath=m/0'/0'/0'`,
  '001454793058198501aa07faee3be72baeed94ff1d0c 0 script=1 # addr=3218hGJYVVQVLEx5xx4tp54UcyHhy3c7Bn',
  '# End of dump',
].join('\n');

it('takes the keys below the master key of a dump whose seed is lost', () => {
  const all = wifsIn(read(published));
  const seedless = published.replace(/^.* hdmaster=1 .*\n/m, '');
  const seed = 'L3CP9hcf9pGQAzDcTQkQciC4BemJZNfKHmoMpDT5pFHJMrgyCwYg';
  const root = extendedKeyOfSeed(readWif(seed, 'main')?.privateKey ?? new Uint8Array());
  const next = writeWif({ privateKey: branchKeys(root, 1)(1000), compressed: true }, 'main');
  const found = wifsIn(read(seedless));
  expect(found).toEqual(expect.arrayContaining([...all.filter((key) => key !== seed), next]));
  expect(found).toHaveLength(4 + 2000);
  const elsewhere = readText(new TextEncoder().encode(seedless), { network: 'regtest' });
  expect(wifsIn(elsewhere)).toEqual([]);
});

it.each([
  ['quoted', (dump: string) => dump.replace(/^/gm, '> ')],
  ['numbered', (dump: string) => dump.replace(/^/gm, '12: ')],
  ['with tabs', (dump: string) => dump.replaceAll(' ', '\t')],
  ['with two spaces', (dump: string) => dump.replaceAll(' ', '  ')],
  ['as a table', (dump: string) => dump.replaceAll(' ', ',')],
  ['with typographic marks', (dump: string) => dump.replaceAll("'", '’')],
])('reads a dump %s as it is', (_, change) => {
  expect(read(change(published))?.records).toEqual(read(published)?.records);
  expect(read(change(published.slice(0, -20)))?.lines?.damaged).toMatchObject([{ why: 'cut' }]);
});

it.each(['"savings"', 'a,', 'rent,change=1', 'x;#;y'])('keeps the label %s of a dump', (label) => {
  const { keys } = keysInText(published.replace('label=', `label=${label}`));
  expect(keys.map((key) => key.label)).toContain(label);
});

it.each([
  ['its keys', published, { main: true, test: false }],
  [
    'a redeem script beside a key',
    `${ONE}\n{"redeemscript": "0014${'00'.repeat(20)}"}`,
    { main: true, test: false },
  ],
  ['a script alone', `{"redeemscript": "0014${'00'.repeat(20)}"}`, { main: true, test: true }],
  ['a key of BIP 38', SEALED_ONE, { main: true, test: true }],
])('knows the networks of a text by %s', (_, text, networks) => {
  expect(networksOfText({ contents: keysInText(text) })).toEqual(networks);
});

it('takes no keys below a master key in a comment of a list', () => {
  expect(wifsIn(read(`${published.split('\n')[1]}\n${ONE} my old one`))).toEqual([ONE]);
});

it('reads translated dates of a dump with a day to spare', () => {
  const translated = published.replaceAll('2018-07-17T11:27:37Z', '17.07.2018 11:27:37');
  const times = recordsByType(read(translated)?.records ?? [])
    .of('keymeta')
    .map(({ createTime }) => createTime);
  expect(times).toContain(Date.UTC(2018, 6, 16, 11, 27, 37) / 1000);
});

describe('the records of a wallet tool', () => {
  it('are those of the wallet', () => {
    const { records } = readBerkeley(walletFile('legacy-hd'));
    const lines = records.map(({ key, value }) => `${bytesToHex(key)},${bytesToHex(value)}`);
    const dump = ['BITCOIN_CORE_WALLET_DUMP,1', 'format,bdb', ...lines, ''].join('\n');
    const checksum = bytesToHex(sha256(sha256(utf8ToBytes(dump))));
    const found = read(`${dump}checksum,${checksum}\n`);
    expect(found?.records.map(({ key }) => bytesToHex(key))).toEqual(
      records.map(({ key }) => bytesToHex(key)),
    );
    expect(found?.unread).toBe(0);
    const inCapitals = lines.map((line) => line.toUpperCase()).join('\n');
    expect(read(`${dump}checksum,${checksum}`.replace(lines.join('\n'), inCapitals))?.unread).toBe(0);
    const items = records.flatMap(({ key, value }) => [key, value]);
    const printed = (bytes: Uint8Array) =>
      toLatin1(bytes).replace(/[^!-~]|\\/g, (one) =>
        one === '\\' ? '\\\\' : `\\${bytesToHex(fromLatin1(one))}`,
      );
    for (const [format, write] of [
      ['bytevalue', bytesToHex],
      ['print', printed],
    ] as const) {
      const body = items.map((item) => ` ${write(item)}\n`).join('');
      const text = `VERSION=3\nformat=${format}\ndatabase=main\ntype=btree\nHEADER=END\n${body}DATA=END\n`;
      const { records: readAgain, unread } = read(text) ?? {};
      expect(unread).toBe(0);
      expect(readAgain?.flatMap(({ key, value }) => [bytesToHex(key), bytesToHex(value)])).toEqual(
        items.map((item) => bytesToHex(item)),
      );
      expect(read(text.slice(0, -20))?.unread).toBeGreaterThan(0);
    }
    const hex = items.slice(0, 40).map(bytesToHex);
    const labelled = [...hex.slice(0, 2), '046e616d650178', '0472656e74', ...hex.slice(2)];
    for (const lost of labelled.keys()) {
      const body = labelled.map((item, at) => (at === lost ? '' : ` ${item}\n`)).join('');
      const found = read(`format=bytevalue\nHEADER=END\n${body}DATA=END\n`);
      expect(found?.unread).toBe(1);
      expect(found?.records.flatMap(({ key, value }) => [key, value]).map(bytesToHex)).toEqual(
        labelled.toSpliced(lost - (lost % 2), 2),
      );
    }
    // Cut off at the end of a line, and with a wrong checksum.
    expect(read(dump)?.unread).toBe(1);
    expect(read(`${dump}checksum,00`)?.unread).toBe(1);
  });
});

describe('the JSON of pywallet', () => {
  it('gives its keys with their labels', () => {
    const keys = [
      { addr: '1Jq6MksXQVWzrznvZzxkV6oY57oWXD9TXB', label: 'rent', sec: ONE },
      { secret: '4c7a9640c72dc2099f23715d0c8a0d8a35f8906e3cab61dd3f78b67bf887c9ab', compressed: false },
      { addr: '1x', sec: '5broken' },
    ];
    const found = read(JSON.stringify({ keys, version: 60000 }));
    expect(keysIn(found)).toHaveLength(2);
    expect(found?.unread).toBe(1);
    expect(recordsByType(found?.records ?? []).of('name')).toMatchObject([
      { address: '1Jq6MksXQVWzrznvZzxkV6oY57oWXD9TXB', label: 'rent' },
    ]);
  });
});

describe('a number of pywallet', () => {
  // The address of the private key 1.
  const hexsec = `${'0'.repeat(63)}1`;
  const LONG = '1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm';
  const SHORT = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
  const sizes = (...keys: object[]) =>
    keysIn(read(JSON.stringify({ keys: [...keys, { sec: ONE }] })))
      .map(({ publicKey }) => publicKey.length)
      // The address of `ONE`.
      .slice(0, -1);

  it('takes the form that matches the address', () => {
    expect(sizes({ hexsec, addr: SHORT, compressed: false })).toEqual([33]);
    expect(sizes({ hexsec, addr: LONG })).toEqual([65]);
    expect(sizes({ hexsec, addr: '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN' })).toEqual([33]);
    expect(sizes({ hexsec, addr: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' })).toEqual([33]);
  });

  it('is unreadable if its address fits neither form, and gives both forms without an address', () => {
    const other = { hexsec, addr: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
    expect(sizes(other)).toEqual([]);
    expect(read(JSON.stringify({ keys: [other, { sec: ONE }] }))).toMatchObject({ unread: 1 });
    expect(sizes({ hexsec })).toEqual([33, 65]);
    expect(sizes({ hexsec, compressed: false })).toEqual([65]);
  });
});

it('counts an invalid number of pywallet as unreadable', () => {
  const keys = [{ sec: ONE }, { hexsec: '0'.repeat(64) }, { hexsec: 'f'.repeat(64) }];
  expect(read(JSON.stringify({ keys }))).toMatchObject({ unread: 2 });
});

function keysIn(found: TextRecords | null) {
  return recordsByType(found?.records ?? []).of('key');
}

function wifsIn(found: TextRecords | null): string[] {
  return wifsOf(found?.records ?? [], null, 'main');
}
