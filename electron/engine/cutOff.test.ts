/** What is left of a migration and of a restore when a call to the file system fails, or is the last there is. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readArguments } from './callArguments.ts';
import { dialects, type EngineRelease } from './dialect.ts';
import type { Engine } from './engineContext.ts';
import { folderLayout } from './folderLayout.ts';
import type { MigratedWallets } from './heavyWork.ts';
import { makeTurns } from './inTurn.ts';
import type { LoadedWallet } from './loadedWallet.ts';
import { openEngineLog } from './log.ts';
import type { Method } from './methods/method.ts';
import { migrateWallet } from './methods/migrateWallet.ts';
import { restoreWallet } from './methods/restoreWallet.ts';
import { finishMoves } from './moves.ts';
import { openStartupList } from './settings.ts';
import { recordedWallet } from './testEngine.ts';
import { makeUnlockedKey } from './unlockedKey.ts';
import { removeParts } from './walletDir.ts';
import { placeOf } from './walletPlace.ts';

/**
 * How the call of a number goes wrong. `crash`: it gets half-way where it writes, and all others after it never
 * happen. `error`: it fails and all others work. `late`: it says that it failed, and was done. `read-only`: from
 * there on nothing can be written.
 */
const faults = ['crash', 'error', 'late', 'read-only'] as const;
type Fault = (typeof faults)[number];

const disk = vi.hoisted(() => ({
  fault: null as { kind: string; at: number } | null,
  calls: 0,
  hit: '',
}));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs')>();
  const writing = new Set(['openSync', 'writeSync', 'mkdirSync', 'renameSync', 'rmSync', 'rmdirSync']);
  const failure = (code: string) => Object.assign(new Error(`${code}: the disk failed`), { code });
  const guarded =
    (name: string, call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const { fault } = disk;
      if (!fault) return call(...args);
      disk.calls += 1;
      const due = disk.calls === fault.at;
      if (due) disk.hit = name;
      // What the system calls flushing takes most of the time, and what is not flushed is not lost here.
      const work = () => (name === 'fsyncSync' ? undefined : call(...args));
      switch (fault.kind) {
        case 'crash':
          if (due && name === 'writeSync' && args[1] instanceof Uint8Array) {
            call(args[0], args[1].subarray(0, args[1].length >> 1));
          }
          if (disk.calls >= fault.at) throw failure('crash');
          return work();
        case 'error':
          if (!due) return work();
          // It has no error to tell.
          if (name === 'existsSync') return false;
          throw failure('EIO');
        case 'late': {
          const result = work();
          if (due && name !== 'existsSync') throw failure('EIO');
          return result;
        }
        default:
          if (disk.calls < fault.at || !writing.has(name)) return work();
          if (name === 'openSync' && args[1] === 'r') return work();
          throw failure('EROFS');
      }
    };
  const wrapped = Object.fromEntries(
    Object.entries(real).map(([name, value]) =>
      name.endsWith('Sync') && name !== 'realpathSync' && typeof value === 'function'
        ? [name, guarded(name, value as (...args: unknown[]) => unknown)]
        : [name, value],
    ),
  );
  return { ...wrapped, default: wrapped };
});

/** Runs work with a fault, and tells how it ended and whether the work was long enough to meet the fault. */
async function under(fault: { kind: Fault; at: number }, work: () => unknown) {
  Object.assign(disk, { fault, calls: 0, hit: '' });
  let error: unknown = null;
  let result: unknown = null;
  try {
    result = await work();
  } catch (thrown) {
    error = thrown;
  }
  const { hit } = disk;
  disk.fault = null;
  const message = error instanceof Error ? error.message : null;
  return { result, message, hit };
}

const folders: string[] = [];

/** An engine of which nothing loads a wallet: what it puts on the disk is what is looked at. */
function makeEngine(release: EngineRelease, migrated: MigratedWallets | null): Engine {
  const data = mkdtempSync(join(tmpdir(), 'cut-off-'));
  folders.push(data);
  const layout = folderLayout(join(data, 'wallets'));
  mkdirSync(layout.walletsFolder);
  const stopping = new AbortController();
  const lock = makeUnlockedKey();
  const wallet = { kind: 'descriptor', warnings: [] } as unknown as LoadedWallet;
  const open = (name: string) => ({ name, place: placeOf(layout.walletsFolder, name), wallet, lock });
  return {
    dialect: dialects[release],
    network: 'regtest',
    layout,
    log: openEngineLog(layout.log),
    startup: openStartupList(layout.settings),
    wallets: {
      all: () => [],
      get: () => undefined,
      load: async (name) => open(name),
      add: (name) => open(name),
      unload: () => {},
      read: async () => wallet,
      inTurn: makeTurns(),
    },
    activeCalls: { begin: () => () => {}, list: () => [] },
    heavyWork: {
      migrate: async () => migrated ?? Promise.reject(new Error('not asked for')),
      unlock: () => Promise.reject(new Error('not asked for')),
    },
    walletWarningField: false,
    stopping: stopping.signal,
    uptime: () => 0,
    now: () => 1_800_000_000,
    stop: () => {},
  };
}

