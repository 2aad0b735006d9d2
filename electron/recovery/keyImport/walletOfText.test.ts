import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { withChecksum } from '../../walletfile/descriptor/checksum.ts';
import { expand } from '../../walletfile/descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../../walletfile/descriptor/descriptorParse.ts';
import { exportDescriptors } from '../../walletfile/inspect/exportWallet.ts';
import { readEntries } from '../../walletfile/inspect/identifyWallet.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { deriveChild, type ExtendedPrivateKey, readExtendedKey } from '../../walletfile/keys/extendedKey.ts';
import { writeWif } from '../../walletfile/keys/privateKey.ts';
import { recordsByType } from '../../walletfile/records/records.ts';
import { addressOf, scriptOfAddress } from '../../walletfile/script/address.ts';
import { showWallet } from '../../walletfile/testing/newWallet.ts';
import { importedScripts, slip132Keys } from '../../walletfile/testing/vectors.ts';
import { descriptorNames, factsOf, walletFile } from '../../walletfile/testing/wallets.ts';
import { readText } from './readText.ts';
import { walletOfText } from './walletOfText.ts';

const imported = async (text: string, network: Parameters<typeof walletOfText>[1] = 'regtest') =>
  (await walletOfText(new TextEncoder().encode(text), network))?.bytes ?? new Uint8Array();
const listed = (bytes: Uint8Array, secret = true) =>
  exportDescriptors(bytes, { private: secret, format: 'importdescriptors' });
const privateOf = (name: string) => factsOf(name).before.listdescriptors_private?.descriptors ?? [];

/** The master key of BIP 32's first test vector, and an account of it. */
const ROOT =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
const ROOT_PUBLIC =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';
const ACCOUNT =
  'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw';

const REGTEST_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

describe('what listdescriptors gave', () => {
  it('is the same wallet, with its ranges, times and active descriptors', async () => {
    const all = privateOf('descriptor-hd');
    const bytes = await imported(JSON.stringify({ wallet_name: 'x', descriptors: all }));
    expect(JSON.parse(await listed(bytes))).toEqual(all.map(({ next, ...rest }) => rest));
    const [before, after] = [await showWallet(walletFile('descriptor-hd')), await showWallet(bytes)];
    expect(after.scripts).toEqual(before.scripts);
    expect(await inspect(bytes)).toMatchObject({
      kind: 'descriptor',
      network: { name: 'regtest', from: 'file' },
      problems: [],
      flags: expect.not.arrayContaining(['disable_private_keys']),
    });
  });

  it('twice, with other ranges and births, is the wider and the earlier', async () => {
    const [{ desc = '' } = {}] = privateOf('descriptor-hd');
    const exports = [
      [{ desc, timestamp: 1394431948, active: true, internal: true, range: [0, 4000], next: 3000 }],
      [{ desc, timestamp: 1700000000, active: false, range: [0, 10] }],
      [{ desc }],
    ].map((one) => JSON.stringify(one));
    for (const text of [exports.slice(0, 2), exports.slice(0, 2).reverse()])
      expect(JSON.parse(await listed(await imported(text.join('\n'))))).toMatchObject([
        { timestamp: 1394431948, active: true, internal: true, range: [0, 4000], next_index: 3000 },
      ]);
    const active = async (text: string[]) =>
      JSON.parse(await listed(await imported(text.join('\n'))))[0].active;
    expect(await active(exports.slice(1))).toBe(await active(exports.slice(1).reverse()));
  });

  it('gives its caches as the node wrote them', async () => {
    const bytes = await imported(JSON.stringify(privateOf('descriptor-hd')));
    const of = async (file: Uint8Array) => {
      const records = recordsByType((await readEntries(file)).records);
      return [
        'walletdescriptorcache',
        'walletdescriptorlhcache',
        'walletdescriptorkey',
        'activeexternalspk',
      ].map((type) =>
        records
          .entries(type)
          .map(({ key, value }) => `${bytesToHex(key)} ${bytesToHex(value)}`)
          .sort(),
      );
    };
    expect(await of(bytes)).toEqual(await of(walletFile('descriptor-hd')));
  });

  it('only watches if it is public, and leaves public descriptors out beside private ones of the same scripts', async () => {
    const open = factsOf('descriptor-hd').before.listdescriptors?.descriptors ?? [];
    const bytes = await imported(JSON.stringify({ descriptors: open }));
    expect((await inspect(bytes)).flags).toContain('disable_private_keys');
    expect(JSON.parse(await listed(bytes, false))).toHaveLength(open.length);
    const both = await walletOfText(
      textOf(JSON.stringify([...open, ...privateOf('descriptor-hd')])),
      'regtest',
    );
    expect(both?.notes).toEqual([]);
    expect(JSON.parse(await listed(both?.bytes ?? new Uint8Array()))).toHaveLength(open.length);
  });
});

