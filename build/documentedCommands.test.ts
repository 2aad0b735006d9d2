/** Every command of the documents is run: here, in a copy of the sources, or by the suite that is named for it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endGroup } from '../e2e/app/endGroup.ts';
import { freePort } from '../e2e/app/freePort.ts';
import manifest from '../package.json' with { type: 'json' };
import { commandsIn, documentPages } from './documentPages.ts';
import { findProgram, root } from './system.mjs';

/** What is too long for here, or needs what not every machine has, and the suite that runs it: a file, and its words. */
const suites: Readonly<Record<string, { file: string; words: string }>> = {
  'npm ci && npm start': { file: 'e2e/screenshots/firstCrossing.spec.ts', words: "spawn('npm', ['start'" },
  'npm ci': { file: 'e2e/screenshots/firstCrossing.spec.ts', words: "execFileSync('npm', ['ci']" },
  'npm start': { file: 'e2e/screenshots/firstCrossing.spec.ts', words: "spawn('npm', ['start'" },
  'npm ci && npm test': { file: '.github/workflows/ci.yml', words: 'npm ci && npm test' },
  'npm test': { file: '.github/workflows/ci.yml', words: 'npm ci && npm test' },
  'npm run build': { file: 'build/test.mjs', words: "single('build', buildApp)" },
  'npm run lint': { file: 'build/test.mjs', words: "runTool('biome', ['check'" },
  'npm run format': { file: 'build/test.mjs', words: "runTool('biome', ['check'" },
  'npm run test:unit -- shared': { file: 'build/test.mjs', words: "runTool('vitest'" },
  'BITCOIND=/path/to/bitcoind npm run test:live': {
    file: 'e2e/live/realNode.ts',
    words: 'process.env.BITCOIND',
  },
  'npm run kills': { file: 'e2e/hardship/kills.test.ts', words: 'npm run kills' },
  'npm run kills -- --count 5': { file: 'e2e/hardship/kills.test.ts', words: 'npm run kills' },
  'npm run mutations': { file: 'e2e/hardship/mutations.test.ts', words: 'npm run mutations' },
  'npm run mutations -- --count 50': { file: 'e2e/hardship/mutations.test.ts', words: 'npm run mutations' },
  'npm run reliability': { file: 'e2e/faults/reliability.ts', words: 'WRITE_RELIABILITY' },
  'WRITE_RELIABILITY=1 npx vitest run --config build/vitest.config.ts --no-file-parallelism e2e/faults': {
    file: 'e2e/faults/reliability.ts',
    words: 'WRITE_RELIABILITY',
  },
  'npm run bench': { file: 'e2e/bench/engine.spec.ts', words: 'npm run bench' },
  ...Object.fromEntries(
    ['app', 'busy', 'engine', 'hash', 'rest'].map((part) => [
      `npm run bench -- ${part}`,
      { file: `e2e/bench/${part}.spec.ts`, words: 'report(' },
    ]),
  ),
  'npm run screenshots': { file: 'e2e/screenshots/screens.spec.ts', words: 'npm run screenshots' },
  'npm run screenshots -- firstCrossing': {
    file: 'e2e/screenshots/firstCrossing.spec.ts',
    words: 'npm run screenshots -- firstCrossing',
  },
  'WALLET_FERRY_LANGUAGE=/tmp/en-XA.json npm start': {
    file: 'e2e/app/pseudoLanguage.ts',
    words: 'WALLET_FERRY_LANGUAGE',
  },
  'WALLET_FERRY_LANGUAGE=/path/to/de.json npm start': {
    file: 'e2e/app/pseudoLanguage.ts',
    words: 'WALLET_FERRY_LANGUAGE',
  },
  'npm run package': { file: '.github/workflows/release.yml', words: 'npm run package -- --release' },
  'npm run package -- --release': {
    file: '.github/workflows/release.yml',
    words: 'npm run package -- --release',
  },
  'npm run package -- --dir': { file: 'build/packForSpecs.mjs', words: 'packApp(' },
  'gh attestation verify FILE --repo OWNER/NAME': {
    file: '.github/workflows/release.yml',
    words: 'actions/attest-build-provenance@',
  },
};

const commands = commandsIn(documentPages);
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
const copy = join(folder, 'wallet-ferry');
const home = join(folder, 'home');
const running: ChildProcess[] = [];
const { BITCOIND: _, DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...others } = process.env;
const env = {
  ...others,
  HOME: home,
  // Nothing of this opens a window: there is no Electron in that folder.
  ELECTRON_OVERRIDE_DIST_PATH: home,
  ELECTRON_EXEC_PATH: findProgram(['true']) ?? '',
};

