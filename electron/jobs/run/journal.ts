/** Keeps every job on the disk, so that no crash loses one. Reads what earlier versions of the app wrote, too. */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { AppError } from '../../../shared/model/errors.ts';
import { endOf, type Job, job, MAX_LOG_LINES } from '../../../shared/model/job.ts';
import { bigintAsText } from '../../../shared/model/money.ts';
import { oneLine } from '../../../shared/model/names/visibleText.ts';
import { type NodeIdentity, nodeIdentity } from '../../../shared/model/node.ts';
import { notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { logMark } from '../../bitcoind/log/logFollower.ts';
import { isPartName, replaceFile } from '../../files/durableFile.ts';
import { isDiskFull, systemCode } from '../../files/fileError.ts';
import { readOwnFile, readTextOrNull } from '../../files/openFile.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { type Checkpoint, checkpoint } from '../plan/checkpoint.ts';
import type { JournalRecords, NamedCopy } from '../safetyCopies/interruptions.ts';
import { MAX_SHOWN_LINE_LENGTH } from './watch.ts';

const entryShape = z.object({
  version: z.literal(2),
  job,
  checkpoint,
  /** Whether the call may have reached the node: written before it is sent. */
  sent: z.boolean(),
  /** What identifies the node. Earlier versions of the app kept only these two of it, and `job.node`. */
  node: z.optional(nodeIdentity),
  walletsFolder: z.nullable(z.string()),
  offline: z.boolean(),
  /** The end of the node's log before the call. */
  logMark: z.nullable(logMark),
  /** Counts the jobs, because a clock can be moved back. Absent in entries of earlier versions. */
  number: z.optional(z.int()),
});
export type JournalEntry = Omit<z.infer<typeof entryShape>, 'version' | 'walletsFolder' | 'offline'> & {
  readonly node: NodeIdentity;
};

export type Journal = ReturnType<typeof createJournal>;

/** Creates `folder` with the first entry. It has two files for each job: the entry, and the node's log lines. */
export function createJournal(folder: string) {
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const logFileOf = (id: string) => join(folder, `${id}.log`);
  return {
    /**
     * All entries in the order of their start. Leaves what it cannot use: `newer` has the paths of entries of a newer version of the
     * app, `unreadable` those of anything else: damaged files, links, files of other users, or the folder itself. Removes unfinished
     * files of a crash.
     */
    async read(): Promise<{ entries: JournalEntry[]; unreadable: string[]; newer: string[] }> {
      const unreadable: string[] = [];
      const newer: string[] = [];
      const names = await readdir(folder).catch((error) => {
        if (systemCode(error) !== 'ENOENT') unreadable.push(folder);
        return [];
      });
      for (const part of names.filter(isPartName))
        await rm(join(folder, part), { force: true }).catch(() => {});
      const entries = names
        .filter((name) => ENTRY.test(name))
        .flatMap((name) => {
          const path = join(folder, name);
          const entry = readEntry(path);
          // An entry with the id of another would be listed twice.
          if (entry && `${entry.job.id}.json` === name) return [entry];
          (isFromNewerVersion(path) ? newer : unreadable).push(path);
          return [];
        });
      return { entries: inOrder(entries), unreadable, newer };
    },
    /** When it returns, the entry is on the disk. Throws AppError `journal_unwritable`. */
    write(entry: JournalEntry): void {
      const { log, ...rest } = entry.job;
      const { walletsFolder, offline } = entry.node;
      const job = { ...rest, log: [], logLength: 0 };
      const whole = { version: 2 as const, walletsFolder, offline, ...entry, job };
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const text = JSON.stringify(z.encode(entryShape, whole));
        replaceFile(fileOf(rest.id), new TextEncoder().encode(`${text}\n`));
      } catch (error) {
        const [says, advice] = isDiskFull(systemCode(error))
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
      const text = readTextOrNull(logFileOf(id), MAX_LOG_SIZE) ?? '';
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
const MAX_LOG_SIZE = MAX_LOG_LINES * (MAX_SHOWN_LINE_LENGTH + 2) * 6;

/** Ignores errors, because the lines are also in the node's own log. */
function writeLog(file: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const text = `${lines.map(oneLine).join('\n')}\n`;
  try {
    // Writing to a pipe would wait until somebody reads it.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return;
    if (readTextOrNull(file, MAX_LOG_SIZE) !== text) writeFileSync(file, text, { mode: 0o600 });
  } catch {
    // The next change of the job tries again.
  }
}

function readEntry(file: string): JournalEntry | null {
  return orNull(() => {
    // Refuse invalid UTF-8, because a path with a changed byte is another path.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readOwnFile(file));
    const parsed = entryShape.parse(withCurrentNames(JSON.parse(text)));
    const { version: _, job, walletsFolder, offline, node, ...entry } = parsed;
    const { address, network } = job.node;
    const { proof } = job;
    const error = proof?.error;
    const unknown = {
      walletsFolderMark: null,
      release: null,
      reportedLogPath: null,
      started: null,
      startedSteady: null,
      listener: null,
    };
    return {
      ...entry,
      // Earlier versions kept the error of a first comparison only in the proof, there also as a sentence.
      job: {
        proofError: error,
        ...job,
        proof: proof && {
          ...proof,
          unknown: proof.unknown.filter((line) => !error?.message || !line.endsWith(error.message)),
        },
        node: { walletsFolder, offline, walletsFolderMark: node?.walletsFolderMark, ...job.node },
      },
      node: node ?? { address, network, walletsFolder, offline, ...unknown },
    };
  });
}

function isFromNewerVersion(file: string): boolean {
  return orNull(() => newerEntry.parse(JSON.parse(new TextDecoder().decode(readOwnFile(file))))) !== null;
}

const newerEntry = z.looseObject({ version: z.number().check(z.gt(2)) });

/** Keeps the entry of a running job up to date. `first` is in the journal already. */
export function createEntryWriter(first: JournalEntry, journal: Journal) {
  let entry = first;
  let kept = persistentText(first.job);
  return {
    /** Writes the job unless only its progress or log lines changed. Never throws. */
    update(job: Job): void {
      const text = persistentText(job);
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

function persistentText({ progress: _, log: __, logLength: ___, ...lasting }: Job): string {
  return JSON.stringify(lasting, bigintAsText);
}

/** Which wallets were interrupted, and which were restored. `jobs`: the newest first. */
export function interruptionsInJournal(jobs: readonly Job[]): JournalRecords {
  return {
    putBacks: jobs.flatMap(({ state, result }) => {
      if (state !== 'done' || (result?.kind !== 'restore' && result?.kind !== 'migrate')) return [];
      const movedPaths = (result.movedWallets ?? []).flatMap(({ path }) => path ?? []);
      return movedPaths.length === 0 ? [] : [{ walletName: result.walletName, movedPaths }];
    }),
    interrupted: jobs.flatMap(({ kind, state, wallet, node, interruption }) =>
      state === 'interrupted' && interruption
        ? [
            {
              mayDamage: kind === 'restore' || interruption.cause === 'cut-short',
              wallet,
              file: interruption.file,
              walletsFolder: node.walletsFolder ?? null,
              walletsFolderMark: node.walletsFolderMark ?? null,
              fileMark: interruption.fileMark,
              copies: interruption.copies.filter(({ isOther }) => !isOther),
            },
          ]
        : [],
    ),
    backups: jobs.flatMap(backupsIn),
  };
}

/** The files with the wallet of a finished job: the one that it saved, restored, or had a node make. */
function backupsIn(job: Job): NamedCopy[] {
  const { state, wallet, node, file, result, legacyBackup } = job;
  if (state !== 'done') return [];
  const of = { wallet, node, made: endOf(job) ?? undefined };
  if (result?.kind === 'backup' && result.proof.seen) return [{ ...of, ...result.proof, from: 'backup' }];
  return [
    ...(file === undefined
      ? []
      : [{ ...of, ...file, made: undefined, from: 'backup', isOrigin: true } as const]),
    ...(legacyBackup === undefined ? [] : [{ ...of, path: legacyBackup, from: 'legacy-backup' } as const]),
  ];
}

/**
 * The JSON of an entry with today's names and values, whatever version of the app wrote it. Anything else is returned unchanged, and
 * the schema then refuses it.
 */
export function withCurrentNames(entry: unknown): unknown {
  let current = entry;
  for (const [path, now, kind] of RENAMED) {
    current = changedAt(current, path.split('.'), (all, name) => {
      const { [name]: kept, ...others } = all;
      return kind === undefined || kind === all.kind ? { ...others, [now]: kept } : all;
    });
  }
  for (const [path, before, now] of REPLACED) {
    current = changedAt(current, path.split('.'), (all, name) =>
      all[name] === before ? { ...all, [name]: now } : all,
    );
  }
  return current;
}

const RESCUES = ['job.result.rescue', 'checkpoint.rescue', 'checkpoint.repaired.rescue'];

/** Each with its name today, and if it is the name in one kind of checkpoint only, that kind. The outer ones come first. */
const RENAMED: readonly (readonly [path: string, now: string, kind?: Checkpoint['kind']])[] = [
  // Version 1, until 26 November 2026.
  ['operation', 'job'],
  ['memory', 'checkpoint'],
  ['job.line', 'connection'],
  ['job.result.setAside', 'movedWallets'],
  ['job.result.undone', 'renamedWallets'],
  ['checkpoint.aside', 'moves'],
  ['checkpoint.interrupted', 'movedWallets'],
  ['checkpoint.mended', 'repaired'],
  ['checkpoint.setAside', 'renamedWallets'],
  ['checkpoint.placed.made', 'created'],
  ...RESCUES.flatMap((rescue): [string, string][] => [
    [`${rescue}.setAside`, 'excluded'],
    [`${rescue}.setAsideFile`, 'excludedFile'],
    [`${rescue}.untied`, 'unowned'],
  ]),
  // Renamed later, within version 2.
  ['node.logTold', 'reportedLogPath'],
  ['job.interruption.backAs', 'restoredAs'],
  ['job.proof.wallets.cutOff', 'incomplete'],
  ['job.interruption.unread', 'skippedCopies'],
  ['job.proof.balance.standing', 'change'],
  ['job.proof.balance.parts', 'split'],
  ...RESCUES.map((rescue): [string, string] => [`${rescue}.unread`, 'damagedTextKeys']),
  ['checkpoint.before', 'fileForProof'],
  ['checkpoint.destination', 'newBackup'],
  ['checkpoint.backupFile', 'newBackup', 'backup'],
];

const REPLACED: readonly (readonly [path: string, before: unknown, now: unknown])[] = [
  ['version', 1, 2],
  ['job.error.code', 'crossing_running', 'job_running'],
];

type Fields = Readonly<Record<string, unknown>>;

/** Changes the object that has the last name of the path, in each item of a list. Leaves a value without that name. */
function changedAt(
  value: unknown,
  path: readonly string[],
  change: (fields: Fields, name: string) => Fields,
): unknown {
  if (Array.isArray(value)) return value.map((each) => changedAt(each, path, change));
  const [name = '', ...rest] = path;
  if (!hasFields(value) || !(name in value)) return value;
  return rest.length === 0 ? change(value, name) : { ...value, [name]: changedAt(value[name], rest, change) };
}

function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
