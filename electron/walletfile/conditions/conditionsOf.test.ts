import { describe, expect, it } from 'vitest';
import { type ConditionCode, conditionCodes } from '../../../shared/model/conditions.ts';
import { writeSqlite } from '../database/walletDatabase.ts';
import { inspect } from '../inspect/inspect.ts';
import { typeIn } from '../records/records.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { entriesOf, walletFile, walletNames } from '../testing/wallets.ts';

async function conditionsIn(bytes: Uint8Array, passphrase?: string) {
  const { conditions } = await inspect(bytes, { network: 'regtest', passphrase });
  return conditions.map(({ code }) => code);
}

describe('a file in which Bitcoin Core meets a condition', () => {
  it.each(conditionCodes)('%s', async (code) => {
    const { bytes, passphrase } = await conditionFiles[code]();
    const found = await conditionsIn(bytes, code === 'key-sealed' ? passphrase : undefined);
    const besides = ['chain-unknown', ...(COME_WITH[code] ?? [])];
    expect(found.filter((one) => one === code || !besides.includes(one))).toEqual([code]);
  });

  it('is found in an unfinished file without flags, which crashes nodes', async () => {
    const records = (await entriesOf('legacy-hd')).filter(({ key }) => typeIn(key) !== 'flags');
    expect(await conditionsIn(await writeSqlite(records, 'regtest'))).toEqual(['flags-missing']);
    expect(await conditionsIn(await writeSqlite(await entriesOf('legacy-hd'), 'regtest'))).toEqual([]);
  });
});

/** What one brings about by itself. */
const COME_WITH: Partial<Record<ConditionCode, readonly ConditionCode[]>> = {
  'descriptor-keys-mixed': ['descriptor-keys-open'],
  'descriptor-id': ['descriptor-orphan'],
};

it.each(walletNames)('the recorded wallet %s has none', async (name) => {
  const found = await conditionsIn(walletFile(name));
  expect(found.filter((code) => code !== 'chain-unknown')).toEqual([]);
});
