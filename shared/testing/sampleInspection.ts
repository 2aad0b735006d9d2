/** For tests: the inspection of an empty legacy wallet, with the test's changes. */
import type { BalanceParts, Inspection } from '../model/inspection.ts';
import type { MigrationPreview } from '../model/migrationPreview.ts';

const none = { total: 0, shown: [] } as const;
export const NOTHING: BalanceParts = {
  confirmed: 0n,
  unconfirmed: 0n,
  ofBlockRewards: 0n,
  immature: 0n,
  invalid: 0n,
  addresses: 0,
};

export function sampleInspection(change: Partial<Inspection> = {}): Inspection {
  return {
    incomplete: null,
    kind: 'legacy',
    network: { name: 'main', from: 'asked', candidates: ['main'] },
    coin: { verdict: 'bitcoin', coins: ['Bitcoin'], programs: [], evidence: [] },
    file: {
      size: 16_384,
      format: {
        kind: 'berkeley-db',
        pageSize: 4096,
        byteOrder: 'little',
        cleanlyClosed: true,
        uncleanPages: 0,
        onlyLastUnclean: false,
        refusals: [],
      },
    },
    encryption: null,
    passphrase: 'not-encrypted',
    birth: { known: 'no', undated: 0 },
    lastWrittenBy: null,
    formatVersion: null,
    flags: [],
    keys: {
      plain: 0,
      encrypted: 0,
      uncompressed: 0,
      seeds: 0,
      fromChains: 0,
      single: 0,
      watched: 0,
      unused: { external: 0, internal: 0 },
      damaged: 0,
    },
    hdChains: none,
    descriptors: none,
    scripts: none,
    labels: none,
    transactions: none,
    lockedCoins: none,
    balance: { spendable: NOTHING, watched: NOTHING, notYours: 0n, newestTransaction: null, lastBlock: null },
    records: { total: 0, byType: {}, unknown: none, damaged: none },
    problems: [],
    conditions: [],
    migration: samplePreview(),
    ...change,
  };
}

/** The preview of its migration. */
export function samplePreview(change: Partial<MigrationPreview> = {}): MigrationPreview {
  return {
    primary: { descriptors: 0, seed: 'none' },
    watchOnly: null,
    solvables: null,
    leftOut: 0,
    lostAddresses: none,
    keylessPool: none,
    unownedTransactions: none,
    hazards: [],
    ...change,
  };
}
