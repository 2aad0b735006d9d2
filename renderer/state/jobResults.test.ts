import { expect, it } from 'vitest';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { jobsOfFile, resultInUse, undoneBy } from './jobResults.ts';

const migration = { started: 5, safetyCopy: null };
const result = { walletName: 'w', backupPath: '/engine/w/w-1700000000.legacy.bak' };
const restored = (change: object, started = 9) =>
  sampleJob({
    ...{ kind: 'restore', state: 'done', started },
    result: {
      ...{ kind: 'restore', walletName: 'w', walletKind: 'legacy', balance: null },
      backupFile: '/engine/w (migrated)/w-1700000000.legacy.bak',
      renamedWallets: [{ name: 'w', newName: 'w (migrated)' }],
      ...change,
    },
  });

it('finds the restore that gave the wallets of a migration other names, and where its backup went', () => {
  expect(undoneBy([restored({})], migration, result)?.backupFile).toContain('(migrated)');
});

it.each([
  ['one of before', restored({}, 4)],
  ['one of another backup', restored({ backupFile: '/engine/w/w-1800000000.legacy.bak' })],
  ['one beside the new wallets', restored({ renamedWallets: [] })],
  ['one that undid nothing', restored({ renamedWallets: undefined })],
  ['another migration', sampleJob({ started: 9 })],
])('is not taken in by %s', (_, other) => {
  expect(undoneBy([other], migration, result)).toBeNull();
});

it('knows the safety copy by its folder', () => {
  const path = '/app/safety copies/2026-11-22 w/wallet.dat';
  const file = { path, source: null, size: 1, sha256: 'a' };
  const copied = { ...migration, safetyCopy: { files: [file] } };
  expect(undoneBy([restored({ backupFile: path })], copied as never, result)).not.toBeNull();
  const other = restored({ backupFile: path.replace('22', '21') });
  expect(undoneBy([other], copied as never, result)).toBeNull();
});

const file = { path: '/stick/old.dat', size: 7, modified: 5 };
const copyOf = (path: string, size = 7) => ({ files: [{ path: '/copy', source: path, size, sha256: 'a' }] });
const migrated = (change: object = {}) =>
  sampleJob({
    ...{ kind: 'restore-migrate', state: 'done', started: 6, safetyCopy: copyOf(file.path) as never },
    result: { kind: 'migrate', ...result, watchonlyName: null, solvablesName: null, backupSeen: true },
    ...change,
  });
const restoredFile = restored({ backupFile: file.path, renamedWallets: undefined });

it.each([
  ['a migration that copied it first', migrated(), true],
  ['a restore', restoredFile, true],
  ['a job on another file', migrated({ safetyCopy: copyOf('/stick/other.dat') }), false],
  ['a job on a file of another size', migrated({ safetyCopy: copyOf(file.path, 8) }), false],
  ['a job from before its last change', migrated({ started: 4 }), false],
])('knows the jobs of a file: %s', (_, job, isIts) => {
  expect(jobsOfFile([job], file)).toEqual(isIts ? [job] : []);
});

it('names the last job that made a wallet of a file, unless it failed or was undone', () => {
  const failed = sampleJob({ state: 'failed', started: 7 });
  const done = migrated();
  expect(resultInUse([failed, done], [failed, done])).toBe(done);
  expect(resultInUse([restoredFile], [restoredFile])).toBe(restoredFile);
  expect(resultInUse([done], [restored({}), done])).toBeNull();
  expect(resultInUse([failed], [failed])).toBeNull();
});
