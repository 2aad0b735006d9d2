/** For tests: facts about a wallet and a node for which every check is fine. */
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { CheckId } from '../../../shared/model/safety.ts';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { release31, sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import type { MigrationFacts, RestoreFacts, Space } from '../plan/checkFacts.ts';
import type { InspectResult } from '../plan/gatherFacts.ts';

export const NOW = 1_795_200_000;

/** A node of release 31 whose files can be seen, a few blocks past what the wallet knows. */
export const statusOf = (fields: Partial<NodeStatus> = {}): NodeStatus =>
  sampleNodeStatus({
    release: release31,
    blocks: 900_000,
    headers: 900_000,
    blockFilters: 'on',
    logPath: '/node/debug.log',
    walletsFolder: '/node/wallets',
    ...fields,
  });

/** A legacy wallet of known age, with its last block and the preview of its migration. */
export function inspectionOf(fields: Partial<Inspection> = {}): Inspection {
  const { keys, balance, migration } = sampleInspection();
  return sampleInspection({
    birth: { known: 'exactly', time: NOW - 3600 },
    keys: { ...keys, plain: 1, seeds: 1 },
    balance: { ...balance, lastBlock: 'ab'.repeat(32) },
    transactions: { total: 1, shown: [] },
    migration: migration && { ...migration, primary: { descriptors: 10, seed: 'kept' } },
    ...fields,
  });
}

/** A wallet's file that was read, with this in it. */
export function readResult(fields: Partial<Inspection> = {}): InspectResult & { readonly state: 'read' } {
  return { state: 'read', inspection: inspectionOf(fields), sha256: 'cd'.repeat(32), recovered: false };
}

/** The inspection of a Berkeley DB file that was not closed. */
export const uncleanFile: Inspection['file'] = {
  size: 1,
  format: {
    kind: 'berkeley-db',
    pageSize: 4096,
    byteOrder: 'little',
    cleanlyClosed: false,
    uncleanPages: 2,
    onlyLastUnclean: false,
    refusals: [],
  },
};

type Format = Extract<Inspection['file']['format'], { kind: 'berkeley-db' }>;

/** The inspection of a Berkeley DB file that was closed, and that nodes refuse. */
export function refusedFile(...refusals: Format['refusals']): Inspection['file'] {
  const { format, size } = uncleanFile;
  return { size, format: { ...format, cleanlyClosed: true, uncleanPages: 0, refusals } as typeof format };
}

/** Two disks with enough space. */
export const spaceOf = (fields: Partial<Space> = {}): Space => ({
  size: 10_000_000,
  otherWalletsSize: 0,
  free: 1e12,
  freeForCopies: 1e12,
  oneDisk: false,
  ...fields,
});

export function migrationFacts(fields: Partial<MigrationFacts> = {}): MigrationFacts {
  return {
    status: statusOf(),
    name: 'w',
    onDisk: ['w', 'other'],
    loaded: [],
    blockedCompanions: [],
    mayHideUse: false,
    unwritable: null,
    info: null,
    sent: [],
    fileInspection: readResult(),
    space: spaceOf({ size: 1_000_000 }),
    chain: { lastBlock: { height: 899_990, time: NOW - 6000 }, pruneTime: null, snapshot: null, now: NOW },
    copy: {
      how: 'copied',
      text: 'The app copies the closed file.',
      file: '/node/wallets/w/wallet.dat',
      folder: '/app/copies/w',
      copies: [],
      calls: [],
      otherWalletsSize: 0,
      notFound: [],
    },
    openElsewhere: false,
    isLinked: false,
    ...fields,
  };
}

export function restoreFacts(fields: Partial<RestoreFacts> = {}): RestoreFacts {
  return {
    status: statusOf(),
    name: 'new',
    onDisk: ['w'],
    loaded: [],
    blockedCompanions: [],
    mayHideUse: false,
    unwritable: null,
    isOpen: false,
    backupFile: '/stick/backup.dat',
    backupAfterRenames: fields.backupFile ?? '/stick/backup.dat',
    undoes: false,
    migrated: null,
    oldPassphrase: null,
    putsBack: null,
    rescue: null,
    renames: [],
    stats: null,
    copyFolder: '/app/copies/new',
    file: {
      path: '/stick/backup.dat',
      name: 'backup.dat',
      folder: '/stick',
      size: 1000,
      modified: NOW,
      kind: 'descriptor-wallet',
      fileKind: { code: 'descriptor_wallet' },
      network: 'main',
      temporary: false,
      truncated: false,
      suggestedName: 'backup',
    },
    fileError: null,
    blockingPath: null,
    unreadableByNode: { file: false, copies: false },
    sharedFolder: null,
    othersMayRead: false,
    walletElsewhere: null,
    fileInspection: readResult({
      kind: 'descriptor',
      migration: null,
      file: { size: 1000, format: { kind: 'sqlite', pageSize: 4096, applicationId: 0, userVersion: 0 } },
    }),
    space: spaceOf({ size: 1000 }),
    chain: { lastBlock: { height: 899_990, time: NOW - 6000 }, pruneTime: null, snapshot: null, now: NOW },
    ...fields,
  };
}

/** Functions that make the rows of a table of checks: facts that a check blocks or warns of, and similar ones it does not. */
export function checkCases<Facts>() {
  const rowWith =
    (verdict: 'blocker' | 'warning') => (id: CheckId, title: string, facts: Facts, fine: Facts) =>
      [id, verdict, title, facts, fine] as const;
  return { blocks: rowWith('blocker'), warns: rowWith('warning') };
}
