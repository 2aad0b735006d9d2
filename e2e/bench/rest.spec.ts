/** Measures the processor time and memory of the idle app, compared with an Electron that is just a window. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication } from '@playwright/test';
import { electronLaunch } from '../app/openElectron.ts';
import { connect } from '../app/steps.ts';
import { type App, expect, test } from '../app.ts';
import { type Figure, inShort, report } from './figures.ts';
import { ofSystem, statFields } from './program.ts';

const REST_MS = 60_000;
/** Until the work after the start is done: a minute later, V8 still frees the memory that it took. */
const SETTLE_MS = 120_000;
/** Chromium's name for the engine's process. The app starts no other of this kind. */
const ENGINE = 'node.mojom.NodeService';
const command = 'npm run bench -- rest';
const figures: Omit<Figure, 'date'>[] = [];

test.describe.configure({ mode: 'serial', timeout: 600_000 });
test.skip(process.platform !== 'linux', 'Processes are measured by way of /proc.');
test.afterAll(() => report(figures));

test('is idle', async ({ startNode, openApp }) => {
  const node = await startNode('31.0');
  // The first Electron on a display loads 43 MB to draw without a graphics card. Let it be neither of those measured.
  const alone = await openBare();
  const app = await openApp();
  // Both run at the same time, so that they share the same memory with each other and with any other Electron.
  const bare = await openBare();
  const roots = [processOf(app), bare.id];
  await connect(app, node);
  await pause(SETTLE_MS);
  noteRest('idle, connected to a node', await shares(roots));
  noteMemory('memory, connected to a node', roots);

  const started = await app.call('engine.start', { walletsFolder: null, network: 'regtest' });
  expect(started.ok).toBe(true);
  await pause(SETTLE_MS);
  noteRest('idle, in the offline engine', await shares(roots));
  noteMemory('memory, in the offline engine', roots);
  await bare.close();
  await alone.close();
});

function noteRest(what: string, [app = Number.NaN, bare = Number.NaN]: number[]): void {
  figures.push({
    what: `${what}: processor time`,
    goal: '< 0.2 % of a core',
    measured: `${inShort(app * 100)} %`,
    against: `bare window ${inShort(bare * 100)} %`,
    met: app < 0.002,
    command,
  });
}

function noteMemory(what: string, roots: readonly number[]): void {
  const [family = [], others = []] = roots.map(familyOf);
  const [app, bare] = [megabytes(family), megabytes(others)];
  const engine = megabytes(withArgument(family, ENGINE));
  const ratio = (app - engine) / bare;
  figures.push({
    what,
    goal: engine > 0 ? '≤ 1.2 × bare window, engine left out' : '≤ 1.2 × bare window',
    measured: `${inShort(ratio)} × (${Math.round(app)} MB${engine > 0 ? `, of it the engine ${Math.round(engine)} MB` : ''})`,
    against: `bare window ${Math.round(bare)} MB`,
    met: ratio <= 1.2,
    command,
  });
}

/** The processor time of each family as a share of one core, over the same time. */
async function shares(roots: readonly number[]): Promise<number[]> {
  const before = roots.map((root) => processorSeconds(familyOf(root)));
  const startedAt = performance.now();
  await pause(REST_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  return roots.map((root, at) => (processorSeconds(familyOf(root)) - (before[at] ?? 0)) / seconds);
}

function processOf(app: App): number {
  return idOf(app.electron);
}

function idOf(electron: ElectronApplication | null): number {
  const id = electron?.process().pid;
  if (id === undefined) throw new Error('There is no process to measure.');
  return id;
}

async function openBare(): Promise<{ id: number; close(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'ferry-bench-'));
  const args = [fileURLToPath(new URL('bareWindow.cjs', import.meta.url))];
  const electron = await _electron.launch(electronLaunch({ args, home, dataFolder: join(home, 'data') }));
  const page = await electron.firstWindow();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return {
    id: idOf(electron),
    async close() {
      await electron.close();
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** The ids of the process and its descendants. */
function familyOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? statFields(Number(name))[1] : undefined;
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const family = new Set([root]);
  // A child may have a lower number than its parent.
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child);
  }
  return [...family];
}

/** The processor time of the processes so far, in seconds. */
function processorSeconds(processes: readonly number[]): number {
  const ticks = processes.map((id) => {
    const fields = statFields(id);
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** The proportional set size of the processes together, in MB. */
function megabytes(processes: readonly number[]): number {
  const kibibytes = processes.map((id) =>
    Number(/^Pss:\s+(\d+) kB$/m.exec(ofSystem(id, 'smaps_rollup'))?.[1] ?? 0),
  );
  return (kibibytes.reduce((sum, each) => sum + each, 0) * 1024) / 1e6;
}

/** The processes whose command line contains a text. */
function withArgument(processes: readonly number[], text: string): number[] {
  return processes.filter((id) => ofSystem(id, 'cmdline').includes(text));
}

/** `USER_HZ`, the same on every current Linux. */
const TICKS_PER_SECOND = 100;
