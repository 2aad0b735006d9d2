/** The thread as bundled in the app, and threads that fail. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bytesToHex } from '@noble/hashes/utils.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bundlePrograms } from '../../e2e/app/bundlePrograms.ts';
import { type FixtureName, fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { writeBerkeley } from '../recovery/repair/writeBerkeley.ts';
import { makeStoredKey, storedKeyOf } from '../walletfile/keys/privateKey.ts';
import { preloadSecp256k1 } from '../walletfile/keys/publicKey.ts';
import { writeRecord } from '../walletfile/records/records.ts';
import { inOrder } from '../walletfile/testing/sampleWallet.ts';
import { createFileTasks, createWalletWork, type WalletWork } from './walletWork.ts';

const never = new AbortController().signal;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thread-'));
});
afterAll(() => rm(folder, { recursive: true }));

const inspecting = (name: FixtureName) => ({ kind: 'inspect', task: { path: fixtureFile(name) } }) as const;

describe('the thread', () => {
  let work: WalletWork;
  const newWork = () => createWalletWork(pathToFileURL(join(folder, 'bundle', 'walletThread.cjs')));

  /** Counts the threads that start from now on. */
  function threadsStarted(): () => number {
    let started = 0;
    const count = () => {
      started += 1;
    };
    process.on('worker', count);
    onTestFinished(() => void process.off('worker', count));
    return () => started;
  }

  beforeAll(async () => {
    await bundlePrograms(join(folder, 'bundle'), {
      walletThread: new URL('walletThread.ts', import.meta.url),
    });
    work = newWork();
  }, 120_000);

  it('reads wallets of both kinds, amounts as bigint', async () => {
    const legacy = await work(inspecting('legacy-hd'), never);
    expect(legacy).toMatchObject({
      inspection: { kind: 'legacy', balance: { spendable: { confirmed: expect.any(BigInt) } } },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const descriptor = await work(inspecting('descriptor-hd'), never);
    expect(descriptor).toMatchObject({ inspection: { kind: 'descriptor', problems: [] } });
  });

  it('ends after its answer if it was given a passphrase', async () => {
    const own = newWork();
    const ended = once(process, 'worker').then(([thread]) => once(thread, 'exit'));
    const path = fixtureFile('legacy-hd-encrypted');
    await own({ kind: 'tryPassphrase', task: { path, passphrase: 'wrong' } }, never);
    await ended;
    const again = threadsStarted();
    await own({ kind: 'inspect', task: { path } }, never);
    expect(again()).toBe(1);
  });

  it('does further tasks, and ends when there are none', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const own = newWork();
    const started = threadsStarted();
    const ended = once(process, 'worker').then(([thread]) => once(thread, 'exit'));
    for (const name of ['legacy-hd', 'descriptor-hd', 'legacy-blank'] as const)
      await own(inspecting(name), never);
    expect(started()).toBe(1);
    vi.runAllTimers();
    await ended;
  });

  it('gets no task while it ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const own = newWork();
    await own(inspecting('legacy-blank'), never);
    vi.runAllTimers();
    const again = await own(inspecting('legacy-blank'), never);
    expect(again).toMatchObject({ inspection: { kind: 'legacy' } });
  });

  it('finds the one of 8,000 keys that does not fit, in threads that end when all are derived', async () => {
    await preloadSecp256k1();
    const keyAt = (at: number) => Buffer.from(`${at}`.padStart(32, '0'));
    const keys = Array.from({ length: 8000 }, (_, at) =>
      makeStoredKey({ privateKey: keyAt(at), compressed: true }),
    );
    const misfit = keys[2000]?.publicKey ?? new Uint8Array();
    const wrong = keys.with(2000, storedKeyOf(keyAt(1), misfit));
    const path = join(folder, 'many-keys.dat');
    writeFileSync(path, writeBerkeley(inOrder(wrong.map((key) => writeRecord({ type: 'key', ...key })))));
    const program = join(folder, 'countingThread.mjs');
    const ends = join(folder, 'ends');
    const count = `process.on('worker', (helper) => helper.on('exit', (code) => appendFileSync(${JSON.stringify(ends)}, String(code))));`;
    const thread = pathToFileURL(join(folder, 'bundle', 'walletThread.cjs')).href;
    writeFileSync(ends, '');
    writeFileSync(
      program,
      `import { appendFileSync } from 'node:fs'; ${count} await import(${JSON.stringify(thread)});`,
    );
    const counted = createWalletWork(pathToFileURL(program));
    const { inspection } = await counted({ kind: 'inspect', task: { path } }, never);
    expect(inspection.keys).toMatchObject({ plain: 8000, damaged: 0 });
    const records = { total: 1, shown: [bytesToHex(misfit)] };
    expect(inspection.conditions).toEqual([{ code: 'key-misfit', records }]);
    const helpers = Math.min(availableParallelism() - 1, 3);
    await expect.poll(() => readFileSync(ends, 'utf8')).toBe('0'.repeat(helpers));
  });

  it('does one task at a time', async () => {
    const own = newWork();
    const started = threadsStarted();
    await Promise.all([own(inspecting('legacy-hd'), never), own(inspecting('legacy-hd'), never)]);
    expect(started()).toBe(2);
  });

  it('returns errors with their code', async () => {
    const missing = work({ kind: 'inspect', task: { path: join(folder, 'nothing') } }, never);
    await expect(missing).rejects.toMatchObject({ name: 'AppError', code: 'file_missing' });
  });
});

