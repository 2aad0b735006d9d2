import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/mini';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import { REPAIRED_FILE } from '../../electron/workers/repairRequest.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Job, job } from '../../shared/model/job.ts';
import { hashesBelow } from '../app/filesBelow.ts';
import { start } from '../services/services.ts';
import type { Scenario } from '../testNode/testNode.ts';
import type { DiskFault } from './diskFault.ts';
import { bundleApp, launchApp, type RunningApp } from './launchApp.ts';
import {
  expectKnownOutcomes,
  isCampaign,
  metBy,
  type Row,
  rowOf,
  runTrial,
  sampleOf,
  usual,
} from './reliability.ts';
import { brokenFiles, type Kind, kinds, openTrial, type Trial } from './trial.ts';

const rows: Row[] = [];
const folder = mkdtempSync(join(tmpdir(), 'ferry-app-'));
let program = '';

beforeAll(async () => {
  program = await bundleApp(folder);
}, 120_000);
afterAll(() => removeTestFolder(folder));

/** The pause lets the log name every phase before the answer, so that the journal always has the same entries. */
const RESCANNING: Scenario = { rescan: { shares: [0.4], ms: 20, hold: true } };

/** Starts the job in its own process, and calls `finish` once the job or the process has ended. */
async function inProcess<T>(
  kind: Kind,
  faultOf: (on: Trial) => DiskFault | null,
  finish: (on: Trial, ended: Job | null | Error) => Promise<T>,
): Promise<T> {
  const on = await openTrial(kind, RESCANNING);
  const app = launchApp(program, on.dataFolder, faultOf(on));
  try {
    await app.call('nodes.connect', on.target);
    return await finish(on, await endedIn(app, on));
  } finally {
    await app.kill();
    await on.close();
  }
}

/** Runs the job. Null if the process was killed, an error if the job did not start. */
async function endedIn(app: RunningApp, on: Trial): Promise<Job | null | Error> {
  const refused = start((name, input) => app.call(name, input), on.begin).then(
    () => new Promise<never>(() => {}),
    (thrown: unknown) => (thrown instanceof AppError ? thrown : app.killed.then(() => null)),
  );
  void app.until(rescans).then(() => on.node.resume());
  const ended = await Promise.race([refused, app.until(({ state }) => state !== 'running')]);
  if (ended === null) expect(await app.killed).toBe(true);
  return ended;
}

function rescans({ steps }: Job): boolean {
  return steps.some(({ phase, state }) => phase === 'rescanning' && state === 'running');
}

/** Starts the app again, and lets it finish the job of the last run. */
async function nextStart(on: Trial): Promise<Job | null> {
  const app = await on.open();
  on.node.resume();
  const unfinished = await app.job();
  return unfinished === null ? null : app.ended(unfinished.id);
}

const journalOf = ({ dataFolder }: Trial) => join(dataFolder, 'journal');

/** Expects that no half-written file is left, and no safety copy without its manifest. */
function expectNothingIncomplete({ dataFolder }: Trial): void {
  const names = Object.keys(hashesBelow(dataFolder));
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  const copies = names.filter((name) => name.startsWith(join('safety copies', '/')));
  const folders = new Set(copies.map((name) => dirname(name)));
  for (const folder of folders) expect(copies).toContain(join(folder, 'copy.json'));
}

/** Kills the app at an entry of its journal. Null if the job wrote fewer entries. */
function killed(kind: Kind, number: number, does: 'kill before' | 'kill after'): Promise<Row | null> {
  return inProcess(
    kind,
    (on) => ({ call: 'rename', folder: journalOf(on), number, does }),
    async (on, ended) => {
      if (ended !== null) return null;
      const where = `${does === 'kill before' ? 'before' : 'after'} journal entry ${String(number).padStart(2, '0')}${lastEntry(on)}`;
      return killedRow(on, ended, where);
    },
  );
}

const entryShape = z.object({ sent: z.boolean(), job });

