/** A run sends exactly the calls that its plan shows, on each release and under each condition. */
import { copyFile, mkdir, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { type FixtureName, fixtureFile, fixturePassphrase } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import {
  type Answers,
  type Plan,
  questionOf,
  type Rehearsal,
  type WalletSource,
} from '../../../shared/model/plan.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import { failing } from '../../files/testing/failing.ts';
import { createBench, infoOf } from '../testing/bench.ts';
import { readResult } from '../testing/testFacts.ts';
import type { WalletFiles } from './walletFiles.ts';

const SECRET = fixturePassphrase('legacy-hd-encrypted');
const CHANGING = new Set([
  ...['restorewallet', 'migratewallet', 'backupwallet', 'loadwallet', 'unloadwallet'],
  ...['walletpassphrase', 'walletlock'],
]);

interface WorldOptions {
  readonly release?: number;
  /** The wallets in the node's folder, by name. */
  readonly wallets?: Readonly<Record<string, FixtureName>>;
  readonly loaded?: readonly string[];
  readonly status?: Partial<NodeStatus>;
  /** Whether the node can write into the app's folders. */
  readonly canWrite?: boolean;
  readonly files?: Pick<WalletFiles, 'inspect' | 'tryPassphrase' | 'rehearse'>;
}

/** A node that loads, unloads and copies wallets, and migrates and restores them at once. */
async function world({
  release = 310_000,
  wallets = {},
  loaded: first = [],
  status = {},
  canWrite = true,
  files,
}: WorldOptions) {
  const bench = await createBench({ release: releaseOf(release) }, files ? { files } : {});
  const { node, session, appFolder, logPath } = bench;
  const walletsFolder = join(await realpath(bench.folder), 'wallets');
  const fileOf = (name: string) => join(walletsFolder, name, 'wallet.dat');
  await mkdir(walletsFolder);
  for (const [name, fixture] of Object.entries(wallets)) {
    await mkdir(dirname(fileOf(name)), { recursive: true });
    await copyFile(fixtureFile(fixture), fileOf(name));
  }
  Object.assign(session.status, { walletsFolder, reportedLogPath: logPath, ...status });
  const loaded = new Set(first);
  const isReading = (place: string) => place.startsWith(join(appFolder, 'reading'));
  const firstParam = (params: unknown) => String((params as unknown[])[0]);
  Object.assign(node.handlers, {
    getrpcinfo: () => ({ active_commands: [], logpath: session.status.reportedLogPath }),
    listwallets: () => [...loaded],
    listwalletdir: () => ({ wallets: Object.keys(wallets).map((name) => ({ name })) }),
    getwalletinfo: ({ wallet }) =>
      infoOf({
        walletname: wallet,
        descriptors: wallets[wallet ?? '']?.startsWith('descriptor') ?? false,
        ...(wallets[wallet ?? '']?.endsWith('encrypted') ? { unlocked_until: 0 } : {}),
      }),
    loadwallet: ({ params }) => {
      loaded.add(firstParam(params));
      return { name: firstParam(params) };
    },
    unloadwallet: ({ params }) => {
      loaded.delete(firstParam(params));
      return null;
    },
    backupwallet: async ({ wallet, params }) => {
      const place = firstParam(params);
      if (place.startsWith('/srv')) return null;
      if (!canWrite && !isReading(place)) throw rpc(-4, 'Error: Wallet backup failed!');
      await copyFile(fileOf(wallet ?? ''), place);
      return null;
    },
    walletpassphrase: () => null,
    walletlock: () => null,
    migratewallet: ({ params, wallet }) => {
      const { wallet_name: name = wallet } = params as { wallet_name?: string };
      return { wallet_name: name, backup_path: '/x.legacy.bak' };
    },
    restorewallet: ({ params }) => ({ name: (params as { wallet_name: string }).wallet_name }),
  } satisfies typeof node.handlers);
  /** All calls that change something, except temporary copies that the app reads. */
  const sent = () =>
    node.calls.filter(
      ({ method, params }) =>
        CHANGING.has(method) && !(method === 'backupwallet' && isReading(firstParam(params))),
    );
  const countOf = (method: string) => node.calls.filter((call) => call.method === method).length;
  return { ...bench, walletsFolder, fileOf, sent, countOf };
}

type World = Awaited<ReturnType<typeof world>>;
const file = (name: FixtureName): WalletSource => ({ by: 'file', path: fixtureFile(name) });
const wallet = (name: string): WalletSource => ({ by: 'wallet', name });

/** The calls that a plan sends: those without a condition, and those whose condition arose. */
function expectedCalls(plan: Plan, passphrase: string | undefined, arose: readonly string[]) {
  return plan.calls
    .filter(({ method, when }) => when === null || arose.includes(method))
    .map(({ method, params, wallet: of }) => ({
      method,
      params: JSON.parse(JSON.stringify(params).replaceAll('•••', passphrase ?? '•••')),
      wallet: of ?? undefined,
    }));
}

interface Case extends Partial<Parameters<World['start']>[0]> {
  readonly action: Plan['action'];
  readonly source: WalletSource;
  readonly arose?: readonly string[];
}

/** Makes the plan, runs it an hour later, and compares the calls that were sent with those of the plan. Returns the plan. */
async function runAsPlanned(it: World, { arose = [], passphrase, answers, ...request }: Case, ends = 'done') {
  const allAnswers = { hasOwnCopy: true, withPassphrase: passphrase !== undefined, ...answers };
  const plan = await it.plan({ ...request, answers: allAnswers });
  expect(it.sent()).toEqual([]);
  it.clock.now += 3600;
  await it.run(plan, { answers: allAnswers, passphrase });
  expect(await it.ended()).toMatchObject({ state: ends });
  expect(it.sent()).toEqual(expectedCalls(plan, passphrase, arose));
  return plan;
}

const methods = ({ calls }: Plan) => calls.map(({ method }) => method);

// Between 25 and 29 the calls are the same.
const RELEASES = [240_001, 240_100, 250_200, 290_300, 300_000, 300_200, 310_000];
const nodes: [string, WorldOptions][] = [
  ...RELEASES.map((release): [string, WorldOptions] => [releaseOf(release).text, { release }]),
  ['31.0, offline', { release: 310_000, status: { offline: true } }],
];

describe.each(nodes)('a run on %s', (_, options) => {
  const release = releaseOf(options.release ?? 0);
  const isOld = release.migrates === 'unlock-first';

  const restoring = (fixture: FixtureName, answers: Answers = {}) =>
    ({ action: 'restore', source: file(fixture), answers: { name: 'new', ...answers } }) as const;

  it('sends the calls of its plan for a restore', async () => {
    const plan = await runAsPlanned(
      await world(options),
      restoring('descriptor-hd', { loadOnStartup: true }),
    );
    expect(methods(plan)).toEqual(['restorewallet']);
  });

  it('sends them for a restore of an encrypted legacy wallet', async () => {
    const it = await world({ ...options, wallets: { other: 'descriptor-hd' } });
    const passphrase = release.loadsLegacy ? undefined : SECRET;
    const plan = await runAsPlanned(it, { ...restoring('legacy-hd-encrypted'), passphrase });
    expect(plan.kind).toBe(release.loadsLegacy ? 'restore' : 'restore-migrate');
    expect(methods(plan)).toEqual([release.loadsLegacy ? 'restorewallet' : 'migratewallet']);
  });

  it.runIf(release.loadsLegacy)('an undo', async () => {
    const request = { action: 'undo', source: file('legacy-imported'), suggestedName: 'back' } as const;
    const plan = await runAsPlanned(await world(options), request);
    expect(plan).toMatchObject({ kind: 'restore', wallet: 'back', calls: [{ method: 'restorewallet' }] });
  });

  it('sends them for a migration of a closed wallet', async () => {
    const it = await world({ ...options, wallets: { w: 'legacy-imported' } });
    const plan = await runAsPlanned(it, { action: 'migrate', source: wallet('w') });
    expect(methods(plan)).toEqual([...(isOld ? ['loadwallet'] : []), 'migratewallet']);
  });

  it('sends them for a migration of a closed, encrypted wallet', async () => {
    const it = await world({ ...options, wallets: { w: 'legacy-hd-encrypted' } });
    const plan = await runAsPlanned(it, { action: 'migrate', source: wallet('w'), passphrase: SECRET });
    expect(inspect(plan, { depth: null })).not.toContain(SECRET);
    expect(methods(plan)).toEqual(
      isOld ? ['loadwallet', 'walletpassphrase', 'migratewallet', 'walletlock'] : ['migratewallet'],
    );
  });

  it.runIf(release.loadsLegacy)('a migration of a loaded, encrypted wallet', async () => {
    const it = await world({ ...options, wallets: { w: 'legacy-hd-encrypted' }, loaded: ['w'] });
    const plan = await runAsPlanned(it, { action: 'migrate', source: wallet('w'), passphrase: SECRET });
    expect(plan.facts.sha256).toBeNull();
    expect(methods(plan).slice(0, 3)).toEqual(['backupwallet', 'unloadwallet', 'loadwallet']);
  });

  it.runIf(release.loadsLegacy)('the same if the node cannot write the copy', async () => {
    const wallets = { w: 'legacy-hd-encrypted' } as const;
    const it = await world({ ...options, wallets, loaded: ['w'], canWrite: false });
    const arose = ['unloadwallet', ...(isOld ? ['loadwallet'] : [])];
    await runAsPlanned(it, { action: 'migrate', source: wallet('w'), passphrase: SECRET, arose });
    expect(it.last()).toMatchObject({ safetyCopy: { how: 'copied' } });
  });

  it('sends them for a new backup', async () => {
    const it = await world({ ...options, wallets: { d: 'descriptor-hd' }, loaded: ['d'] });
    const destination = join(await realpath(it.folder), 'd.bak');
    const plan = await runAsPlanned(it, { action: 'backup', source: wallet('d'), answers: { destination } });
    expect(methods(plan)).toEqual(options.status?.offline ? [] : ['backupwallet']);
  });
});

describe('a run', () => {
  const remote = {
    local: false,
    walletsFolder: null,
    logPath: null,
    reportedLogPath: '/srv/bitcoin/debug.log',
  };

  it.each([
    [240_001, [], ['loadwallet']],
    [240_001, ['w'], []],
    [290_300, [], ['loadwallet']],
    [290_300, ['w'], []],
  ])('has the node of %i write the copy next to its log, with %j loaded', async (release, loaded, first) => {
    const it = await world({ release, wallets: { w: 'legacy-imported' }, loaded, status: remote });
    const plan = await runAsPlanned(it, { action: 'migrate', source: wallet('w') });
    expect(methods(plan)).toEqual([...first, 'backupwallet', 'migratewallet']);
  });

  it('shows the node’s copy that let the plan read a loaded wallet', async () => {
    const it = await world({ wallets: { w: 'legacy-imported' }, loaded: ['w'] });
    const { sent } = await it.plan({ action: 'migrate', source: wallet('w'), answers: {} });
    const changes = it.node.calls.filter(({ method }) => CHANGING.has(method));
    expect(sent).toEqual(changes.map((call) => ({ ...call, when: expect.any(String) })));
    expect(sent).toMatchObject([{ method: 'backupwallet', wallet: 'w' }]);
    const closed = await world({ wallets: { w: 'legacy-imported' } });
    expect((await closed.plan({ action: 'migrate', source: wallet('w'), answers: {} })).sent).toEqual([]);
  });

  it('uses the user’s copy if the app cannot make one', async () => {
    const it = await world({ wallets: { w: 'legacy-imported' }, status: remote });
    const plan = await runAsPlanned(it, { action: 'migrate', source: wallet('w') });
    expect(plan.asks).toContainEqual({ ask: 'own-copy', value: true });
    expect(methods(plan)).toEqual(['migratewallet']);
  });

  it('copies the neighbours of an unnamed wallet', async () => {
    const wallets = { '': 'legacy-imported', d: 'descriptor-hd', w: 'legacy-hd' } as const;
    const it = await world({ release: 290_300, wallets, loaded: ['', 'd'] });
    const plan = await runAsPlanned(it, { action: 'migrate', source: wallet('') });
    expect(plan.calls.map(({ method, wallet: of, when }) => [method, of, when !== null])).toEqual([
      ['backupwallet', '', false],
      ['unloadwallet', null, true],
      ['backupwallet', 'd', false],
      ['loadwallet', null, true],
      ['migratewallet', null, false],
    ]);
    expect(it.last().safetyCopy?.files.map((each) => each.wallet)).toEqual(['', 'd', 'w']);
  });

  it('migrates a named copy of the unnamed wallet on 30.0', async () => {
    const wallets = { '': 'legacy-imported', wallet: 'descriptor-hd' } as const;
    const it = await world({ release: 300_000, wallets });
    const plan = await runAsPlanned(it, { action: 'migrate', source: wallet('') });
    expect(plan).toMatchObject({
      kind: 'restore-migrate',
      wallet: 'wallet-restored',
      facts: { path: it.fileOf('') },
      calls: [{ method: 'migratewallet', params: { wallet_name: 'wallet-restored' } }],
    });
    expect(it.inspections()).toBe(2);
  });

  it('sends a passphrase for a wallet of unknown encryption once the user types one', async () => {
    const it = await world({ wallets: { w: 'legacy-hd-encrypted' }, status: remote });
    const request = { action: 'migrate', source: wallet('w') } as const;
    const plan = await it.plan({ ...request, answers: { hasOwnCopy: true } });
    expect(questionOf(plan, 'passphrase')).toMatchObject({ needed: false, canBeTried: false });
    expect(plan.calls).toMatchObject([{ params: { wallet_name: 'w' } }]);
    // The call that was shown has no passphrase.
    await expect(it.run(plan, { passphrase: SECRET })).rejects.toMatchObject({
      plan: { id: plan.id, calls: [{ params: { passphrase: '•••' } }] },
    });
    expect(it.sent()).toEqual([]);
    await it.run(plan, { passphrase: SECRET });
    expect(await it.ended()).toMatchObject({ state: 'done' });
    expect(it.sent()).toMatchObject([{ params: { wallet_name: 'w', passphrase: SECRET } }]);
  });

  it('locks the wallet again after a refusal of release 24.0', async () => {
    const it = await world({ release: 240_001, wallets: { w: 'legacy-hd-encrypted' }, loaded: ['w'] });
    it.node.handlers.migratewallet = failing(rpc(-4, 'Error: something'));
    const request = { action: 'migrate', source: wallet('w'), passphrase: SECRET } as const;
    await runAsPlanned(it, { ...request, arose: ['walletlock'] }, 'failed');
  });
});

describe('a run that returns the new plan and sends nothing', () => {
  const migrating = { action: 'migrate', source: wallet('w'), answers: {} } as const;

  it('does not start a plan that got worse', async () => {
    const it = await world({ wallets: { w: 'legacy-watchonly' } });
    const plan = await it.plan(migrating);
    expect(plan.checks.filter(({ verdict }) => verdict === 'blocker')).toEqual([]);
    it.node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }, { name: 'w_watchonly' }] });
    const refused = { plan: { id: plan.id }, stops: [{ id: 'names-taken' }] };
    await expect(it.run(plan)).rejects.toMatchObject(refused);
    expect([it.sent(), it.emitted, await it.jobs.list()]).toEqual([[], [], []]);
    // The plan stays blocked until the cause is repaired.
    await expect(it.run(plan)).rejects.toThrow('names-taken');
    it.node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    await it.run(plan);
    expect(await it.ended()).toMatchObject({ state: 'done' });
  });

  it('does not start a plan with a new warning until the user has seen it', async () => {
    const it = await world({ wallets: { w: 'legacy-imported' } });
    const plan = await it.plan(migrating);
    Object.assign(it.session.status, { initialBlockDownload: true, blocks: 10 });
    const warning = expect.objectContaining({ id: 'syncing', verdict: 'warning' });
    const checks = expect.arrayContaining([warning]);
    await expect(it.run(plan)).rejects.toMatchObject({ stops: [], plan: { checks } });
    expect(it.sent()).toEqual([]);
    await it.run(plan);
    expect(await it.ended()).toMatchObject({ state: 'done' });
  });

  it('does not send other calls than the plan showed', async () => {
    const it = await world({ release: 290_300, wallets: { w: 'legacy-imported' } });
    const plan = await it.plan(migrating);
    it.node.handlers.listwallets = () => ['w'];
    const calls = [{ method: 'backupwallet' }, {}, {}, { method: 'migratewallet' }];
    await expect(it.run(plan)).rejects.toMatchObject({ plan: { calls } });
    expect(it.sent()).toEqual([]);
  });

  it.each([true, false])('does not start if the name is no longer free (loaded: %s)', async (isLoaded) => {
    const it = await world({});
    const plan = await it.plan({ action: 'restore', source: file('descriptor-hd'), answers: {} });
    expect(plan.wallet).not.toBe('');
    if (isLoaded) it.node.handlers.listwallets = () => [plan.wallet];
    else it.node.handlers.listwalletdir = () => ({ wallets: [{ name: plan.wallet }] });
    const refused = { stops: [{ id: 'name' }], plan: { wallet: plan.wallet } };
    await expect(it.run(plan)).rejects.toMatchObject(refused);
    expect(it.sent()).toEqual([]);
  });

  it('does not start without a needed passphrase', async () => {
    const it = await world({ wallets: { w: 'legacy-hd-encrypted' } });
    const plan = await it.plan(migrating);
    await expect(it.run(plan)).rejects.toMatchObject({ stops: [], plan: { id: plan.id } });
    expect(it.sent()).toEqual([]);
  });

  it('does not start for an unnamed descriptor wallet on 30.0', async () => {
    const it = await world({ release: 300_000, wallets: { '': 'descriptor-hd' } });
    await expect(it.migrate({ name: '' })).rejects.toMatchObject({ stops: [{ id: 'wallet-exists' }] });
    expect(it.sent()).toEqual([]);
  });
});

