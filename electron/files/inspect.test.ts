import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FixtureName, fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { fileFacts } from '../../shared/model/files.ts';
import { inspectFile } from './inspect.ts';
import { CAN_LINK, MODES_HOLD } from './testing/system.ts';
import { makeTestFolder } from './testing/testFolder.ts';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

const write = async (content: Buffer | string, name = 'file') => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

const CUT = { truncated: true };
const WHOLE = { truncated: false };
const OTHER = { kind: 'other', fileKind: { code: 'other_sqlite' }, network: null };
const BERKELEY_8 = { kind: 'other', fileKind: { code: 'berkeley_version', version: 8 } };
/** Changes the bytes with a function that writes a number at a place. */
const number =
  (write: 'writeUInt32BE' | 'writeUInt32LE' | 'writeUInt16BE', value: number, at: number) =>
  (bytes: Buffer): Buffer => {
    bytes[write](value, at);
    return bytes;
  };
function bigEndian(bytes: Buffer): Buffer {
  for (const at of [12, 16, 20, 32]) bytes.subarray(at, at + 4).reverse();
  return bytes;
}

describe('inspectFile', () => {
  it.each(['descriptor-hd', 'descriptor-encrypted'] as const)('knows %s and its network', async (name) => {
    const facts = await inspectFile(fixtureFile(name));
    expect(facts).toMatchObject({
      path: fixtureFile(name),
      name: 'wallet.dat',
      suggestedName: name,
      kind: 'descriptor-wallet',
      fileKind: { code: 'descriptor_wallet' },
      network: 'regtest',
      truncated: false,
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
      fileKind: { code: 'legacy_wallet' },
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
    const bytes = number('writeUInt32BE', magic, 68)(await readFile(fixtureFile('descriptor-hd')));
    expect(await inspectFile(await write(bytes))).toMatchObject({ kind: 'descriptor-wallet', network });
  });

  it('recognises a wallet of a custom signet, but not one of another coin', async () => {
    const wallet = await readFile(fixtureFile('descriptor-hd'));
    const withId = (id: number) => write(number('writeUInt32BE', id, 68)(wallet));
    // Mutinynet's.
    const signet = { kind: 'descriptor-wallet', fileKind: { code: 'descriptor_wallet' }, network: null };
    expect(await inspectFile(await withId(0xa5df2dcb))).toMatchObject({ ...signet, ...WHOLE });
    const litecoin = { code: 'other_wallet', program: 'Litecoin' };
    expect(await inspectFile(await withId(0xfbc0b6db))).toMatchObject({ kind: 'other', fileKind: litecoin });
  });

  it.each<[string, FixtureName, (bytes: Buffer) => Buffer, object]>([
    ['a database of another program', 'descriptor-hd', number('writeUInt32BE', 0, 68), OTHER],
    ['another version of Berkeley DB', 'legacy-hd', number('writeUInt32LE', 8, 16), BERKELEY_8],
    ['a cut header of SQLite', 'descriptor-hd', (bytes) => bytes.subarray(0, 50), { kind: 'other', ...CUT }],
    ['a cut header of Berkeley DB', 'legacy-hd', (bytes) => bytes.subarray(0, 50), { kind: 'other', ...CUT }],
    ['a cut descriptor wallet', 'descriptor-hd', (bytes) => bytes.subarray(0, -1), CUT],
    ['a cut legacy wallet', 'legacy-hd', (bytes) => bytes.subarray(0, -1), CUT],
    ['a longer descriptor wallet', 'descriptor-hd', (bytes) => Buffer.concat([bytes, bytes]), WHOLE],
    ['a longer legacy wallet', 'legacy-hd', (bytes) => Buffer.concat([bytes, bytes]), WHOLE],
    [
      'a page count that SQLite itself does not trust',
      'descriptor-hd',
      (bytes) => number('writeUInt32BE', 999, 92)(bytes).subarray(0, 8192),
      WHOLE,
    ],
    ['pages of 65,536 bytes, which SQLite writes as 1', 'descriptor-hd', number('writeUInt16BE', 1, 16), CUT],
    ['a big-endian legacy wallet', 'legacy-hd', bigEndian, { kind: 'legacy-wallet', ...WHOLE }],
    ['a cut big-endian one', 'legacy-hd', (bytes) => bigEndian(bytes).subarray(0, 4096), CUT],
  ])('recognises %s', async (_, name, change, expected) => {
    const bytes = await readFile(fixtureFile(name));
    expect(await inspectFile(await write(change(bytes)))).toMatchObject(expected);
  });

  it('names another kind of file and what opens it', async () => {
    expect(await inspectFile(await write('QklFMQKsomethinginbase64'))).toMatchObject({
      kind: 'other',
      fileKind: { code: 'other_wallet', program: 'Electrum', openIn: ['Electrum'] },
      network: null,
      truncated: false,
    });
    // Only its name tells.
    expect(await inspectFile(await write(Buffer.from([0x81, 3, 0xff]), 'mbhd.wallet.aes'))).toMatchObject({
      fileKind: { code: 'other_wallet', program: 'MultiBit HD', openIn: ['MultiBit HD'] },
    });
  });

  it.each([`${'x'.repeat(4095)}ä`, Buffer.from('\ufeffwords', 'utf16le')])(
    'knows a text that ends within a character, or is UTF-16',
    async (content) => {
      expect(await inspectFile(await write(content))).toMatchObject({ fileKind: { code: 'text' } });
    },
  );

  it.skipIf(!CAN_LINK)('follows a link to the file itself', async () => {
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
    const below = join(await write('x'), 'below');
    await expect(inspectFile(below)).rejects.toMatchObject({ code: 'file_missing' });
    await expect(inspectFile('with\0zero')).rejects.toMatchObject({ code: 'bad_input' });
  });

  it.skipIf(!CAN_LINK)('refuses a link to itself', async () => {
    await symlink(join(folder, 'loop'), join(folder, 'loop'));
    await expect(inspectFile(join(folder, 'loop'))).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  it.skipIf(!MODES_HOLD)('says when the file may not be read', async () => {
    await mkdir(join(folder, 'closed'), { mode: 0o000 });
    await expect(inspectFile(join(folder, 'closed', 'x'))).rejects.toMatchObject({ code: 'file_unreadable' });
  });
});