it.each([undefined, 'main', 'signet'] as const)(
  'is of the network that its keys show, also on a node of %s',
  async (fallback) => {
    const wallet = await walletOfText(textOf(ROOT), fallback);
    expect(wallet?.network).toBe('main');
    expect((await inspect(wallet?.bytes ?? new Uint8Array())).network.name).toBe('main');
  },
);

describe('lines of descriptors', () => {
  it('are active by their paths, with a node’s default range', async () => {
    const all = privateOf('descriptor-hd');
    const bytes = await imported(all.map(({ desc }) => desc).join('\r\n'));
    const requests: object[] = JSON.parse(await listed(bytes));
    expect(requests).toMatchObject(
      all.map(({ desc, active, internal }) => ({ desc, active, internal, range: [0, 999], timestamp: 1 })),
    );
  });

  it('of Miniscript get an id that every release accepts', async () => {
    const bytes = await imported(
      withChecksum(`wsh(and_v(v:pk([00000000/84h]${ACCOUNT}/0/7),older(144)))`),
      'main',
    );
    expect((await inspect(bytes)).conditions).toEqual([]);
  });

  it('keep labels, and single keys among them', async () => {
    const wif = '5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR';
    const compressed = 'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP';
    const bytes = await imported(
      `${withChecksum(`wpkh(${compressed})`)} paper\nmine:\n${wif} old one`,
      'main',
    );
    const { records } = await readEntries(bytes);
    const names = recordsByType(records).of('name');
    expect(names.map(({ label }) => label).sort()).toEqual(['old one', 'paper']);
    expect(names.some(({ address }) => address.startsWith('bc1q'))).toBe(true);
    expect(await listed(bytes)).toContain(`combo(${wif})`);
  });

  it('of several paths become one for each, the second for change', async () => {
    const bytes = await imported(withChecksum(`wpkh(${ROOT}/84h/0h/0h/<0;1>/*)`), 'main');
    expect(JSON.parse(await listed(bytes))).toMatchObject([
      { desc: expect.stringContaining('/0/*'), active: true, internal: false },
      { desc: expect.stringContaining('/1/*'), active: true, internal: true },
    ]);
  });

  it('that are wrong are left out', async () => {
    const [{ desc = '' } = {}] = privateOf('descriptor-hd');
    const damaged = withChecksum(`wpkh(${ACCOUNT}/0/*)`).replace('/0', '/1');
    expect(await walletOfText(textOf(damaged), 'regtest')).toBeNull();
    const bytes = await imported(`${desc}\nwpkh(5broken5broken5broken)#aaaaaaaa`);
    expect(JSON.parse(await listed(bytes))).toMatchObject([{ desc }]);
  });

  it('of single keys without a label get the empty one, as from a node, but not for change', async () => {
    const key = 'L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP';
    const namesOf = async (text: string) => {
      const { records } = await readEntries(await imported(text, 'main'));
      return recordsByType(records)
        .of('name')
        .map(({ label }) => label);
    };
    const desc = withChecksum(`wpkh(${key})`);
    expect(await namesOf(desc)).toEqual(['']);
    expect(await namesOf(JSON.stringify([{ desc, timestamp: 'now', internal: true }]))).toEqual([]);
  });

  it('keep the keys in hex next to them, and the earliest birth of one that is there twice', async () => {
    const hex = `${'0'.repeat(63)}1`;
    const desc = withChecksum('wpkh(L44B5gGEpqEDRS9vVPz7QT35jcBG2r3CZwSwQ4fCewXAhAhqGVpP)');
    const bytes = await imported(
      `Private key: ${hex}\n${desc} created 2022-01-02\n${desc} created 2013-01-02`,
      'main',
    );
    const requests: { desc: string; timestamp: number }[] = JSON.parse(await listed(bytes));
    expect(requests.filter(({ desc: one }) => one.startsWith('combo('))).toHaveLength(2);
    expect(requests.find(({ desc: one }) => one === desc)).toMatchObject({ timestamp: 1356998400 });
    const encrypted = JSON.stringify({ encrypted_privkey: '00'.repeat(48), pubkey: `02${'11'.repeat(32)}` });
    await expect(imported(`${desc}\n${encrypted}`, 'main')).rejects.toMatchObject({
      finding: { code: 'keys_of_several_wallets' },
    });
  });

  it('with typed keys, an origin, or the two paths of BIP 129 are rewritten', async () => {
    const zpub =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
    const fromKey = JSON.parse(await listed(await imported(`[73c5da0a/84h/0h/0h]${zpub}`, 'main'), false));
    const bytes = await imported(`BSMS 1.0\nwpkh([73c5da0a/84'/0'/0']${zpub}/**)\n/0/*,/1/*\n`, 'main');
    const fromText = JSON.parse(await listed(bytes, false));
    expect(fromText).toMatchObject([
      { desc: expect.stringMatching(/xpub\w+\/0\/\*/), active: true, internal: false },
      { desc: expect.stringMatching(/xpub\w+\/1\/\*/), active: true, internal: true },
    ]);
    expect(
      fromKey.map(({ active, internal }: { active: boolean; internal: boolean }) => [active, internal]),
    ).toEqual([
      [true, false],
      [true, true],
    ]);
  });

  it('without their checksum are accepted and reported', async () => {
    const [{ desc = '' } = {}] = privateOf('descriptor-hd');
    const [bare = ''] = desc.split('#');
    expect(await walletOfText(textOf(desc), 'regtest')).toMatchObject({ notes: [] });
    expect(await walletOfText(textOf(`${desc}\n${bare}`), 'regtest')).toMatchObject({ notes: ['unchecked'] });
    expect(await listed(await imported(bare))).toContain(desc);
    const [several = ''] = withChecksum(`wpkh(${ROOT}/84h/0h/0h/<0;1>/*)`).split('#');
    expect(await walletOfText(textOf(several), 'main')).toMatchObject({ notes: ['unchecked'] });
  });

  it('of addresses and scripts, short ones too, are all in the wallet', async () => {
    const all = [`addr(${REGTEST_ADDRESS})`, 'raw(51)', 'raw(6a0568656c6c6f)'].map((desc) => ({
      desc: withChecksum(desc),
      timestamp: 1,
      active: false,
    }));
    expect(JSON.parse(await listed(await imported(JSON.stringify(all)), false))).toMatchObject(all);
    await expect(walletOfText(textOf(all[0]?.desc), undefined)).rejects.toMatchObject({
      finding: { code: 'network_needed' },
    });
  });

  it.each([undefined, 'main'] as const)(
    'of a test network need the network’s name, also on a node of %s',
    async (fallback) => {
      const text = textOf(privateOf('descriptor-hd')[0]?.desc);
      await expect(walletOfText(text, fallback)).rejects.toMatchObject({
        finding: { code: 'network_needed' },
      });
    },
  );

  it('that fit no network are refused with what is wrong', async () => {
    const mixed = [privateOf('descriptor-hd')[0]?.desc, `wpkh(${ROOT}/0/*)`].join('\n');
    await expect(walletOfText(textOf(mixed), 'main')).rejects.not.toMatchObject({
      finding: { code: 'network_needed' },
    });
  });
});