describe('answers to a plan, without new calls or inspections', () => {
  async function unchanged(it: World, plan: Plan, answers: Parameters<World['plan']>[0]['answers']) {
    const before = [it.node.calls.length, it.inspections()];
    const { id, action, source } = plan;
    const next = await it.plan({ action, source, answers, previousPlan: id });
    expect([it.node.calls.length, it.inspections()]).toEqual(before);
    expect(next.id).toBe(id);
    return next;
  }

  it('applies a new name and the start-up list without new calls', async () => {
    const it = await world({ wallets: { taken: 'descriptor-hd' } });
    const request = { action: 'restore', source: file('descriptor-hd'), answers: {} } as const;
    const plan = await it.plan({ ...request, suggestedName: 'taken' });
    expect(plan).toMatchObject({ wallet: 'taken-restored', makes: [{ name: 'taken-restored' }] });
    const name = { ask: 'name', value: 'taken', check: { verdict: 'blocker' }, free: 'taken-restored' };
    expect(await unchanged(it, plan, { name: 'taken' })).toMatchObject({ asks: [name, {}] });
    expect(await unchanged(it, plan, { loadOnStartup: false })).toMatchObject({
      wallet: 'taken-restored',
      calls: [{ params: { wallet_name: 'taken-restored', load_on_startup: false } }],
    });
    expect(await unchanged(it, plan, { name: 'mine' })).toMatchObject({
      asks: [{ check: { verdict: 'fine' } }, {}],
      calls: [{ params: { wallet_name: 'mine' } }],
    });
  });

  it('applies a name for the unnamed wallet on 30.0', async () => {
    const it = await world({ release: 300_000, wallets: { '': 'legacy-imported' } });
    const plan = await it.plan({ action: 'migrate', source: wallet(''), answers: {} });
    expect(plan.wallet).toBe('wallet');
    expect(await unchanged(it, plan, { lossRead: true })).toMatchObject({ wallet: 'wallet' });
    expect(await unchanged(it, plan, { name: 'mine' })).toMatchObject({
      wallet: 'mine',
      calls: [{ params: { wallet_name: 'mine' } }],
    });
  });

  it('names a wallet as the node has it loaded', async () => {
    const it = await world({ wallets: { './d': 'descriptor-hd' }, loaded: ['./d'] });
    const destination = join(it.appFolder, 'd.bak');
    const plan = await it.plan({ action: 'backup', source: wallet('d'), answers: { destination } });
    expect(plan).toMatchObject({ wallet: './d', calls: [{ method: 'backupwallet', wallet: './d' }] });
  });

  it('applies the place of a backup', async () => {
    const it = await world({ wallets: { d: 'descriptor-hd' }, loaded: ['d'] });
    const plan = await it.plan({ action: 'backup', source: wallet('d'), answers: {} });
    expect(plan.asks).toMatchObject([{ ask: 'destination', value: '', check: { verdict: 'blocker' } }]);
    const destination = join(it.appFolder, 'gone', 'd.bak');
    expect(await unchanged(it, plan, { destination })).toMatchObject({
      asks: [{ check: { verdict: 'blocker', title: expect.stringContaining('No folder') } }],
    });
    expect(await unchanged(it, plan, { destination: join(it.appFolder, 'd.bak') })).toMatchObject({
      asks: [{ check: { verdict: 'fine' } }],
      calls: [{ method: 'backupwallet' }],
    });
  });

  it('refuses answers to an unknown plan', async () => {
    const it = await world({});
    const request = { action: 'restore', source: file('descriptor-hd'), answers: {} } as const;
    const again = it.plan({ ...request, previousPlan: 'none' });
    await expect(again).rejects.toMatchObject({ code: 'plan_gone' });
  });
});

