import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countDamage } from '../../../shared/model/findings/textLines.ts';
import { withChecksum } from '../../walletfile/descriptor/checksum.ts';
import { readEntries } from '../../walletfile/inspect/identifyWallet.ts';
import { recogniseOther } from '../../walletfile/inspect/otherFiles.ts';
import { recordsByType } from '../../walletfile/records/records.ts';
import { wifsIn } from '../../walletfile/testing/wallets.ts';
import { decodeText } from '../../walletfile/text/decodeText.ts';
import { keysInText } from '../../walletfile/text/keysInText.ts';
import { readText } from './readText.ts';
import { walletOfText } from './walletOfText.ts';

const ONE = 'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP';
const TWO = '5HtasZ6ofTHP6HCwTqTkLDuLQisYPah7aUnSKfC7h4hMUVw2gi5';
const ADDRESS_ONE = '164MQi977u9GUteHr4EPH27VkkdxmfCvGW';
const ADDRESS_TWO = '1AvKt49sui9zfzGeo8EyL8ypvAhtR2KwbL';
const XPRV =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
const XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';
/** The private key 1. */
const HEX_ONE = `${'0'.repeat(63)}1`;
const ADDRESS_OF_HEX_ONE = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
const TEST_KEYS = [
  'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN9wHZo77nNv',
  '91avARGdfge8E4tZfYLoxeJ5sGBdNJQH4kvjJoQFacc6xYea9Jy',
];

/** Texts in which people keep keys, as published in bug reports; `facts.json` of each says what is right. */
function textFile(name: string): Uint8Array {
  return readFileSync(new URL(`../../../e2e/fixtures/texts/${name}`, import.meta.url));
}

describe('published texts', () => {
  it.each([
    ['address-key.txt', [ONE, TWO]],
    ['array.json', [ONE, TWO]],
    ['bitaddress-bulk.csv', [ONE, TWO]],
    ['electrum-export.csv', [ONE, TWO]],
    ['importmulti.json', [ONE]],
    ['key-and-date.txt', [ONE]],
    ['mixed-list.txt', [ONE, TWO]],
    ['vanitygen.txt', [TWO]],
    ['walletool.txt', TEST_KEYS],
    ['dump.json', TEST_KEYS],
    ['dump.txt', TEST_KEYS],
    ['dump-encrypted.txt', TEST_KEYS],
  ])('%s gives all of its keys', (name, keys) => {
    const network = keys === TEST_KEYS ? 'regtest' : 'main';
    const read = readText(textFile(name), { network });
    expect(new Set(wifsIn(read?.records ?? [], null, network))).toEqual(new Set(keys));
    expect(read?.lines?.damaged).toEqual([]);
  });

  it.each([
    ['listdescriptors-utf16.txt', 8],
    ['listdescriptors-utf8bom.txt', 8],
    ['console-listdescriptors.txt', 2],
  ])('%s gives its descriptors', async (name, count) => {
    const wallet = await walletOfText(textFile(name), 'regtest');
    const { records } = await readEntries(wallet?.bytes ?? new Uint8Array());
    expect(recordsByType(records).of('walletdescriptor')).toHaveLength(count);
  });

  it('dump-without-its-head.txt gives the seed and its chain, and no label', () => {
    const read = readText(textFile('dump-without-its-head.txt'), { network: 'regtest' });
    const records = recordsByType(read?.records ?? []);
    expect(records.of('hdchain')).toHaveLength(1);
    expect(records.of('keymeta')).toMatchObject([{ createTime: 1633700687, hd: { keyPath: 's' } }]);
    expect(records.of('name')).toEqual([]);
  });

  it.each(['key-and-date.txt', 'importmulti.json'])('%s gives the birth of its key', (name) => {
    const records = recordsByType(readText(textFile(name), { network: 'main' })?.records ?? []);
    expect(records.of('keymeta')).toMatchObject([{ createTime: 1394431948 }]);
  });

  it('dump.json gives the encrypted key, the master key, and every label', () => {
    const records = recordsByType(readText(textFile('dump.json'), { network: 'regtest' })?.records ?? []);
    expect(records.of('ckey')).toHaveLength(1);
    expect(records.of('mkey')).toMatchObject([{ iterations: 123456 }]);
    expect(records.of('name').map(({ label }) => label)).toEqual(['miner pay', 'old 5-key', 'locked']);
  });
});

