/** A migration and a restore in which each call to the file system in turn fails, or is the last before a crash. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type WalletPart, walletPart } from '../../shared/model/migrationPreview.ts';
import { folderLayout } from '../files/engineFolder.ts';
import { contentMarkOf } from '../files/fileMark.ts';
import { sha256Of } from '../files/hash.ts';
import { fillFile } from '../files/largeFile.ts';
import { type Fault, faults, faultsIn, under } from '../files/testing/faultyDisk.ts';
import { ON_WINDOWS } from '../files/testing/system.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { walletPath } from '../walletfile/testing/wallets.ts';
import { runCall } from './methods/methodTable.ts';
import { identify, repairFolder } from './migration/moves.ts';
import { dialects, type EngineRelease } from './rpc/dialect.ts';
import { workHere } from './testing/workHere.ts';
import { openEngineState } from './wallets/engineState.ts';
import { openEngineLog } from './wallets/log.ts';
import { type Engine, makeTurns, makeUnlockedKey, openStartupList } from './wallets/wallets.ts';
import { walletPathOf } from './wallets/walletsFolder.ts';
import type { WalletHandle } from './wallets/work.ts';

// Hoisted above all imports.
vi.mock('node:fs', async (importOriginal) => {
  const { faultyDisk } = await import('../files/testing/faultyDisk.ts');
  return faultyDisk(await importOriginal());
});

// How many calls it takes depends on the processes that run.
vi.mock('../files/lock/fileInUse.ts', () => ({ isInUse: () => false }));

const caller = new AbortController().signal;

/** An engine that loads no wallet, because only its files matter here. */
function makeEngine(release: EngineRelease, migrated: Case['migrated'] | null): Engine {
  const data = makeTestFolder();
  const layout = folderLayout(join(data, 'wallets'));
  mkdirSync(layout.walletsFolder);
  const state = openEngineState(join(data, 'state'), layout.walletsFolder);
  state.recordRunning();
  // Outside of the folder that is removed: Windows removes no folder with an open file.
  const log = openEngineLog(join(makeTestFolder(), 'debug.log'));
  onTestFinished(log.close);
  const stopping = new AbortController();
  const lock = makeUnlockedKey();
  const wallet = { kind: 'descriptor', warnings: [], release: () => {} } as unknown as WalletHandle;
  const open = (name: string) => ({
    name,
    walletPath: walletPathOf(layout.walletsFolder, name),
    wallet,
    lock,
  });
  return {
    dialect: dialects[release],
    network: 'regtest',
    layout,
    state,
    log,
    startup: openStartupList(layout.settings),
    wallets: {
      all: () => [],
      get: () => undefined,
      load: async (name) => open(name),
      add: (name) => open(name),
      unload: () => {},
      refuseAlias: () => {},
      inTurn: makeTurns(),
    },
    activeCalls: new Set(),
    work: workHere({
      migrate: async ({ files }) => {
        if (migrated === null) throw new Error('not asked for');
        for (const part of walletPart.options) {
          const wallet = migrated[part];
          if (!wallet) continue;
          const file = fillFile(files[part]);
          file.write(wallet.bytes, 0);
          file.end();
        }
        const proved = (wallet: NewWallet | null) => wallet && { ...wallet, sha256: sha256Of(wallet.bytes) };
        const { primary, watchonly, solvables } = migrated;
        return { primary: proved(primary), watchonly: proved(watchonly), solvables: proved(solvables) };
      },
      check: async ({ path }) => ({
        sha256: sha256Of(readFileSync(path)),
        mark: contentMarkOf(identify(path)),
      }),
    }),
    walletWarningField: false,
    stopping: stopping.signal,
    uptime: () => 0,
    now: () => 1_800_000_000,
    stop: () => {},
  };
}

async function call(engine: Engine, method: string, params: unknown[]): Promise<unknown> {
  return runCall(engine, { method, params }, null, caller);
}

/** Repairs the folder as the next start does. */
function startAgain({ layout, state, log }: Engine): void {
  repairFolder(layout, openEngineState(state.folder, layout.walletsFolder), log);
}

function everything({ layout }: Engine): string[] {
  return readdirSync(layout.chainFolder, { recursive: true, encoding: 'utf8' });
}

const halfMade = (paths: string[]) => paths.filter((path) => /\.(part|old|moves)$/.test(path));

const legacy = readFileSync(walletPath('legacy-blank'));
const newWallet = (name: string) => ({ name, bytes: new TextEncoder().encode(`the new wallet ${name}`) });
type NewWallet = ReturnType<typeof newWallet>;

