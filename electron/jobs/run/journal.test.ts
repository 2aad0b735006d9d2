import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_LOG_LINES } from '../../../shared/model/job.ts';
import { oneLine } from '../../../shared/model/names/visibleText.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { sampleIdentity } from '../../../shared/testing/sampleNodeStatus.ts';
import { partPath, replaceFile } from '../../files/durableFile.ts';
import { systemError } from '../../files/fileError.ts';
import { failing } from '../../files/testing/failing.ts';
import { HAS_MODES, MODES_HOLD } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { createJournal, type JournalEntry, withCurrentNames } from './journal.ts';
import { MAX_SHOWN_LINE_LENGTH } from './watch.ts';

vi.mock('../../files/durableFile.ts', { spy: true });

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const ID = '6cc90648-2939-40a8-aa61-fc0646a1b869';

function entryOf(fields: Partial<JournalEntry['job']> = {}): JournalEntry {
  return {
    job: sampleJob({ id: ID, kind: 'restore', started: 100, ...fields }),
    checkpoint: { kind: 'restore', name: 'w', backupFile: '/b.bak' },
    sent: false,
    node: sampleIdentity({ walletsFolder: '/wallets' }),
    logMark: null,
  };
}

describe('createJournal', () => {
  it('reads an entry of an earlier version, which kept only the path of the wallets folder', async () => {
    const journal = createJournal(folder);
    const { node } = entryOf();
    journal.write(entryOf());
    const file = join(folder, `${ID}.json`);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"walletsFolderMark":null,', ''));
    expect(await readFile(file, 'utf8')).not.toBe(text);
    expect((await journal.read()).entries).toMatchObject([{ node }]);
  });

  it('reads why a comparison failed from the proof, unless a later try failed too', async () => {
    const journal = createJournal(folder);
    const error = (code: 'no_space' | 'busy') => ({ code, message: 'Why.', hint: '' });
    const notCompared = { scripts: null, labels: null, transactions: null, wallets: [] };
    const unknown = ['Addresses, labels and transactions: Why.', 'Balance unknown.'];
    const balance = { file: null, fileTime: null, before: null, after: null };
    const of = { verdict: 'partly' as const, differences: [], balance, error: error('no_space') };
    const proof = { ...notCompared, ...of, unknown };
    for (const [proofError, read] of [
      [undefined, error('no_space')],
      [error('busy'), error('busy')],
    ]) {
      journal.write(entryOf({ state: 'done', proof, ...(proofError && { proofError }) }));
      const job = (await journal.read()).entries[0]?.job;
      expect(job).toMatchObject({ proofError: read, proof: { unknown: ['Balance unknown.'] } });
    }
  });

  // Written by the version of 25 November 2026, which knew no interruptions: a restore with migration, and a backup.
  it('reads the jobs that an earlier version ran', async () => {
    await cp(fileURLToPath(new URL('../../../e2e/fixtures/journal', import.meta.url)), folder, {
      recursive: true,
    });
    // Git keeps no permissions: the app takes files of its own user alone.
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o600);
    const { entries, unreadable, newer } = await createJournal(folder).read();
    expect([unreadable, newer]).toEqual([[], []]);
    expect(entries.map(({ job }) => job)).toMatchObject([
      {
        state: 'done',
        kind: 'restore-migrate',
        wallet: 'old',
        node: { network: 'regtest', offline: true, walletsFolder: '/home/ana/wallets' },
        result: { walletName: 'old', watchonlyName: 'old_watchonly' },
        safetyCopy: { files: [{ path: expect.stringContaining('safety copies') }] },
        proof: { verdict: 'same', scripts: { before: 271, after: 271 }, labels: { missing: { total: 0 } } },
      },
      {
        state: 'done',
        kind: 'backup',
        wallet: 'old',
        result: { proof: { path: '/home/ana/new.dat', size: 262_144, seen: true } },
      },
    ]);
  });

  it('reads the last entry with its amounts, and the log separately', async () => {
    const journal = createJournal(join(folder, 'new', 'journal'));
    const balance = 2_099_999_997_690_000n;
    const result = { kind: 'restore', walletName: 'w', walletKind: 'legacy', balance } as const;
    journal.write(entryOf());
    journal.write({ ...entryOf({ state: 'done', result, log: ['one', 'two'] }), sent: true });
    const { entries } = await journal.read();
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ sent: true, job: { state: 'done', result, log: [] } });
    expect(await journal.logOf(ID)).toEqual(['one', 'two']);
  });

  it('reads a log with the most and the longest lines', async () => {
    const journal = createJournal(folder);
    const logOf = (filler: string) =>
      Array.from({ length: MAX_LOG_LINES }, (_, number) =>
        `${number} `.padEnd(MAX_SHOWN_LINE_LENGTH, filler),
      );
    journal.write(entryOf({ log: logOf('…') }));
    expect(await journal.logOf(ID)).toEqual(logOf('…'));
    journal.write(entryOf({ log: logOf('\u2028') }));
    expect(await journal.logOf(ID)).toEqual(logOf('\u2028').map(oneLine));
  });

  // SECURITY.md: Text that forges log lines
  it('keeps each log line as one line without control characters', async () => {
    createJournal(folder).write(entryOf({ log: ['[a\nb] \u001b[2J\u009b\u2028 done', 'two'] }));
    expect(await readFile(join(folder, `${ID}.log`), 'utf8')).toBe(
      '[a\\x0ab] \\x1b[2J\\x9b\\u2028 done\ntwo\n',
    );
  });

  it('reads the oldest entry first and leaves damaged ones', async () => {
    const journal = createJournal(folder);
    const other = '11111111-2939-40a8-aa61-fc0646a1b869';
    const third = '22222222-2939-40a8-aa61-fc0646a1b869';
    journal.write(entryOf({ started: 200 }));
    journal.write(entryOf({ id: other, started: 100 }));
    await writeFile(join(folder, `${third}.json`), '{"version":2,"job":');
    const { entries, unreadable } = await journal.read();
    expect(entries.map(({ job }) => job.id)).toEqual([other, ID]);
    expect(unreadable).toEqual([join(folder, `${third}.json`)]);
    expect(await readFile(join(folder, `${third}.json`), 'utf8')).toContain('version');
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut off', (bytes) => bytes.subarray(0, bytes.length - 9)],
    ['empty', () => Buffer.alloc(0)],
    ['of zeroes', (bytes) => Buffer.alloc(bytes.length)],
    ['of another shape', () => Buffer.from('{"version":2}')],
    ['of version 1 without its parts', () => Buffer.from('{"version":1,"operation":null}')],
    ['of a later version', (bytes) => Buffer.from(bytes.toString().replace('"version":2', '"version":3'))],
    ['of another job', (bytes) => Buffer.from(bytes.toString().replace(ID, ID.replace('6', '7')))],
    [
      'changed in one bit',
      (bytes) => Buffer.from(bytes.map((b, at) => (at === bytes.indexOf('/b.bak') ? b ^ 128 : b))),
    ],
  ])('reports an entry that is %s, and leaves it', async (_, damage) => {
    const journal = createJournal(folder);
    const file = join(folder, `${ID}.json`);
    journal.write(entryOf());
    const damaged = damage(await readFile(file));
    await writeFile(file, damaged);
    const { entries, unreadable, newer } = await journal.read();
    expect(entries).toEqual([]);
    expect([...unreadable, ...newer]).toEqual([file]);
    expect(await readFile(file)).toEqual(damaged);
  });

  it('distinguishes an entry of a newer version from a damaged one', async () => {
    const journal = createJournal(folder);
    journal.write(entryOf());
    const file = join(folder, `${ID}.json`);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"version":2', '"version":3'));
    await writeFile(join(folder, `${ID.slice(0, -1)}0.json`), '{"version":2}');
    const { unreadable, newer } = await journal.read();
    expect([newer, unreadable.length]).toEqual([[file], 1]);
  });

  it('reports a journal that it cannot read, but not a missing one', async () => {
    await writeFile(join(folder, 'journal'), '');
    const { unreadable } = await createJournal(join(folder, 'journal')).read();
    expect(unreadable).toEqual([join(folder, 'journal')]);
    expect((await createJournal(join(folder, 'none')).read()).unreadable).toEqual([]);
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.platform === 'win32')('ignores entries behind a link', async () => {
    const journal = createJournal(folder);
    journal.write(entryOf());
    await rename(join(folder, `${ID}.json`), join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, `${ID}.json`));
    expect((await journal.read()).entries).toEqual([]);
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.getuid?.() !== 0)('ignores entries of another user', async () => {
    const journal = createJournal(folder);
    journal.write(entryOf());
    await chown(join(folder, `${ID}.json`), 65_534, 65_534);
    const { entries, unreadable } = await journal.read();
    expect(entries).toEqual([]);
    expect(unreadable).toEqual([join(folder, `${ID}.json`)]);
    expect(await readdir(folder)).toEqual([`${ID}.json`]);
  });

  // SECURITY.md: A hostile wallets folder
  it.skipIf(process.platform === 'win32')('does not wait for a pipe in place of its own file', async () => {
    const pipes = [`${ID}.json`, `${ID}.log`].map((name) => join(folder, name));
    expect(spawnSync('mkfifo', pipes).status).toBe(0);
    const journal = createJournal(folder);
    expect((await journal.read()).entries).toEqual([]);
    expect(await journal.logOf(ID)).toEqual([]);
    journal.write(entryOf({ log: ['2026-11-22T10:00:00Z a'] }));
    expect((await journal.read()).entries).toMatchObject([{ job: { id: ID } }]);
  });

  it('writes files for this user only, and leaves no unfinished one', async () => {
    const own = join(folder, 'journal');
    createJournal(own).write(entryOf({ log: ['line'] }));
    const names = [`${ID}.json`, `${ID}.log`];
    expect((await readdir(own)).sort()).toEqual(names);
    if (!HAS_MODES) return;
    expect((await stat(own)).mode & 0o777).toBe(0o700);
    for (const name of names) expect((await stat(join(own, name))).mode & 0o777).toBe(0o600);
  });

  it('keeps the order of the jobs although the clock was moved back', async () => {
    const journal = createJournal(folder);
    const write = (at: number, started: number, number?: number) =>
      journal.write({ ...entryOf({ id: `${ID.slice(0, -1)}${at}`, started }), ...(number && { number }) });
    write(1, 900, 1);
    write(2, 500, 2);
    write(3, 600, 3);
    // Of an earlier version of the app.
    write(4, 100);
    write(5, 950);
    const { entries } = await journal.read();
    expect(entries.map(({ job }) => job.started)).toEqual([100, 900, 500, 600, 950]);
  });

  it('removes unfinished files of a crash, and nothing else', async () => {
    const journal = createJournal(folder);
    journal.write(entryOf());
    await writeFile(partPath(folder), '{"version":2');
    await writeFile(join(folder, 'notes.part'), 'mine');
    expect((await journal.read()).entries).toHaveLength(1);
    expect((await readdir(folder)).sort()).toEqual([`${ID}.json`, 'notes.part']);
  });

  it('throws if it cannot write', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const unwritable = expect.objectContaining({ code: 'journal_unwritable' });
    expect(() => createJournal(join(file, 'journal')).write(entryOf())).toThrow(unwritable);
    if (!MODES_HOLD) return;
    await chmod(folder, 0o500);
    expect(() => createJournal(folder).write(entryOf())).toThrow(unwritable);
  });

  it.each(['ENOSPC', 'EDQUOT'])('says that the disk is full (%s)', (code) => {
    vi.mocked(replaceFile).mockImplementationOnce(failing(systemError(code)));
    expect(() => createJournal(folder).write(entryOf())).toThrow('Not enough space in ');
  });

  it('reads no log of an id that leads elsewhere, or without a journal', async () => {
    await writeFile(join(folder, 'secret.log'), 'secret\n');
    const journal = createJournal(join(folder, 'journal'));
    expect(await journal.logOf('../secret')).toEqual([]);
    expect((await journal.read()).entries).toEqual([]);
  });
});

