import { describe, expect, it } from 'vitest';
import { parseDescriptor } from './descriptorParse.ts';
import { writePublic } from './descriptorWrite.ts';
import { exportDescriptors } from './exportDescriptors.ts';
import type { RawRecord } from './rawRecord.ts';
import { parseRecord, writeRecord } from './records.ts';
import { writeSqlite } from './sqlite.ts';
import { descriptorNames, entriesOf, factsOf, walletFile } from './vectors/wallets.ts';

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
