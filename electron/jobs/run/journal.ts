/** Keeps every job on the disk, so that no crash loses one. Reads what earlier versions of the app wrote, too. */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/model/errors.ts';
import { type Job, job, MOST_LOG_LINES } from '../../../shared/model/job.ts';
import { oneLine } from '../../../shared/model/names/visibleText.ts';
import { type NodeIdentity, nodeIdentity } from '../../../shared/model/node.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { logMark } from '../../bitcoind/log/logFollower.ts';
import { isPartName, replaceFile } from '../../files/durableFile.ts';
import { isOfFullDisk, systemCode } from '../../files/fileError.ts';
import { readOwnFile, readTextOrNull } from '../../files/openFile.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { checkpoint } from '../plan/checkpoint.ts';
import type { JournalRecords } from '../safetyCopies/interruptions.ts';
import { LONGEST_SHOWN_LINE } from './watch.ts';

const entryShape = z.object({
  version: z.literal(2),
  job,
  checkpoint,
  /** Whether the call may have reached the node: written before it is sent. */
  sent: z.boolean(),
  /** The node's wallets folder, which identifies the node at another port. */
  walletsFolder: z.string().nullable(),
  offline: z.boolean(),
  /** What identifies the node. Earlier versions of the app kept only its address, network and folder. */
  node: nodeIdentity.optional(),
  /** The end of the node's log before the call. */
  logMark: logMark.nullable(),
  /** Counts the jobs, because a clock can be moved back. Absent in entries of earlier versions. */
  number: z.number().int().optional(),
});
export type JournalEntry = Omit<z.infer<typeof entryShape>, 'version'>;

/** The node of a job, as far as the entry identifies it. */
export function nodeOfEntry({ job, walletsFolder, offline, node }: JournalEntry): NodeIdentity {
  if (node) return node;
  const { address, network } = job.node;
  return {
    ...{ address, network, offline, walletsFolder },
    ...{ walletsFolderMark: null, release: null, logTold: null, started: null, listener: null },
  };
}

export type Journal = ReturnType<typeof createJournal>;

/** Creates `folder` with the first entry. It has two files for each job: the entry, and the node's log lines. */
export function createJournal(folder: string) {
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const logFileOf = (id: string) => join(folder, `${id}.log`);
  return {
    /**
     * All entries in the order of their start. Leaves what it cannot use and calls `onUnreadable` with its path: damaged files, links, files of
     * other users, or the folder itself. Removes unfinished files of a crash.
     */
    async read(onUnreadable: (path: string) => void = () => {}): Promise<JournalEntry[]> {
      const names = await readdir(folder).catch((error) => {
        if (systemCode(error) !== 'ENOENT') onUnreadable(folder);
        return [];
      });
      for (const part of names.filter(isPartName))
        await rm(join(folder, part), { force: true }).catch(() => {});
      const entries = names
        .filter((name) => ENTRY.test(name))
        .flatMap((name) => {
          const entry = readEntry(join(folder, name));
          // An entry with the id of another would be listed twice.
          if (entry && `${entry.job.id}.json` === name) return [entry];
          onUnreadable(join(folder, name));
          return [];
        });
      return inOrder(entries);
    },
    /** When it returns, the entry is on the disk. Throws AppError `journal_unwritable`. */
    write(entry: JournalEntry): void {
      const { log, ...rest } = entry.job;
      const whole = { version: 2 as const, ...entry, job: { ...rest, log: [], logLength: 0 } };
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const text = JSON.stringify(z.encode(entryShape, whole));
        replaceFile(fileOf(rest.id), new TextEncoder().encode(`${text}\n`));
      } catch (error) {
        const [says, advice] = isOfFullDisk(systemCode(error))
          ? [say('Not enough space in {path}.', { path: folder }), say('Make room and try again.')]
          : [
              say('The app cannot write its journal.'),
              say('Make {folder} writable and try again.', { folder }),
            ];
        throw new AppError('journal_unwritable', says, notSent(advice));
      }
      writeLog(logFileOf(rest.id), log);
    },
    /** The node's log lines of one job; empty if there are none. */
    async logOf(id: string): Promise<string[]> {
      if (!ID.test(id)) return [];
      const text = readTextOrNull(logFileOf(id), LARGEST_LOG) ?? '';
      return text === '' ? [] : text.trimEnd().split('\n');
    },
  };
}

