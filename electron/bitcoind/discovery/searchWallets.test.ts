import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import type { FileFacts } from '../../../shared/model/files.ts';
import { CAN_LINK } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { logOf } from '../../walletfile/database/testing/sqliteJournals.ts';
import { cutOffChange } from '../../walletfile/testing/cutOffChange.ts';
import { walletFile } from '../../walletfile/testing/wallets.ts';
import { findBackups, searchWallets } from './searchWallets.ts';

let home: string;

beforeEach(() => {
  home = makeTestFolder();
});

const put = (name: string, content?: Parameters<typeof fixtureFile>[0] | Buffer) => {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  if (content instanceof Buffer) writeFileSync(path, content);
  else if (typeof content === 'string') copyFileSync(fixtureFile(content), path);
  return path;
};

async function search(folders = [home], options: { excluded?: string[]; signal?: AbortSignal } = {}) {
  const found: FileFacts[] = [];
  const progress: [number, string][] = [];
  const searched = await searchWallets({
    folders,
    excluded: options.excluded ?? [],
    report: (filesRead, folder, files) => {
      progress.push([filesRead, folder]);
      found.push(...files);
    },
    paceMs: 0,
    signal: options.signal ?? new AbortController().signal,
  });
  return { ...searched, progress, paths: found.map(({ path }) => path).sort(), found };
}

