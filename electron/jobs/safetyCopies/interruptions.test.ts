import fs, {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fixtureFile, sha256 } from '../../../e2e/testNode/walletFixture.ts';
import type { FolderMark } from '../../../shared/model/node.ts';
import type { SafetyCopy } from '../../../shared/model/safety.ts';
import { sampleNodeStatus } from '../../../shared/testing/sampleNodeStatus.ts';
import { interruptionWords } from '../../../shared/wording/interruptionWords.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { CAN_LINK, ON_WINDOWS } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { walletFile } from '../../walletfile/testing/wallets.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { BACKUP_TIME, type InterruptedState, writeInterrupted } from '../testing/interruptedStates.ts';
import { findInterruption, listedInterruption } from './interruptedSource.ts';
import { createInterruptions, type IncompleteWallet, type JournalRecords } from './interruptions.ts';

let wallets: string;
beforeEach(() => {
  wallets = makeTestFolder();
});

const MANY = 120;

/** Backups of the name “big”, a second after each other. `make` writes each. */
function writeBackups(from: number, make: (path: string) => void): void {
  for (let at = 0; at < MANY; at += 1) make(join(wallets, `big_${from + at}.legacy.bak`));
}

function withoutOneKey(bytes: Uint8Array): Uint8Array {
  const { records } = readBerkeley(bytes);
  const publicKey = records.find(({ key }) => Buffer.from(key).includes('\x03key'))?.key.subarray(5);
  return writeBerkeley(records.filter(({ key }) => !Buffer.from(key).includes(Buffer.from(publicKey ?? []))));
}

const ofAnother = (path: string) => cpSync(fixtureFile('legacy-hd'), path);

function find(file: string | null, known: IncompleteWallet['known'] = []) {
  const interruptions = createInterruptions({ work: walletWorkHere, copies: { list: async () => [] } });
  const place = { file, name: 'big', walletsFolder: wallets, network: 'regtest' } as const;
  return interruptions.find({ ...place, known, interruptedWork: 'migrating' }, new AbortController().signal);
}

const NOTHING_RECORDED: JournalRecords = { putBacks: [], interrupted: [], backups: [] };

