import { copyFileSync } from 'node:fs';
import { chmod, copyFile, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lost, notLoaded, rpc } from '../../e2e/testNode/scriptedNode.ts';
import { fixtureFile, fixturePassphrase, sha256 } from '../../e2e/testNode/walletFixture.ts';
import type { Job } from '../../shared/model/job.ts';
import { formatTime } from '../../shared/wording/format/formatTime.ts';
import { outcomeLines, resultRows } from '../../shared/wording/jobLines.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { failing } from '../files/testing/failing.ts';
import { canLockAsNode, lockAsNode } from '../files/testing/lockAsNode.ts';
import { CAN_LINK } from '../files/testing/system.ts';
import { cutOffChange, JOURNAL_ENDINGS } from '../walletfile/testing/cutOffChange.ts';
import {
  foreignNote,
  hasForeignWallets,
  reportedWallet,
  reportFolder,
} from '../walletfile/testing/foreignWallets.ts';
import { migratedFile } from '../walletfile/testing/newWallet.ts';
import type { Prover } from './proof/proof.ts';
import {
  balances,
  createBench,
  infoOf,
  journalWith,
  proveNothing,
  putWallet,
  stamped,
  stepStates,
} from './testing/bench.ts';

const DESCRIPTOR = fixtureFile('descriptor-hd');
const LEGACY = fixtureFile('legacy-hd');

const input = { name: 'w', backupFile: DESCRIPTOR, loadOnStartup: null };
/** The date of the keys in the fixture `descriptor-late-birth`. */
const LATE_BIRTH = 1_795_635_545;
const on30 = { release: releaseOf(300_000) };

/** A node that restores everything as `w`. `planFor` plans the restore of a file. */
async function benchOfFiles(...options: Parameters<typeof createBench>) {
  const bench = await createBench(...options);
  bench.node.handlers.restorewallet = () => ({ name: 'w' });
  bench.node.handlers.getwalletinfo = () => infoOf();
  const planFor = (path: string) =>
    bench.plan({ action: 'restore', source: { by: 'file', path }, answers: { name: 'w' } });
  return { ...bench, planFor };
}

