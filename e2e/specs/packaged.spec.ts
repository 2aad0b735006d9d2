/** The packed app: its fuses, its files, what it refuses, a migration in its engine, and a restore on a node. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listPackage, statFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { contentsOf } from '../../build/contents.mjs';
import { DATA_LOCK_NAME } from '../../electron/files/lock/processLock.ts';
import { packElsewhere } from '../app/buildElsewhere.ts';
import { FULL_SANDBOX, sandboxOf } from '../app/openElectron.ts';
import { noSandboxHere, openPackaged, type PackagedOptions, startPackaged } from '../app/openPackaged.ts';
import {
  button,
  connect,
  goTo,
  heading,
  LONG,
  planIsMade,
  run,
  verdict,
  walletHeading,
  walletRow,
} from '../app/steps.ts';
import { type App, test as base, expect, fixtureFile, packagedProgram } from '../app.ts';

const shipped = () => packagedProgram('PACKAGED_APP');
/** The same app, except that a debugger can attach to it. */
const twin = () => packagedProgram('ATTACHABLE_APP');

const test = base.extend<{ open(more?: Pick<PackagedOptions, 'args' | 'asUser'>): Promise<App> }>({
  open: async ({ home }, use) => {
    const opened: Awaited<ReturnType<typeof openPackaged>>[] = [];
    await use(async (more) => {
      const one = await openPackaged({ ...inHome(home), ...more });
      opened.push(one);
      return one.app;
    });
    for (const { app } of opened) await app.close();
    expect(opened.flatMap(({ trouble }) => trouble.unexpected())).toEqual([]);
  },
});

function inHome(home: string): PackagedOptions {
  return { program: twin(), home, dataFolder: join(home, 'ferry-data') };
}

/** The values of a fuse: digits in ASCII. */
const ON = '1'.charCodeAt(0);
const OFF = '0'.charCodeAt(0);
const FUSES = {
  [FuseV1Options.RunAsNode]: OFF,
  [FuseV1Options.EnableCookieEncryption]: ON,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: OFF,
  [FuseV1Options.EnableNodeCliInspectArguments]: OFF,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ON,
  [FuseV1Options.OnlyLoadAppFromAsar]: ON,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: OFF,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: OFF,
};

// SECURITY.md: Somebody who changes the installed app
test('has its fuses set', async () => {
  expect(await getCurrentFuseWire(shipped())).toMatchObject(FUSES);
});

test('differs in one fuse only from the twin that these specs drive', async () => {
  expect(await getCurrentFuseWire(twin())).toEqual({
    ...(await getCurrentFuseWire(shipped())),
    [FuseV1Options.EnableNodeCliInspectArguments]: ON,
  });
  const [one, other] = [archiveOf(shipped()), archiveOf(twin())];
  expect(readFileSync(other).equals(readFileSync(one))).toBe(true);
});

test('contains exactly the bundled files', () => {
  const expected = readFileSync(new URL('../../build/packageFiles.txt', import.meta.url), 'utf8').trim();
  const archive = archiveOf(shipped());
  const files = listPackage(archive, { isPack: false }).filter((path) => /\.[^/\\]+$/.test(path));
  expect([...new Set(files.map(withoutChunkName))].sort()).toEqual(expected.split('\n'));
  expect(readdirSync(dirname(archive)).sort()).toEqual(['app.asar']);
});

/** Replaces the names of chunks, which depend on their content. */
function withoutChunkName(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^\//, '')
    .replace(/^(out\/main\/chunks|out\/renderer\/assets)\/.*\.(\w+)$/, '$1/*.$2');
}

test('is byte for byte the same if it is packed elsewhere, on another day', async ({ home }) => {
  const elsewhere = await packElsewhere(join(home, 'other place', 'wallet ferry'));
  const [here, there] = [fingerprintsOf(packedFolder(shipped())), fingerprintsOf(elsewhere)];
  const paths = new Set([...here.keys(), ...there.keys()]);
  expect([...paths].filter((path) => here.get(path) !== there.get(path))).toEqual([]);
  expect(here.size).toBeGreaterThan(100);
});

/** The mode and hash of each file in a packed app, and the hash of each in its archive, by path. */
function fingerprintsOf(folder: string): Map<string, string> {
  const files = contentsOf(folder);
  const archive = files.find(({ path }) => path.endsWith('app.asar'))?.path ?? '';
  const inArchive = listPackage(join(folder, archive), { isPack: false }).flatMap((path) => {
    const entry = statFile(join(folder, archive), path.slice(1));
    return 'integrity' in entry ? [[`${archive}${path}`, entry.integrity.hash] as const] : [];
  });
  return new Map([
    ...files.map(({ path, sha256 }) => [path, `${statSync(join(folder, path)).mode} ${sha256}`] as const),
    ...inArchive,
  ]);
}

function packedFolder(program: string): string {
  return join(dirname(program), process.platform === 'darwin' ? '../../..' : '.');
}