describe('the whole copy of an incomplete wallet', () => {
  it('is found among many newer backups of another wallet', async () => {
    // This file has no keys to compare.
    const { file, backup } = writeInterrupted(wallets, 'empty-descriptor');
    writeBackups(BACKUP_TIME + 3600, ofAnother);
    const found = await find(file);
    expect(found?.copies[0]).toMatchObject({ path: backup });
  });

  it('is found among many newer files that hold no wallet', async () => {
    const { file, backup } = writeInterrupted(wallets, 'converting');
    rmSync(file);
    writeBackups(BACKUP_TIME + 3600, (path) => writeFileSync(path, new Uint8Array(8192)));
    const found = await find(null);
    expect(found?.copies).toMatchObject([{ path: backup }]);
    expect(found).not.toHaveProperty('skippedCopies');
  });

  it.runIf(CAN_LINK)('is found under the name of the folder to which the wallet links', async () => {
    const { file, backup } = writeInterrupted(wallets, 'converting');
    const target = join(makeTestFolder(), 'real place');
    renameSync(dirname(file), target);
    symlinkSync(target, dirname(file), 'junction');
    const renamed = join(wallets, `real place_${BACKUP_TIME}.legacy.bak`);
    renameSync(backup, renamed);
    expect((await find(file))?.copies).toMatchObject([{ path: renamed }]);
  });

  it('is the one of the job itself, although the incomplete file has other keys', async () => {
    // Two clients migrated the wallet at once, and release 29.3 made a seed for what they left.
    const { file } = writeInterrupted(wallets, 'converting');
    const path = join(wallets, 'copy.dat');
    ofAnother(path);
    const others = async (known: IncompleteWallet['known']) =>
      (await find(file, known))?.copies.flatMap((copy) => (copy.isOther ? copy.path : []));
    expect(await others([{ path, from: 'backup' }])).toEqual([path]);
    expect(await others([{ path, from: 'safety-copy' }])).toEqual([]);
    // The node's log may name that of another wallet.
    expect(await others([{ path, from: 'legacy-backup' }])).toEqual([path]);
  });

  it('is the node’s rather than the app’s of the same second, which is older', async () => {
    const { file, backup } = writeInterrupted(wallets, 'converting');
    const path = join(wallets, 'copy.dat');
    cpSync(backup, path);
    const first = async (made: number) =>
      (
        await find(file, [
          { path, from: 'safety-copy', made },
          { path: backup, from: 'legacy-backup' },
        ])
      )?.copies[0]?.path;
    // The node names its copy by whole seconds.
    expect(await first(BACKUP_TIME + 0.9)).toBe(backup);
    expect(await first(BACKUP_TIME - 0.1)).toBe(backup);
    expect(await first(BACKUP_TIME + 1)).toBe(path);
  });

  it('is found for a file outside of the node’s folder, whatever the network of the node', async () => {
    const { file, backup } = writeInterrupted(wallets, 'converting');
    const interruptions = createInterruptions({ work: walletWorkHere, copies: { list: async () => [] } });
    const node = sampleNodeStatus({ network: 'main', walletsFolder: makeTestFolder() });
    const source = { by: 'file', path: file } as const;
    const found = await findInterruption(node, { source }, interruptions, new AbortController().signal);
    expect(found?.copies).toMatchObject([{ path: backup }]);
  });

  it('is left to the user to find among too many files', async () => {
    const { file } = writeInterrupted(wallets, 'converting');
    const now = Date.now() / 1000;
    utimesSync(file, now, now);
    writeBackups(BACKUP_TIME + 1, ofAnother);
    const found = await find(file);
    expect(found?.copies.every(({ isOther }) => isOther)).toBe(true);
    expect(found?.skippedCopies).toBe(MANY + 1 - 100);
    expect(found && listedInterruption(found)).toEqual({ copies: 0, toRescue: file });
    expect(found && interruptionWords(found).hint).toContain(
      'Files not read: 21. Move unrelated files away.',
    );
  });
});