/** Sorts by number, and places each entry without a number before the first one that started later by the clock. */
function inOrder(entries: readonly JournalEntry[]): JournalEntry[] {
  const byClock = entries
    .filter(({ number }) => number === undefined)
    .sort((a, b) => a.job.started - b.job.started);
  const sorted = entries
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0))
    .flatMap((entry) => {
      const later = byClock.findIndex(({ job }) => job.started > entry.job.started);
      return [...byClock.splice(0, later === -1 ? byClock.length : later), entry];
    });
  return [...sorted, ...byClock];
}

/** The form of `randomUUID`, so that an id from outside cannot name another file. */
const ID = /^[0-9a-f-]{36}$/;
const ENTRY = /^[0-9a-f-]{36}\.json$/;

/** Bytes. An escaped character has six at most; each line has an ellipsis and a line end. */
const LARGEST_LOG = MOST_LOG_LINES * (LONGEST_SHOWN_LINE + 2) * 6;

/** Ignores errors, because the lines are also in the node's own log. */
function writeLog(file: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const text = `${lines.map(oneLine).join('\n')}\n`;
  try {
    // Writing to a pipe would wait until somebody reads it.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return;
    if (readTextOrNull(file, LARGEST_LOG) !== text) writeFileSync(file, text, { mode: 0o600 });
  } catch {
    // The next change of the job tries again.
  }
}

function readEntry(file: string): JournalEntry | null {
  return orNull(() => {
    // Refuse invalid UTF-8, because a path with a changed byte is another path.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readOwnFile(file));
    const { version: _, job, ...entry } = entryShape.parse(withCurrentNames(JSON.parse(text)));
    // Earlier versions of the app wrote these two only beside the job.
    const { walletsFolder, offline } = entry;
    return { ...entry, job: { ...job, node: { walletsFolder, offline, ...job.node } } };
  });
}

/** Keeps the entry of a running job up to date. `first` is in the journal already. */
export function createEntryWriter(first: JournalEntry, journal: Journal) {
  let entry = first;
  let kept = lastingText(first.job);
  return {
    /** Writes the job unless only its progress or log lines changed. Never throws. */
    update(job: Job): void {
      const text = lastingText(job);
      if (text === kept) return;
      kept = text;
      entry = { ...entry, job };
      // A full disk must not stop a running job. The last written entry says that the call was sent.
      writeIfPossible(journal, entry);
    },
    /** Writes the job. `sent`: whether the call may reach the node from now on. Throws AppError `journal_unwritable`. */
    write(job: Job, sent: boolean): void {
      entry = { ...entry, job, sent };
      journal.write(entry);
    },
    /** The latest entry, written or not. */
    entry: () => entry,
  };
}

/** Ignores errors: the earlier entry then stays. */
export function writeIfPossible(journal: Journal, entry: JournalEntry): void {
  orNull(() => journal.write(entry));
}