describe('what a line says of its key', () => {
  /** The start of 10 March 2014 in Asia lies on the day before in UTC. */
  const DAY_BEFORE = 1394409600 - 24 * 60 * 60;
  const factsOf = (text: string) => {
    const [{ createTime, label } = { createTime: 0, label: null }] = keysInText(text).keys;
    return { createTime, label };
  };

  it.each([
    [`${ONE} savings of 2013`, 1, 'savings of 2013'],
    [`${ONE} # my old one`, 1, 'my old one'],
    [`<td>&quot;${ONE}&quot;</td><td>rent</td>`, 1, 'rent'],
    [`bitcoin-cli -named importprivkey privkey=${ONE} label="rent" rescan=false`, 1, 'rent'],
    [`${ONE};"cold; deep"`, 1, 'cold; deep'],
    [`${ONE} 2014-03-10T06:12:28Z`, 1394431948, null],
    [`${ONE} (created: 2014-03-10 07:12:28+01:00) rent`, 1394431948, 'rent'],
    [`${ONE},created 1394431948`, 1394431948, null],
    [`${ONE} born 10.03.2014`, DAY_BEFORE, null],
    [`${ONE} generated on 10/03/2014`, DAY_BEFORE, null],
    [`${ONE} Birthday: Mar 10, 2014 rent`, DAY_BEFORE, 'rent'],
    [`${ONE} key created 10 March 2014`, DAY_BEFORE, null],
    [`${ONE} savings, checked 2014-03-10`, 1, 'savings checked 2014-03-10'],
    [`${ONE} created by me, 2014-03-10`, 1, 'created by me 2014-03-10'],
    [`${ONE} moved 10.03.2014`, 1, 'moved 10.03.2014'],
    [`${ONE} backup created 2014-03-10`, 1, 'backup created 2014-03-10'],
    [`${ONE} 2014-03-10`, 1, null],
    [`${ONE} 1394431948`, 1, null],
    [`${ONE},2014-03-10T06:12:28Z rent`, 1, '2014-03-10T06:12:28Z rent'],
    [`${XPRV} (backup of 2014-03-10)`, 1, '(backup of 2014-03-10)'],
    [`INSERT INTO keys VALUES ('${ONE}', 'rent');`, 1, 'rent'],
    [`bitcoin:${ADDRESS_ONE}?privkey=${ONE}&label=rent`, 1, 'rent'],
    [`{\\rtf1\\ansi ${ONE}\\par}`, 1, null],
    [`Adresse;Privater Schlüssel;Bezeichnung\n${ADDRESS_ONE};${ONE};Miete`, 1, 'Miete'],
    [`[{"key":"${ONE}","birthday":1394431948000,"name":"x"}]`, 1394431948, 'x'],
    [`{"priv":"${ONE}","key_created":"2014-03-10"}`, DAY_BEFORE, null],
    ...['creationDate', 'createdAt', 'created', 'created_time', 'modified', 'revisionDate'].map(
      (name): [string, number, null] => [`{"notes":"${ONE}","desc":"keys","${name}":"2014-03-10"}`, 1, null],
    ),
    [`{"key":"${ONE}","desc":"keys","timestamp":1394431948}`, 1, null],
    [`{"priv":"${ONE}","timestamp":1394431948}`, 1, null],
    [`${ONE} ${ADDRESS_ONE} 0.5`, 1, null],
    [`Savings: ${ONE}`, 1, null],
    [`importprivkey "${ONE}" "my label" false`, 1, 'my label'],
    [
      `address,private_key,label,birth\n${ADDRESS_ONE},${ONE},"old, cold",2014-03-10`,
      DAY_BEFORE,
      'old, cold',
    ],
    [`password,notes,created\n-,${ONE},2014-03-10\nprivate key,created\n${TWO},2014-03-10`, 1, null],
    [`private_key,label,date\n${ONE},x,2014-03-10`, 1, 'x'],
    [`private_key\taddress\tlabel\n${ONE}\t\t"x"`, 1, 'x'],
    [
      `importmulti '[{"scriptPubKey":"","keys":["${ONE}"],"label":"x","timestamp":1394431948}]'`,
      1394431948,
      'x',
    ],
    [
      `importmulti "[{\\"desc\\":\\"pkh(${ONE})\\",\\"label\\":\\"x\\",\\"timestamp\\":1394431948}]"`,
      1394431948,
      'x',
    ],
    [`{"keys": ["${ONE}"], "label": "cut`, 1, null],
  ])('%s', (text, createTime, label) => {
    expect(factsOf(text)).toEqual({ createTime, label });
  });

  it('belongs to the key before it', () => {
    const { keys } = keysInText(`${ONE} first ${TWO} second`);
    expect(keys.map(({ text, label }) => [text, label])).toEqual([
      [ONE, 'first'],
      [TWO, 'second'],
    ]);
  });
});

