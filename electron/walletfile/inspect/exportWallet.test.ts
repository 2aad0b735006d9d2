import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { readSqlite, writeSqlite } from '../database/walletDatabase.ts';
import { expand } from '../descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import { writePublic } from '../descriptor/descriptorWrite.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { readWif } from '../keys/privateKey.ts';
import { migrateWallet } from '../migrate/migrateWallet.ts';
import { parseRecord, recordsByType, type WalletRecord, writeRecord } from '../records/records.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { showWallet } from '../testing/newWallet.ts';
import {
  descriptorNames,
  editedWallet,
  entriesOf,
  factsOf,
  walletFile,
  walletNames,
} from '../testing/wallets.ts';
import { exportDescriptors, exportKeys, type KeyExportOptions } from './exportWallet.ts';
import { readEntries } from './identifyWallet.ts';

const damageKeys = (record: WalletRecord) =>
  record.type === 'walletdescriptorkey' ? { ...record, checksum: record.checksum.toReversed() } : record;
const removeKeys = (record: WalletRecord) => (record.type === 'walletdescriptorkey' ? null : record);

const exported = (name: string, format: KeyExportOptions['format'] = 'electrum') =>
  exportKeys(walletFile(name), { format, network: 'regtest', passphrase: factsOf(name).passphrase });

