import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemError } from '../../files/fileError.ts';
import { onUnix } from '../../files/testing/onUnix.ts';
import { HAS_MODES } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { cutOffChange, JOURNAL_ENDINGS } from '../../walletfile/testing/cutOffChange.ts';
import { foreignNote, hasForeignWallets, reportFolder } from '../../walletfile/testing/foreignWallets.ts';
import { walletPath } from '../../walletfile/testing/wallets.ts';
import { engineForTest, type TestEngine, type TestOptions } from '../testing/testEngine.ts';
import { workHere } from '../testing/workHere.ts';

const backup = walletPath('descriptor-hd');
const legacyBackup = walletPath('legacy-hd');

describe('restorewallet', () => {
  let dataFolder: string;
  let test: TestEngine;

  beforeEach(() => {
    dataFolder = makeTestFolder();
  });

  async function start(options: TestOptions = {}) {
    test = await engineForTest(options, dataFolder);
  }

  it('makes an equal copy with the name, loads it, and does not change the backup', async () => {
    await start();
    const before = readFileSync(backup);
    expect(await test.call('restorewallet', ['a/b', backup])).toMatchObject({
      result: { name: 'a/b' },
      error: null,
    });
    const copy = join(test.walletsFolder, 'a', 'b', 'wallet.dat');
    expect(readFileSync(copy).equals(before)).toBe(true);
    expect(readFileSync(backup).equals(before)).toBe(true);
    if (HAS_MODES) expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(await test.call('listwallets')).toMatchObject({ result: ['a/b'] });
  });

  it('restores a file that is too large for memory, and then needs it no more', async () => {
    await start({ work: workHere({ onDisk: true }) });
    const own = join(dataFolder, 'backup.dat');
    cpSync(backup, own);
    expect((await test.call('restorewallet', ['large', own])).error).toBeNull();
    rmSync(own);
    expect(readFileSync(join(test.walletsFolder, 'large', 'wallet.dat'))).toEqual(readFileSync(backup));
    await test.call('restorewallet', ['small', backup]);
    const answers = await Promise.all(
      ['large', 'small'].map((name) => test.call('listdescriptors', [true], `/wallet/${name}`)),
    );
    const [large, small] = answers.map(({ result }) => Object(result).descriptors);
    expect(large).toEqual(small);
    expect(large).toHaveLength(8);
  });

  it('answers that a large file is restored although its new file cannot be opened at once', async () => {
    const usual = workHere({ onDisk: true });
    let reads = 0;
    const run: typeof usual.run = async (is, input, signals) => {
      if (is === 'read') reads += 1;
      if (is === 'read' && reads === 2) throw systemError('EBUSY');
      return usual.run(is, input, signals);
    };
    await start({ work: { ...usual, run } });
    expect((await test.call('restorewallet', ['large', backup])).error).toBeNull();
    expect(await test.call('listwallets')).toMatchObject({ result: ['large'] });
    expect(readFileSync(join(test.walletsFolder, 'large', 'wallet.dat'))).toEqual(readFileSync(backup));
  });

  it('says that a large backup changed meanwhile', async () => {
    const usual = workHere({ onDisk: true });
    const own = join(dataFolder, 'backup.dat');
    cpSync(backup, own);
    const run: typeof usual.run = async (is, input, signals) => {
      if (is === 'duplicate') appendFileSync(own, 'x');
      return usual.run(is, input, signals);
    };
    await start({ work: { ...usual, run } });
    const { error } = await test.call('restorewallet', ['large', own]);
    expect(error?.message).toMatch(/changed.* Nothing was left behind\./);
  });

  it('places no file that took the place of the written one', async () => {
    const usual = workHere();
    const run: typeof usual.run = async (is, input, signals) => {
      const answer = await usual.run(is, input, signals);
      if (is === 'duplicate' && 'path' in input) {
        writeFileSync(`${input.path}2`, 'other');
        renameSync(`${input.path}2`, input.path);
      }
      return answer;
    };
    await start({ work: { ...usual, run } });
    expect((await test.call('restorewallet', ['w', backup])).error?.message).toContain(
      'could not be written',
    );
    expect(existsSync(join(test.walletsFolder, 'w'))).toBe(false);
  });

  it('leaves no part of a refused wallet', async () => {
    await start();
    const cut = join(dataFolder, 'cut.dat');
    writeFileSync(cut, readFileSync(backup).subarray(0, 9000));
    const refusals = await Promise.all([
      test.call('restorewallet', ['x/y/z', cut]),
      test.call('restorewallet', ['legacy', legacyBackup]),
      test.call('restorewallet', ['none', join(dataFolder, 'nosuch')]),
      test.call('restorewallet', ['folder', dataFolder]),
    ]);
    expect(refusals.map(({ error }) => error?.code)).toEqual([-4, -18, -8, -4]);
    expect(readdirSync(test.walletsFolder).filter((name) => !name.includes('engine'))).toEqual([]);
    expect(await test.call('listwallets')).toMatchObject({ result: [] });
  });

  it('says that there is no backup when a node says so', async () => {
    await start();
    for (const path of ['', `${backup}/`, `${backup}\0`, join(dataFolder, 'nosuch')])
      expect((await test.call('restorewallet', ['new', path])).error, path).toEqual({
        code: -8,
        message: 'Backup file does not exist',
      });
  });

  it('refuses a wallet of another network', async () => {
    await start({ chain: 'signet' });
    expect(await test.call('restorewallet', ['x', backup])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('another network') },
    });
  });

  it.each(['../x', 'a/../../x', '/tmp/x', 'a\0b', 'C:/x'])('stays in its folder: %j', async (name) => {
    await start();
    expect(await test.call('restorewallet', [name, backup])).toMatchObject({ error: { code: -8 } });
  });

  it('never overwrites: a wallet, an empty folder or the unnamed wallet', async () => {
    await start();
    mkdirSync(join(test.walletsFolder, 'empty'));
    await test.call('restorewallet', ['a', backup]);
    for (const name of ['a', 'empty', '']) {
      expect(await test.call('restorewallet', [name, backup])).toMatchObject({ error: { code: -36 } });
    }
    expect(readdirSync(join(test.walletsFolder, 'empty'))).toEqual([]);
  });

  // SECURITY.md: A hostile wallets folder
  onUnix('writes nothing through a link out of the wallets folder', async () => {
    await start();
    const elsewhere = join(dataFolder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(test.walletsFolder, 'link'));
    expect(await test.call('restorewallet', ['link/x', backup])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('leads out of the wallets folder') },
    });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  // SECURITY.md: Another user who can write to a folder
  onUnix('writes nothing into a folder that replaced the wallets folder', async () => {
    await start();
    renameSync(test.walletsFolder, join(dataFolder, 'moved'));
    mkdirSync(test.walletsFolder);
    expect(await test.call('restorewallet', ['x', backup])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('is no longer the folder on which') },
    });
    expect(readdirSync(test.walletsFolder)).toEqual([]);
  });

  // SECURITY.md: A hostile wallets folder
  it.each(['.part', '.old', '.part/inner'])(
    'refuses a name that the engine keeps for its own files: %s',
    async (end) => {
      await start();
      for (const above of ['', 'x/']) {
        expect(
          await test.call('restorewallet', [`${above}.wallet-ferry-0123456789abcdef${end}`, backup]),
        ).toMatchObject({ error: { code: -8, message: expect.stringContaining('reserved for the engine') } });
      }
      expect(readdirSync(test.walletsFolder).filter((name) => name !== '.wallet-ferry-engine.lock')).toEqual(
        [],
      );
    },
  );

  it('restores one of several calls for the same name', async () => {
    await start();
    const answers = await Promise.all([1, 2, 3].map(() => test.call('restorewallet', ['same', backup])));
    expect(answers.map(({ error }) => error?.code ?? 0).sort()).toEqual([-36, -36, 0]);
  });

  it('loads the wallets of the startup list at the next start', async () => {
    await start();
    for (const [name, listed] of [
      ['yes', true],
      ['no', false],
      ['asis', null],
    ]) {
      await test.call('restorewallet', [name, backup, listed]);
    }
    await test.engine.stop();
    await start();
    expect(await test.call('listwallets')).toMatchObject({ result: ['yes'] });
    await test.call('unloadwallet', ['yes', false]);
    await test.engine.stop();
    await start();
    expect(await test.call('listwallets')).toMatchObject({ result: [] });
  });

  it('starts although a listed wallet is gone', async () => {
    mkdirSync(join(dataFolder, 'regtest'));
    writeFileSync(join(dataFolder, 'regtest', 'settings.json'), '{"wallet":["gone"]}');
    await start();
    expect(await test.call('listwallets')).toMatchObject({ result: [] });
    expect(test.log()).toContain('[gone] Not loaded at the start');
  });

  it.each([
    [23, true, { warning: '' }],
    [25, false, {}],
    [25, true, { warning: '' }],
    [28, true, { warnings: [expect.stringContaining('legacy wallet type is being deprecated')] }],
  ] as const)(
    'restores a legacy backup in release %i (with the deprecated field: %s)',
    async (release, field, rest) => {
      await start({ release, walletWarningField: field });
      const { result } = await test.call('restorewallet', ['old', legacyBackup]);
      expect(result).toEqual({ name: 'old', ...rest });
    },
  );

  it('logs the phases, and no other fact of the wallet', async () => {
    await start({ release: 28 });
    await test.call('restorewallet', ['old', legacyBackup]);
    expect(test.log()).toContain('Z init message: Loading wallet…\n');
    expect(test.log()).toMatch(/Z \[old\] Legacy Wallet Keys: 68 plaintext, 0 encrypted, 68 total\.\n/);
    expect(test.log()).toMatch(/Z \[old\] Wallet completed loading in +\d+ms\n/);
  });

  it.each(JOURNAL_ENDINGS)(
    'restores a wallet with the %s next to its file, as SQLite reads both',
    async (ending) => {
      await start();
      const { path, whole } = await cutOffChange(dataFolder, ending);
      expect(await test.call('restorewallet', ['new', path])).toMatchObject({ error: null });
      const restored = join(test.walletsFolder, 'new', 'wallet.dat');
      expect(readFileSync(restored).equals(readFileSync(whole))).toBe(true);
      expect(existsSync(`${restored}${ending}`)).toBe(false);
      expect(existsSync(`${path}${ending}`)).toBe(true);
    },
  );

  it.runIf(hasForeignWallets)(
    `restores a wallet with a stale journal without a warning${foreignNote}`,
    async () => {
      await start();
      const path = join(reportFolder('sqlite-stale-journal'), 'wallet.dat');
      const { error, result } = await test.call('restorewallet', ['new', path]);
      expect([error, result]).toEqual([null, { name: 'new' }]);
      const restored = join(test.walletsFolder, 'new', 'wallet.dat');
      expect(readFileSync(restored).equals(readFileSync(path))).toBe(true);
      expect(readdirSync(join(test.walletsFolder, 'new'))).not.toContain('wallet.dat-journal');
    },
  );

  it('loads a wallet with a journal that SQLite ignores, but none with an unreadable one', async () => {
    await start({ copies: { open: 'descriptor-hd' } });
    const journal = join(test.walletsFolder, 'open', 'wallet.dat-journal');
    writeFileSync(journal, Buffer.alloc(4096));
    expect(await test.call('loadwallet', ['open'])).toMatchObject({ error: null });
    await test.call('unloadwallet', ['open']);
    rmSync(journal);
    mkdirSync(journal);
    expect(await test.call('loadwallet', ['open'])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('Unreadable journal.') },
    });
  });

  it('does not load one file under two names', async () => {
    await start({ copies: { one: 'descriptor-hd' } });
    cpSync(join(test.walletsFolder, 'one'), join(test.walletsFolder, 'two'), { recursive: true });
    await test.call('loadwallet', ['one']);
    expect(await test.call('loadwallet', ['./one'])).toMatchObject({ error: { code: -35 } });
    expect(await test.call('loadwallet', ['two'])).toMatchObject({ error: null });
    expect(existsSync(join(test.walletsFolder, 'one', 'wallet.dat'))).toBe(true);
  });
});