describe('each line', () => {
  it('is taken, a comment, damaged, or without a key', () => {
    const text = ['# mine', ONE, '', `${TWO.slice(0, -1)}6 x`, 'Some words.', `${ONE}, ${TWO}`].join('\r\n');
    expect(keysInText(text).lines).toEqual({
      keys: 3,
      taken: 2,
      damaged: [{ line: 4, column: 1, why: 'checksum' }],
      states: ['comment', 'taken', 'empty', 'damaged', 'other', 'taken'],
    });
  });

  it.each([
    [
      'a letter that no key has',
      `my key: ${ONE.replace('B', '0')}`,
      { column: 12, why: 'letter', letter: '0' },
    ],
    ['a missing letter', ONE.slice(0, -1), { column: 1, why: 'length' }],
    ['an extra letter', `${TWO}a`, { column: 1, why: 'length' }],
    ['a wrong letter', `${ONE.slice(0, 20)}a${ONE.slice(21)}`, { column: 1, why: 'checksum' }],
    ['a wrong first letter', `X${ONE.slice(1)}`, { column: 1, why: 'checksum' }],
    ['a wrong letter in a descriptor', `wpkh(${ONE})#aaaaaaaa`, { column: 1, why: 'checksum' }],
    ['a descriptor that ends too soon', `sh(wpkh(${ONE}`, { column: 1, why: 'descriptor' }],
    ['four missing letters', `privkey: ${ONE.slice(0, -4)}`, { column: 10, why: 'length' }],
    ['a cut key', ONE.slice(0, 30), { column: 1, why: 'length' }],
    ['a cut key beside its address', `${ONE.slice(0, 40)} ${ADDRESS_ONE}`, { column: 1, why: 'length' }],
    ['a key without its beginning', ONE.slice(-40), { column: 1, why: 'length' }],
    ['a key in capitals', `private key ${ONE.toUpperCase()}`, { column: 13, why: 'checksum' }],
    [
      'a wrong key between marks',
      `key=${ONE.slice(0, 20)}a${ONE.slice(21)}=`,
      { column: 5, why: 'checksum' },
    ],
    ['a wrong mini key', 'mini key: S6c56bnXQiBjk9mqSYE7ykVQ7NzrRz', { column: 11, why: 'checksum' }],
    ['a cut extended key', XPRV.slice(0, 80), { column: 1, why: 'length' }],
    ['an extended key without its first letter', XPRV.slice(1), { column: 1, why: 'length' }],
    ['a key in hex without a digit', `private key: ${HEX_ONE.slice(1)}`, { column: 14, why: 'length' }],
    [
      'a key in hex with a letter',
      `private key: 0x${HEX_ONE.slice(1)}O`,
      { column: 79, why: 'letter', letter: 'O' },
    ],
    [
      'a Cyrillic letter',
      `private key: ${ONE.replace('c', 'с')}`,
      { column: 14 + ONE.indexOf('c'), why: 'letter', letter: 'с' },
    ],
    [
      'a wrong letter in long parts',
      `${ONE.slice(0, 17)} ${ONE.slice(17).replace('c', 'l')}`,
      { column: 1, why: 'letter' },
    ],
    ['a letter that is hidden', ONE.replace('c', '*'), { why: 'letter', letter: '*' }],
    [
      'a letter in groups of hex digits',
      `private key: 00000000 0000000O${' 00000000'.repeat(6)}`,
      { column: 30, why: 'letter', letter: 'O' },
    ],
    ['a key of Litecoin', 'T3mwZ1ZgoEKYxvQyXuqU5ewsKoJMVxSZTAjR6CeMYP2BJjBRBVAy', { column: 1 }],
  ])('tells %s apart', (_, text, damage) => {
    expect(keysInText(text).lines.damaged).toMatchObject([{ line: 1, ...damage }]);
  });

  it('reports a key of another network as damaged, and ignores words that are not keys', () => {
    const lines = readText(new TextEncoder().encode(`${ONE}\n${TEST_KEYS[0]}`), { network: 'main' })?.lines;
    expect(lines).toMatchObject({ taken: 1, damaged: [{ line: 2, why: 'network' }] });
    for (const text of [
      'id: 12D3KooWGzxzKZYveHXtpG6AsrUJBcWxHBFS2HsEoGTxrMLvKXtf',
      'b'.repeat(52),
      'f'.repeat(64),
      ADDRESS_ONE,
      ADDRESS_ONE.replace('M', 'N'),
      'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1',
      'SomeVeryLongWordOfAPerson2014',
      'Screenshot20140310At061228Png SQLServer2019ExpressEdition1',
      `https://example.com/a/${ONE.slice(0, -1)}Q?id=S6c56bnXQiBjk9mqSYE7yk`,
      'a/b+'.repeat(13),
    ])
      expect(keysInText(text).lines.damaged).toEqual([]);
  });
});

it('takes the earliest birth of a key, and none that is in the future', () => {
  const hex = keysInText(
    [2020, 2013].map((year) => `{"privkey":"${HEX_ONE}","birthday":"${year}-01-02"}`).join('\n'),
  ).hexKeys;
  expect(Math.min(...hex.map(({ createTime }) => createTime))).toBe(1356998400);
  const births = (text: string) => keysInText(text).keys.map(({ createTime }) => createTime);
  expect(births(`${ONE} created 12/06/2012, moved 2012-01-01`)).toEqual([1339459200 - 24 * 60 * 60]);
  expect(births(`[{"desc":"pkh(${ONE})","timestamp":1394431948000}]`)).toEqual([1394431948]);
  expect(births(`[{"desc":"pkh(${ONE})","timestamp":9394431948}]`)).toEqual([1]);
  expect(births(`private key,last used\n${ONE},2020-01-01`)).toEqual([1]);
  const twice = readText(Buffer.from(`${ONE} created 2020-01-02\n${ONE} created 2013-01-02`), {
    network: 'main',
  });
  expect(recordsByType(twice?.records ?? []).of('keymeta')).toMatchObject([{ createTime: 1356998400 }]);
});

