import { describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import type { FileFacts } from '../../../shared/model/files.ts';
import type { Hazard } from '../../../shared/model/migrationPreview.ts';
import { type Answers, findBlocker, type Plan, questionOf } from '../../../shared/model/plan.ts';
import { blockerText } from '../../../shared/wording/planWords.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import {
  inspectionOf,
  migrationFacts,
  NOW,
  readResult,
  restoreFacts,
  statusOf,
} from '../testing/testFacts.ts';
import { buildPlan } from './buildPlan.ts';
import type { FileInspection, MigrationFacts, RestoreFacts } from './checkFacts.ts';
import type { RehearsalOutcome } from './checkMigration.ts';
import { mustShowAgain } from './plans.ts';

const subject = { id: 'one', action: 'migrate', source: { by: 'wallet', name: 'w' } } as const;
const encryption = { masterKeys: 1, iterations: 25_000, secondsPerTry: 3 };

function migrating(
  fields: Partial<MigrationFacts> = {},
  answers: Answers = {},
  rehearsal: Pick<RehearsalOutcome, 'loss'> | null = null,
): Plan {
  return buildPlan(subject, { kind: 'migrate', ...migrationFacts(fields) }, answers, rehearsal).plan;
}

function restorePlan(fields: Partial<RestoreFacts> = {}, answers: Answers = {}): Plan {
  return buildPlan(subject, { kind: 'restore', ...restoreFacts(fields) }, answers, null).plan;
}

/** A backup of a legacy wallet, and a wallet on another machine. */
const legacy = { file: { ...restoreFacts().file, kind: 'legacy-wallet' } as FileFacts };
const far = {
  copy: { ...migrationFacts().copy, how: 'cannot', file: null },
  fileInspection: { state: 'out-of-reach' },
} as const;
function withHazard(hazard: Hazard) {
  const { migration } = inspectionOf();
  return readResult({ migration: migration && { ...migration, hazards: [hazard] } });
}

const ofAsks = ({ asks }: Plan) => asks.map(({ ask }) => ask);

