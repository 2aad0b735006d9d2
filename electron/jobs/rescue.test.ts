import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { filesBelow } from '../../e2e/app/filesBelow.ts';
import { rpc } from '../../e2e/testNode/scriptedNode.ts';
import { fixturePassphrase, sha256 } from '../../e2e/testNode/walletFixture.ts';
import type { ConditionCode } from '../../shared/model/conditions.ts';
import { AppError } from '../../shared/model/errors.ts';
import { deferred } from '../../shared/testing/deferred.ts';
import { contentsWords, encryptionWords } from '../../shared/wording/inspectionWords.ts';
import { resultText } from '../../shared/wording/planWords.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { failing } from '../files/testing/failing.ts';
import { repairWallet } from '../recovery/repair/repairWallet.ts';
import { inspect } from '../walletfile/inspect/inspect.ts';
import { unclosedWallet } from '../walletfile/testing/berkeleyLogs.ts';
import { conditionFiles } from '../walletfile/testing/conditionFiles.ts';
import {
  brokenWallet,
  foreignNote,
  hasForeignWallets,
  leavesWith,
  withPages,
} from '../walletfile/testing/foreignWallets.ts';
import { migratedFile } from '../walletfile/testing/newWallet.ts';
import { changeFirst, editedWallet, walletFile } from '../walletfile/testing/wallets.ts';
import { REPAIRED_FILE } from '../workers/repairRequest.ts';
import { walletWorkHere } from '../workers/testing/walletWorkHere.ts';
import { createJobs } from './run/jobs.ts';
import { createFileProver, createWalletsBench, stoppedBy } from './testing/bench.ts';
import { wholeLegacy, writeInterruptedFiles } from './testing/interruptedStates.ts';

const unclean = unclosedWallet(walletFile('legacy-hd'));

/** A node of release 31 with a wallets folder of its own, and a file that was not closed, with its log. */
async function bench(
  options: Parameters<typeof createWalletsBench>[1] = {},
  bytes: Uint8Array | string = unclean.bytes,
) {
  const its = await createWalletsBench({ release: releaseOf(310_000) }, options);
  const { node, folder, appFolder, wallets } = its;
  const answer = { wallet_name: 'back', backup_path: join(wallets, 'back.legacy.bak') };
  node.handlers.migratewallet = () => answer;
  const file = join(await realpath(folder), 'broken', 'wallet.dat');
  const log = join(dirname(file), 'database', unclean.log.name);
  await mkdir(dirname(log), { recursive: true });
  writeFileSync(file, bytes);
  if (bytes === unclean.bytes) writeFileSync(log, unclean.log.bytes);
  const request = { action: 'rescue', source: { by: 'file', path: file } } as const;
  return {
    ...its,
    file,
    log,
    answer,
    /** Makes the plan. */
    look: (answers = {}, previousPlan?: string) =>
      its.plan({ ...request, answers: { name: 'back', ...answers }, previousPlan }),
    rescue: ({ answers = {}, passphrase }: { answers?: object; passphrase?: string } = {}) =>
      its.start({ ...request, answers: { name: 'back', ...answers }, passphrase }),
    /** What the app keeps of it. */
    copies: () =>
      filesBelow(join(appFolder, 'copies'))
        .map((path) => path.split(/[\\/]/).at(-1))
        .sort(),
    sent: () => node.calls.filter(({ method }) => method === 'migratewallet').length,
  };
}

type Bench = Awaited<ReturnType<typeof bench>>;

const COPY = ['copy.json', 'wallet.dat'];
const PLAIN_KEY = 'cVpF924EspNh8KjYsfhgY96mmxvT6DgdWiTYMtMjuM74hJaU5psW';

/** Nothing was placed or sent, and the file and its log are as they were. */
function expectNothing({ wallets, sent, file, log }: Bench): void {
  expect(readdirSync(wallets)).toEqual(['other']);
  expect(sent()).toBe(0);
  expect(sha256(readFileSync(file))).toBe(sha256(unclean.bytes));
  expect(sha256(readFileSync(log))).toBe(sha256(unclean.log.bytes));
}

