import { describe, expect, it } from 'vitest';
import { repairDescriptors } from '../../recovery/repair/repairDescriptors.ts';
import { repairWallet } from '../../recovery/repair/repairWallet.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import { inspect } from '../inspect/inspect.ts';
import { encryptedKeyChecksum, encryptKey } from '../keys/crypter.ts';
import { publicKeyOf } from '../keys/publicKey.ts';
import { encryptionOf, masterKeyOf } from '../records/encryption.ts';
import { recordsByType, writeRecord } from '../records/records.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { foreignNote, hasForeignWallets, reportedWallet } from '../testing/foreignWallets.ts';
import { entriesOf, factsOf } from '../testing/wallets.ts';
import { CONDITION_RULES } from './conditionTable.ts';

describe('a rescue of a file with a condition of Bitcoin Core', () => {
  const repairable = [
    ...new Set(CONDITION_RULES.filter(({ rescue }) => rescue !== null).map(({ code }) => code)),
  ];

  it.each(repairable)('%s: writes a file without it', async (code) => {
    const { bytes, kind, passphrase } = await conditionFiles[code]();
    const how = { network: 'regtest', passphrase } as const;
    const repair =
      kind === 'legacy'
        ? await repairWallet(bytes, { ...how, logs: [], withBlock: true })
        : await repairDescriptors(bytes, how);
    const { conditions, migration } = await inspect(repair?.bytes ?? new Uint8Array(), how);
    expect(conditions).toEqual([]);
    expect(migration?.hazards ?? []).toEqual([]);
  });
});

describe('a rescue of an encrypted key under a hybrid public key', () => {
  const { passphrase } = factsOf('legacy-hd-encrypted');
  const rescued = async (more: { passphrase?: string | undefined; openOnly?: boolean } = {}) => {
    const records = [...(await entriesOf('legacy-hd-encrypted'))];
    const encryption = encryptionOf(recordsByType(records)) ?? expect.fail('not encrypted');
    const masterKey = await masterKeyOf(encryption, passphrase ?? '');
    const secret = new Uint8Array(32).fill(9);
    const publicKey = publicKeyOf(secret, false);
    publicKey[0] = 6 + ((publicKey[64] ?? 0) & 1);
    const encrypted = encryptKey(masterKey, publicKey, secret);
    const checksum = encryptedKeyChecksum(encrypted);
    const all = [...records, writeRecord({ type: 'ckey', publicKey, encrypted, checksum })];
    const file = writeBerkeley(all.sort((one, other) => Buffer.compare(one.key, other.key)));
    const own = recordsByType(records).of('ckey').length;
    const repair = await repairWallet(file, { network: 'regtest', logs: [], ...more });
    const inspection = await inspect(repair.bytes, { network: 'regtest', passphrase });
    return { own, facts: repair.facts, inspection };
  };

  it('saves it under both usual public keys', async () => {
    const { own, facts, inspection } = await rescued({ passphrase });
    expect(facts).toMatchObject({ saved: { keys: own + 1 }, otherForms: 1, sealed: 0, damaged: { keys: 0 } });
    expect(inspection.keys).toMatchObject({ encrypted: own + 2, uncompressed: 1 });
    expect(inspection.conditions).toEqual([]);
  });

  it('leaves it out without the passphrase, and reports it as locked', async () => {
    const { own, facts, inspection } = await rescued();
    expect(facts).toMatchObject({ sealed: 1, damaged: { keys: 0 } });
    expect(inspection.keys).toMatchObject({ encrypted: own });
  });
});

describe.runIf(hasForeignWallets)(`a rescue of a file from a public report${foreignNote}`, () => {
  const saved = async (name: string) =>
    (await repairDescriptors(reportedWallet(name), { network: 'regtest' }))?.facts;

  it('saves everything except the transaction with a wrong id', async () => {
    expect(await saved('descriptor-damaged-transaction')).toMatchObject({
      saved: { keys: 1, transactions: 5, labels: 6 },
      damaged: { keys: 0, others: 1 },
    });
  });

  it('gives a descriptor its own id, and loses nothing', async () => {
    expect(await saved('descriptor-id-differs')).toMatchObject({
      saved: { keys: 1, transactions: 6 },
      damaged: { keys: 0, others: 0 },
    });
  });

  it('leaves out an unreadable descriptor, reports it, and saves all others', async () => {
    const repair = await repairDescriptors(reportedWallet('descriptor-unknown-kind'), { network: 'regtest' });
    expect(repair?.facts).toMatchObject({
      saved: { keys: 1, transactions: 6, labels: 6 },
      damaged: { keys: 0, others: 0 },
      missing: { descriptors: 1 },
    });
    const { descriptors } = await inspect(repair?.bytes ?? new Uint8Array(), { network: 'regtest' });
    expect(descriptors.total).toBe(8);
  });

  it('saves a key under a hybrid public key in both usual forms, and reports it', async () => {
    const how = { network: 'regtest', logs: [], withBlock: true } as const;
    const { bytes, facts } = await repairWallet(reportedWallet('legacy-own-hybrid'), how);
    expect(facts).toMatchObject({ saved: { keys: 2 }, otherForms: 1, damaged: { keys: 0 } });
    expect((await inspect(bytes, { network: 'regtest' })).keys).toMatchObject({ plain: 3, uncompressed: 1 });
  });
});