describe('a restore', () => {
  it('sends the planned call and reports the result with the node’s warnings', async () => {
    const { restore, node, ended } = await createBench();
    const warnings = ['Wallet loaded successfully. First.', 'Second'];
    node.handlers.restorewallet = () => ({ name: 'w', warnings });
    node.handlers.getwalletinfo = () => infoOf();
    node.handlers.getbalances = () => balances;
    const started = await restore({ ...input, loadOnStartup: true });
    expect(started).toMatchObject({
      kind: 'restore',
      wallet: 'w',
      node: { label: 'node', network: 'regtest', release: '28.1' },
      file: { path: DESCRIPTOR },
      oldPassphraseId: null,
      state: 'running',
      connection: 'ok',
      measured: 'log',
      started: 1_795_180_000,
      ended: null,
    });
    expect(await ended()).toMatchObject({
      id: started.id,
      state: 'done',
      warnings,
      error: null,
      progress: null,
      result: { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: 175_000_001n },
    });
    expect(node.calls.filter(({ method }) => method === 'getwalletinfo')).toHaveLength(1);
    const params = { wallet_name: 'w', backup_file: DESCRIPTOR, load_on_startup: true };
    expect(node.calls.find(({ method }) => method === 'restorewallet')?.params).toEqual(params);
  });

  it.each(JOURNAL_ENDINGS)('gives the node one file for a file and its %s', async (ending) => {
    const { restore, node, ended, folder, planFor } = await benchOfFiles();
    const { path, before, journal } = await cutOffChange(folder, ending);
    let sent: unknown;
    let received: Buffer | null = null;
    node.handlers.restorewallet = async ({ params }) => {
      sent = (params as { backup_file: string }).backup_file;
      received = await readFile(String(sent));
      // A node gives the wallet the same rights, and has to write to it.
      if (process.platform !== 'win32') expect((await stat(String(sent))).mode & 0o777).toBe(0o600);
      return { name: 'w' };
    };
    const { copies } = await planFor(path);
    expect(copies).toMatchObject([{ text: expect.stringContaining('journal') }]);
    await restore({ ...input, backupFile: path });
    const result = await ended();
    expect(result).toMatchObject({ state: 'done', result: { backupFile: sent } });
    expect(result.result).not.toHaveProperty('backupAfter');
    expect(sent).not.toBe(path);
    expect(received).toEqual(Buffer.from(before));
    expect(result.safetyCopy?.files).toMatchObject([{ path: sent, withJournal: true, state: 'whole' }]);
    expect(await readFile(`${path}${ending}`)).toEqual(journal);
  });

  it.runIf(hasForeignWallets)(`gives the node the file beside a stale journal${foreignNote}`, async () => {
    const { restore, node, ended, folder, planFor } = await benchOfFiles();
    const path = join(folder, 'wallet.dat');
    const report = reportFolder('sqlite-stale-journal');
    for (const name of ['wallet.dat', 'wallet.dat-journal'])
      await writeFile(join(folder, name), await readFile(join(report, name)));
    const { checks, copies } = await planFor(path);
    expect(copies).toEqual([]);
    // The only warning is about the wallet's age.
    const warnings = checks.filter(({ verdict }) => verdict !== 'fine').map(({ id }) => id);
    expect(warnings).toEqual(['rescan']);
    await restore({ ...input, backupFile: path });
    expect(await ended()).toMatchObject({ state: 'done', warnings: [] });
    const sent = node.calls.find(({ method }) => method === 'restorewallet');
    expect(sent).toMatchObject({ params: { backup_file: path } });
  });

  it.runIf(hasForeignWallets).each([
    ['as the node reports it', releaseOf(310_000), { birthtime: 1_795_100_000 }, 1_795_100_000],
    ['of the file, for a node that reports none', releaseOf(250_100), {}, LATE_BIRTH],
  ])(
    `tells from which date on payments are found, before and after: %s${foreignNote}`,
    async (_, release, birth, since) => {
      const { restore, node, ended, folder, planFor } = await benchOfFiles({ release });
      const path = join(folder, 'late.dat');
      await writeFile(path, reportedWallet('descriptor-late-birth'));
      node.handlers.getwalletinfo = () => infoOf({ txcount: 0, ...birth });
      node.handlers.getbalances = () => ({ mine: { trusted: 0, untrusted_pending: 0, immature: 0 } });
      const { checks } = await planFor(path);
      expect(checks.find(({ id }) => id === 'birth')).toMatchObject({
        verdict: 'warning',
        title: `Payments before ${formatTime(LATE_BIRTH)} will not be found`,
        text: ['The file gives this date.', 'No transactions.'],
        todo: ['If the keys are older, rescan everything afterwards.'],
      });
      await restore({ ...input, backupFile: path });
      const job = await ended();
      expect(job).toMatchObject({ state: 'done', result: { balance: 0n, since, transactions: 0 } });
      const words = `No payments found. Not searched: payments before ${formatTime(since)}.`;
      expect(outcomeLines(job).join('\n')).toContain(words);
    },
  );

  const LATER = 'Locked wallets miss payments to later addresses.';
  it.each([
    ['does not follow a used one of a locked wallet', 'combo(tpub/0h/0h/*h)', 27, 9, true],
    ['follows a used one', 'combo(tpub/0h/0h/*h)', 28, 9, false],
    ['is needed, because none is used', 'combo(tpub/0h/0h/*h)', 9, 0, false],
    ['needs the passphrase', 'wpkh(tpub/0/*)', 9, 9, false],
  ])('says whether the node searched later addresses: none %s', async (_, desc, last, next, isLocked) => {
    const { restore, node, ended } = await benchOfFiles();
    node.handlers.getwalletinfo = () => infoOf({ txcount: 2, unlocked_until: 0 });
    node.handlers.getbalances = () => ({ mine: { trusted: 0, untrusted_pending: 0, immature: 0 } });
    node.handlers.listdescriptors = () => ({ descriptors: [{ desc, range: [0, last], next }] });
    await restore({ ...input, backupFile: DESCRIPTOR });
    const job = await ended();
    expect(job.state).toBe('done');
    expect(outcomeLines(job).join('\n').includes(LATER)).toBe(isLocked);
  });

  it.each([
    ['legacy', true],
    ['descriptor', true],
    ['descriptor', false],
  ])(
    'says what a node that is syncing lacks, for a %s wallet (in its initial download: %s)',
    async (kind, initialBlockDownload) => {
      const { restore, node, ended, session } = await benchOfFiles();
      Object.assign(session.status, { initialBlockDownload, blocks: 10, headers: 20 });
      node.handlers.getwalletinfo = () => infoOf(kind === 'legacy' ? { descriptors: false } : {});
      await restore({ ...input, backupFile: kind === 'legacy' ? LEGACY : DESCRIPTOR });
      const job = await ended();
      expect(job).toMatchObject({ state: 'done', result: { syncing: { blocks: 10, headers: 20 } } });
      const words = 'The node was still syncing at block 10: newer payments were missing.';
      expect(outcomeLines(job).join('\n').split('still syncing')).toHaveLength(2);
      expect(outcomeLines(job).join('\n')).toContain(words);
      const none = { ...job, proof: null, result: { ...job.result, balance: 0n } } as Job;
      expect(resultRows(none)).toContainEqual(['Balance', 'Not known']);
    },
  );

  it.each([0o400, 0o444])('gives the node a writable copy of a read-only backup (%#)', async (mode) => {
    const { restore, node, ended, folder, planFor } = await benchOfFiles();
    const backupFile = join(folder, 'backup.dat');
    await copyFile(DESCRIPTOR, backupFile);
    await chmod(backupFile, mode);
    const rights: number[] = [];
    // As a node does, with the rights of the file.
    node.handlers.restorewallet = async ({ params }) => {
      await copyFile((params as { backup_file: string }).backup_file, join(folder, 'wallet.dat'));
      rights.push((await stat(join(folder, 'wallet.dat'))).mode & 0o200);
      return { name: 'w' };
    };
    const { copies } = await planFor(backupFile);
    expect(copies).toMatchObject([{ text: expect.stringContaining('read-only') }]);
    await restore({ ...input, backupFile });
    const { state, safetyCopy } = await ended();
    expect({ state, rights }).toEqual({ state: 'done', rights: [0o200] });
    const copy = { source: backupFile, sha256: sha256(await readFile(DESCRIPTOR)) };
    expect(safetyCopy?.files).toMatchObject([copy]);
    await chmod(backupFile, 0o600);
  });

  it.each([
    [false, 215_000_001n],
    [true, 175_000_001n],
  ])('counts the watched coins only without private keys (%s)', async (withKeys, balance) => {
    const { restore, node, ended } = await benchOfFiles();
    const watchonly = { trusted: 0.4, untrusted_pending: 0, immature: 0 };
    node.handlers.getwalletinfo = () => infoOf({ descriptors: false, private_keys_enabled: withKeys });
    node.handlers.getbalances = () => ({ ...balances, watchonly });
    await restore(input);
    const { result } = await ended();
    expect(result).toMatchObject({ walletKind: 'legacy', balance });
    expect(result && 'watches' in result).toBe(!withKeys);
  });

  it('is done even if the node reports nothing about the wallet afterwards', async () => {
    const { restore, node, ended } = await benchOfFiles();
    node.handlers.getwalletinfo = failing(notLoaded());
    await restore(input);
    const result = { walletKind: 'unknown', balance: null };
    expect(await ended()).toMatchObject({ state: 'done', result });
  });

  it.each([
    ['a descriptor wallet with its backup', {}, 'descriptor', true],
    ['no legacy wallet, which its migration compares', {}, 'legacy', false],
    ['nothing on another machine', { local: false }, 'descriptor', false],
  ] as const)('compares %s', async (_, status, kind, isCompared) => {
    const compared: unknown[] = [];
    const prover: Prover = (_session, before, wallets, signal) => {
      compared.push([before, wallets]);
      return proveNothing(_session, before, wallets, signal);
    };
    const { restore, node, ended } = await benchOfFiles(status, { prover });
    node.handlers.getwalletinfo = () => infoOf({ descriptors: kind === 'descriptor' });
    await restore({ ...input, backupFile: kind === 'legacy' ? LEGACY : DESCRIPTOR });
    const job = await ended();
    expect(job).toMatchObject({ state: 'done', result: { walletKind: kind } });
    const before = { fileForProof: DESCRIPTOR, balanceBefore: null, rescue: null, restored: true };
    const wallets = { walletName: 'w', watchonlyName: null, solvablesName: null };
    expect(compared).toEqual(isCompared ? [[before, wallets]] : []);
    expect([job.proof !== null, stepStates(job).proving]).toEqual([
      isCompared,
      isCompared ? 'done' : 'skipped',
    ]);
  });

  it('shows the steps of the log with the rescan’s progress', async () => {
    const { restore, node, writeLog, until, ended } = await createBench();
    const nextCall = node.hold('restorewallet');
    await restore(input);
    const call = await nextCall();
    writeLog('init message: Loading wallet…');
    const loading = await until(({ steps }) => steps[0]?.state === 'done');
    expect(stepStates(loading)).toMatchObject({ sent: 'done', loading: 'running', rescanning: 'waiting' });
    const still = '[w] Still rescanning. At block 62. Progress=0.424242';
    writeLog(
      '[w] Rescanning last 100 blocks (from block 37)...',
      '[w] Rescan started from block 00ff... (fast variant using block filters)',
      still,
    );
    const halfway = await until(({ progress }) => progress?.block === 62);
    const ofBlocks = { block: 62, blocks: 100, fraction: 0.25 };
    expect(halfway.progress).toEqual({ wallet: 'w', ...ofBlocks, secondsLeft: null, fast: true });
    expect(halfway.log.at(-1)).toBe(stamped(still));
    expect(halfway.log).toHaveLength(4);
    writeLog('[w] Rescan completed in           60000ms');
    call.answer({ name: 'w' });
    const end = await ended();
    expect(stepStates(end)).toMatchObject({ sent: 'done', loading: 'done', rescanning: 'done' });
    expect(end.log.at(-1)).toContain('Rescan completed');
  });

  it('estimates the remaining time once the speed is steady', async () => {
    const { restore, node, writeLog, until, clock } = await createBench();
    node.hold('restorewallet');
    await restore(input);
    for (const [n, share] of ['0.10', '0.20', '0.30'].entries()) {
      writeLog(`[w] Still rescanning. At block ${n + 10}. Progress=${share}`);
      await until(({ progress }) => progress?.block === n + 10);
      clock.now += 60;
    }
    writeLog('[w] Still rescanning. At block 99. Progress=0.40');
    const { progress } = await until((snapshot) => snapshot.progress?.block === 99);
    expect(progress?.secondsLeft).toBeCloseTo(360);
  });

  it('keeps the last 200 lines', async () => {
    const { restore, node, writeLog, until } = await createBench();
    node.hold('restorewallet');
    await restore(input);
    writeLog(...Array.from({ length: 1000 }, (_, n) => `line ${n}`));
    const { log } = await until((snapshot) => snapshot.log.at(-1) === stamped('line 999'));
    expect(log).toEqual(Array.from({ length: 200 }, (_, n) => stamped(`line ${800 + n}`)));
  });

  it('reports the node’s refusal with its own words', async () => {
    const { restore, node, ended } = await createBench();
    const message = 'Wallet file verification failed. Data is not in recognized format.';
    node.handlers.restorewallet = failing(rpc(-18, message, 'wallet_not_found'));
    await restore(input);
    const error = { code: 'wallet_not_found', node: { code: -18, message } };
    expect(await ended()).toMatchObject({ state: 'failed', result: null, error });
  });

  it('shows only elapsed time without a log', async () => {
    const { restore, node, ended } = await createBench({}, { log: false });
    node.handlers.restorewallet = () => ({ name: 'w' });
    expect(await restore(input)).toMatchObject({ measured: 'time', progress: null });
    const end = await ended();
    expect(end).toMatchObject({ measured: 'time', log: [] });
    expect(stepStates(end)).toMatchObject({ sent: 'done', loading: 'done', rescanning: 'done' });
  });

  it('takes progress from getwalletinfo without a log', async () => {
    const { restore, node, until } = await createBench({}, { log: false });
    node.hold('restorewallet');
    node.handlers.getwalletinfo = () => infoOf({ scanning: { duration: 12, progress: 0.4 } });
    await restore(input);
    const snapshot = await until(({ measured }) => measured === 'scanning');
    const unknown = { block: null, blocks: null, secondsLeft: null, fast: null };
    expect(snapshot.progress).toEqual({ wallet: 'w', fraction: 0.4, ...unknown });
    expect(stepStates(snapshot)).toMatchObject({ loading: 'done', rescanning: 'running' });
  });
});

