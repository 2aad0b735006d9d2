import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { readEntries } from '../database/readEntries.ts';
import { writeSqlite } from '../database/writeSqlite.ts';
import { expand } from '../descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { readWif } from '../keys/privateKey.ts';
import { migrateWallet } from '../migrate/migrateWallet.ts';
import { parseRecord, writeRecord } from '../records/records.ts';
import { factsOf, walletFile } from '../testing/wallets.ts';
import { exportKeys, type KeyExportOptions } from './exportKeys.ts';

const exported = (name: string, format: KeyExportOptions['format'] = 'electrum') =>
  exportKeys(walletFile(name), { format, network: 'regtest', passphrase: factsOf(name).passphrase });

describe.each([
  'legacy-hd',
  'legacy-hd-encrypted',
  'legacy-imported',
  'legacy-watchonly',
  'legacy-solvable',
  'descriptor-hd',
  'descriptor-encrypted',
])('the keys of %s', (name) => {
  it('spend every coin that one key spends, and stand first', async () => {
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
    const { text, total, leftOut } = await exported('descriptor-hd');
    const scripts = new Set(linesOf(text).flatMap(scriptsOf));
    const listed = factsOf('descriptor-hd').before.listdescriptors?.descriptors ?? [];
    const taproot = listed.filter(({ desc }) => desc.startsWith('tr('));
    expect(leftOut).toBe(taproot.length);
    const sizeOf = (all: typeof listed) =>
      all.reduce((sum, { range: [first, last] = [0, 0] }) => sum + last - first + 1, 0);
    const others = listed.filter((one) => !taproot.includes(one));
    for (const { desc, range } of others) {
      const { descriptor } = parseDescriptor(desc, { network: 'regtest' });
      for (const index of range ?? [])
        expect(scripts).toContain(bytesToHex(expand(descriptor, index)[0] ?? new Uint8Array()));
    }
    expect(total).toBe(sizeOf(others));
    expect(await exported('descriptor-hd', 'wif')).toMatchObject({ leftOut: 0, total: sizeOf(listed) });
  });

  it('of a migrated wallet spend what those of the legacy one do', async () => {
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

  it('need the passphrase, and the network where nothing tells it', async () => {
    const encrypted = walletFile('legacy-hd-encrypted');
    const asked = { format: 'wif', network: 'regtest' } as const;
    await expect(exportKeys(encrypted, asked)).rejects.toMatchObject({ code: 'wallet_unlock_needed' });
    const wrong = exportKeys(encrypted, { ...asked, passphrase: 'not it' });
    await expect(wrong).rejects.toMatchObject({ code: 'wrong_passphrase' });
    await expect(
      exportKeys(walletFile('legacy-hd'), { format: 'wif', network: 'main' }),
    ).rejects.toMatchObject({
      code: 'bad_input',
    });
  });

  it('are refused where one of them is damaged, and where there are none', async () => {
    const { records } = await readEntries(walletFile('descriptor-hd'));
    const changed = (change: (record: ReturnType<typeof parseRecord>) => typeof record | null) =>
      writeSqlite(
        records.flatMap(({ key, value }) => {
          const record = change(parseRecord(key, value));
          return record ? [writeRecord(record)] : [];
        }),
        'regtest',
      );
    const broken = await changed((record) =>
      record.type === 'walletdescriptorkey' ? { ...record, checksum: record.checksum.toReversed() } : record,
    );
    await expect(exportKeys(broken, { format: 'wif' })).rejects.toMatchObject({ code: 'not_a_wallet' });
    const none = await changed((record) => (record.type === 'walletdescriptorkey' ? null : record));
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
  const made = scriptsOfKey(secp256k1.getPublicKey(key.privateKey, key.compressed)).map(bytesToHex);
  const [p2pk, p2pkh, p2wpkh, nested] = made;
  const found = { p2pkh: [p2pk, p2pkh], p2wpkh: [p2wpkh], 'p2wpkh-p2sh': [nested] }[kind] ?? [];
  return found.flatMap((script) => script ?? []);
}
