import type { RescueFacts } from '../model/safety.ts';

const none = { total: 0, shown: [] };

/** For tests: a rescue without losses, with the test's changes. */
export function sampleRescue(change: Partial<RescueFacts> = {}): RescueFacts {
  return {
    log: null,
    unclean: false,
    saved: { keys: 1, derived: 0, seeds: 0, labels: 0, transactions: 0 },
    damaged: { keys: 0, others: 0 },
    missing: { keys: 0, chainKeys: 0, counter: false, masterKey: false },
    sealed: 0,
    damagedTextKeys: 0,
    unowned: 0,
    excluded: { transactions: none, addresses: none },
    excludedFile: null,
    ...change,
  };
}
