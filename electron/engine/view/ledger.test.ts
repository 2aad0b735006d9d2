import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import type { RecordOfType } from '../../walletfile/records/records.ts';
import { transactionId } from '../../walletfile/script/transaction.ts';
import { type LedgerInput, ledgerOf } from './ledger.ts';

const MINE = '51';
const CHANGE = '52';
const WATCHED = '53';
const OTHERS = '54';
const NO_BLOCK = '0'.repeat(64);
const ABANDONED = '1'.padStart(64, '0');
const BLOCK = 'b'.repeat(64);

interface TransactionSketch {
  /** Also orders the transactions. */
  id: number;
  /** Outputs of other transactions, known or unknown. */
  spends?: [id: number, vout: number][];
  pays: [script: string, amount: bigint][];
  blockHash?: string;
  index?: number;
}

function transactionOf(
  all: readonly TransactionSketch[],
  { id, spends, pays, blockHash = BLOCK, index = 1 }: TransactionSketch,
): RecordOfType<'tx'> {
  const coinbase = { txid: NO_BLOCK, index: 0xffffffff };
  const spent = spends?.map(([from, vout]) => ({ txid: idOf(all, from), index: vout })) ?? [coinbase];
  const transaction = {
    version: 2,
    inputs: spent.map((each) => ({ ...each, scriptSig: new Uint8Array(), sequence: 0, witness: [] })),
    outputs: pays.map(([script, value]) => ({ value, scriptPubKey: hexToBytes(script) })),
    lockTime: id,
  };
  return {
    type: 'tx',
    txid: transactionId(transaction),
    transaction,
    blockHash,
    index,
    merkleBranch: [],
    previous: [],
    mapValue: [{ name: 'n', value: String(id) }],
    orderForm: [],
    timeReceivedIsTxTime: 1,
    timeReceived: 1_700_000_000 + id,
    fromMe: false,
    spent: false,
  };
}

function idOf(all: readonly TransactionSketch[], id: number): string {
  const found = all.find((each) => each.id === id);
  return found ? transactionOf(all, found).txid : id.toString(16).padStart(64, '0');
}

function ledger(transactions: TransactionSketch[], more: Partial<LedgerInput> = {}) {
  return ledgerOf({
    transactions: transactions.map((each) => transactionOf(transactions, each)),
    locked: [],
    ownership: {
      ownerOf: (script) => {
        const hex = bytesToHex(script);
        return hex === MINE || hex === CHANGE ? 'spendable' : hex === WATCHED ? 'watched' : null;
      },
    },
    marks: { isChange: (script) => script === CHANGE, isReused: () => false },
    lastBlock: null,
    network: 'regtest',
    avoidsReuse: false,
    watches: true,
    ...more,
  });
}

const elsewhere: [number, number][] = [[99, 0]];
const received: TransactionSketch = {
  id: 1,
  spends: elsewhere,
  pays: [
    [MINE, 100n],
    [OTHERS, 7n],
  ],
};
const unconfirmed = { blockHash: NO_BLOCK, index: 0 };