interface Case {
  readonly title: string;
  readonly name: string;
  readonly bare?: boolean;
  readonly release?: EngineRelease;
  readonly migrated: Record<WalletPart, NewWallet | null>;
  /** Whether it meets a third of the faults, because another case makes nearly the same calls. */
  readonly meetsThird?: boolean;
}

const all = (name: string, prefix = name) => ({
  primary: newWallet(name),
  watchonly: newWallet(`${prefix}_watchonly`),
  solvables: newWallet(`${prefix}_solvables`),
});
const cases: Case[] = [
  {
    title: 'a named wallet',
    name: 'old',
    meetsThird: true,
    migrated: { ...all('old'), watchonly: null, solvables: null },
  },
  { title: 'a named wallet that becomes three', name: 'a/old', release: 28, migrated: all('a/old') },
  { title: 'a bare file', name: 'old.dat', bare: true, migrated: all('old.dat') },
  { title: 'the unnamed wallet', name: '', meetsThird: true, migrated: all('', 'default_wallet') },
  {
    title: 'a watch-only wallet',
    name: 'old',
    meetsThird: true,
    migrated: { ...all('old'), primary: null },
  },
  {
    title: 'a bare watch-only file',
    name: 'old.dat',
    bare: true,
    meetsThird: true,
    migrated: { ...all('old.dat'), primary: null, solvables: null },
  },
];

/** `unchanged`: the legacy wallet in its place and no new one. `complete`: all new ones in theirs, and the backup. */
function stateOf(engine: Engine, { name, bare, migrated }: Case): string {
  const { walletsFolder } = engine.layout;
  const fileOf = (wallet: string) => join(walletsFolder, wallet, 'wallet.dat');
  const isThere = (file: string, bytes: Uint8Array) => existsSync(file) && readFileSync(file).equals(bytes);
  const wanted = Object.values(migrated).flatMap((wallet) => (wallet ? [wallet] : []));
  const companion = wanted.filter((wallet) => wallet.name !== name);
  const backups = everything(engine).filter((path) => path.endsWith('.legacy.bak'));
  const backed = backups.filter((path) => isThere(join(engine.layout.chainFolder, path), legacy));
  expect(backed).toEqual(backups);

  const original = bare ? join(walletsFolder, name) : fileOf(name);
  const noneOfNew = companion.every((wallet) => !existsSync(join(walletsFolder, wallet.name)));
  if (noneOfNew && !(bare && existsSync(fileOf(name))) && isThere(original, legacy)) return 'unchanged';
  const allOfNew = wanted.every((wallet) => isThere(fileOf(wallet.name), wallet.bytes));
  const oldIsGone = migrated.primary !== null || !existsSync(original);
  return allOfNew && oldIsGone && backups.length === 1 ? 'complete' : `half: ${everything(engine).join(' ')}`;
}

function putLegacy(engine: Engine, { name, bare }: Case): void {
  const { walletsFolder } = engine.layout;
  const file = bare ? join(walletsFolder, name) : join(walletsFolder, name, 'wallet.dat');
  mkdirSync(dirname(file), { recursive: true });
  cpSync(walletPath('legacy-blank'), file);
}

function prepared(each: Case): Engine {
  const engine = makeEngine(each.release ?? 30, each.migrated);
  putLegacy(engine, each);
  return engine;
}

/** The calls of successful work. */
async function callsOf(work: () => unknown): Promise<string[]> {
  return (await under({ kind: 'error', at: Number.POSITIVE_INFINITY }, work)).calls;
}