describe('searchWallets', () => {
  it('finds a wallet whose start is only in its journal', async () => {
    const { path, after } = await cutOffChange(home);
    writeFileSync(path, new Uint8Array(after).fill(0, 0, 100));
    put('other.dat', Buffer.from('no wallet'));
    put('other.dat-journal', Buffer.from('no journal'));
    expect((await search()).paths).toContain(path);
    expect((await search()).paths).not.toContain(join(home, 'other.dat'));
  });

  it('counts a wallet that it cannot recognise because of its journal', async () => {
    const path = put('wallet.dat', 'descriptor-hd');
    truncateSync(path, 50);
    mkdirSync(`${path}-journal`);
    expect(await search()).toMatchObject({ paths: [], unread: 1, unreadable: [path] });
  });

  it('finds an empty wallet that is only in its write-ahead log', async () => {
    const wallet = walletFile('descriptor-hd');
    const pages = wallet.length / 4096;
    const frames = Array.from({ length: pages }, (_, page) => ({
      number: page + 1,
      page: wallet.subarray(page * 4096, (page + 1) * 4096),
      commit: page + 1 === pages ? pages : 0,
    }));
    const path = put('wallet.dat', Buffer.alloc(0));
    put('wallet.dat-wal', logOf(4096, frames));
    expect((await search()).paths).toEqual([path]);
  });

  it('finds wallets by their content, whatever their name and folder', async () => {
    const expected = [
      put('.bitcoin/wallets/savings/wallet.dat', 'descriptor-hd'),
      put('Documents/old/2012/notes.txt', 'legacy-hd'),
      put('Pictures/coins.jpg', 'legacy-hd-encrypted'),
    ].sort();
    put('Documents/notes.dat', Buffer.from('not a wallet'));
    put('empty/notes.dat', Buffer.alloc(0));
    const { paths, filesRead, unread, unreadable, progress, found } = await search();
    expect(paths).toEqual(expected);
    const kinds = ['descriptor-wallet', 'legacy-wallet', 'legacy-wallet'];
    expect(found.map(({ kind }) => kind).sort()).toEqual(kinds);
    expect({ filesRead, unread, unreadable }).toEqual({ filesRead: 5, unread: 0, unreadable: [] });
    expect(progress.at(-1)?.[0]).toBe(5);
    expect(progress.map(([, folder]) => folder)).toContain(join(home, 'Documents/old/2012'));
  });

  it('finds what is named like a wallet, whatever its content', async () => {
    const damaged = Buffer.from(walletFile('legacy-hd')).fill(0, 0, 4096);
    const expected = [
      put('first-page/wallet.dat', damaged),
      put('empty/wallet.dat', Buffer.alloc(0)),
      put('Old Wallet copy.dat', Buffer.alloc(9000)),
      put('wallet.1400000000.bak', Buffer.from('noise')),
      put('savings_1796000000.legacy.bak', damaged),
    ].sort();
    put('savings.dat', damaged);
    put('._wallet.dat', Buffer.from('notes of macOS'));
    const { paths, found, unread } = await search();
    expect({ paths, unread }).toEqual({ paths: expected, unread: 0 });
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['other']));
  });

  it('finds a wallet by its first page alone, of any name, where the second is damaged', async () => {
    const path = put('coins.jpg', Buffer.from(walletFile('legacy-hd')).fill(0, 4096, 8192));
    expect((await search()).paths).toEqual([path]);
  });

  it('finds the dumps of a node', async () => {
    const expected = [
      put('a.txt', Buffer.from('# Wallet dump created by Bitcoin v0.21.0\n# * Created on 2021\n')),
      put('b.txt', Buffer.from('BITCOIN_CORE_WALLET_DUMP,1\nformat,bdb\n')),
    ];
    put('c.txt', Buffer.from('# Wallet dump created by Litecoin v0.21.0\n'));
    expect((await search()).paths).toEqual(expected);
  });

  it('ignores databases that are no wallets', async () => {
    const header = Buffer.alloc(4096);
    header.write('SQLite format 3\0');
    put('places.sqlite', header);
    const berkeley = Buffer.alloc(8192);
    berkeley.writeUInt32LE(0x00053162, 12);
    berkeley.writeUInt32LE(9, 16);
    berkeley.writeUInt32LE(4096, 20);
    put('other.db', berkeley);
    expect(await search()).toMatchObject({ paths: [], filesRead: 2 });
  });

  it('reports a file once if folders overlap, and follows no link to a folder around it', async () => {
    const path = put('data/wallet.dat', 'legacy-hd');
    symlinkSync(home, join(home, 'data', 'loop'));
    symlinkSync(path, join(home, 'link.dat'));
    put('other.dat', 'legacy-hd');
    expect((await search([join(home, 'data')])).paths).toEqual([path]);
    expect((await search([join(home, 'data'), home])).paths).toEqual([path, join(home, 'other.dat')]);
  });

  it.skipIf(!CAN_LINK)('follows links to other disks, and names one that leads nowhere', async () => {
    const paths = [put('usb/wallets/old/wallet.dat', 'legacy-hd'), put('vault/savings.bin', 'descriptor-hd')];
    for (const folder of ['.bitcoin', 'docs']) mkdirSync(join(home, folder));
    symlinkSync(join(home, 'usb', 'wallets'), join(home, '.bitcoin', 'wallets'));
    symlinkSync(paths[1] ?? '', join(home, 'docs', 'wallet.dat'));
    const gone = join(home, 'docs', 'wallets');
    symlinkSync(join(home, 'gone'), gone);
    symlinkSync(join(home, 'gone'), join(home, 'docs', 'lock'));
    const unread = { unread: 1, unreadable: [gone] };
    expect(await search([join(home, '.bitcoin'), join(home, 'docs')])).toMatchObject({ paths, ...unread });
  });

  it.skipIf(!CAN_LINK)('reads a folder once that is also searched through a link', async () => {
    const path = put('disk/bitcoin/wallet.dat', 'legacy-hd');
    const link = join(home, 'link');
    symlinkSync(dirname(path), link);
    const once = { paths: [path], filesRead: 1 };
    expect(await search([link, join(home, 'disk')])).toMatchObject(once);
    expect(await search([join(home, 'disk'), link])).toMatchObject(once);
    symlinkSync(join(home, 'disk'), join(home, 'mounted'));
    expect(await search([join(home, 'mounted', 'bitcoin'), link])).toMatchObject(once);
    // Overlapping, but neither leads to the other.
    expect(await search([join(home, 'mounted'), dirname(path)])).toMatchObject({ paths: [path] });
  });

  it.skipIf(!CAN_LINK)('skips an excluded folder that it reaches by another path', async () => {
    put('disk/app/copies/wallet.dat', 'legacy-hd');
    symlinkSync(join(home, 'disk'), join(home, 'link'));
    const excluded = [join(home, 'link', 'app')];
    expect(await search([join(home, 'disk')], { excluded })).toMatchObject({ filesRead: 0 });
    // A link leads below it.
    mkdirSync(join(home, 'other'));
    symlinkSync(join(home, 'disk', 'app', 'copies'), join(home, 'other', 'copies'));
    expect(await search([join(home, 'other')], { excluded })).toMatchObject({ filesRead: 0 });
  });

  it.skipIf(process.platform !== 'linux')(
    'names the first folders that hold what it cannot read',
    async () => {
      // Deeper than the system opens.
      const part = 'x'.repeat(200);
      const parents = Array.from({ length: 6 }, (_, at) =>
        join(home, `${at}`, ...Array<string>(20).fill(part)),
      );
      for (const cwd of parents) {
        mkdirSync(cwd, { recursive: true });
        for (const name of [part, 'y'.repeat(200)]) execFileSync('mkdir', [name], { cwd });
      }
      const { unread, unreadable } = await search();
      for (let at = 0; at < 6; at += 1) execFileSync('rm', ['-r', join(home, `${at}`)]);
      expect(unread).toBe(12);
      expect(unreadable).toHaveLength(5);
      expect(parents).toEqual(expect.arrayContaining(unreadable));
    },
  );

  it.runIf(process.platform === 'linux')('names a folder with a name that is not UTF-8', async () => {
    mkdirSync(Buffer.concat([Buffer.from(`${home}/br`), Buffer.of(0xfc), Buffer.from('der')]));
    const unreadable = [join(home, 'br\ufffdder')];
    // Programs that unpack archives give such names, in UTF-8.
    const paths = [put('k\ufffdnig/wallet.dat', 'legacy-hd')];
    expect(await search()).toMatchObject({ paths, unread: 1, unreadable });
  });

  it('reads only what is named like a wallet in the chain data of a node, and skips excluded folders', async () => {
    for (const name of ['blk00000.dat', 'index/000001.ldb']) put(`.bitcoin/blocks/${name}`, 'legacy-hd');
    put('.bitcoin/chainstate/000002.ldb', 'legacy-hd');
    put('app/copies/wallet.dat', 'legacy-hd');
    const paths = [
      put('.bitcoin/blocks/index/wallet.dat', 'legacy-hd'),
      put('toys/blocks/a.dat', 'legacy-hd'),
    ];
    expect(await search([home], { excluded: [join(home, 'app')] })).toMatchObject({ paths, filesRead: 2 });
  });

  it('continues if a folder is missing, such as a disk, and names it', async () => {
    const path = put('wallet.dat', 'legacy-hd');
    const gone = join(home, 'gone');
    expect(await search([gone, home])).toMatchObject({ paths: [path], unread: 1, unreadable: [gone] });
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
    execFileSync('mkfifo', [join(home, 'pipe')]);
    expect(await search()).toMatchObject({ filesRead: 0 });
  });

  it('ends when it is cancelled', async () => {
    for (let number = 0; number < 20; number += 1) put(`folder ${number}/wallet.dat`, Buffer.from('x'));
    const stopping = new AbortController();
    const cancelled = new Error('cancelled');
    const searching = search([home], { signal: stopping.signal });
    stopping.abort(cancelled);
    await expect(searching).rejects.toBe(cancelled);
  });
});