it.each(importedScripts)(
  '$text is written as a node writes it',
  async ({ text, addresses, records, digest }) => {
    const bytes = await imported(text);
    const { scripts } = await showWallet(bytes);
    for (const address of addresses)
      expect(scripts).toContain(bytesToHex(scriptOfAddress(address, 'regtest')));
    const entries = recordsByType((await readEntries(bytes)).records);
    const caches = ['walletdescriptorcache', 'walletdescriptorlhcache']
      .flatMap((type) => entries.entries(type))
      .map(({ key, value }) => `${bytesToHex(key)} ${bytesToHex(value)}`);
    expect(caches).toHaveLength(records);
    expect(bytesToHex(sha256(new TextEncoder().encode(caches.sort().join('\n'))))).toBe(digest);
    expect((await inspect(bytes)).problems).toEqual([]);
  },
);

it('takes the descriptors of a hardware wallet’s export, and not the keys next to them', async () => {
  const exported = {
    chain: 'BTC',
    xpub: ACCOUNT,
    bip84: { xpub: ACCOUNT, desc: `wpkh([0f056943/84h/0h/0h]${ACCOUNT}/<0;1>/*)`, first: 'bc1qx' },
  };
  const bytes = await imported(JSON.stringify(exported, null, 2), 'main');
  expect(JSON.parse(await listed(bytes, false))).toMatchObject([
    { desc: expect.stringContaining(`${ACCOUNT}/0/*)`), active: true, internal: false },
    { desc: expect.stringContaining(`${ACCOUNT}/1/*)`), active: true, internal: true },
  ]);
});

