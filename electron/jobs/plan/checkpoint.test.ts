import { describe, expect, it } from 'vitest';
import { checkpoint, findNewCompanions } from './checkpoint.ts';

it('reads a checkpoint of an earlier version, without the names on the disk', () => {
  const kept = {
    kind: 'migrate',
    name: 'w',
    loadedBefore: ['w_solvables'],
    gavePassphrase: false,
    encrypted: null,
    fileForProof: null,
    balanceBefore: null,
  };
  const read = checkpoint.parse(kept);
  if (read.kind !== 'migrate') throw new Error('It is another kind.');
  const isThere = () => true;
  expect(findNewCompanions(read, isThere)).toEqual({ watchonlyName: 'w_watchonly', solvablesName: null });
  const now = checkpoint.parse({ ...kept, onDiskBefore: ['w', 'w_watchonly'] });
  if (now.kind !== 'migrate') throw new Error('It is another kind.');
  expect(findNewCompanions(now, isThere).watchonlyName).toBeNull();
});

describe('the record of a placed copy', () => {
  const placed = {
    folder: '/wallets/w',
    file: '/wallets/w/wallet.dat',
    sha256: 'ab'.repeat(32),
    part: '.wallet-ferry-0123456789abcdef.part',
    within: { dev: '1', ino: '2' },
    created: null,
  };
  const accepts = (fields: object) =>
    checkpoint.safeParse({
      kind: 'restore-migrate',
      name: 'w',
      loadedBefore: [],
      gavePassphrase: false,
      encrypted: null,
      fileForProof: null,
      balanceBefore: null,
      backupFile: '/b',
      placed: { ...placed, ...fields },
    }).success;

  it('has a random name or none', () => {
    expect(accepts({})).toBe(true);
    expect(accepts({ part: undefined })).toBe(true);
  });

  // SECURITY.md: Another user who can write to a folder
  it.each(['./wallet.dat', 'wallet.dat', 'backup.bak', '', '../.wallet-ferry-0123456789abcdef.part'])(
    'is invalid with %j as its random name',
    (part) => {
      expect(accepts({ part })).toBe(false);
    },
  );

  it.each(['', 'ab'])('is invalid with the SHA-256 %j', (sha256) => {
    expect(accepts({ sha256 })).toBe(false);
  });
});
