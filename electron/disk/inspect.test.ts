import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { fileFacts } from '../../shared/files.ts';
import { inspectFile } from './inspect.ts';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'inspect-')));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (content: Buffer | string, name = 'file') => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

describe('inspectFile', () => {
  it.each(['descriptor-hd', 'descriptor-encrypted'] as const)('knows %s and its network', async (name) => {
    const facts = await inspectFile(fixtureFile(name));
    expect(facts).toMatchObject({
      path: fixtureFile(name),
      name: 'wallet.dat',
      kind: 'descriptor-wallet',
      description: 'descriptor wallet (SQLite)',
      network: 'regtest',
      truncated: false,
      suggestedName: name,
    });
    expect(fileFacts.safeParse(facts).success).toBe(true);
  });

  it.each([
    ['legacy-blank', 16_384],
    ['legacy-hd', 73_728],
    ['legacy-hd-encrypted', 94_208],
    ['legacy-imported', 28_672],
    ['legacy-nokeys', 16_384],
    ['legacy-solvable', 77_824],
    ['legacy-watchonly', 73_728],
  ] as const)('knows %s', async (name, size) => {
    expect(await inspectFile(fixtureFile(name))).toMatchObject({
      kind: 'legacy-wallet',
      description: 'legacy wallet (Berkeley DB)',
      network: null,
      truncated: false,
      size,
      suggestedName: name,
    });
  });

  it.each([
    [0xf9beb4d9, 'main'],
    [0x0b110907, 'testnet3'],
    [0x1c163f28, 'testnet4'],
    [0x0a03cf40, 'signet'],
  ])('reads the network of magic %i as %s', async (magic, network) => {
    const bytes = await readFile(fixtureFile('descriptor-hd'));
    bytes.writeUInt32BE(magic, 68);
    expect(await inspectFile(await write(bytes))).toMatchObject({ kind: 'descriptor-wallet', network });
  });

  it('tells a database of another program from a wallet', async () => {
    const bytes = await readFile(fixtureFile('descriptor-hd'));
    bytes.writeUInt32BE(0, 68);
    expect(await inspectFile(await write(bytes))).toMatchObject({
      kind: 'other',
      description: 'SQLite database, not a wallet',
      network: null,
    });
  });

  it.each(['descriptor-hd', 'legacy-hd'] as const)('sees that %s was cut short', async (name) => {
    const bytes = await readFile(fixtureFile(name));
    expect(await inspectFile(await write(bytes.subarray(0, -1)))).toMatchObject({ truncated: true });
    expect(await inspectFile(await write(bytes))).toMatchObject({ truncated: false });
    expect(await inspectFile(await write(Buffer.concat([bytes, bytes])))).toMatchObject({ truncated: false });
  });

  it('sees that a database was cut within its header', async () => {
    const sqlite = await readFile(fixtureFile('descriptor-hd'));
    expect(await inspectFile(await write(sqlite.subarray(0, 50)))).toMatchObject({
      kind: 'other',
      truncated: true,
    });
    const berkeley = await readFile(fixtureFile('legacy-hd'));
    expect(await inspectFile(await write(berkeley.subarray(0, 50)))).toMatchObject({
      kind: 'other',
      truncated: true,
    });
  });

  it('does not trust a page count that SQLite itself would not', async () => {
    const bytes = (await readFile(fixtureFile('descriptor-hd'))).subarray(0, 8192);
    bytes.writeUInt32BE(999, 92);
    expect(await inspectFile(await write(bytes))).toMatchObject({ truncated: false });
  });

  it('reads pages of 65,536 bytes, which SQLite writes as 1', async () => {
    const bytes = await readFile(fixtureFile('descriptor-hd'));
    bytes.writeUInt16BE(1, 16);
    expect(await inspectFile(await write(bytes))).toMatchObject({ truncated: true });
  });

  it('knows a legacy wallet written by a big endian machine', async () => {
    const bytes = await readFile(fixtureFile('legacy-hd'));
    for (const at of [12, 16, 20, 32]) bytes.subarray(at, at + 4).reverse();
    expect(await inspectFile(await write(bytes))).toMatchObject({ kind: 'legacy-wallet', truncated: false });
    expect(await inspectFile(await write(bytes.subarray(0, 4096)))).toMatchObject({ truncated: true });
  });

  it('does not take another version of Berkeley DB for a wallet', async () => {
    const bytes = await readFile(fixtureFile('legacy-hd'));
    bytes.writeUInt32LE(8, 16);
    expect(await inspectFile(await write(bytes))).toMatchObject({
      kind: 'other',
      description: 'Berkeley DB database of version 8',
    });
  });

  it.each<[string, Buffer | string]>([
    ['empty file', ''],
    ['file of zeros', Buffer.alloc(10_000)],
    ['PNG image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
    ['JPEG image', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['GIF image', 'GIF89a...'],
    ['PDF document', '%PDF-1.7\n'],
    ['ZIP archive or document', Buffer.from('PK\x03\x04\x14\0', 'latin1')],
    ['gzip archive', Buffer.from([0x1f, 0x8b, 8, 0])],
    ['xz archive', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
    ['7-Zip archive', Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])],
    ['Linux program', Buffer.from('\x7fELF\x02', 'latin1')],
    ['Windows program', Buffer.from('MZ\x90\0\x03', 'latin1')],
    ['HTML page', '\n<!DOCTYPE html>\n<html>'],
    ['JSON file', '{"balance": 1}'],
    ['text file', 'my wallet is in the other folder\n'],
    ['text file', Buffer.from(`${'x'.repeat(4095)}ä`)],
    ['text file', Buffer.from('\ufeffwords', 'utf16le')],
    ['Electrum wallet', '{\n  "addr_history": {},\n  "seed_version": 18,\n  "wallet_type": "standard"\n}'],
    ['encrypted Electrum wallet', 'QklFMQKsomethinginbase64'],
    ['dump of a wallet’s keys', '# Wallet dump created by Bitcoin Core v0.21.1\n# * Created on 2021'],
    ['dump of a wallet’s records', 'BITCOIN_CORE_WALLET_DUMP,1\nformat,bdb\n'],
    ['unknown file', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])],
  ])('calls it: %s', async (description, content) => {
    expect(await inspectFile(await write(content))).toMatchObject({
      kind: 'other',
      description,
      network: null,
      truncated: false,
    });
  });

  it('follows a link to the file itself', async () => {
    const path = await write('text');
    await symlink(path, join(folder, 'link'));
    expect(await inspectFile(join(folder, 'link'))).toMatchObject({ path, name: 'file', folder });
  });

  it('refuses what is not a file', async () => {
    await expect(inspectFile(folder)).rejects.toMatchObject({ code: 'not_a_file' });
    await expect(inspectFile('/dev/null')).rejects.toMatchObject({ code: 'not_a_file' });
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe or a socket', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(inspectFile(join(folder, 'pipe'))).rejects.toMatchObject({ code: 'not_a_file' });
    const server = createServer().listen(join(folder, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    await expect(inspectFile(join(folder, 'socket'))).rejects.toMatchObject({ code: 'not_a_file' });
    await new Promise((resolve) => server.close(resolve));
  });

  it('says when there is nothing, or nothing that can be read', async () => {
    await expect(inspectFile(join(folder, 'gone'))).rejects.toMatchObject({ code: 'file_missing' });
    await expect(inspectFile(join(await write('x'), 'below'))).rejects.toMatchObject({
      code: 'file_missing',
    });
    await symlink(join(folder, 'loop'), join(folder, 'loop'));
    await expect(inspectFile(join(folder, 'loop'))).rejects.toMatchObject({ code: 'file_unreadable' });
    await expect(inspectFile('with\0zero')).rejects.toMatchObject({ code: 'bad_input' });
  });

  it.skipIf(process.getuid?.() === 0)('says when the file may not be read', async () => {
    await mkdir(join(folder, 'closed'), { mode: 0o000 });
    await expect(inspectFile(join(folder, 'closed', 'x'))).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});