function lastingText({ progress: _, log: __, logLength: ___, ...lasting }: Job): string {
  return JSON.stringify(lasting, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
}

/** Which interrupted wallets were restored, and which copies nodes named. `jobs`: the newest first. */
export function interruptionsInJournal(jobs: readonly Job[]): JournalRecords {
  return {
    putBacks: jobs.flatMap(({ state, result }) => {
      if (state !== 'done' || (result?.kind !== 'restore' && result?.kind !== 'migrate')) return [];
      const movedPaths = (result.movedWallets ?? []).flatMap(({ path }) => path ?? []);
      return movedPaths.length === 0 ? [] : [{ walletName: result.walletName, movedPaths }];
    }),
    copies: jobs.flatMap(({ interruption }) =>
      (interruption?.copies ?? []).filter(({ from, isOther }) => from === 'legacy-backup' && !isOther),
    ),
    interrupted: jobs.flatMap(({ kind, state, wallet, interruption }) =>
      state === 'interrupted' && interruption
        ? [
            {
              ...{ isRestore: kind === 'restore', wallet, file: interruption.file },
              // The node's own are among `copies`, and the app lists its safety copies.
              copies: interruption.copies.filter(({ from }) => from !== 'legacy-backup'),
            },
          ]
        : [],
    ),
  };
}

/** The JSON of an entry with today's names. What is no entry of an earlier version comes back unchanged, also if it is damaged. */
export function withCurrentNames(entry: unknown): unknown {
  return withLaterNames(upgradeVersion1(entry));
}

const version2 = z.looseObject({ job: z.looseObject({}), checkpoint: z.looseObject({ kind: z.string() }) });

/** Version 2 changed these names without another number. */
function withLaterNames(entry: unknown): unknown {
  const { data } = version2.safeParse(entry);
  if (data === undefined) return entry;
  const { job, checkpoint } = data;
  return {
    ...data,
    job: {
      ...job,
      interruption: inFields(job.interruption, (all) => renamed(all, INTERRUPTION)),
      proof: inFields(job.proof, ({ wallets, ...proof }) => ({
        ...proof,
        wallets: Array.isArray(wallets)
          ? wallets.map((wallet) => inFields(wallet, (all) => renamed(all, PROOF_PART)))
          : wallets,
      })),
    },
    checkpoint: renamed(checkpoint, CHECKPOINT_NAMES.get(checkpoint.kind) ?? new Map()),
  };
}

const INTERRUPTION = new Map([['backAs', 'restoredAs']]);
const PROOF_PART = new Map([['cutOff', 'incomplete']]);
const OF_MIGRATION = new Map([['before', 'fileForProof']]);
const CHECKPOINT_NAMES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    'backup',
    new Map([
      ['destination', 'newBackup'],
      ['backupFile', 'newBackup'],
    ]),
  ],
  ['migrate', OF_MIGRATION],
  ['restore-migrate', OF_MIGRATION],
  ['rescue', OF_MIGRATION],
]);

const fields = z.record(z.string(), z.unknown());
/** An entry as the app wrote it until 26 November 2026. */
const version1 = z.looseObject({ version: z.literal(1), operation: fields, memory: fields });

/** The JSON of an entry with the names of version 2. Entries of other versions come back unchanged, also damaged ones. */
function upgradeVersion1(entry: unknown): unknown {
  const { data } = version1.safeParse(entry);
  if (data === undefined) return entry;
  const { operation, memory, ...rest } = data;
  const { result, error, ...job } = operation;
  return {
    ...rest,
    version: 2,
    job: {
      ...renamed(job, JOB),
      result: inFields(result, upgradeResult),
      error: inFields(error, (all) => ({
        ...all,
        code: all.code === 'crossing_running' ? 'job_running' : all.code,
      })),
    },
    checkpoint: {
      ...renamed(memory, CHECKPOINT),
      ...('rescue' in memory ? { rescue: upgradeRescue(memory.rescue) } : {}),
      ...('mended' in memory ? { repaired: inFields(memory.mended, withUpgradedRescue) } : {}),
      ...('placed' in memory ? { placed: inFields(memory.placed, (all) => renamed(all, PLACED)) } : {}),
    },
  };
}

function upgradeResult(result: Fields): Fields {
  return withUpgradedRescue(renamed(result, RESULT));
}

function withUpgradedRescue(all: Fields): Fields {
  return 'rescue' in all ? { ...all, rescue: upgradeRescue(all.rescue) } : all;
}

function upgradeRescue(rescue: unknown): unknown {
  return inFields(rescue, (all) => renamed(all, RESCUE));
}

const JOB = new Map([['line', 'connection']]);
const RESULT = new Map([
  ['setAside', 'movedWallets'],
  ['undone', 'renamedWallets'],
]);
const CHECKPOINT = new Map([
  ['aside', 'moves'],
  ['interrupted', 'movedWallets'],
  ['mended', 'repaired'],
  ['setAside', 'renamedWallets'],
]);
const RESCUE = new Map([
  ['setAside', 'excluded'],
  ['setAsideFile', 'excludedFile'],
  ['untied', 'unowned'],
]);
const PLACED = new Map([['made', 'created']]);

type Fields = z.infer<typeof fields>;

function renamed(all: Fields, names: ReadonlyMap<string, string>): Fields {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** Leaves a value that is no object, which the schema of version 2 then refuses. */
function inFields(value: unknown, change: (all: Fields) => Fields): unknown {
  const { data } = fields.safeParse(value);
  return data === undefined ? value : change(data);
}
