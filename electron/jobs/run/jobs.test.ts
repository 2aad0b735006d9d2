import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createScriptedNode, lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { continuesWithoutApp } from '../../../shared/model/job.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { failing } from '../../files/testing/failing.ts';
import { waitForNextFileTime } from '../../files/testing/testFolder.ts';
import { createBench, running, stamped, stoppedBy } from '../testing/bench.ts';
import { createJobs } from './jobs.ts';

const backupFile = fixtureFile('descriptor-hd');
const input = { name: 'w', backupFile, loadOnStartup: null };

/** A restore under way, with its call still open. */
const begin = async (...options: Parameters<typeof createBench>) => {
  const bench = await createBench(...options);
  const nextCall = bench.node.hold('restorewallet');
  const { id } = await bench.restore(input);
  return { ...bench, id, call: await nextCall() };
};

describe('a lost connection', () => {
  it('is shown each time, while the app keeps following the node and its log', async () => {
    const { node, call, until, writeLog, ended } = await begin();
    node.handlers.getrpcinfo = failing(lost('cannot_connect'));
    call.fail(lost());
    await until(({ connection }) => connection === 'lost');
    writeLog('[w] Still rescanning. At block 100. Progress=0.5');
    expect(await until(({ progress }) => progress?.block === 100)).toMatchObject({ connection: 'lost' });
    node.handlers.getrpcinfo = () => running('restorewallet');
    await until(({ connection }) => connection === 'ok');
    writeLog('[w] Still rescanning. At block 101. Progress=0.6');
    const running101 = await until(({ progress }) => progress?.block === 101);
    expect(running101).toMatchObject({ state: 'running', connection: 'ok' });
    node.handlers.getrpcinfo = failing(lost('cannot_connect'));
    await until(({ connection }) => connection === 'lost');
    node.handlers.getrpcinfo = () => running();
    node.handlers.listwallets = () => ['w'];
    expect(await ended()).toMatchObject({ state: 'done' });
  });

  it('waits for a node that is starting up', async () => {
    const { node, call, ended } = await begin();
    let starting = 3;
    node.handlers.getrpcinfo = () => {
      if (starting-- > 0) throw rpc(-28, 'Loading block index…', 'starting_up');
      return running();
    };
    node.handlers.listwallets = () => ['w'];
    call.fail(lost());
    expect(await ended()).toMatchObject({ state: 'done' });
  });

  it('ends the job as failed once the node has twice shown no wallet', async () => {
    const { node, call, ended } = await begin();
    const before = node.calls.length;
    call.fail(lost());
    const error = { code: 'connection_lost', hint: expect.stringContaining('Try again') };
    expect(await ended()).toMatchObject({ state: 'failed', result: null, error });
    const calls = node.calls.slice(before).filter(({ method }) => method === 'listwallets');
    expect(calls).toHaveLength(2);
  });

  // SECURITY.md: Another node that answers after a lost connection
  it.each([
    ['another chain', 'getblockchaininfo', { chain: 'main' }],
    ['another data folder', 'getrpcinfo', { active_commands: [], logpath: '/other/regtest/debug.log' }],
  ] as const)('trusts no node with %s that answers in its place', async (_, method, change) => {
    const { node, restore, until, ended, session } = await createBench({ reportedLogPath: '/x/debug.log' });
    const hold = node.hold('restorewallet');
    await restore(input);
    const lock = await hold();
    const honest = node.handlers[method];
    node.handlers[method] = (call) => ({ ...Object(honest?.(call)), ...change });
    // It has a wallet of that name.
    node.handlers.listwallets = () => ['w'];
    lock.fail(lost());
    const other = await until(({ connection }) => connection === 'another-node');
    expect(other).toMatchObject({ state: 'running', result: null });
    expect(session.status.network).toBe('regtest');
    if (honest) node.handlers[method] = honest;
    expect(await ended()).toMatchObject({ state: 'done', connection: 'ok' });
  });

  it('sends nothing to another node that answers before the call, without a passphrase either', async () => {
    const { node, restore, ended } = await createBench({ reportedLogPath: '/x/debug.log' });
    node.handlers.getrpcinfo = () => ({ active_commands: [], logpath: '/other/regtest/debug.log' });
    await restore(input);
    expect(await ended()).toMatchObject({ state: 'failed', error: { code: 'not_connected' } });
    expect(node.calls.map(({ method }) => method)).not.toContain('restorewallet');
  });

  // SECURITY.md: Another node that answers after a lost connection
  it('does not trust a node whose data folder replaced the one of the job’s node', async () => {
    const bench = await createBench();
    const { node, folder, restore, connection, session, until, ended } = bench;
    const [data, away] = [join(folder, 'data'), join(folder, 'moved away')];
    const walletsFolder = join(data, 'wallets');
    await mkdir(walletsFolder, { recursive: true });
    node.handlers.getrpcinfo = () => ({ active_commands: [], logpath: join(data, 'debug.log') });
    const walletsFolderMark = await folderMarkAt(walletsFolder);
    const status = {
      ...session.status,
      walletsFolder,
      walletsFolderMark,
      reportedLogPath: join(data, 'debug.log'),
    };
    connection.session = () => ({ ...session, status });
    const hold = node.hold('restorewallet');
    await restore(input);
    const call = await hold();
    await rename(data, away);
    await waitForNextFileTime();
    await mkdir(walletsFolder, { recursive: true });
    // It has a wallet of that name.
    node.handlers.listwallets = () => ['w'];
    call.fail(lost());
    const other = await until(({ connection }) => connection === 'another-node');
    expect(other).toMatchObject({ state: 'running', result: null });
    await rm(data, { recursive: true });
    await rename(away, data);
    expect(await ended()).toMatchObject({ state: 'done', connection: 'ok' });
  });

  it('does not fail a call that waits in the node’s queue', async () => {
    const { node, call, ended } = await begin();
    const answers = [running(), running('restorewallet'), running()];
    node.handlers.getrpcinfo = () => answers.shift() ?? running();
    node.handlers.listwallets = () => (answers.length === 0 ? ['w'] : []);
    call.fail(lost());
    expect(await ended()).toMatchObject({ state: 'done' });
  });

  it('ends as unknown while the wallet is not loaded, and asks again until it is', async () => {
    const { node, call, ended, until, jobs } = await begin();
    node.handlers.listwalletdir = () => ({ wallets: [{ name: 'w' }] });
    call.fail(lost());
    const error = { code: 'outcome_unknown', message: expect.stringContaining('not loaded') };
    expect(await ended()).toMatchObject({ state: 'unknown', error });
    node.handlers.listwallets = () => ['w'];
    const known = await until(({ state }) => state !== 'unknown');
    expect(known).toMatchObject({ state: 'done', error: null, result: { walletName: 'w' } });
    expect(await jobs.list()).toMatchObject([{ id: known.id, state: 'done' }]);
    expect(node.calls.filter(({ method }) => method === 'restorewallet')).toHaveLength(1);
  });

  it('waits for the wallet if the login may not list running calls', async () => {
    const { node, call, until, ended } = await begin();
    let calls = 0;
    node.handlers.getrpcinfo = () => {
      calls++;
      throw lost('forbidden');
    };
    call.fail(lost());
    await vi.waitFor(() => expect(calls).toBeGreaterThan(3));
    await until(({ state, connection }) => state === 'running' && connection === 'ok');
    node.handlers.listwallets = () => ['w'];
    expect(await ended()).toMatchObject({ state: 'done' });
  });

  describe('whose login may not list running calls', () => {
    const before = { user: process.getuid?.() ?? 1000, socket: 'before' };
    const interrupted = async (...[status]: Parameters<typeof createBench>) => {
      const bench = await createBench({ listener: before, ...status });
      const listener = vi.spyOn(bench.node.client, 'listener').mockReturnValue(before);
      const nextCall = bench.node.hold('restorewallet');
      bench.node.handlers.uptime = () => 1000;
      await bench.restore(input);
      const call = await nextCall();
      listener.mockReturnValue({ ...before, socket: 'after' });
      const asked = vi.fn(failing(lost('forbidden')));
      bench.node.handlers.getrpcinfo = asked;
      bench.node.handlers.uptime = () => 5;
      call.fail(lost());
      return { ...bench, asked };
    };

    it.each<[string, Parameters<typeof createBench>[0]]>([
      ['on this computer, with another listener', {}],
      ['elsewhere, with another start', { walletsFolder: null, started: Date.now() / 1000 - 1000 }],
    ])('does not wait for a call of a node %s', async (_, status) => {
      expect(await (await interrupted(status)).ended()).toMatchObject({ state: 'failed' });
    });

    it('waits for a node behind a tunnel that connected again', async () => {
      const { node, ended, asked } = await interrupted({ walletsFolder: null });
      await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(3));
      node.handlers.listwallets = () => ['w'];
      expect(await ended()).toMatchObject({ state: 'done' });
    });
  });

  it('asks through the current session', async () => {
    const { node, call, connection, session, ended, until } = await begin();
    const restartedNode = createScriptedNode();
    restartedNode.handlers.listwallets = () => ['w'];
    node.handlers.getrpcinfo = failing(lost('credentials_refused'));
    call.fail(lost());
    await until(({ connection }) => connection === 'lost');
    connection.session = () => ({ ...session, client: restartedNode.client });
    expect(await ended()).toMatchObject({ state: 'done' });
  });

  it('does not ask another node', async () => {
    const { node, call, connection, session, until, id, jobs } = await begin();
    const other = createScriptedNode();
    other.handlers.listwallets = () => ['w'];
    const address = { host: '127.0.0.1', port: 8332, tls: false };
    const status = { ...session.status, walletsFolder: '/elsewhere' };
    connection.session = () => ({ client: { ...other.client, address }, status });
    let calls = 0;
    node.handlers.getrpcinfo = () => {
      calls++;
      throw lost('cannot_connect');
    };
    call.fail(lost());
    await until(({ connection }) => connection === 'lost');
    await vi.waitFor(() => expect(calls).toBeGreaterThan(2));
    expect(other.calls).toEqual([]);
    jobs.stopWaiting(id);
  });
});

