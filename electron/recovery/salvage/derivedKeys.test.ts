import { describe, expect, it } from 'vitest';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { recordsByType } from '../../walletfile/records/records.ts';
import { brokenWallet, foreignNote, hasForeignWallets } from '../../walletfile/testing/foreignWallets.ts';
import { entriesOf, walletFile } from '../../walletfile/testing/wallets.ts';
import { repairWallet } from '../repair/repairWallet.ts';
import { lostCoins } from './derivedKeys.ts';

describe('lostCoins', () => {
  it('equals the balance if every key is lost, by keys or by addresses, and is zero if none is', async () => {
    const records = recordsByType(await entriesOf('legacy-hd'));
    const { balance } = await inspect(walletFile('legacy-hd'), { network: 'regtest' });
    const all = balance.spendable.confirmed + balance.spendable.unconfirmed;
    expect(all).toBeGreaterThan(0n);
    const publicKeys = records.of('key').map(({ publicKey }) => publicKey);
    const lost = lostCoins(records.of('tx'), { publicKeys, addresses: [] }, 'regtest');
    expect(lost.amount).toBe(all);
    expect(lost.on.total).toBe(balance.spendable.addresses);
    const byAddress = lostCoins(records.of('tx'), { publicKeys: [], addresses: lost.on.shown }, 'regtest');
    expect(byAddress).toEqual(lost);
    const none = { amount: 0n, coins: 0, on: { total: 0, shown: [] } };
    expect(lostCoins(records.of('tx'), { publicKeys: [], addresses: [] }, 'regtest')).toEqual(none);
  });

  it.skipIf(!hasForeignWallets)(`is reported for a damaged file${foreignNote}`, async () => {
    const { facts } = await repairWallet(brokenWallet('damaged-some-leaves').bytes, {
      logs: [],
      network: 'regtest',
    });
    expect(facts.missing.keys).toBe(12);
    // All coins that the node knew (4.5) belong to saved keys.
    expect(facts.lostCoins).toEqual({ amount: 0n, coins: 0, on: { total: 0, shown: [] } });
  });
});