it.each([
  ['backup', 'destination', 'newBackup'],
  ['backup', 'backupFile', 'newBackup'],
  ['restore', 'backupFile', 'backupFile'],
  ['migrate', 'before', 'fileForProof'],
  ['restore-migrate', 'before', 'fileForProof'],
  ['rescue', 'before', 'fileForProof'],
])('reads a checkpoint of the kind %s with %s as %s', (kind, earlier, name) => {
  const entry = (field: string) => ({ version: 2, job: {}, checkpoint: { kind, name: 'w', [field]: '/b' } });
  expect(withCurrentNames(entry(earlier))).toEqual(entry(name));
  expect(withCurrentNames(entry(name))).toEqual(entry(name));
});

it('reads the earlier names in a job’s interruption and proof', () => {
  const entry = (interruption: object, wallet: object, balance: object) => ({
    version: 2,
    job: { interruption, proof: { wallets: [wallet], balance } },
    checkpoint: { kind: 'migrate' },
  });
  const earlier = entry({ backAs: 'w', unread: 2 }, { cutOff: true }, { standing: 'same', parts: {} });
  expect(withCurrentNames(earlier)).toEqual(
    entry({ restoredAs: 'w', skippedCopies: 2 }, { incomplete: true }, { change: 'same', split: {} }),
  );
});