function archiveOf(program: string): string {
  const folder = dirname(program);
  return join(folder, process.platform === 'darwin' ? '../Resources' : 'resources', 'app.asar');
}

// SECURITY.md: Somebody who changes the installed app
test('lets no debugger attach and runs no other code, whatever it is started with', async ({ home }) => {
  const mark = join(home, 'was-here');
  const script = join(home, 'script.cjs');
  writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
  const { dataFolder } = inHome(home);
  const program = startPackaged({
    ...inHome(home),
    program: shipped(),
    args: ['--inspect=0', script],
    env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require=${script}` },
  });
  const output = outputOf(program);
  const ended = once(program, 'close');
  await expect.poll(() => existsSync(join(dataFolder, DATA_LOCK_NAME))).toBe(true);
  program.kill('SIGTERM');
  await ended;
  // The app itself ran, because it has saved the position of its window.
  expect(existsSync(join(dataFolder, 'window.json'))).toBe(true);
  expect(existsSync(mark)).toBe(false);
  // Neither the page nor the main process listens for a debugger. The twin prints this if it does.
  expect(output()).not.toMatch(/listening on/i);
  expect(existsSync(join(dataFolder, 'DevToolsActivePort'))).toBe(false);
});

test('answers no debugger over a pipe, unlike its twin', async ({ home }) => {
  for (const [app, args, answers] of [
    [twin(), ['--inspect=0'], true],
    [shipped(), [], false],
  ] as const) {
    const dataFolder = join(home, `answers ${answers}`);
    const program = startPackaged({ program: app, home, dataFolder, args, debugOver: 'pipe' });
    let answer = '';
    const [, , , ask, output] = program.stdio;
    output?.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8');
    });
    // The pipe breaks if nobody reads it.
    ask?.on('error', () => undefined);
    if (ask && 'write' in ask) ask.write('{"id":1,"method":"Browser.getVersion"}\0');
    await expect.poll(() => existsSync(join(dataFolder, DATA_LOCK_NAME))).toBe(true);
    if (answers) await expect.poll(() => answer).toContain('"id":1');
    const ended = once(program, 'close');
    program.kill('SIGTERM');
    await ended;
    expect(answer === '').toBe(!answers);
  }
});

function outputOf(program: ChildProcess): () => string {
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  return () => output;
}

// SECURITY.md: A compromised page
test('keeps its page in Chromium’s sandbox', async ({ open }) => {
  const without = noSandboxHere();
  test.skip(without !== null, without ?? '');
  const { page } = await open({ asUser: true });
  await expect(heading(page, 'Bring an old Bitcoin Core wallet up to date')).toBeVisible();
  const session = await page.context().browser()?.newBrowserCDPSession();
  const answer = await session?.send('SystemInfo.getProcessInfo');
  const renderers = (answer?.processInfo ?? []).filter(({ type }) => type === 'renderer');
  expect(renderers.map(({ id }) => sandboxOf(id))).toEqual([FULL_SANDBOX]);
});

// SECURITY.md: What the app cannot stop
test('asks before it runs without the sandbox, and does nothing before the answer', async ({ home }) => {
  const without = noSandboxHere();
  test.skip(without !== null, without ?? '');
  const { dataFolder } = inHome(home);
  const program = startPackaged({
    ...inHome(home),
    program: shipped(),
    args: ['--no-sandbox'],
    asUser: true,
  });
  const output = outputOf(program);
  const ended = once(program, 'close');
  await expect.poll(output).toContain('Wallet Ferry would lack its sandbox.');
  program.kill('SIGTERM');
  await ended;
  expect(['window.json', DATA_LOCK_NAME].filter((name) => existsSync(join(dataFolder, name)))).toEqual([]);
});

test('migrates in its offline engine, opens a second file in the existing window, and restores it on a node', async ({
  open,
  startNode,
  home,
}) => {
  const backup = join(home, 'savings-1700000000.legacy.bak');
  copyFileSync(fixtureFile('legacy-hd'), backup);
  const app = await open({ args: [backup] });
  const { page } = app;
  await planIsMade(app);
  await expect(walletHeading(page, 'savings-1700000000.legacy.bak')).toBeVisible();
  await run(app, 'Migrate');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  await goTo(app, 'All wallets');
  await expect(walletRow(app, 'savings')).toContainText('Descriptor');
  expect(readFileSync(backup)).toEqual(readFileSync(fixtureFile('legacy-hd')));

  const node = await startNode('31.0');
  await goTo(app, 'Node');
  await button(page.getByRole('main'), 'Disconnect').click();
  await button(page, 'Search again').click();
  await connect(app, node);
  const second = startPackaged({ ...inHome(home), args: [join(node.backupsFolder, 'descriptor.bak')] });
  await once(second, 'exit');
  expect(second.exitCode).toBe(0);
  await expect(walletHeading(page, 'descriptor.bak')).toBeVisible();
  await run(app, 'Restore');
  await expect(verdict(app)).toContainText('Everything arrived', LONG);
  expect(node.countCalls('restorewallet')).toBe(1);
});
