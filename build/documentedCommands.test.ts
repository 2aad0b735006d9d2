/**
 * Every command of the documents is run here, in a copy of the sources, or by ci.yml, or stands in CONTRIBUTING.md among
 * those that are run by hand only, with what is tested of it all the same: here.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endGroup } from '../e2e/app/endGroup.ts';
import { freePort } from '../e2e/app/freePort.ts';
import manifest from '../package.json' with { type: 'json' };
import { findProgram, root } from './system.mjs';
import { commandsIn, documentPages, pageOf, tableAfter } from './testing/documentPages.ts';

/** They are told as a shell takes them. On Windows they are the same but for words of the environment, and not run. */
const noShell = process.platform === 'win32';
const FOLDERS = ['build', 'docs', 'e2e', 'electron', 'languages', 'renderer', 'shared'];
const commands = commandsIn(documentPages);
const folder = mkdtempSync(join(tmpdir(), 'documents-'));
// Folders may have spaces in their names.
const copy = join(folder, 'wallet ferry');
/** One room and what the tools are told: `npm test` has them look at all of it already. */
const oneRoom = join(folder, 'one room');
const home = join(folder, 'home');
const translation = join(folder, 'en-XA.json');
const running: ChildProcess[] = [];
const {
  BITCOIND: _,
  DISPLAY: _display,
  WAYLAND_DISPLAY: _wayland,
  XDG_STATE_HOME: _state,
  ...others
} = process.env;
const env = {
  ...others,
  HOME: home,
  // Nothing of this opens a window: there is no Electron in that folder.
  ELECTRON_OVERRIDE_DIST_PATH: home,
  ELECTRON_EXEC_PATH: findProgram(['true']) ?? '',
};

beforeAll(() => {
  mkdirSync(join(home, 'ferry'), { recursive: true });
  const settings = readdirSync(root).filter((name) => /\.json$|^\.gitignore$/.test(name));
  copySources(copy, [...settings, ...FOLDERS]);
  copySources(oneRoom, [...settings, 'shared']);
});

function copySources(to: string, names: readonly string[]): void {
  for (const name of names) cpSync(join(root, name), join(to, name), { recursive: true });
  mkdirSync(join(to, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(to, 'node_modules', name), 'junction');
  }
}

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

/** Lets itself in by a link that the app has shown. Gives the page. */
async function pageBehind(line: string): Promise<string> {
  const link = new URL(line.split(': ')[1] ?? '');
  expect(await textOf(link)).toContain('data-session=');
  return textOf(new URL('.', link));
}

/** As a browser asks for a name below `localhost`, which not every system knows. */
async function textOf({ host, port, pathname, search }: URL): Promise<string> {
  const asked = get({ host: '127.0.0.1', port, path: pathname + search, headers: { host }, agent: false });
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return text;
}

/** From now on what is built stays as it is: each start would build the same again. */
function buildNoMore(): void {
  const tool = join(copy, 'node_modules', 'electron-vite');
  rmSync(tool);
  mkdirSync(tool);
  writeFileSync(join(tool, 'package.json'), '{"bin":{"electron-vite":"none.cjs"}}');
  writeFileSync(join(tool, 'none.cjs'), '');
}

const LINK = /^Open this link, once: /;

async function startInLanguage(command: string): Promise<void> {
  const { line, stop } = await start(command.replace(/=\S+\.json/, `=${translation}`), LINK);
  expect(await pageBehind(line)).toContain('<html lang="en-XA">');
  await stop();
}

/** Two programs, each told for one system: the other one may not have it. */
const checkSums = (system: NodeJS.Platform) => async (command: string) => {
  const [program = ''] = command.split(' ');
  if (process.platform !== system && !findProgram([program])) return;
  const packages = mkdtempSync(join(folder, 'packages-'));
  const sum = createHash('sha256').update('a package').digest('hex');
  writeFileSync(join(packages, 'SHA256SUMS'), `${sum}  one.deb\n${sum}  other.dmg\n`);
  writeFileSync(join(packages, 'one.deb'), 'a package');
  expect(await run(command, packages)).toEqual({ code: 0, text: 'one.deb: OK\n' });
  writeFileSync(join(packages, 'one.deb'), 'another one');
  expect((await run(command, packages)).code).toBe(1);
};

const ON_WALLETS = '--offline /tmp/wallets --chain regtest --yes';