describe('the app’s own copy of a wallet of this name', () => {
  const REGTEST = { label: 'Bitcoin Core', network: 'regtest' } as const;
  let unproved: string[] = [];
  /** The paths of the copies that are offered, and of those that are marked as another wallet's. */
  async function offered(node: SafetyCopy['node'], source: string | null, file: string | null = null) {
    const path = join(makeTestFolder(), 'wallet.dat');
    ofAnother(path);
    const own = { path, source, size: 1, sha256: sha256(readFileSync(path)) };
    const copy: SafetyCopy = {
      id: '1',
      wallet: 'big',
      node,
      made: BACKUP_TIME + 60,
      how: 'copied',
      note: null,
      files: [own],
    };
    const found = await createInterruptions({
      work: walletWorkHere,
      copies: { list: async () => [copy] },
    }).find(
      { file, name: 'big', walletsFolder: wallets, network: 'regtest', interruptedWork: 'migrating' },
      new AbortController().signal,
    );
    unproved = found?.copies.flatMap((one) => (one.isUnproved ? 'own' : [])) ?? [];
    return found?.copies.map((one) => [one.path === path ? 'own' : one.path, one.isOther === true]);
  }

  it.each(['missing', 'empty-descriptor', 'format'] as const)(
    'counts as another wallet’s if it comes from another folder: %s',
    async (state) => {
      const { file, backup } = writeInterrupted(wallets, state === 'missing' ? 'converting' : state);
      if (state === 'missing') rmSync(file);
      const incomplete = state === 'missing' ? null : file;
      const isAnother = [
        [backup, false],
        ['own', true],
      ];
      expect(await offered({ ...REGTEST, walletsFolder: '/elsewhere' }, null, incomplete)).toEqual(isAnother);
      expect(await offered(REGTEST, '/elsewhere/big/wallet.dat', incomplete)).toEqual(isAnother);
    },
  );

  it('is offered first only if it comes from this folder, not from another disk at its path', async () => {
    const { file, backup } = writeInterrupted(wallets, 'converting');
    rmSync(file);
    const place = { ...REGTEST, walletsFolder: wallets };
    const walletsFolderMark = await folderMarkAt(wallets);
    expect(await offered({ ...place, walletsFolderMark }, null)).toEqual([
      ['own', false],
      [backup, false],
    ]);
    const isLast = [
      [backup, false],
      ['own', true],
    ];
    const onOtherDisk = { dev: '1', ino: '2', born: '3' };
    expect(await offered({ ...place, walletsFolderMark: onOtherDisk }, null)).toEqual(isLast);
    expect(unproved).toEqual([]);
    // A new mount may change the inode, and nothing else shows whether it is another disk.
    const withoutBirth = { ...onOtherDisk, born: null };
    expect(await offered({ ...place, walletsFolderMark: withoutBirth }, null)).toEqual(isLast);
    expect(unproved).toEqual(['own']);
    // A copy of an earlier version of the app.
    expect(await offered(place, null)).toEqual(isLast);
    expect(unproved).toEqual(['own']);
    expect(await offered(REGTEST, file)).toEqual(isLast);
    expect(unproved).toEqual(['own']);
  });

  it('is not taken from a job on another disk at this path', async () => {
    const { file, backup } = writeInterrupted(wallets, 'converting');
    rmSync(file);
    const copies = [{ path: fixtureFile('legacy-hd'), from: 'safety-copy' as const }];
    const place = { file: null, walletsFolder: wallets, wallet: 'big', mayDamage: false, copies };
    const findAfter = async (walletsFolderMark: FolderMark | null, walletsFolder = wallets) =>
      (
        await createInterruptions({
          work: walletWorkHere,
          copies: { list: async () => [] },
          recorded: async () => ({
            ...NOTHING_RECORDED,
            interrupted: [{ ...place, walletsFolder, walletsFolderMark }],
          }),
        }).find(
          {
            file: null,
            name: 'big',
            walletsFolder: wallets,
            network: 'regtest',
            interruptedWork: 'as-recorded',
          },
          new AbortController().signal,
        )
      )?.copies.map(({ path }) => path);
    expect(await findAfter({ dev: '1', ino: '2', born: '3' })).toEqual([backup]);
    expect(await findAfter(await folderMarkAt(wallets))).toEqual([copies[0]?.path, backup]);
    if (!CAN_LINK) return;
    const link = join(makeTestFolder(), 'link');
    symlinkSync(wallets, link, 'junction');
    expect(await findAfter(null, link)).toEqual([copies[0]?.path, backup]);
  });
});