describe('a thread that does not answer', () => {
  const task = { kind: 'tryPassphrase', task: { path: '/x', passphrase: 'sesame' } } as const;
  const scripted = (name: string, code: string, memory = 256) => {
    const path = join(folder, `${name}.cjs`);
    writeFileSync(path, code);
    return createWalletWork(pathToFileURL(path), memory);
  };
  const listening = (code: string) =>
    `require('node:worker_threads').parentPort.on('message', (task) => {${code}})`;

  it.each([
    ['ends', listening('process.exit(0)')],
    ['throws', listening('throw new Error(task.task.passphrase)')],
    ['cannot be loaded', 'this is no script'],
  ])('fails when it %s, without quoting its input', async (name, code) => {
    const answer = scripted(name, code)(task, never);
    await expect(answer).rejects.toMatchObject({ code: 'internal', finding: { code: 'work_stopped' } });
    const error = await answer.catch((thrown: unknown) => thrown);
    expect(JSON.stringify(errorShapeOf(error)) + String(error)).not.toContain('sesame');
  });

  // SECURITY.md: A hostile wallet file
  it('fails when its memory is not enough', async () => {
    const greedy = 'const kept = []; for (;;) kept.push(new Array(1000).fill(0.5).map(() => ({})));';
    const work = scripted('greedy', listening(greedy), 16);
    const tooLarge = { code: 'beyond_limits', finding: { code: 'work_too_large' } };
    await expect(work(task, never)).rejects.toMatchObject(tooLarge);
  });

  // SECURITY.md: A hostile wallet file
  it('has the memory that it was given, and less than the app by default', async () => {
    const limitOf = async (memory?: number) => {
      const path = join(folder, `limit-${memory}.cjs`);
      const tell = `const { parentPort, resourceLimits } = require('node:worker_threads');
        const result = resourceLimits.maxOldGenerationSizeMb;
        parentPort.on('message', () => parentPort.postMessage({ ok: true, result }));`;
      writeFileSync(path, tell);
      return createWalletWork(pathToFileURL(path), memory)(task, never);
    };
    expect(await limitOf(64)).toBe(64);
    expect(await limitOf()).toBe(3072);
  });

  it('gets SQLite as an earlier thread compiled it', async () => {
    const empty = 'new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))';
    const tell = `const { parentPort, workerData: { sqlite } } = require('node:worker_threads');
      parentPort.on('message', () => parentPort.postMessage({ ok: true, result: sqlite, sqlite: ${empty} }));`;
    const work = scripted('sharing', tell);
    expect(await work(task, never)).toBeNull();
    expect(await work(task, never)).toBeInstanceOf(WebAssembly.Module);
  });

  it('ends when the app closes', async () => {
    const work = scripted('endless', listening('for (;;);'));
    const closing = new AbortController();
    const waiting = work(task, closing.signal);
    closing.abort(new Error('closing'));
    await expect(waiting).rejects.toThrow(new Error('closing'));
    await expect(work(task, closing.signal)).rejects.toThrow(new Error('closing'));
  });
});

/** Work that runs until its signal aborts. */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

describe('work on a file', () => {
  it('returns its result, or throws its error', async () => {
    const tasks = createFileTasks();
    expect(await tasks.run({ signal: never, task: 'a' }, async () => 7)).toBe(7);
    const failing = tasks.run({ signal: never }, () => Promise.reject(new RangeError('x')));
    await expect(failing).rejects.toThrow(RangeError);
  });

  // SECURITY.md: A hostile wallet file
  it('ends when its caller leaves', async () => {
    const page = new AbortController();
    const tasks = createFileTasks();
    const running = tasks.run({ signal: page.signal }, endless);
    const other = tasks.run({ signal: never, task: 'other' }, endless);
    page.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled', finding: { code: 'reading_stopped' } });
    await expect(tasks.run({ signal: page.signal }, endless)).rejects.toMatchObject({ code: 'cancelled' });
    tasks.cancel('other');
    await expect(other).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('writes no warning into the terminal, however much of it waits for one signal', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const tasks = createFileTasks();
    const { signal } = new AbortController();
    const running = Array.from({ length: 11 }, () => tasks.run({ signal }, endless));
    tasks.close();
    await Promise.allSettled(running);
    expect(warned).not.toHaveBeenCalled();
  });

  it('ends when its name is cancelled, or used again', async () => {
    const tasks = createFileTasks();
    const older = tasks.run({ signal: never, task: 'a' }, endless);
    const newer = tasks.run({ signal: never, task: 'a' }, endless);
    await expect(older).rejects.toMatchObject({ code: 'cancelled' });
    tasks.cancel('b');
    tasks.cancel('a');
    await expect(newer).rejects.toMatchObject({ code: 'cancelled' });
    expect(await tasks.run({ signal: never, task: 'a' }, async () => 'again')).toBe('again');
  });

  it('does not start if it was cancelled before', async () => {
    const tasks = createFileTasks();
    tasks.cancel('a');
    let started = false;
    const late = tasks.run({ signal: never, task: 'a' }, async () => {
      started = true;
    });
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
    expect(started).toBe(false);
  });

  // SECURITY.md: A hostile wallet file
  it('ends with an error when its time is up', async () => {
    const tasks = createFileTasks(0.01);
    await expect(tasks.run({ signal: never }, endless)).rejects.toMatchObject({
      code: 'beyond_limits',
      finding: { code: 'work_too_long', seconds: 0.01 },
    });
  });

  it('returns no result after it was cancelled', async () => {
    const page = new AbortController();
    const late = createFileTasks().run({ signal: page.signal }, async () => {
      page.abort();
      return 'a late result';
    });
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends when the app closes, and no other starts', async () => {
    const tasks = createFileTasks();
    const running = tasks.run({ signal: never }, endless);
    tasks.close();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(tasks.run({ signal: never }, async () => 7)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