describe('a refused restore, with nothing sent', () => {
  const refused = async (
    bench: Awaited<ReturnType<typeof createBench>>,
    changes: Partial<typeof input>,
    error: object,
  ) => {
    await expect(bench.restore({ ...input, ...changes })).rejects.toMatchObject(error);
    expect(bench.node.calls.map(({ method }) => method)).not.toContain('restorewallet');
    expect(bench.emitted).toEqual([]);
    expect(await bench.jobs.list()).toEqual([]);
  };

  it('refuses an undo on a release that loads no legacy wallets, with a remedy', async () => {
    const bench = await createBench(on30);
    const request = { action: 'undo', source: { by: 'file', path: LEGACY } } as const;
    await expect(bench.start(request)).rejects.toMatchObject({
      plan: { kind: 'restore' },
      stops: [{ id: 'release', todo: [expect.stringContaining('release 29 or earlier')] }],
    });
    expect(bench.node.calls.map(({ method }) => method)).not.toContain('restorewallet');
    expect(bench.emitted).toEqual([]);
  });

  it('warns of an undo after which another passphrase is right', async () => {
    const { plan, node, folder } = await createBench({ offline: true });
    const backup = fixtureFile('legacy-hd-encrypted');
    const passphrase = fixturePassphrase('legacy-hd-encrypted');
    const migrated = await migratedFile(await readFile(backup), 'w', passphrase);
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    const file = await putWallet(folder, 'w', 'descriptor-encrypted');
    const warnings = async (path: string) => {
      const source = { by: 'file', path } as const;
      const { checks } = await plan({ action: 'undo', source, answers: { name: 'w' } });
      return checks.filter(({ verdict }) => verdict === 'warning').map(({ title }) => title);
    };
    expect(await warnings(backup)).toContain('The backup needs its earlier passphrase');
    expect(await warnings(fixtureFile('legacy-hd'))).toContain('The backup has no passphrase');
    await writeFile(file, migrated);
    expect(JSON.stringify(await warnings(backup))).not.toContain('passphrase');
  });

  it('refuses every plan without a node', async () => {
    const bench = await createBench();
    bench.connection.session = failing(rpc(0, '', 'not_connected'));
    await refused(bench, {}, { code: 'not_connected' });
  });

  it('refuses a plan that the app does not know', async () => {
    const bench = await createBench();
    await expect(bench.run({ id: 'unheard of' })).rejects.toMatchObject({
      code: 'plan_gone',
      hint: expect.stringContaining('Nothing was sent'),
    });
    expect(bench.node.calls).toEqual([]);
  });
});