describe('a copy without the name of its wallet', () => {
  const node = { label: 'Bitcoin Core', network: 'regtest' } as const;
  /** The offered copies of the wallet `big-broken`, which its owner renamed. */
  async function offered(records: Partial<JournalRecords> = {}, copies: readonly SafetyCopy[] = []) {
    const recorded = async () => ({ ...NOTHING_RECORDED, ...records });
    const all = createInterruptions({
      work: walletWorkHere,
      copies: { list: async () => [...copies] },
      recorded,
    });
    const file = join(wallets, 'big-broken', 'wallet.dat');
    const place = { file, name: 'big-broken', walletsFolder: wallets, network: 'regtest' } as const;
    const found = await all.find({ ...place, interruptedWork: 'as-recorded' }, new AbortController().signal);
    return found?.copies.map(({ path, isOther = false }) => [path, isOther]);
  }
  /** The wallet under its new name, and its only copy at a new path. */
  function rename(state: InterruptedState, path: string): void {
    const { file, backup } = writeInterrupted(wallets, state);
    renameSync(dirname(file), join(wallets, 'big-broken'));
    renameSync(backup, path);
    ofAnother(join(wallets, 'other_1795651099.legacy.bak'));
  }

  it.each(['big_1795651085.legacy.bak', 'big.old.bak'])('is found by its keys: %s', async (name) => {
    const path = join(wallets, name);
    rename('legacy-in-sqlite', path);
    expect(await offered()).toEqual([[path, false]]);
    // Among the wallets that have some of its keys, only those with all of them are this wallet.
    writeFileSync(path, withoutOneKey(readFileSync(path)));
    expect(await offered()).toEqual([]);
  });

  it('is found by its keys among the app’s copies and the backups in the journal', async () => {
    const path = join(makeTestFolder(), 'saved.dat');
    rename('converting', path);
    const file = { path, size: 1, sha256: sha256(readFileSync(path)) };
    const backup = { ...file, wallet: 'big', node, from: 'backup' } as const;
    expect(await offered({ backups: [backup] })).toEqual([[path, false]]);
    expect(await offered({ backups: [{ ...backup, sha256: sha256(Buffer.from('changed since')) }] })).toEqual(
      [],
    );
    const own = { ...file, source: null };
    const copy = { id: '1', wallet: 'big', made: 1, how: 'copied' as const, note: null };
    expect(await offered({}, [{ ...copy, node, files: [own] }])).toEqual([[path, false]]);
  });

  // Windows may give a new file the birth of another, so its births do not count.
  it.skipIf(ON_WINDOWS)('is found by the mark of the interrupted job’s file without keys', async () => {
    const path = join(wallets, 'elsewhere.dat');
    rename('empty-descriptor', path);
    const fileMark = (await folderMarkAt(join(wallets, 'big-broken', 'wallet.dat'))) ?? undefined;
    const job = { mayDamage: false, wallet: 'big', file: join(wallets, 'big', 'wallet.dat') };
    const copies = [{ path, from: 'legacy-backup' as const }];
    const place = { walletsFolder: wallets, walletsFolderMark: null, copies };
    expect(await offered({ interrupted: [{ ...job, ...place }] })).toEqual([]);
    const withMark = (mark = fileMark) => offered({ interrupted: [{ ...job, ...place, fileMark: mark }] });
    expect(await withMark()).toEqual([[path, false]]);
    // A new file may get the inode of a removed one, and on some systems a copy gets the time of its original.
    for (const other of [{ born: '1' }, { born: null }, { ino: '1' }])
      expect(await withMark(fileMark && { ...fileMark, ...other })).toEqual([]);
  });

  it('is the backup in the journal of this folder, unless the wallet was restored since', async () => {
    const path = join(makeTestFolder(), 'saved.dat');
    rename('empty-descriptor', path);
    const here = { ...node, walletsFolder: wallets, walletsFolderMark: await folderMarkAt(wallets) };
    const backup = { path, wallet: 'big-broken', node: here, from: 'backup' } as const;
    expect(await offered({ backups: [backup] })).toEqual([[path, false]]);
    const origin = { ...backup, path: fixtureFile('legacy-hd'), isOrigin: true };
    expect(await offered({ backups: [origin, backup] })).toEqual([
      [origin.path, false],
      [path, true],
    ]);
  });
});

it.runIf(canLockAsNode)(
  'an undamaged wallet that was not closed counts as whole only if it is open itself, not if its neighbour is',
  async () => {
    await lockAsNode(join(wallets, '.walletlock'));
    const interruptions = createInterruptions({ work: walletWorkHere, copies: { list: async () => [] } });
    const isWhole = (name: string, bytes: Uint8Array) => {
      writeFileSync(join(wallets, name), bytes);
      return interruptions.isWhole(join(wallets, name), new AbortController().signal);
    };
    const whole = readFileSync(fixtureFile('legacy-hd'));
    // The number that a page gets in the log (`lsn`) is reset as Bitcoin Core closes the file.
    const open = Buffer.from(whole);
    open.writeUInt32LE(7, 5 * 4096);
    expect(await isWhole('wallet.dat', open)).toBe(true);
    expect(await isWhole('bare.dat', open)).toBe(false);
    const damaged = Buffer.from(whole).fill(0, 5 * 4096, 9 * 4096);
    expect(await isWhole('wallet.dat', damaged)).toBe(false);
    // Where a container hides locks, the log of its database may also be left by a killed node.
    mkdirSync(join(wallets, 'killed', 'database'), { recursive: true });
    writeFileSync(join(wallets, 'killed', 'database', 'log.0000000001'), '');
    const read = vi.spyOn(fs, 'readlinkSync').mockReturnValue('pid:[4026532201]');
    syncBuiltinESMExports();
    try {
      expect(await isWhole(join('killed', 'wallet.dat'), open)).toBe(false);
    } finally {
      read.mockRestore();
      syncBuiltinESMExports();
    }
  },
);