it('takes each account of a hardware wallet’s export for its use, and leaves out those of a multisig', async () => {
  const share = slip132Keys.map(([key]) => key).find((key) => key.startsWith('zpub')) ?? '';
  const exported = {
    xpub: ROOT_PUBLIC,
    xfp: '3442193E',
    bip44: { deriv: "m/0'", xfp: '5C1BD648', name: 'p2pkh', xpub: ACCOUNT },
    bip48_2: { deriv: "m/48'/0'/0'/2'", name: 'p2wsh', xpub: share },
  };
  const wallet = await walletOfText(textOf(JSON.stringify(exported)), 'main');
  expect(wallet?.notes).toEqual(['multisig']);
  expect(JSON.parse(await listed(wallet?.bytes ?? new Uint8Array(), false))).toMatchObject(
    [0, 1].map((branch) => ({
      desc: withChecksum(`pkh([3442193e/0h]${ACCOUNT}/${branch}/*)`),
      internal: branch === 1,
    })),
  );
});

it('puts the private key of gethdkeys, or beside an export, into its public descriptors', async () => {
  const open = factsOf('descriptor-hd').before.listdescriptors?.descriptors ?? [];
  const [xprv = ''] = /tprv\w+/.exec(privateOf('descriptor-hd')[0]?.desc ?? '') ?? [];
  const facts = (all: typeof open) => all.map(({ desc, active, internal }) => [desc, active, internal]);
  for (const text of [
    [{ xpub: 'x', has_private: true, xprv, descriptors: open.map(({ desc, active }) => ({ desc, active })) }],
    { xprv, export: { descriptors: open } },
  ]) {
    const bytes = await imported(JSON.stringify(text));
    expect(facts(JSON.parse(await listed(bytes, false)))).toEqual(facts(open));
    expect((await listed(bytes)).match(/tprv/g)).toHaveLength(open.length);
  }
  const other = JSON.stringify({ xprv: ROOT, desc: withChecksum(`wpkh(${ACCOUNT}/1/*)`) });
  const wallet = await walletOfText(textOf(other), 'main');
  expect(wallet?.notes).toEqual(['watch-only']);
  expect(JSON.parse(await listed(wallet?.bytes ?? new Uint8Array()))).toHaveLength(13);
});

