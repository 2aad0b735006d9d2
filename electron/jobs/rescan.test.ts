import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lost, notLoaded, rpc } from '../../e2e/testNode/scriptedNode.ts';
import { AppError } from '../../shared/model/errors.ts';
import { resultRows } from '../../shared/wording/jobLines.ts';
import { jobVerdict } from '../../shared/wording/verdictWords.ts';
import { readLogEnd } from '../bitcoind/log/logFollower.ts';
import { initialLogState } from '../bitcoind/log/progress.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { failing } from '../files/testing/failing.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { conditionFiles } from '../walletfile/testing/conditionFiles.ts';
import { createResumedRescan } from './rescan.ts';
import { startWatch } from './run/watch.ts';
import { createBench, infoOf, putWallet, stepStates, stoppedBy } from './testing/bench.ts';

/** A wallet whose payments are found by a rescan alone, as of `descriptor-late-birth`: 0 before, 9.3 after. */
async function bench(...[status, options]: Parameters<typeof createBench>) {
  const created = await createBench({ blocks: 110, ...status }, options);
  const { node } = created;
  let found = false;
  let scanning: false | { duration: number; progress: number } = false;
  node.handlers.listwallets = () => ['w'];
  node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
  node.handlers.getwalletinfo = () => infoOf({ txcount: found ? 6 : 0, scanning });
  node.handlers.getbalances = () => ({
    mine: { trusted: found ? 9.3 : 0, untrusted_pending: 0, immature: 0 },
  });
  node.handlers.rescanblockchain = () => {
    found = true;
    return { start_height: 0, stop_height: 110 };
  };
  node.handlers.abortrescan = () => true;
  node.handlers.getblockhash = () => BLOCK;
  const source = { by: 'wallet', name: 'w' } as const;
  return {
    ...created,
    look: (answers = {}) => created.plan({ action: 'rescan', source, answers }),
    rescan: (answers = {}, passphrase?: string) =>
      created.start({ action: 'rescan', source, answers, passphrase }),
    sent: () => node.calls.filter(({ method }) => CHANGING.has(method)),
    scan: (progress: number | null) => {
      scanning = progress === null ? false : { duration: 5, progress };
    },
    find: () => {
      found = true;
    },
  };
}

async function encryptedBench() {
  const created = await bench();
  created.node.handlers.getwalletinfo = () => infoOf({ unlocked_until: 0 });
  created.node.handlers.walletpassphrase = () => null;
  created.node.handlers.walletlock = () => null;
  return created;
}

const UNLOCKED_CALLS = ['walletpassphrase', 'rescanblockchain', 'walletlock'];
const NOTHING_LOST = 'Nothing is lost. Rescan at any time.';
const STILL_UNLOCKED = 'The wallet is still unlocked. Lock it: walletlock';
const CHANGING = new Set(['loadwallet', 'walletpassphrase', 'rescanblockchain', 'walletlock', 'abortrescan']);
const BLOCK = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';
const STARTED = `[w] Rescan started from block ${BLOCK}... (slow variant inspecting all blocks)`;