/** Sums up the last entry of the journal. */
function lastEntry(on: Trial): string {
  const name = readdirSync(journalOf(on)).find((file) => file.endsWith('.json'));
  if (name === undefined) return '';
  const { sent, job: last } = entryShape.parse(JSON.parse(readFileSync(join(journalOf(on), name), 'utf8')));
  const at = last.steps.find(({ state }) => state === 'running')?.phase;
  const after = last.steps.findLast(({ state }) => state === 'done')?.phase;
  const under = [
    at === undefined ? `after “${after}”` : `at “${at}”`,
    ...(last.result === null ? [] : ['answered']),
    ...(last.proof === null ? [] : ['compared']),
  ];
  const words = [sent ? 'sent' : 'not sent', ...(last.state === 'running' ? under : [last.state])];
  return ` (${words.join(', ')})`;
}

/** The first journal entry that records the call as sent. */
const SENT: Record<Kind, number> = {
  restore: 2,
  migrate: 4,
  'restore-migrate': 7,
  rescue: 8,
  'rescue-descriptors': 4,
};
/** The other entries after which the app is killed. Together they cover each phase of a migration. The campaign covers each entry. */
const OTHER_ENTRIES: Record<Kind, readonly number[]> = {
  restore: [6],
  migrate: [2, 6, 13],
  'restore-migrate': [14],
  rescue: [6, 16],
  'rescue-descriptors': [5],
};

function* everyNumber(): Generator<number> {
  for (let number = 1; ; number += 1) yield number;
}

describe.concurrent.each(kinds)('a %s', (kind) => {
  it('ends well at the next start if the app is killed at any entry of its journal', async () => {
    const found: (Row | null)[] = [];
    // Before the first entry all kinds are the same.
    if (isCampaign || kind === 'migrate') {
      const first = await killed(kind, 1, 'kill before');
      expect(first).toMatchObject({ outcome: 'not started', calls: 0 });
      found.push(first);
    }
    // A restore and a rescue of descriptors have nothing in the node's folder then, like a migration.
    if (isCampaign || !['restore', 'rescue-descriptors'].includes(kind)) {
      const before = await killed(kind, SENT[kind], 'kill before');
      expect(before?.calls).toBe(0);
      found.push(before);
    }
    const sent = await killed(kind, SENT[kind], 'kill after');
    expect(sent?.where).toContain('(sent, at “sent”)');
    found.push(sent);
    for (const number of isCampaign ? everyNumber() : OTHER_ENTRIES[kind]) {
      if (number === SENT[kind]) continue;
      const row = await killed(kind, number, 'kill after');
      if (row === null && isCampaign) break;
      found.push(row);
    }
    const whole = found.filter((row) => row !== null);
    expect(whole).toHaveLength(found.length);
    expect(whole.at(-1)).toMatchObject({ outcome: 'done', calls: 1 });
    rows.push(...whole);
  }, 300_000);
});

/** The folder in which the app writes each file. */
const folderOf: Record<string, (on: Trial) => string> = {
  'safety copy': ({ dataFolder }) => join(dataFolder, 'safety copies'),
  'placed copy': ({ node }) => node.walletsFolder,
  'repaired file': ({ dataFolder }) => join(dataFolder, 'safety copies'),
};

/** If two jobs write the same file, each meets one fault. In the campaign each meets both. */
const writers: readonly { kind: Kind; written: string; usual?: 'kill' | 'fill' }[] = [
  { kind: 'migrate', written: 'safety copy', usual: 'kill' },
  { kind: 'restore-migrate', written: 'safety copy', usual: 'fill' },
  { kind: 'restore-migrate', written: 'placed copy' },
  { kind: 'rescue', written: 'repaired file', usual: 'kill' },
  { kind: 'rescue-descriptors', written: 'repaired file', usual: 'fill' },
];

