import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { onUnix } from '../../files/testing/onUnix.ts';
import { walletPath } from '../../walletfile/testing/wallets.ts';
import { engineForTest, putWallet, type TestEngine } from '../testing/testEngine.ts';
import { openEngineState } from '../wallets/engineState.ts';

describe('renamewallet', () => {
  let dataFolder: string;
  let test: TestEngine;

  beforeEach(async () => {
    test = await engineForTest({ release: 28, copies: { w: 'descriptor-hd' } });
    ({ dataFolder } = test);
  });

  const at = (...names: string[]) => join(test.walletsFolder, ...names);

  it('unloads the wallet, and renames its folder with everything in it', async () => {
    writeFileSync(at('w', 'w_1.legacy.bak'), 'kept');
    await test.call('loadwallet', ['w', true]);
    expect(await test.call('renamewallet', { wallet_name: 'w', new_name: 'w (migrated)' })).toEqual({
      result: { name: 'w (migrated)' },
      error: null,
      id: 1,
    });
    expect(existsSync(at('w'))).toBe(false);
    const before = readFileSync(walletPath('descriptor-hd'));
    expect(readFileSync(at('w (migrated)', 'wallet.dat')).equals(before)).toBe(true);
    expect(readFileSync(at('w (migrated)', 'w_1.legacy.bak'), 'utf8')).toBe('kept');
    expect(await test.call('listwallets')).toMatchObject({ result: [] });
    const settings = JSON.parse(readFileSync(join(dataFolder, 'regtest', 'settings.json'), 'utf8'));
    expect(settings.wallet).toEqual(['w (migrated)']);
    expect(await test.call('loadwallet', ['w (migrated)'])).toMatchObject({ error: null });
  });

  it('renames a bare file', async () => {
    writeFileSync(at('old.dat'), readFileSync(walletPath('legacy-hd')));
    expect(await test.call('renamewallet', ['old.dat', 'older.dat'])).toMatchObject({ error: null });
    expect(existsSync(at('old.dat'))).toBe(false);
    expect(existsSync(at('older.dat'))).toBe(true);
  });

  it('does not separate a bare file from its journal', async () => {
    writeFileSync(at('bare.dat'), readFileSync(walletPath('descriptor-hd')));
    writeFileSync(at('bare.dat-journal'), 'of it');
    const refusal = { error: { code: -4, message: expect.stringContaining('journal') } };
    expect(await test.call('renamewallet', ['bare.dat', 'other.dat'])).toMatchObject(refusal);
    expect(existsSync(at('bare.dat'))).toBe(true);
    rmSync(at('bare.dat-journal'));
    writeFileSync(at('other.dat-journal'), 'of another');
    expect(await test.call('renamewallet', ['bare.dat', 'other.dat'])).toMatchObject(refusal);
    // SQLite ignores a journal that begins with zeros, as every node leaves it.
    writeFileSync(at('other.dat-journal'), new Uint8Array(600));
    expect(await test.call('renamewallet', ['bare.dat', 'other.dat'])).toMatchObject({ error: null });
  });

  it.each([
    ['a name that is taken', ['w', 'other'], -36],
    ['a name that leads out', ['w', '../x'], -8],
    ['an old name that leads out', ['../w', 'x'], -8],
    ['another folder', ['w', 'x/w'], -8],
    ['a folder in itself', ['w', 'w/x'], -8],
    ['another spelling of a name', ['w', './x'], -8],
    ['the unnamed wallet', ['', 'x'], -8],
    ['no new name', ['w', ''], -8],
    ['a missing wallet', ['none', 'x'], -18],
    ['the engine’s own names', ['w', '.wallet-ferry-x'], -8],
    ['a wallet that contains others', ['outer', 'x'], -4],
  ])('refuses %s, and changes nothing', async (_, params, code) => {
    putWallet(test.walletsFolder, 'other', 'descriptor-hd');
    putWallet(test.walletsFolder, 'outer', 'descriptor-hd');
    putWallet(test.walletsFolder, 'outer/inner', 'descriptor-hd');
    putWallet(join(dataFolder, 'regtest'), 'w', 'descriptor-hd');
    await test.call('loadwallet', ['w']);
    expect(await test.call('renamewallet', params)).toMatchObject({ error: { code } });
    for (const name of ['w', 'other', 'outer', 'outer/inner'])
      expect(existsSync(at(name, 'wallet.dat'))).toBe(true);
    expect(await test.call('listwallets')).toMatchObject({ result: ['w'] });
  });

  it('refuses while a migration is unfinished', async () => {
    const journal = openEngineState(join(dataFolder, 'state'), test.walletsFolder).newJournal();
    writeFileSync(journal, '{}');
    expect(await test.call('renamewallet', ['w', 'x'])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('start the engine again') },
    });
    expect(existsSync(at('w', 'wallet.dat'))).toBe(true);
  });

  it('waits for a migration of the wallet', async () => {
    putWallet(test.walletsFolder, 'old', 'legacy-hd');
    const [migrated, renamed] = await Promise.all([
      test.call('migratewallet', ['old']),
      test.call('renamewallet', ['old', 'new']),
    ]);
    expect(migrated.error).toBeNull();
    expect(renamed.error).toBeNull();
    expect(readFileSync(at('new', 'wallet.dat')).subarray(0, 15).toString()).toBe('SQLite format 3');
  });

  onUnix('renames no link', async () => {
    mkdirSync(join(dataFolder, 'elsewhere'));
    putWallet(join(dataFolder, 'elsewhere'), 'x', 'descriptor-hd');
    symlinkSync(join(dataFolder, 'elsewhere', 'x'), at('link'));
    expect(await test.call('renamewallet', ['link', 'y'])).toMatchObject({ error: { code: -4 } });
    expect(existsSync(at('link'))).toBe(true);
  });
});
