import { describe, expect, it } from 'vitest';
import { conditionCodes } from '../../../shared/conditions.ts';
import { inspect } from '../inspect/inspect.ts';
import { conditionFiles } from '../testing/conditionFiles.ts';
import { walletFile, walletNames } from '../testing/wallets.ts';

async function conditionsIn(bytes: Uint8Array, passphrase?: string) {
  const { conditions } = await inspect(bytes, { network: 'regtest', passphrase });
  return conditions.map(({ code }) => code);
}

describe('a file in which Bitcoin Core meets a condition', () => {
  it.each(conditionCodes)('%s', async (code) => {
    const { bytes } = await conditionFiles[code]();
    const found = await conditionsIn(bytes);
    expect(code === 'chain-unknown' ? found : found.filter((one) => one !== 'chain-unknown')).toEqual([code]);
  });
});

it.each(walletNames)('the recorded wallet %s has none', async (name) => {
  const found = await conditionsIn(walletFile(name));
  expect(found.filter((code) => code !== 'chain-unknown')).toEqual([]);
});
