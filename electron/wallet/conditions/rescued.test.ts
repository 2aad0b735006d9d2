import { describe, expect, it } from 'vitest';
import { inspect } from '../inspect/inspect.ts';
import { mendDescriptors } from '../rescue/mend/mendDescriptors.ts';
import { mendWallet } from '../rescue/mend/mendWallet.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { foreignAreHere, foreignNote, reportedWallet } from '../testing/foreignWallets.ts';
import { CONDITION_RULES } from './conditionTable.ts';

describe('a rescue of a file in which Bitcoin Core meets a condition', () => {
  const mended = [
    ...new Set(CONDITION_RULES.filter(({ rescue }) => rescue !== null).map(({ code }) => code)),
  ];

  it.each(mended)('%s: gives one without it', async (code) => {
    const { bytes, kind, passphrase } = await conditionFiles[code]();
    const how = { network: 'regtest', passphrase } as const;
    const made =
      kind === 'legacy'
        ? await mendWallet(bytes, { ...how, logs: [], withBlock: true })
        : await mendDescriptors(bytes, how);
    const { conditions, migration } = await inspect(made?.bytes ?? new Uint8Array(), how);
    expect(conditions).toEqual([]);
    expect(migration?.hazards ?? []).toEqual([]);
  });
});

describe.runIf(foreignAreHere)(`a rescue of a file made after a report${foreignNote}`, () => {
  const saved = async (name: string) =>
    (await mendDescriptors(reportedWallet(name), { network: 'regtest' }))?.facts;

  it('saves all but the transaction whose bytes do not give its id', async () => {
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

  it('tells that a descriptor that cannot be read is left out', async () => {
    expect(await saved('descriptor-unknown-kind')).toMatchObject({ damaged: { keys: 0, others: 1 } });
  });

  it('brings a key under a hybrid public key home in both usual forms, and says so', async () => {
    const how = { network: 'regtest', logs: [], withBlock: true } as const;
    const { bytes, facts } = await mendWallet(reportedWallet('legacy-own-hybrid'), how);
    expect(facts).toMatchObject({ saved: { keys: 2 }, otherForms: 1, damaged: { keys: 0 } });
    expect((await inspect(bytes, { network: 'regtest' })).keys).toMatchObject({ plain: 3, uncompressed: 1 });
  });
});
