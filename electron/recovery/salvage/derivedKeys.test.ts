import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from 'vitest';
import { formatBitcoin } from '../../../shared/model/money.ts';
import { sampleRescue } from '../../../shared/testing/sampleRescue.ts';
import { lostWords } from '../../../shared/wording/rescueWords.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { recordsByType, writeRecord } from '../../walletfile/records/records.ts';
import { hash160, makeOutputScript } from '../../walletfile/script/script.ts';
import { brokenWallet, foreignNote, hasForeignWallets } from '../../walletfile/testing/foreignWallets.ts';
import {
  chainRecords,
  inOrder,
  keyRecords,
  multisigOf,
  p2shOf,
  sampleKey,
  scriptRecord,
  transactionRecord,
} from '../../walletfile/testing/sampleWallet.ts';
import { entriesOf, walletFile } from '../../walletfile/testing/wallets.ts';
import { repairWallet } from '../repair/repairWallet.ts';
import { writeBerkeley } from '../repair/writeBerkeley.ts';
import { lostCoins, rederiveLostKeys, UNUSED_KEYS } from './derivedKeys.ts';

const flipped = (bytes: Uint8Array, ...at: number[]) =>
  bytes.map((byte, index) => (at.includes(index) ? byte ^ 1 : byte));

it('searches a chain without counters no further than it must', () => {
  const older = chainRecords(sampleKey(1), { external: 2, internal: 2, active: false });
  const unused = chainRecords(sampleKey(3), { external: 0, internal: 0, active: false });
  const newer = chainRecords(sampleKey(2), { external: 1, internal: 1 });
  const saved = new Set(
    [older, newer].flatMap(({ keys }) => keys.map(({ publicKey }) => toLatin1(publicKey))),
  );
  const records = [older, unused, newer].flatMap(({ records }) => records);
  let asked = 0;
  const names = () => {
    asked += 1;
    return false;
  };
  const { keys } = rederiveLostKeys(records, saved, null, { owns: () => false, names });
  expect({ keys: keys.length, isShort: asked <= 400 }).toEqual({ keys: 2 * UNUSED_KEYS, isShort: true });
});

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

  it.each(['p2sh', 'p2wsh', 'p2sh of p2wsh'])('counts the payments to a lost script: %s', async (form) => {
    const [one, other] = [sampleKey(1), sampleKey(2)];
    const script = multisigOf(2, one, other);
    const witness = makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(script) });
    const output = form === 'p2wsh' ? witness : p2shOf(form === 'p2sh' ? script : witness);
    const rescued = async (stored: Uint8Array) => {
      const record = writeRecord({ type: 'cscript', scriptId: hash160(script), script: stored });
      const { record: payment } = transactionRecord([output]);
      const keys = [...keyRecords(one), ...keyRecords(other)];
      const file = writeBerkeley(inOrder(keys, [record, scriptRecord(witness), payment]));
      const { facts } = await repairWallet(file, { logs: [], network: 'regtest' });
      return facts;
    };
    const none = { amount: 0n, coins: 0, on: { total: 0, shown: [] } };
    expect((await rescued(script)).lostCoins).toEqual(none);
    // One flipped bit is repaired.
    expect(await rescued(flipped(script, 20))).toMatchObject({ damaged: { others: 0 }, lostCoins: none });
    const facts = await rescued(flipped(script, 20, 30));
    expect(facts).toMatchObject({ damaged: { others: 1 }, lostCoins: { amount: 100_000_000n, coins: 1 } });
    expect(lostWords(sampleRescue({ ...facts, log: null }), 'regtest')).toContain(
      `Known coins on them: ${formatBitcoin(100_000_000n, 'regtest')}.`,
    );
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
