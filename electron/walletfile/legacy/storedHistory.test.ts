import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { Network } from '../../../shared/model/network.ts';
import { inspect } from '../inspect/inspect.ts';
import type { RecordOfType } from '../records/records.ts';
import type { LastBlock } from '../records/walletTransaction.ts';
import { transactionId } from '../script/transaction.ts';
import { foreignNote, hasForeignWallets } from '../testing/foreignWallets.ts';
import { immatureRewards, storedHistory } from './storedHistory.ts';

const NO_BLOCK = '0'.repeat(64);

/** A transaction in a block of its own; with a script, a reward. */
function stored(block: number, script: string | null, lockTime = 0, sequence = 0): RecordOfType<'tx'> {
  const spent = script === null ? { txid: 'c'.repeat(64), index: 0 } : { txid: NO_BLOCK, index: 0xffffffff };
  return {
    type: 'tx',
    txid: String(block).padStart(64, '0'),
    transaction: {
      version: 2,
      inputs: [{ ...spent, scriptSig: hexToBytes(script ?? ''), sequence, witness: [] }],
      outputs: [{ value: 50n, scriptPubKey: Uint8Array.of(0x51) }],
      lockTime,
    },
    blockHash: String(block).padStart(64, 'b'),
    index: 0,
    merkleBranch: [],
    previous: [],
    mapValue: [],
    orderForm: [],
    timeReceivedIsTxTime: 1,
    timeReceived: 1_700_000_000,
    fromMe: false,
    spent: false,
  };
}

/** A list of blocks that shows the depth of one of these. */
function lastBlock(leastHeight: number, block = 0, depth: number | null = null): LastBlock {
  const hash = String(block).padStart(64, 'b');
  const depthOf = (block: string) => (block === hash ? depth : null);
  return { hash, first: hash, height: null, leastHeight, depthOf };
}

function immature(all: RecordOfType<'tx'>[], last: LastBlock | null, network: Network | null = 'regtest') {
  return all.map(immatureRewards(all, last, network));
}

describe('a block reward can be spent', () => {
  it('from 100 blocks above its own on, by the heights in the scripts', () => {
    // Heights 1, 16, 17, 30, 31, 128 and 130, as `CScript() << nHeight` writes them.
    const scripts = ['5100', '6000', '011100', '011e00', '011f00', '02800000', '02820000'];
    const all = scripts.map((script, place) => stored(place, script));
    expect(immature(all, null)).toEqual([false, false, false, false, true, true, true]);
  });

  it('by the height of a block whose depth is in the list of blocks', () => {
    const all = [stored(1, '011100'), stored(2, '013200')];
    expect(immature(all, null)).toEqual([true, true]);
    // The block at height 50 is 67 or 68 deep: the newest one is at 116 or 117.
    expect(immature(all, lastBlock(0, 2, 67))).toEqual([true, true]);
    expect(immature(all, lastBlock(0, 2, 68))).toEqual([false, true]);
    // Nor can the newest block be lower than the list is long.
    expect(immature(all, lastBlock(117))).toEqual([false, true]);
  });

  it('by the height that another transaction waited for', () => {
    const reward = stored(1, '011100');
    const paid = (lockTime: number, sequence = 0xfffffffe) =>
      immature([reward, stored(2, null, lockTime, sequence)], null)[0];
    expect([115, 116].map((height) => paid(height))).toEqual([true, false]);
    // A time, and a lock that does not count.
    expect([paid(1_700_000_000), paid(116, 0xffffffff)]).toEqual([true, true]);
    const unconfirmed = { ...stored(2, null, 116), blockHash: NO_BLOCK };
    expect(immature([reward, unconfirmed], null)).toEqual([true, false]);
  });

  it('by the list of blocks, if its script has no height', () => {
    const storedIn = (script: string, network: Network) => {
      const reward = stored(1, script);
      const at = (depth: number | null) => immature([reward], lastBlock(300_000, 1, depth), network);
      return [script, network, at(null), at(100), at(101)];
    };
    const byList = [[false], [true], [false]];
    // Block 0's difficulty; 100 000, before BIP 34; 1 983 798, which old blocks name too.
    for (const script of ['04ffff001d0104', '03a0860100', '0336451e'])
      expect(storedIn(script, 'main')).toEqual([script, 'main', ...byList]);
    // Empty; cut off; not as short as can be, twice; below 0; by another operation; no number above 0.
    for (const script of ['', '03ff', '04e8030000', '0105', '02ff80', '4c0111', '00'])
      expect(storedIn(script, 'regtest')).toEqual([script, 'regtest', ...byList]);
  });

  it('ignores implausible heights in scripts of the main chain', () => {
    // 250 000 and a block before BIP 34 that names 1 983 798.
    const all = [stored(1, '0390d003'), stored(2, '0336451e')];
    for (const network of ['main', null] as const) {
      expect(immature(all, null, network)).toEqual([true, false]);
      expect(immature(all, lastBlock(250_100), network)).toEqual([false, false]);
    }
  });

  it('or is none, or is in no block', () => {
    const lost = { ...stored(1, '0164'), blockHash: NO_BLOCK };
    expect(immature([stored(2, null), lost], lastBlock(0))).toEqual([false, false]);
  });
});

