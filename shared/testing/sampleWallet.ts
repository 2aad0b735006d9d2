/** For tests: a node's entry of a descriptor wallet without details, with the test's changes. */
import type { Wallet } from '../model/wallet.ts';

export function sampleWallet(change: Partial<Wallet> = {}): Wallet {
  return {
    name: 'w',
    kind: 'descriptor',
    loaded: false,
    encrypted: null,
    watchOnly: null,
    balance: null,
    spendable: null,
    transactions: null,
    size: null,
    fromFile: false,
    scanning: null,
    warnings: [],
    pending: false,
    problem: null,
    ...change,
  };
}