beforeAll(() => {
  mkdirSync(join(home, 'ferry'), { recursive: true });
  mkdirSync(copy);
  for (const name of ['build', 'e2e', 'electron', 'languages', 'renderer', 'shared', 'package.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
});

afterAll(async () => {
  for (const child of running) await endGroup(child);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Runs to the end in the copy. Gives what it wrote, and its exit code. */
async function run(command: string, cwd = copy): Promise<{ code: number; text: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { cwd, env });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = z
      .object({ code: z.number(), stdout: z.string(), stderr: z.string() })
      .parse(error);
    return { code, text: stdout + stderr };
  }
}

/** Starts it in the copy and waits for a line of its output. */
async function start(command: string, ready: RegExp): Promise<{ line: string; stop(): Promise<void> }> {
  const child = spawn('sh', ['-c', command], {
    cwd: copy,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    if (ready.test(line)) return { line, stop: () => endGroup(child) };
  }
  throw new Error(`"${command}" ended too early.`);
}

/** What is run here, in this order, each with what has to come of it. */
const here: Readonly<Record<string, (command: string) => Promise<void>>> = {
  'npm start -- --browser': async (command) => {
    const { line, stop } = await start(command, /^Open this link/);
    const page = await fetch(line.split(': ')[1] ?? '');
    expect(await page.text()).toContain('<title>Wallet Ferry');
    await stop();
  },
  'npm start -- --electron': async (command) => {
    const { code, text } = await run(command);
    expect(text).toContain('Electron cannot be opened: ');
    expect(code).toBe(1);
  },
  'npm run dev': async (command) => {
    expect(await run(command)).toMatchObject({
      code: 0,
      text: expect.stringContaining('starting electron app'),
    });
  },
  'npm run engine -- --help': async (command) => {
    expect((await run(command)).text).toContain('--wallets DIR');
  },
  'npm run engine -- --wallets "$HOME/ferry/wallets" --chain regtest --release 28 --port 18500': async (
    command,
  ) => {
    const port = String(await freePort());
    const { line, stop } = await start(command.replace('18500', port), /^\{/);
    expect(JSON.parse(line)).toMatchObject({
      url: `http://127.0.0.1:${port}`,
      release: 28,
      chain: 'regtest',
    });
    const asks = commands.find((one) => one.startsWith('curl ')) ?? '';
    const { text } = await run(asks.replace('curl', 'curl --silent').replace('18500', port));
    expect(JSON.parse(text)).toEqual({ result: { wallets: [] }, error: null, id: 1 });
    await stop();
  },
  'npm run test:live': async (command) => {
    expect((await run(command)).text).toContain('The live suite did not run: BITCOIND names no bitcoind.');
  },
  'npm run texts': async (command) => {
    const catalogue = join(copy, 'languages/en.json');
    rmSync(catalogue);
    expect((await run(command)).code).toBe(0);
    expect(readFileSync(catalogue, 'utf8')).toContain('I found an old wallet.dat');
  },
  'node build/texts.mjs /tmp/en-XA.json': async (command) => {
    expect((await run(command.replace('/tmp', folder))).code).toBe(0);
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'en-XA.json'), 'utf8'))).length).toBeGreaterThan(
      1000,
    );
  },
  'cp e2e/fixtures/wallets/legacy-hd/wallet.dat ~/wallet.dat': async (command) => {
    expect((await run(command)).code).toBe(0);
    expect(existsSync(join(home, 'wallet.dat'))).toBe(true);
  },
  'sha256sum --check --ignore-missing SHA256SUMS': async (command) => {
    const packages = join(folder, 'packages');
    mkdirSync(packages);
    const sum = createHash('sha256').update('a package').digest('hex');
    writeFileSync(join(packages, 'SHA256SUMS'), `${sum}  one.deb\n${sum}  other.dmg\n`);
    writeFileSync(join(packages, 'one.deb'), 'a package');
    expect(await run(command, packages)).toEqual({ code: 0, text: 'one.deb: OK\n' });
    writeFileSync(join(packages, 'one.deb'), 'another one');
    expect((await run(command, packages)).code).toBe(1);
  },
};

/** Asked of the engine while it runs. */
const asked = commands.filter((command) => command.startsWith('curl '));

describe('the commands of the documents', () => {
  it('are each run, here or by a suite', () => {
    const known = [...Object.keys(here), ...Object.keys(suites), ...asked];
    expect(commands.filter((command) => !known.includes(command))).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it('are scripts of this project', () => {
    const scripts = Object.keys(
      z.object({ scripts: z.record(z.string(), z.string()) }).parse(manifest).scripts,
    );
    const named = commands.flatMap((command) =>
      [...command.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name]) => name),
    );
    expect(named.filter((name) => name !== 'ci' && !scripts.includes(name ?? ''))).toEqual([]);
  });

  it.each(Object.entries(suites))('%s: its suite is there', (command, { file, words }) => {
    expect(commands).toContain(command);
    expect(readFileSync(join(root, file), 'utf8')).toContain(words);
  });

  it.each(Object.entries(here))('%s', async (command, holds) => {
    expect(commands).toContain(command);
    await holds(command);
  });
});
