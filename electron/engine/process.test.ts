/** Runs the engine as a process, bundled as in the app. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { bundleEngine } from '../../e2e/app/engineProcess.ts';
import { isLiving } from '../files/lock/processLock.ts';
import { onUnix } from '../files/testing/onUnix.ts';
import { removeTestFolder } from '../files/testing/removeTestFolder.ts';
import { HAS_SIGNALS, ON_WINDOWS } from '../files/testing/system.ts';
import { LOCK_NAME } from './lock.ts';
import { makeDataFolder, putWallet } from './testing/testEngine.ts';
import { openEngineState } from './wallets/engineState.ts';

const ready = z.object({
  url: z.string(),
  cookie: z.string(),
  release: z.number(),
  chain: z.string(),
  wallets: z.string(),
});

describe('the engine process', () => {
  const folder = makeDataFolder();
  const wallets = join(folder, 'data', 'wallets');
  const state = join(folder, 'state');
  const running: ChildProcess[] = [];
  let program: string;

  beforeAll(async () => {
    program = await bundleEngine(join(folder, 'bundle'));
    putWallet(wallets, 'safe', 'descriptor-encrypted');
  }, 120_000);

  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await removeTestFolder(folder);
  });

  function launch(...options: string[]) {
    return launchProgram(program, ...options);
  }

  function launchProgram(program: string, ...options: string[]) {
    const child = spawn(process.execPath, [program, ...options, '--state', state]);
    running.push(child);
    /** Null if a signal ended it. */
    const exited = once(child, 'exit').then(([code]) => z.nullable(z.number()).parse(code));
    return { child, exited, lines: createInterface({ input: child.stdout }), errors: textOf(child.stderr) };
  }

  async function launchReady(folder = wallets, bundled = program) {
    const process = launchProgram(bundled, '--wallets', folder, '--chain', 'regtest', '--release', '28');
    const [line] = await once(process.lines, 'line');
    const start = ready.parse(JSON.parse(String(line)));
    const authorization = `Basic ${Buffer.from(readFileSync(start.cookie, 'utf8')).toString('base64')}`;
    const call = async (method: string, params: unknown = []) => {
      const body = JSON.stringify({ method, params, id: 1 });
      const response = await fetch(start.url, { method: 'POST', headers: { authorization }, body });
      return JSON.parse(await response.text());
    };
    const end = async (signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM') => {
      if (HAS_SIGNALS) process.child.kill(signal);
      else await call('stop');
    };
    return { ...process, start, call, end };
  }

  it('prints its address, answers calls, and cleans up at its end', async () => {
    const { end, exited, start, call } = await launchReady();
    expect(start).toMatchObject({ release: 28, chain: 'regtest', wallets });
    expect(await call('loadwallet', ['safe'])).toMatchObject({ result: { name: 'safe' } });
    expect(await call('walletpassphrase', ['correct horse battery staple', 60])).toMatchObject({
      error: null,
    });
    expect((await call('listdescriptors', [true])).result.descriptors).toHaveLength(8);
    expect(await call('walletpassphrase', ['wrong', 60])).toMatchObject({ error: { code: -14 } });
    await end();
    expect(await exited).toBe(0);
    expect(existsSync(start.cookie)).toBe(false);
    expect(readdirSync(wallets)).toEqual(['safe']);
  });

  // SECURITY.md: A hostile wallet file
  it('ends cleanly right after its start', { retry: 2 }, async () => {
    const { end, exited } = await launchReady();
    await end();
    // Code 0 instead of the signal that an engine sends itself if a thread does not end in time, as on a busy machine.
    expect(await exited).toBe(0);
  });

  it('refuses a second engine on its folder, and starts again after a kill', async () => {
    const first = await launchReady();
    const second = launch('--wallets', wallets);
    expect(await second.exited).toBe(2);
    // Only Linux shows whose lock it is.
    const who =
      process.platform === 'linux' ? `Another engine (process ${first.child.pid})` : 'Another engine';
    expect(await second.errors).toContain(
      `${who} already uses this wallets folder. Stop it first, or use that one.`,
    );
    first.child.kill('SIGKILL');
    await first.exited;
    // As an engine leaves it that is killed while it writes a wallet.
    const prefix = openEngineState(state, wallets).unfinishedPrefix();
    writeFileSync(join(wallets, `${prefix}00000000.part`), 'half');
    const third = await launchReady();
    expect(readdirSync(wallets).sort()).toEqual([LOCK_NAME, 'safe']);
    expect(await third.call('listwallets')).toMatchObject({ result: [] });
    await third.end('SIGINT');
    expect(await third.exited).toBe(0);
  });

  it('ends with the program that started it, even if that is killed, and can be started again', async () => {
    const program = `
      const { spawn } = require('node:child_process');
      const engine = spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
      engine.stdout.on('data', (line) => process.stdout.write(engine.pid + ' ' + line));
    `;
    const options = ['--wallets', wallets, '--chain', 'regtest', '--end-with-parent', '--state', state];
    const parent = spawn(process.execPath, ['-e', program, join(folder, 'bundle', 'engine.cjs'), ...options]);
    running.push(parent);
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const [, pid = '', start = ''] = /^(\d+) (.*)$/.exec(String(line)) ?? [];
    const { cookie } = ready.parse(JSON.parse(start));
    expect([existsSync(cookie), existsSync(join(wallets, LOCK_NAME))]).toEqual([true, true]);
    parent.kill('SIGKILL');
    await expect.poll(() => isLiving(Number(pid), null)).toBe(false);
    // Windows kills the programs that a killed one started, so that the engine cannot clean up.
    const isLeft = ON_WINDOWS;
    expect([existsSync(cookie), existsSync(join(wallets, LOCK_NAME))]).toEqual([isLeft, isLeft]);
    const next = await launchReady();
    await next.end();
    expect(await next.exited).toBe(0);
    expect([existsSync(cookie), existsSync(join(wallets, LOCK_NAME))]).toEqual([false, false]);
  });

  it('tells its parent why it cannot start, and waits until the parent has read it', async () => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    const { child, exited, lines } = launch('--wallets', join(file, 'wallets'), '--end-with-parent');
    const [line] = await once(lines, 'line');
    expect(JSON.parse(String(line))).toEqual({
      refused: `The wallets folder ${join(file, 'wallets')} does not exist and cannot be created.`,
    });
    expect(child.exitCode).toBe(null);
    child.stdin.end();
    expect(await exited).toBe(2);
  });

  // SECURITY.md: A hostile wallets folder
  it.each([
    ['its lock', LOCK_NAME],
    ['its cookie', join('..', '.engine.cookie')],
  ])('refuses a folder in place of %s, and leaves no lock', async (_, name) => {
    const here = join(folder, `with a folder ${basename(name)}`, 'wallets');
    const path = join(here, name);
    mkdirSync(path, { recursive: true });
    const refused = `A folder, ${path}, has the name of one of the engine’s own files.`;
    const alone = launch('--wallets', here);
    expect(await alone.exited).toBe(2);
    expect(await alone.errors).toBe(`${refused} Move that folder away and start again.\n`);
    const { child, exited, lines } = launch('--wallets', here, '--end-with-parent');
    const [line] = await once(lines, 'line');
    expect(JSON.parse(String(line))).toMatchObject({ refused });
    child.stdin.end();
    expect(await exited).toBe(2);
    expect(readdirSync(here)).toEqual(name === LOCK_NAME ? [LOCK_NAME] : []);
  });

  onUnix('refuses wallets that other users can change, and says what to do', async () => {
    const open = join(folder, 'open to all');
    mkdirSync(join(open, 'wallets'), { recursive: true });
    chmodSync(open, 0o777);
    const { exited, lines, child } = launch('--wallets', join(open, 'wallets'), '--end-with-parent');
    const [line] = await once(lines, 'line');
    expect(JSON.parse(String(line))).toEqual({
      refused: `Other users of this computer may write to ${open}, which contains the wallets folder ${join(open, 'wallets')}, and could replace it.`,
      todo: `Nothing was read or changed. Take that permission from them (chmod go-w '${open}'), or copy your wallets to a folder of yours and choose that.`,
    });
    child.stdin.end();
    expect(await exited).toBe(2);
    expect(readdirSync(open, { recursive: true })).toEqual(['wallets']);
    chmodSync(open, 0o755);
    chmodSync(join(open, 'wallets'), 0o777);
    const { errors } = launch('--wallets', join(open, 'wallets'));
    expect(await errors).toContain(`may write to the wallets folder, ${join(open, 'wallets')}, and could`);
  });

  onUnix('refuses a folder below one that other users can change, and creates none there', async () => {
    const open = join(folder, 'open above');
    const inner = join(open, 'mine', 'data');
    mkdirSync(join(inner, 'wallets'), { recursive: true, mode: 0o700 });
    chmodSync(open, 0o777);
    for (const wallets of [join(inner, 'wallets'), join(open, 'new', 'wallets')]) {
      const { exited, errors } = launch('--wallets', wallets);
      expect(await exited).toBe(2);
      expect(await errors).toContain(
        `may write to ${open}, which contains the wallets folder ${wallets}, and could replace it.`,
      );
    }
    symlinkSync(join(inner, 'wallets'), join(folder, 'link to open'));
    expect(await launch('--wallets', join(folder, 'link to open')).errors).toContain(`may write to ${open}`);
    expect(readdirSync(open, { recursive: true }).sort()).toEqual(['mine', 'mine/data', 'mine/data/wallets']);
  });

  onUnix('does not wait for a pipe in place of a file, and ends on SIGTERM', async () => {
    const piped = join(folder, 'piped', 'wallets');
    mkdirSync(join(piped, 'pipe'), { recursive: true });
    const backup = join(folder, 'piped', 'backup.dat');
    const pipes = [
      join(piped, 'pipe', 'wallet.dat'),
      join(piped, 'bare.dat'),
      join(piped, LOCK_NAME),
      backup,
    ];
    for (const name of ['bitcoind.pid', '.lock', '.engine.cookie']) pipes.push(join(folder, 'piped', name));
    expect(spawnSync('mkfifo', pipes).status).toBe(0);
    const { child, exited, call } = await launchReady(piped);
    expect(await call('listwalletdir')).toMatchObject({ result: { wallets: [] } });
    expect(await call('loadwallet', ['pipe'])).toMatchObject({ error: { code: -4 } });
    expect(await call('migratewallet', ['pipe'])).toMatchObject({ error: { code: -4 } });
    expect(await call('restorewallet', ['new', backup])).toMatchObject({ error: { code: -4 } });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  describe('with a thread that hangs', () => {
    const stuck = join(folder, 'stuck', 'engine.cjs');
    const here = join(folder, 'stuck data', 'wallets');

    beforeAll(() => {
      const bundle = join(folder, 'stuck');
      cpSync(join(folder, 'bundle'), bundle, { recursive: true });
      renameSync(join(bundle, 'engineThread.cjs'), join(bundle, 'realThread.cjs'));
      writeFileSync(join(bundle, 'engineThread.cjs'), stuckThread);
      putWallet(here, 'safe', 'descriptor-encrypted');
      putWallet(here, 'old', 'legacy-hd');
      putWallet(here, 'older', 'legacy-imported');
    });

    // A running engine would lock the folder for the next test.
    afterEach(() => {
      for (const child of running) child.kill('SIGKILL');
    });

    /** Sends calls that get no answer, and waits until the engine lists all of them as running. */
    async function hang(
      call: (method: string, params?: unknown) => Promise<unknown>,
      calls: readonly (readonly [string, readonly unknown[]])[],
    ) {
      const answers = calls.map(([method, params]) => call(method, params));
      const active = async () => {
        const { result } = Object(await call('getrpcinfo'));
        return result.active_commands.map(({ method }: { method: string }) => method).sort();
      };
      const methods = ['getrpcinfo', ...calls.map(([method]) => method)].sort();
      await expect.poll(active).toEqual(methods);
      return answers;
    }

    const ways = HAS_SIGNALS ? ['SIGTERM', 'stop'] : ['stop'];
    // SECURITY.md: A hostile wallet file
    it.each(ways)('answers other calls, and ends on %s', async (how) => {
      const { child, exited, start, call } = await launchReady(here, stuck);
      await call('loadwallet', ['safe']);
      const answers = await hang(call, [
        ['loadwallet', ['old']],
        ['migratewallet', ['older']],
        ['restorewallet', ['new', join(here, 'old', 'wallet.dat')]],
        ['walletpassphrase', ['correct horse battery staple', 60]],
      ]);
      const others = await Promise.all([
        call('getwalletinfo'),
        call('listdescriptors'),
        call('listunspent'),
        call('listwalletdir'),
      ]);
      expect(others.map(({ error }) => error)).toEqual([null, null, null, null]);
      if (how === 'stop') await call('stop');
      else child.kill('SIGTERM');
      for (const answer of answers) {
        expect(await answer).toMatchObject({
          error: { code: -4, message: expect.stringContaining('The engine was stopped.') },
        });
      }
      expect(await exited).toBe(0);
      expect([existsSync(start.cookie), existsSync(join(here, LOCK_NAME))]).toEqual([false, false]);
      expect(readdirSync(here).sort()).toEqual(['old', 'older', 'safe']);
    });

    // SECURITY.md: A hostile wallet file
    onUnix('ends even if the system keeps a thread waiting', async () => {
      const { child, start, call } = await launchReady(here, stuck);
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const [answer] = await hang(call, [['restorewallet', ['new', pipe]]]);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await answer).toMatchObject({ error: { code: -4 } });
      await ended;
      expect([existsSync(start.cookie), existsSync(join(here, LOCK_NAME))]).toEqual([false, false]);
    });
  });

  it('exits with code 2 for wrong options, and names them', async () => {
    const { exited, errors } = launch('--wallets', wallets, '--release', '31');
    expect(await exited).toBe(2);
    expect(await errors).toBe('--release must be one of 23, 25, 28, 30, 32.\n');
  });
});

/** Hangs on certain tasks, and passes the others to the real thread. */
const stuckThread = `
const { parentPort } = require('node:worker_threads');
const { openSync } = require('node:fs');
parentPort.on('message', ({ task }) => {
  const wallet = task?.input?.wallet;
  if (task?.kind === 'migrate' || task?.kind === 'unlock' || wallet?.kind === 'bdb') for (;;);
  // The thread cannot be ended while it waits in a system call.
  if (task?.kind === 'read' && task.input.path.includes('pipe')) openSync(task.input.path, 'r');
});
require('./realThread.cjs');
`;

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