function cleanUp({ log, layout }: Engine): void {
  log.close();
  for (const folder of [layout.chainFolder, dirname(log.path)])
    rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds. Each test migrates a hundred times. */
const LONG = { timeout: 600_000 };

/**
 * The faults that a case meets: all, or one in `step` from `first` on, and the last, which comes after the work. Calls to the
 * file system of Windows take ten times as long, so there each case meets every fifth.
 */
function metFaults(
  calls: readonly string[],
  kind: Fault['kind'],
  first: number,
  meetsThird = false,
): Fault[] {
  const all = faultsIn(calls, kind);
  const step = ON_WINDOWS ? 5 : meetsThird ? 3 : 1;
  return all.filter((fault, at) => at % step === first % step || fault === all.at(-1));
}

describe.each(cases)('migratewallet of $title', LONG, (each) => {
  const migrated = (engine: Engine) => () => call(engine, 'migratewallet', [each.name]);

  it.each(faults)('completes or changes nothing, whichever call fails: %s', async (kind) => {
    const states = new Set<string>();
    const calls = await callsOf(migrated(prepared(each)));
    for (const name of ['openSync', 'writeSync', 'fsyncSync', 'linkSync', 'unlinkSync'])
      expect(calls).toContain(name);
    for (const fault of metFaults(calls, kind, cases.indexOf(each), each.meetsThird)) {
      const engine = prepared(each);
      const { result, message } = await under(fault, migrated(engine));
      const where = `${kind} at call ${fault.at} (${calls[fault.at - 1]}): ${message}`;
      const before = stateOf(engine, each);
      // A crash may leave an unfinished migration. An engine that continues must report the outcome.
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
      cleanUp(engine);
    }
    expect([...states].sort()).toEqual(['complete', 'unchanged']);
  });

  it('keeps its outcome if the next start is interrupted too', async () => {
    const states = new Set<string>();
    for (const fault of faultsIn(await callsOf(migrated(prepared(each))), 'crash')) {
      const engine = prepared(each);
      await under(fault, migrated(engine));
      const left = everything(engine)
        .map((path) => path.replace(/[0-9a-f]{16}/g, ''))
        .sort()
        .join(' ');
      if (left.includes('.moves') && !states.has(left)) await cutOffAgain(engine, each, fault.at);
      states.add(left);
      cleanUp(engine);
    }
    expect([...states].filter((left) => left.includes('.moves')).length).toBeGreaterThan(1);
  });

  async function cutOffAgain(engine: Engine, each: Case, first: number): Promise<void> {
    const { chainFolder } = engine.layout;
    const saved = `${chainFolder}.saved`;
    const again = () => {
      rmSync(chainFolder, { recursive: true, force: true });
      cpSync(saved, chainFolder, { recursive: true });
      // The engine does not know the copied folder yet.
      engine.state.recordRunning();
    };
    cpSync(chainFolder, saved, { recursive: true });
    const calls = await callsOf(() => startAgain(engine));
    // With an incomplete journal, the migration is undone.
    const once = stateOf(engine, each);
    expect(['unchanged', 'complete']).toContain(once);
    for (const fault of faultsIn(calls, 'crash')) {
      again();
      await under(fault, () => startAgain(engine));
      startAgain(engine);
      expect(stateOf(engine, each), `at call ${first}, then at ${fault.at}`).toBe(once);
      expect(halfMade(everything(engine))).toEqual([]);
    }
    rmSync(saved, { recursive: true, force: true });
  }
});

const restored = (engine: Engine) => () =>
  call(engine, 'restorewallet', ['a/b', join(engine.layout.chainFolder, 'backup.dat'), true]);
const withBackup = () => {
  const engine = makeEngine(28, null);
  cpSync(walletPath('legacy-blank'), join(engine.layout.chainFolder, 'backup.dat'));
  return engine;
};
const three = cases[1] as Case;
const migratedToThree = (engine: Engine) => () => call(engine, 'migratewallet', [three.name]);

describe.each([
  { method: 'migratewallet', work: migratedToThree, fresh: () => prepared(three) },
  { method: 'restorewallet', work: restored, fresh: withBackup },
])('$method on a full disk', LONG, ({ work, fresh }) => {
  it.each(['ENOSPC', 'EDQUOT'])('reports that there is not enough space (%s)', async (code) => {
    const calls = await callsOf(work(fresh()));
    const words: string[] = [];
    for (const [index, name] of calls.entries()) {
      if (name !== 'writeSync') continue;
      const { message } = await under({ kind: 'error', at: index + 1, code }, work(fresh()));
      words.push(message ?? 'done');
    }
    expect(words.join(' ')).toContain('not enough space');
    expect(words.join(' ')).not.toContain('could not be written');
  });
});

describe('restorewallet', LONG, () => {
  it.each(faults)('creates a complete wallet or none, whichever call fails: %s', async (kind) => {
    const states = new Set<string>();
    const calls = await callsOf(restored(withBackup()));
    for (const fault of metFaults(calls, kind, 0)) {
      const engine = withBackup();
      const { result, message } = await under(fault, restored(engine));
      const where = `${kind} at call ${fault.at} (${calls[fault.at - 1]}): ${message}`;
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
      expect(readFileSync(join(engine.layout.chainFolder, 'backup.dat')).equals(legacy)).toBe(true);
      states.add(state());
      cleanUp(engine);
    }
    expect([...states].sort()).toEqual(['free', 'whole']);
  });
});
