import { bytesToHex } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { RawRecord } from '../database/rawRecord.ts';
import { readEntries } from '../database/readEntries.ts';
import { writeSqlite } from '../database/writeSqlite.ts';
import { expand } from '../descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import { writePublic } from '../descriptor/descriptorWrite.ts';
import { migrateWallet } from '../migrate/migrateWallet.ts';
import { parseRecord, writeRecord } from '../records/records.ts';
import { showWallet } from '../testing/newWallet.ts';
import { descriptorNames, entriesOf, factsOf, walletFile } from '../testing/wallets.ts';
import { exportDescriptors } from './exportDescriptors.ts';

const passphrase = factsOf('descriptor-encrypted').passphrase ?? '';

describe('the public form', () => {
  it.each(descriptorNames)('%s: is what the node lists, as importdescriptors takes it', async (name) => {
    const text = await exportDescriptors(walletFile(name), { private: false, format: 'importdescriptors' });
    const listed = factsOf(name).before.listdescriptors?.descriptors ?? [];
    // `next` is a second name of `next_index` in what is listed.
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
});

describe('the public form of a migrated wallet', () => {
  const migrated = async () => {
    const names = { name: 'old', network: 'regtest', now: 1_795_182_461 } as const;
    const bytes = walletFile('legacy-hd-encrypted');
    const { primary } = await migrateWallet({ ...names, bytes, passphrase, keypoolSize: 5 });
    return primary?.bytes ?? new Uint8Array();
  };

  it('has the keys themselves where only private keys lead to them, and so all scripts', async () => {
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

  it('is refused where the file does not remember such a key', async () => {
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

  it('of an encrypted wallet comes with its passphrase', async () => {
    const bytes = walletFile('descriptor-encrypted');
    const text = await exportDescriptors(bytes, { private: true, format: 'lines', passphrase });
    const stored = (await entriesOf('descriptor-encrypted'))
      .map(({ key, value }) => parseRecord(key, value))
      .flatMap((record) => (record.type === 'walletdescriptor' ? [record.descriptor] : []));
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

describe('an export that would not be whole is refused', () => {
  const changed = async (change: (record: ReturnType<typeof parseRecord>) => RawRecord | null) => {
    const entries = await entriesOf('descriptor-hd');
    const kept = entries.flatMap(({ key, value }) => change(parseRecord(key, value)) ?? []);
    return writeSqlite(kept, 'regtest');
  };
  const refused = async (bytes: Uint8Array, code: string, secret = false) =>
    expect(exportDescriptors(bytes, { private: secret, format: 'lines' })).rejects.toMatchObject({ code });

  it('with a descriptor that is damaged', async () => {
    const bytes = await changed((record) =>
      writeRecord(
        record.type === 'walletdescriptor' && record.descriptor.startsWith('tr(')
          ? { ...record, descriptor: record.descriptor.replace('/0h', '/1h') }
          : record,
      ),
    );
    await refused(bytes, 'not_a_wallet');
  });

  it('with a private key that is damaged, where private keys are asked for', async () => {
    const bytes = await changed((record) => {
      if (record.type !== 'walletdescriptorkey') return writeRecord(record);
      return writeRecord({ ...record, checksum: record.checksum.toReversed() });
    });
    await refused(bytes, 'not_a_wallet', true);
    const open = await exportDescriptors(bytes, { private: false, format: 'lines' });
    expect(open.trimEnd().split('\n')).toHaveLength(8);
  });

  it('of private keys, where there are none', async () => {
    const bytes = await changed((record) =>
      record.type === 'walletdescriptorkey' ? null : writeRecord(record),
    );
    await refused(bytes, 'bad_input', true);
  });

  it('of a legacy wallet', async () => {
    await refused(walletFile('legacy-hd'), 'not_available_here');
  });
});
