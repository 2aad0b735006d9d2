import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { partPath } from '../engine/durableFile.ts';
import { releaseOf } from '../node/release.ts';
import { createJournal } from './journal.ts';
import { createOperations } from './operations.ts';
import { createBench, infoOf, lost, rpc } from './testNode.ts';

const LEGACY = fixtureFile('legacy-hd');
const release = releaseOf(310_000);
const input = { name: 'back', backupFile: LEGACY, passphrase: '' };

/** A node of release 31 with a wallets folder of its own, as `listwalletdir` shows it. */
async function bench(options: Parameters<typeof createBench>[1] = {}) {
  const made = await createBench({ release }, options);
  const wallets = join(made.folder, 'wallets');
  await mkdir(join(wallets, 'other'), { recursive: true });
  await copyFile(fixtureFile('descriptor-hd'), join(wallets, 'other', 'wallet.dat'));
  Object.assign(made.session.status, { walletsFolder: wallets });
  made.node.handlers.listwalletdir = async () => {
    const names = await readdir(wallets);
    return { wallets: names.map((name) => ({ name })) };
  };
  return { ...made, wallets };
}

const sent = ({ node }: Awaited<ReturnType<typeof bench>>) =>
  node.calls.filter(({ method }) => method === 'migratewallet').length;

describe('startRestoreMigrate', () => {
  it('places a copy under the name and has it migrated; the backup stays as it was', async () => {
    const all = await bench();
    const { node, operations, wallets, ended } = all;
    const before = await readFile(LEGACY);
    node.handlers.migratewallet = async ({ params }) => {
      expect(params).toEqual({ wallet_name: 'back' });
      expect(await readFile(join(wallets, 'back', 'wallet.dat'))).toEqual(before);
      return { wallet_name: 'back', backup_path: join(wallets, 'back_1.legacy.bak') };
    };
    expect(await operations.startRestoreMigrate(input)).toMatchObject({
      kind: 'restore-migrate',
      wallet: 'back',
    });
    expect(await ended()).toMatchObject({ state: 'done', result: { kind: 'migrate', walletName: 'back' } });
    expect(await readFile(LEGACY)).toEqual(before);
  });

  it('takes the copy away again when the node refuses, and nothing else', async () => {
    const all = await bench();
    const { node, operations, wallets, ended } = all;
    node.handlers.migratewallet = () => {
      throw rpc(
        -4,
        'Error: Wallet decryption failed, the wallet passphrase was not provided or was incorrect.',
      );
    };
    await operations.startRestoreMigrate(input);
    expect(await ended()).toMatchObject({ state: 'failed' });
    expect(await readdir(wallets)).toEqual(['other']);
  });

  it('leaves alone what the node has changed by then', async () => {
    const { node, operations, wallets, ended } = await bench();
    node.handlers.migratewallet = async () => {
      await writeFile(join(wallets, 'back', 'wallet.dat'), 'changed');
      throw rpc(-4, 'Error: something');
    };
    await operations.startRestoreMigrate(input);
    await ended();
    expect(await readFile(join(wallets, 'back', 'wallet.dat'), 'utf8')).toBe('changed');
  });

  it.each([
    ['a taken name', { name: 'other' }, 'name_taken'],
    ['no name', { name: '' }, 'name_invalid'],
    ['a name that leads out', { name: '../x' }, 'name_invalid'],
    ['a name with a folder', { name: 'a/b' }, 'name_invalid'],
    ['a descriptor wallet', { backupFile: fixtureFile('descriptor-hd') }, 'bad_input'],
    ['a file that is not there', { backupFile: '/no/such/file' }, 'file_missing'],
    ['a relative path', { backupFile: 'wallet.dat' }, 'bad_input'],
  ])('refuses %s with nothing placed and nothing sent', async (_, fields, code) => {
    const all = await bench();
    await expect(all.operations.startRestoreMigrate({ ...input, ...fields })).rejects.toMatchObject({ code });
    expect(await readdir(all.wallets)).toEqual(['other']);
    expect(sent(all)).toBe(0);
  });

  it('refuses a name whose watch-only wallet is there', async () => {
    const all = await bench();
    await mkdir(join(all.wallets, 'back_watchonly'));
    await copyFile(fixtureFile('descriptor-hd'), join(all.wallets, 'back_watchonly', 'wallet.dat'));
    await expect(all.operations.startRestoreMigrate(input)).rejects.toMatchObject({ code: 'name_taken' });
  });

  it('refuses a wallets folder that is not proved at the moment of writing', async () => {
    const all = await bench();
    all.node.handlers.listwalletdir = () => ({ wallets: [{ name: 'elsewhere' }] });
    await expect(all.operations.startRestoreMigrate(input)).rejects.toMatchObject({
      code: 'not_available_here',
    });
    expect(await readdir(all.wallets)).toEqual(['other']);
  });

  it.skipIf(process.getuid?.() === 0)('says when the folder cannot be written to', async () => {
    const all = await bench();
    await chmod(all.wallets, 0o500);
    await all.operations.startRestoreMigrate(input);
    expect(await all.ended()).toMatchObject({ state: 'failed', error: { code: 'file_unreadable' } });
    await chmod(all.wallets, 0o700);
    expect(sent(all)).toBe(0);
  });

  it.each(['whole', 'half'])(
    'after the app went away before the call: what was placed (%s) is gone, nothing was sent',
    async (left) => {
      const folder = (await bench()).folder;
      const journal = createJournal(join(folder, 'journal'));
      const all = await bench({ journal });
      const { node, operations, session, wallets, emitted } = all;
      const held = node.hold('migratewallet');
      await operations.startRestoreMigrate(input);
      await held();
      operations.close();
      const [entry] = await journal.read();
      if (!entry) throw new Error('not written down');
      expect(entry.memory).toMatchObject({
        onDiskBefore: ['other'],
        placed: { folder: join(wallets, 'back') },
      });
      // As it stood a moment earlier.
      journal.write({ ...entry, sent: false });
      if (left === 'half') {
        await rm(join(wallets, 'back', 'wallet.dat'));
        await writeFile(partPath(join(wallets, 'back')), (await readFile(LEGACY)).subarray(0, 10_000));
      }
      const next = createOperations({
        session: () => session,
        emit: () => undefined,
        journal,
        askEveryMs: 5,
      });
      expect(await next.list()).toMatchObject([{ state: 'failed', error: { code: 'cancelled' } }]);
      expect(await readdir(wallets)).toEqual(['other']);
      expect(emitted.length).toBeGreaterThan(0);
      next.close();
    },
  );

  it('after a lost line: done when the wallet turned up, taken away when it is still as placed', async () => {
    const all = await bench();
    const { node, operations, wallets, ended } = all;
    const held = node.hold('migratewallet');
    await operations.startRestoreMigrate(input);
    const call = await held();
    node.handlers.listwallets = () => ['back'];
    node.handlers.getwalletinfo = () => infoOf();
    call.fail(lost());
    expect(await ended()).toMatchObject({ state: 'done' });

    const other = await bench();
    const heldThere = other.node.hold('migratewallet');
    await other.operations.startRestoreMigrate(input);
    (await heldThere()).fail(lost());
    expect(await other.ended()).toMatchObject({ state: 'failed' });
    await vi.waitFor(async () => expect(await readdir(other.wallets)).toEqual(['other']));
    expect((await stat(join(wallets, 'back'))).isDirectory()).toBe(true);
  });
});