it('reads a private key in hex that a word calls private, once', () => {
  const found = (text: string) => keysInText(text).hexKeys.map(({ key }) => key.compressed);
  expect(found(`PubAddress: 1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH\nPriv (HEX): 0x${HEX_ONE}`)).toEqual([true]);
  expect(found(`Private key: ${HEX_ONE}`)).toEqual([true, false]);
  expect(found(`Private key: ${HEX_ONE}\n`.repeat(1000))).toEqual([true, false]);
  expect(found(`txid: ${HEX_ONE}`)).toEqual([]);
  const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
  expect(found(`Priv (WIF): p2pkh:${wif}\nPriv (HEX): 0x${HEX_ONE}`)).toEqual([]);
});

it.each([
  ['groups', `private key 1: ${HEX_ONE.replace(/.{8}(?!$)/g, '$& ')}`, [true, false]],
  [
    'the lines of openssl',
    `priv:\n    00:${HEX_ONE.replace(/../g, '$&:').replace(/.{45}/g, '$&\n    ')}\npub:`,
    [true, false],
  ],
  ['two lines below a heading', `Private key (hex)\n${HEX_ONE.replace(/.{32}/, '$&\n')}`, [true, false]],
  ['a cell of several lines', `name,notes\nx,"Private key\n${HEX_ONE}"`, [true, false]],
  ['a note in JSON', `{"notes":"Private key\\n${HEX_ONE}"}`, [true, false]],
  ['the content of a WIF', `private key: 80${HEX_ONE}`, [false]],
  ['the content of a WIF, compressed', `private key: 80${HEX_ONE}01`, [true]],
  ['base64', `{"privkey":"${Buffer.from(HEX_ONE, 'hex').toString('base64')}"}`, [true, false]],
  ...['bitcoin', 'BTC_key', 'wallet.dat', 'multibit', ADDRESS_OF_HEX_ONE, ADDRESS_TWO].map(
    (word): [string, string, boolean[]] => [
      `base64 beside ${word}`,
      `${word} private key: ${Buffer.from(HEX_ONE, 'hex').toString('base64')}`,
      word === ADDRESS_OF_HEX_ONE ? [true] : [true, false],
    ],
  ),
] as const)('reads the bytes of a private key in %s, and names such a file', (_, text, forms) => {
  const { hexKeys, lines } = keysInText(text);
  expect(hexKeys.map(({ key }) => key.compressed)).toEqual(forms);
  for (const { key } of hexKeys) expect(Buffer.from(key.privateKey).toString('hex')).toBe(HEX_ONE);
  expect(lines.damaged).toEqual([]);
  const bytes = Buffer.from(text);
  expect(recogniseOther(bytes, bytes.length, '')).toEqual({ code: 'private_keys' });
});

it.each(['EC PRIVATE KEY', 'PRIVATE KEY'])('reads a key of the curve in PEM: %s', (name) => {
  const curve = name === 'PRIVATE KEY' ? '301006072a8648ce3d020106052b8104000a' : '';
  const der = `302e${curve}0201010420${HEX_ONE}a00706052b8104000a`;
  const pem = (hex: string) =>
    `-----BEGIN ${name}-----\n${Buffer.from(hex, 'hex').toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${name}-----\n`;
  const forms = [
    pem(der),
    pem(der).replace(/^(?=.)/gm, '> '),
    pem(der).replace(/^(?=.)/gm, '12: '),
    `${JSON.stringify({ pem: pem(der) })}\n`,
  ];
  for (const { hexKeys, lines } of forms.map((text) => keysInText(text))) {
    expect(hexKeys).toHaveLength(2);
    expect(lines.states.slice(0, -1).every((state) => state === 'taken')).toBe(true);
  }
  const two = pem(der) + pem(der.replace(HEX_ONE, HEX_ONE.replace('1', '2')));
  for (const text of [JSON.stringify({ two }), two, two.replaceAll('\n', '')])
    expect(keysInText(text).hexKeys).toHaveLength(4);
  // Another curve.
  expect(keysInText(pem(der.replaceAll('2b8104000a', '2b81040022'))).hexKeys).toEqual([]);
});

describe('a multisig script beside its keys', () => {
  const publicKey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
  const script = `5221${publicKey}21${publicKey}52ae`;
  const keys = JSON.stringify([publicKey, publicKey]);
  it.each([
    ['on its own line', `Redeem Script:\n${script}`],
    ['of createmultisig', `{"address": "3x",\n "redeemScript": "${script}"}`],
    ['over several lines of mail', `> ${script.replace(/.{70}/g, '$&=\n> ')}`],
    ['as a request for it', `bitcoin-cli addmultisigaddress 2 '${keys}' "shared"`],
    ['as a request over HTTP', `{"method": "createmultisig", "params": [2, ${keys}]}`],
    ['as a named request', `bitcoin-cli -named createmultisig nrequired=2 keys='${keys}'`],
    ['as a long request', `createmultisig(2,\n[\n"${publicKey}",\n"${publicKey}"\n])`],
  ])('is taken %s', (_, text) => {
    const { multisigs, lines } = keysInText(`${text}\n${ONE}`);
    expect(multisigs.map((one) => Buffer.from(one).toString('hex'))).toEqual([script]);
    expect(lines).toMatchObject({ keys: 1, damaged: [] });
    expect(lines.states.filter((state) => state === 'taken').length).toBeGreaterThan(1);
    const records = recordsByType(
      readText(Buffer.from(`${text}\n${ONE}`), { network: 'main' })?.records ?? [],
    );
    expect(records.of('cscript')).toHaveLength(2);
    expect(keysInText(text).multisigs).toEqual([]);
  });

  it('is none in a longer number, or without all of its keys', () => {
    for (const text of [
      `00${script}`,
      script.replace('52ae', '53ae'),
      `addmultisigaddress 3 '${keys}'`,
      'createmultisig'.repeat(100_000),
    ])
      expect(keysInText(`${text}\n${ONE}`).multisigs).toEqual([]);
  });
});

