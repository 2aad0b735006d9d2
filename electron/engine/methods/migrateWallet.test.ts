/** The engine's part of a migration: names, backup, files and log. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { deferred } from '../../../shared/testing/deferred.ts';
import { moveFile } from '../../files/durableFile.ts';
import { sha256Of } from '../../files/hash.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { onUnix } from '../../files/testing/onUnix.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { startsLikeSqlite } from '../../walletfile/database/fileStart.ts';
import { companionPrefix } from '../../walletfile/migrate/companionNames.ts';
import { walletPath } from '../../walletfile/testing/wallets.ts';
import { engineForTest, putWallet, type TestEngine, type TestOptions } from '../testing/testEngine.ts';
import { type Replacements, workHere } from '../testing/workHere.ts';
import type { Work } from '../wallets/work.ts';

vi.mock('../../files/durableFile.ts', { spy: true });

const legacy = readFileSync(walletPath('legacy-hd'));
const descriptor = readFileSync(walletPath('descriptor-hd'));
const other = readFileSync(walletPath('descriptor-encrypted'));

const migrator = (migrate: NonNullable<Replacements['migrate']>): Work => workHere({ migrate });

type MigrationTask = Parameters<NonNullable<Replacements['migrate']>>[0];

/** Writes a file for the primary wallet, and one for the watch-only wallet unless null. */
function write({ name, files }: MigrationTask, primary: Buffer | null, watchonly: Buffer | null = null) {
  if (primary) writeFileSync(files.primary, primary);
  if (watchonly) writeFileSync(files.watchonly, watchonly);
  return {
    primary: primary && { name, sha256: sha256Of(primary) },
    watchonly: watchonly && { name: `${companionPrefix(name)}_watchonly`, sha256: sha256Of(watchonly) },
    solvables: null,
  };
}

const three = migrator(async (task) => {
  expect(readFileSync(task.file.path).equals(legacy)).toBe(true);
  return write(task, descriptor, other);
});

