import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../../shared/model/inspection.ts';
import { type Check, type CheckId, check } from '../../../shared/model/safety.ts';
import { releaseOf } from '../../bitcoind/rpc/release.ts';
import {
  inspectionOf,
  migrationFacts,
  NOW,
  seenAs,
  spaceOf,
  statusOf,
  uncleanFile,
} from '../testing/testFacts.ts';
import type { MigrationFacts } from './checkFacts.ts';
import { checkMigration, needsName } from './checkMigration.ts';

const of = (checks: readonly Check[], id: CheckId) => {
  const found = checks.find((each) => each.id === id);
  if (!found) throw new Error(`${id} was not looked at`);
  return found;
};

const seen = (fields: Parameters<typeof inspectionOf>[0]): Pick<MigrationFacts, 'fileInspection'> => ({
  fileInspection: seenAs(fields),
});
const preview = (fields: object) => {
  const { migration } = inspectionOf();
  return seen({ migration: migration && { ...migration, ...fields } });
};
const unclean = seen({ file: uncleanFile });
const berkeley = { kind: 'berkeley-db', pageSize: 4096, byteOrder: 'little' } as const;
const clean = { cleanlyClosed: true, uncleanPages: 0, onlyLastUnclean: false } as const;
const refusedFor = (refused: 'version' | 'tree'): Inspection['file'] => ({
  size: 1,
  format: { ...berkeley, ...clean, refused },
});
const lastPageUnclean: Inspection['file'] = {
  size: 1,
  format: { ...berkeley, cleanlyClosed: false, uncleanPages: 1, onlyLastUnclean: true, refused: null },
};
const pruned = (fields: Partial<MigrationFacts> = {}): Partial<MigrationFacts> => ({
  status: statusOf({ pruned: true, pruneHeight: 800_000 }),
  ...fields,
});
const chain = (fields: Partial<MigrationFacts['chain']>): MigrationFacts['chain'] => ({
  lastBlock: null,
  pruneTime: null,
  snapshot: null,
  now: NOW,
  ...fields,
});
const elsewhere = { fileInspection: { state: 'out-of-reach' } } as const;