describe('a rescue', () => {
  it('places the records of the file and its log, and removes the repaired file afterwards', async () => {
    const all = await bench();
    const { node, wallets, file, log } = all;
    const how = { logs: [unclean.log], network: 'regtest', withBlock: true } as const;
    const { bytes } = await repairWallet(unclean.bytes, how);
    const nextCall = node.hold('migratewallet');
    await all.rescue();
    const call = await nextCall();
    expect(sha256(await readFile(join(wallets, 'back', 'wallet.dat')))).toBe(sha256(bytes));
    expect(all.copies()).toEqual(['copy.json', REPAIRED_FILE, 'wallet.dat']);
    call.answer(all.answer);
    const rescue = { unclean: false, log: { folder: dirname(log), redone: 2 } };
    expect(await all.ended()).toMatchObject({ state: 'done', kind: 'rescue', result: { rescue } });
    expect(all.copies()).toEqual(COPY);
    expect(sha256(readFileSync(file))).toBe(sha256(unclean.bytes));
    expect(sha256(readFileSync(log))).toBe(sha256(unclean.log.bytes));
  });

  // `repairWallet.test.ts` repairs files with any part of the new records.
  it.each(['converting', 'descriptors-half'] as const)(
    'saves every key of an interrupted wallet without a whole copy: %s',
    async (state) => {
      const { node, folder, wallets, start, ended } = await createWalletsBench(
        { release: releaseOf(310_000) },
        { prover: createFileProver() },
      );
      const placed = join(wallets, 'back', 'wallet.dat');
      node.handlers.migratewallet = async () => {
        writeFileSync(placed, await migratedFile(readFileSync(placed), 'back'));
        return { wallet_name: 'back', backup_path: join(wallets, 'back.legacy.bak') };
      };
      const interrupted = join(await realpath(folder), 'apart', 'big');
      writeInterruptedFiles(state, interrupted);
      const path = join(interrupted, 'wallet.dat');
      await start({ action: 'rescue', source: { by: 'file', path }, answers: { name: 'back' } });
      const job = await ended();
      expect([job.state, job.kind, job.error]).toEqual(['done', 'rescue', null]);
      // Nothing but the balance, which this node does not report, is in doubt.
      const { keys, labels } = await inspect(wholeLegacy());
      expect([keys.plain, labels.total]).toEqual([1000, 3000]);
      const saved = { keys: keys.plain, labels: labels.total };
      expect(job.result).toMatchObject({ rescue: { saved, missing: { keys: 0 } } });
      const none = { total: 0 };
      const all = { before: keys.plain * 4, after: keys.plain * 4, missing: none };
      const proof = { scripts: all, misplaced: none, keyless: none, keys: keys.plain };
      expect(job.proof).toMatchObject({ ...proof, labels: { after: labels.total, missing: none } });
      expect(job.proof?.differences).toEqual([]);
    },
  );

  it('shows in the plan which files it writes, and for how long', async () => {
    const all = await bench();
    const { copies } = await all.look();
    const [copy, repaired] = copies;
    const text = 'A repaired copy lies beside it during the job.';
    expect(repaired).toEqual({ text, folder: copy?.folder });
    expect(copies).toHaveLength(4);
  });

  it('counts the keys that need their passphrase if all keys are encrypted', async () => {
    const all = await bench({}, '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg\n');
    const plan = await all.look();
    expect(plan.asks).toContainEqual(expect.objectContaining({ ask: 'passphrase', needed: true }));
    expect(plan.makes).toEqual([{ part: 'primary', name: 'back', descriptors: null, certain: true }]);
    expect(resultText(plan)).toBe('Result: 1 wallet, 1 key');
    const contents = plan.facts.contents;
    expect(contents && [contentsWords(contents), encryptionWords(contents)]).toEqual([
      '1 private key',
      'Yes',
    ]);
  });

  it.each<[string, string | undefined, string | null]>([
    ['a text', `${PLAIN_KEY}\n`, 'It contains the wallet’s keys.'],
    ['a wallet', undefined, null],
  ])('says what the copy of %s is', async (_, content, note) => {
    const all = await bench({}, content);
    await all.rescue({ answers: { bitcoinKeys: true } });
    expect((await all.ended()).safetyCopy).toMatchObject({ note });
  });

  it.runIf(hasForeignWallets).each([
    ['that a passphrase would open', '\x04ckey', undefined, [{ ask: 'passphrase', needed: false }]],
    ['that no passphrase opens', '\x04ckey', '\x04mkey', []],
  ])(
    `of plain keys needs no passphrase for another wallet’s keys among them %s${foreignNote}`,
    async (_, on, not, asks) => {
      const others = leavesWith(walletFile('legacy-hd-encrypted'), on, not);
      const all = await bench({}, Buffer.from(withPages(brokenWallet('damaged-some-leaves').bytes, others)));
      const plan = await all.look();
      expect(plan.asks.filter(({ ask }) => ask === 'passphrase')).toMatchObject(asks);
      expect(plan.checks.filter(({ verdict }) => verdict === 'blocker')).toEqual([]);
      expect(plan.facts.contents && encryptionWords(plan.facts.contents)).toMatch(/^No\./);
      expect(plan.calls.map(({ method }) => method)).toEqual(['migratewallet']);
      await all.rescue();
      expect(await all.ended()).toMatchObject({ state: 'done' });
      const sent = all.node.calls.find(({ method }) => method === 'migratewallet');
      expect(sent?.params).not.toHaveProperty('passphrase');
    },
  );

  it('keeps the repaired file if the migration was interrupted', async () => {
    const all = await bench();
    const { node, wallets } = all;
    node.handlers.migratewallet = () => {
      writeFileSync(join(wallets, 'back', 'wallet.dat'), '');
      throw new AppError('connection_lost', 'lost', '');
    };
    await all.rescue();
    const { interruption, error } = await all.ended();
    expect(error?.message).toBe('Interrupted: the wallet was left incomplete.');
    const repaired = filesBelow(join(all.appFolder, 'copies')).find((path) => path.endsWith(REPAIRED_FILE));
    expect(interruption?.copies).toMatchObject([{ path: repaired, from: 'safety-copy' }]);
    const source = { by: 'wallet', name: 'back' } as const;
    const plan = await all.plan({ action: 'put-back', source, answers: {} });
    expect(plan).toMatchObject({ kind: 'restore-migrate', wallet: 'back' });
    expect(plan.checks.filter(({ verdict }) => verdict === 'blocker')).toEqual([]);
    node.handlers.migratewallet = () => ({ wallet_name: 'back', backup_path: '/x' });
    await all.run(plan);
    expect(await all.ended()).toMatchObject({ state: 'done', result: { walletName: 'back' } });
  });

  it('leaves only the safety copy if the node refuses', async () => {
    const all = await bench();
    all.node.handlers.migratewallet = failing(rpc(-4, 'Error: something'));
    await all.rescue();
    expect(await all.ended()).toMatchObject({ state: 'failed' });
    await vi.waitFor(() => expect(readdirSync(all.wallets)).toEqual(['other']));
    expect(all.copies()).toEqual(COPY);
  });

  it('removes a file that is repaired after the job has ended', async () => {
    const all = await bench();
    const written: (string | undefined)[] = [];
    const { promise: stopped, resolve: go } = deferred();
    const jobs = createJobs({
      ...all.options,
      async work(task, signal) {
        if (task.kind !== 'repair') return walletWorkHere(task, signal);
        await stopped;
        return walletWorkHere(task, signal).finally(() => written.push(...all.copies()));
      },
    });
    const source = { by: 'file', path: all.file } as const;
    const { id } = await all.start({ action: 'rescue', source, answers: { name: 'back' } }, jobs);
    await vi.waitFor(() => expect(all.copies()).toEqual(COPY));
    jobs.stopWaiting(id);
    expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    go();
    await vi.waitFor(() => expect(written).toContain(REPAIRED_FILE));
    await vi.waitFor(() => expect(all.copies()).toEqual(COPY));
    expectNothing(all);
    jobs.close();
  });
});