describe('the log', () => {
  // SECURITY.md: A server that names a false log file
  it('keeps only lines that begin with a node’s time', async () => {
    const { restore, node, logPath, until } = await createBench();
    node.hold('restorewallet');
    await restore(input);
    const secrets = 'password=hunter2\n[w] Rescan completed in 5ms\n2026-11-20 13:32:03 user root\n';
    await appendFile(logPath, `${secrets}${stamped('[w] Still rescanning. At block 10. Progress=0.1')}\n`);
    const { log } = await until((snapshot) => snapshot.log.length > 0);
    expect(log).toEqual([stamped('[w] Still rescanning. At block 10. Progress=0.1')]);
  });

  it('is emitted once, each line with the next change', async () => {
    const { restore, node, writeLog, events, until, ended, jobs } = await createBench();
    const nextCall = node.hold('restorewallet');
    const { id } = await restore(input);
    const call = await nextCall();
    const lines = Array.from({ length: 30 }, (_, n) =>
      stamped(`[w] Still rescanning. At block ${n}. Progress=0.${n + 10}`),
    );
    for (const line of lines) {
      writeLog(line);
      await until(({ log }) => log.at(-1) === line);
    }
    call.answer({ name: 'w' });
    const end = await ended();
    expect(events.length).toBeGreaterThan(lines.length);
    expect(events.flatMap(({ log }) => log)).toEqual(lines);
    expect(end).toMatchObject({ state: 'done', log: lines, logLength: 30 });
    // Whoever asks gets all of them.
    expect(await jobs.list()).toMatchObject([{ id, log: lines, logLength: 30 }]);
  });
});

