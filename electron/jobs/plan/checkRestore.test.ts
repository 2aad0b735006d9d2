import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { checksGotWorse } from '../../../shared/model/plan.ts';
import type { CheckId } from '../../../shared/model/safety.ts';
import { OTHERS_MAY_READ } from '../../../shared/wording/findings/hints.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import { ON_WINDOWS } from '../../files/testing/system.ts';
import {
  checkCases,
  NOW,
  readResult,
  refusedFile,
  restoreFacts,
  spaceOf,
  statusOf,
  uncleanFile,
} from '../testing/testFacts.ts';
import type { RestoreFacts } from './checkFacts.ts';
import { checkName, nameQuestion } from './checkName.ts';
import { checkRestore, needsMigration } from './checkRestore.ts';

type Facts = Partial<RestoreFacts>;
/** The backup with these facts of its header. */
const file = (fields: Partial<NonNullable<RestoreFacts['file']>>) => {
  const { file: known } = restoreFacts();
  return { file: known && { ...known, ...fields } };
};
const legacy = {
  ...file({ kind: 'legacy-wallet', fileKind: { code: 'legacy_wallet' }, network: null }),
  fileInspection: readResult(),
} as const;
const old = statusOf({ release: releaseOf(290_300) });
const unclean = { ...legacy, fileInspection: readResult({ file: uncleanFile }) } as const;
const refused = (reasons: Parameters<typeof refusedFile>, onRelease = old): Facts => ({
  ...legacy,
  fileInspection: readResult({ file: refusedFile(...reasons) }),
  status: onRelease,
});
const newer = { ...legacy, fileInspection: readResult({ formatVersion: 999_999 }) };
const { fileInspection: descriptors } = restoreFacts();
const mixed: Facts =
  descriptors.state === 'read'
    ? {
        fileInspection: readResult({
          ...descriptors.inspection,
          conditions: [{ code: 'descriptor-keys-mixed', records: { total: 1, shown: ['ab'] } }],
        }),
      }
    : {};
const formed = (form: 'musig' | 'key-only'): Facts => {
  const one = { text: null, active: false, internal: null, addressType: null, range: null, next: null };
  const backups = [{ ...one, form, created: NOW }];
  return { fileInspection: readResult({ kind: 'descriptor', descriptors: { total: 1, shown: backups } }) };
};
const error = { code: 'file_missing', message: 'Nothing is at /x.', hint: 'Choose again.' } as const;

const cutShort: Facts = { ...legacy, ...file({ kind: 'legacy-wallet', truncated: true }) };
const unreadable: Facts = { fileInspection: { state: 'unreadable', error } };
const withJournal: Facts = {
  fileInspection: {
    state: 'unreadable',
    error: {
      code: 'beyond_limits',
      message: 'Large.',
      hint: '',
      finding: { code: 'large_file_has_journal', ending: '-journal' },
    },
  },
};
const elsewhere = statusOf({ local: false, walletsFolder: null });
const on32 = statusOf({ release: releaseOf(319_900) });
const beside = (name: string): Facts => ({ ...legacy, onDisk: [name] });
const blocked = (...blockedCompanions: string[]): Facts => ({ ...legacy, blockedCompanions });
const called = (letters: number): Facts => ({ ...legacy, name: 'a'.repeat(letters) });

const { blocks, warns } = checkCases<Facts>();

