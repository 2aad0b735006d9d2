/** Distributes tasks over fake threads, among them threads that hang or crash. */
import { on } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { compiledSqlite } from '../../walletfile/database/sqliteDatabase.ts';
import type { WalletHandle } from '../wallets/work.ts';
import { createThreadedWork } from './workInThreads.ts';

/** Opens anything, answers with the thread's id, and hangs if a wallet's bytes or a question say so. */
const program = `
const { BroadcastChannel, parentPort, threadId } = require('node:worker_threads');
const loaded = new BroadcastChannel('loaded threads');
loaded.postMessage(threadId);
loaded.close();
const known = new Set();
parentPort.on('message', ({ kind, ids, task }) => {
  if (kind === 'forget') return ids.forEach((id) => known.delete(id));
  const { wallet, question } = task.input;
  const wanted = question?.method ?? (wallet?.file.bytes[0] === 1 ? 'endless' : '');
  if (wanted === 'endless') for (;;);
  if (wanted === 'hungry' || (wanted === 'crowded' && known.size > 1)) {
    const taken = [];
    for (;;) taken.push(new Array(10_000).fill(0).map(() => ({})));
  }
  if (wanted === 'crash') throw new Error('a fault');
  if (wanted === 'crash later') setTimeout(() => { throw new Error('a fault'); });
  const knew = known.has(wallet?.id);
  if (wallet) known.add(wallet.id);
  const report = JSON.stringify({ thread: threadId, knew });
  const result = task.kind === 'ask' ? report : task.kind === 'open' ? { kind: 'legacy' } : new Uint8Array([threadId]);
  const delay = question?.method === 'slow' ? 200 : 0;
  setTimeout(() => parentPort.postMessage({ kind: 'done', result }), delay);
});
`;

const folder = mkdtempSync(join(tmpdir(), 'file-work-'));
const script = join(folder, 'thread.cjs');
writeFileSync(script, program);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sqlite = await compiledSqlite();
const never = new AbortController().signal;
const signals = { stopping: never, caller: never };
const harmless = 0;
const endless = 1;