describe('a rescan', () => {
  it('scans all blocks and reports the balances before and after', async () => {
    const { rescan, sent, ended } = await bench();
    await rescan();
    const after = { balance: 930_000_000n, transactions: 6 };
    const holdings = { before: { balance: 0n, transactions: 0 }, after };
    const result = { kind: 'rescan', walletName: 'w', from: 0, to: 110, ...holdings };
    expect(await ended()).toMatchObject({ kind: 'rescan', state: 'done', result });
    expect(sent()).toEqual([{ method: 'rescanblockchain', params: { start_height: 0 }, wallet: 'w' }]);
  });

  it('says before and after what a node that is syncing lacks', async () => {
    const behind = await bench({ initialBlockDownload: true, blocks: 110, headers: 900 });
    const check = { id: 'syncing', verdict: 'warning', title: 'The node is still syncing' };
    expect((await behind.look()).checks).toContainEqual(expect.objectContaining(check));
    await behind.rescan();
    const job = await behind.ended();
    expect(job).toMatchObject({ state: 'done', result: { syncing: { blocks: 110, headers: 900 } } });
    const words = 'The node was still syncing at block 110: newer payments were missing.';
    expect(resultRows(job)).toContainEqual(['Payments', words]);
    expect(jobVerdict(job, null).tone).toBe('read');
  });

  it('loads a wallet that is not loaded, and compares it with its file', async () => {
    const { node, folder, look, rescan, sent, ended } = await bench();
    node.handlers.listwallets = () => [];
    node.handlers.loadwallet = () => ({ name: 'w' });
    const asks = async () => (await look()).asks.map(({ ask }) => ask);
    expect(await asks()).toContain('passphrase');
    await putWallet(folder, 'w', 'descriptor-hd');
    expect(await asks()).not.toContain('passphrase');
    await rescan();
    const held = { balance: 930_000_000n, transactions: 6 };
    expect(await ended()).toMatchObject({ result: { before: held, after: held } });
    expect(sent().map(({ method }) => method)).toEqual(['loadwallet', 'rescanblockchain']);
  });

  it('finds no less than the file of a wallet that only watches, which its flags do not say', async () => {
    const { node, folder, rescan, ended } = await bench({ release: releaseOf(290_300) });
    node.handlers.listwallets = () => [];
    node.handlers.loadwallet = () => ({ name: 'w' });
    const file = await putWallet(folder, 'w', 'legacy-nokeys');
    const bytes = await readFile(file);
    bytes[bytes.indexOf('0800010000000001', 'hex') + 7] = 0;
    await writeFile(file, bytes);
    await rescan();
    expect(await ended()).toMatchObject({ result: { before: { balance: 0n } } });
  });

  it.each([[['w']], [[]]])(
    'does not start if the wallet would crash the node, with %j loaded',
    async (names) => {
      const { node, folder, look, sent } = await bench({ release: releaseOf(310_000) });
      mkdirSync(join(folder, 'w'));
      writeFileSync(join(folder, 'w', 'wallet.dat'), (await conditionFiles['transaction-id']()).bytes);
      node.handlers.listwallets = () => names;
      const { checks } = await look();
      const blocker = { id: 'wallet-exists', title: 'This wallet would crash the node' };
      expect(checks.filter(({ verdict }) => verdict === 'blocker')).toMatchObject([blocker]);
      expect(sent()).toEqual([]);
      expect(node.calls.some(({ method }) => method === 'getbalances')).toBe(false);
    },
  );

  it('unlocks an encrypted wallet and locks it again, even if the node refuses', async () => {
    const { node, look, rescan, sent, ended } = await encryptedBench();
    node.handlers.rescanblockchain = failing(rpc(-1, 'Rescan failed.', 'misc_error'));
    expect((await look()).calls.map(({ method }) => method)).toEqual(UNLOCKED_CALLS);
    await rescan({}, 'secret');
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'misc_error' } });
    expect(sent().map(({ method }) => method)).toEqual(UNLOCKED_CALLS);
    // While a rescan runs, a node of release 25 or later that wants to lock the wallet answers nothing.
    const hours = 6;
    expect(sent()[0]).toMatchObject({ params: ['secret', hours * 3600] });
  });

  it.each([
    [110, 6 * 3600],
    // Four times as long as at 15 blocks a second.
    [900_000, 240_000],
    [9_000_000, 7 * 24 * 3600],
  ])('keeps the wallet unlocked for four times its estimate: %i blocks', async (blocks, seconds) => {
    const { node, look } = await bench({ blocks });
    node.handlers.getwalletinfo = () => infoOf({ unlocked_until: 0 });
    const { calls, checks } = await look();
    expect(calls[0]).toMatchObject({ method: 'walletpassphrase', params: ['•••', seconds] });
    const { text } = checks.find(({ id }) => id === 'rescan') ?? { text: [] };
    expect(text).toContain('Encrypted wallets stay unlocked meanwhile.');
  });

  it.each([
    [true, 'secret'],
    [undefined, undefined],
  ])('says whether it unlocks the wallet: %s', async (unlocks, passphrase) => {
    const { rescan, ended } = await (unlocks ? encryptedBench() : bench());
    await rescan({}, passphrase);
    expect((await ended()).unlocks).toBe(unlocks);
  });

  it.each(['busy', 'forbidden', 'cannot_connect'] as const)(
    'locks the wallet again if the rescan is refused without words of the node: %s',
    async (code) => {
      const { node, rescan, sent, ended } = await encryptedBench();
      node.handlers.rescanblockchain = failing(new AppError(code, 'Refused.', ''));
      await rescan({}, 'secret');
      expect(await ended()).toMatchObject({ state: 'failed', error: { code }, warnings: [] });
      expect(sent().map(({ method }) => method)).toEqual(UNLOCKED_CALLS);
    },
  );

  it('locks the wallet later if the node is too busy at first', async () => {
    const { node, rescan, sent, ended } = await encryptedBench();
    let attempts = 0;
    node.handlers.walletlock = () => {
      attempts += 1;
      if (attempts < 3) throw new AppError('busy', 'The node is too busy.', '');
      return null;
    };
    await rescan({}, 'secret');
    expect(await ended()).toMatchObject({ state: 'done', warnings: [] });
    expect(sent().filter(({ method }) => method === 'walletlock')).toHaveLength(3);
  });

  it.each([
    ['done', () => ({ start_height: 0, stop_height: 110 })],
    ['failed', failing(rpc(-1, 'Rescan failed.', 'misc_error'))],
  ])('says if it could not lock the wallet, %s', async (state, rescanblockchain) => {
    const { node, rescan, sent, ended } = await encryptedBench();
    node.handlers.rescanblockchain = rescanblockchain;
    node.handlers.walletlock = failing(new AppError('forbidden', 'Not allowed.', ''));
    await rescan({}, 'secret');
    expect(await ended()).toMatchObject({ state, warnings: [STILL_UNLOCKED] });
    expect(sent().filter(({ method }) => method === 'walletlock')).toHaveLength(1);
  });

  it('shows its progress by getwalletinfo, and its block by the log', async () => {
    const { node, rescan, scan, until, writeLog, ended } = await bench();
    const nextCall = node.hold('rescanblockchain');
    await rescan();
    const call = await nextCall();
    scan(0.25);
    writeLog(STARTED, '[w] Still rescanning. At block 55. Progress=0.400000');
    const job = await until(({ progress }) => progress?.fraction === 0.25 && progress.block === 55);
    expect(job.progress).toMatchObject({ wallet: 'w', block: 55, blocks: 110, fast: false });
    expect(stepStates(job)).toEqual({ sent: 'done', rescanning: 'running' });
    call.answer({ start_height: 0, stop_height: 110 });
    expect(await ended()).toMatchObject({ state: 'done', progress: null });
  });

  it('is stopped by the node when the user cancels, and says what stays', async () => {
    const { node, rescan, sent, jobs, ended } = await bench();
    const nextCall = node.hold('rescanblockchain');
    const { id } = await rescan();
    const call = await nextCall();
    node.handlers.abortrescan = () => {
      call.fail(rpc(-1, 'Rescan aborted.', 'misc_error'));
      return true;
    };
    await jobs.cancelRescan(id);
    const error = { code: 'cancelled', message: 'Rescan stopped.', node: { message: 'Rescan aborted.' } };
    expect(await ended()).toMatchObject({ state: 'failed', error });
    expect(sent().at(-1)).toEqual({ method: 'abortrescan', params: [], wallet: 'w' });
    await expect(jobs.cancelRescan(id)).rejects.toMatchObject({ code: 'bad_input' });
  });

  it.each([
    ['misc_error', 'was not stopped', (): boolean => false],
    ['misc_error', 'could not be stopped', failing(new AppError('forbidden', 'Not allowed.', ''))],
    ['cancelled', 'may have been stopped', failing(lost())],
  ] as const)('fails with %s if it %s', async (code, _, abortrescan) => {
    const { node, rescan, jobs, ended } = await bench();
    const nextCall = node.hold('rescanblockchain');
    const { id } = await rescan();
    const call = await nextCall();
    node.handlers.abortrescan = abortrescan;
    await expect(jobs.cancelRescan(id)).rejects.toThrow();
    call.fail(rpc(-1, 'Rescan failed. Potentially corrupted data files.', 'misc_error'));
    expect(await ended()).toMatchObject({ state: 'failed', error: { code } });
  });
});

