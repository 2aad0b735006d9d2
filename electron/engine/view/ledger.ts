/** What a wallet's stored transactions come to: coins, balances and what each transaction did. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isCoinbase, type TransactionOutput, transaction } from '../../wallet/transaction.ts';
import { orderOf, stateOf, timeOf } from '../../wallet/walletTransaction.ts';
import type { KnownTransaction, Ledger } from '../loadedWallet.ts';
import { balancesOf } from './balances.ts';
import type { LastBlock } from './lastBlock.ts';
import type { Of } from './recordsByType.ts';

/** Whose an output script is, by its hex. */
export interface Ownership {
  of(script: string): 'mine' | 'watched' | null;
  /** Whether an own script was never given out as an address. */
  isChange(script: string): boolean;
  /** Whether an own script was spent from before, in a wallet that keeps such coins apart. */
  isReused(script: string): boolean;
}

export interface LedgerInput {
  readonly transactions: readonly Of<'tx'>[];
  /** `lockedutxo` records. */
  readonly locked: readonly Of<'lockedutxo'>[];
  readonly ownership: Ownership;
  readonly lastBlock: LastBlock | null;
  readonly avoidsReuse: boolean;
  /** Whether the wallet has scripts that it only watches. */
  readonly watches: boolean;
}

/** Time is in proportion to the number of transactions and their inputs and outputs. */
export function ledgerOf(input: LedgerInput): Ledger {
  const stored = [...input.transactions].sort((a, b) => placeOf(a) - placeOf(b));
  const byId = new Map(stored.map((record) => [record.txid, record]));
  const transactions = stored.map((record) => knownTransaction(record, byId, input));
  const spent = new Set(
    stored
      .filter((record) => isLive(record))
      .flatMap((record) => record.transaction.inputs.map(({ txid, index }) => `${txid}:${index}`)),
  );
  const locked = new Set(input.locked.map(({ txid, index }) => `${txid}:${index}`));
  const trusted = trustOf(transactions, byId, input);
  const coins = transactions
    .filter(({ state }) => state === 'confirmed' || state === 'unconfirmed')
    .flatMap((known) =>
      known.outputs
        .filter(({ mine, watched }) => mine || watched)
        .filter(({ vout }) => !spent.has(`${known.txid}:${vout}`))
        .map(({ vout, script, amount, mine }) => ({
          txid: known.txid,
          vout,
          script,
          amount,
          confirmed: known.state === 'confirmed',
          immature: known.immature,
          safe: trusted.has(known.txid),
          locked: locked.has(`${known.txid}:${vout}`),
          spendable: mine,
        })),
    );
  return { transactions, coins, balances: balancesOf(coins, input) };
}

type Stored = Of<'tx'>;

/** Blocks on a coinbase, its own included, before it can be spent. */
const MATURITY = 101;

/** Wallets before 0.6 kept no order: then by time. */
function placeOf(record: Stored): number {
  return orderOf(record) ?? timeOf(record);
}

function isLive(record: Stored): boolean {
  const { state } = stateOf(record);
  return state === 'confirmed' || state === 'inactive';
}

function knownTransaction(
  record: Stored,
  byId: ReadonlyMap<string, Stored>,
  input: LedgerInput,
): KnownTransaction {
  const { ownership, lastBlock } = input;
  const state = stateOf(record);
  const coinbase = isCoinbase(record.transaction);
  const inputs = record.transaction.inputs.map((each) => ownOutput(each, byId, ownership));
  const sent = inputs.some((each) => each !== null);
  const spent = inputs.reduce((sum, each) => (sum === null || !each ? null : sum + each.value), zero);
  const paid = record.transaction.outputs.reduce((sum, { value }) => sum + value, 0n);
  const depth = state.state === 'confirmed' ? (lastBlock?.depthOf(state.blockHash) ?? null) : null;
  return {
    txid: record.txid,
    wtxid: wtxidOf(record),
    state: state.state === 'inactive' || state.state === 'unrecognised' ? 'unconfirmed' : state.state,
    block: state.state === 'confirmed' ? { hash: state.blockHash, index: state.index } : null,
    coinbase,
    // A block that the wallet's list of blocks does not show is at least twelve deep; mostly far deeper.
    immature: coinbase && depth !== null && depth < MATURITY,
    received: record.timeReceived,
    time: timeOf(record),
    fee: coinbase || spent === null ? null : spent - paid,
    sent,
    outputs: record.transaction.outputs.map(({ value, scriptPubKey }, vout) => {
      const hex = bytesToHex(scriptPubKey);
      const owner = ownership.of(hex);
      const change = owner !== null && ownership.isChange(hex);
      return {
        vout,
        script: scriptPubKey,
        amount: value,
        mine: owner === 'mine',
        watched: owner === 'watched',
        change,
      };
    }),
    comment: record.mapValue.find(({ name }) => name === 'comment')?.value ?? null,
  };
}

const zero: bigint | null = 0n;

/** The output an input spends, when it is the wallet's own and its transaction is known. */
function ownOutput(
  { txid, index }: { txid: string; index: number },
  byId: ReadonlyMap<string, Stored>,
  ownership: Ownership,
): TransactionOutput | null {
  const output = byId.get(txid)?.transaction.outputs[index];
  return output && ownership.of(bytesToHex(output.scriptPubKey)) !== null ? output : null;
}

/** In a block, or made by the wallet itself out of coins that are trusted. Source: `CachedTxIsTrusted`. */
function trustOf(
  transactions: readonly KnownTransaction[],
  byId: ReadonlyMap<string, Stored>,
  { ownership }: LedgerInput,
): Set<string> {
  const trusted = new Set(transactions.filter(({ state }) => state === 'confirmed').map(({ txid }) => txid));
  const waiting = transactions.filter(({ state, sent }) => state === 'unconfirmed' && sent);
  // A transaction can stand before the one it spends: go round until nothing new is trusted.
  for (let before = -1; before !== trusted.size; ) {
    before = trusted.size;
    for (const { txid } of waiting) {
      const inputs = byId.get(txid)?.transaction.inputs ?? [];
      const own = inputs.every((input) => trusted.has(input.txid) && isMine(input, byId, ownership));
      if (own) trusted.add(txid);
    }
  }
  return trusted;
}

function isMine(
  { txid, index }: { txid: string; index: number },
  byId: ReadonlyMap<string, Stored>,
  ownership: Ownership,
): boolean {
  const output = byId.get(txid)?.transaction.outputs[index];
  return output !== undefined && ownership.of(bytesToHex(output.scriptPubKey)) === 'mine';
}

function wtxidOf({ transaction: value }: Stored): string {
  return bytesToHex(sha256(sha256(transaction.encode(value))).reverse());
}