describe('from a plan to the end of its migration', () => {
  const QUESTIONS = ['listwallets', 'listwalletdir', 'getwalletinfo', 'getblockheader'] as const;

  it.each([
    ['a closed wallet on 31.0', 310_000, [], [2, 3, 1, 2]],
    // The node is verified before it writes the safety copy, and before the migration.
    ['a wallet that 29.3 has loaded', 290_300, ['w'], [2, 4, 3, 2]],
  ] as const)(
    'the app reads the file twice and asks few questions twice: %s',
    async (_, release, loaded, counts) => {
      const it = await world({ release, wallets: { w: 'legacy-imported' }, loaded });
      const plan = await it.plan({ action: 'migrate', source: wallet('w'), answers: {} });
      expect(it.inspections()).toBe(1);
      await it.run(plan);
      expect(await it.ended()).toMatchObject({ state: 'done' });
      expect(it.inspections()).toBe(2);
      expect(QUESTIONS.map(it.countOf)).toEqual(counts);
    },
  );
});

describe('the try of a passphrase on the file of a plan', () => {
  const { signal } = new AbortController();

  it('tries a passphrase without a call to the node', async () => {
    const it = await world({ wallets: { w: 'legacy-hd-encrypted' } });
    const { id, asks } = await it.plan({ action: 'migrate', source: wallet('w'), answers: {} });
    expect(asks).toMatchObject([{ ask: 'passphrase', needed: true, canBeTried: true }]);
    const before = it.node.calls.length;
    const verdictOn = async (passphrase: string) =>
      (await it.plans.tryPassphrase({ plan: id, passphrase }, signal)).verdict;
    expect(await verdictOn(SECRET)).toBe('fine');
    expect(await verdictOn(`${SECRET} `)).toBe('blocker');
    expect(it.node.calls).toHaveLength(before);
  });

  it('leaves a passphrase untried if the app does not see the file', async () => {
    const status = { local: false, walletsFolder: null, logPath: null };
    const it = await world({ wallets: { w: 'legacy-imported' }, status });
    const { id } = await it.plan({ action: 'migrate', source: wallet('w'), answers: {} });
    const tried = it.plans.tryPassphrase({ plan: id, passphrase: 'x' }, signal);
    expect(await tried).toMatchObject({ id: 'passphrase', verdict: 'unseen' });
  });
});

