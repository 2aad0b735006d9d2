import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { statusOf } from '../testing/testFacts.ts';
import { findUndoRenames } from './walletRenames.ts';

let walletsFolder: string;
beforeEach(() => {
  walletsFolder = makeTestFolder();
});

const undoRenames = (name: string, onDisk: readonly string[]) =>
  findUndoRenames(
    { status: statusOf({ walletsFolder, offline: true }), undoes: true, onDisk: [...onDisk], loaded: [] },
    name,
  );

function put(name: string, fixture: 'descriptor-hd' | 'legacy-hd', form: 'folder' | 'bare' = 'folder'): void {
  const place = join(walletsFolder, name);
  if (form === 'folder') mkdirSync(place);
  copyFileSync(fixtureFile(fixture), form === 'folder' ? join(place, 'wallet.dat') : place);
}

it('renames a migrated wallet and its companions to free names', async () => {
  put('w', 'descriptor-hd');
  put('w_watchonly', 'descriptor-hd');
  expect(await undoRenames('w', ['w', 'w_watchonly', 'w (migrated)'])).toEqual([
    { name: 'w', newName: 'w (migrated 2)' },
    { name: 'w_watchonly', newName: 'w (migrated 2)_watchonly' },
  ]);
});

it('renames a wallet that is a bare file', async () => {
  put('w.dat', 'descriptor-hd', 'bare');
  expect(await undoRenames('w.dat', ['w.dat'])).toEqual([{ name: 'w.dat', newName: 'w.dat (migrated)' }]);
});

it('renames neither a legacy wallet nor a missing one', async () => {
  put('w', 'legacy-hd');
  expect(await undoRenames('w', ['w'])).toEqual([]);
  expect(await undoRenames('gone', ['gone'])).toEqual([]);
});
