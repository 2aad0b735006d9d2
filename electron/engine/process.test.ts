/** The engine as a process of its own, bundled as it is in the app. */
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
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bundleEngine } from '../../e2e/app/engineProcess.ts';
import { isLiving } from '../files/lock/processLock.ts';
import { LOCK_NAME } from './lock.ts';
import { makeDataFolder, putWallet, removeDataFolder } from './testing/testEngine.ts';

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

  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
    removeDataFolder(folder);
  });

  function launch(...options: string[]) {
    return launchProgram(program, ...options);
  }

  function launchProgram(program: string, ...options: string[]) {
    const child = spawn(process.execPath, [program, ...options, '--state', state]);
    running.push(child);
    const exited = once(child, 'exit').then(([code]) => Number(code));
    return { child, exited, lines: createInterface({ input: child.stdout }), errors: textOf(child.stderr) };
  }

  async function launchReady(folder = wallets, bundled = program) {
    const process = launchProgram(bundled, '--wallets', folder, '--chain', 'regtest', '--release', '28');
    const [line] = await once(process.lines, 'line');
    const told = ready.parse(JSON.parse(String(line)));
    const authorization = `Basic ${Buffer.from(readFileSync(told.cookie, 'utf8')).toString('base64')}`;
    const call = async (method: string, params: unknown = []) => {
      const body = JSON.stringify({ method, params, id: 1 });
      const response = await fetch(told.url, { method: 'POST', headers: { authorization }, body });
      return JSON.parse(await response.text());
    };
    return { ...process, told, call };
  }

  it('tells where it is, works with a thread, and cleans up at SIGTERM', async () => {
    const { child, exited, told, call } = await launchReady();
    expect(told).toMatchObject({ release: 28, chain: 'regtest', wallets });
    expect(await call('loadwallet', ['safe'])).toMatchObject({ result: { name: 'safe' } });
    expect(await call('walletpassphrase', ['correct horse battery staple', 60])).toMatchObject({
      error: null,
    });
    expect((await call('listdescriptors', [true])).result.descriptors).toHaveLength(8);
    expect(await call('walletpassphrase', ['wrong', 60])).toMatchObject({ error: { code: -14 } });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(existsSync(told.cookie)).toBe(false);
    expect(readdirSync(wallets)).toEqual(['safe']);
  });

  // SECURITY.md: A hostile backup file
  it('ends by itself after SIGTERM, though it has only just started', async () => {
    const { child, exited } = await launchReady();
    child.kill('SIGTERM');
    // Code 0, and not the signal that an engine sends itself when a thread does not end.
    expect(await exited).toBe(0);
  });

  it('refuses a second engine on its folder, and starts again after it was killed', async () => {
    const first = await launchReady();
    const second = launch('--wallets', wallets);
    expect(await second.exited).toBe(2);
    expect(await second.errors).toContain(
      `Another engine (process ${first.child.pid}) already uses this wallets folder. Stop it first, or use that one.`,
    );
    first.child.kill('SIGKILL');
    await first.exited;
    const third = await launchReady();
    expect(await third.call('listwallets')).toMatchObject({ result: [] });
    third.child.kill('SIGINT');
    expect(await third.exited).toBe(0);
  });

  // SECURITY.md: A hostile wallets folder
  it('refuses a second engine on a folder in its folder, and on one that its folder lies in', async () => {
    const first = await launchReady();
    for (const [other, where] of [
      [join(wallets, 'safe'), 'holds this wallets folder'],
      [join(folder, 'data'), 'lies in this wallets folder'],
    ] as const) {
      const second = launch('--wallets', other);
      expect(await second.exited).toBe(2);
      expect(await second.errors).toContain(
        `Another engine (process ${first.child.pid}) uses the folder ${wallets}, which ${where}. Stop it first, or use that one.`,
      );
      expect(existsSync(join(other, LOCK_NAME))).toBe(false);
    }
    first.child.kill('SIGTERM');
    expect(await first.exited).toBe(0);
  });

  it('ends in good order with the program that started it, even when that is killed', async () => {
    const program = `
      const { spawn } = require('node:child_process');
      const engine = spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
      engine.stdout.on('data', (line) => process.stdout.write(engine.pid + ' ' + line));
    `;
    const options = ['--wallets', wallets, '--chain', 'regtest', '--end-with-parent', '--state', state];
    const parent = spawn(process.execPath, ['-e', program, join(folder, 'bundle', 'engine.cjs'), ...options]);
    running.push(parent);
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const [, pid = '', told = ''] = /^(\d+) (.*)$/.exec(String(line)) ?? [];
    const { cookie } = ready.parse(JSON.parse(told));
    expect([existsSync(cookie), existsSync(join(wallets, LOCK_NAME))]).toEqual([true, true]);
    parent.kill('SIGKILL');
    await expect.poll(() => isLiving(Number(pid), null), { timeout: 10_000 }).toBe(false);
    expect([existsSync(cookie), existsSync(join(wallets, LOCK_NAME))]).toEqual([false, false]);
  });

  it('tells the program that started it why it cannot start, and waits until that has read it', async () => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    const { child, exited, lines } = launch('--wallets', join(file, 'wallets'), '--end-with-parent');
    const [line] = await once(lines, 'line');
    expect(JSON.parse(String(line))).toEqual({
      refused: `The wallets folder ${join(file, 'wallets')} is not there and cannot be made.`,
    });
    expect(child.exitCode).toBe(null);
    child.stdin.end();
    expect(await exited).toBe(2);
  });

  const onUnix = it.skipIf(process.platform === 'win32');

  // SECURITY.md: A hostile wallets folder
  it.each([
    ['its lock', LOCK_NAME],
    ['its cookie', join('..', '.engine.cookie')],
  ])('says so where a folder lies in the place of %s, and leaves no lock', async (_, name) => {
    const here = join(folder, `with a folder ${basename(name)}`, 'wallets');
    const path = join(here, name);
    mkdirSync(path, { recursive: true });
    const refused = `A folder, ${path}, lies where the engine keeps a file of its own.`;
    const alone = launch('--wallets', here);
    expect(await alone.exited).toBe(2);
    expect(await alone.errors).toBe(
      `${refused} No wallet was changed. Move that folder away and start again.\n`,
    );
    const { child, exited, lines } = launch('--wallets', here, '--end-with-parent');
    const [line] = await once(lines, 'line');
    expect(JSON.parse(String(line))).toMatchObject({ refused });
    child.stdin.end();
    expect(await exited).toBe(2);
    expect(readdirSync(here)).toEqual(name === LOCK_NAME ? [LOCK_NAME] : []);
  });

  // SECURITY.md: A hostile wallets folder
  it('obeys no journal that lies in the wallets folder, and leaves it there', async () => {
    const planted = join(folder, 'planted', 'wallets');
    putWallet(planted, 'mine', 'legacy-hd');
    putWallet(planted, 'theirs', 'legacy-blank');
    const mine = readFileSync(join(planted, 'mine', 'wallet.dat'));
    const journal = join(planted, '.wallet-ferry-0123456789abcdef.moves');
    const moves = [{ from: 'theirs/wallet.dat', to: 'mine/wallet.dat' }];
    writeFileSync(journal, JSON.stringify({ moves }));
    const part = join(planted, '.wallet-ferry-0123456789abcdef.part');
    writeFileSync(part, 'of another machine');
    const { child, exited } = await launchReady(planted);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(readFileSync(join(planted, 'mine', 'wallet.dat')).equals(mine)).toBe(true);
    expect(JSON.parse(readFileSync(journal, 'utf8'))).toEqual({ moves });
    expect(readFileSync(part, 'utf8')).toBe('of another machine');
    const log = readFileSync(join(folder, 'planted', 'debug.log'), 'utf8');
    expect(log).toContain(`${journal} looks like a file of this engine, which keeps no such file there.`);
    expect(log).toContain(`${part} is half-made, and no engine of yours is known to have made it here.`);
  });

  onUnix('does not start on wallets that other users can change, and says what to do', async () => {
    const open = join(folder, 'open to all');
    mkdirSync(join(open, 'wallets'), { recursive: true });
    chmodSync(open, 0o777);
    const { exited, lines, child } = launch('--wallets', join(open, 'wallets'), '--end-with-parent');
    const [line] = await once(lines, 'line');
    expect(JSON.parse(String(line))).toEqual({
      refused: `Other users of this computer may write to ${open}, in which the wallets folder ${join(open, 'wallets')} lies, and could put another one in its place.`,
      todo: `Nothing was read or changed. Take that right from them (chmod go-w '${open}'), or copy your wallets to a folder of yours and choose that.`,
    });
    child.stdin.end();
    expect(await exited).toBe(2);
    expect(readdirSync(open, { recursive: true })).toEqual(['wallets']);
    chmodSync(open, 0o755);
    chmodSync(join(open, 'wallets'), 0o777);
    const { errors } = launch('--wallets', join(open, 'wallets'));
    expect(await errors).toContain(`may write to the wallets folder, ${join(open, 'wallets')}, and could`);
  });

  onUnix('does not start below a folder that other users can change, and makes none there', async () => {
    const open = join(folder, 'open above');
    const inner = join(open, 'mine', 'data');
    mkdirSync(join(inner, 'wallets'), { recursive: true, mode: 0o700 });
    chmodSync(open, 0o777);
    for (const wallets of [join(inner, 'wallets'), join(open, 'new', 'wallets')]) {
      const { exited, errors } = launch('--wallets', wallets);
      expect(await exited).toBe(2);
      expect(await errors).toContain(
        `may write to ${open}, in which the wallets folder ${wallets} lies, and could put another one in its place.`,
      );
    }
    symlinkSync(join(inner, 'wallets'), join(folder, 'link to open'));
    expect(await launch('--wallets', join(folder, 'link to open')).errors).toContain(`may write to ${open}`);
    expect(readdirSync(open, { recursive: true }).sort()).toEqual(['mine', 'mine/data', 'mine/data/wallets']);
  });

  onUnix('waits for no pipe in the place of a file, and is ended by SIGTERM all the same', async () => {
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

  onUnix.each(['debug.log', 'settings.json'])(
    'does not start on a pipe or a link called %s',
    async (name) => {
      const chain = join(folder, `hostile ${name}`);
      const [path, profile] = [join(chain, name), join(chain, 'profile')];
      mkdirSync(chain);
      writeFileSync(profile, '{}');
      spawnSync('mkfifo', [path]);
      for (const words of ['is a pipe, a socket or a device', 'is a link to another place']) {
        const { exited, errors } = launch('--wallets', join(chain, 'wallets'));
        expect(await exited).toBe(2);
        expect(await errors).toContain(`${path} ${words}`);
        rmSync(path);
        symlinkSync(profile, path);
      }
      expect(readFileSync(profile, 'utf8')).toBe('{}');
    },
  );

  describe('with work that never ends', () => {
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

    // One that failed to end keeps the folder from the next.
    afterEach(() => {
      for (const child of running) child.kill('SIGKILL');
    });

    /** Calls that stay without an answer, once the engine says that it is at work on all of them. */
    async function begun(
      call: (method: string, params?: unknown) => Promise<unknown>,
      calls: readonly (readonly [string, readonly unknown[]])[],
    ) {
      const answers = calls.map(([method, params]) => call(method, params));
      const active = async () => {
        const { result } = Object(await call('getrpcinfo'));
        return result.active_commands.map(({ method }: { method: string }) => method).sort();
      };
      const methods = ['getrpcinfo', ...calls.map(([method]) => method)].sort();
      await expect.poll(active, { timeout: 20_000 }).toEqual(methods);
      return answers;
    }

    // SECURITY.md: A hostile backup file
    it.each(['SIGTERM', 'stop'])('answers other calls, and ends on %s', async (how) => {
      const { child, exited, told, call } = await launchReady(here, stuck);
      await call('loadwallet', ['safe']);
      const answers = await begun(call, [
        ['loadwallet', ['old']],
        ['migratewallet', ['older']],
        ['restorewallet', ['new', join(here, 'old', 'wallet.dat')]],
        ['walletpassphrase', ['correct horse battery staple', 60]],
      ]);
      const asked = await Promise.all([
        call('getwalletinfo'),
        call('listdescriptors'),
        call('listunspent'),
        call('listwalletdir'),
      ]);
      expect(asked.map(({ error }) => error)).toEqual([null, null, null, null]);
      if (how === 'stop') await call('stop');
      else child.kill('SIGTERM');
      for (const answer of answers) {
        expect(await answer).toMatchObject({
          error: { code: -4, message: expect.stringContaining('The engine was stopped.') },
        });
      }
      expect(await exited).toBe(0);
      expect([existsSync(told.cookie), existsSync(join(here, LOCK_NAME))]).toEqual([false, false]);
      expect(readdirSync(here).sort()).toEqual(['old', 'older', 'safe']);
    });

    // SECURITY.md: A hostile backup file
    it.runIf(process.platform !== 'win32')('ends though the system keeps a thread waiting', async () => {
      const { child, told, call } = await launchReady(here, stuck);
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const [answer] = await begun(call, [['restorewallet', ['new', pipe]]]);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await answer).toMatchObject({ error: { code: -4 } });
      await ended;
      expect([existsSync(told.cookie), existsSync(join(here, LOCK_NAME))]).toEqual([false, false]);
    });
  });

  it('says what is wrong with its options, with exit code 2', async () => {
    const { exited, errors } = launch('--wallets', wallets, '--release', '31');
    expect(await exited).toBe(2);
    expect(await errors).toBe('--release must be one of 23, 25, 28, 30, 32.\n');
  });
});

/** Goes before the real thread: the work that is named never comes to an end in it. */
const stuckThread = `
const { parentPort } = require('node:worker_threads');
const { openSync } = require('node:fs');
parentPort.on('message', ({ task }) => {
  const wallet = task?.given?.wallet;
  if (task?.is === 'migrate' || task?.is === 'unlock' || wallet?.kind === 'bdb') for (;;);
  // The thread cannot be ended while it waits in a system call.
  if (task?.is === 'read' && task.given.path.includes('pipe')) openSync(task.given.path, 'r');
});
require('./realThread.cjs');
`;

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