describe('a refused rescan', () => {
  it('does not start in the offline engine, which has no blocks', async () => {
    const { rescan, sent } = await bench({ offline: true });
    await expect(rescan()).rejects.toMatchObject(stoppedBy('rescan', 'The offline engine has no blocks'));
    expect(sent()).toEqual([]);
  });

  it('does not start while the node rescans the wallet already', async () => {
    const { rescan, scan } = await bench();
    scan(0.5);
    await expect(rescan()).rejects.toMatchObject(stoppedBy('rescan', 'Already being rescanned'));
  });

  it('does not start above the chain, or below the blocks that a pruned node keeps', async () => {
    const { rescan } = await bench({ pruned: true, pruneHeight: 50, blocks: 110 });
    for (const height of [49, 111])
      await expect(rescan({ rescanFrom: { by: 'height', height } })).rejects.toMatchObject(
        stoppedBy('rescan'),
      );
  });

  it('does not start for a legacy wallet that the release does not load', async () => {
    const { node, rescan } = await bench({ release: releaseOf(310_000) });
    node.handlers.listwallets = () => [];
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w', warnings: ['a legacy wallet'] }] });
    await expect(rescan()).rejects.toMatchObject(stoppedBy('wallet-exists', 'cannot load legacy wallets'));
  });
});

