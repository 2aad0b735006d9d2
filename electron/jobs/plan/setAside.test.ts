import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { statusOf } from '../testing/testFacts.ts';
import { setAsideFor } from './setAside.ts';

let walletsFolder: string;
beforeEach(() => {
  walletsFolder = mkdtempSync(join(tmpdir(), 'set-aside-'));
});
afterEach(() => rmSync(walletsFolder, { recursive: true }));

const asideOf = (name: string, onDisk: readonly string[]) =>
  setAsideFor(
    { status: statusOf({ walletsFolder, offline: true }), undoes: true, onDisk: [...onDisk], loaded: [] },
    name,
  );

function put(name: string, fixture: 'descriptor-hd' | 'legacy-hd', form: 'folder' | 'bare' = 'folder'): void {
  const place = join(walletsFolder, name);
  if (form === 'folder') mkdirSync(place);
  copyFileSync(fixtureFile(fixture), form === 'folder' ? join(place, 'wallet.dat') : place);
}

it('sets a migrated wallet aside with its companions, under names that are free', async () => {
  put('w', 'descriptor-hd');
  put('w_watchonly', 'descriptor-hd');
  expect(await asideOf('w', ['w', 'w_watchonly', 'w (migrated)'])).toEqual([
    { name: 'w', newName: 'w (migrated 2)' },
    { name: 'w_watchonly', newName: 'w (migrated 2)_watchonly' },
  ]);
});

it('sets a wallet aside that is a bare file', async () => {
  put('w.dat', 'descriptor-hd', 'bare');
  expect(await asideOf('w.dat', ['w.dat'])).toEqual([{ name: 'w.dat', newName: 'w.dat (migrated)' }]);
});

it('leaves a legacy wallet, and what is not there, where they are', async () => {
  put('w', 'legacy-hd');
  expect(await asideOf('w', ['w'])).toEqual([]);
  expect(await asideOf('gone', ['gone'])).toEqual([]);
});