/** Each check with its verdict: what makes it fire, and similar facts that do not. */
const cases = [
  blocks('backup-file', 'a file that is gone', { file: null, fileError: error }, {}),
  blocks('backup-file', 'a picture', file({ kind: 'other', fileKind: { code: 'image', format: 'PNG' } }), {}),
  warns('backup-file', 'a file on the node’s machine', { file: null }, {}),
  warns('backup-file', 'a file that is cut short', file({ truncated: true }), {}),
  blocks('name', 'a taken name', { name: 'w' }, { name: 'v' }),
  blocks('name', 'a name that leads out', { name: '../w' }, { name: 'a/b' }),
  // Windows makes no folder of such a name.
  (ON_WINDOWS ? blocks : warns)('name', 'a space at the end', { name: 'new ' }, { name: 'new one' }),
  warns('name', 'a place inside another wallet', { name: 'w/inner' }, { name: 'w2/inner' }),
  warns('release', 'a file on the machine of a node of release 31', { file: null }, legacy),
  blocks('space', 'a full disk', { space: spaceOf({ size: 1e9, free: 1e8 }) }, {}),
  blocks('wallets-folder', 'a node on another machine', { ...legacy, status: elsewhere }, legacy),
  warns('wallets-folder', 'one that may be read-only', { ...legacy, unwritable: '/ro' }, legacy),
  blocks('not-closed', 'an unclean legacy backup on 31', unclean, legacy),
  blocks(
    'not-closed',
    'an unclean legacy backup on 29',
    { ...unclean, status: old },
    { ...legacy, status: old },
  ),
  blocks('backup-file', 'a legacy file that is cut short on 31', cutShort, legacy),
  warns('backup-file', 'a file whose end cannot be read', unreadable, {}),
  blocks('backup-file', 'a file whose journal cannot be applied', withJournal, {}),
  blocks('name', 'a slash, on 31', { ...legacy, name: 'a/b' }, legacy),
  blocks('name', 'a folder in the way', { blockingPath: '/w/new' }, { blockingPath: null }),
  blocks('name', 'a folder in the way of a legacy backup', { ...legacy, blockingPath: '/w/new' }, legacy),
  blocks('names-taken', 'the name of a watch-only wallet', beside('new_watchonly'), beside('w_watchonly')),
  blocks(
    'names-taken',
    'the name of a loaded solvable wallet',
    { ...legacy, loaded: ['new_solvables'] },
    legacy,
  ),
  blocks('names-taken', 'a folder in the way, for the engine', blocked('new_solvables'), blocked()),
  blocks('names-taken', 'a name that an ending makes too long', called(234), called(233)),
  blocks('obstacles', 'encrypted and plain keys in descriptors on 32', { ...mixed, status: on32 }, mixed),
  blocks('obstacles', 'keys of MuSig2 on 29', { ...formed('musig'), status: old }, formed('musig')),
  blocks('obstacles', 'an unused key on 31', formed('key-only'), { ...formed('key-only'), status: on32 }),
  blocks('obstacles', 'a legacy backup of a newer format on 29', { ...newer, status: old }, newer),
  blocks('obstacles', 'a longer legacy backup on 29', refused(['length']), { ...legacy, status: old }),
  blocks(
    'obstacles',
    'a part of a page at the end of a legacy backup on 29',
    refused(['partial-page']),
    refused(['partial-page'], statusOf()),
  ),
  blocks(
    'obstacles',
    'a part of a page after an unusual tree in a legacy backup on 29',
    refused(['tree', 'partial-page']),
    refused(['tree']),
  ),
];

/** Those of its name are of a question. */
const allOf = (facts: RestoreFacts) => [...checkRestore(facts), checkName(facts)];
const of = (facts: Facts, id: CheckId) => allOf(restoreFacts(facts)).find((each) => each.id === id);

describe('the age of the keys', () => {
  const birth = { known: 'exactly', time: NOW - 3600 } as const;
  const at = (time: number) => ({
    txid: 'ab'.repeat(32),
    time,
    coinbase: false,
    state: 'confirmed' as const,
    spendable: { received: 0n, spent: 0n },
    watched: { received: 0n, spent: 0n },
  });
  const birthCheck = (fields: Parameters<typeof readResult>[0], status = statusOf()) => {
    const checks = checkRestore(restoreFacts({ status, fileInspection: readResult({ birth, ...fields }) }));
    return checks.find(({ id }) => id === 'birth');
  };

  it.each<[string, Parameters<typeof readResult>[0], string]>([
    ['without history', { transactions: { total: 0, shown: [] } }, 'No transactions.'],
    [
      'younger than its own payments',
      { transactions: { total: 1, shown: [at(NOW - 90_000)] } },
      'Some transactions are older.',
    ],
  ])('warns for a wallet %s: older payments will not be found', (_, fields, why) => {
    expect(birthCheck(fields)).toMatchObject({
      verdict: 'warning',
      title: expect.stringMatching(/^Payments before .* will not be found$/),
      text: ['The file gives this date.', why],
      todo: [expect.stringContaining('rescan everything')],
    });
  });

  it.each<[string, Parameters<typeof readResult>[0]]>([
    ['with payments of its age', { transactions: { total: 1, shown: [at(NOW - 3600)] } }],
    ['with keys that have no date', { birth: { known: 'no', undated: 1 } }],
    [
      'as old as the chain may be',
      { birth: { known: 'exactly', time: 1 }, transactions: { total: 0, shown: [] } },
    ],
  ])('is fine for a wallet %s', (_, fields) => {
    expect(birthCheck(fields)?.verdict).toBe('fine');
  });

  it('says of the engine that it has no blocks', () => {
    expect(birthCheck({}, statusOf({ offline: true }))).toMatchObject({
      verdict: 'fine',
      text: ['Only a node finds new payments.'],
    });
  });
});