describe('migratewallet', () => {
  let dataFolder: string;
  let test: TestEngine;

  beforeEach(() => {
    dataFolder = makeTestFolder();
    vi.mocked(moveFile).mockReset();
  });

  async function start(options: TestOptions = {}) {
    test = await engineForTest({ copies: { old: 'legacy-hd' }, work: three, ...options }, dataFolder);
  }

  /** Everything in the wallets folder but the engine's lock. */
  function files(): string[] {
    return readdirSync(test.walletsFolder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.includes('engine.lock'))
      .map((path) => path.replaceAll(sep, '/'))
      .sort();
  }

  function backupPath(result: unknown): string {
    if (typeof result !== 'object' || result === null || !('backup_path' in result))
      throw new Error('no backup');
    return String(result.backup_path);
  }

  it.each([
    [25, /^old-\d{10}\.legacy\.bak$/, 'old'],
    [28, /^old_\d{10}\.legacy\.bak$/, 'old'],
    [30, /^old_\d{10}\.legacy\.bak$/, 'wallets'],
  ] as const)('writes the backup where release %i does', async (release, name, folder) => {
    await start({ release });
    const { result, error } = await test.call('migratewallet', ['old']);
    expect(error).toBeNull();
    expect(result).toMatchObject({ wallet_name: 'old', watchonly_name: 'old_watchonly' });
    expect(Object.keys(Object(result))).not.toContain('solvables_name');
    const backup = backupPath(result);
    expect(basename(backup)).toMatch(name);
    expect(basename(dirname(backup))).toBe(folder);
    expect(readFileSync(backup).equals(legacy)).toBe(true);
    expect(readFileSync(join(test.walletsFolder, 'old', 'wallet.dat')).equals(descriptor)).toBe(true);
    expect(readFileSync(join(test.walletsFolder, 'old_watchonly', 'wallet.dat')).equals(other)).toBe(true);
    expect(await test.call('listwallets')).toMatchObject({ result: ['old', 'old_watchonly'] });
    expect(files().filter((path) => path.includes('.wallet-ferry'))).toEqual([]);
  });

  it.each([
    ['old_watchonly', other],
    ['old', Buffer.from('another')],
  ])(
    'finishes on a disk that renumbers what is moved, with the same content only: %s',
    async (name, moved) => {
      await start();
      vi.mocked(moveFile).mockImplementation((from, to) => {
        if (basename(to) !== 'wallet.dat') return renameSync(from, to);
        rmSync(from);
        writeFileSync(to, moved);
      });
      const { error } = await test.call('migratewallet', ['old']);
      expect(error).toEqual(moved === other ? null : expect.anything());
      const file = readFileSync(join(test.walletsFolder, name, 'wallet.dat'));
      expect(file.equals(moved === other ? other : legacy)).toBe(true);
    },
  );

  // As 29.3, 30.0 and 31.0 do.
  it.each([
    [true, ['old', 'old_watchonly']],
    [null, ['old_watchonly']],
  ])(
    'adds the new watch-only wallet to the startup list if the old one was loaded with load_on_startup %j',
    async (listed, names) => {
      await start({ release: 28 });
      await test.call('loadwallet', ['old', listed]);
      expect(await test.call('migratewallet', [], '/wallet/old')).toMatchObject({ error: null });
      const { wallet } = JSON.parse(readFileSync(join(dataFolder, 'regtest', 'settings.json'), 'utf8'));
      expect(wallet).toEqual(names);
    },
  );

  it('logs its phases in a node’s order', async () => {
    await start();
    await test.call('migratewallet', ['old']);
    const phases = [
      `copied ${join(test.walletsFolder, 'old', 'wallet.dat')} to `,
      '[old] Migrating wallet storage database from BerkeleyDB to SQLite.',
      '[old] Making a new watchonly wallet containing the watched scripts',
      '[old] Wallet migration complete.',
      'init message: Loading wallet…',
    ];
    const places = phases.map((phase) => test.log().indexOf(`Z ${phase}`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  });

  it('migrates the unnamed wallet in its place, and no other wallet', async () => {
    await start({ copies: { other: 'legacy-hd' } });
    cpSync(walletPath('legacy-hd'), join(test.walletsFolder, 'wallet.dat'));
    const { result } = await test.call('migratewallet', ['']);
    expect(result).toMatchObject({ wallet_name: '', watchonly_name: 'default_wallet_watchonly' });
    expect(basename(backupPath(result))).toMatch(/^default_wallet_\d+\.legacy\.bak$/);
    expect(files()).toEqual(
      [
        'default_wallet_watchonly',
        'default_wallet_watchonly/wallet.dat',
        basename(backupPath(result)),
        'other',
        'other/wallet.dat',
        'wallet.dat',
      ].sort(),
    );
  });

  it('refuses the path of a file in a wallet’s folder, and a bare SQLite file', async () => {
    await start({ release: 28 });
    cpSync(walletPath('descriptor-hd'), join(test.walletsFolder, 'bare.dat'));
    const before = files();
    const invalid = "Wallet file verification failed. Invalid -wallet path 'old/wallet.dat'.";
    expect((await test.call('loadwallet', ['old/wallet.dat'])).error).toMatchObject({
      code: -4,
      message: expect.stringContaining(invalid),
    });
    expect((await test.call('migratewallet', ['old/wallet.dat'])).error).toMatchObject({
      code: -4,
      message: expect.stringContaining('is a file, not a folder. Nothing was changed.'),
    });
    expect((await test.call('renamewallet', ['old/wallet.dat', 'old/new.dat'])).error?.code).toBe(-18);
    expect((await test.call('loadwallet', ['bare.dat'])).error).toMatchObject({
      code: -18,
      message: expect.stringContaining('Data is not in recognized format.'),
    });
    expect(files()).toEqual(before);
  });

  it('turns a bare file into a folder', async () => {
    await start({ copies: {} });
    cpSync(walletPath('legacy-hd'), join(test.walletsFolder, 'old.dat'));
    expect(await test.call('migratewallet', ['old.dat'])).toMatchObject({
      result: { wallet_name: 'old.dat' },
    });
    expect(readFileSync(join(test.walletsFolder, 'old.dat', 'wallet.dat')).equals(descriptor)).toBe(true);
  });

  it('names the watch-only wallet if no key is left for the main one', async () => {
    const work = migrator(async (task) => write(task, null, other));
    await start({ work });
    const { result } = await test.call('migratewallet', ['old']);
    expect(result).toEqual({ wallet_name: 'old_watchonly', backup_path: expect.any(String) });
    expect(existsSync(join(test.walletsFolder, 'old', 'wallet.dat'))).toBe(false);
    expect(readFileSync(backupPath(result)).equals(legacy)).toBe(true);
  });

  describe('changes nothing', () => {
    async function refused(code: number, words: string) {
      const before = files();
      const answer = await test.call('migratewallet', ['old']);
      expect(answer).toMatchObject({
        result: null,
        error: { code, message: expect.stringContaining(words) },
      });
      expect(files()).toEqual(before);
      expect(readFileSync(join(test.walletsFolder, 'old', 'wallet.dat')).equals(legacy)).toBe(true);
    }

    it.each(['wrong_passphrase', 'wallet_unlock_needed'] as const)('on %s', async (code) => {
      await start({
        work: migrator(() => Promise.reject(new AppError(code, 'It is locked.', 'Nothing changed.'))),
      });
      await refused(-4, 'Wallet decryption failed');
      // These lines show in a node's log that the passphrase was wrong.
      expect(test.log()).toMatch(/\[old\] (Legacy Wallet )?Keys: \d+ plaintext, \d+ encrypted, \d+ total\./);
      expect(test.log()).not.toContain('Migrating wallet storage');
    });

    it('if the proof of the migration fails', async () => {
      const failed = new AppError('wallet_error', 'Two scripts would be lost.', 'Nothing was changed.');
      await start({ work: migrator(() => Promise.reject(failed)) });
      await refused(-4, 'Error: Two scripts would be lost.');
    });

    it.each([
      ['before the proof', true],
      ['after it', false],
    ])('if SQLite finds a fault in a new wallet: told %s', async (_, early) => {
      const faulty = Buffer.from(descriptor);
      // The number of free pages.
      faulty[39] = 7;
      const work = migrator(async (task, onWritten) => {
        const migrated = write(task, faulty);
        if (early) onWritten('primary');
        return migrated;
      });
      await start({ work });
      await refused(-4, 'Error: ');
    });

    it.runIf(canLockAsNode).each([
      ['before', 'and is small', 'Unable to obtain an exclusive lock'],
      ['before', 'and is large', 'Unable to obtain an exclusive lock'],
      ['during', 'and is small', 'Another program used or changed'],
      ['at the end of', 'and is small', 'Another program used or changed'],
    ])('if another program locks it %s the migration, %s', async (when, size, words) => {
      const lockFile = join(dataFolder, 'regtest', 'wallets', 'old', '.walletlock');
      const usual = migrator(async (task) => {
        if (when === 'during') {
          // The engine looks for locks as soon as the task has started.
          await nextTurn();
          await lockAsNode(lockFile);
        }
        return write(task, descriptor);
      });
      const run: Work['run'] = async (is, input, signals) => {
        const result = await usual.run(is, input, signals);
        const isOfBackup = is === 'holds' && JSON.stringify(input).includes('.legacy.bak');
        if (isOfBackup && when === 'at the end of') await lockAsNode(lockFile);
        return is === 'look' && size === 'and is large' ? { ...Object(result), bytes: null } : result;
      };
      await start({ work: { ...usual, run } });
      writeFileSync(lockFile, '');
      if (when === 'before') await lockAsNode(lockFile);
      await refused(-4, words);
    });

    it('if SQLite would apply a journal there to the new file', async () => {
      await start();
      writeFileSync(join(test.walletsFolder, 'old', 'wallet.dat-journal'), 'of an interrupted migration');
      await refused(-4, 'wallet.dat-journal is next to the wallet');
    });

    it('if the name of the watch-only wallet is taken', async () => {
      await start();
      mkdirSync(join(test.walletsFolder, 'old_watchonly'));
      writeFileSync(join(test.walletsFolder, 'old_watchonly', 'wallet.dat'), 'of someone');
      await refused(-4, 'Database already exists');
    });

    // SECURITY.md: A hostile wallets folder
    onUnix('if the wallet is behind a link out of the wallets folder', async () => {
      const elsewhere = join(dataFolder, 'elsewhere');
      await start();
      renameSync(join(test.walletsFolder, 'old'), elsewhere);
      symlinkSync(elsewhere, join(test.walletsFolder, 'old'));
      await refused(-4, 'old is a link, and leads out of the wallets folder');
      expect(readdirSync(elsewhere)).toEqual(['wallet.dat']);
    });

    // SECURITY.md: A hostile wallets folder
    it.each(['./old', 'old/'])('if the wallet is loaded under the name %s', async (alias) => {
      await start({ release: 28 });
      expect(await test.call('loadwallet', [alias])).toMatchObject({ error: null });
      await refused(-4, `is already loaded. It is loaded under the name "${alias}"`);
      const backup = join(dataFolder, 'copy.dat');
      await test.call('backupwallet', [backup], `/wallet/${encodeURIComponent(alias)}`);
      expect(readFileSync(backup).equals(legacy)).toBe(true);
    });

    onUnix('if others can write to its folder', async () => {
      await start();
      chmodSync(join(test.walletsFolder, 'old'), 0o777);
      await refused(-4, 'Other users of this computer can change the folder');
    });

    // SECURITY.md: Another user who can write to a folder
    onUnix('if others can write to a folder above by now', async () => {
      await start();
      chmodSync(dirname(test.walletsFolder), 0o777);
      await refused(-4, `can change the folder ${dirname(test.walletsFolder)}`);
    });

    // SECURITY.md: Another user who can write to a folder
    onUnix.each(['before', 'meanwhile'])(
      'if another folder replaced the wallets folder %s, and does not change that one',
      async (when) => {
        const elsewhere = join(dataFolder, 'elsewhere');
        putWallet(elsewhere, 'old', 'legacy-hd');
        const swap = () => {
          renameSync(test.walletsFolder, join(dataFolder, 'moved'));
          symlinkSync(elsewhere, test.walletsFolder);
        };
        const work = migrator(async (task) => {
          const migrated = write(task, descriptor);
          if (when === 'meanwhile') swap();
          return migrated;
        });
        await start({ work });
        if (when === 'before') swap();
        expect(await test.call('migratewallet', ['old'])).toMatchObject({
          error: { code: -4, message: expect.stringContaining('is no longer the folder on which') },
        });
        expect(readdirSync(elsewhere, { recursive: true }).sort()).toEqual(['old', 'old/wallet.dat']);
        expect(readFileSync(join(elsewhere, 'old', 'wallet.dat')).equals(legacy)).toBe(true);
      },
    );

    it.each(['before', 'after'] as const)(
      'if it is too large for memory, and changes %s its backup is read',
      async (when) => {
        const usual = workHere();
        const run: Work['run'] = async (is, input, signals) => {
          const isTime = is === (when === 'before' ? 'duplicate' : 'migrate');
          if (isTime) writeFileSync(join(test.walletsFolder, 'old', 'wallet.dat'), legacy);
          const result = await usual.run(is, input, signals);
          return is === 'look' ? { ...Object(result), bytes: null } : result;
        };
        await start({ work: { ...usual, run } });
        await refused(-4, 'Another program used or changed');
      },
    );

    it('if its backup disappears during the migration', async () => {
      const work = migrator(async (task) => {
        // It is written while the wallet is migrated.
        const backup = await vi.waitUntil(() => files().find((path) => path.endsWith('.legacy.bak')));
        rmSync(join(test.walletsFolder, backup));
        return write(task, descriptor);
      });
      await start({ work });
      await refused(-4, 'was removed or changed while the wallet was migrated');
    });
  });

  it('does not touch a wallet that another program changed meanwhile, and keeps the backup', async () => {
    const changed = Buffer.concat([legacy, Buffer.alloc(4096)]);
    const file = () => join(test.walletsFolder, 'old', 'wallet.dat');
    const work = migrator(async (task) => {
      await vi.waitUntil(() => files().some((path) => path.endsWith('.legacy.bak')));
      writeFileSync(file(), changed);
      return write(task, descriptor);
    });
    await start({ work });
    expect(await test.call('migratewallet', ['old'])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('Another program used or changed') },
    });
    expect(readFileSync(file()).equals(changed)).toBe(true);
    const [backup = ''] = files().filter((path) => path.endsWith('.legacy.bak'));
    expect(readFileSync(join(test.walletsFolder, backup)).equals(legacy)).toBe(true);
  });

  it.each(['proved', 'checked'])('replaces no wallet by a file in the place of the %s one', async (when) => {
    const replace = (path: string) => {
      writeFileSync(`${path}2`, other);
      renameSync(`${path}2`, path);
    };
    const usual = migrator(async (task, onWritten) => {
      const answer = write(task, descriptor);
      if (when === 'proved') replace(task.files.primary);
      onWritten('primary');
      return answer;
    });
    const run: Work['run'] = async (is, input, signals) => {
      const answer = await usual.run(is, input, signals);
      if (when === 'checked' && is === 'check' && 'path' in input) replace(input.path);
      return answer;
    };
    await start({ work: { ...usual, run } });
    expect(await test.call('migratewallet', ['old'])).toMatchObject({
      error: { code: -4, message: expect.stringContaining('The legacy wallet is unchanged') },
    });
    expect(files()).toEqual(['old', 'old/wallet.dat']);
    expect(readFileSync(join(test.walletsFolder, 'old', 'wallet.dat')).equals(legacy)).toBe(true);
  });

  it.each([
    ['does not check the new wallet again', () => {}, 0, false],
    ['checks another wallet in its place', (path: string) => writeFileSync(path, other), 1, true],
    ['knows it beside another journal', (path: string) => writeFileSync(`${path}-wal`, 'x'), 0, false],
  ])('%s', async (_, change, times, isEncrypted) => {
    let opened = 0;
    const usual = workHere({
      open: (usual) => (wallet, stopping) => {
        if (!wallet.facts) opened += 1;
        return usual(wallet, stopping);
      },
    });
    const run: Work['run'] = async (is, input, signals) => {
      if (is === 'read' && 'path' in input && startsLikeSqlite(readFileSync(input.path))) change(input.path);
      return usual.run(is, input, signals);
    };
    await start({ work: { ...usual, run } });
    expect(await test.call('migratewallet', ['old'])).toMatchObject({ error: null });
    expect(opened).toBe(times);
    const { result } = await test.call('getwalletinfo', [], '/wallet/old');
    expect(result).toHaveProperty('txcount');
    if (isEncrypted) expect(result).toHaveProperty('unlocked_until');
    else expect(result).not.toHaveProperty('unlocked_until');
  });

  it('runs two calls for one wallet in turn: the second finds a descriptor wallet', async () => {
    await start();
    const answers = await Promise.all([1, 2].map(() => test.call('migratewallet', ['old'])));
    expect(answers.map(({ error }) => error?.message ?? 'done')).toEqual([
      'done',
      'Error: This wallet is already a descriptor wallet',
    ]);
  });

  // SECURITY.md: A hostile wallets folder
  it('delays a load under another name until the wallet is migrated', async () => {
    const started = deferred();
    const allowed = deferred();
    const slow = migrator(async (task, _, signal) => {
      started.resolve();
      await allowed.promise;
      return three.run('migrate', task, { stopping: signal });
    });
    await start({ release: 28, work: slow });
    const migrated = test.call('migratewallet', ['old']);
    await started.promise;
    const loaded = test.call('loadwallet', ['./old']);
    const first = await Promise.race([loaded, wait(300, 'still waiting')]);
    allowed.resolve();
    expect(first).toBe('still waiting');
    expect(await migrated).toMatchObject({ error: null });
    expect(await loaded).toMatchObject({ error: { code: -35 } });
    expect(await test.call('listwallets')).toMatchObject({ result: ['old', 'old_watchonly'] });
  });

  it('never overwrites a backup', async () => {
    await start({ release: 28 });
    const taken = [0, 1, 2].map((seconds) => `old_${Math.floor(Date.now() / 1000) + seconds}.legacy.bak`);
    for (const name of taken) writeFileSync(join(test.walletsFolder, 'old', name), 'older');
    const { result } = await test.call('migratewallet', ['old']);
    expect(taken).not.toContain(basename(backupPath(result)));
    for (const name of taken)
      expect(readFileSync(join(test.walletsFolder, 'old', name), 'utf8')).toBe('older');
  });
});
