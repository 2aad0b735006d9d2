import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../database/berkeley.ts';
import { inspect } from '../inspect/inspect.ts';
import { type RecordOfType, recordsByType, writeRecord } from '../records/records.ts';
import { type Transaction, transaction, transactionId } from '../script/transaction.ts';
import { decode } from '../testing/decode.ts';
import { walletFile } from '../testing/wallets.ts';
import { findInvalidTransactions } from './invalidTransactions.ts';

type Stored = RecordOfType<'tx'>;
type Input = Transaction['inputs'][number];

const entries = readBerkeley(walletFile('legacy-hd')).records;
const stored = recordsByType(entries).of('tx');
const ids = new Set(stored.map(({ txid }) => txid));
const isOfHere = ({ txid }: Input) => ids.has(txid);
/** It spends coins of the file, and pays change to it. */
const payment = stored.find((record) => record.transaction.inputs.every(isOfHere)) as Stored;
const others = stored.filter((record) => record !== payment);

/** Another transaction, whose id is right. */
function altered(record: Stored, change: Partial<Transaction>): Stored {
  const changed = { ...record.transaction, ...change };
  return { ...record, transaction: changed, txid: transactionId(changed) };
}

const raised = ({ transaction: { outputs } }: Stored) =>
  outputs.map((output) => ({ ...output, value: output.value * 1000n }));

async function inspected(...transactions: Stored[]) {
  const rest = entries.filter((entry) => recordsByType([entry]).of('tx').length === 0);
  const records = [...rest, ...transactions.map(writeRecord)];
  const file = writeBerkeley(records.sort((a, b) => Buffer.compare(a.key, b.key)));
  const { balance, problems } = await inspect(file, { network: 'regtest' });
  return { balance: balance.spendable, problems: problems.map(({ finding }) => finding) };
}

describe('a transaction cannot be true', () => {
  it('that pays more than it spends, and the balance shows how much of it is invalid', async () => {
    const honest = await inspected(...stored);
    expect(honest).toMatchObject({ balance: { invalid: 0n }, problems: [] });
    const { balance, problems } = await inspected(...others, altered(payment, { outputs: raised(payment) }));
    expect(problems).toEqual([{ code: 'transactions_invalid', count: 1 }]);
    expect(balance.invalid).toBeGreaterThan(honest.balance.confirmed);
    expect(balance.invalid).toBeLessThan(balance.confirmed);
  });

  it('that spends a missing output, nor its descendants', async () => {
    const nowhere = payment.transaction.inputs.map((input) => ({ ...input, index: 77 }));
    const first = altered(payment, { inputs: nowhere });
    const input = { ...(nowhere[0] as Input), txid: first.txid, index: 0 };
    const second = altered(payment, { inputs: [input], outputs: first.transaction.outputs.slice(0, 1) });
    expect((await inspected(...others, first, second)).problems).toEqual([
      { code: 'transactions_invalid', count: 2 },
    ]);
  });

  it('that its key did not sign', () => {
    // Of a regtest wallet of release 0.14.2.
    const signed = decode(
      transaction,
      hexToBytes(
        '0200000001bb038da3334771ce3b7b95f06cff5de1162856547c5e26cf2dc0949c1f3db07b000000006b48304502210083522b2bf69d6b14f491622f9c1e7ffbfeb315bf1164804128317b80bc3f957b022061a83270efef454ecb70fb30c812683b35011f2ec661107b37e6b17f765baf92012102504d17e88ff5ecf3f486cf66b15b37522835934f3917e04feb21e149662ac74bfeffffff0258cff505000000001976a914006490b9733a7fda916ae181a7e28588452584bf88ac00e9a435000000001976a914ac1d25a341396498f354aed3a5f383ce02f82b4b88ac66000000',
      ),
    );
    const honest = altered(payment, signed);
    const forged = altered(honest, { outputs: raised(honest) });
    const invalidCount = (record: Stored) => findInvalidTransactions([record], [record], 'regtest').size;
    expect([honest, forged].map(invalidCount)).toEqual([0, 1]);
  });

  it('in a block without proof of work on the main network', () => {
    const genesis = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
    const invalidCount = (blockHash: string, network: 'main' | 'regtest' | null) =>
      findInvalidTransactions([{ ...payment, blockHash }], [], network).size;
    expect(invalidCount(genesis, 'main')).toBe(0);
    expect(invalidCount('ab'.repeat(32), 'main')).toBe(1);
    expect(invalidCount('ab'.repeat(32), 'regtest')).toBe(0);
    expect(invalidCount('ab'.repeat(32), null)).toBe(0);
    // In no block yet.
    expect(invalidCount('0'.repeat(64), 'main')).toBe(0);
  });
});

it('counts no reward without its block', async () => {
  const inputs = payment.transaction.inputs
    .slice(0, 1)
    .map((input) => ({ ...input, txid: '0'.repeat(64), index: 0xffffffff, witness: [] }));
  const reward = altered(payment, { inputs });
  const lost = { ...reward, blockHash: '0'.repeat(64), index: 0 };
  const [held, none, alone] = [
    await inspected(...others, reward),
    await inspected(...others, lost),
    await inspected(...others),
  ];
  expect(held.balance.ofBlockRewards).toBeGreaterThan(0n);
  expect(none.balance).toEqual(alone.balance);
});
