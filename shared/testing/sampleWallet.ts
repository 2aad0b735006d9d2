/** For tests: a descriptor wallet in the list of a node, of which nothing more is known, but for what the test says. */
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
    birthTime: null,
    size: null,
    fromFile: false,
    scanning: null,
    warnings: [],
    pending: false,
    problem: null,
    ...change,
  };
}