describe('an accepted restore', () => {
  it('accepts a legacy backup on a release that loads it, and reports its kind', async () => {
    const { restore, node, ended } = await createBench();
    node.handlers.restorewallet = () => ({ name: 'w', warning: 'deprecated' });
    node.handlers.getwalletinfo = () => infoOf({ descriptors: false, format: 'bdb' });
    await restore({ ...input, backupFile: LEGACY });
    const result = { walletKind: 'legacy' };
    expect(await ended()).toMatchObject({ state: 'done', warnings: ['deprecated'], result });
  });

  it.runIf(CAN_LINK)('accepts a link to a backup, and sends the node the path of its target', async () => {
    const { restore, node, ended, folder } = await benchOfFiles();
    const backup = join(folder, 'old.bak');
    await copyFile(DESCRIPTOR, backup);
    await symlink(backup, join(folder, 'link'));
    await restore({ ...input, backupFile: join(folder, 'link') });
    expect(await ended()).toMatchObject({ state: 'done' });
    const sent = node.calls.find(({ method }) => method === 'restorewallet');
    expect(sent?.params).toMatchObject({ backup_file: await realpath(backup) });
  });

  it('accepts any path on another machine’s node', async () => {
    const { restore, ended } = await benchOfFiles(
      { ...on30, local: false, walletsFolder: null },
      { log: false },
    );
    await restore({ ...input, backupFile: 'D:\\backups\\wallet.dat' });
    expect(await ended()).toMatchObject({ state: 'done' });
  });
});