describe('a wallet without its file', () => {
  const findIn = (name: string) =>
    createInterruptions({ work: walletWorkHere, copies: { list: async () => [] } }).find(
      { file: null, name, walletsFolder: wallets, network: 'regtest', interruptedWork: 'as-recorded' },
      new AbortController().signal,
    );
  /** The backup of a legacy wallet, and its watch-only wallet as the app's own migration makes it. */
  async function writeMigrated(bytes: Uint8Array): Promise<void> {
    writeFileSync(join(wallets, `w_${BACKUP_TIME}.legacy.bak`), bytes);
    const { watchonly } = await migrateWallet({ bytes, network: 'regtest', name: 'w', now: BACKUP_TIME });
    mkdirSync(join(wallets, 'w_watchonly'));
    writeFileSync(join(wallets, 'w_watchonly', 'wallet.dat'), watchonly?.bytes ?? '');
  }

  it('is migrated if it only watched and its new wallet has all its scripts', async () => {
    // As a blank wallet of release 29 with imported addresses, which has no flag.
    const { records } = readBerkeley(walletFile('legacy-nokeys'));
    await writeMigrated(writeBerkeley(records.filter(({ key }) => !Buffer.from(key).includes('flags'))));
    expect(await findIn('w')).toBeNull();
    writeFileSync(join(wallets, 'w_watchonly', 'wallet.dat'), readFileSync(fixtureFile('descriptor-hd')));
    expect(await findIn('w')).toMatchObject({ cause: 'missing', copies: [{ from: 'legacy-backup' }] });
  });

  it('is interrupted if its keys are in no new wallet', async () => {
    await writeMigrated(walletFile('legacy-watchonly'));
    expect(await findIn('w')).toMatchObject({ cause: 'missing', copies: [{ from: 'legacy-backup' }] });
  });
});

describe('the legacy wallet of a restore that was cut short', () => {
  const findAsRecorded = (file: string, interrupted: JournalRecords['interrupted']) =>
    createInterruptions({
      work: walletWorkHere,
      copies: { list: async () => [] },
      recorded: async () => ({ ...NOTHING_RECORDED, interrupted }),
    }).find(
      { file, name: 'w', walletsFolder: wallets, network: 'regtest', interruptedWork: 'as-recorded' },
      new AbortController().signal,
    );
  const inFolder = (file: string) => ({
    file,
    mayDamage: true,
    walletsFolder: wallets,
    walletsFolderMark: null,
  });
  /** The wallet's file as a killed node leaves it: its last page was not closed. */
  function writeUnclean(): string {
    const bytes = new Uint8Array(readFileSync(fixtureFile('legacy-hd')));
    new DataView(bytes.buffer).setUint32(bytes.length - 8192, 5, true);
    const file = join(wallets, 'w', 'wallet.dat');
    mkdirSync(join(wallets, 'w'));
    writeFileSync(file, bytes);
    return file;
  }

  it('can be put back from the backup that the journal names', async () => {
    const file = writeUnclean();
    const copies = [{ path: fixtureFile('legacy-hd'), from: 'backup' as const }];
    const found = await findAsRecorded(file, [{ ...inFolder(file), wallet: 'w', copies }]);
    expect(found).toMatchObject({ cause: 'cut-short', copies });
  });

  it('is not offered a backup if the journal knows of no restore', async () => {
    const other = { ...inFolder(join(wallets, 'other')), wallet: 'other', copies: [] };
    expect(await findAsRecorded(writeUnclean(), [other])).toBeNull();
  });
});