/** What is run here, in this order, each with what has to come of it. */
const here: Readonly<Record<string, (command: string) => Promise<void>>> = {
  'npm run lint': async (command) => {
    // The linter has nothing to say against it, and so the type checker comes to it.
    const file = join(oneRoom, 'shared', 'unlikely.ts');
    writeFileSync(file, "export const unlikely: number = 'no number';\n");
    const { code, text } = await run(command, oneRoom);
    expect(text).toContain('shared/unlikely.ts(1,14): error');
    expect(code).not.toBe(0);
    rmSync(file);
  },
  'npm run format': async (command) => {
    const file = join(oneRoom, 'shared', 'unlikely.ts');
    writeFileSync(file, 'export  const unlikely=1');
    const { code, text } = await run(command, oneRoom);
    expect(code, text).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('export const unlikely = 1;\n');
    rmSync(file);
  },
  'npm run test:unit -- shared/': async (command) => {
    const { code, text } = await run(command);
    expect(code, text).toBe(0);
    expect(text).toContain('shared/text/perRegion.test.ts');
    expect(text).not.toContain('electron/');
  },
  'npm run texts': async (command) => {
    const catalogue = join(copy, 'languages/en.json');
    rmSync(catalogue);
    expect((await run(command)).code).toBe(0);
    expect(readFileSync(catalogue, 'utf8')).toContain('I found an old wallet.dat');
  },
  'node build/texts.mjs /tmp/en-XA.json': async (command) => {
    expect((await run(command.replace('/tmp/en-XA.json', translation))).code).toBe(0);
    expect(Object.keys(JSON.parse(readFileSync(translation, 'utf8'))).length).toBeGreaterThan(1000);
  },
  'npm run dev': async (command) => {
    expect(await run(command)).toMatchObject({
      code: 0,
      text: expect.stringContaining('starting electron app'),
    });
  },
  'npm run build': async (command) => {
    rmSync(join(copy, 'out'), { recursive: true, force: true });
    const { code, text } = await run(command);
    expect(code, text).toBe(0);
    for (const made of ['main/main.cjs', 'preload/preload.cjs', 'renderer/index.html']) {
      expect(existsSync(join(copy, 'out', made))).toBe(true);
    }
  },
  'npm start': async (command) => {
    rmSync(join(copy, 'out'), { recursive: true });
    const { line, stop } = await start(command, LINK);
    expect(await pageBehind(line)).toContain('<title>Wallet Ferry');
    // Where the README says that it lies.
    const place = /Linux \| `~\/([^`]+)`/.exec(pageOf('README.md'))?.[1] ?? '';
    if (process.platform === 'linux') expect(readdirSync(join(home, place))).not.toEqual([]);
    await stop();
    buildNoMore();
  },
  'npm start -- --browser': async (command) => {
    const { line, stop } = await start(command, LINK);
    expect(await pageBehind(line)).toContain('<title>Wallet Ferry');
    await stop();
  },
  'npm start -- --port 8555': async (command) => {
    const port = String(await freePort());
    const { line, stop } = await start(command.replace('8555', port), LINK);
    expect(line).toContain(`.localhost:${port}/`);
    expect(await pageBehind(line)).toContain('<title>Wallet Ferry');
    await stop();
  },
  'WALLET_FERRY_DATA=/path/to/folder npm start': async (command) => {
    const place = join(folder, 'on a stick');
    const { stop } = await start(command.replace('/path/to/folder', `"${place}"`), LINK);
    expect(readdirSync(place)).not.toEqual([]);
    await stop();
  },
  'WALLET_FERRY_LANGUAGE=/tmp/en-XA.json npm start': startInLanguage,
  'WALLET_FERRY_LANGUAGE=/path/to/de.json npm start': startInLanguage,
  'npm start -- --electron': async (command) => {
    const { code, text } = await run(command);
    expect(text).toContain('Electron cannot be opened: ');
    expect(code).toBe(1);
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
  'npm run ferry -- --help': async (command) => {
    const { code, text } = await run(command);
    expect(text).toContain('run KIND');
    expect(code).toBe(0);
  },
  [`npm run ferry -- run restore e2e/fixtures/wallets/legacy-hd/wallet.dat --name savings ${ON_WALLETS}`]:
    async (command) => {
      const { code, text } = await run(command.replace('/tmp/wallets', '"$HOME/terminal"'));
      expect(text).toContain('Everything arrived');
      expect(code).toBe(0);
    },
  'npm run test:live': async (command) => {
    expect((await run(command)).text).toContain('The live suite did not run: BITCOIND names no bitcoind.');
  },
  'npm run kills -- --count 5': async (command) => {
    // The third of them, which is of a small wallet.
    const { code, text } = await run(command.replace('5', '1 --seed 3'));
    expect(text).toContain('1 kills from seed 3: 0 lost something');
    expect(code).toBe(0);
  },
  'npm run kills -- --node --count 5': async (command) => {
    const { code, text } = await run(command);
    expect(text).toContain('No node was stopped: BITCOIND names no bitcoind.');
    expect(code).toBe(1);
  },
  'npm run mutations -- --count 50': async (command) => {
    const { code, text } = await run(command.replace('50', '5'));
    expect(text).toMatch(/^5 mutations of .* 0 kinds of failure/m);
    expect(code).toBe(0);
  },
  'npm run holes -- --count 5': async (command) => {
    const { code, text } = await run(command.replace('5', '1'));
    expect(text.match(/ 1 times: .* 0 wrong keys/g)).toHaveLength(5);
    expect(code).toBe(0);
  },
  'cp e2e/fixtures/wallets/legacy-hd/wallet.dat ~/wallet.dat': async (command) => {
    expect((await run(command)).code).toBe(0);
    expect(existsSync(join(home, 'wallet.dat'))).toBe(true);
  },
  'sha256sum --check --ignore-missing SHA256SUMS': checkSums('linux'),
  'shasum -a 256 --check --ignore-missing SHA256SUMS': checkSums('darwin'),
};

/** Asked of the engine while it runs. */
const asked = commands.filter((command) => command.startsWith('curl '));

/** What ci.yml runs as it stands. */
const ofCi = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')
  .split('\n')
  .flatMap((line) => line.replace(/^[\s-]*(?:run: )?/, '').split(' && '));

/** `npm ci && npm start` is run when both are. */
const parts = (command: string) => command.split(' && ');

const byHand = tableAfter(pageOf('CONTRIBUTING.md'), '### The commands in these documents').flatMap(
  ([names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);

/** The scripts of package.json by their names. */
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(manifest);

describe('the commands of the documents', () => {
  it('are each run here, by CI, or by hand only as CONTRIBUTING.md says', () => {
    const known = [...Object.keys(here), ...asked, ...byHand, 'npm ci', 'npm test'];
    const unknown = commands.filter((one) => !parts(one).every((part) => known.includes(part)));
    expect(unknown).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(byHand.filter((one) => Object.keys(here).includes(one) || !commands.includes(one))).toEqual([]);
  });

  it.each(['npm ci', 'npm test'])('%s is run by CI', (command) => {
    expect(ofCi).toContain(command);
  });

  it('are scripts of this project', () => {
    const named = commands.flatMap((command) =>
      [...command.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([]);
  });

  it.skipIf(noShell).each(Object.entries(here))('%s', async (command, holds) => {
    expect(commands.flatMap((one) => [one, ...parts(one)])).toContain(command);
    await holds(command);
  });

  it
    .skipIf(noShell)
    .each(['--elektron', '--port many', '--port 70000', '--electron --port 8555', '--electron --browser'])(
    'npm start -- %s is refused, with what can be said',
    async (words) => {
      const { code, text } = await run(`node build/start.mjs ${words}`);
      expect(text).toContain('npm start -- [--electron | --browser] [--port N]');
      expect(code).toBe(2);
    },
  );
});

describe('the commands that are run by hand only', () => {
  const ofPlaywright = byHand.flatMap((command) => {
    const [, name = '', filter = ''] = /npm run ([\w:]+)(?: -- (\w+))?$/.exec(command) ?? [];
    const project = /^node build\/endToEnd\.mjs (\w+)$/.exec(scripts[name] ?? '')?.[1];
    return project ? [{ command, project, filter }] : [];
  });

  it.skipIf(noShell)('find their specs', async () => {
    // Where the specs themselves are run, so that what is made of their sources is made once.
    const { text } = await run('npx playwright test --config e2e/playwright.config.ts --list', root);
    const specs = text.split('\n').filter((line) => line.includes(' › '));
    const without = ofPlaywright.filter(
      ({ project, filter }) =>
        !specs.some((line) => line.trim().startsWith(`[${project}] › `) && line.includes(filter)),
    );
    expect(without).toEqual([]);
    expect(ofPlaywright.map(({ command }) => command)).toContain(
      'BITCOIND=/path/to/bitcoind npm run test:live',
    );
    expect(ofPlaywright.length).toBeGreaterThan(5);
    // Nothing else says so when they are called otherwise and none is found any more.
    for (const crossing of ['restore.spec.ts', 'migrate.spec.ts'])
      expect(specs.filter((line) => line.includes('[packaged]') && line.includes(crossing))).not.toEqual([]);
  });

  it('kill and damage as with a small number', () => {
    const short = Object.keys(here).map((command) => command.replace(/ (?:-- )?--count \d+$/, ''));
    expect(short).toEqual(
      expect.arrayContaining(['npm run kills', 'npm run kills -- --node', 'npm run mutations']),
    );
  });

  it.skipIf(noShell)('begin to write what becomes of faults', async () => {
    const { code, text } = await run('npm run reliability -- -t "no fault of this name"');
    expect(code, text).toBe(0);
    expect(text).toContain('e2e/faults/node.test.ts');
  });

  it('pack the app as its specs have it packed', () => {
    const has = (file: string, words: string) =>
      expect(readFileSync(join(root, file), 'utf8')).toContain(words);
    has('build/packForSpecs.mjs', "packApp } from './package.mjs'");
    has('build/packForSpecs.mjs', 'await packApp(');
    has('build/test.mjs', 'await packForSpecs(packFolder)');
    has('.github/workflows/release.yml', 'npm run package -- --release');
  });
});