describe('a rehearsal', () => {
  const { signal } = new AbortController();
  const answers = {};
  const migrating = { action: 'migrate', source: wallet('w'), answers } as const;
  const loss = new AppError('wallet_error', 'A script would be lost.', 'Which one.');
  /** Files of a wallet whose rehearsal this is. */
  const filesWith = (rehearse: () => Promise<never>) => ({
    inspect: async () => readResult({ network: { name: 'regtest', from: 'file', candidates: ['regtest'] } }),
    tryPassphrase: async () => ({ verdict: 'not-encrypted' as const }),
    rehearse,
  });

  it('adds a check to the plan, and changes nothing', async () => {
    const it = await world({ wallets: { w: 'legacy-imported' } });
    const { id } = await it.plan(migrating);
    const { plan, rehearsal } = await it.plans.rehearse({ plan: id, answers }, signal);
    expect(plan.checks).toContainEqual(expect.objectContaining({ id: 'rehearsal', verdict: 'fine' }));
    expect(rehearsal?.wallets).toMatchObject([{ part: 'primary' }]);
    expect([it.sent(), await readdir(it.walletsFolder)]).toEqual([[], ['w']]);
  });

  it('must be confirmed before the plan runs if it found a loss', async () => {
    const it = await world({
      wallets: { w: 'legacy-imported' },
      files: filesWith(() => Promise.reject(loss)),
    });
    const { id } = await it.plan(migrating);
    const { plan, rehearsal } = await it.plans.rehearse({ plan: id, answers }, signal);
    expect(rehearsal).toBeNull();
    expect(plan.checks).toContainEqual({
      id: 'rehearsal',
      verdict: 'warning',
      title: 'The rehearsal failed',
      text: ['A script would be lost.', 'Which one.'],
      todo: [],
    });
    expect(plan.asks).toContainEqual({ ask: 'read-loss', value: false });
    await expect(it.run(plan)).rejects.toMatchObject({ stops: [] });
    expect(it.sent()).toEqual([]);
    await it.run(plan, { answers: { lossRead: true } });
    expect(await it.ended()).toMatchObject({ state: 'done' });
  });

  it.each([
    ['a loss', 'warning', 'a closed wallet', 'warning', 'warning'],
    ['a success', 'fine', 'a closed wallet', 'fine', undefined],
    ['a loss', 'warning', 'a loaded wallet', 'warning', 'warning'],
    ['a success', 'fine', 'a loaded wallet', undefined, undefined],
  ] as const)(
    'tells %s (%s) of %s again, a success only for the same content',
    async (_, verdict, where, again, later) => {
      let sha256 = 'a'.repeat(64);
      const proof = { scripts: { old: 0, primary: 0, watchonly: 0 }, leftOut: [] };
      const counts = { solvable: 0, ready: 0, addressRecords: 0, transactions: 0, lockedCoins: 0 };
      const everything: Rehearsal = { wallets: [], proof: { ...proof, ...counts } };
      const files = {
        ...filesWith(failing(loss)),
        inspect: async () => ({ ...readResult(), sha256 }),
        rehearse: () => (verdict === 'fine' ? Promise.resolve(everything) : Promise.reject(loss)),
      };
      const loaded = where === 'a loaded wallet' ? ['w'] : [];
      const it = await world({ wallets: { w: 'legacy-imported', other: 'legacy-imported' }, loaded, files });
      const verdictOn = async (name: string, previousPlan?: string) => {
        const { checks } = await it.plan({ ...migrating, source: wallet(name), previousPlan });
        return checks.find((check) => check.id === 'rehearsal')?.verdict;
      };
      const { id } = await it.plan(migrating);
      await it.plans.rehearse({ plan: id, answers }, signal);
      expect(await verdictOn('w', id)).toBe(verdict);
      expect(await verdictOn('w')).toBe(again);
      expect(await verdictOn('other')).toBeUndefined();
      sha256 = 'b'.repeat(64);
      expect(await verdictOn('w')).toBe(later);
    },
  );

  it('keeps the answers that the user gave meanwhile', async () => {
    let end = () => {};
    const ending = new Promise<never>((_, reject) => {
      end = () => reject(loss);
    });
    const it = await world({ files: filesWith(() => ending) });
    const gatherFrom = { action: 'restore', source: file('legacy-imported'), answers } as const;
    const { id } = await it.plan(gatherFrom);
    const rehearsing = it.plans.rehearse({ plan: id, answers: { name: 'mine' } }, signal);
    await it.plan({ ...gatherFrom, answers: { name: 'mine' }, previousPlan: id });
    end();
    const { plan } = await rehearsing;
    expect(plan).toMatchObject({ wallet: 'mine', calls: [{ params: { wallet_name: 'mine' } }] });
  });
});

it('a cancelled plan throws', async () => {
  const ending = new AbortController();
  const it = await world({ wallets: { w: 'legacy-imported' } });
  it.node.handlers.listwallets = () => {
    ending.abort(new AppError('cancelled', 'It was ended.', ''));
    return [];
  };
  const making = it.plans.make({ action: 'migrate', source: wallet('w'), answers: {} }, ending.signal);
  await expect(making).rejects.toMatchObject({ code: 'cancelled' });
});