describe('before a rescan', () => {
  it('a pruned node says which blocks cannot be scanned, and starts at its first', async () => {
    const { node, look } = await bench({ pruned: true, pruneHeight: 50 });
    node.handlers.getblockhash = () => 'ab'.repeat(32);
    node.handlers.getblockheader = () => ({ height: 50, time: 1_795_000_000, confirmations: 60 });
    const plan = await look();
    expect(plan.calls).toMatchObject([{ method: 'rescanblockchain', params: { start_height: 50 } }]);
    const warning = { verdict: 'warning', title: 'No blocks before 50' };
    const text = [expect.stringContaining('Not searched')];
    expect(plan.checks).toContainEqual(expect.objectContaining({ ...warning, text }));
    const later = await look({ rescanFrom: { by: 'height', height: 90 } });
    expect(later.checks).toContainEqual(expect.objectContaining({ ...warning, text: [] }));
  });

  it('a day becomes the first block of two hours before it begins in the east', async () => {
    const { node, look } = await bench({ blocks: 200 });
    node.handlers.getblockhash = ({ params }) => String((params as number[])[0]);
    node.handlers.getblockheader = ({ params }) => {
      const height = Number((params as string[])[0]);
      return { height, time: 1_600_000_000 + height * 600, confirmations: 1 };
    };
    // 16 hours of ten minutes a block: 14 from Greenwich to the easternmost zone, and two.
    const { asks } = await look({ rescanFrom: { by: 'time', time: 1_600_000_000 + (38 + 16 * 6) * 600 } });
    expect(asks).toContainEqual(expect.objectContaining({ ask: 'rescan-from', value: 38 }));
  });
});