it('reads a key in a mail of quoted-printable, and in a block of a disk', () => {
  const mail = `Content-Transfer-Encoding: quoted-printable\n\nkey=3D${ONE.slice(0, 40)}=\n${ONE.slice(40)} caf=C3=A9\n`;
  for (const encoding of ['utf8', 'utf16le'] as const)
    for (const text of [mail, `${ONE}\n`]) {
      const padded = Buffer.concat([Buffer.from(text, encoding), Buffer.alloc(4096)]);
      expect(keysInText(decodeText(padded) ?? '')).toMatchObject({
        keys: [{ text: ONE }],
        lines: { keys: 1, damaged: [] },
      });
    }
  const parts = `${mail}--0123456789\nContent-Type: text/plain\n\nprivate key=${'ab'.repeat(32)}`;
  expect(keysInText(decodeText(Buffer.from(parts)) ?? '').lines).toMatchObject({ keys: 2, damaged: [] });
  // A mail program decoded the text that was copied from it.
  const copied = mail.replace('=3D', '=c');
  expect(decodeText(Buffer.from(copied))).toBe(copied);
});

it.each([
  ['after lines of dashes', `Hi\n-----Original Message-----\nMy keys\n----------------\nkey=3D${ONE}`],
  ['in lower-case codes', `key=3d${ONE}`],
  ['before a soft break at the end', `key=3D${ONE}=\n`],
  ['beside a bare sign', `key=3D${ONE}</a> 1 + 1 = 2`],
  ['behind the code of a space, beside a bare sign', `key:=C2=A0${ONE} a=b`],
  ['behind the code of a space in Latin-1', `key:=A0${ONE}`],
  ['of a test network, decoded already', `key=${TEST_KEYS[1]}`],
  ['in hex, decoded already', `private key=41${'3D'.repeat(31)}`],
  ['in a part without text lines', `Hi=0D=0A=\nkey=3D${ONE}=0D=0A=\n`],
])('reads a key in quoted-printable %s', (_, body) => {
  const text = `Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=utf-8\n\n${body}`;
  const { lines } = keysInText(decodeText(Buffer.from(text)) ?? '');
  expect(lines).toMatchObject({ keys: 1, damaged: [] });
  expect(lines.states.indexOf('taken')).toBe(
    text.split('\n').findIndex((line) => line.startsWith('key') || line.startsWith('private')),
  );
});

it('reads a mini key in groups of one size', () => {
  for (const groups of ['S6c56 bnXQi Bjk9m qSYE7 ykVQ7 NzrRy', 'S6c5 6bnX QiBj k9mq SYE7 ykVQ 7Nzr Ry'])
    expect(keysInText(groups).keys).toMatchObject([{ text: groups.replaceAll(' ', ''), form: 'private' }]);
  expect(keysInText('S6c56bnX QiBjk9mqSYE7ykVQ 7NzrRy').keys).toEqual([]);
});

it('takes no key of WireGuard or another program for Bitcoin’s', () => {
  const key = Buffer.from(HEX_ONE, 'hex').toString('base64');
  for (const text of [
    `[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = ${key}`,
    `{"private_key":"${key}"}`,
    `{"secret":"${key}"}`,
  ])
    expect(keysInText(text)).toMatchObject({ hexKeys: [], lines: { damaged: [] } });
});

it('reads a private key in DER, and one of Blockchain.com that its address proves', () => {
  const { keys } = JSON.parse(new TextDecoder().decode(textFile('dump.json')));
  const { private: der } = keys[0];
  expect(keysInText(`"private_key_hex": "${der}"`).hexKeys).toMatchObject([{ key: { compressed: true } }]);
  const right = `{"addr": "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH", "priv": "${'1'.repeat(31)}2"}`;
  expect(keysInText(right).hexKeys).toMatchObject([{ key: { compressed: true } }]);
  const { hexKeys, lines } = keysInText(right.replace('1BgG', '1BgH'));
  expect([hexKeys, lines.damaged]).toEqual([[], [{ line: 1, column: 1, why: 'address' }]]);
});