describe.concurrent.each(writers)('a $kind that writes its $written', ({ kind, written, usual: only }) => {
  const faultOf = (on: Trial, does: 'kill' | 'fill'): DiskFault => {
    const folder = folderOf[written]?.(on) ?? '';
    return written === 'repaired file'
      ? { call: 'file', ends: REPAIRED_FILE, folder, does }
      : { call: 'write', folder, does };
  };

  it.runIf(isCampaign || only !== 'fill')('sends nothing if the app is killed', async () => {
    const row = await inProcess(
      kind,
      (on) => faultOf(on, 'kill'),
      (on, ended) => killedRow(on, ended, `halfway through the ${written}`),
    );
    expect(row.calls).toBe(0);
    rows.push(row);
  });

  it.runIf(isCampaign || only !== 'kill')('sends nothing if the disk is full', async () => {
    const row = await inProcess(
      kind,
      (on) => faultOf(on, 'fill'),
      (on, ended) => {
        expectNothingIncomplete(on);
        return rowOf(on, 'app’s disk full (injected)', `halfway through the ${written}`, ended);
      },
    );
    expect(row.calls).toBe(0);
    rows.push(row);
  });
});

/** The row of a killed app, after its next start. */
async function killedRow(on: Trial, ended: Job | null | Error, where: string): Promise<Row> {
  expect(ended).toBeNull();
  const finished = await nextStart(on);
  expectNothingIncomplete(on);
  return rowOf(on, 'app killed', where, finished);
}

describe.concurrent.each([
  { kind: 'migrate', usual: 'kill before' },
  { kind: 'restore-migrate', usual: 'kill after' },
] as const)('a $kind with its safety copy written', ({ kind, usual: only }) => {
  it.each(isCampaign ? (['kill before', 'kill after'] as const) : [only])(
    'keeps the copy only if it is listed when the app is killed (%s)',
    async (does) => {
      const row = await inProcess(
        kind,
        (on) => ({ call: 'rename', folder: join(on.dataFolder, 'safety copies'), number: 1, does }),
        async (on, ended) => {
          const when = does === 'kill before' ? 'before' : 'after';
          const killed = await killedRow(on, ended, `${when} it lists the safety copy`);
          expect(readdirSync(join(on.dataFolder, 'safety copies'))).toHaveLength(when === 'after' ? 1 : 0);
          return killed;
        },
      );
      expect(row.calls).toBe(0);
      rows.push(row);
    },
  );
});

describe.concurrent('a restore-migrate', () => {
  it('sends nothing if the wallets folder is read-only', async () => {
    const row = await inProcess(
      'restore-migrate',
      ({ node }) => ({ call: 'mkdir', folder: node.walletsFolder, does: 'refuse' }),
      (on, ended) => rowOf(on, 'wallets folder read-only (injected)', 'as the copy is placed', ended),
    );
    expect(row.calls).toBe(0);
    rows.push(row);
  });

  it('sends nothing if the app is killed while the new wallet’s folder is empty', async () => {
    const row = await inProcess(
      'restore-migrate',
      ({ node }) => ({ call: 'mkdir', folder: node.walletsFolder, does: 'kill after' }),
      async (on) => rowOf(on, 'app killed', 'after it created the new wallet’s folder', await nextStart(on)),
    );
    expect(row.calls).toBe(0);
    rows.push(row);
  });
});

describe.concurrent.each(usual)('a %s whose journal is on a full disk', (kind) => {
  const places = [
    { where: 'at journal entry 1', number: 1 },
    { where: 'at the journal entry that records the call', number: SENT[kind] },
    { where: 'at every journal entry after the call', number: SENT[kind] + 1 },
  ];
  it.each(metBy(kind, places))('ends well $where', async ({ where, number }) => {
    const row = await inProcess(
      kind,
      (on) => ({ call: 'rename', folder: journalOf(on), number, does: 'fill' }),
      (on, ended) => rowOf(on, 'app’s disk full (injected)', where, ended),
    );
    expect(row.calls).toBe(number > SENT[kind] ? 1 : 0);
    rows.push(row);
  });
});