it('a coin that a later transaction spends is spent, also if the file has its transaction twice', () => {
  const named = (record: RecordOfType<'tx'>) => ({ ...record, txid: transactionId(record.transaction) });
  const paying = named(stored(1, null));
  const { transaction } = stored(2, null);
  const [input] = transaction.inputs;
  if (!input) throw new Error('no input');
  const inputs = [{ ...input, txid: paying.txid, index: 0 }];
  const spending = named({ ...stored(2, null), transaction: { ...transaction, inputs } });
  const coinsOf = (records: RecordOfType<'tx'>[]) =>
    storedHistory(records, { ownerOf: () => 'spendable' }).coins.map(({ txid }) => txid);
  expect(coinsOf([paying])).toEqual([paying.txid]);
  expect(coinsOf([paying, structuredClone(paying), spending])).toEqual([spending.txid]);
});

it('of two spends of a coin, as after a fee bump, only the later one counts', () => {
  const named = (record: RecordOfType<'tx'>) => ({ ...record, txid: transactionId(record.transaction) });
  const paying = named({ ...stored(1, null), mapValue: [{ name: 'n', value: '1' }] });
  const spending = (block: number, from: RecordOfType<'tx'>, isConfirmed = false) => {
    const one = stored(block, null);
    const inputs = one.transaction.inputs.map((input) => ({ ...input, txid: from.txid }));
    const mapValue = [{ name: 'n', value: String(block) }];
    const transaction = { ...one.transaction, inputs, lockTime: block };
    return named({ ...one, transaction, mapValue, ...(isConfirmed ? {} : { blockHash: NO_BLOCK }) });
  };
  const statesOf = (records: RecordOfType<'tx'>[]) => {
    const { transactions, coins } = storedHistory(records, { ownerOf: () => 'spendable' });
    return [transactions.map(({ state }) => state), coins.map(({ txid }) => txid)];
  };
  const replaced = spending(2, paying);
  const itsChild = spending(3, replaced);
  const bump = spending(4, paying);
  expect(statesOf([paying, replaced, itsChild, bump])).toEqual([
    ['confirmed', 'conflicted', 'conflicted', 'unconfirmed'],
    [bump.txid],
  ]);
  const mined = spending(2, paying, true);
  expect(statesOf([paying, mined, bump])).toEqual([['confirmed', 'confirmed', 'conflicted'], [mined.txid]]);
  expect(statesOf([paying, structuredClone(replaced), replaced])[1]).toEqual([replaced.txid, replaced.txid]);
  // Only one of two blocks is in the chain.
  const minedChild = spending(3, mined, true);
  const minedLater = spending(4, paying, true);
  expect(statesOf([paying, mined, minedChild, minedLater])).toEqual([
    ['confirmed', 'conflicted', 'conflicted', 'confirmed'],
    [minedLater.txid],
  ]);
  expect(statesOf([paying, structuredClone(mined), mined])[1]).toEqual([mined.txid, mined.txid]);
});

describe.runIf(hasForeignWallets)(`130 mined blocks${foreignNote}`, () => {
  const folder = fileURLToPath(
    new URL('../../../../shared/fixtures/reports/immature-rewards', import.meta.url),
  );
  const path = join(folder, 'wallet.dat');

  it('an inspection agrees with a node', async () => {
    const { node_31: node } = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));
    expect(node).toEqual({ trusted: 1500, immature: 5000 });
    const { balance } = await inspect(new Uint8Array(readFileSync(path)));
    const { confirmed, immature: young, ofBlockRewards } = balance.spendable;
    expect([confirmed - young, young, ofBlockRewards]).toEqual([
      150_000_000_000n,
      500_000_000_000n,
      650_000_000_000n,
    ]);
  });
});