/** Each check: what makes it fire, with which verdict; and what looks like it but keeps it quiet. */
const cases: [
  CheckId,
  'blocker' | 'warning',
  string,
  Partial<MigrationFacts>,
  string,
  Partial<MigrationFacts>,
][] = [
  [
    'wallet-exists',
    'blocker',
    'a name that is nowhere',
    { onDisk: [] },
    'one that is only loaded',
    { onDisk: [], loaded: ['w'] },
  ],
  ['wallet-exists', 'blocker', 'a descriptor wallet', seen({ kind: 'descriptor' }), 'a legacy one', {}],
  ['file-readable', 'warning', 'a file on another machine', elsewhere, 'one here', {}],
  [
    'file-readable',
    'warning',
    'a file that cannot be read',
    {
      fileInspection: {
        state: 'unreadable',
        error: { code: 'file_unreadable', message: 'No.', hint: 'Why.' },
      },
    },
    'one that can',
    {},
  ],
  [
    'file-readable',
    'warning',
    'a file with lost parts',
    seen({ problems: [{ page: 3, finding: { code: 'page_without_tree', page: 3 }, lost: true }] }),
    'a file with an oddity',
    seen({ problems: [{ page: 3, finding: { code: 'changes_in_wal' }, lost: false }] }),
  ],
  [
    'release',
    'blocker',
    'release 23',
    { status: statusOf({ release: releaseOf(230_000) }) },
    'release 25',
    { status: statusOf({ release: releaseOf(250_200) }) },
  ],
  [
    'release',
    'warning',
    'release 24',
    { status: statusOf({ release: releaseOf(240_200) }) },
    'release 29',
    { status: statusOf({ release: releaseOf(290_300) }) },
  ],
  [
    'release',
    'warning',
    'a named wallet on 30.1',
    { status: statusOf({ release: releaseOf(300_100) }) },
    'on 30.2',
    { status: statusOf({ release: releaseOf(300_200) }) },
  ],
  [
    'unnamed-wallet',
    'blocker',
    'the unnamed wallet on 30.0, where its file is not seen',
    {
      name: '',
      onDisk: [''],
      status: statusOf({ release: releaseOf(300_000) }),
      copy: { ...migrationFacts().copy, file: null },
    },
    'a named one',
    { status: statusOf({ release: releaseOf(300_000) }) },
  ],
  [
    'unnamed-wallet',
    'warning',
    'the unnamed wallet on 29.3',
    { name: '', onDisk: [''], status: statusOf({ release: releaseOf(290_300) }) },
    'on 30.2',
    { name: '', onDisk: [''], status: statusOf({ release: releaseOf(300_200) }) },
  ],
  [
    'pruned',
    'blocker',
    'a wallet older than what is kept',
    pruned({
      chain: chain({ lastBlock: { height: 799_999, time: 1 } }),
      ...seen({ birth: { known: 'no', undated: 1 } }),
    }),
    'one that was in step with it',
    pruned({ chain: chain({ lastBlock: { height: 800_000, time: 1 } }) }),
  ],
  [
    'pruned',
    'blocker',
    'a birth before what is kept',
    pruned({
      chain: chain({ pruneTime: NOW - 5000 }),
      ...seen({ birth: { known: 'exactly', time: NOW - 6000 } }),
    }),
    'a birth after it',
    pruned({
      chain: chain({ pruneTime: NOW - 50_000 }),
      ...seen({ birth: { known: 'exactly', time: NOW } }),
    }),
  ],
  [
    'pruned',
    'warning',
    'a wallet of unknown age',
    pruned({ chain: chain({}), ...elsewhere }),
    'a node with all blocks',
    { chain: chain({}), ...elsewhere },
  ],
  ['not-closed', 'blocker', 'an unclean file on 31', unclean, 'a clean one', {}],
  [
    'not-closed',
    'blocker',
    'an unclean file in the engine',
    { ...unclean, status: statusOf({ release: releaseOf(280_100), offline: true }) },
    'a clean one',
    {},
  ],
  [
    'not-closed',
    'warning',
    'an unclean file on 27',
    { ...unclean, status: statusOf({ release: releaseOf(270_000) }) },
    'a clean one',
    {},
  ],
  [
    'not-closed',
    'blocker',
    'an unclean file on 29',
    { ...unclean, status: statusOf({ release: releaseOf(290_300) }) },
    'one that the node has open',
    { ...unclean, loaded: ['w'], status: statusOf({ release: releaseOf(290_300) }) },
  ],
  [
    'names-taken',
    'blocker',
    'a taken name that is needed',
    { onDisk: ['w', 'w_watchonly'], ...preview({ watchOnly: { suffix: '_watchonly', descriptors: 1 } }) },
    'a taken name that is not',
    { onDisk: ['w', 'w_watchonly'] },
  ],
  [
    'names-taken',
    'blocker',
    'one for the unnamed wallet',
    {
      name: '',
      onDisk: ['', 'default_wallet_solvables'],
      ...preview({ solvables: { suffix: '_solvables', descriptors: 1 } }),
    },
    'another’s name',
    { onDisk: ['w', 'v_solvables'], ...preview({ solvables: { suffix: '_solvables', descriptors: 1 } }) },
  ],
  [
    'names-taken',
    'warning',
    'a taken name that may be needed',
    { onDisk: ['w', 'w_solvables'], ...elsewhere },
    'free names',
    elsewhere,
  ],
  [
    'space',
    'blocker',
    'a full disk',
    { space: spaceOf({ free: 30_000_000 }) },
    'room for two',
    { space: spaceOf({ free: 40_000_000 }) },
  ],
  [
    'space',
    'blocker',
    'a full disk for the app’s copies',
    { space: spaceOf({ freeForCopies: 10_000_000 }) },
    'room there',
    { space: spaceOf({ freeForCopies: 40_000_000 }) },
  ],
  ['space', 'warning', 'a disk that cannot be seen', { space: null }, 'one that can', {}],
  [
    'syncing',
    'warning',
    'a node that syncs',
    { status: statusOf({ initialBlockDownload: true, blocks: 10 }) },
    'the engine',
    { status: statusOf({ initialBlockDownload: true, offline: true }) },
  ],
  [
    'loaded-elsewhere',
    'blocker',
    'a file that another program holds',
    { openElsewhere: true },
    'one that the node in use has open',
    { openElsewhere: null, loaded: ['w'] },
  ],
  [
    'stray-transactions',
    'blocker',
    'a transaction of no one',
    preview({ strayTransactions: { total: 1, shown: ['cd'.repeat(32)] } }),
    'none',
    {},
  ],
  [
    'lost-addresses',
    'warning',
    'an address that no one can spend from',
    preview({ lostAddresses: { total: 1, shown: ['2Nunspendable'] } }),
    'none',
    {},
  ],
  [
    'pool-keys',
    'warning',
    'an unused address without its key',
    preview({ keylessPool: { total: 1, shown: ['02'.repeat(33)] } }),
    'none',
    {},
  ],
  ['obstacles', 'blocker', 'a missing seed', preview({ hazards: ['no-seed'] }), 'none', {}],
  ['obstacles', 'blocker', 'a gap in a chain', preview({ hazards: ['chain-gap'] }), 'none', {}],
  [
    'obstacles',
    'blocker',
    'no best block on 31',
    preview({ hazards: ['no-best-block'] }),
    'none on 32',
    { ...preview({ hazards: ['no-best-block'] }), status: statusOf({ release: releaseOf(319_900) }) },
  ],
  [
    'obstacles',
    'blocker',
    'no best block on 27',
    { ...preview({ hazards: ['no-best-block'] }), status: statusOf({ release: releaseOf(270_000) }) },
    'none on 26',
    { ...preview({ hazards: ['no-best-block'] }), status: statusOf({ release: releaseOf(260_000) }) },
  ],
  [
    'obstacles',
    'blocker',
    'a wallet of a newer format on 29',
    { ...seen({ formatVersion: 999_999 }), status: statusOf({ release: releaseOf(290_300) }) },
    'the same on 30',
    { ...seen({ formatVersion: 999_999 }), status: statusOf({ release: releaseOf(300_200) }) },
  ],
  [
    'obstacles',
    'blocker',
    'labels that a wallet without keys cannot keep, on 30',
    { ...preview({ hazards: ['labels-of-others'] }), status: statusOf({ release: releaseOf(300_200) }) },
    'the same on 29',
    { ...preview({ hazards: ['labels-of-others'] }), status: statusOf({ release: releaseOf(290_300) }) },
  ],
  [
    'obstacles',
    'blocker',
    'a file of Berkeley DB 6',
    seen({ file: refusedFor('version') }),
    'the same in the engine',
    { ...seen({ file: refusedFor('version') }), status: statusOf({ offline: true }) },
  ],
  [
    'obstacles',
    'blocker',
    'keys too long for Bitcoin Core’s reader on 28',
    { ...seen({ file: refusedFor('tree') }), status: statusOf({ release: releaseOf(280_100) }) },
    'the same on 27, which has Berkeley DB',
    { ...seen({ file: refusedFor('tree') }), status: statusOf({ release: releaseOf(270_000) }) },
  ],
  [
    'obstacles',
    'blocker',
    'keys with an expiry in the engine',
    { ...preview({ hazards: ['wkey'] }), status: statusOf({ offline: true }) },
    'a missing seed in the engine',
    { ...preview({ hazards: ['no-seed'] }), status: statusOf({ offline: true }) },
  ],
  [
    'obstacles',
    'warning',
    'scripts that are not valid on 25.0',
    { ...preview({ leftOut: 1 }), status: statusOf({ release: releaseOf(250_000) }) },
    'the same on 25.1',
    { ...preview({ leftOut: 1 }), status: statusOf({ release: releaseOf(250_100) }) },
  ],
  [
    'obstacles',
    'blocker',
    'a name with a slash on 29',
    { name: 'a/w', onDisk: ['a/w'], status: statusOf({ release: releaseOf(290_300) }) },
    'one on 30',
    { name: 'a/w', onDisk: ['a/w'], status: statusOf({ release: releaseOf(300_000) }) },
  ],
  [
    'obstacles',
    'blocker',
    'a path with a folder on 29',
    { name: '../a/w', onDisk: ['../a/w'], status: statusOf({ release: releaseOf(290_300) }) },
    'a full path',
    { name: '/a/w', onDisk: ['/a/w'], status: statusOf({ release: releaseOf(290_300) }) },
  ],
  [
    'obstacles',
    'blocker',
    'a name that is a path on 32',
    { name: '../w', onDisk: ['../w'], status: statusOf({ release: releaseOf(319_900) }) },
    'the same on 31',
    { name: '../w', onDisk: ['../w'] },
  ],
  [
    'not-closed',
    'blocker',
    'an unclean last page on 31.1',
    { ...seen({ file: lastPageUnclean }), status: statusOf({ release: releaseOf(310_100) }) },
    'a clean file',
    {},
  ],
  [
    'not-closed',
    'warning',
    'an unclean last page on 31.0, which does not see it',
    { ...seen({ file: lastPageUnclean }), status: statusOf({ release: releaseOf(310_000) }) },
    'a clean file',
    {},
  ],
  [
    'pruned',
    'blocker',
    'a snapshot that does not reach back',
    { chain: chain({ lastBlock: { height: 1000, time: 1 }, snapshot: { height: 840_000, time: NOW } }) },
    'a snapshot that does',
    {
      chain: chain({ lastBlock: { height: 899_990, time: 1 }, snapshot: { height: 840_000, time: NOW } }),
    },
  ],
  [
    'rescan',
    'warning',
    'many blocks without filters',
    {
      status: statusOf({ blockFilters: 'off' }),
      chain: chain({ lastBlock: { height: 500_000, time: 1 } }),
    },
    'many with filters',
    { chain: chain({ lastBlock: { height: 500_000, time: 1 } }) },
  ],
  [
    'rescan',
    'warning',
    'an unknown number of blocks',
    { chain: chain({}), ...elsewhere },
    'a few blocks',
    { status: statusOf({ blockFilters: 'off' }) },
  ],
  [
    'network',
    'blocker',
    'another network',
    seen({ network: { name: 'regtest', from: 'file', candidates: ['regtest'] } }),
    'the node’s own',
    {},
  ],
  [
    'coin',
    'blocker',
    'another coin',
    seen({
      coin: {
        ...{ verdict: 'other', coins: ['Dash'], programs: ['Dash Core'] },
        evidence: [{ by: 'genesis-block', coins: ['Dash'] }],
      },
    }),
    'Bitcoin',
    {},
  ],
  [
    'coin',
    'warning',
    'keys that nothing tells the coin of',
    seen({ coin: { verdict: 'unknown', coins: [], programs: [], evidence: [] } }),
    'Bitcoin',
    {},
  ],
];