describe('the backup that was shown', () => {
  /** A node of release 30, and a backup of its own. */
  const planned = async (options?: Parameters<typeof createBench>[1]) => {
    const all = await benchOfFiles(on30, options);
    const backupFile = join(all.folder, 'backup.dat');
    await copyFile(DESCRIPTOR, backupFile);
    return { ...all, request: { ...input, backupFile } };
  };
  const another = (backupFile: string) => copyFile(fixtureFile('descriptor-encrypted'), backupFile);
  const restored = ({ node }: Awaited<ReturnType<typeof createBench>>) =>
    node.calls.filter(({ method }) => method === 'restorewallet').length;

  it.skipIf(!canLockAsNode)('is not copied while a program has it open', async () => {
    const { planFor, request } = await planned();
    const release = await lockAsNode(request.backupFile);
    const open = { verdict: 'blocker', title: 'Another program has this wallet open' };
    expect((await planFor(request.backupFile)).checks).toContainEqual(expect.objectContaining(open));
    await release();
    expect((await planFor(request.backupFile)).checks).not.toContainEqual(expect.objectContaining(open));
  });

  it('is restored without a note if it did not change', async () => {
    const all = await planned();
    await all.restore(all.request);
    const { result } = await all.ended();
    expect(result).toMatchObject({ kind: 'restore' });
    expect(result).not.toHaveProperty('backupAfter');
  });

  // SECURITY.md: A backup swapped between plan and start
  it('is not restored if it is another file now, and the error has the new SHA-256', async () => {
    const all = await planned();
    const { name, backupFile: path } = all.request;
    const plan = await all.planFor(path);
    const before = sha256(await readFile(DESCRIPTOR));
    expect(plan.facts.sha256).toBe(before);
    await another(path);
    await expect(all.run(plan, { answers: { name } })).rejects.toMatchObject({
      code: 'file_changed',
      hint: expect.stringMatching(`Nothing was sent.*${before}.*${sha256(await readFile(path))}`),
    });
    expect(restored(all)).toBe(0);
  });

  // SECURITY.md: A backup swapped between plan and start
  it('is checked again right before the call', async () => {
    // Called after the last check of the plan, and before the call.
    const journal = journalWith(({ job }) => job.steps.length > 0 && swap());
    const all = await planned({ journal });
    const swap = () => copyFileSync(fixtureFile('descriptor-encrypted'), all.request.backupFile);
    await all.restore(all.request);
    expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'file_changed' } });
    expect(restored(all)).toBe(0);
  });

  // SECURITY.md: A backup swapped between plan and start
  it.each([
    ['changed', (backupFile: string) => another(backupFile)],
    [
      'touched',
      async (backupFile: string) => {
        await rename(backupFile, `${backupFile}.kept`);
        await another(backupFile);
        await rename(`${backupFile}.kept`, backupFile);
      },
    ],
    ['unreadable', (backupFile: string) => rm(backupFile)],
  ])('is reported as %s if it changed during the call', async (after, meanwhile) => {
    const all = await planned();
    all.node.handlers.restorewallet = async () => {
      await meanwhile(all.request.backupFile);
      return { name: 'w' };
    };
    await all.restore(all.request);
    expect(await all.ended()).toMatchObject({ state: 'done', result: { backupAfter: after } });
  });

  it('is checked after a lost connection too', async () => {
    const all = await planned();
    const nextCall = all.node.hold('restorewallet');
    await all.restore(all.request);
    const call = await nextCall();
    await another(all.request.backupFile);
    all.node.handlers.listwallets = () => ['w'];
    call.fail(lost());
    expect(await all.ended()).toMatchObject({ state: 'done', result: { backupAfter: 'changed' } });
  });
});
