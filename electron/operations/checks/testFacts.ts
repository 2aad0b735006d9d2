/** For tests: facts about a wallet and a node with which every check is quiet. */
import type { Inspection } from '../../../shared/inspection.ts';
import type { NodeStatus } from '../../../shared/model.ts';
import type { MigrationFacts, RestoreFacts } from './checkFacts.ts';

export const NOW = 1_795_200_000;

export function statusOf(fields: Partial<NodeStatus> = {}): NodeStatus {
  return {
    label: 'Test node',
    address: { host: '127.0.0.1', port: 8332, tls: false },
    local: true,
    offline: false,
    network: 'main',
    release: { number: 310_000, text: '31.0', migrates: 'yes', loadsLegacy: false },
    subversion: '/Satoshi:31.0.0/',
    blocks: 900_000,
    headers: 900_000,
    syncProgress: 1,
    initialBlockDownload: false,
    pruned: false,
    pruneHeight: null,
    blockFilters: 'on',
    logPath: '/node/debug.log',
    walletsFolder: '/node/wallets',
    warnings: [],
    ...fields,
  };
}

export const release = (text: string, number: number): NodeStatus['release'] => ({
  number,
  text,
  migrates: number < 240_000 ? 'no' : number < 250_000 ? 'unlock-first' : 'yes',
  loadsLegacy: number < 300_000,
});

const none = { total: 0, shown: [] };
const parts = { confirmed: 0n, unconfirmed: 0n, ofBlockRewards: 0n };

export function inspectionOf(fields: Partial<Inspection> = {}): Inspection {
  return {
    kind: 'legacy',
    network: { name: 'main', from: 'genesis-block', candidates: ['main'] },
    file: {
      size: 1000,
      format: {
        kind: 'berkeley-db',
        pageSize: 4096,
        byteOrder: 'little',
        cleanlyClosed: true,
        uncleanPages: 0,
      },
    },
    encryption: null,
    passphrase: 'not-encrypted',
    birth: { known: 'exactly', time: NOW - 3600 },
    lastWrittenBy: null,
    formatVersion: null,
    flags: [],
    keys: {
      plain: 1,
      encrypted: 0,
      uncompressed: 0,
      seeds: 1,
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
    balance: { spendable: parts, watched: parts, newestTransaction: null, lastBlock: 'ab'.repeat(32) },
    records: { total: 1, byType: {}, unknown: none, damaged: none },
    problems: [],
    migration: {
      primary: { descriptors: 10, seed: 'kept' },
      watchOnly: null,
      solvables: null,
      leftOut: 0,
      strayTransactions: none,
      obstacles: [],
    },
    ...fields,
  };
}

export function migrationFacts(fields: Partial<MigrationFacts> = {}): MigrationFacts {
  return {
    status: statusOf(),
    name: 'w',
    onDisk: ['w', 'other'],
    loaded: [],
    info: null,
    looked: { state: 'seen', inspection: inspectionOf() },
    space: { size: 1_000_000, free: 1e12, freeForCopies: 1e12 },
    chain: { lastBlock: { height: 899_990, time: NOW - 6000 }, pruneTime: null, now: NOW },
    copy: {
      way: 'copied',
      text: 'The app copies the closed file of the wallet.',
      file: '/node/wallets/w/wallet.dat',
      loaded: false,
    },
    heldElsewhere: false,
    zeroInPassphrase: false,
    ...fields,
  };
}

export function restoreFacts(fields: Partial<RestoreFacts> = {}): RestoreFacts {
  return {
    status: statusOf(),
    name: 'new',
    onDisk: ['w'],
    loaded: [],
    file: {
      path: '/stick/backup.dat',
      name: 'backup.dat',
      folder: '/stick',
      size: 1000,
      modified: NOW,
      kind: 'descriptor-wallet',
      description: 'descriptor wallet (SQLite)',
      network: 'main',
      truncated: false,
      suggestedName: 'backup',
    },
    fileError: null,
    looked: {
      state: 'seen',
      inspection: inspectionOf({
        kind: 'descriptor',
        migration: null,
        file: { size: 1000, format: { kind: 'sqlite', pageSize: 4096, applicationId: 0, userVersion: 0 } },
      }),
    },
    space: { size: 1000, free: 1e12, freeForCopies: 1e12 },
    chain: { lastBlock: { height: 899_990, time: NOW - 6000 }, pruneTime: null, now: NOW },
    ...fields,
  };
}
