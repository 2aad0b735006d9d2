import { describe, expect, it } from 'vitest';
import { endedJob, migratedJob, sampleJob } from '../testing/sampleJob.ts';
import { sampleWallet } from '../testing/sampleWallet.ts';
import type { Job } from './job.ts';
import {
  backupsOfWallet,
  hasUnsavedKeys,
  NO_BACKUPS,
  needsNewBackup,
  newBackupOf,
  newBackupsOf,
  walletBackups,
} from './walletBackups.ts';

const { node: NODE } = sampleJob();

const backupsOf = (jobs: Job[], wallet: string) => walletBackups(jobs, NODE).get(wallet) ?? NO_BACKUPS;

describe('walletBackups', () => {
  it('asks for a backup of every wallet from a migration, and of no other', () => {
    const jobs = [migratedJob('savings')];
    expect(backupsOf(jobs, 'savings').isNeeded).toBe(true);
    expect(backupsOf(jobs, 'savings_watchonly').isNeeded).toBe(true);
    expect(backupsOf(jobs, 'savings_solvables')).toEqual(NO_BACKUPS);
    expect(backupsOf(jobs, 'other')).toEqual(NO_BACKUPS);
    // However the node spells it.
    expect(backupsOf(jobs, './savings/').isNeeded).toBe(true);
  });

  it.each([
    [
      'a legacy wallet that another program migrated',
      { kind: 'legacy', encrypted: false },
      'descriptor',
      false,
      false,
    ],
    [
      'a wallet that another program encrypted',
      { kind: 'descriptor', encrypted: false },
      'descriptor',
      true,
      false,
    ],
    ['the same wallet', { kind: 'descriptor', encrypted: true }, 'descriptor', true, true],
    ['a wallet that is not loaded now', { kind: 'legacy', encrypted: false }, 'unknown', null, true],
    ['a wallet of which the node said nothing', undefined, 'descriptor', true, true],
  ] as const)('knows whether the last backup has the keys of %s', (_, saved, kind, encrypted, hasThem) => {
    const job = endedJob('backup', 'savings');
    const result = {
      kind: 'backup',
      walletName: 'savings',
      proof: { seen: false, path: '/b' },
      saved,
    } as const;
    const all = walletBackups([{ ...job, result }], NODE);
    const backups = backupsOfWallet(all, { name: 'savings', kind, encrypted });
    expect(backups.lastFinished !== null).toBe(hasThem);
    expect(hasUnsavedKeys({ watchOnly: null }, backups)).toBe(!hasThem);
  });

  it.each([
    [1000, 2000, false],
    [1000, 1000, true],
    // Payments before the date of its keys.
    [1000, 900, true],
    // A copy of the closed file ended at 2.
    [undefined, 2000, false],
    [undefined, 2, true],
    [1000, undefined, true],
  ])('knows a wallet that Core made anew under its name: keys of %s, now of %s', (before, now, isIt) => {
    const saved = { kind: 'descriptor', encrypted: false, birthTime: before } as const;
    const proof = { seen: false, path: '/b' } as const;
    const result = { kind: 'backup', walletName: 'savings', proof, saved } as unknown as Job['result'];
    const all = walletBackups([endedJob('backup', 'savings', { result })], NODE);
    const listed = { ...sampleWallet({ name: 'savings' }), ...(now && { birthTime: now }) };
    const backups = backupsOfWallet(all, listed);
    expect(backups.lastFinished !== null).toBe(isIt);
    expect(hasUnsavedKeys(listed, backups)).toBe(!isIt);
  });

  const backupAt = (path: string, fields: object = {}, id = path) => {
    const proof = { seen: true, path, size: 1, sha256: 'a' } as const;
    const result = { kind: 'backup', walletName: 'savings', proof, ...fields } as unknown as Job['result'];
    return endedJob('backup', 'savings', { id, result });
  };

  it('counts no backup whose file is gone, but an older one that is still there', () => {
    const gone = backupAt('/gone', { fileNow: 'gone' });
    expect(backupsOf([gone], 'savings')).toEqual({ ...NO_BACKUPS, gonePath: '/gone' });
    const older = backupAt('/older');
    expect(backupsOf([gone, older], 'savings').lastFinished).toBe(older);
    expect(backupsOf([older, gone], 'savings').gonePath).toBeNull();
    const migrated = migratedJob('savings');
    expect(backupsOf([gone, migrated], 'savings')).toMatchObject({ isNeeded: true, createdBy: migrated });
  });

  it.each([
    ['a', 'a', false],
    [undefined, 'a', true],
    ['a', undefined, true],
  ])('says whether it was checked that the backup has all keys: %s, now %s', (then, keysId, unchecked) => {
    const saved = { kind: 'descriptor', encrypted: false, ...(then && { keysId: then }) };
    const all = walletBackups([backupAt('/b', { saved })], NODE);
    expect(backupsOfWallet(all, { name: 'savings', keysId }).unchecked).toBe(unchecked);
    expect(backupsOfWallet(walletBackups([backupAt('/b')], NODE), { name: 'savings', keysId })).toMatchObject(
      {
        unchecked: true,
      },
    );
    expect(backupsOfWallet(new Map(), { name: 'savings', keysId }).unchecked).toBe(false);
  });

  const countedKeys = [
    { keySources: 8, keysId: 'a' },
    { keySources: 9, keysId: 'b' },
    { keySources: 8, keysId: 'c' },
    { keySources: 0 },
    { keySources: 10, keysId: 'd' },
    { keySources: 9, keysId: 'a', scriptsId: 's' },
    { keySources: 9, keysId: 'a', scriptsId: 't' },
  ];
  it.each([
    ['has the same keys', 0, 0, { isNeeded: false, unchecked: false }],
    ['has further keys', 0, 1, { isNeeded: true }],
    ['has others', 0, 2, { isNeeded: true }],
    ['got its first', 3, 0, { isNeeded: true }],
    ['lost one', 1, 0, { isNeeded: false, unchecked: true, hasLost: true }],
    ['lost all', 0, 3, { isNeeded: false, unchecked: true, hasLost: true }],
    ['has scripts, of which an earlier version kept nothing', 0, 5, { isNeeded: false, unchecked: false }],
    ['has other scripts', 5, 6, { isNeeded: true }],
    ['lost its scripts', 5, 0, { isNeeded: false, unchecked: true, hasLost: true }],
    ['never had any', 3, 3, { isNeeded: false, unchecked: false }],
  ])(
    'offers the backup of a wallet that lost keys, but not if it has others: it %s',
    (_, then, now, {
      hasLost = false,
      ...found
    }: { isNeeded: boolean; unchecked?: boolean; hasLost?: boolean }) => {
      const backup = backupAt('/b', { saved: { kind: 'legacy', encrypted: false, ...countedKeys[then] } });
      const all = walletBackups([backup], NODE);
      const backups = backupsOfWallet(all, { name: 'savings', kind: 'legacy', ...countedKeys[now] });
      const counted = found.isNeeded ? null : backup;
      expect(backups).toMatchObject({ ...found, lastFinished: counted, lastTried: counted });
      expect(backups.fuller).toBe(hasLost ? backup : null);
    },
  );

  it('does not take a backup for enough that only the earlier passphrase opens', () => {
    const ids = { keySources: 8, keysId: 'a', passphraseId: 'p' };
    const backup = backupAt('/b', { saved: { kind: 'descriptor', encrypted: true, ...ids } });
    const all = walletBackups([backup], NODE);
    const now = (passphraseId?: string) => backupsOfWallet(all, { name: 'savings', ...ids, passphraseId });
    expect([now('p'), now('q'), now()].map(needsNewBackup)).toEqual([false, true, false]);
    expect(now('q')).toMatchObject({ lastFinished: backup, unchecked: false });
  });

  it('compares the descriptors that a node names if the app sees neither file', () => {
    const saved = { kind: 'descriptor', encrypted: false, descriptorsId: 'a' };
    const all = walletBackups([backupAt('/b', { saved })], NODE);
    const now = (descriptorsId?: string) => backupsOfWallet(all, { name: 'savings', descriptorsId });
    expect(now('a')).toMatchObject({ isNeeded: false, unchecked: false });
    expect(now('b')).toMatchObject({ isNeeded: true, lastFinished: null });
    expect(now()).toMatchObject({ isNeeded: false, unchecked: true });
  });

  it('finds the backup of a wallet that its owner renamed', () => {
    const backup = backupAt('/b', { saved: { kind: 'descriptor', encrypted: false, keysId: 'a' } });
    const all = walletBackups([backup, endedJob('backup', 'other')], NODE);
    const of = (name: string, keysId?: string) => backupsOfWallet(all, { name, keysId }).lastFinished;
    expect([of('renamed', 'a'), of('another', 'b'), of('unread')]).toEqual([backup, null, null]);
    expect(of('other', 'a')?.wallet).toBe('other');
  });

  it('keep naming the fuller backup once a wallet that lost keys is backed up again', () => {
    const at = (path: string, then: number) =>
      backupAt(path, { saved: { kind: 'legacy', encrypted: false, ...countedKeys[then] } });
    const all = walletBackups([at('/new', 0), at('/full', 1), at('/older', 0)], NODE);
    const wallet = { name: 'savings', kind: 'legacy', ...countedKeys[0] } as const;
    const backups = backupsOfWallet(all, wallet);
    expect(backups).toMatchObject({ unchecked: false, fuller: { result: { proof: { path: '/full' } } } });
    expect(needsNewBackup(backups)).toBe(false);
    const lacks = (...jobs: Job[]) => needsNewBackup(backupsOfWallet(walletBackups(jobs, NODE), wallet));
    expect(lacks(at('/full', 1))).toBe(true);
    const gone = { ...at('/full', 1), result: { ...at('/full', 1).result, fileNow: 'gone' } } as Job;
    expect(lacks(gone)).toBe(true);
    const left = (...jobs: Job[]) => backupsOfWallet(walletBackups(jobs, NODE), wallet);
    expect(left(at('/new', 0), gone)).toMatchObject({ fuller: null, fullerGone: gone });
    expect(left(gone, at('/older', 0))).toMatchObject({ fuller: null, fullerGone: gone });
    expect(left(gone, at('/fullest', 4)).fullerGone).toBeNull();
    // Neither of two fuller backups is of what the wallet has now.
    expect(lacks(at('/new', 1), at('/fullest', 4))).toBe(true);
  });

  it('offers the backup of a damaged wallet, whatever keys are left', () => {
    const backup = backupAt('/b', { saved: { kind: 'legacy', encrypted: false, ...countedKeys[0] } });
    const wallet = { name: 'savings', ...countedKeys[1], damagedFile: '/w' };
    const backups = backupsOfWallet(walletBackups([backup], NODE), wallet);
    expect(backups).toMatchObject({ isNeeded: false, unchecked: true, lastFinished: backup });
  });

  it('asks for one after a restore with migration, but not after a later restore under the name', () => {
    expect(backupsOf([migratedJob('old', { kind: 'restore-migrate' })], 'old').isNeeded).toBe(true);
    const createdBy = endedJob('restore', 'savings');
    const restored = [createdBy, endedJob('backup', 'savings'), migratedJob('savings')];
    expect(backupsOf(restored, 'savings')).toEqual({ ...NO_BACKUPS, createdBy });
  });

  it('knows a node by its wallets folder, where both are known', () => {
    const at = (port: number, walletsFolder: string, offline = false) => ({
      ...NODE,
      address: { ...NODE.address, port },
      walletsFolder,
      offline,
    });
    const isNeeded = (now: Parameters<typeof walletBackups>[1], node: Job['node'] = at(1, '/a')) =>
      walletBackups([migratedJob('w', { node })], now).get('w')?.isNeeded;
    // Another node took the port, and has a wallet of the same name.
    expect(isNeeded(at(1, '/b'))).toBeUndefined();
    expect(isNeeded({ ...at(1, '/a'), network: 'signet' })).toBeUndefined();
    // The offline engine has another port at each start.
    expect(isNeeded(at(2, '/engine', true), at(1, '/engine', true))).toBe(true);
    expect(isNeeded(at(1, '/a', true))).toBeUndefined();
    // A node on another machine.
    expect(isNeeded({ ...NODE, walletsFolder: null }, { ...NODE, walletsFolder: null })).toBe(true);
  });

  it('ignores other nodes and unfinished migrations', () => {
    const elsewhere = { ...NODE, address: { ...NODE.address, port: 1 } };
    expect([...walletBackups([migratedJob('savings')], elsewhere).values()]).toEqual([]);
    expect(backupsOf([migratedJob('savings', { state: 'failed' })], 'savings').isNeeded).toBe(false);
  });
});

describe('newBackupsOf', () => {
  const created = migratedJob('savings');
  const backups = ['savings', 'savings_watchonly'].map((name) => endedJob('backup', name));

  it('keeps a finished backup although a later try failed', () => {
    const failed = endedJob('backup', 'savings', { state: 'failed', id: 'failed' });
    expect(newBackupsOf(created, [failed, ...backups, created])).toEqual(backups);
  });

  it('takes no backup from before the job, or from after a later job created the wallet again', () => {
    expect(newBackupsOf(created, [created, ...backups])).toBeNull();
    const [lastFinished = null] = backups;
    const own = { ...NO_BACKUPS, createdBy: created, lastFinished };
    expect(newBackupOf(created, own)).toBe(lastFinished);
    expect(newBackupOf(created, { ...own, hasFewerKeys: true })).toBeNull();
    const later = migratedJob('savings', { id: 'later' });
    expect(newBackupsOf(created, [...backups, later, created])).toBeNull();
    expect(newBackupsOf(later, [...backups, later, created])).toEqual(backups);
  });
});