/** What another program does to the file of a job, or to its log. Each is undone before the files are compared. */
const meddling: readonly {
  readonly fault: string;
  readonly of: readonly Kind[];
  /** When it happens. */
  readonly at: 'while it is copied' | 'before it is repaired';
  readonly does: (on: Trial) => () => void;
}[] = [
  {
    fault: 'file changed',
    of: ['restore-migrate', 'rescue', 'rescue-descriptors'],
    at: 'while it is copied',
    does: (on) => change(fileOf(on), (path, bytes) => writeFileSync(path, bytes.subarray(0, -4096))),
  },
  {
    fault: 'file removed',
    of: sampleOf(['restore-migrate', 'rescue', 'rescue-descriptors'], ['rescue']),
    at: 'while it is copied',
    does: (on) => change(fileOf(on), (path) => rmSync(path)),
  },
  {
    fault: 'log of the file removed',
    of: ['rescue'],
    at: 'before it is repaired',
    does: (on) => change(logOf(on), (path) => rmSync(path)),
  },
  {
    fault: 'log of the file cut short',
    of: ['rescue'],
    at: 'before it is repaired',
    does: (on) => change(logOf(on), (path, bytes) => writeFileSync(path, bytes.subarray(0, -1))),
  },
  {
    fault: 'log of the file damaged',
    of: ['rescue'],
    at: 'before it is repaired',
    does: (on) => change(logOf(on), (path, bytes) => writeFileSync(path, bytes.fill(0, 80, 90))),
  },
];

const fileOf = ({ begin: { source } }: Trial) => (source.by === 'file' ? source.path : '');
const logOf = ({ node }: Trial) => join(brokenFiles(node).logs, 'log.0000000001');

/** Changes a file. The returned function puts it back. */
function change(path: string, how: (path: string, bytes: Buffer) => void): () => void {
  const before = readFileSync(path);
  how(path, Buffer.from(before));
  return () => writeFileSync(path, before);
}

describe.concurrent.each(meddling)('$fault $at', ({ fault, of, at, does }) => {
  it.each(of)('stops a %s before it sends anything', async (kind) => {
    const row = await runTrial(kind, {}, async (on) => {
      const app = await on.open();
      let putBack = () => {};
      let isDone = false;
      app.services.subscribe((name, value) => {
        if (name !== 'job' || isDone) return;
        const { safetyCopy, steps } = job.parse(value);
        const isCopied = safetyCopy !== null;
        // A restore has no step for its safety copy.
        const copying = kind === 'rescue-descriptors' ? 'sent' : 'safety-copy';
        const isCopying = steps.some(({ phase, state }) => phase === copying && state === 'running');
        if (at === 'before it is repaired' ? !isCopied : isCopied || !isCopying) return;
        isDone = true;
        putBack = does(on);
      });
      const { id } = await app.start();
      const ended = await app.ended(id);
      expect(isDone).toBe(true);
      putBack();
      return rowOf(on, fault, at, ended);
    });
    expect(row.calls).toBe(0);
    rows.push(row);
  });
});

describe.concurrent.each(kinds.filter((kind) => isCampaign || kind === 'rescue'))('a %s', (kind) => {
  it('runs once if it is started twice at once', async () => {
    const row = await runTrial(kind, {}, async (on) => {
      const app = await on.open();
      const clicks = await Promise.allSettled([app.start(), app.start()]);
      const [started, ...others] = clicks.filter(({ status }) => status === 'fulfilled');
      expect(others).toEqual([]);
      expect(clicks.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'job_running' },
      });
      const ended = started?.status === 'fulfilled' ? await app.ended(started.value.id) : null;
      return rowOf(on, 'started twice', 'at once', ended);
    });
    rows.push(row);
  });
});

it('has the known outcomes', () => expectKnownOutcomes('The app and its disk', rows));