describe('findBackups', () => {
  const putBackup = (name: string, modified: number) => {
    const path = put(name, Buffer.from('content'));
    utimesSync(path, modified, modified);
    return path;
  };

  it('finds the backups of each release’s migrations, newest first', async () => {
    const newest = putBackup('savings_1795180638.legacy.bak', 300);
    const oldest = putBackup('legacy-hd/legacy-hd-1795181286.legacy.bak', 100);
    const nested = putBackup('family/alice/alice_1795180650.legacy.bak', 200);
    putBackup('too/deep/by/one_1795180650.legacy.bak', 400);
    putBackup('legacy-hd/wallet.dat', 500);
    putBackup('savings.bak', 500);
    mkdirSync(join(home, 'folder_1795180650.legacy.bak'));
    expect(await findBackups(home)).toEqual([
      { path: newest, name: 'savings_1795180638.legacy.bak', size: 7, modified: 300 },
      { path: nested, name: 'alice_1795180650.legacy.bak', size: 7, modified: 200 },
      { path: oldest, name: 'legacy-hd-1795181286.legacy.bak', size: 7, modified: 100 },
    ]);
  });

  it('returns at most the newest 500', async () => {
    for (let n = 0; n < 502; n++) putBackup(`w${n}_1795180650.legacy.bak`, 1000 + n);
    const found = await findBackups(home);
    expect(found).toHaveLength(500);
    expect(found[0]?.name).toBe('w501_1795180650.legacy.bak');
  });

  it('finds nothing in a missing folder', async () => {
    expect(await findBackups(join(home, 'gone'))).toEqual([]);
  });
});