describe('a change between the plan and its run', () => {
  const changes: Record<string, (all: Bench) => void> = {
    'another file is in its place': ({ file, log }) => {
      writeFileSync(file, walletFile('legacy-watchonly'));
      rmSync(log);
    },
    'another file is next to its log': ({ file }) => writeFileSync(file, walletFile('legacy-watchonly')),
    'it is gone': ({ file }) => rmSync(file),
    'its log is gone': ({ log }) => rmSync(dirname(log), { recursive: true }),
    'its log ends sooner': ({ log }) => writeFileSync(log, unclean.log.bytes.subarray(0, -1)),
    'its log is empty': ({ log }) => writeFileSync(log, ''),
    'its log is another one': ({ log }) =>
      writeFileSync(log, unclosedWallet(walletFile('legacy-watchonly')).log.bytes),
  };

  it.each(Object.keys(changes))('%s: shows the new plan or an error, and starts nothing', async (name) => {
    const all = await bench();
    const plan = await all.look();
    changes[name]?.(all);
    const refused = await all.run(plan, { answers: { name: 'back' } }).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject(
      name === 'another file is in its place' ? { code: 'file_changed' } : { plan: expect.anything() },
    );
    expect(all.emitted).toEqual([]);
    expect(readdirSync(all.wallets)).toEqual(['other']);
    expect(all.sent()).toBe(0);
    expect(all.copies()).toEqual([]);
  });
});