it('offers each key in hex of JSON, or marks its line', () => {
  const of = (member: object): unknown[] => {
    const { hexKeys, lines } = keysInText(JSON.stringify(member, null, 1));
    const offered = hexKeys.map(({ key, addresses }) => [key.compressed, addresses]);
    return [...offered, ...lines.damaged.map(({ line, why }) => [line, why])];
  };
  const either = (addresses: string[] | null) => [true, false].map((compressed) => [compressed, addresses]);
  const taproot = 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9';
  expect(of({ address: taproot, privkey: HEX_ONE })).toEqual(either([taproot]));
  expect(of({ address: 'the blue one', privkey: `0x${HEX_ONE}` })).toEqual(either(null));
  expect(of({ a: 1, private: { hex: HEX_ONE } })).toEqual(either(null));
  const address = ADDRESS_OF_HEX_ONE;
  for (const written of [address, `p2pkh:${address}`, `bitcoin:${address}?amount=1`, [ADDRESS_ONE, address]])
    for (const name of ['key', 'privkey', 'secret', 'd'])
      expect(of({ address: written, [name]: HEX_ONE })).toMatchObject([
        [true, expect.arrayContaining([address])],
      ]);
  // Of Ethereum and of Litecoin.
  for (const foreign of ['0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf', 'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ'])
    for (const name of ['key', 'privkey'])
      expect(of({ address: foreign, [name]: HEX_ONE })).toEqual([[3, 'address']]);
  expect(of({ address, txid: 'a'.repeat(64), pubkey: 'b'.repeat(64) })).toEqual([]);
  expect(keysInText(`{"secret": "p2pkh:${ONE}"}`).lines).toMatchObject({ keys: 1, damaged: [] });
});

