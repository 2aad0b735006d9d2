import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import type { Hazard } from '../../../shared/model/migrationPreview.ts';
import { type Check, type CheckId, check } from '../../../shared/model/safety.ts';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import {
  checkCases,
  inspectionOf,
  migrationFacts,
  NOW,
  readResult,
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

type Facts = Partial<MigrationFacts>;
/** Facts of a file with this in it, of one whose migration comes to this, and of a node of this release. */
const inspected = (fields: Parameters<typeof inspectionOf>[0]) => ({ fileInspection: readResult(fields) });
const preview = (fields: object, others: Parameters<typeof inspectionOf>[0] = {}) => {
  const { migration } = inspectionOf();
  return inspected({ ...others, migration: migration && { ...migration, ...fields } });
};
const hazard = (name: Hazard) => preview({ hazards: [name] });
const emptyWith = (...flags: string[]) => preview({ hazards: ['empty'] }, { flags });
const [empty, blank, watching] = [emptyWith(), emptyWith('blank'), emptyWith('disable_private_keys')];
const on = (release: number, facts: Facts = {}) => ({
  ...facts,
  status: statusOf({ release: releaseOf(release) }),
});
const inEngine = (facts: Facts = {}) => ({ ...facts, status: statusOf({ offline: true }) });
const named = (name: string, ...others: string[]) => ({ name, onDisk: [name, ...others] });
const room = (fields: Parameters<typeof spaceOf>[0]): Facts => ({ space: spaceOf(fields) });
const [labels, blockless] = [hazard('labels-of-others'), hazard('no-best-block')];
const [newer, leftOut] = [inspected({ formatVersion: 999_999 }), preview({ leftOut: 1 })];
const wrongId = inspected({ conditions: [{ code: 'transaction-id', records: { total: 1, shown: ['ab'] } }] });
const scanning = (share: number | null): MigrationFacts['info'] => ({
  descriptors: false,
  format: 'bdb',
  blank: false,
  encrypted: false,
  privateKeys: true,
  scanning: share,
  txcount: 1,
  birthTime: null,
});
const many = (item: string) => ({ total: 1, shown: [item] });

const berkeley = { kind: 'berkeley-db', pageSize: 4096, byteOrder: 'little' } as const;
const clean = { cleanlyClosed: true, uncleanPages: 0, onlyLastUnclean: false } as const;
const refusedFor = (reason: 'version' | 'tree') =>
  inspected({ file: { size: 1, format: { ...berkeley, ...clean, refusals: [reason] } } });
const lastPage = { cleanlyClosed: false, uncleanPages: 1, onlyLastUnclean: true, refusals: [] };
const lastPageUnclean = inspected({ file: { size: 1, format: { ...berkeley, ...lastPage } } });
const unclean = inspected({ file: uncleanFile });
const elsewhere = { fileInspection: { state: 'out-of-reach' } } as const;
const error = { code: 'file_unreadable', message: 'No.', hint: 'Why.' } as const;
const unreadable: Facts = { fileInspection: { state: 'unreadable', error } };
const problem = (finding: Finding, lost: boolean) => inspected({ problems: [{ page: 3, finding, lost }] });
const lostPage = problem({ code: 'page_without_tree', page: 3 }, true);
const withoutCopy = { copy: { ...migrationFacts().copy, file: null } };
const unnamed = { ...named(''), ...withoutCopy };
const watchOnly = preview({ watchOnly: { descriptors: 1 } });
const solvables = preview({ solvables: { descriptors: 1 } });
const withoutSettings = { status: statusOf({ noSettings: true }) };
const chain = (fields: Partial<MigrationFacts['chain']>, facts: Facts = {}): Facts => ({
  chain: { lastBlock: null, pruneTime: null, snapshot: null, now: NOW, ...fields },
  ...facts,
});
const atBlock = (height: number, fields: Partial<MigrationFacts['chain']> = {}) =>
  chain({ lastBlock: { height, time: 1 }, ...fields });
const pruned = (facts: Facts): Facts => ({
  status: statusOf({ pruned: true, pruneHeight: 800_000 }),
  ...facts,
});
const withoutBlock = { ...sampleInspection().balance, lastBlock: null };
const born = (time: number) => inspected({ birth: { known: 'exactly', time } });
const snapshot = { snapshot: { height: 840_000, time: NOW } };
const syncing = (offline = false) => ({
  status: statusOf({ initialBlockDownload: true, blocks: 10, offline }),
});
const unfiltered = { status: statusOf({ blockFilters: 'off' }) };
const ofDash = {
  verdict: 'other' as const,
  coins: ['Dash'],
  programs: ['Dash Core'],
  evidence: [{ by: 'genesis-block' as const, coins: ['Dash'] }],
};
const regtest = { name: 'regtest' as const, from: 'file' as const, candidates: ['regtest' as const] };
const ofNoCoin = { verdict: 'unknown' as const, coins: [], programs: [], evidence: [] };

const { blocks, warns } = checkCases<Facts>();

/** Each check with its verdict: what makes it fire, and similar facts that do not. */
const cases = [
  blocks('wallet-exists', 'no such name', { onDisk: [] }, { onDisk: [], loaded: ['w'] }),
  blocks('wallet-exists', 'a descriptor wallet', inspected({ kind: 'descriptor' }), {}),
  blocks(
    'wallet-exists',
    'a link, without a node',
    { isLinked: true, status: statusOf({ offline: true }) },
    { isLinked: true },
  ),
  warns('file-readable', 'a file on another machine', elsewhere, {}),
  warns('file-readable', 'a file that cannot be read', unreadable, {}),
  warns('file-readable', 'lost parts', lostPage, problem({ code: 'changes_in_wal' }, false)),
  blocks('release', 'release 23', on(230_000), on(250_200)),
  warns('release', 'release 24', on(240_200), on(290_300)),
  warns('release', 'a named wallet on 30.1', on(300_100), on(300_200)),
  blocks('unnamed-wallet', 'it on 30.0 without its file', on(300_000, unnamed), on(300_000)),
  warns('unnamed-wallet', 'it on 29.3', on(290_300, named('')), on(300_200, named(''))),
  blocks(
    'pruned',
    'an old wallet',
    pruned({ ...atBlock(799_999), ...inspected({ birth: { known: 'no', undated: 1 } }) }),
    pruned(atBlock(800_000)),
  ),
  blocks(
    'pruned',
    'a birth before the lowest block',
    pruned(chain({ pruneTime: NOW - 5000 }, born(NOW - 6000))),
    pruned(chain({ pruneTime: NOW - 50_000 }, born(NOW))),
  ),
  blocks(
    'pruned',
    'neither a last block nor a birth',
    pruned(inspected({ balance: withoutBlock, birth: { known: 'no', undated: 1 } })),
    pruned(
      chain({ pruneTime: 1 }, inspected({ balance: withoutBlock, birth: { known: 'exactly', time: NOW } })),
    ),
  ),
  warns('pruned', 'an unknown age', pruned(chain({}, elsewhere)), chain({}, elsewhere)),
  blocks(
    'pruned',
    'a snapshot that does not reach back',
    atBlock(1000, snapshot),
    atBlock(899_990, snapshot),
  ),
  blocks('not-closed', 'an unclean file on 31', unclean, {}),
  blocks(
    'not-closed',
    'an unclean file in the engine',
    { ...unclean, status: statusOf({ release: releaseOf(280_100), offline: true }) },
    inEngine(),
  ),
  warns('not-closed', 'an unclean file on 27', on(270_000, unclean), {}),
  blocks(
    'not-closed',
    'an unclean file on 29',
    on(290_300, unclean),
    on(290_300, { ...unclean, loaded: ['w'] }),
  ),
  blocks('not-closed', 'an unclean last page on 31.1', on(310_100, lastPageUnclean), {}),
  warns('not-closed', 'one on 31.0, which ignores it', on(310_000, lastPageUnclean), {}),
  blocks(
    'names-taken',
    'a taken name that is needed',
    { ...named('w', 'w_watchonly'), ...watchOnly },
    named('w', 'w_watchonly'),
  ),
  blocks(
    'names-taken',
    'a folder without a wallet, for the engine',
    { ...named('w'), ...watchOnly, blockedCompanions: ['w_watchonly'] },
    { ...named('w'), ...watchOnly, blockedCompanions: ['w_solvables'] },
  ),
  blocks(
    'names-taken',
    'one for the unnamed wallet',
    { ...named('', 'default_wallet_solvables'), ...solvables },
    { ...named('w', 'v_solvables'), ...solvables },
  ),
  blocks(
    'names-taken',
    'a name that its backup makes too long',
    named('a'.repeat(234)),
    named(`family/${'a'.repeat(233)}`),
  ),
  warns(
    'names-taken',
    'a taken name that may be needed',
    { ...named('w', 'w_solvables'), ...elsewhere },
    elsewhere,
  ),
  blocks('space', 'a full disk', room({ free: 30_000_000 }), room({ free: 40_000_000 })),
  blocks(
    'space',
    'a full disk for the app’s copies',
    room({ freeForCopies: 10_000_000 }),
    room({ freeForCopies: 40_000_000 }),
  ),
  warns('space', 'an unknown disk', { space: null }, {}),
  warns('syncing', 'a node that syncs', syncing(), syncing(true)),
  warns(
    'syncing',
    'a node that was off for days',
    { status: statusOf({ blocks: 899_500 }) },
    { status: statusOf({ blocks: 899_997 }) },
  ),
  warns(
    'syncing',
    'a clock that is behind the newest block',
    { status: statusOf({ newestBlockTime: Date.now() / 1000 + 8000 }) },
    { status: statusOf({ newestBlockTime: Date.now() / 1000 + 7000 }) },
  ),
  blocks(
    'loaded-elsewhere',
    'a file that another program has open',
    { openElsewhere: true },
    { openElsewhere: null, loaded: ['w'] },
  ),
  blocks('stray-transactions', 'one', preview({ unownedTransactions: many('cd'.repeat(32)) }), {}),
  warns('lost-addresses', 'one', preview({ lostAddresses: many('2Nunspendable') }), {}),
  warns('pool-keys', 'one', preview({ keylessPool: many('02'.repeat(33)) }), {}),
  blocks(
    'obstacles',
    'a companion wallet without settings',
    { ...watchOnly, ...withoutSettings },
    withoutSettings,
  ),
  blocks('obstacles', 'scripts to solve without settings', { ...solvables, ...withoutSettings }, solvables),
  blocks('obstacles', 'a missing seed', hazard('no-seed'), {}),
  blocks('obstacles', 'a gap in a chain', hazard('chain-gap'), {}),
  blocks('obstacles', 'an unused seed', hazard('unused-seed'), {}),
  blocks('obstacles', 'a wrong transaction id on 32', on(319_900, wrongId), on(319_900)),
  blocks('obstacles', 'no best block on 31', blockless, on(319_900, blockless)),
  blocks('obstacles', 'no best block on 27', on(270_000, blockless), on(260_000, blockless)),
  blocks('obstacles', 'a newer format on 29', on(290_300, newer), on(300_200, newer)),
  blocks(
    'obstacles',
    'labels that a wallet without keys cannot keep, on 30',
    on(300_200, labels),
    on(290_300, labels),
  ),
  blocks(
    'obstacles',
    'a wallet that leaves no new wallet, on 30',
    on(300_200, preview({ primary: null })),
    on(290_300, preview({ primary: null })),
  ),
  blocks('obstacles', 'an empty wallet on 29', on(290_300, empty), on(310_000, empty)),
  blocks('obstacles', 'an empty wallet with no flag on 30', on(300_200, empty), on(300_200, watching)),
  blocks('obstacles', 'a blank wallet on 26', on(260_000, blank), on(270_000, blank)),
  blocks('obstacles', 'Berkeley DB 6', refusedFor('version'), inEngine(refusedFor('version'))),
  blocks(
    'obstacles',
    'keys too long for the reader of 28',
    on(280_100, refusedFor('tree')),
    on(270_000, refusedFor('tree')),
  ),
  blocks(
    'obstacles',
    'keys with an expiry in the engine',
    inEngine(hazard('wkey')),
    inEngine(hazard('no-seed')),
  ),
  warns('obstacles', 'invalid scripts on 25.0', on(250_000, leftOut), on(250_100, leftOut)),
  blocks('obstacles', 'a name with a slash on 29', on(290_300, named('a/w')), on(300_000, named('a/w'))),
  blocks('obstacles', 'a path with a folder on 29', on(290_300, named('../a/w')), on(290_300, named('/a/w'))),
  blocks('obstacles', 'a path as name on 32', on(319_900, named('../w')), named('../w')),
  blocks('rescan', 'one that runs', { info: scanning(0) }, { info: scanning(null) }),
  warns('rescan', 'many blocks', { ...unfiltered, ...atBlock(500_000) }, atBlock(500_000)),
  warns('rescan', 'unknown blocks', chain({}, elsewhere), {
    ...chain({}, elsewhere),
    status: statusOf({ blocks: 137 }),
  }),
  blocks('network', 'another network', inspected({ network: regtest }), {}),
  blocks('coin', 'another coin', inspected({ coin: ofDash }), {}),
  warns('coin', 'an unknown coin', inspected({ coin: ofNoCoin }), {}),
];

describe('checkMigration', () => {
  it('finds nothing wrong with a good wallet', () => {
    const checks = checkMigration(migrationFacts());
    expect(checks.filter(({ verdict }) => verdict !== 'fine')).toEqual([]);
  });

  it('does not call transactions of a damaged wallet foreign, because their keys may be lost', () => {
    const unownedTransactions = many('cd'.repeat(32));
    const { migration } = inspectionOf();
    const problems = [{ page: null, finding: { code: 'no_main_database' }, lost: true }] as const;
    const facts = inspected({ problems, migration: migration && { ...migration, unownedTransactions } });
    const check = of(checkMigration(migrationFacts(facts)), 'stray-transactions');
    expect(check).toMatchObject({ verdict: 'blocker', title: 'Transactions without a key: 1' });
    expect(check.todo).toEqual(['Rescue what is intact.']);
  });

  it('counts what no new wallet will contain, and shows some of it', () => {
    const shown = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    const left = { lostAddresses: { total: 6, shown }, keylessPool: { total: 1, shown: ['02ab'] } };
    const checks = checkMigration(migrationFacts(preview(left)));
    const lost = of(checks, 'lost-addresses');
    expect(lost.title).toBe('Addresses left out: 6');
    expect(lost.text[1]).toBe('a1, a2, a3, a4, a5');
    const keyless = of(checks, 'pool-keys');
    expect(keyless.title).toBe('Unused addresses without a key: 1');
    expect(keyless.text[1]).toBe('02ab');
  });

  it('shortens long scripts and keys', () => {
    const addresses = ['ab', 'ac', 'ad', 'ae', 'af'].map((start) => start.repeat(10_000));
    const long = { total: 5, shown: addresses };
    const checks = checkMigration(migrationFacts(preview({ lostAddresses: long, keylessPool: long })));
    for (const id of ['lost-addresses', 'pool-keys'] as const) {
      const found = of(checks, id);
      expect(check.parse(found)).toEqual(found);
      expect(found.text[1]).toContain(`${'ab'.repeat(65)}…, ${'ac'.repeat(65)}…`);
    }
  });

  it('shows the labels that no new wallet will contain, next to their addresses', () => {
    const { migration } = inspectionOf();
    const hidden = { label: '\u202e'.repeat(999), purpose: null };
    const labelled = ['a1', 'a2', 'a3'].map((address) => ({ address, ...hidden }));
    const emoji = '😀'.repeat(40);
    const addresses = ['a0', ...labelled.map(({ address }) => address), 'a4'];
    const rest = [
      { address: 'a0', label: 'Rent', purpose: 'receive' },
      { address: 'a4', label: emoji, purpose: null },
    ];
    const facts = inspected({
      migration: migration && { ...migration, lostAddresses: { total: 5, shown: addresses } },
      labels: { total: 5, shown: [...rest, ...labelled] },
    });
    const lost = of(checkMigration(migrationFacts(facts)), 'lost-addresses');
    expect(lost.text[0]).toContain('Their labels are lost too.');
    expect(lost.text[1]).toMatch(/^a0 \(“Rent”\), a1 \(“.*”\), a2 \(“.*”\), a3 \(“.*”\), a4 /);
    expect(lost.text[1]).toContain(`a4 (“${emoji}”)`);
    expect(lost.text[1]).not.toContain('\u202e');
    expect(lost.todo).toEqual(['Write down the labels you need.']);
    expect(check.parse(lost)).toEqual(lost);
  });

  it.each(cases)('%s: %s for %s', (id, verdict, _, facts, fineFacts) => {
    const found = of(checkMigration(migrationFacts(facts)), id);
    expect(check.parse(found)).toEqual(found);
    expect(found.verdict).toBe(verdict);
    expect([...found.text, ...found.todo].join('')).not.toBe('');
    expect(of(checkMigration(migrationFacts(fineFacts)), id)).toMatchObject({ verdict: 'fine', todo: [] });
  });

  it('migrates a named copy only of the unnamed wallet on 30.0 whose file the app sees', () => {
    const unnamed = { name: '', onDisk: [''], status: statusOf({ release: releaseOf(300_000) }) };
    expect(needsName(migrationFacts(unnamed))).toBe(true);
    expect(needsName(migrationFacts({ ...unnamed, name: 'w', onDisk: ['w'] }))).toBe(false);
    expect(needsName(migrationFacts({ ...unnamed, ...on(300_200) }))).toBe(false);
    const offline = statusOf({ release: releaseOf(300_000), offline: true });
    expect(needsName(migrationFacts({ ...unnamed, status: offline }))).toBe(false);
    const { copy } = migrationFacts();
    const remote = { ...copy, how: 'cannot', file: null } as const;
    expect(needsName(migrationFacts({ ...unnamed, ...elsewhere, copy: remote }))).toBe(false);
  });

  it('refuses a folder that the engine cannot write to, and warns where it may be a node that cannot', () => {
    const check = (offline: boolean) =>
      of(
        checkMigration(migrationFacts({ unwritable: '/ro', status: statusOf({ offline }) })),
        'wallets-folder',
      );
    expect(check(true)).toMatchObject({ verdict: 'blocker', title: 'Cannot write to /ro' });
    expect(check(false)).toMatchObject({ verdict: 'warning', title: 'May be read-only: /ro' });
  });

  it('needs no chain in the engine', () => {
    const status = statusOf({ offline: true, pruned: true, pruneHeight: 800_000, blockFilters: 'off' });
    const checks = checkMigration(migrationFacts({ status, ...chain({}) }));
    for (const id of ['pruned', 'rescan', 'syncing'] as const) {
      expect(of(checks, id)).toMatchObject({
        verdict: 'fine',
        title: expect.stringMatching(/^No (blocks|sync|rescan) needed$/),
      });
    }
  });

  const spaceTold = (facts: Parameters<typeof spaceOf>[0]) =>
    of(checkMigration(migrationFacts({ space: spaceOf(facts) })), 'space').text;

  it('names the space on the full disk', () => {
    expect(spaceTold({ freeForCopies: 10_000_000 })).toEqual(['App’s copies: 27 MB needed, 10 MB free.']);
    expect(spaceTold({ free: 30_000_000 })).toEqual(['Wallets folder: 37 MB needed, 30 MB free.']);
    expect(spaceTold({ free: 30_000_000, freeForCopies: 20_000_000 })).toHaveLength(2);
  });

  it('adds up the space on one disk, and the other copied wallets', () => {
    const one = { free: 40_900_000, freeForCopies: 40_900_000, oneDisk: true };
    expect(spaceTold(one)).toEqual(['Wallets folder and app’s copies: 47 MB needed, 40 MB free.']);
    expect(spaceTold({ ...one, oneDisk: false })).toEqual([]);
    expect(spaceTold({ otherWalletsSize: 100_000_000, freeForCopies: 100_000_000 })).toEqual([
      'App’s copies: 127 MB needed, 100 MB free.',
    ]);
  });

  it('warns if the free space is unknown', () => {
    const checks = checkMigration(migrationFacts(room({ free: null })));
    expect(of(checks, 'space').verdict).toBe('warning');
    expect(spaceTold({ free: null, freeForCopies: 0 })).toEqual([expect.stringContaining('App’s copies')]);
  });

  it('calls nothing fine that it could not check', () => {
    const checks = checkMigration(migrationFacts({ ...elsewhere, openElsewhere: null }));
    const unseen = checks.filter(({ verdict }) => verdict === 'unseen');
    expect(unseen.map(({ id }) => id)).toEqual([
      ...['not-closed', 'coin', 'network', 'loaded-elsewhere', 'stray-transactions', 'lost-addresses'],
      ...['pool-keys', 'obstacles', 'birth'],
    ]);
    expect(unseen.flatMap(({ todo }) => todo)).toEqual([]);
    expect(of(checkMigration(migrationFacts()), 'not-closed').verdict).toBe('fine');
  });

  const [byApp, byUser] = ['The app copies them first.', 'Copy them yourself first'];
  it.each([
    ['found', [], 'copied', [byApp]],
    ['not all found', ['a', 'b'], 'copied', [byApp, 'copy “a” and “b” yourself']],
    ['not seen', null, 'backupwallet', [byUser]],
    ['not copied', [], 'cannot', [byUser]],
  ] as const)('says what happens to the wallets next to an unnamed one: %s', (_, notFound, how, words) => {
    const folder = notFound === null ? { walletsFolder: null } : {};
    const facts = migrationFacts({
      name: '',
      onDisk: ['', 'a', 'b'],
      status: statusOf({ release: releaseOf(290_300), ...folder }),
      copy: { ...migrationFacts().copy, how, notFound: notFound ?? [] },
    });
    const { todo } = of(checkMigration(facts), 'unnamed-wallet');
    expect(todo).toEqual(words.map((text) => expect.stringContaining(text)));
  });

  it('estimates the duration of a rescan, and says that it is an estimate', () => {
    const status = statusOf({ blockFilters: 'off' });
    const facts = migrationFacts({ status, ...chain({ lastBlock: { height: 820_000, time: 1 } }) });
    const { title, text } = of(checkMigration(facts), 'rescan');
    expect(title).toContain('80,000 blocks');
    expect(text.join()).toMatch(/Estimate: 13 min to 89 min/);
  });
});

it.each([
  [['key-misfit'], 'This wallet would crash the node'],
  [['key-damaged', 'key-misfit'], 'The node would refuse it'],
  [['key-damaged', 'keys-mixed', 'key-misfit'], 'This wallet would crash the node'],
] as const)('says whether a refusal to load comes before a crash: %j', (codes, title) => {
  const facts = inspected({ conditions: codes.map((code) => ({ code, records: many('ab') })) });
  expect(of(checkMigration(migrationFacts(facts)), 'obstacles')).toMatchObject({ verdict: 'blocker', title });
});
