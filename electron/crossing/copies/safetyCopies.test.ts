import {
  chmod,
  chown,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/errors.ts';
import * as durableFile from '../../disk/durableFile.ts';
import { hashFile } from '../../disk/hash.ts';
import { releaseOf } from '../../node/rpc/release.ts';
import { createBench, lost, rpc } from '../testing/testNode.ts';
import { createSafetyCopies } from './safetyCopies.ts';

vi.mock('../../disk/durableFile.ts', async (importOriginal) => ({ ...(await importOriginal<object>()) }));
afterEach(() => vi.restoreAllMocks());

const LEGACY = fixtureFile('legacy-hd');
const signal = new AbortController().signal;

/** A node with these wallets in its folder. */
async function bench(names: string[], loaded: string[] = [], status: Parameters<typeof createBench>[0] = {}) {
  const made = await createBench(status);
  const { node, folder } = made;
  for (const name of names) {
    await mkdir(join(folder, name), { recursive: true });
    await copyFile(
      name.startsWith('d') ? fixtureFile('descriptor-hd') : LEGACY,
      join(folder, name, 'wallet.dat'),
    );
  }
  node.handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
  node.handlers.listwallets = () => loaded;
  node.handlers.backupwallet = async ({ wallet, params }) => {
    await copyFile(join(folder, wallet ?? '', 'wallet.dat'), String((params as unknown[])[0]));
    return null;
  };
  const own = join(folder, 'app', 'copies');
  const clock = { now: 1_795_180_000 };
  return { ...made, own, clock, copies: createSafetyCopies({ folder: own, now: () => clock.now }) };
}

describe('createSafetyCopies', () => {
  it('copies a closed wallet, read-only, equal to the file, and lists it', async () => {
    const { copies, session, folder, node } = await bench(['w']);
    expect(await copies.wayFor(session, 'w')).toMatchObject({ way: 'copied', loaded: false });
    const copy = await copies.ofWallet(session, 'w', signal);
    const [file] = copy.files;
    if (!file) throw new Error('no file');
    expect(await readFile(file.path)).toEqual(await readFile(LEGACY));
    expect(file).toMatchObject({ source: join(folder, 'w', 'wallet.dat'), ...(await hashFile(LEGACY)) });
    expect((await stat(file.path)).mode & 0o777).toBe(0o400);
    expect(await copies.list()).toEqual([copy]);
    expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
  });

  it('has the node write the copy of what it has open', async () => {
    const { copies, session, node } = await bench(['w'], ['w']);
    const copy = await copies.ofWallet(session, 'w', signal);
    expect(copy).toMatchObject({ how: 'backupwallet', note: null, files: [{ source: null }] });
    expect(copy.files[0]?.sha256).toBe((await hashFile(LEGACY)).sha256);
    expect(node.calls.map(({ method }) => method)).not.toContain('unloadwallet');
  });

  it('unloads it first where the node cannot write here, and says so', async () => {
    const { copies, session, node } = await bench(['w'], ['w']);
    node.handlers.backupwallet = () => {
      throw rpc(-4, 'Error: Wallet backup failed!');
    };
    node.handlers.unloadwallet = () => null;
    const copy = await copies.ofWallet(session, 'w', signal);
    expect(copy).toMatchObject({ how: 'copied', note: expect.stringContaining('unloaded first') });
  });

  it('copies every wallet beside an unnamed one', async () => {
    const { copies, session, folder } = await bench(['', 'd1', 'w'], ['d1']);
    const { files } = await copies.ofWallet(session, '', signal);
    expect(files).toHaveLength(3);
    for (const file of files) expect((await hashFile(file.path)).sha256).toBe(file.sha256);
    expect(files.map(({ path }) => path.split('/').at(-1))).toEqual([
      'wallet.dat',
      'beside 1 d1.dat',
      'beside 2 w.dat',
    ]);
    // Only what was held against a file names it: the node wrote the copy of d1, which it has open.
    expect(files.map(({ wallet }) => wallet)).toEqual(['', 'd1', 'w']);
    expect(files.map(({ source }) => source)).toEqual([
      join(folder, 'wallet.dat'),
      null,
      join(folder, 'w', 'wallet.dat'),
    ]);
  });

  it('unloads no wallet that only lies beside it, and says what to do where the node cannot copy one', async () => {
    const { copies, session, node, own } = await bench(['', 'd1'], ['d1']);
    node.handlers.backupwallet = () => {
      throw rpc(-4, 'Error: Wallet backup failed!');
    };
    await expect(copies.ofWallet(session, '', signal)).rejects.toMatchObject({
      code: 'stopped_by_check',
      message: expect.stringContaining('“d1”'),
      hint: expect.stringContaining('Unload that wallet'),
      node: { message: 'Error: Wallet backup failed!' },
    });
    expect(node.calls.map(({ method }) => method)).not.toContain('unloadwallet');
    expect(await readdir(own)).toEqual([]);
  });

  it('names what lies beside it and is not in the copy', async () => {
    const { copies, session, folder } = await bench(['', 'w', 'x']);
    await rm(join(folder, 'x', 'wallet.dat'));
    const { files, note } = await copies.ofWallet(session, '', signal);
    expect(files).toHaveLength(2);
    expect(note).toBe('Not copied, because the app did not find their files: “x”.');
  });

  it('keeps every copy, two of the same second too', async () => {
    const { copies, session, clock } = await bench(['w']);
    const one = await copies.ofWallet(session, 'w', signal);
    const two = await copies.ofWallet(session, 'w', signal);
    clock.now += 60;
    const three = await copies.ofWallet(session, 'w', signal);
    expect((await copies.list()).map(({ id }) => id)[0]).toBe(three.id);
    expect(new Set([one.id, two.id, three.id]).size).toBe(3);
  });

  it('leaves nothing half-made when the file vanishes or is no wallet', async () => {
    const { copies, session, folder, own, node } = await bench(['w'], ['w']);
    node.handlers.backupwallet = async ({ params }) => {
      await writeFile(String((params as unknown[])[0]), 'not whole');
      return null;
    };
    await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({ code: 'not_a_wallet' });
    expect(await readdir(own).catch(() => [])).toEqual([]);
    node.handlers.listwallets = () => [];
    await rm(join(folder, 'w'), { recursive: true });
    await mkdir(join(folder, 'w', 'wallet.dat'), { recursive: true });
    await expect(copies.ofWallet(session, 'w', signal)).rejects.toBeInstanceOf(AppError);
    expect(await readdir(own).catch(() => [])).toEqual([]);
    expect(await copies.list()).toEqual([]);
  });

  it.each([
    ['the node is busy', () => lost('busy')],
    ['the line is lost', () => lost()],
  ] as const)('does not unload a wallet because %s', async (_, trouble) => {
    const { copies, session, node } = await bench(['w'], ['w']);
    node.handlers.backupwallet = () => {
      throw trouble();
    };
    await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({ code: trouble().code });
    expect(node.calls.map(({ method }) => method)).not.toContain('unloadwallet');
  });

  it.each(['writeWholeFile', 'replaceFile'] as const)(
    'says that the disk is full where what it writes down beside a copy has no room (%s)',
    async (write) => {
      const { copies, session, folder, own } = await bench(['w']);
      const file = join(folder, 'w', 'wallet.dat');
      vi.spyOn(durableFile, write).mockImplementation(() => {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      });
      await expect(copies.ofFile(session.status, 'w', file, signal)).rejects.toMatchObject({
        code: 'no_space',
        hint: expect.stringContaining('Nothing was changed'),
      });
      expect(await readdir(own)).toEqual([]);
    },
  );

  describe.skipIf(process.platform === 'win32')(
    'beside others who can change what is above its folder',
    () => {
      it('makes no copy, and asks the node for none', async () => {
        for (const loaded of [[], ['w']]) {
          const { copies, session, node, folder, own } = await bench(['w'], loaded);
          await mkdir(own, { recursive: true });
          await chmod(join(folder, 'app'), 0o777);
          await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({
            code: 'not_available_here',
            message: expect.stringContaining(join(folder, 'app')),
          });
          expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
          expect(await readdir(own)).toEqual([]);
        }
      });

      it.each<[string, (place: string, wallet: string) => Promise<void>]>([
        [
          'the folder was swapped while the node wrote',
          async (place, wallet) => {
            const app = dirname(dirname(dirname(place)));
            await rename(app, `${app} as it was`);
            await mkdir(dirname(place), { recursive: true });
            await copyFile(wallet, place);
          },
        ],
        [
          'the folder was swapped for an empty one',
          async (place) => {
            const app = dirname(dirname(dirname(place)));
            await rename(app, `${app} as it was`);
            await mkdir(dirname(place), { recursive: true });
          },
        ],
        [
          'what came has a second name elsewhere',
          async (place, wallet) => {
            await copyFile(wallet, place);
            await link(place, join(dirname(dirname(place)), 'second name'));
          },
        ],
        [
          'what came is a link',
          async (place, wallet) => {
            await symlink(wallet, place);
          },
        ],
        [
          'others can change the folder by then',
          async (place, wallet) => {
            await copyFile(wallet, place);
            await chmod(dirname(dirname(dirname(place))), 0o777);
          },
        ],
      ])('tells that %s', async (_, meddle) => {
        const { copies, session, node, folder } = await bench(['w'], ['w']);
        node.handlers.backupwallet = async ({ params }) => {
          await meddle(String((params as unknown[])[0]), join(folder, 'w', 'wallet.dat'));
          return null;
        };
        await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({
          code: expect.stringMatching(/^(?:file_changed|not_available_here)$/),
        });
        expect(await copies.list()).toEqual([]);
      });

      it.skipIf(process.getuid?.() !== 0)('tells that what came is another user’s', async () => {
        const { copies, session, node, folder } = await bench(['w'], ['w']);
        node.handlers.backupwallet = async ({ params }) => {
          const place = String((params as unknown[])[0]);
          await copyFile(join(folder, 'w', 'wallet.dat'), place);
          await chown(place, 12_345, 12_345);
          return null;
        };
        await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({
          code: 'file_changed',
          hint: expect.stringContaining('with its keys'),
        });
      });
    },
  );

  /** The node cannot write the copy; the wallet is unloaded for it, and then its file is not there. */
  async function vanishing() {
    const made = await bench(['w'], ['w']);
    const { node, folder } = made;
    node.handlers.backupwallet = () => {
      throw rpc(-4, 'Error: Wallet backup failed!');
    };
    node.handlers.unloadwallet = async () => {
      node.handlers.listwallets = () => [];
      await rm(join(folder, 'w', 'wallet.dat'));
      return null;
    };
    return made;
  }

  it('loads a wallet again that it unloaded for nothing', async () => {
    const { copies, session, node, own } = await vanishing();
    node.handlers.loadwallet = () => ({ name: 'w' });
    await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({
      code: 'file_missing',
      hint: expect.stringContaining('Nothing was changed'),
    });
    expect(node.calls.find(({ method }) => method === 'loadwallet')?.params).toEqual(['w']);
    expect(await readdir(own)).toEqual([]);
  });

  it('says that it is unloaded where the node does not load it again', async () => {
    const { copies, session, node } = await vanishing();
    node.handlers.loadwallet = () => {
      throw rpc(-18, 'Wallet file verification failed.');
    };
    const thrown = await copies.ofWallet(session, 'w', signal).catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      code: 'file_missing',
      hint: expect.stringMatching(/was unloaded.*load it in the list of wallets/),
      node: { message: 'Wallet file verification failed.' },
    });
    expect(thrown).not.toMatchObject({ hint: expect.stringContaining('Nothing was changed') });
  });

  it('loads it again too where a wallet beside it cannot be copied', async () => {
    const { copies, session, node } = await bench(['', 'd1'], ['', 'd1']);
    let loaded = ['', 'd1'];
    node.handlers.listwallets = () => loaded;
    node.handlers.backupwallet = () => {
      throw rpc(-4, 'Error: Wallet backup failed!');
    };
    node.handlers.unloadwallet = () => {
      loaded = ['d1'];
      return null;
    };
    node.handlers.loadwallet = () => ({ name: '' });
    await expect(copies.ofWallet(session, '', signal)).rejects.toMatchObject({ code: 'stopped_by_check' });
    expect(node.calls.find(({ method }) => method === 'loadwallet')?.params).toEqual(['']);
  });

  it.skipIf(process.platform === 'win32')(
    'lets no node write beside its log where other users could put a link',
    async () => {
      const { copies, session, node, folder } = await bench(['w'], ['w'], { walletsFolder: null });
      const logs = join(folder, 'logs');
      await mkdir(logs);
      node.handlers.getrpcinfo = () => ({ active_commands: [], logpath: join(logs, 'debug.log') });
      await chmod(logs, 0o1777);
      await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({ code: 'stopped_by_check' });
      expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
      expect(await readdir(logs)).toEqual([]);
      await chmod(logs, 0o700);
      expect(await copies.ofWallet(session, 'w', signal)).toMatchObject({ how: 'backupwallet' });
    },
  );

  it('lets a remote node write beside its log, loading the wallet where that is possible', async () => {
    const { copies, session, node } = await bench([], [], {
      local: false,
      walletsFolder: null,
    });
    node.handlers.getrpcinfo = () => ({ active_commands: [], logpath: '/srv/bitcoin/debug.log' });
    node.handlers.loadwallet = () => ({ name: 'w' });
    node.handlers.backupwallet = () => null;
    expect(await copies.wayFor(session, 'w')).toMatchObject({
      way: 'backupwallet',
      file: null,
      text: expect.stringContaining('loads the wallet first'),
    });
    const { files, note } = await copies.ofWallet(session, 'w', signal);
    expect(files).toEqual([
      {
        path: expect.stringMatching(/^\/srv\/bitcoin\/wallet-ferry .* w\.bak$/),
        source: null,
        size: null,
        sha256: null,
        wallet: 'w',
      },
    ]);
    expect(note).toContain('node’s machine');
    expect(note).toContain('was loaded for it');
    expect(node.calls.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['loadwallet', 'backupwallet']),
    );
  });

  it('says plainly when it can make none', async () => {
    const release = releaseOf(310_000);
    const { copies, session } = await bench([], [], { local: false, walletsFolder: null, release });
    expect(await copies.wayFor(session, 'w')).toMatchObject({ way: 'cannot' });
    await expect(copies.ofWallet(session, 'w', signal)).rejects.toMatchObject({ code: 'stopped_by_check' });
  });

  it('passes over what is not a copy of its own', async () => {
    const { copies, own } = await bench([]);
    await mkdir(join(own, 'other'), { recursive: true });
    await writeFile(join(own, 'other', 'copy.json'), '{"id":1}');
    await writeFile(join(own, 'file'), '');
    expect(await copies.list()).toEqual([]);
  });
});