describe('a plan', () => {
  it('lists blockers first, then warnings', () => {
    const { checks } = migrating({
      openElsewhere: true,
      status: statusOf({ initialBlockDownload: true }),
      fileInspection: { state: 'out-of-reach' },
    });
    const order = checks.map(({ verdict }) => verdict);
    const rank = (verdict: string) => ['blocker', 'warning', 'unseen', 'fine'].indexOf(verdict);
    expect(new Set(order)).toEqual(new Set(['blocker', 'warning', 'unseen', 'fine']));
    expect(order).toEqual([...order].sort((a, b) => rank(a) - rank(b)));
  });

  it('asks only what is needed', () => {
    expect(ofAsks(migrating())).toEqual([]);
    expect(ofAsks(restorePlan())).toEqual(['name', 'load-on-startup']);
    const encrypted = migrating({ fileInspection: readResult({ encryption }) });
    expect(encrypted.asks).toEqual([{ ask: 'passphrase', needed: true, canBeTried: true, secondsPerTry: 3 }]);
    expect(ofAsks(migrating(far))).toEqual(['passphrase', 'own-copy']);
    const { asks, checks } = migrating({ ...far, status: statusOf({ walletsFolder: null }) });
    const check = { title: 'Unknown wallets folder', verdict: 'warning' };
    expect(asks).toContainEqual({ ask: 'wallets-folder', check: expect.objectContaining(check) });
    expect(checks.find(({ id }) => id === 'file-readable')).toMatchObject({ verdict: 'warning', todo: [] });
  });

  it('of the engine asks whether the wallets that it changes are closed, where the app cannot see that', () => {
    const renames = [{ name: 'w', newName: 'w 2' }];
    const ask = { ask: 'closed-elsewhere', value: false };
    expect(migrating({ mayHideUse: true }).asks).toContainEqual(ask);
    expect(findBlocker(migrating({ mayHideUse: true }), false)).toEqual({ ask: ask.ask });
    expect(findBlocker(migrating({ mayHideUse: true }, { isClosed: true }), false)).toBeNull();
    expect(restorePlan({ mayHideUse: true, renames }).asks).toContainEqual(ask);
    expect(restorePlan({ mayHideUse: true }).asks).not.toContainEqual(ask);
    // The log of a database stays after a clean stop of an old release, so it asks and does not stop.
    const perhaps = { openElsewhere: 'perhaps', status: statusOf({ offline: true }) } as const;
    expect(migrating(perhaps).asks).toContainEqual(ask);
    expect(findBlocker(migrating(perhaps, { isClosed: true }), false)).toBeNull();
    expect(migrating({ ...perhaps, status: statusOf() }).asks).not.toContainEqual(ask);
  });

  it('of a node without the needed blocks has no search for payments, and no restore elsewhere', () => {
    const { balance } = inspectionOf();
    const fileInspection = readResult({
      balance: { ...balance, lastBlock: null },
      birth: { known: 'no', undated: 1 },
    });
    const status = statusOf({ pruned: true, pruneHeight: 800_000 });
    const { checks, elsewhere } = restorePlan({ status, fileInspection });
    expect(checks[0]).toMatchObject({ id: 'pruned', verdict: 'blocker' });
    const ids = checks.map(({ id }) => id);
    expect(['rescan', 'birth'].filter((id) => ids.some((one) => one === id))).toEqual([]);
    expect(elsewhere).toBeNull();
  });

  it('sends no list of wallets to load at start to a node without settings', () => {
    const plan = restorePlan({ status: statusOf({ noSettings: true }) }, { loadOnStartup: true });
    expect(ofAsks(plan)).toEqual(['name']);
    expect(plan.calls.at(-1)?.params).not.toHaveProperty('load_on_startup');
    const other = restorePlan({}, { loadOnStartup: true });
    expect(other.calls.at(-1)?.params).toMatchObject({ load_on_startup: true });
  });

  it('asks for no passphrase of a rescue that can read nothing', () => {
    const asks = (logs: 'beside' | { in: string }, fileInspection: FileInspection) =>
      ofAsks(restorePlan({ rescue: { logs }, fileInspection }));
    const error = { code: 'file_unreadable', message: 'No.', hint: 'Why.' } as const;
    expect(asks('beside', { state: 'out-of-reach' })).toContain('passphrase');
    expect(asks('beside', { state: 'unreadable', error })).not.toContain('passphrase');
    // The user chose another folder for the log: what was typed stays.
    expect(asks({ in: '/logs' }, { state: 'unreadable', error })).toContain('passphrase');
  });

  it('has a passphrase in its calls if the wallet is encrypted, or if that is unknown and the user typed one', () => {
    const sent = (...of: Parameters<typeof migrating>) =>
      z.object({ passphrase: z.optional(z.string()) }).parse(migrating(...of).calls.at(-1)?.params)
        .passphrase;
    expect(sent({ fileInspection: readResult({ encryption }) })).toBe('•••');
    expect(sent({}, { withPassphrase: true })).toBeUndefined();
    const unknown = { fileInspection: { state: 'out-of-reach' } } as const;
    expect(sent(unknown)).toBeUndefined();
    expect(sent(unknown, { withPassphrase: true })).toBe('•••');
  });

  it('lists the new wallets, and which of them are uncertain', () => {
    const { migration } = readResult().inspection;
    const watchOnly = { descriptors: 2 } as const;
    const fileInspection = readResult({ migration: migration && { ...migration, watchOnly } });
    expect(migrating({ fileInspection }).makes).toEqual([
      { part: 'primary', name: 'w', descriptors: 10, certain: true },
      { part: 'watchonly', name: 'w_watchonly', descriptors: 2, certain: true },
    ]);
    const { makes } = migrating({ fileInspection: { state: 'out-of-reach' } });
    expect(makes.map(({ name }) => name)).toEqual(['w', 'w_watchonly', 'w_solvables']);
    expect(makes.some(({ certain }) => certain)).toBe(false);
  });

  it('lists the main wallet that releases before 30 keep without old keys', () => {
    const { migration } = readResult().inspection;
    const onlyWatched = migration && { ...migration, primary: null, watchOnly: { descriptors: 2 } };
    const newWallets = (release: number, flags: string[] = []) =>
      migrating({
        status: statusOf({ release: releaseOf(release) }),
        fileInspection: readResult({ migration: onlyWatched, flags }),
      }).makes.map(({ part, descriptors }) => [part, descriptors]);
    const watchonly = ['watchonly', 2];
    // Measured on 29.3 and 31.0.
    expect(newWallets(290_300)).toEqual([['primary', 8], watchonly]);
    expect(newWallets(290_300, ['disable_private_keys'])).toEqual([['primary', 0], watchonly]);
    expect(newWallets(310_000)).toEqual([watchonly]);
  });

  it('gives one reason to migrate a copy of the unnamed wallet', () => {
    const status = statusOf({ release: releaseOf(300_000) });
    const copied = restoreFacts({ status, ...legacy });
    const unnamed = migrationFacts({ status, name: '', onDisk: [''] });
    const toRead = (of: MigrationFacts | null) =>
      buildPlan(subject, { kind: 'restore-migrate', ...copied, unnamed: of }, {}, null)
        .plan.checks.filter(({ verdict }) => verdict === 'warning')
        .map(({ id }) => id);
    expect(toRead(unnamed)).toContain('unnamed-wallet');
    expect(toRead(unnamed)).not.toContain('release');
    // That the release loads no legacy wallet is why it migrates at once, and nothing to warn of.
    expect(toRead(null)).not.toContain('release');
  });

  it('offers the engine if this node cannot restore the backup', () => {
    const undoing = (fields: Partial<RestoreFacts>) => {
      const facts = { kind: 'restore', ...restoreFacts({ undoes: true, ...fields }) } as const;
      return buildPlan({ ...subject, action: 'undo' }, facts, {}, null).plan.elsewhere;
    };
    expect(undoing({})).toBeNull();
    expect(undoing(legacy)).toBe('this-file');
    expect(undoing({ ...legacy, status: statusOf({ offline: true }) })).toBeNull();
    expect(undoing({ file: null, fileInspection: { state: 'out-of-reach' } })).toBe('another-file');
  });

  it('offers the engine for the file of a wallet that this node does not migrate', () => {
    const tooOld = { status: statusOf({ release: releaseOf(230_000) }) };
    expect(migrating({}).elsewhere).toBeNull();
    expect(migrating(tooOld).elsewhere).toBe('this-file');
    const fileInspection = withHazard('no-best-block');
    expect(migrating({ fileInspection }).elsewhere).toBe('this-file');
    expect(migrating({ fileInspection, status: statusOf({ offline: true }) }).elsewhere).toBeNull();
    // Where the app does not see the file, there is nothing to begin with.
    expect(migrating({ ...tooOld, ...far }).elsewhere).toBeNull();
  });

  it('asks whether release 32 should load the wallet, so that a pruned node can migrate it', () => {
    const release = releaseOf(319_900);
    const questionWith = (fields: Partial<MigrationFacts>) =>
      questionOf(migrating(fields), 'load-afterwards');
    expect(questionWith({})).toBeUndefined();
    expect(questionWith({ status: statusOf({ release, offline: true }) })).toBeUndefined();
    expect(questionWith({ status: statusOf({ release }) })).toMatchObject({ value: true });
    const status = statusOf({ release, pruned: true, pruneHeight: 899_995 });
    const { chain } = migrationFacts();
    const facts = { status, chain: { ...chain, pruneTime: NOW } };
    expect(migrating(facts).calls).toMatchObject([{ params: { wallet_name: 'w' } }]);
    const todo = expect.arrayContaining([expect.stringContaining('Load after migration')]);
    expect(migrating(facts).checks[0]).toMatchObject({ id: 'pruned', verdict: 'blocker', todo });
    const without = migrating(facts, { loadAfterwards: false });
    expect(without.calls).toMatchObject([{ params: { wallet_name: 'w', load_wallet: false } }]);
    expect(without.checks[0]).toMatchObject({ id: 'pruned', verdict: 'warning' });
    // What an earlier release would not know is not sent to it.
    const earlier = migrating({ status: statusOf() }, { loadAfterwards: false });
    expect(earlier.calls).toMatchObject([{ params: { wallet_name: 'w' } }]);
    expect(earlier.calls[0]?.params).not.toHaveProperty('load_wallet');
  });

  it('offers the engine if it migrates a wallet that the node would refuse', () => {
    const elsewhere = (hazard: Hazard, offline = false) => {
      const status = statusOf({ offline });
      const facts = restoreFacts({ status, ...legacy, fileInspection: withHazard(hazard) });
      const request = { ...subject, action: 'restore' } as const;
      return buildPlan(request, { kind: 'restore-migrate', ...facts, unnamed: null }, {}, null).plan
        .elsewhere;
    };
    expect(elsewhere('no-best-block')).toBe('this-file');
    expect(elsewhere('no-best-block', true)).toBeNull();
    expect(elsewhere('no-seed')).toBe('this-file');
    // Neither does it.
    expect(elsewhere('wkey')).toBeNull();
  });

  it('sends no call to a release that cannot migrate', () => {
    const plan = migrating({ status: statusOf({ release: releaseOf(230_000) }) });
    expect(plan.calls).toEqual([]);
    expect(plan.checks[0]).toMatchObject({ id: 'release', verdict: 'blocker' });
  });
});