describe('work on files in threads', () => {
  let work: ReturnType<typeof createThreadedWork>;
  afterEach(() => {
    vi.useRealTimers();
    return work.end();
  });

  /** Time passes only when a test advances it. The threads have timers of their own. */
  function stopTime() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  }

  function start(limits: Parameters<typeof createThreadedWork>[2] = {}) {
    work = createThreadedWork(pathToFileURL(script), sqlite, limits);
  }

  function open(first = harmless, stopping = never, size = 512) {
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    bytes[0] = first;
    return work.open(
      { file: { path: '', size, mark: '', bytes }, kind: 'bdb', network: 'regtest' },
      stopping,
    );
  }

  async function ask(wallet: WalletHandle, method = 'short', sent = signals) {
    const question = {
      method,
      params: [],
      release: 28,
      name: '',
      masterKey: null,
      unlockedUntil: 0,
      now: 0,
    } as const;
    return JSON.parse(await wallet.ask(question, sent));
  }

  it('asks the thread that holds the wallet', async () => {
    start();
    const wallet = await open();
    const first = await ask(wallet);
    expect(first.knew).toBe(true);
    // Both at once: the second waits for the thread that works on its wallet.
    expect(await Promise.all([ask(wallet, 'slow'), ask(wallet)])).toEqual([first, first]);
  });

  it('loads the program of two threads ahead of their tasks', async () => {
    const loaded = new BroadcastChannel('loaded threads');
    const threads = on(loaded, 'message');
    start();
    work.prepare();
    const ready: number[] = [];
    for await (const [{ data }] of threads) if (ready.push(data) === 2) break;
    loaded.close();
    const { thread } = await ask(await open());
    const [other] = (await work.run('migrate', {} as never)) as unknown as Uint8Array;
    expect([thread, other].sort()).toEqual(ready.sort());
  });

  // SECURITY.md: A hostile wallet file
  it('runs a task although other wallets keep threads busy', async () => {
    start();
    const wallets = [await open(), await open()];
    const stuck = [...Array(3)].map(() => open(endless).catch((error: Error) => error.message));
    const [one, two] = await Promise.all(wallets.map((wallet) => ask(wallet)));
    expect(one.thread).toBe(two.thread);
    // All threads are busy now, but a file can still be read.
    stuck.push(open(endless).catch((error: Error) => error.message));
    await expect(work.run('read', { path: 'any' })).resolves.toHaveLength(1);
    await work.end();
    expect(await Promise.all(stuck)).toEqual(Array(4).fill('the thread ended'));
  });

  // SECURITY.md: A hostile wallet file
  it('ends a task that takes too long, and answers the next one from the same bytes', async () => {
    stopTime();
    start({ longestFor: () => 60_000 });
    const wallet = await open();
    const before = await ask(wallet);
    const refused = expect(ask(wallet, 'endless')).rejects.toMatchObject({
      code: -4,
      message: expect.stringMatching(
        /^The work on this wallet was stopped after 1 minutes: .* No wallet file was/,
      ),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
    const unopened = expect(open(endless)).rejects.toMatchObject({ code: -4 });
    await vi.advanceTimersByTimeAsync(60_000);
    await unopened;
    const after = await ask(wallet);
    expect(after.thread).not.toBe(before.thread);
    expect(after.knew).toBe(false);
    expect(await ask(wallet)).toEqual({ ...after, knew: true });
  });

  // SECURITY.md: A hostile wallet file
  it('ends a task that takes too much memory, and retries it alone if other wallets shared the thread', async () => {
    start({ memory: 32 });
    const wallet = await open();
    await expect(ask(wallet, 'hungry')).rejects.toMatchObject({ code: -7 });
    const others = [await open(), await open()];
    expect(await ask(wallet, 'crowded')).toMatchObject({ knew: false });
    for (const other of others) expect(await ask(other)).toHaveProperty('thread');
  });

  // SECURITY.md: A hostile wallet file
  it('ends a task some time after its caller left', async () => {
    stopTime();
    start({ unaskedMs: 300 });
    const wallet = await open();
    const gone = new AbortController();
    const ending = { stopping: never, caller: gone.signal };
    const [running, queued, slow] = [
      ask(wallet, 'endless', ending),
      ask(wallet, 'short', ending),
      ask(await open(), 'slow', ending),
    ].map((answer) => answer.catch((error: Error) => error.message));
    // By then, all of them have reached their threads.
    await vi.advanceTimersByTimeAsync(0);
    gone.abort();
    expect(await queued).toBe('nobody waits for the answer any more');
    expect(await slow).toHaveProperty('thread');
    await vi.advanceTimersByTimeAsync(299);
    expect(await Promise.race([running, 'runs'])).toBe('runs');
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toBe('nobody waits for the answer any more');
    expect(await ask(wallet)).toMatchObject({ knew: false });
  });

  it('aborts all tasks when the engine stops', async () => {
    start();
    const stopping = new AbortController();
    const loads = [...Array(6)].map(() => open(endless, stopping.signal));
    const reason = new Error('the engine ends');
    setTimeout(() => stopping.abort(reason), 200);
    for (const { status, ...outcome } of await Promise.allSettled(loads)) {
      expect([status, outcome]).toEqual(['rejected', { reason }]);
    }
  });

  it('forgets released wallets, and the least recently used ones when memory is short', async () => {
    start();
    const large = 80 * 2 ** 20;
    const [first, second] = [await open(harmless, never, large), await open(harmless, never, large)];
    expect(await ask(second)).toMatchObject({ knew: true });
    expect(await ask(first)).toMatchObject({ knew: false });
    first.release();
    expect(await ask(second)).toMatchObject({ knew: false });
  });

  it('uses another thread after one has crashed', async () => {
    start();
    const wallet = await open();
    await expect(ask(wallet, 'crash')).rejects.toThrow('the thread failed');
    for (let turn = 0; turn < 5; turn += 1) {
      await ask(wallet, 'crash later').catch(() => {});
      await ask(wallet, 'short').catch(({ message }: Error) => expect(message).toMatch(/^the thread/));
      expect(await ask(wallet)).toHaveProperty('thread');
    }
  });

  it('keeps no copy of a master key', async () => {
    start();
    const wallet = await open();
    const masterKey = new Uint8Array(32).fill(7);
    const question = {
      method: 'short',
      params: [],
      release: 28,
      name: '',
      unlockedUntil: 1,
      now: 0,
    } as const;
    await wallet.ask({ ...question, masterKey }, signals);
    expect(masterKey).toEqual(new Uint8Array(32));
  });

  it('reports that a thread cannot start', async () => {
    work = createThreadedWork(pathToFileURL(join(folder, 'missing.cjs')), sqlite);
    await expect(open()).rejects.toThrow('the thread failed');
  });
});