describe('ledgerOf', () => {
  it('knows which transactions conflict, and which no block can have', () => {
    const lostWith = (of: Partial<TransactionSketch>) => {
      const rivals: TransactionSketch[] = [
        { id: 2, ...unconfirmed, spends: [[1, 0]], pays: [[CHANGE, 99n]] },
        { id: 3, ...unconfirmed, spends: [[2, 0]], pays: [[CHANGE, 98n]] },
        { id: 4, spends: [[1, 0]], pays: [[CHANGE, 90n]], ...of },
      ];
      const { transactions } = ledger([received, ...rivals]);
      const [second, fourth] = [2, 4].map((id) => idOf([received, ...rivals], id));
      expect(transactions.map(({ conflicts }) => conflicts)).toEqual([[], [fourth], [], [second]]);
      return transactions.map(({ isLost }) => isLost);
    };
    expect(lostWith({})).toEqual([false, true, true, false]);
    // A fee bump that waits: a miner may still take the first one.
    expect(lostWith(unconfirmed)).toEqual([false, false, false, false]);
  });

  it('lists the conflicts of thousands of transactions that spend one coin, within the time limit of a test', () => {
    const bump = (id: number): TransactionSketch => ({ id, ...unconfirmed, spends: [[1, 0]], pays: [] });
    const { transactions } = ledger([received, ...Array.from({ length: 12_000 }, (_, at) => bump(at + 100))]);
    expect(transactions.at(-1)?.conflicts).toHaveLength(11_999);
  });

  it('counts unspent coins, own and watched ones separately', () => {
    const { balances, coins } = ledger([received, { id: 2, spends: elsewhere, pays: [[WATCHED, 30n]] }]);
    expect(balances.mine).toEqual({ trusted: 100n, pending: 0n, immature: 0n });
    expect(balances.watched).toEqual({ trusted: 30n, pending: 0n, immature: 0n });
    expect(coins.map(({ spendable }) => spendable)).toEqual([true, false]);
  });

  it('finds sent amounts, fee and change', () => {
    const { transactions, balances } = ledger([
      received,
      {
        id: 2,
        spends: [[1, 0]],
        pays: [
          [OTHERS, 60n],
          [CHANGE, 39n],
        ],
      },
    ]);
    expect(transactions[1]).toMatchObject({
      sent: true,
      fee: 1n,
      outputs: [{ change: false }, { change: true }],
    });
    expect(transactions[0]).toMatchObject({ sent: false, fee: null });
    expect(balances.mine.trusted).toBe(39n);
  });

  it('trusts own unconfirmed change, but not the payments of others', () => {
    const { balances } = ledger([
      { ...received, id: 5 },
      // Precedes the transaction whose change it spends.
      { id: 3, ...unconfirmed, spends: [[4, 0]], pays: [[CHANGE, 80n]] },
      { id: 4, ...unconfirmed, spends: [[5, 0]], pays: [[CHANGE, 90n]] },
      { id: 6, ...unconfirmed, spends: [[98, 0]], pays: [[MINE, 11n]] },
      { id: 7, ...unconfirmed, spends: [[6, 0]], pays: [[CHANGE, 10n]] },
    ]);
    expect(balances.mine).toEqual({ trusted: 80n, pending: 10n, immature: 0n });
  });

  it('ignores abandoned and conflicted transactions', () => {
    for (const block of [
      { blockHash: ABANDONED, index: -1 },
      { blockHash: BLOCK, index: -1 },
    ]) {
      const { balances } = ledger([received, { id: 2, ...block, spends: [[1, 0]], pays: [[CHANGE, 99n]] }]);
      expect(balances.mine.trusted).toBe(100n);
    }
  });

  it('counts a recent coinbase as immature if its depth is known', () => {
    const reward: TransactionSketch = { id: 1, pays: [[MINE, 50n]] };
    const at = (depth: number | null) => {
      const lastBlock = { hash: BLOCK, first: BLOCK, height: null, leastHeight: 0, depthOf: () => depth };
      const { balances, transactions } = ledger([reward], { lastBlock });
      return [balances.mine, transactions[0]?.immature];
    };
    expect(at(100)).toEqual([{ trusted: 0n, pending: 0n, immature: 50n }, true]);
    const spendable = { trusted: 50n, pending: 0n, immature: 0n };
    expect([at(101), at(null)]).toEqual([
      [spendable, false],
      [spendable, false],
    ]);
  });

  it('marks locked coins and counts them', () => {
    const { coins, balances } = ledger([received], {
      locked: [{ type: 'lockedutxo', txid: idOf([received], 1), index: 0, locked: 49 }],
    });
    expect(coins).toMatchObject([{ vout: 0, locked: true }]);
    expect(balances.mine.trusted).toBe(100n);
  });

  it('separates coins of reused scripts if the wallet avoids reuse', () => {
    const ownership = { ownerOf: () => 'spendable' as const };
    const marks = { isChange: () => false, isReused: (script: string) => script === MINE };
    const { balances, coins } = ledger(
      [
        {
          ...received,
          pays: [
            [MINE, 100n],
            [CHANGE, 7n],
          ],
        },
      ],
      { ownership, marks, avoidsReuse: true },
    );
    expect(balances).toMatchObject({ mine: { trusted: 7n }, used: 100n });
    expect(coins.map(({ reused }) => reused)).toEqual([true, false]);
  });

  it('ignores a record whose key is not its transaction’s id, as a node does', () => {
    const [first, second] = [received, { ...received, id: 2 }].map((each) => transactionOf([], each));
    if (!first || !second) throw new Error('two were made');
    const { transactions, balances } = ledger([], { transactions: [first, { ...second, txid: NO_BLOCK }] });
    expect(transactions.map(({ txid }) => txid)).toEqual([first.txid]);
    expect(balances.mine.trusted).toBe(100n);
  });
});