describe('checkRestore', () => {
  it('stops a custom signet’s wallet in the engine alone', () => {
    const custom = file({ kind: 'descriptor-wallet', network: null });
    expect(of({ ...custom, status: statusOf({ offline: true }) }, 'network')).toMatchObject({
      verdict: 'blocker',
      text: [expect.stringContaining('Custom signet')],
    });
    expect(of(custom, 'network')?.verdict).toBe('fine');
    const fault = { code: 'header_field_invalid', field: 'application_id' } as const;
    const problem = { page: null, finding: { code: 'wallet_damaged', fault }, lost: true } as const;
    for (const offline of [true, false])
      expect(
        of(
          { ...custom, status: statusOf({ offline }), fileInspection: readResult({ problems: [problem] }) },
          'network',
        ),
      ).toMatchObject({
        verdict: 'blocker',
        title: expect.stringContaining('application_id'),
        text: [],
        todo: ['Rescue what is intact.'],
      });
  });

  it('finds nothing wrong with a good backup', () => {
    expect(allOf(restoreFacts()).filter(({ verdict }) => verdict !== 'fine')).toEqual([]);
  });

  it.each(cases)('%s: %s for %s', (id, verdict, _, facts, fineFacts) => {
    expect(of(facts, id)).toMatchObject({ verdict });
    expect(of(fineFacts, id)).toMatchObject({ verdict: 'fine', todo: [] });
  });

  // `checkMigration.test.ts` has the facts that these checks fire on.
  it('checks what a migration of the file needs only if it includes one', () => {
    const always = ['coin', 'network', 'pruned', 'space', 'rescan', 'birth', 'obstacles', 'syncing'];
    const migrating = ['not-closed', 'names-taken', 'stray-transactions', 'lost-addresses', 'pool-keys'];
    const ids = (facts: Facts) => checkRestore(restoreFacts(facts)).map(({ id }) => id);
    expect(ids({})).toEqual(expect.arrayContaining(always));
    expect(ids({}).filter((id) => migrating.includes(id))).toEqual([]);
    expect(ids(legacy)).toEqual(expect.arrayContaining([...always, ...migrating]));
  });

  it.each([
    [
      'cannot be read',
      { file: null, fileError: error, fileInspection: { state: 'out-of-reach' }, space: null },
    ],
    ['is a picture', { ...file({ kind: 'other' }), fileInspection: { state: 'out-of-reach' }, space: null }],
  ] as const)('checks nothing else if the file %s', (_, facts) => {
    const checks = checkRestore(restoreFacts(facts));
    expect(checks.map(({ id }) => id)).toEqual(['backup-file', 'syncing']);
    expect(checks[0]?.verdict).toBe('blocker');
  });

  it('does not count missing blocks that the node does not know', () => {
    const behind = { initialBlockDownload: true, blocks: 10 };
    const text = (headers: number) => of({ status: statusOf({ ...behind, headers }) }, 'syncing')?.text;
    expect(text(10)?.[0]).toMatch(/^Its newest block is old/);
    expect(text(20)?.[0]).toMatch(/^It has 10 of 20 blocks/);
  });

  it('needs space for the copy of a restore, and for all copies of a migration', () => {
    const space = spaceOf({ free: 30_000_000, freeForCopies: 0 });
    expect(of({ space }, 'space')?.verdict).toBe('fine');
    expect(of({ ...legacy, space }, 'space')?.text).toEqual([
      'Wallets folder: 47 MB needed, 30 MB free.',
      'App’s copies: 27 MB needed, 0 MB free.',
    ]);
    expect(of({ space: null }, 'space')?.verdict).toBe('warning');
    expect(of({ unwritable: '/ro', status: statusOf({ offline: true }) }, 'wallets-folder')?.verdict).toBe(
      'blocker',
    );
    expect(of({ isOpen: true }, 'loaded-elsewhere')?.verdict).toBe('blocker');
  });

  it('counts the space for a copy of a read-only file, unless the engine restores it', async () => {
    const stats = { ...(await stat(tmpdir(), { bigint: true })), mode: 0o100400n } as BigIntStats;
    const space = spaceOf({ freeForCopies: 0 });
    expect(of({ stats, space }, 'space')?.text).toEqual(['App’s copies: 27 MB needed, 0 MB free.']);
    expect(of({ stats, space, status: statusOf({ offline: true }) }, 'space')?.verdict).toBe('fine');
    expect(of({ stats: { ...stats, mode: 0o100600n } as BigIntStats, space }, 'space')?.verdict).toBe('fine');
  });

  // SECURITY.md: Other users, on Windows, outside your own folders
  it('warns if other users may be able to read the wallets folder, unless the wallet was in it before', () => {
    const check = { verdict: 'warning', title: OTHERS_MAY_READ };
    expect(of({ othersMayRead: true }, 'folder-rights')).toMatchObject(check);
    expect(of({ ...legacy, othersMayRead: true }, 'folder-rights')).toMatchObject(check);
    expect(of({ othersMayRead: false }, 'folder-rights')).toBeUndefined();
    expect(of({ othersMayRead: true, undoes: true }, 'folder-rights')).toBeUndefined();
    const elsewhere = { verdict: 'warning', title: expect.stringContaining('Is its disk connected?') };
    expect(of({ walletElsewhere: 'sav' }, 'same-folder')).toMatchObject(elsewhere);
    const [before, now] = [null, 'sav'].map((walletElsewhere) => ({
      checks: checkRestore(restoreFacts({ othersMayRead: true, walletElsewhere })),
      asks: [],
    }));
    expect(before && now && checksGotWorse(before, now)).toBe(true);
  });

  it('blocks if the node’s user cannot read the file', async () => {
    const closed = { unreadableByNode: { file: true, copies: true } };
    const stops = { verdict: 'blocker', todo: ['Run the app as the node’s user, or work without a node.'] };
    expect(of(closed, 'node-user')).toMatchObject(stops);
    expect(of({ ...legacy, ...closed }, 'node-user')).toBeUndefined();
    const open = { unreadableByNode: { file: false, copies: true } };
    expect(of(open, 'node-user')).toBeUndefined();
    const stats = { ...(await stat(tmpdir(), { bigint: true })), mode: 0o100444n } as BigIntStats;
    expect(of({ ...open, stats }, 'node-user')).toMatchObject(stops);
  });

  it('names the folder that is in the way, and gives a free name', () => {
    const { check, free } = nameQuestion(restoreFacts({ blockingPath: '/node/wallets/new' }));
    expect(check.title).toBe('A file or folder is in the way');
    expect(check.text).toEqual(['/node/wallets/new']);
    expect(free).toBe('new-restored');
    const reserved = nameQuestion(restoreFacts({ name: 'wallets' }));
    expect(reserved).toMatchObject({
      check: { title: 'Reserved by Bitcoin Core.' },
      free: 'wallets-restored',
    });
  });

  it('says that a journal may be left under the name on another machine, where the node takes such a folder', () => {
    const nameOn = (number: number, status = {}) =>
      checkName(
        restoreFacts({
          status: statusOf({ release: releaseOf(number), walletsFolder: null, ...status }),
        }),
      );
    expect(nameOn(310_000)).toMatchObject({
      verdict: 'unseen',
      text: ['Any old journal in its folder would interfere.', 'The app cannot see this here.'],
    });
    expect(nameOn(300_200).verdict).toBe('fine');
    expect(nameOn(310_000, { walletsFolder: '/wallets' }).verdict).toBe('fine');
  });

  it('checks what it can for a file on the node’s machine', () => {
    const checks = checkRestore(
      restoreFacts({
        file: null,
        fileInspection: { state: 'out-of-reach' },
        space: null,
        blockingPath: null,
      }),
    );
    expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(['space', 'rescan']));
  });

  it('includes a migration if the release cannot load a legacy backup', () => {
    expect(needsMigration(restoreFacts(legacy))).toBe(true);
    expect(needsMigration(restoreFacts({ ...legacy, status: old }))).toBe(false);
    expect(needsMigration(restoreFacts())).toBe(false);
    // In the engine too, unless it speaks as a release that migrates none.
    expect(needsMigration(restoreFacts({ ...legacy, status: { ...old, offline: true } }))).toBe(true);
    expect(of({ ...legacy, status: { ...old, offline: true } }, 'release')?.verdict).toBe('fine');
    const without = statusOf({ release: releaseOf(230_000), offline: true });
    expect(needsMigration(restoreFacts({ ...legacy, status: without }))).toBe(false);
    expect(of(unclean, 'not-closed')?.verdict).toBe('blocker');
    // The engine has no Berkeley DB that refuses the old wallet.
    const undo = { ...unclean, undoes: true, status: { ...old, offline: true } };
    expect(of(undo, 'not-closed')).toBeUndefined();
  });

  it('says what a release does with a legacy backup, without a warning', () => {
    expect(of({ ...legacy, status: old }, 'release')).toEqual({
      id: 'release',
      verdict: 'fine',
      title: 'Legacy wallet',
      text: ['Bitcoin Core 30 and later cannot open it until it is migrated.'],
      todo: [],
    });
    expect(of(legacy, 'release')).toEqual({
      id: 'release',
      verdict: 'fine',
      title: 'Release 31.0 cannot load legacy wallets',
      text: ['A copy is migrated.'],
      todo: [],
    });
    expect(of({}, 'release')?.title).toBe('This release can load it');
  });

  it('warns that an undo hides coins which the migrated wallet received, and stops for one that is open or behind a link', () => {
    const undo = (newCoins: bigint | null, openElsewhere: boolean | 'perhaps' = false, isLinked = false) => ({
      undoes: true,
      renames: [{ name: 'w', newName: 'w (migrated)' }],
      migrated: { newCoins, openElsewhere, isLinked },
    });
    expect(of(undo(10n), 'unconfirmed')).toMatchObject({
      verdict: 'warning',
      title: 'Coins since the migration: 0.000\u2009000\u200910\u00a0BTC',
      text: ['The old wallet cannot see them.'],
      todo: ['Move them first, or keep “w (migrated)”.'],
    });
    expect(of(undo(null), 'unconfirmed')?.verdict).toBe('unseen');
    expect(of(undo(0n), 'unconfirmed')).toBeUndefined();
    expect(of(undo(0n, true), 'loaded-elsewhere')?.verdict).toBe('blocker');
    const perhaps = undo(10n, 'perhaps');
    const both = (['loaded-elsewhere', 'unconfirmed'] as const).map((id) => of(perhaps, id)?.verdict);
    expect(both).toEqual(['warning', 'warning']);
    expect(of(undo(0n, false, true), 'wallet-exists')).toMatchObject({
      verdict: 'blocker',
      title: 'Linked from elsewhere',
    });
  });

  it('undoes a migration on a release that loads legacy wallets, or not at all', () => {
    const undo = { ...legacy, undoes: true };
    expect(needsMigration(restoreFacts(undo))).toBe(false);
    expect(of(undo, 'release')).toMatchObject({
      verdict: 'blocker',
      todo: [expect.stringContaining('release 29 or earlier')],
    });
    expect(of({ ...undo, status: old }, 'release')?.verdict).toBe('fine');
  });
});