describe('an entry of version 1', () => {
  const MARK = { dev: '1', ino: '2' };
  const RENAMED = [{ name: 'w', newName: 'w (migrated)' }];

  /** What the recorded restore with migration becomes, read with these changes to its JSON. */
  async function read(change: (entry: { operation: object; memory: object }) => object) {
    const name = '71f68ce9-703c-415f-a052-85607cc4cfc0.json';
    const recorded = fileURLToPath(new URL(`../../../e2e/fixtures/journal/${name}`, import.meta.url));
    const entry = JSON.parse(await readFile(recorded, 'utf8'));
    expect(entry.version).toBe(1);
    await writeFile(join(folder, name), JSON.stringify({ ...entry, ...change(entry) }), { mode: 0o600 });
    const { entries } = await createJournal(folder).read();
    expect(entries).toHaveLength(1);
    return entries[0];
  }

  const excluded = {
    transactions: { total: 1, shown: ['ab'] },
    addresses: { total: 2, shown: ['bc1qa', 'bc1qb'] },
  };
  const saved = {
    log: null,
    unclean: false,
    sealed: 0,
    saved: { keys: 1, derived: 0, seeds: 0, labels: 0, transactions: 0 },
    damaged: { keys: 0, others: 0 },
    missing: { keys: 0, chainKeys: 0, counter: false, masterKey: false },
  };
  const RESCUE = { ...saved, unread: 4, untied: 3, setAside: excluded, setAsideFile: '/l' };
  const UPGRADED_RESCUE = { ...saved, damagedTextKeys: 4, unowned: 3, excluded, excludedFile: '/l' };
  const restored = { kind: 'restore', walletName: 'w', walletKind: 'descriptor', balance: '1' };

  it('keeps all that is renamed under its new name', async () => {
    const moves = [{ from: '/a', to: '/b', mark: MARK }];
    const found = await read(({ operation }) => ({
      operation: {
        ...operation,
        line: 'lost',
        error: { code: 'crossing_running', message: 'a', hint: 'b' },
        result: { ...restored, setAside: RENAMED, undone: RENAMED, rescue: RESCUE },
      },
      memory: {
        kind: 'restore',
        name: 'w',
        backupFile: '/b',
        aside: moves,
        interrupted: RENAMED,
        setAside: RENAMED,
        mended: { path: '/m', rescue: RESCUE },
      },
    }));
    expect(found).toMatchObject({
      job: {
        connection: 'lost',
        error: { code: 'job_running', message: 'a', hint: 'b' },
        result: { movedWallets: RENAMED, renamedWallets: RENAMED, rescue: UPGRADED_RESCUE },
      },
      checkpoint: {
        kind: 'restore',
        moves,
        movedWallets: RENAMED,
        renamedWallets: RENAMED,
        repaired: { path: '/m', rescue: UPGRADED_RESCUE },
      },
    });
  });

  it.each([
    [
      { kind: 'rescue', rescue: RESCUE },
      { kind: 'rescue', rescue: UPGRADED_RESCUE },
    ],
    [{}, { placed: { created: { files: [{ ino: '2212839' }] } } }],
    [{ placed: null }, { placed: null }],
    [{ kind: 'restore', mended: { path: '/m', rescue: null } }, { repaired: { path: '/m', rescue: null } }],
  ])('keeps what the job remembers: %o', async (memory, checkpoint) => {
    const found = await read((entry) => ({ memory: { ...entry.memory, ...memory } }));
    expect(found).toMatchObject({ checkpoint });
  });

  it('keeps an error of another code', async () => {
    const error = { code: 'no_space', message: 'a', hint: 'b' } as const;
    const found = await read(({ operation }) => ({ operation: { ...operation, error } }));
    expect(found).toMatchObject({ job: { error } });
  });

  it('is written as version 2, with nothing lost', async () => {
    const before = await read(() => ({}));
    if (before === undefined) throw new Error('not read');
    const journal = createJournal(folder);
    journal.write(before);
    expect((await journal.read()).entries).toEqual([before]);
    const text = await readFile(join(folder, `${before.job.id}.json`), 'utf8');
    const written = { version: 2, job: { connection: 'ok' }, checkpoint: { name: 'old' } };
    expect(JSON.parse(text)).toMatchObject(written);
    expect(text).not.toMatch(/"(operation|memory|made)":\{|"line":/);
  });
});