describe('blockerText', () => {
  it('names a blocker first, then a missing answer', () => {
    expect(blockerText(migrating(), false)).toBeNull();
    expect(blockerText(migrating({ onDisk: [] }), true)).toBe('No wallet of this name');
    expect(blockerText(restorePlan({ name: 'w' }), true)).toBe('“w” already exists. It stays as it is.');
    const encrypted = migrating({ fileInspection: readResult({ encryption }) });
    expect(blockerText(encrypted, false)).toBe('Type the passphrase.');
    expect(blockerText(encrypted, true)).toBeNull();
  });

  it('asks for a missing confirmation', () => {
    expect(blockerText(migrating(far), false)).toBe('Confirm your copy.');
    expect(blockerText(migrating(far, { hasOwnCopy: true }), false)).toBeNull();
    const loss = { loss: { code: 'wallet_error', message: 'Lost.', hint: '' } } as const;
    expect(blockerText(migrating({}, {}, loss), false)).toContain('Confirm what the rehearsal found');
    expect(blockerText(migrating({}, { lossRead: true }, loss), false)).toBeNull();
  });
});

describe('mustShowAgain', () => {
  const plain = migrating();

  it('is false for the same plan or a better one', () => {
    expect(mustShowAgain(plain, migrating())).toBe(false);
    expect(mustShowAgain(migrating({ openElsewhere: true }), plain)).toBe(false);
  });

  it.each<[string, Partial<MigrationFacts>]>([
    ['a check that stops', { openElsewhere: true }],
    ['something to read', { status: statusOf({ initialBlockDownload: true }) }],
    ['a call with a passphrase', { fileInspection: readResult({ encryption }) }],
    ['another release', { status: statusOf({ release: releaseOf(240_001) }) }],
  ])('is true for %s that was not shown', (_, fields) => {
    expect(mustShowAgain(plain, migrating(fields))).toBe(true);
  });

  it('is false for a fact that is unknown now', () => {
    expect(mustShowAgain(plain, migrating({ openElsewhere: null }))).toBe(false);
  });

  it('is true for a name that is no longer free', () => {
    expect(mustShowAgain(restorePlan(), restorePlan({ onDisk: ['new'] }))).toBe(true);
    expect(mustShowAgain(restorePlan(), restorePlan({}, { loadOnStartup: true }))).toBe(true);
  });
});
