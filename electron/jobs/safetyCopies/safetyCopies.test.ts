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
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { listWalletDir, listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { releaseOf } from '../../bitcoind/rpc/session.ts';
import * as durableFile from '../../files/durableFile.ts';
import { systemError } from '../../files/fileError.ts';
import { hashFile } from '../../files/hash.ts';
import { failing } from '../../files/testing/failing.ts';
import { HAS_MODES } from '../../files/testing/system.ts';
import { writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import { readEntries } from '../../walletfile/inspect/identifyWallet.ts';
import { cutOffChange, JOURNAL_ENDINGS } from '../../walletfile/testing/cutOffChange.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createBench, putWallet } from '../testing/bench.ts';
import { copyUnlessSaved } from './copyWallet.ts';
import { createSafetyCopies } from './safetyCopies.ts';

vi.mock('../../files/durableFile.ts', async (importOriginal) => ({ ...(await importOriginal<object>()) }));
afterEach(() => vi.restoreAllMocks());

const LEGACY = fixtureFile('legacy-hd');
const signal = new AbortController().signal;

/** A node with these wallets in its folder. */
async function bench(names: string[], loaded: string[] = [], status: Parameters<typeof createBench>[0] = {}) {
  const its = await createBench(status);
  const { node, folder } = its;
  for (const name of names)
    await putWallet(folder, name, name.startsWith('d') ? 'descriptor-hd' : 'legacy-hd');
  node.handlers.listwalletdir = () => ({ wallets: names.map((name) => ({ name })) });
  node.handlers.listwallets = () => loaded;
  node.handlers.backupwallet = async ({ wallet, params }) => {
    await copyFile(join(folder, wallet ?? '', 'wallet.dat'), String((params as unknown[])[0]));
    return null;
  };
  const own = join(folder, 'app', 'copies');
  const clock = { now: 1_795_180_000 };
  const copies = createSafetyCopies({ work: walletWorkHere, folder: own, now: () => clock.now });
  /** As a plan of it says. */
  const planFor = async (name: string) => {
    const [onDisk, isLoaded] = [await listWalletDir(node.client), await listWallets(node.client)];
    const wallet = { name, onDisk: onDisk.map((each) => each.name), loaded: isLoaded };
    return copies.planFor(its.session.status, wallet);
  };
  const ofWallet = async (name: string) =>
    copies.copyWallet(its.session, name, await planFor(name), signal, () => undefined);
  return { ...its, own, clock, copies, planFor, ofWallet };
}

/** What a node answers that cannot write the copy. */
const refuseBackup = () => {
  throw rpc(-4, 'Error: Wallet backup failed!');
};

describe('createSafetyCopies', () => {
  it('copies a closed wallet byte for byte, for its owner only, and lists it', async () => {
    const { copies, folder, own, node, planFor, ofWallet } = await bench(['w']);
    expect(await planFor('w')).toMatchObject({ how: 'copied', calls: [] });
    const copy = await ofWallet('w');
    const path = copy.files[0]?.path ?? '';
    expect(await readFile(path)).toEqual(await readFile(LEGACY));
    const source = join(folder, 'w', 'wallet.dat');
    expect(copy.files).toMatchObject([{ source, sha256: await hashFile(LEGACY) }]);
    if (HAS_MODES) expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await copies.list()).toEqual([copy]);
    expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
    await writeFile(path, Buffer.alloc((await stat(path)).size));
    for (const _ of ['read', 'kept'])
      expect(await copies.list()).toMatchObject([{ files: [{ path, state: 'damaged' }] }]);
    // Whole, but another file: a node that loads a copy changes it.
    await writeFile(path, await readFile(fixtureFile('legacy-watchonly')));
    expect(await copies.list()).toMatchObject([{ files: [{ path, state: 'unknown' }] }]);
    // The user moves the app's folders.
    const moved = join(folder, 'moved');
    await rename(own, moved);
    expect(await createSafetyCopies({ work: walletWorkHere, folder: moved }).list()).toMatchObject([
      { files: [{ path: join(moved, copy.id, basename(path)) }] },
    ]);
    await rm(join(moved, copy.id, basename(path)));
    expect(await createSafetyCopies({ work: walletWorkHere, folder: moved }).list()).toEqual([]);
  });

  it('has the node write the copy of a loaded wallet', async () => {
    const { node, ofWallet } = await bench(['w'], ['w']);
    const copy = await ofWallet('w');
    expect(copy).toMatchObject({ how: 'backupwallet', note: null, files: [{ source: null }] });
    expect(copy.files[0]?.sha256).toBe(await hashFile(LEGACY));
    expect(node.calls.map(({ method }) => method)).not.toContain('unloadwallet');
  });

  it('unloads it first if the node cannot write here, and says so', async () => {
    const { node, ofWallet } = await bench(['w'], ['w']);
    node.handlers.backupwallet = refuseBackup;
    node.handlers.unloadwallet = () => null;
    const copy = await ofWallet('w');
    expect(copy).toMatchObject({ how: 'copied', note: expect.stringContaining('copied the unloaded file') });
  });

  it.each(JOURNAL_ENDINGS)('joins a wallet and its %s in one whole file', async (ending) => {
    const { folder, ofWallet } = await bench(['w']);
    const source = join(folder, 'w', 'wallet.dat');
    const { before, after, journal } = await cutOffChange(folder, ending);
    await writeFile(source, after);
    await writeFile(`${source}${ending}`, journal);
    const { files } = await ofWallet('w');
    const path = files[0]?.path ?? '';
    const sha256 = await hashFile(path);
    expect(files).toMatchObject([{ source, withJournal: true, state: 'whole', size: before.length, sha256 }]);
    expect(await readFile(path)).toEqual(Buffer.from(before));
    if (HAS_MODES) expect((await stat(path)).mode & 0o777).toBe(0o600);
    // Neither of the two was touched.
    expect(await readFile(source)).toEqual(Buffer.from(after));
    expect(await readFile(`${source}${ending}`)).toEqual(journal);
  });

  it('copies nothing if it cannot read the journal', async () => {
    const { folder, copies, ofWallet } = await bench(['d1']);
    await mkdir(join(folder, 'd1', 'wallet.dat-journal'));
    await expect(ofWallet('d1')).rejects.toMatchObject({ code: 'file_unreadable' });
    expect(await copies.list()).toEqual([]);
  });

  it('reports copies that are not whole, and lists whole ones first', async () => {
    const { folder, clock, own, copies, ofWallet } = await bench(['w']);
    const source = join(folder, 'w', 'wallet.dat');
    const created: { state: string | undefined; id: string }[] = [];
    const legacy = await readFile(LEGACY);
    const half = await writeSqlite((await readEntries(new Uint8Array(legacy))).records, 'regtest');
    const unclean = Buffer.from(legacy);
    // The log number of a page that was not closed.
    unclean.writeUInt32LE(1, 4096);
    const damaged = Buffer.from(legacy).fill(0, 3 * 4096, 6 * 4096);
    const empty = await writeSqlite([], 'regtest');
    for (const bytes of [legacy, half, empty, unclean, damaged, legacy.subarray(0, 5 * 4096)]) {
      await writeFile(source, bytes);
      clock.now += 10;
      const copy = await ofWallet('w');
      created.push({ state: copy.files[0]?.state, id: copy.id });
    }
    const states = ['half-migrated', 'half-migrated', 'not-closed', 'damaged', 'damaged'];
    expect(created.map(({ state }) => state)).toEqual(['whole', ...states]);
    const ids = (await copies.list()).map(({ id }) => id);
    const [whole, ...others] = created.map(({ id }) => id);
    expect(ids).toEqual([whole, ...others.reverse()]);
    // As an earlier version wrote them down: they are read again.
    for (const id of ids) {
      const manifest = join(own, id, 'copy.json');
      const copy = JSON.parse(await readFile(manifest, 'utf8'));
      for (const file of copy.files) delete file.state;
      await writeFile(manifest, JSON.stringify(copy));
    }
    const again = await createSafetyCopies({ work: walletWorkHere, folder: own }).list();
    expect(again.map(({ id }) => id)).toEqual(ids);
    expect(again.map(({ files }) => files[0]?.state)).toEqual(['whole', ...states.reverse()]);
    // And only once.
    const unread = () => Promise.reject(new Error('it was read before'));
    const kept = await createSafetyCopies({ work: unread, folder: own }).list();
    expect(kept).toEqual(again);
  });

  it('copies every wallet next to an unnamed one', async () => {
    const { folder, ofWallet } = await bench(['', 'd1', 'w'], ['d1']);
    const { files } = await ofWallet('');
    for (const file of files) expect(await hashFile(file.path)).toBe(file.sha256);
    // The node wrote the copy of d1, which it has open, so that copy has no source.
    expect(files.map(({ path, wallet, source }) => [basename(path), wallet, source])).toEqual([
      ['wallet.dat', '', join(folder, 'wallet.dat')],
      ['beside 1 d1.dat', 'd1', null],
      ['beside 2 w.dat', 'w', join(folder, 'w', 'wallet.dat')],
    ]);
  });

  it('does not unload other wallets, and says what to do if the node cannot copy one', async () => {
    const { node, own, ofWallet } = await bench(['', 'd1'], ['d1']);
    node.handlers.backupwallet = refuseBackup;
    await expect(ofWallet('')).rejects.toMatchObject({
      code: 'stopped_by_check',
      message: expect.stringContaining('“d1”'),
      hint: expect.stringContaining('Unload it'),
      node: { message: 'Error: Wallet backup failed!' },
    });
    expect(node.calls.map(({ method }) => method)).not.toContain('unloadwallet');
    expect(await readdir(own)).toEqual([]);
  });

  it('names the other wallets that it did not find', async () => {
    const { folder, ofWallet } = await bench(['', 'w', 'x']);
    await rm(join(folder, 'x', 'wallet.dat'));
    const { files, note } = await ofWallet('');
    expect(files).toHaveLength(2);
    expect(note).toBe('Not copied: “x”.');
  });

  it('is named after the time of its plan, not of the copy', async () => {
    const { copies, session, clock, own } = await bench(['w']);
    const wallet = { name: 'w', onDisk: ['w'], loaded: [] };
    const at = clock.now;
    clock.now += 3600;
    const plan = await copies.planFor(session.status, wallet, at);
    expect(plan.folder).toBe(join(own, '2026-11-20 13.06.40 w'));
    const { id, made } = await copies.copyWallet(session, 'w', plan, signal, () => undefined);
    expect([id, made]).toEqual(['2026-11-20 13.06.40 w', clock.now]);
  });

  it('keeps every copy, two of the same second too', async () => {
    const { copies, clock, ofWallet } = await bench(['w']);
    const ids = [(await ofWallet('w')).id, (await ofWallet('w')).id];
    clock.now += 60;
    const { id } = await ofWallet('w');
    const listed = (await copies.list()).map((copy) => copy.id);
    expect(listed[0]).toBe(id);
    expect(listed.toSorted()).toEqual([...new Set([...ids, id])].toSorted());
  });

  it('has another path for each wallet, also in one second and for names that no file can have', async () => {
    const { copies } = await bench([]);
    const long = '𠀀'.repeat(60);
    const names = ['old savings', 'a b', 'a_b', 'a/b', 'a:b', '', 'wallet', '..', 'a.', long, `${long}b`];
    const paths = await Promise.all(names.map((name) => copies.folderFor(name)));
    expect(new Set(paths).size).toBe(names.length);
    expect(basename(paths[0] ?? '')).toBe('2026-11-20 13.06.40 old savings');
    for (const path of paths) {
      expect(basename(path)).toMatch(/^[\p{L}\p{N}._ -]*[^. ]$/u);
      expect(Buffer.byteLength(basename(path))).toBeLessThan(230);
    }
  });

  it('leaves no partial copy if the file disappears or is no wallet', async () => {
    const { copies, folder, own, node, ofWallet } = await bench(['w'], ['w']);
    node.handlers.backupwallet = async ({ params }) => {
      await writeFile(String((params as unknown[])[0]), 'not whole');
      return null;
    };
    await expect(ofWallet('w')).rejects.toMatchObject({ code: 'not_a_wallet' });
    expect(await readdir(own).catch(() => [])).toEqual([]);
    node.handlers.listwallets = () => [];
    await rm(join(folder, 'w'), { recursive: true });
    await mkdir(join(folder, 'w', 'wallet.dat'), { recursive: true });
    await expect(ofWallet('w')).rejects.toBeInstanceOf(AppError);
    expect(await readdir(own).catch(() => [])).toEqual([]);
    expect(await copies.list()).toEqual([]);
  });

  it.each([
    ['the node is busy', () => lost('busy')],
    ['the line is lost', () => lost()],
  ] as const)('does not unload a wallet because %s', async (_, trouble) => {
    const { node, ofWallet } = await bench(['w'], ['w']);
    node.handlers.backupwallet = failing(trouble());
    await expect(ofWallet('w')).rejects.toMatchObject({ code: trouble().code });
    expect(node.calls.map(({ method }) => method)).not.toContain('unloadwallet');
  });

  it.each(['writeWholeFile', 'replaceFile'] as const)(
    'says that the disk is full if it cannot write the files next to the copy (%s)',
    async (write) => {
      const { copies, session, folder, own } = await bench(['w']);
      const from = { file: join(folder, 'w', 'wallet.dat'), folder: await copies.folderFor('w') };
      vi.spyOn(durableFile, write).mockImplementation(failing(systemError('ENOSPC')));
      const refusal = await copies.copyFile(session.status, 'w', from, signal).catch(errorShapeOf);
      const hint = expect.stringContaining('Nothing was changed');
      expect(refusal).toMatchObject({ code: 'no_space', hint });
      expect(await readdir(own)).toEqual([]);
    },
  );

  describe.skipIf(process.platform === 'win32')('if others can change a folder above its own', () => {
    // SECURITY.md: Another user who can write to a folder
    it.each(['', 'w'])('makes no copy, and asks the node for none (loaded: “%s”)', async (loaded) => {
      const { node, folder, own, ofWallet } = await bench(['w'], [loaded]);
      await mkdir(own, { recursive: true });
      const app = join(folder, 'app');
      await chmod(app, 0o777);
      await expect(ofWallet('w')).rejects.toMatchObject({
        code: 'not_available_here',
        finding: { code: 'copies_folder_shared', folder: app, how: 'writable-by-others' },
      });
      expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
      expect(await readdir(own)).toEqual([]);
    });

    const appOf = (place: string) => dirname(dirname(dirname(place)));
    async function swapApp(place: string): Promise<void> {
      await rename(appOf(place), `${appOf(place)} as it was`);
      await mkdir(dirname(place), { recursive: true });
    }

    // SECURITY.md: Another user who can write to a folder
    const meddling: Record<string, (place: string, wallet: string) => Promise<void>> = {
      'the folder was swapped while the node wrote': async (place, wallet) => {
        await swapApp(place);
        await copyFile(wallet, place);
      },
      'the folder was swapped for an empty one': swapApp,
      'the copy has a second name elsewhere': async (place, wallet) => {
        await copyFile(wallet, place);
        await link(place, join(dirname(dirname(place)), 'second name'));
      },
      'the copy is a link': (place, wallet) => symlink(wallet, place),
      'others can change the folder afterwards': async (place, wallet) => {
        await copyFile(wallet, place);
        await chmod(appOf(place), 0o777);
      },
      'the copy belongs to another user': async (place, wallet) => {
        await copyFile(wallet, place);
        await chown(place, 12_345, 12_345);
      },
    };
    const isRoot = process.getuid?.() === 0;
    it.each(Object.entries(meddling).filter(([how]) => isRoot || !how.endsWith('another user')))(
      'tells that %s',
      async (how, meddle) => {
        const { copies, node, folder, ofWallet } = await bench(['w'], ['w']);
        node.handlers.backupwallet = async ({ params }) => {
          await meddle(String((params as unknown[])[0]), join(folder, 'w', 'wallet.dat'));
          return null;
        };
        await expect(ofWallet('w')).rejects.toMatchObject(
          how.startsWith('others can')
            ? { code: 'not_available_here' }
            : { code: 'file_changed', hint: expect.stringContaining('may have its keys') },
        );
        expect(await copies.list()).toEqual([]);
      },
    );
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(process.platform === 'win32')(
    'has no node write next to its log if other users could place a link there',
    async () => {
      const { session, node, folder, ofWallet } = await bench(['w'], ['w'], { walletsFolder: null });
      const logs = join(folder, 'logs');
      await mkdir(logs);
      Object.assign(session.status, { reportedLogPath: join(logs, 'debug.log') });
      await chmod(logs, 0o1777);
      await expect(ofWallet('w')).rejects.toMatchObject({ code: 'stopped_by_check' });
      expect(node.calls.map(({ method }) => method)).not.toContain('backupwallet');
      expect(await readdir(logs)).toEqual([]);
      await chmod(logs, 0o700);
      expect(await ofWallet('w')).toMatchObject({ how: 'backupwallet' });
    },
  );

  it('has a remote node write next to its log, and loads the wallet first if possible', async () => {
    const remote = { local: false, walletsFolder: null, reportedLogPath: '/srv/bitcoin/debug.log' };
    const { node, planFor, ofWallet } = await bench([], [], remote);
    node.handlers.loadwallet = () => ({ name: 'w' });
    node.handlers.backupwallet = () => null;
    expect(await planFor('w')).toMatchObject({
      how: 'backupwallet',
      file: null,
      calls: [{ method: 'loadwallet' }, { method: 'backupwallet' }],
    });
    const { files, note } = await ofWallet('w');
    const path = expect.stringMatching(/^\/srv\/bitcoin\/wallet-ferry .* w\.bak$/);
    expect(files).toEqual([{ path, source: null, size: null, sha256: null, state: 'unknown', wallet: 'w' }]);
    expect(note).toContain('node’s machine');
    const sent = node.calls.map(({ method }) => method);
    expect(sent).toEqual(expect.arrayContaining(['loadwallet', 'backupwallet']));
  });

  it('refuses a copy that changed after a thread had saved it', async () => {
    const { own } = await bench([]);
    const place = join(own, 'wallet.dat');
    await mkdir(own, { recursive: true });
    await copyFile(LEGACY, place);
    const saved = { size: (await stat(LEGACY)).size, sha256: await hashFile(LEGACY) };
    expect(await copyUnlessSaved(saved, LEGACY, place, signal)).toEqual(saved);
    await writeFile(place, 'changed');
    await expect(copyUnlessSaved(saved, LEGACY, place, signal)).rejects.toMatchObject({
      code: 'file_changed',
    });
  });

  it('says plainly when it can make none', async () => {
    const release = releaseOf(310_000);
    const { planFor, ofWallet } = await bench([], [], { local: false, walletsFolder: null, release });
    expect(await planFor('w')).toMatchObject({ how: 'cannot' });
    await expect(ofWallet('w')).rejects.toMatchObject({ code: 'stopped_by_check' });
  });

  it('ignores anything but its own copies', async () => {
    const { copies, own } = await bench([]);
    await mkdir(join(own, 'other'), { recursive: true });
    await writeFile(join(own, 'other', 'copy.json'), '{"id":1}');
    await writeFile(join(own, 'file'), '');
    expect(await copies.list()).toEqual([]);
  });
});