describe('createJobs', () => {
  it('refuses a second job on a wallet while the first one runs', async () => {
    const { jobs, restore, migrate, backUp, node, call, ended } = await begin();
    const refused = { code: 'job_running' };
    await expect(restore(input)).rejects.toMatchObject(refused);
    await expect(migrate({ name: 'w' })).rejects.toMatchObject(refused);
    await expect(backUp({ name: 'w', destination: '/tmp/x' })).rejects.toMatchObject(refused);
    expect(jobs.running().map(continuesWithoutApp)).toEqual([true]);
    call.answer({ name: 'w' });
    await ended();
    expect(jobs.running()).toEqual([]);
    const nextCall = node.hold('restorewallet');
    await restore(input);
    await nextCall();
  });

  it('frees the wallet when the checks fail', async () => {
    const { restore, node } = await createBench();
    node.hold('restorewallet');
    const gone = restore({ ...input, backupFile: '/not/there' });
    await expect(gone).rejects.toMatchObject(stoppedBy('backup-file'));
    expect(await restore(input)).toMatchObject({ state: 'running' });
  });

  it('runs jobs on different wallets side by side, and lists the newest first', async () => {
    const { jobs, restore, clock } = await begin();
    // The user corrects a clock that was days ahead.
    clock.now -= 200_000;
    await restore({ ...input, name: 'second' });
    expect((await jobs.list()).map(({ wallet }) => wallet)).toEqual(['second', 'w']);
    expect(jobs.running().length).toBe(2);
  });

  it('lists the newest first in the next session, although the clock was moved back', async () => {
    const { jobs, restore, clock, call, ended, options, node } = await begin({}, { journal: 'kept' });
    call.answer({ name: 'w' });
    await ended();
    clock.now -= 200_000;
    const next = node.hold('restorewallet');
    await restore({ ...input, name: 'second' });
    (await next()).answer({ name: 'second' });
    await vi.waitFor(() => expect(jobs.running()).toEqual([]));
    const later = createJobs(options);
    onTestFinished(() => later.close());
    expect((await later.list()).map(({ wallet }) => wallet)).toEqual(['second', 'w']);
  });

  it('ends a job as unknown if the user stops waiting, with no change after it', async () => {
    const { jobs, id, node, call, emitted, ended } = await begin();
    node.handlers.getrpcinfo = failing(lost('cannot_connect'));
    call.fail(lost());
    await vi.waitFor(() => expect(emitted.at(-1)?.connection).toBe('lost'));
    jobs.stopWaiting(id);
    const hint = 'The app keeps checking. Wait for its result.';
    const error = { code: 'outcome_unknown', hint };
    const end = { state: 'unknown', connection: 'lost', ended: 1_795_180_000, error };
    expect(await ended()).toMatchObject(end);
    const count = emitted.length;
    expect(() => jobs.stopWaiting(id)).toThrow('is not running');
    expect(() => jobs.stopWaiting('unheard of')).toThrow('is not running');
    expect(emitted).toHaveLength(count);
    expect(await jobs.list()).toMatchObject([{ id, state: 'unknown' }]);
  });

  it('stops waiting for an open call without calling the connection lost', async () => {
    const { jobs, id, emitted, ended } = await begin();
    jobs.stopWaiting(id);
    await ended();
    // The app asks again at once, and may know more by now.
    const end = emitted.find(({ state }) => state !== 'running');
    expect(end).toMatchObject({ state: 'unknown', connection: 'ok' });
    expect(emitted.map(({ connection }) => connection)).not.toContain('lost');
  });

  it('emits nothing after it is closed', async () => {
    const { jobs, restore, call, emitted, writeLog } = await begin();
    jobs.close();
    const count = emitted.length;
    writeLog('[w] Still rescanning. At block 10. Progress=0.1');
    call.answer({ name: 'w' });
    await expect(restore({ ...input, name: 'late' })).rejects.toMatchObject({ code: 'cancelled' });
    expect(emitted).toHaveLength(count);
  });

  it('does not begin if the user cancels its start', async () => {
    const { node, jobs, plan, emitted } = await createBench();
    const source = { by: 'file', path: backupFile } as const;
    const { id } = await plan({ action: 'restore', source, answers: { name: 'w' } });
    const cancelling = new AbortController();
    const nextCall = node.hold('listwallets');
    const starting = jobs.run({ plan: id, answers: { name: 'w', hasOwnCopy: true } }, cancelling.signal);
    const call = await nextCall();
    cancelling.abort(new Error('cancelled'));
    call.answer([]);
    await expect(starting).rejects.toThrow('cancelled');
    expect(emitted).toEqual([]);
    expect(node.calls.map(({ method }) => method)).not.toContain('restorewallet');
  });

  it('continues although a listener fails', async () => {
    const bench = await createBench();
    bench.node.handlers.restorewallet = () => ({ name: 'w' });
    const push = vi.spyOn(bench.emitted, 'push').mockImplementation(failing(new Error('listener')));
    await bench.restore(input);
    await vi.waitFor(async () => expect(await bench.jobs.list()).toMatchObject([{ state: 'done' }]));
    expect(push).toHaveBeenCalled();
  });
});

describe('another node than the one of the plan', () => {
  it('gets no restore, no migration and no copy of a backup', async () => {
    const { node, plan, run, connection, session, emitted } = await createBench();
    node.handlers.listwallets = () => ['loaded'];
    const file = { by: 'file', path: backupFile } as const;
    const old = { by: 'file', path: fixtureFile('legacy-hd') } as const;
    const wallet = { by: 'wallet', name: 'loaded' } as const;
    const plans = [
      await plan({ action: 'restore', source: file, answers: {} }),
      await plan({ action: 'restore', source: old, answers: {} }),
      await plan({ action: 'migrate', source: wallet, answers: {} }),
      await plan({ action: 'backup', source: wallet, answers: {} }),
    ];
    const callsBefore = node.calls.length;
    const address = { ...session.status.address, port: 18444 };
    connection.session = () => ({ ...session, status: { ...session.status, address } });
    const message = expect.stringContaining('another host or port');
    const hint = expect.stringContaining('No passphrase was sent and no wallet was changed');
    for (const each of plans)
      await expect(run(each)).rejects.toMatchObject({ code: 'not_connected', message, hint });
    expect(node.calls).toHaveLength(callsBefore);
    expect(emitted).toEqual([]);
  });
});