describe('a rescan whose answer was lost', () => {
  async function lose(passphrase?: string, ...options: Parameters<typeof createBench>) {
    const created = await bench(...options);
    const nextCall = created.node.hold('rescanblockchain');
    await created.rescan({}, passphrase);
    const call = await nextCall();
    return { ...created, cut: () => call.fail(lost()) };
  }

  it('continues while the node scans, and is done once the log says so', async () => {
    const { cut, scan, find, until, writeLog, ended } = await lose();
    scan(0.5);
    writeLog(STARTED);
    cut();
    await until(({ progress }) => progress?.fraction === 0.5);
    find();
    writeLog('[w] Rescan completed in               9ms');
    // The wallet is loaded again.
    writeLog('[w] Rescanning last 3 blocks (from block 107)...', STARTED, '[w] Rescan completed in 9ms');
    scan(null);
    const result = { from: 0, to: 110, after: { balance: 930_000_000n } };
    expect(await ended()).toMatchObject({ state: 'done', result });
  });

  it.each([
    ['the node was killed', []],
    ['it was stopped', ['[w] Rescan aborted at block 20. Progress=0.100000']],
    [
      'the node was started again, and only caught up',
      ['[w] Rescanning last 3 blocks (from block 107)...', STARTED, '[w] Rescan completed in 9ms'],
    ],
    [
      'the node was started again, and another program scanned less from the same block',
      ['Bitcoin Core version v31.0.0 (release build)', STARTED, '[w] Rescan completed in 9ms'],
    ],
    [
      'another program had the node scan the last blocks',
      [`[w] Rescan started from block ${'cd'.repeat(32)}...`, '[w] Rescan completed in 9ms'],
    ],
  ])('did not finish if %s, and nothing is lost', async (_, lines) => {
    const { cut, writeLog, ended } = await lose();
    writeLog(...lines);
    cut();
    const error = { message: 'Rescan not finished.', hint: NOTHING_LOST };
    expect(await ended()).toMatchObject({ state: 'failed', error });
  });

  describe('by a node whose log the app cannot read', () => {
    // The scripted node has run for an hour.
    const started = Math.floor(Date.now() / 1000) - 3600;
    const farAway = { local: false, walletsFolder: null, started };
    const loseFarAway = () => lose(undefined, farAway, { log: false });

    it('is done with a warning if the node was seen scanning and scans no more', async () => {
      const { cut, scan, find, until, ended } = await loseFarAway();
      scan(0.5);
      cut();
      await until(({ progress }) => progress?.fraction === 0.5);
      find();
      scan(null);
      const result = { before: { balance: 0n }, after: { balance: 930_000_000n } };
      const warnings = ['The answer was lost. The rescan may be incomplete.'];
      expect(await ended()).toMatchObject({ state: 'done', result, warnings });
    });

    it('fails if the node was restarted', async () => {
      const { node, cut, scan, until, ended } = await loseFarAway();
      scan(0.5);
      cut();
      await until(({ progress }) => progress?.fraction === 0.5);
      node.handlers.uptime = () => 5;
      scan(null);
      const error = { message: 'The connection was lost.', hint: NOTHING_LOST };
      expect(await ended()).toMatchObject({ state: 'failed', error });
    });

    it('has failed if the node was never seen scanning', async () => {
      const { cut, ended } = await loseFarAway();
      cut();
      expect(await ended()).toMatchObject({ state: 'failed', error: { hint: NOTHING_LOST } });
    });
  });

  it('locks the wallet again once the node has finished', async () => {
    const locks = async (passphrase?: string) => {
      const { node, cut, scan, until, writeLog, sent, ended } = await lose(passphrase);
      node.handlers.walletlock = () => null;
      scan(0.5);
      writeLog(STARTED);
      cut();
      await until(({ progress }) => progress?.fraction === 0.5);
      const lockedBefore = sent().some(({ method }) => method === 'walletlock');
      writeLog('[w] Rescan completed in               9ms');
      scan(null);
      expect(await ended()).toMatchObject({ state: 'done' });
      return [lockedBefore, sent().some(({ method }) => method === 'walletlock')];
    };
    expect(await locks('secret')).toEqual([false, true]);
    expect(await locks()).toEqual([false, false]);
  });

  it('asks again until the wallet is locked', async () => {
    const { node, cut, ended } = await lose('secret');
    let attempts = 0;
    node.handlers.walletlock = () => {
      attempts += 1;
      if (attempts === 1) throw new AppError('timed_out', 'No answer.', '');
      return null;
    };
    cut();
    expect(await ended()).toMatchObject({ state: 'failed', error: { hint: NOTHING_LOST } });
    expect(attempts).toBeGreaterThan(1);
  });

  it.each([
    ['done', [STARTED, '[w] Rescan completed in               9ms']],
    ['failed', []],
  ])('says that the wallet is still unlocked if the lock is refused, %s', async (state, lines) => {
    const { node, cut, writeLog, ended } = await lose('secret');
    node.handlers.walletlock = failing(new AppError('forbidden', 'Not allowed.', ''));
    writeLog(...lines);
    cut();
    const job = await ended();
    expect(job.state).toBe(state);
    expect(job.error?.hint ?? job.warnings[0]).toContain(STILL_UNLOCKED);
  });

  it('leaves the wallet unlocked while the call waits in the queue of the node', async () => {
    const { session, sent } = await encryptedBench();
    const range = { from: 0, to: 110 };
    const { resolve } = createResumedRescan({
      kind: 'rescan',
      name: 'w',
      range,
      holdingsBefore: null,
      unlocked: true,
    });
    const resolveWhile = (stillRunning: boolean) =>
      resolve({
        session,
        stillRunning,
        log: initialLogState('rescan', 'w', range),
        logWasRead: true,
        walletsFolder: null,
        signal: new AbortController().signal,
      });
    expect(await resolveWhile(true)).toBe(null);
    expect(sent()).toEqual([]);
    expect(await resolveWhile(false)).toMatchObject({ state: 'failed' });
    expect(sent()).toMatchObject([{ method: 'walletlock' }]);
  });

  it.each([
    ['is whole', '2026-11-20T13:00:01Z node stops\n', false, true],
    ['was rotated', '2026-11-20T13:00:01Z node stops\n', true, false],
    ['has no times', `${STARTED}\n[w] Rescan completed in 9ms\n`, false, false],
  ])('has failed once the node is gone only if the log %s', async (_, text, isRotated, wasRead) => {
    const path = join(makeTestFolder(), 'debug.log');
    writeFileSync(
      path,
      '2026-11-20T13:00:00Z a line that is long enough to find the place in the log again\n',
    );
    const mark = await readLogEnd(path, null);
    if (isRotated) renameSync(path, `${path}.1`);
    appendFileSync(path, text);
    const checkpoint = {
      kind: 'rescan',
      name: 'w',
      range: { from: 0, to: 110 },
      holdingsBefore: null,
    } as const;
    const from = { mark, started: 1_795_179_600 };
    const options = { checkpoint, logPath: path, logOwner: null, from, now: () => 0, logPollMs: 100 };
    const watch = await startWatch(options);
    const logWasRead = await watch.drainLog();
    expect(logWasRead).toBe(wasRead);
    const evidence = { session: null, walletsFolder: null, stillRunning: false, log: watch.state() };
    const { signal } = new AbortController();
    const outcome = await createResumedRescan(checkpoint).resolve({ ...evidence, logWasRead, signal });
    await watch.stop();
    expect(outcome?.state).toBe(wasRead ? 'failed' : undefined);
  });

  it('is not known while the app still reads the log', async () => {
    const { session } = await bench();
    const range = { from: 0, to: 110 };
    const { resolve } = createResumedRescan({ kind: 'rescan', name: 'w', range, holdingsBefore: null });
    const evidence = { session, walletsFolder: null, stillRunning: false, logWasRead: null };
    const log = initialLogState('rescan', 'w', range);
    expect(await resolve({ ...evidence, log, signal: new AbortController().signal })).toBeNull();
  });

  it('did not finish if the wallet is no longer loaded', async () => {
    const { node, cut, ended } = await lose();
    node.handlers.getwalletinfo = failing(notLoaded());
    cut();
    expect(await ended()).toMatchObject({ state: 'failed' });
  });

  it('has the method name that the node reports', () => {
    const known = { name: 'w', range: { from: 0, to: 1 }, holdingsBefore: null };
    expect(createResumedRescan({ kind: 'rescan', ...known }).method).toBe('rescanblockchain');
  });
});
