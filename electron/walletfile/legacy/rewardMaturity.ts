/** Which block rewards are too young to be spent: a wallet's file keeps hashes of blocks, and the height is in the reward. */
import type { Network } from '../../../shared/model/network.ts';
import type { Of } from '../records/recordsByType.ts';
import { type LastBlock, stateOf } from '../records/walletTransaction.ts';
import { isCoinbase } from '../script/transaction.ts';

type Stored = Of<'tx'>;

/**
 * Tells of one of these transactions whether it is a reward that cannot be spent yet. The file does not name the height of
 * its newest block: the least that it can have counts, so that no young reward is taken for an old one. A reward whose
 * script tells no height is young only where the list of blocks shows that it is. `network`: null where it is not certain.
 */
export function immatureRewards(
  transactions: readonly Stored[],
  lastBlock: LastBlock | null,
  network: Network | null,
): (record: Stored) => boolean {
  const depthIn = (record: Stored) => {
    const state = stateOf(record);
    return state.state === 'confirmed' ? (lastBlock?.depthOf(state.blockHash) ?? null) : null;
  };
  let newest = lastBlock?.leastHeight ?? 0;
  for (const record of transactions) {
    if (stateOf(record).state !== 'confirmed') continue;
    const height = heightOf(record, network);
    const least = height === null ? 0 : height + (depthIn(record) ?? 1) - 1;
    newest = Math.max(newest, least, leastHeightOf(record));
  }
  return (record) => {
    if (!isCoinbase(record.transaction) || stateOf(record).state !== 'confirmed') return false;
    const height = heightOf(record, network);
    const depth = height === null ? depthIn(record) : newest - height + 1;
    return depth !== null && depth < MATURITY;
  };
}

/** Blocks on a reward, its own included, before it can be spent. Source: `GetTxBlocksToMaturity`. */
const MATURITY = 101;

/**
 * From this height on each block has its height in the reward (BIP 34); before, there can be any number. Source:
 * `BIP34Height` in `kernel/chainparams.cpp`.
 */
const FIRST_HEIGHTS: Readonly<Record<Network, number>> = {
  main: 227_931,
  testnet3: 21_111,
  testnet4: 1,
  signet: 1,
  regtest: 1,
};

/** On the main chain older blocks name this height and higher ones. Source: `BIP34_IMPLIES_BIP30_LIMIT`. */
const FALSE_HEIGHTS = 1_983_702;

/** That of the block of a reward; null for other transactions, and where it cannot be relied on. */
function heightOf({ transaction }: Stored, network: Network | null): number | null {
  const [input] = transaction.inputs;
  const height = input && isCoinbase(transaction) ? firstNumber(input.scriptSig) : null;
  // Where the network is not certain, it may be the main one.
  if (height === null || height < FIRST_HEIGHTS[network ?? 'main']) return null;
  return (network ?? 'main') === 'main' && height >= FALSE_HEIGHTS ? null : height;
}

/** The number above 0 that a script begins with, written as short as it can be (`CScript() << nHeight`); else null. */
function firstNumber(script: Uint8Array): number | null {
  const size = script[0] ?? 0;
  if (size >= OP_1 && size <= OP_16) return size - OP_1 + 1;
  const bytes = script.subarray(1, 1 + size);
  if (size === 0 || size > LONGEST_HEIGHT || bytes.length < size) return null;
  const number = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  const isNegative = number >= 2 ** (8 * size - 1);
  const isShort = number > 16 && number >= 2 ** (8 * (size - 1) - 1);
  return isShort && !isNegative ? number : null;
}

const OP_1 = 0x51;
const OP_16 = 0x60;
/** Bytes. */
const LONGEST_HEIGHT = 4;

/** That the block of a confirmed transaction has at least, as its lock tells. Source: `IsFinalTx`. */
function leastHeightOf({ transaction: { lockTime, inputs } }: Stored): number {
  const isLocked = lockTime < FIRST_TIME && inputs.some(({ sequence }) => sequence !== NEVER_LOCKED);
  return isLocked ? lockTime + 1 : 0;
}

/** `LOCKTIME_THRESHOLD`: what is lower is a height. */
const FIRST_TIME = 500_000_000;
/** `SEQUENCE_FINAL`. */
const NEVER_LOCKED = 0xffffffff;