describe('a refused rescue', () => {
  it('refuses the log of another wallet, until the user continues without a log', async () => {
    const all = await bench();
    writeFileSync(all.log, unclosedWallet(walletFile('legacy-watchonly')).log.bytes);
    await expect(all.rescue()).rejects.toMatchObject(stoppedBy('logs', 'Not this wallet’s log'));
    await all.rescue({ answers: { logs: null } });
    const rescue = { unclean: true, log: null };
    expect(await all.ended()).toMatchObject({ state: 'done', result: { rescue } });
  });

  it('refuses a file without anything to save', async () => {
    const all = await bench({}, new Uint8Array(20_000));
    await expect(all.rescue()).rejects.toMatchObject(stoppedBy('rescue', 'No wallet in the file.'));
    expect(readdirSync(all.wallets)).toEqual(['other']);
  });

  it('refuses a wrong passphrase', async () => {
    const all = await bench({}, unclosedWallet(walletFile('legacy-hd-encrypted')).bytes);
    const refused = all.rescue({ answers: { logs: null }, passphrase: 'wrong' });
    await expect(refused).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(all.copies()).toEqual([]);
  });
});

describe('a rescue whose passphrase was tried', () => {
  const passphrase = fixturePassphrase('legacy-hd-encrypted');
  const withBit = (at: number, bit: number) => {
    const bytes = walletFile('legacy-hd-encrypted');
    bytes[at] = (bytes[at] ?? 0) ^ bit;
    return bytes;
  };
  const withSaltBit = changeFirst('mkey', (one) => ({
    ...one,
    salt: one.salt.map((byte, at) => (at === 0 ? byte ^ 32 : byte)),
  }));
  const unopened = async (code: ConditionCode) => (await conditionFiles[code]()).bytes;

  it.each([
    ['a key with a damaged public key', 'a node', () => withBit(27759, 64), { keys: 134, derived: 0 }],
    ['a key with damaged metadata', 'a node', () => withBit(81772, 8), { keys: 134, derived: 0 }],
    ['a key with damaged metadata', 'the engine', () => withBit(81772, 8), { keys: 134, derived: 0 }],
    [
      'a master key with a damaged salt',
      'a node',
      () => editedWallet('legacy-hd-encrypted', withSaltBit),
      { keys: 134, derived: 0 },
    ],
    ['an undecryptable key', 'the engine', () => unopened('key-sealed'), { keys: 134, derived: 0 }],
    ['an undecryptable key', 'a node', () => unopened('descriptor-key-sealed'), { keys: 1, derived: 0 }],
  ])('says what it does with %s on %s, and does it', async (_, where, bytesOf, saved) => {
    const all = await bench({}, await bytesOf());
    Object.assign(all.session.status, { offline: where === 'the engine' });
    all.node.handlers.restorewallet = () => ({ name: 'back' });
    const { id } = await all.look();
    const { signal } = new AbortController();
    const tried = await all.plans.tryPassphrase({ plan: id, passphrase, isThorough: true }, signal);
    expect(tried).toMatchObject({ verdict: 'fine' });
    const answers = { name: 'back', withPassphrase: true };
    const plan = await all.look(answers, id);
    expect(plan.checks).toContainEqual(expect.objectContaining({ id: 'obstacles', verdict: 'fine' }));
    expect(plan.facts.rescue?.saved).toMatchObject(saved);
    await all.run(plan, { answers, passphrase });
    expect(await all.ended()).toMatchObject({ state: 'done', result: { rescue: { saved } } });
  });

  it('asks for it again once it is no longer typed', async () => {
    const file = await unopened('key-sealed');
    const all = await bench({}, file);
    const before = await all.look();
    await all.plans.tryPassphrase({ plan: before.id, passphrase }, new AbortController().signal);
    expect((await all.look({ withPassphrase: true }, before.id)).asks).toEqual(before.asks);
    expect((await all.look({}, before.id)).facts).toEqual(before.facts);
  });
});