describe('single private keys beside public descriptors', () => {
  const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
  const PUBLIC = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
  const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const info = {
    desc: withChecksum(`wpkh([150bad0e/0h/0h/0h]${PUBLIC})`),
    timestamp: 1394431948,
    labels: ['rent'],
  };

  it.each([
    ['getaddressinfo', `${JSON.stringify(info, null, 2)}\ndumpprivkey ${ADDRESS}\n${WIF}`, []],
    ['a key in hex', `${JSON.stringify(info)}\nPrivate key: ${'0'.repeat(63)}1`, []],
    ['scantxoutset', `{"desc": "${withChecksum(`addr(${ADDRESS})`)}", "label": "rent"}\n${WIF}`, []],
    [
      'listunspent',
      JSON.stringify([{ ...info, parent_descs: [withChecksum(`wpkh(${ACCOUNT}/0/*)`)] }, WIF]),
      ['watch-only'],
    ],
    ['a master key', `Master public key: ${ACCOUNT}\nPrivate key: ${WIF} rent`, ['watch-only']],
    [
      'the account of a hardware wallet',
      JSON.stringify({
        key: WIF,
        address: ADDRESS,
        label: 'rent',
        bip44: { deriv: "m/0'", name: 'p2pkh', xpub: ACCOUNT },
      }),
      ['watch-only'],
    ],
  ])('make one wallet: %s', async (_, text, notes) => {
    const wallet = await walletOfText(textOf(text), 'main');
    const bytes = wallet?.bytes ?? new Uint8Array();
    expect(wallet?.notes).toEqual(notes);
    const found: { desc: string; timestamp: number }[] = JSON.parse(await listed(bytes));
    expect(found).toContainEqual(expect.objectContaining({ desc: withChecksum(`combo(${WIF})`) }));
    if (text.includes(PUBLIC)) {
      const desc = withChecksum(`wpkh([150bad0e/0h/0h/0h]${WIF})`);
      expect(found).toContainEqual(expect.objectContaining({ desc, timestamp: info.timestamp }));
    }
    const labels = recordsByType((await readEntries(bytes)).records).of('name');
    expect(labels).toContainEqual(expect.objectContaining({ address: ADDRESS, label: 'rent' }));
  });

  it('do not stand for a range that starts with their address', async () => {
    const { privateKey } = deriveChild(readExtendedKey(ROOT, 'main') as ExtendedPrivateKey, [0, 0]);
    const key = writeWif({ privateKey, compressed: true }, 'main');
    const text = [`wpkh(${key})`, `wpkh(${ROOT_PUBLIC}/0/*)`].map(withChecksum).join('\n');
    expect((await walletOfText(textOf(text), 'main'))?.notes).toEqual(['watch-only']);
  });

  it('are known by their index in a range, which takes their label, but not beyond its end', async () => {
    for (const [index, notes] of [
      [5, []],
      [1000, ['watch-only']],
    ] as const) {
      const node = deriveChild(readExtendedKey(ROOT, 'main') as ExtendedPrivateKey, [0, index]);
      const desc = withChecksum(`wpkh([00000000/0/${index}]${bytesToHex(node.publicKey)})`);
      const request = JSON.stringify({ desc, label: 'rent' });
      const wallet = await walletOfText(textOf(`${withChecksum(`wpkh(${ROOT}/0/*)`)}\n${request}`), 'main');
      const labels = recordsByType((await readEntries(wallet?.bytes ?? new Uint8Array())).records).of('name');
      expect([wallet?.notes, labels.map(({ label }) => label)]).toEqual([
        notes,
        notes.length ? [] : ['rent'],
      ]);
    }
  });

  it('have their multisig scripts', async () => {
    const script = `5121${PUBLIC}51ae`;
    const text = `{"redeemScript": "${script}", "descriptor": "${withChecksum(`sh(multi(1,${PUBLIC}))`)}"}\n${WIF}`;
    const found: { desc: string }[] = JSON.parse(await listed(await imported(text, 'main')));
    expect(found.map(({ desc }) => desc).sort()).toEqual(
      [
        `combo(${WIF})`,
        ...['sh(M)', 'sh(wsh(M))', 'wsh(M)'].map((one) => one.replace('M', `multi(1,${WIF})`)),
      ].map((desc) => withChecksum(desc)),
    );
  });
});

it('takes the private key of a Coldcard’s backup text', async () => {
  const text = `# Coldcard backup file! DO NOT CHANGE.\n\n# Private key details: Bitcoin\nxprv = "${ROOT}"\nxpub = "${ACCOUNT}"\nxfp = "x"\n`;
  expect(JSON.parse(await listed(await imported(text, 'main')))).toHaveLength(13);
});

describe('an extended key', () => {
  it('that is a root has the usual accounts, and the chains of legacy wallets', async () => {
    const requests: { desc: string; active: boolean }[] = JSON.parse(
      await listed(await imported(ROOT, 'main')),
    );
    const inUse = requests.filter(({ active }) => active).map(({ desc }) => desc.split('/')[1]);
    expect(inUse.sort()).toEqual(['44h', '44h', '49h', '49h', '84h', '84h', '86h', '86h']);
    expect(requests.some(({ desc }) => desc.startsWith(`combo(${ROOT}/0h/0h/*h)`))).toBe(true);
    expect(requests).toHaveLength(13);
  });

  it.each(slip132Keys)('%s has its own kind of address', async (key, address) => {
    const requests: { desc: string }[] = JSON.parse(
      await listed(await imported(key, 'main'), key.includes('prv')),
    );
    const found = requests.map(({ desc }) => {
      const { descriptor } = parseDescriptor(desc, { network: 'main' });
      return addressOf(expand(descriptor, 0)[0] ?? new Uint8Array(), 'main');
    });
    expect(found).toHaveLength(2);
    expect(found).toContain(address);
  });

  it('of a multisig is refused with the way to go', async () => {
    // `Zpub`: the same bytes with another version.
    const { encode, decode } = createBase58check(sha256);
    const shared = encode(Uint8Array.of(0x02, 0xaa, 0x7e, 0xd3, ...decode(ACCOUNT).subarray(4)));
    expect(shared).toMatch(/^Zpub/);
    await expect(imported(shared, 'main')).rejects.toMatchObject({ finding: { code: 'multisig_key_alone' } });
    const desc = withChecksum(`wpkh(${ROOT}/84h/0h/0h/0/*)`);
    const share = withChecksum(`wsh(multi(1,${ACCOUNT}/0/*))`);
    for (const [text, notes] of [
      [desc, ['multisig']],
      [share, []],
    ] as const)
      expect((await walletOfText(textOf(`${text}\n${shared}`), 'main'))?.notes).toEqual(notes);
  });

  it.each([
    `Paper 2 of 3\n${ROOT}\n${ROOT_PUBLIC}`,
    `multisig: no\n${ROOT}\n${ACCOUNT}`,
    JSON.stringify({ xprv: ROOT, account: ACCOUNT, multisig: false }),
    `not a multisig\n${ROOT}\n${ACCOUNT}`,
  ])('is no share of a multisig by words that do not say so: %s', async (text) => {
    expect(JSON.parse(await listed(await imported(text, 'main')))).toHaveLength(13);
  });

  it.each([
    `Name: shared\nPolicy: 2 of 2\nDerivation: m/48'/0'/0'/2'\n\n0F056943: ${ACCOUNT}\n`,
    `[0f056943/48h/0h/0h/2h]${ACCOUNT}`,
    `{"quorum": {"requiredSigners": 2}, "extendedPublicKeys": [{"xpub": "${ACCOUNT}"}]}`,
    ...['2of2', '2fa'].map(
      (type) => `{"wallet_type": "${type}", "x1/": {"xprv": "${ROOT}"}, "x2/": {"xpub": "${ACCOUNT}"}}`,
    ),
    `{"policyType": "MULTI", "keystores": [{"extendedPublicKey": "${ACCOUNT}"}]}`,
    `My vault, 2-of-3\n${ACCOUNT}\n${ROOT}`,
  ])('of a multisig text is refused too: %s', async (text) => {
    await expect(imported(text, 'main')).rejects.toMatchObject({ finding: { code: 'multisig_key_alone' } });
  });

  it('in a multisig descriptor with spaces stays in it', async () => {
    const bytes = await imported(
      `wsh(sortedmulti(1, [0f056943/48h/0h/0h/2h]${ACCOUNT}/0/*, ${ACCOUNT}/1/*))`,
      'main',
    );
    expect(JSON.parse(await listed(bytes, false))).toMatchObject([
      { desc: expect.stringMatching(/^wsh\(sortedmulti\(1,\[/) },
    ]);
  });

  it('of an account is watched if it is public', async () => {
    const bytes = await imported(`${ACCOUNT}\n`, 'main');
    expect((await inspect(bytes)).flags).toContain('disable_private_keys');
    expect(JSON.parse(await listed(bytes, false))).toHaveLength(9);
  });
});

describe('a dump of a descriptor wallet', () => {
  const dumpOf = async (name: string, isSql = false) => {
    const { records } = await readEntries(walletFile(name));
    const row = ({ key, value }: RawRecord) =>
      `INSERT INTO main VALUES(X'${bytesToHex(key)}',X'${bytesToHex(value)}');`;
    if (isSql) return `BEGIN TRANSACTION;\n${records.map(row).join('\n')}\nCOMMIT;\n`;
    const lines = records.map(({ key, value }) => `${bytesToHex(key)},${bytesToHex(value)}`);
    const body = `BITCOIN_CORE_WALLET_DUMP,1\nformat,sqlite\n${lines.join('\n')}\n`;
    return `${body}checksum,${bytesToHex(sha256(sha256(new TextEncoder().encode(body))))}\n`;
  };

  it.each(descriptorNames)('%s is that wallet again', async (name) => {
    const before = await readEntries(walletFile(name));
    const texts = ({ records }: typeof before) =>
      records.map(({ key, value }) => `${bytesToHex(key)} ${bytesToHex(value)}`).sort();
    for (const isSql of [false, true]) {
      const bytes = await imported(await dumpOf(name, isSql));
      expect(texts(await readEntries(bytes))).toEqual(texts(before));
      expect((await inspect(bytes)).network.name).toBe('regtest');
    }
  });

  it('is left to a rescue if a line is missing, or if it is a legacy wallet’s', async () => {
    const dump = await dumpOf('descriptor-hd');
    const lines = dump.split('\n');
    const cut = [...lines.slice(0, 5), ...lines.slice(6)].join('\n');
    const sql = await dumpOf('descriptor-hd', true);
    const rows = sql.split('\n');
    const damaged = [1, 4].map((at) => rows.with(at, rows[at]?.slice(0, 40) ?? '').join('\n'));
    for (const text of [cut, dump.replace('sqlite', 'bdb'), sql.replace('COMMIT;', ''), ...damaged])
      expect(await walletOfText(textOf(text), 'regtest')).toBeNull();
    for (const text of damaged)
      expect(readText(textOf(text), {})).toMatchObject({
        unread: 1,
        records: expect.objectContaining({ length: rows.length - 4 }),
      });
  });

  it('in SQL is read in lower case, in the lines of a mail, and beside rows of an index', async () => {
    const sql = await dumpOf('descriptor-hd', true);
    const whole = readText(textOf(sql), {});
    const index = `INSERT INTO lost_and_found VALUES(5,5,2,NULL,X'0561',12,'it''s');\nCOMMIT;`;
    for (const text of [sql.toLowerCase(), sql.replace(/.{76}/g, '$&\r\n'), sql.replace('COMMIT;', index)])
      expect(readText(textOf(text), {})).toEqual(whole);
  });
});

it('leaves texts without any of these to others', async () => {
  for (const text of [
    '',
    '{}',
    '[]',
    '{"keys": []}',
    '5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR',
    'a cat',
  ])
    expect(await walletOfText(textOf(text), 'main')).toBeNull();
});

function textOf(text: string | undefined): Uint8Array {
  return new TextEncoder().encode(text ?? '');
}