async function call(engine: Engine, method: Method, params: unknown[]): Promise<unknown> {
  return method.run({ engine, args: readArguments(method, params, engine.dialect), endpoint: null });
}

/** What the next start does before anything else. */
function startAgain({ layout }: Engine): void {
  finishMoves(layout.walletsFolder);
  removeParts(layout.walletsFolder, layout.chainFolder);
}

function everything({ layout }: Engine): string[] {
  return readdirSync(layout.chainFolder, { recursive: true, encoding: 'utf8' });
}

const halfMade = (paths: string[]) => paths.filter((path) => /\.(part|moves)$/.test(path));

afterEach(() => {
  disk.fault = null;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const legacy = readFileSync(recordedWallet('legacy-blank'));
const made = (name: string) => ({ name, bytes: new TextEncoder().encode(`the new wallet ${name}`) });

interface Case {
  readonly title: string;
  readonly name: string;
  readonly bare?: boolean;
  readonly release?: EngineRelease;
  readonly migrated: MigratedWallets;
}

const all = (name: string, prefix = name) => ({
  primary: made(name),
  watchonly: made(`${prefix}_watchonly`),
  solvables: made(`${prefix}_solvables`),
});
const cases: Case[] = [
  { title: 'a named wallet', name: 'old', migrated: { ...all('old'), watchonly: null, solvables: null } },
  { title: 'a named wallet of which three come', name: 'a/old', release: 28, migrated: all('a/old') },
  { title: 'a bare file', name: 'old.dat', bare: true, migrated: all('old.dat') },
  { title: 'the unnamed wallet', name: '', migrated: all('', 'default_wallet') },
  { title: 'a wallet that only watches', name: 'old', migrated: { ...all('old'), primary: null } },
  {
    title: 'a bare file that only watches',
    name: 'old.dat',
    bare: true,
    migrated: { ...all('old.dat'), primary: null, solvables: null },
  },
];

/** `unchanged`: the legacy wallet in its place and no new one. `complete`: all new ones in theirs, and the backup. */
function stateOf(engine: Engine, { name, bare, migrated }: Case): string {
  const { walletsFolder } = engine.layout;
  const fileOf = (wallet: string) => join(walletsFolder, wallet, 'wallet.dat');
  const isThere = (file: string, bytes: Uint8Array) => existsSync(file) && readFileSync(file).equals(bytes);
  const wanted = Object.values(migrated).flatMap((wallet) => (wallet ? [wallet] : []));
  const further = wanted.filter((wallet) => wallet.name !== name);
  const backups = everything(engine).filter((path) => path.endsWith('.legacy.bak'));
  const backed = backups.filter((path) => isThere(join(engine.layout.chainFolder, path), legacy));
  expect(backed).toEqual(backups);

  const original = bare ? join(walletsFolder, name) : fileOf(name);
  const noneOfNew = further.every((wallet) => !existsSync(join(walletsFolder, wallet.name)));
  if (noneOfNew && !(bare && existsSync(fileOf(name))) && isThere(original, legacy)) return 'unchanged';
  const allOfNew = wanted.every((wallet) => isThere(fileOf(wallet.name), wallet.bytes));
  const oldIsGone = migrated.primary !== null || !existsSync(original);
  return allOfNew && oldIsGone && backups.length === 1 ? 'complete' : `half: ${everything(engine).join(' ')}`;
}

function putLegacy(engine: Engine, { name, bare }: Case): void {
  const { walletsFolder } = engine.layout;
  const file = bare ? join(walletsFolder, name) : join(walletsFolder, name, 'wallet.dat');
  mkdirSync(dirname(file), { recursive: true });
  cpSync(recordedWallet('legacy-blank'), file);
}

function prepared(each: Case): Engine {
  const engine = makeEngine(each.release ?? 30, each.migrated);
  putLegacy(engine, each);
  return engine;
}

describe.each(cases)('migratewallet of $title', (each) => {
  it.each(faults)('is done or undone whatever call meets the fault: %s', async (kind) => {
    const states = new Set<string>();
    const hits = new Set<string>();
    for (let at = 1; ; at += 1) {
      const engine = prepared(each);
      const { result, message, hit } = await under({ kind, at }, () =>
        call(engine, migrateWallet, [each.name]),
      );
      const where = `${kind} at call ${at} (${hit}): ${message}`;
      const before = stateOf(engine, each);
      // A crash may leave it half done for the next start; an engine that lives on must tell how it is.
      if (kind !== 'crash') {
        if (result !== null) expect(before, where).toBe('complete');
        else if (!message?.includes('Start the engine again')) expect(before, where).toBe('unchanged');
      }
      startAgain(engine);
      const after = stateOf(engine, each);
      expect(['unchanged', 'complete'], where).toContain(after);
      if (result !== null || message?.includes('Start the engine again'))
        expect(after, where).toBe('complete');
      expect(halfMade(everything(engine)), where).toEqual([]);
      states.add(after);
      engine.log.close();
      rmSync(engine.layout.chainFolder, { recursive: true, force: true });
      if (hit === '') break;
      hits.add(hit);
    }
    // All of the way was gone.
    expect([...states].sort()).toEqual(['complete', 'unchanged']);
    for (const name of ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'rmSync'])
      expect(hits).toContain(name);
  });

  it('is done when the next start is cut off too', async () => {
    const seen = new Set<string>();
    for (let at = 1; ; at += 1) {
      const engine = prepared(each);
      const { hit } = await under({ kind: 'crash', at }, () => call(engine, migrateWallet, [each.name]));
      engine.log.close();
      const left = everything(engine)
        .map((path) => path.replace(/[0-9a-f]{16}/, ''))
        .sort()
        .join(' ');
      if (left.includes('.moves') && !seen.has(left)) await cutOffAgain(engine, each, at);
      seen.add(left);
      rmSync(engine.layout.chainFolder, { recursive: true, force: true });
      if (hit === '') break;
    }
    expect([...seen].filter((left) => left.includes('.moves')).length).toBeGreaterThan(1);
  });

  async function cutOffAgain(engine: Engine, each: Case, first: number): Promise<void> {
    const { chainFolder } = engine.layout;
    const saved = `${chainFolder}.saved`;
    cpSync(chainFolder, saved, { recursive: true });
    for (let at = 1; ; at += 1) {
      const { hit } = await under({ kind: 'crash', at }, () => startAgain(engine));
      startAgain(engine);
      expect(stateOf(engine, each), `at call ${first}, then at ${at} (${hit})`).toBe('complete');
      expect(halfMade(everything(engine))).toEqual([]);
      rmSync(chainFolder, { recursive: true, force: true });
      cpSync(saved, chainFolder, { recursive: true });
      if (hit === '') break;
    }
    rmSync(saved, { recursive: true, force: true });
  }
});

describe('restorewallet', () => {
  it.each(faults)('makes a whole wallet or none, whatever call meets the fault: %s', async (kind) => {
    const states = new Set<string>();
    for (let at = 1; ; at += 1) {
      const engine = makeEngine(28, null);
      const backup = join(engine.layout.chainFolder, 'backup.dat');
      cpSync(recordedWallet('legacy-blank'), backup);
      const { result, message, hit } = await under({ kind, at }, () =>
        call(engine, restoreWallet, ['a/b', backup, true]),
      );
      const where = `${kind} at call ${at} (${hit}): ${message}`;
      const folder = join(engine.layout.walletsFolder, 'a', 'b');
      const state = () => {
        if (!existsSync(folder)) return 'free';
        return readFileSync(join(folder, 'wallet.dat')).equals(legacy) ? 'whole' : 'half';
      };
      if (result !== null) expect(state(), where).toBe('whole');
      else if (kind === 'error' || kind === 'read-only') expect(state(), where).toBe('free');
      startAgain(engine);
      expect(['free', 'whole'], where).toContain(state());
      expect(halfMade(everything(engine)), where).toEqual([]);
      expect(readFileSync(backup).equals(legacy)).toBe(true);
      states.add(state());
      engine.log.close();
      rmSync(engine.layout.chainFolder, { recursive: true, force: true });
      if (hit === '') break;
    }
    expect([...states].sort()).toEqual(['free', 'whole']);
  });

  it('says so when it is restored and only the settings cannot be written', async () => {
    const engine = makeEngine(30, null);
    const backup = join(engine.layout.chainFolder, 'backup.dat');
    cpSync(recordedWallet('legacy-blank'), backup);
    writeFileSync(engine.layout.settings, 'no longer JSON');
    expect(await call(engine, restoreWallet, ['b', backup, true])).toMatchObject({
      name: 'b',
      warnings: [expect.stringContaining('The wallet is restored.')],
    });
    expect(existsSync(join(engine.layout.walletsFolder, 'b', 'wallet.dat'))).toBe(true);
    expect(readFileSync(engine.layout.settings, 'utf8')).toBe('no longer JSON');
  });
});