const withKeys = walletNames.filter((name) => !/blank|nokeys/.test(name));
describe.each(withKeys)('the keys of %s', (name) => {
  it('spend every coin that a single key spends, and come first', async () => {
    const { text, total, used, ...rest } = await exported(name);
    const lines = linesOf(text);
    expect(lines).toHaveLength(rest.lines);
    expect(new Set(lines.map((line) => line.split(':')[1])).size).toBe(total);
    expect(new Set(lines).size).toBe(lines.length);
    const first = new Set(lines.slice(0, used).flatMap((line) => scriptsOf(line)));
    const singles = factsOf(name).before.listunspent.filter(
      ({ spendable, desc = '' }) => spendable && /^(?:pkh?|wpkh|sh\(wpkh)\(/.test(desc),
    );
    expect(singles.map(({ scriptPubKey }) => scriptPubKey).filter((script) => !first.has(script))).toEqual(
      [],
    );
    expect(singles.length).toBeGreaterThan(3);
    const p2pk = singles.filter(({ desc = '' }) => desc.startsWith('pk('));
    expect(rest.p2pk).toBe(new Set(p2pk.map(({ scriptPubKey }) => scriptPubKey)).size);
  });

  it('are the same in the plain list, each once', async () => {
    const [electrum, wif] = [await exported(name), await exported(name, 'wif')];
    const keys = new Set(linesOf(electrum.text).map((line) => line.split(':')[1]));
    const plain = linesOf(wif.text);
    expect(plain.length).toBe(new Set(plain).size);
    expect([...keys].filter((key) => !plain.includes(key ?? ''))).toEqual([]);
    expect(plain.every((key) => readWif(key, 'regtest') !== null)).toBe(true);
    expect(wif.used).toBeGreaterThan(0);
  });
});

describe('keys for sweeping', () => {
  it('have the scripts of their wallet, over its ranges', async () => {
    const { text, total, ...rest } = await exported('descriptor-hd');
    const scripts = new Set(linesOf(text).flatMap(scriptsOf));
    const listed = factsOf('descriptor-hd').before.listdescriptors?.descriptors ?? [];
    const taproot = listed.filter(({ desc }) => desc.startsWith('tr('));
    expect(rest).toMatchObject({ leftOut: taproot.length, taproot: taproot.length });
    const sizeOf = (all: typeof listed) =>
      all.reduce((sum, { range: [first, last] = [0, 0] }) => sum + last - first + 1, 0);
    const others = listed.filter((one) => !taproot.includes(one));
    for (const { desc, range } of others) {
      const { descriptor } = parseDescriptor(desc, { network: 'regtest' });
      for (const index of range ?? [])
        expect(scripts).toContain(bytesToHex(expand(descriptor, index)[0] ?? new Uint8Array()));
    }
    expect(total).toBe(sizeOf(others));
    expect(await exported('descriptor-hd', 'wif')).toMatchObject({
      leftOut: 0,
      taproot: 0,
      total: sizeOf(listed),
    });
  });

  it('of a migrated wallet spend the same coins as those of the legacy wallet', async () => {
    const names = { name: 'old', network: 'regtest', now: 1_795_182_461 } as const;
    const bytes = walletFile('legacy-hd');
    const { primary } = await migrateWallet({ ...names, bytes, keypoolSize: 5 });
    const after = await exportKeys(primary?.bytes ?? new Uint8Array(), { format: 'electrum' });
    const lines = new Set(linesOf(after.text));
    const before = await exported('legacy-hd');
    const chain = linesOf(before.text);
    // The seed and the pool behind the chain's counters are keys of neither.
    expect(chain.slice(0, before.used).filter((line) => !lines.has(line))).toEqual([]);
  });

  it('of single keys all come first, because only chains keep keys for later', async () => {
    const names = { name: 'old', network: 'regtest', now: 1_795_182_461, keypoolSize: 5 } as const;
    const { primary } = await migrateWallet({ ...names, bytes: walletFile('legacy-imported') });
    const { records } = await readSqlite(primary?.bytes ?? new Uint8Array());
    // Nothing shows that a key was in use.
    const bare = records.flatMap(({ key, value }) => {
      const record = parseRecord(key, value);
      if (['name', 'purpose', 'tx'].includes(record.type)) return [];
      return writeRecord(record.type === 'walletdescriptor' ? { ...record, nextIndex: 0 } : record);
    });
    const bytes = await writeSqlite(bare, 'regtest');
    const { text, used } = await exportKeys(bytes, { format: 'wif', network: 'regtest' });
    const listed = await exportDescriptors(bytes, { private: true, format: 'lines' });
    const singles = [...listed.matchAll(/^combo\((?:\[[^\]]*\])?(\w+)\)/gm)].map(([, key]) => key);
    expect(singles.length).toBeGreaterThan(3);
    expect(linesOf(text).slice(0, used)).toEqual(expect.arrayContaining(singles));
  });

  it('need the passphrase, and the right network', async () => {
    const encrypted = walletFile('legacy-hd-encrypted');
    const request = { format: 'wif', network: 'regtest' } as const;
    for (const none of [undefined, '']) {
      const locked = exportKeys(encrypted, { ...request, passphrase: none });
      await expect(locked).rejects.toMatchObject({ code: 'wallet_unlock_needed' });
    }
    const wrong = exportKeys(encrypted, { ...request, passphrase: 'not it' });
    await expect(wrong).rejects.toMatchObject({ code: 'wrong_passphrase' });
    await expect(
      exportKeys(walletFile('legacy-hd'), { format: 'wif', network: 'main' }),
    ).rejects.toMatchObject({ code: 'bad_input' });
  });

  it('are refused if one is damaged, and if there are none', async () => {
    const broken = await editedWallet('descriptor-hd', damageKeys);
    await expect(exportKeys(broken, { format: 'wif' })).rejects.toMatchObject({ code: 'not_a_wallet' });
    const none = await editedWallet('descriptor-hd', removeKeys);
    await expect(exportKeys(none, { format: 'wif' })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** The scripts that Electrum looks for, in hex. */
function scriptsOf(line: string): string[] {
  const [kind = '', wif = ''] = line.split(':');
  const key = readWif(wif, 'regtest');
  if (!key) throw new Error('no key');
  const scripts = scriptsOfKey(secp256k1.getPublicKey(key.privateKey, key.compressed)).map(bytesToHex);
  const [p2pk, p2pkh, p2wpkh, nested] = scripts;
  const found = { p2pkh: [p2pk, p2pkh], p2wpkh: [p2wpkh], 'p2wpkh-p2sh': [nested] }[kind] ?? [];
  return found.flatMap((script) => script ?? []);
}

const passphrase = factsOf('descriptor-encrypted').passphrase ?? '';

describe('the public form', () => {
  it.each(descriptorNames)('%s: is what the node lists, as importdescriptors takes it', async (name) => {
    const text = await exportDescriptors(walletFile(name), { private: false, format: 'importdescriptors' });
    const listed = factsOf(name).before.listdescriptors?.descriptors ?? [];
    // `listdescriptors` also prints `next_index` as `next`.
    const requests = listed.map(({ next, ...rest }) => rest);
    expect(JSON.parse(text)).toEqual(requests);
    expect(requests).toHaveLength(8);
  });

  it.each(descriptorNames)('%s: has one descriptor per line', async (name) => {
    const text = await exportDescriptors(walletFile(name), { private: false, format: 'lines' });
    const listed = factsOf(name).before.listdescriptors?.descriptors ?? [];
    expect(text).toBe(listed.map(({ desc }) => `${desc}\n`).join(''));
    expect(text).not.toContain('prv');
  });

  it('is refused if its addresses do not fit its keys', async () => {
    const { bytes } = await conditionFiles['descriptor-misfit']();
    const exporting = exportDescriptors(bytes, { private: false, format: 'lines' });
    await expect(exporting).rejects.toMatchObject({ code: 'wallet_error' });
  });
});

describe('the public form of a migrated wallet', () => {
  const migrated = async () => {
    const names = { name: 'old', network: 'regtest', now: 1_795_182_461 } as const;
    const bytes = walletFile('legacy-hd-encrypted');
    const { primary } = await migrateWallet({ ...names, bytes, passphrase, keypoolSize: 5 });
    return primary?.bytes ?? new Uint8Array();
  };

  it('lists single keys for a descriptor that needs private keys, and so has all scripts', async () => {
    const bytes = await migrated();
    const text = await exportDescriptors(bytes, { private: false, format: 'importdescriptors' });
    const requests: { desc: string; range?: [number, number]; active: boolean }[] = JSON.parse(text);
    const scripts = requests.flatMap(({ desc, range: [first, last] = [0, 0] }) => {
      const { descriptor } = parseDescriptor(desc, { network: 'regtest', checksum: 'required' });
      const indexes = Array.from({ length: last - first + 1 }, (_, place) => first + place);
      return indexes.flatMap((index) => expand(descriptor, index).map((script) => bytesToHex(script)));
    });
    expect(new Set(scripts)).toEqual((await showWallet(bytes)).scripts);
    expect(requests).toContainEqual({
      desc: expect.stringMatching(/^combo\(\[bb39eddf\/0h\/0h\/2h\]03d6252de9456d\w+\)#\w{8}$/),
      timestamp: 0,
      active: false,
    });
    expect(requests.filter(({ active }) => active)).toHaveLength(8);
  });

  it('is refused if such a key is not cached', async () => {
    const records = (await readEntries(await migrated())).records.filter(({ key, value }) => {
      const record = parseRecord(key, value);
      return !(record.type === 'walletdescriptorcache' && record.derivationIndex === 3);
    });
    const bytes = await writeSqlite(records, 'regtest');
    const exporting = exportDescriptors(bytes, { private: false, format: 'lines' });
    await expect(exporting).rejects.toMatchObject({ code: 'not_a_wallet' });
  });
});

describe('the private form', () => {
  it('is what the node lists with private keys', async () => {
    const text = await exportDescriptors(walletFile('descriptor-hd'), { private: true, format: 'lines' });
    const listed = factsOf('descriptor-hd').before.listdescriptors_private?.descriptors ?? [];
    expect(text.trimEnd().split('\n')).toEqual(listed.map(({ desc }) => desc));
    expect(listed).toHaveLength(8);
  });

  it('of an encrypted wallet is complete with its passphrase', async () => {
    const bytes = walletFile('descriptor-encrypted');
    const text = await exportDescriptors(bytes, { private: true, format: 'lines', passphrase });
    const stored = recordsByType(await entriesOf('descriptor-encrypted'))
      .of('walletdescriptor')
      .map(({ descriptor }) => descriptor);
    const found = text
      .trimEnd()
      .split('\n')
      .map((line) => parseDescriptor(line, { network: 'regtest', checksum: 'required' }));
    expect(found.map(({ privateKeys }) => privateKeys.size)).toEqual(Array(8).fill(1));
    expect(found.map(({ descriptor }) => writePublic(descriptor)).sort()).toEqual(stored.sort());
  });

  it('of an encrypted wallet needs its passphrase', async () => {
    const bytes = walletFile('descriptor-encrypted');
    const options = { private: true, format: 'lines' } as const;
    await expect(exportDescriptors(bytes, options)).rejects.toMatchObject({ code: 'wallet_unlock_needed' });
    const wrong = exportDescriptors(bytes, { ...options, passphrase: 'not it' });
    await expect(wrong).rejects.toMatchObject({ code: 'wrong_passphrase' });
    await expect(wrong).rejects.not.toThrow(/not it/);
  });
});

describe('an export that would be incomplete is refused', () => {
  const refused = async (bytes: Uint8Array, code: string, secret = false) =>
    expect(exportDescriptors(bytes, { private: secret, format: 'lines' })).rejects.toMatchObject({ code });

  it('with a descriptor that is damaged', async () => {
    const bytes = await editedWallet('descriptor-hd', (record) =>
      record.type === 'walletdescriptor' && record.descriptor.startsWith('tr(')
        ? { ...record, descriptor: record.descriptor.replace('/0h', '/1h') }
        : record,
    );
    await refused(bytes, 'not_a_wallet');
  });

  it('with a damaged private key, for the private form', async () => {
    const bytes = await editedWallet('descriptor-hd', damageKeys);
    await refused(bytes, 'not_a_wallet', true);
    const open = await exportDescriptors(bytes, { private: false, format: 'lines' });
    expect(open.trimEnd().split('\n')).toHaveLength(8);
  });

  it('for the private form without private keys', async () => {
    await refused(await editedWallet('descriptor-hd', removeKeys), 'bad_input', true);
  });

  it('of a legacy wallet', async () => {
    await refused(walletFile('legacy-hd'), 'not_available_here');
  });
});
