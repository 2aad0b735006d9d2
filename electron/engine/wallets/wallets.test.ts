import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../shared/testing/deferred.ts';
import { onUnix } from '../../files/testing/onUnix.ts';
import { cutOffChange } from '../../walletfile/testing/cutOffChange.ts';
import { engineForTest, putWallet } from '../testing/testEngine.ts';
import { workHere } from '../testing/workHere.ts';
import { makeTurns } from './wallets.ts';

onUnix('loads a wallet once, even under two names at the same time', async () => {
  let opened = 0;
  const work = workHere({
    open:
      (open) =>
      (...args) => {
        opened += 1;
        return open(...args);
      },
  });
  const test = await engineForTest({ work, copies: { one: 'descriptor-hd' } });
  mkdirSync(join(test.walletsFolder, 'other'));
  symlinkSync(join(test.walletsFolder, 'one', 'wallet.dat'), join(test.walletsFolder, 'other', 'wallet.dat'));
  const loads = await Promise.all([test.call('loadwallet', ['one']), test.call('loadwallet', ['other'])]);
  expect(loads.map(({ error }) => error?.code ?? 0).sort()).toEqual([-35, 0]);
  expect((await test.call('listwallets')).result).toHaveLength(1);
  expect(opened).toBe(1);
});

// SECURITY.md: A hostile wallet file
it('refuses a name that is longer than any path before it normalises the name', async () => {
  const test = await engineForTest();
  const normalised = vi.spyOn(posix, 'normalize');
  const name = '../'.repeat(200_000);
  for (const method of ['loadwallet', 'migratewallet'])
    expect((await test.call(method, [name])).error).toEqual({ code: -8, message: 'The name is too long.' });
  expect((await test.call('unloadwallet', [name])).error).toMatchObject({ code: -18 });
  expect(normalised).not.toHaveBeenCalledWith(name);
  normalised.mockRestore();
});

it('refuses a name with a part that no file system can hold', async () => {
  const test = await engineForTest({ copies: { one: 'descriptor-hd' } });
  const backup = join(test.walletsFolder, 'one', 'wallet.dat');
  const long = `a/${'ü'.repeat(128)}`;
  for (const [method, ...params] of [
    ['loadwallet', long],
    ['migratewallet', long],
    ['restorewallet', long, backup],
    ['renamewallet', 'one', 'x'.repeat(256)],
  ] as const)
    expect((await test.call(method, params)).error, method).toEqual({
      code: -8,
      message: 'The name is too long.',
    });
  expect((await test.call('restorewallet', ['x'.repeat(255), backup])).error).toBeNull();
});

it('loads, unloads and restores a wallet with a warning if it cannot write the settings', async () => {
  const test = await engineForTest({ copies: { one: 'descriptor-hd' } });
  const settings = join(test.dataFolder, 'regtest', 'settings.json');
  writeFileSync(settings, 'no longer JSON');
  const warnings = [expect.stringContaining('the settings file cannot be written')];
  const loaded = await test.call('loadwallet', ['one', true]);
  expect(loaded).toMatchObject({ error: null, result: { name: 'one', warnings } });
  expect(await test.call('listwallets')).toMatchObject({ result: ['one'] });
  expect(await test.call('unloadwallet', ['one', false])).toMatchObject({
    error: null,
    result: { warnings },
  });
  expect(await test.call('listwallets')).toMatchObject({ result: [] });
  const backup = join(test.walletsFolder, 'one', 'wallet.dat');
  const restored = await test.call('restorewallet', ['b', backup, true]);
  expect(restored).toMatchObject({ error: null, result: { name: 'b', warnings } });
  expect(existsSync(join(test.walletsFolder, 'b', 'wallet.dat'))).toBe(true);
  expect(readFileSync(settings, 'utf8')).toBe('no longer JSON');
});

// SECURITY.md: A hostile wallets folder
onUnix('finds a wallet’s journal next to the file that a link leads to', async () => {
  const test = await engineForTest();
  const { dataFolder } = test;
  const file = putWallet(dataFolder, 'elsewhere', 'descriptor-hd');
  mkdirSync(join(test.walletsFolder, 'linked'));
  symlinkSync(file, join(test.walletsFolder, 'linked', 'wallet.dat'));
  const { after, journal } = await cutOffChange(dataFolder);
  writeFileSync(file, after);
  writeFileSync(`${file}-journal`, journal);
  expect(await test.call('loadwallet', ['linked'])).toMatchObject({ error: null });
  expect(await test.call('getwalletinfo', [], '/wallet/linked')).toMatchObject({
    result: { private_keys_enabled: true },
  });
  expect(test.log()).toContain('[linked] Descriptors: 8, Descriptor Keys: 8 plaintext');
});

describe('makeTurns', () => {
  it('runs the work on one wallet in turn, in the order of the calls', async () => {
    const inTurn = makeTurns();
    const { promise: opened, resolve: open } = deferred();
    const done: string[] = [];
    const add = (name: string) => async () => void done.push(name);
    const works = [
      inTurn(['a'], () => opened.then(add('first'))),
      inTurn(['a', 'b'], add('second')),
      inTurn(['b'], add('third')),
      inTurn(['c'], add('other')),
    ];
    await works[3];
    expect(done).toEqual(['other']);
    open();
    await Promise.all(works);
    expect(done).toEqual(['other', 'first', 'second', 'third']);
  });

  it('continues after failed work, whose caller gets the error', async () => {
    const inTurn = makeTurns();
    const failed = inTurn(['a'], () => Promise.reject(new Error('no')));
    const next = inTurn(['a'], async () => 'done');
    await expect(failed).rejects.toThrow(new Error('no'));
    await expect(next).resolves.toBe('done');
  });
});
