import { expect, it } from 'vitest';
import { sampleJob } from '../../../../shared/testing/sampleJob.ts';
import { installFakeFerry } from '../../../state/testing/fakeFerry.ts';

installFakeFerry();
const { undoneBy } = await import('./KeepOld.tsx');

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