describe('checkMigration', () => {
  it('is quiet about a wallet with nothing wrong', () => {
    const checks = checkMigration(migrationFacts());
    expect(checks.filter(({ verdict }) => verdict !== 'fine')).toEqual([]);
  });

  it('counts what will be in none of the new wallets, and shows some of it', () => {
    const shown = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    const checks = checkMigration(
      migrationFacts(
        preview({ lostAddresses: { total: 6, shown }, keylessPool: { total: 1, shown: ['02ab'] } }),
      ),
    );
    const lost = of(checks, 'lost-addresses');
    expect(lost.title).toBe('6 addresses will not be in the new wallets');
    expect(lost.text[1]).toBe('a1, a2, a3, a4, a5');
    const keyless = of(checks, 'pool-keys');
    expect(keyless.title).toBe('1 unused address has no key in this file');
    expect(keyless.text[1]).toBe('02ab');
  });

  it('tells the labels that will be in none of the new wallets, beside their addresses', () => {
    const { migration } = inspectionOf();
    const labelled = ['a1', 'a2', 'a3'].map((address) => ({
      address,
      label: '\u202e'.repeat(999),
      purpose: null,
    }));
    const emoji = '😀'.repeat(40);
    const shown = ['a0', ...labelled.map(({ address }) => address), 'a4'];
    const rest = [
      { address: 'a0', label: 'Rent', purpose: 'receive' },
      { address: 'a4', label: emoji, purpose: null },
    ];
    const facts = seen({
      migration: migration && { ...migration, lostAddresses: { total: 5, shown } },
      labels: { total: 5, shown: [...rest, ...labelled] },
    });
    const lost = of(checkMigration(migrationFacts(facts)), 'lost-addresses');
    expect(lost.text[0]).toContain('Their labels are left out too.');
    expect(lost.text[1]).toMatch(/^a0 \(“Rent”\), a1 \(“.*”\), a2 \(“.*”\), a3 \(“.*”\), a4 /);
    expect(lost.text[1]).toContain(`a4 (“${emoji}”)`);
    expect(lost.text[1]).not.toContain('\u202e');
    expect(lost.todo).toEqual(['Write down their labels if you need them.']);
    expect(check.parse(lost)).toEqual(lost);
  });

  it.each(cases)('%s: %s for %s', (id, verdict, _, facts) => {
    const checks = checkMigration(migrationFacts(facts));
    const found = of(checks, id);
    expect(check.parse(found)).toEqual(found);
    expect(found.verdict).toBe(verdict);
    expect([...found.text, ...found.todo].join('')).not.toBe('');
  });

  it.each(cases)('%s: quiet, unlike %s for %s, for %4$s', (id, _verdict, _loud, _facts, _quiet, facts) => {
    const checks = checkMigration(migrationFacts(facts));
    expect(of(checks, id)).toMatchObject({ verdict: 'fine', todo: [] });
  });

  it('goes the safe way for the unnamed wallet of 30.0 where the app sees its file, and no other', () => {
    const unnamed = { name: '', onDisk: [''], status: statusOf({ release: releaseOf(300_000) }) };
    expect(needsName(migrationFacts(unnamed))).toBe(true);
    expect(needsName(migrationFacts({ ...unnamed, name: 'w', onDisk: ['w'] }))).toBe(false);
    expect(needsName(migrationFacts({ ...unnamed, status: statusOf({ release: releaseOf(300_200) }) }))).toBe(
      false,
    );
    const offline = statusOf({ release: releaseOf(300_000), offline: true });
    expect(needsName(migrationFacts({ ...unnamed, status: offline }))).toBe(false);
    const { copy } = migrationFacts();
    const remote = { ...copy, way: 'cannot', file: null } as const;
    expect(needsName(migrationFacts({ ...unnamed, ...elsewhere, copy: remote }))).toBe(false);
  });

  it('asks nothing of the chain where there is none', () => {
    const status = statusOf({ offline: true, pruned: true, pruneHeight: 800_000, blockFilters: 'off' });
    const checks = checkMigration(migrationFacts({ status, chain: chain({}) }));
    for (const id of ['pruned', 'rescan', 'syncing'] as const) {
      expect(of(checks, id)).toMatchObject({
        verdict: 'fine',
        title: expect.stringMatching(/^No (blocks|sync|rescan) needed$/),
      });
    }
  });

  const spaceTold = (facts: Parameters<typeof spaceOf>[0]) =>
    of(checkMigration(migrationFacts({ space: spaceOf(facts) })), 'space').text;

  it('gives the numbers of the disk that is full', () => {
    expect(spaceTold({ freeForCopies: 10_000_000 })).toEqual(['App’s copies: 27 MB needed, 10 MB free.']);
    expect(spaceTold({ free: 30_000_000 })).toEqual(['Wallets folder: 37 MB needed, 30 MB free.']);
    expect(spaceTold({ free: 30_000_000, freeForCopies: 20_000_000 })).toHaveLength(2);
  });

  it('adds up what one disk has to take, and the wallets that are copied along', () => {
    const one = { free: 40_000_000, freeForCopies: 40_000_000, oneDisk: true };
    expect(spaceTold(one)).toEqual([expect.stringContaining('47 MB needed, 40 MB free')]);
    expect(spaceTold({ ...one, oneDisk: false })).toEqual([]);
    expect(spaceTold({ beside: 100_000_000, freeForCopies: 100_000_000 })).toEqual([
      'App’s copies: 127 MB needed, 100 MB free.',
    ]);
  });

  it('does not take for room what it cannot see', () => {
    const checks = checkMigration(migrationFacts({ space: spaceOf({ free: null }) }));
    expect(of(checks, 'space').verdict).toBe('warning');
    expect(spaceTold({ free: null, freeForCopies: 0 })).toEqual([expect.stringContaining('App’s copies')]);
  });

  it('passes nothing that it could not check', () => {
    const checks = checkMigration(migrationFacts({ ...elsewhere, openElsewhere: null }));
    const unseen = checks.filter(({ verdict }) => verdict === 'unseen');
    expect(unseen.map(({ id }) => id)).toEqual([
      'not-closed',
      'coin',
      'network',
      'loaded-elsewhere',
      'stray-transactions',
      'lost-addresses',
      'pool-keys',
      'obstacles',
      'birth',
    ]);
    expect(unseen.flatMap(({ todo }) => todo)).toEqual([]);
    expect(of(checkMigration(migrationFacts()), 'not-closed').verdict).toBe('fine');
  });

  it.each([
    ['found', [], 'copied', ['The app first copies the other wallets']],
    [
      'not all found',
      ['a', 'b'],
      'copied',
      ['The app first copies the other wallets', 'copy yourself first: “a” and “b”'],
    ],
    ['not seen', null, 'backupwallet', ['Copy the other wallets yourself first']],
    ['not copied', [], 'cannot', ['Copy the other wallets yourself first']],
  ] as const)(
    'promises for the wallets beside an unnamed one what can be done: %s',
    (_, notFound, way, told) => {
      const facts = migrationFacts({
        name: '',
        onDisk: ['', 'a', 'b'],
        status: statusOf({
          release: releaseOf(290_300),
          ...(notFound === null ? { walletsFolder: null } : {}),
        }),
        copy: { ...migrationFacts().copy, way, notFound: notFound ?? [] },
      });
      const { todo } = of(checkMigration(facts), 'unnamed-wallet');
      expect(todo).toEqual(told.map((words) => expect.stringContaining(words)));
    },
  );

  it('estimates how long a rescan takes, and calls it that', () => {
    const status = statusOf({ blockFilters: 'off' });
    const facts = migrationFacts({ status, chain: chain({ lastBlock: { height: 820_000, time: 1 } }) });
    const { title, text } = of(checkMigration(facts), 'rescan');
    expect(title).toContain('80,000 blocks');
    expect(text.join()).toMatch(/Estimate: 13 min to 89 min/);
  });
});
