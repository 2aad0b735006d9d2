/** A wallet's stored transactions in the words of RPC: coins, balances and what each transaction did. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { AddressMarks } from '../../wallet/legacy/addressMarks.ts';
import { type HistoryEntry, storedHistory } from '../../wallet/legacy/storedHistory.ts';
import type { LastBlock } from '../../wallet/record/lastBlock.ts';
import type { Of } from '../../wallet/record/recordsByType.ts';
import { stateOf, timeOf } from '../../wallet/record/walletTransaction.ts';
import type { Ownership } from '../../wallet/script/script.ts';
import { witnessTransactionId } from '../../wallet/script/transaction.ts';
import { balancesOf } from './balances.ts';
import type { Coin, KnownTransaction, Ledger } from './loadedWallet.ts';

export interface LedgerInput {
  readonly transactions: readonly Of<'tx'>[];
  /** `lockedutxo` records. */
  readonly locked: readonly Of<'lockedutxo'>[];
  readonly ownership: Ownership;
  readonly marks: AddressMarks;
  readonly lastBlock: LastBlock | null;
  readonly avoidsReuse: boolean;
  /** Whether the wallet has scripts that it only watches. */
  readonly watches: boolean;
}

/** By the rules of `storedHistory`. */
export function ledgerOf(input: LedgerInput): Ledger {
  const history = storedHistory(input.transactions, input.ownership);
  const locked = new Set(input.locked.map(({ txid, index }) => `${txid}:${index}`));
  const trusted = trustedOf(history.transactions);
  const coins = history.coins.flatMap(({ by, index, owner, value }): Coin[] => {
    const output = by.record.transaction.outputs[index];
    if (!output) return [];
    return [
      {
        txid: by.record.txid,
        vout: index,
        script: output.scriptPubKey,
        amount: value,
        confirmed: by.state === 'confirmed',
        immature: isImmature(by, input.lastBlock),
        safe: trusted.has(by.record.txid),
        locked: locked.has(`${by.record.txid}:${index}`),
        spendable: owner === 'spendable',
      },
    ];
  });
  const transactions = history.transactions.map((stored) => knownTransaction(stored, input));
  return { transactions, coins, balances: balancesOf(coins, input) };
}

/** Blocks on a coinbase, its own included, before it can be spent. */
const MATURITY = 101;

/** A block that the wallet's list of blocks does not show is at least twelve deep; mostly far deeper. */
function isImmature({ coinbase, record }: HistoryEntry, lastBlock: LastBlock | null): boolean {
  const block = coinbase ? blockOf(record) : null;
  const depth = block && (lastBlock?.depthOf(block.hash) ?? null);
  return depth !== null && depth < MATURITY;
}

function blockOf(record: Of<'tx'>): KnownTransaction['block'] {
  const state = stateOf(record);
  return state.state === 'confirmed' ? { hash: state.blockHash, index: state.index } : null;
}

function knownTransaction(stored: HistoryEntry, { marks, lastBlock }: LedgerInput): KnownTransaction {
  const { record, state, coinbase, spends, pays } = stored;
  const { inputs, outputs } = record.transaction;
  const hasWitness = inputs.some(({ witness }) => witness.length > 0);
  const spent = spends.reduce((sum, own) => (sum === null || !own ? null : sum + own.value), zero);
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
  return {
    txid: record.txid,
    wtxid: hasWitness ? witnessTransactionId(record.transaction) : record.txid,
    state,
    block: blockOf(record),
    coinbase,
    immature: isImmature(stored, lastBlock),
    received: record.timeReceived,
    time: timeOf(record),
    fee: coinbase || spent === null ? null : spent - paid,
    sent: isSent(stored),
    outputs: outputs.map(({ value, scriptPubKey }, vout) => {
      const owner = pays[vout]?.owner;
      return {
        vout,
        script: scriptPubKey,
        amount: value,
        mine: owner === 'spendable',
        watched: owner === 'watched',
        change: owner !== undefined && marks.isChange(bytesToHex(scriptPubKey)),
      };
    }),
    comment: record.mapValue.find(({ name }) => name === 'comment')?.value ?? null,
  };
}

const zero: bigint | null = 0n;

function isSent({ spends }: HistoryEntry): boolean {
  return spends.some((own) => own !== null);
}

/** In a block, or made by the wallet itself out of coins that are trusted. Source: `CachedTxIsTrusted`. */
function trustedOf(transactions: readonly HistoryEntry[]): Set<string> {
  const confirmed = transactions.filter(({ state }) => state === 'confirmed');
  const trusted = new Set(confirmed.map(({ record }) => record.txid));
  const waiting = transactions.filter((stored) => stored.state === 'unconfirmed' && isSent(stored));
  // A transaction can stand before the one it spends: go round until nothing new is trusted.
  for (let before = -1; before !== trusted.size; ) {
    before = trusted.size;
    for (const { record, spends } of waiting) {
      const own = record.transaction.inputs.every(
        ({ txid }, place) => trusted.has(txid) && spends[place]?.owner === 'spendable',
      );
      if (own) trusted.add(record.txid);
    }
  }
  return trusted;
}