describe('a key that is written apart', () => {
  const groupsOf = (size: number, between = ' ') =>
    (ONE.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(between);
  const sealed = '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg';

  it.each([
    `Private key: ${groupsOf(4)}`,
    `Private key ${groupsOf(4)} savings`,
    `${groupsOf(4)} = mine`,
    groupsOf(5),
    groupsOf(10),
    groupsOf(26),
    groupsOf(4, '\u00a0'),
    groupsOf(4, '  '),
    groupsOf(5, '-'),
    groupsOf(1),
    `${ONE.slice(0, 26)}\n${ONE.slice(26)}`,
    `> ${ONE.slice(0, 44)}=\n> ${ONE.slice(44)} rest`,
    `key: ${ONE.slice(0, 20)}\n  ${ONE.slice(20, 40)}\n  ${ONE.slice(40)}`,
    groupsOf(4, '\u2011'),
    groupsOf(20, '\u202c'),
    `\u2067מפתח: \u200e${groupsOf(20, '\u2060')}\u200f\u2069`,
    `秘密鍵：${groupsOf(4, '\u3000').replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))}`,
    `<p><span class="x">${groupsOf(20, '</span><span class="x">')}</span></p>`,
    `<p>${groupsOf(20, '<wbr>')}</p>`,
    `<p>${groupsOf(26, '<br>\n')}</p>`,
    `{\\rtf1\\ansi {\\f0 ${groupsOf(20, '}{\\f1\\fs24 ')}}}`,
    `{\\rtf1\\ansi ${groupsOf(26, '\\par\n')}}`,
    `{"notes":"my key\\n${ONE}\\tsavings"}`,
    `Content-Transfer-Encoding: base64\r\nX-Id: 1\r\n\r\n${Buffer.from(`Clé: ${ONE}`).toString('base64')}\r\n--x--`,
  ])('%s', (text) => {
    const { keys, lines } = keysInText(decodeText(Buffer.from(text)) ?? '');
    expect(keys).toMatchObject([{ text: ONE, form: 'private' }]);
    expect(lines).toMatchObject({ keys: 1, damaged: [] });
  });

  it('is found among others, and is damaged with a wrong letter', () => {
    expect(keysInText(`${TWO} ${groupsOf(4)}`).keys.map(({ text }) => text)).toEqual([TWO, ONE]);
    expect(keysInText(`${sealed.slice(0, 29)}\n${sealed.slice(29)}`).keys).toMatchObject([
      { form: 'sealed' },
    ]);
    const wrong = groupsOf(4).replace('5gGE', '5gGF');
    expect(keysInText(`Private key: ${wrong}`).lines.damaged).toMatchObject([{ line: 1, why: 'checksum' }]);
  });
});

it('reads keys in hex of any JSON and below a title, and not the other columns of a table', () => {
  const [hex, address] = [HEX_ONE, ADDRESS_OF_HEX_ONE];
  const found = (text: string) => keysInText(text).hexKeys.map(({ key }) => key.compressed);
  for (const name of ['privateKey', 'private_key', 'privkey'])
    expect(found(`{"address": "${address}", "${name}": "${hex}"}`)).toEqual([true]);
  expect(found(`{"a": 1}\nPrivate key: ${HEX_ONE}`)).toEqual([true, false]);
  for (const text of [
    `Private Key Hexadecimal Format (64 characters [0-9A-F]):\n${hex}`,
    `## privkey\n\n> 0x${hex}`,
    `"private": {\n  "hex": "${hex}"`,
    `secret\n${ONE}\n${hex}`,
  ])
    expect(found(text)).toEqual([true, false]);
  expect(found(`Private keys:\n${hex}\n2. ${hex.slice(0, -1)}2`)).toHaveLength(4);
  for (const text of [
    `Private notes\nHash:\n${hex}`,
    `Private: ${ONE}\n${hex}`,
    `priv ${'a '.repeat(60)}\n${hex}`,
  ])
    expect(found(text)).toEqual([]);
  expect(keysInText(`Private key:\n${hex.slice(1)}`).lines.damaged).toEqual([
    { line: 2, column: 1, why: 'length' },
  ]);
  expect(found(`pub: 02${hex} priv: ${hex}`)).toEqual([true, false]);
  expect(found(`sep=;\naddress;private key\n${address};${hex}`)).toEqual([true]);
  expect(found(`address,privkey,txid\n${address},${hex},${'a'.repeat(64)}`)).toEqual([true]);
});

it('keeps the facts of a dump that is quoted, and of JSON in a shell', () => {
  const dumped = `> ${ONE} 2012-07-17T11:27:37Z label=rent # addr=${ADDRESS_ONE}`;
  expect(keysInText(dumped).keys).toMatchObject([{ label: 'rent', createTime: 1342524457 }]);
  const shell = `importdescriptors '[{"desc":"wpkh(${ONE})","timestamp":"1394431948","label":null}]'`;
  expect(keysInText(shell).keys).toMatchObject([{ createTime: 1394431948, label: null }]);
});

it('takes calls in a program for no damaged descriptors', () => {
  const code =
    'tr("Encrypt_your_private_keys_now") sh("pip_install_something_more") raw(https://example.com/aaaa)';
  expect(keysInText(code).lines.damaged).toEqual([]);
});

it('finds a short script by its checksum, and says if that is wrong', () => {
  expect(keysInText('raw(51)#8lvh9jxk').keys).toMatchObject([
    { form: 'descriptor', text: 'raw(51)#8lvh9jxk' },
  ]);
  expect(keysInText('raw(52)#8lvh9jxk').lines.damaged).toMatchObject([{ line: 1, why: 'checksum' }]);
  expect(keysInText('raw(51) and what follows it').keys).toEqual([]);
});

it('reads a key that is glued to other words', () => {
  const found = (text: string) => keysInText(text).keys.map((key) => key.text);
  expect(found(`WIF${ONE}`)).toEqual([ONE]);
  expect(found(ADDRESS_ONE + ONE)).toEqual([ONE]);
  expect(found(`${ONE}savings`)).toEqual([ONE]);
  expect(found(ONE + TWO)).toEqual([ONE, TWO]);
});

it.each(['h', "'", '’'])('reads a descriptor by its checksum, with %s for its hardened steps', (mark) => {
  const withMark = (one: string) => `wpkh([d34db33f/84_/0_/0_]${XPUB}/0/*)`.replaceAll('_', one);
  for (const right of ['h', "'"]) {
    const text = withChecksum(withMark(right));
    const desc = `${withMark(mark)}${text.slice(-9)}`;
    const found = keysInText(JSON.stringify({ desc, label: 'x' }));
    expect(found).toMatchObject({ keys: [{ text, label: 'x' }], lines: { damaged: [] } });
  }
});

it('reads a descriptor over several lines, as one', () => {
  const printed = `wsh(\n  sortedmulti(\n    2,\n    ${XPUB}/0/*,\n    ${XPUB}/1/*\n  )\n)\nother`;
  expect(keysInText(printed)).toMatchObject({
    keys: [{ form: 'descriptor', text: `wsh(sortedmulti(2,${XPUB}/0/*,${XPUB}/1/*))` }],
    lines: { taken: 7, damaged: [], states: [...Array(7).fill('taken'), 'other'] },
  });
  const mailed = `> wpkh([00000000/84h/0h\n> /0h]${XPUB}/0/*) savings`;
  expect(keysInText(mailed).keys).toMatchObject([{ form: 'descriptor', label: 'savings' }]);
  const wrong = keysInText(printed.replace('2,', '3,')).lines;
  expect(wrong).toMatchObject({ keys: 0, taken: 0, damaged: [{ line: 1, why: 'descriptor' }] });
});

it('takes the whole private keys of a damaged descriptor, but none of several keys of a script', () => {
  const damaged = [
    `wpkh(${ONE})#aaaaaaaa ${TWO}`,
    `wpkh(${XPRV}/x/*)`,
    `pkh(${XPUB}/y)`,
    `tr(musig(${ONE},${XPUB}))#aaaaaaaa`,
  ];
  const { keys, lines } = keysInText(damaged.join('\n'));
  expect(keys.map(({ text }) => text)).toEqual([ONE, TWO, XPRV]);
  expect(lines.states).toEqual(damaged.map(() => 'damaged'));
  // Only the keys of the others are lost.
  expect(countDamage(lines)).toEqual({ lost: 2, of: 4 });
  expect(lines.taken).toBe(2);
});

it('reads descriptors in the escapes of JSON', () => {
  const desc = `wpkh([00000000/84'/0'/0']${XPUB}/0/*)`;
  const escaped = JSON.stringify({ desc }).replaceAll('/', '\\/').replaceAll("'", '\\u0027');
  expect(keysInText(escaped).keys).toMatchObject([{ text: desc, form: 'descriptor' }]);
});

it('takes no chain code for a private key', () => {
  const wasabi = `{"EncryptedSecret":"6P","ChainCode":"${HEX_ONE}"}`;
  expect(keysInText(wasabi).hexKeys).toEqual([]);
});

it('reads a key in hex that an address on its line proves', () => {
  const found = (text: string) => keysInText(text).hexKeys.map(({ key }) => key.compressed);
  expect(found(`${ADDRESS_OF_HEX_ONE} ${HEX_ONE}`)).toEqual([true]);
  expect(found(`${ADDRESS_ONE} ${HEX_ONE}`)).toEqual([]);
});

/** Keys in, keys out: the same keys in many shapes, each with a key that has one wrong letter. */
describe('a hundred texts', () => {
  const keys = [
    [ONE, ADDRESS_ONE],
    [TWO, ADDRESS_TWO],
    ['5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR', '1Jq6MksXQVWzrznvZzxkV6oY57oWXD9TXB'],
  ] as const;
  const shapes: readonly [name: string, shape: (key: string, address: string, at: number) => string][] = [
    ['alone', (key) => key],
    ['address first', (key, address) => `${address} ${key}`],
    ['CSV', (key, address, at) => `${at},${address},${key}`],
    ['quoted CSV', (key, address, at) => `"${at}";"${address}";"${key}"`],
    ['importprivkey', (key) => `bitcoin-cli importprivkey "${key}" "x" false`],
    ['a prompt', (key) => `> p2wpkh:${key}`],
    ['JSON', (key, address) => `  "${address}": "p2pkh:${key}",`],
    ['vanitygen', (key, address) => `Address: ${address}\tPrivkey: ${key}`],
    ['curly quotes', (key) => `“${key}”`],
    ['tabs', (key, address) => `\t${key}\t${address}\t0.1`],
  ];
  const encodings: readonly [name: string, encode: (text: string) => Uint8Array][] = [
    ['UTF-8', (text) => Buffer.from(`${text}\né`)],
    ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with a mark', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16, big-endian', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ];
  const all = shapes.flatMap(([shape, write], one) =>
    encodings.flatMap(([encoding, encode], two) =>
      ['\n', '\r\n'].map((lineEnd, three) => ({
        shape,
        encoding,
        write,
        encode,
        lineEnd,
        at: one + two + three,
      })),
    ),
  );

  it.each(all)('$shape, $encoding, $at', ({ write, encode, lineEnd, at }) => {
    const [wrongKey, wrongAddress] = keys[at % 3] ?? ['', ''];
    const place = 3 + ((at * 7) % 40);
    const wrong =
      wrongKey.slice(0, place) + (wrongKey[place] === 'k' ? 'm' : 'k') + wrongKey.slice(place + 1);
    const right = keys.filter(([key]) => key !== wrongKey);
    const lines = right.map(([key, address], number) => write(key, address, number));
    const damaged = at % lines.length;
    lines.splice(damaged, 0, write(wrong, wrongAddress, 9));
    const read = readText(encode(lines.join(lineEnd)), { network: 'main' });
    expect(new Set(wifsIn(read?.records ?? [], null, 'main'))).toEqual(new Set(right.map(([key]) => key)));
    expect(read?.lines).toMatchObject({ taken: 2, damaged: [{ line: damaged + 1, why: 'checksum' }] });
  });
});

it.each([
  ['alone', (key: string) => key],
  ['behind an address', (key: string) => `${ADDRESS_ONE},${key}`],
  ['before a date', (key: string) => `${key} 2014-03-10 savings`],
  ['in Python', (key: string) => `keys = ['${key}', "${TWO}"]`],
  ['in a link', (key: string) => `bitcoin:${ADDRESS_ONE}?privkey=${key}&label=rent`],
] as const)('reports one wrong letter at each place of a key %s', (_, write) => {
  const sealed = '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg';
  const silent = [ONE, sealed, '5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR', XPRV].flatMap((key) =>
    [...key].flatMap((letter, at) => {
      const [before, after] = [key.slice(0, at), key.slice(at + 1)];
      const wrong = [
        `${before}${letter === 'k' ? 'm' : 'k'}${after}`,
        before + after,
        `${before}k${letter}${after}`,
      ];
      return wrong.filter((text) => keysInText(write(text)).lines.damaged.length !== 1);
    }),
  );
  expect(silent).toEqual([]);
});

it('reads other encodings than UTF-8, and no bytes that are no text', () => {
  expect(decodeText(Buffer.from(`Schl\xfcssel: ${ONE}`, 'latin1'))).toBe(`Schlüssel: ${ONE}`);
  const russian = Buffer.concat([Buffer.alloc(200, 0xca), Buffer.from(`\n${ONE}`)]);
  expect(decodeText(russian)?.split('\n')[1]).toBe(ONE);
  expect(decodeText(Buffer.concat([Buffer.from(ONE, 'utf16le'), Buffer.from('\n')]))).toBe(ONE);
  const other = 'Ключ от старого кошелька, который лежал в столе: ';
  expect(decodeText(Buffer.from(other + ONE, 'utf16le'))).toBe(other + ONE);
  expect(decodeText(Buffer.from(`\x1b[32m${ONE}\x1b[0m\x1a`))).toBe(ONE);
  expect(decodeText(Buffer.from(`My key:\u000b${ONE} \u0007`))).toBe(`My key: ${ONE}  `);
  for (const bytes of [Buffer.from([1, 2, 3]), Buffer.alloc(64), Buffer.from('\xff\xd8\xff\xe0', 'latin1')])
    expect(decodeText(bytes)).toBeNull();
});
