import { spawnSync } from 'node:child_process';
import { chown, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ON_WINDOWS } from '../../files/testing/system.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { ANOTHER_USER, canBeAnotherUser } from '../testing/otherUser.ts';
import { type BitcoinConf, parseBitcoinConf, readBitcoinConf } from './bitcoinConf.ts';

/** Runs between the check of a file and its opening. */
const meanwhile = vi.hoisted(() => ({ act: null as (() => void) | null }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    stat: async (...args: Parameters<typeof real.stat>) => {
      const stats = await real.stat(...args);
      meanwhile.act?.();
      meanwhile.act = null;
      return stats;
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

async function conf(text: string): Promise<BitcoinConf> {
  await writeFile(join(folder, 'bitcoin.conf'), text);
  return (await readBitcoinConf(folder)) as BitcoinConf;
}

describe('parseBitcoinConf', () => {
  it('reads sections, prefixes, comments, blanks and negations', () => {
    const text = [
      '# a comment',
      '',
      ' server = 1 # on',
      'regtest.rpcport=3000',
      'nolisten=1',
      'nodnsseed=0',
      '-notallowed=1',
      'nonsense',
      '[test]\r',
      'rpcport=4000\r',
    ].join('\n');
    expect(parseBitcoinConf(text)).toEqual([
      { section: '', name: 'server', value: '1' },
      { section: 'regtest', name: 'rpcport', value: '3000' },
      { section: '', name: 'listen', value: false },
      { section: '', name: 'dnsseed', value: '1' },
      { section: 'test', name: 'rpcport', value: '4000' },
    ]);
  });
});

describe('readBitcoinConf', () => {
  it('reads the example of the documentation', async () => {
    // doc/bitcoin-conf.md: "regtest.rpcport is set to 3000".
    const read = await conf('regtest=1\nrpcport=2000\nregtest.rpcport=3000\n\n[regtest]\nrpcport=4000\n');
    expect(read.value('regtest', 'rpcport')).toBe('3000');
    expect(read.value('main', 'rpcport')).toBe('2000');
    expect(read.value('signet', 'rpcport')).toBeUndefined();
    expect(read.network).toBe('regtest');
  });

  it('uses the first value, and the section before the top', async () => {
    const read = await conf('rpcuser=first\nrpcuser=second\n[signet]\nrpcuser=own\n');
    expect(read.value('main', 'rpcuser')).toBe('first');
    expect(read.value('testnet4', 'rpcuser')).toBe('first');
    expect(read.value('signet', 'rpcuser')).toBe('own');
  });

  it('discards the values before a negation, and keeps those after it', async () => {
    const read = await conf('rpcuser=a\nnorpcuser=1\nrpcuser=b\nrpccookiefile=x\nnorpccookiefile=1\n');
    expect(read.value('main', 'rpcuser')).toBe('b');
    expect(read.value('main', 'rpccookiefile')).toBeNull();
    expect(read.value('signet', 'rpccookiefile')).toBeNull();
  });

  it('applies a negation at the top to settings that only a section may set', async () => {
    const read = await conf('norpcport=1\n[signet]\nrpcport=5\n');
    expect(read.value('regtest', 'rpcport')).toBeNull();
    expect(read.value('signet', 'rpcport')).toBe('5');
  });

  it('joins the lists of section and top, except for settings that only a section may set outside main', async () => {
    const top = 'rpcallowip=a\nrpcbind=top\nmain.rpcbind=own\n';
    const read = await conf(`${top}[test]\nrpcallowip=b\nrpcbind=c\nrpcbind=d\n`);
    expect(read.values('testnet3', 'rpcallowip')).toEqual(['b', 'a']);
    expect(read.values('testnet3', 'rpcbind')).toEqual(['c', 'd']);
    expect(read.values('main', 'rpcbind')).toEqual(['own', 'top']);
  });

  it.each([
    ['', 'main'],
    ['testnet=1', 'testnet3'],
    ['testnet4=1', 'testnet4'],
    ['signet=', 'signet'],
    ['regtest=0', 'main'],
    ['regtest=1\nregtest=0', 'main'],
    ['chain=test', 'testnet3'],
    ['chain=signet', 'signet'],
    ['noregtest=0', 'regtest'],
  ])('selects the network of %j', async (text, network) => {
    expect((await conf(text)).network).toBe(network);
  });

  it('names the selected network and those with settings of their own', async () => {
    const read = await conf('signet=1\n[regtest]\nserver=1\n');
    const named = (['main', 'testnet3', 'signet', 'regtest'] as const).filter((each) => read.mentions(each));
    expect(named).toEqual(['signet', 'regtest']);
  });

  it('includes files of its folder, one level deep, those of the section first', async () => {
    await writeFile(join(folder, 'top.conf'), 'rpcuser=top\nrpcpassword=top\nincludeconf=deep.conf\n');
    await writeFile(join(folder, 'test.conf'), 'rpcuser=test\n[test]\nrpcport=7\n');
    await writeFile(join(folder, 'deep.conf'), 'rpcthreads=9\n');
    const read = await conf(
      'includeconf=top.conf\nincludeconf=missing.conf\n[test]\nincludeconf=test.conf\n',
    );
    expect(read.value('main', 'rpcuser')).toBe('top');
    expect(read.value('testnet3', 'rpcuser')).toBe('test');
    expect(read.value('testnet3', 'rpcpassword')).toBe('top');
    expect(read.value('testnet3', 'rpcport')).toBe('7');
    expect(read.value('main', 'rpcthreads')).toBeUndefined();
  });

  it('includes each file once, even itself', async () => {
    const own = await conf(`rpcport=7\n${'includeconf=bitcoin.conf\n'.repeat(30_000)}`);
    expect(own?.value('main', 'rpcport')).toBe('7');
    expect(own?.values('main', 'rpcport')).toEqual(['7', '7']);
    expect(own?.partly).toBe(false);
  });

  it.each([
    ['32 files', 40, 0, 32],
    // The fifth reaches four million.
    ['four million bytes', 10, 900_000, 5],
  ])('includes at most %s, and reports more', async (_, files, bytes, read) => {
    const names = Array.from({ length: files }, (_each, at) => `part-${at}.conf`);
    for (const name of names) await writeFile(join(folder, name), `rpcauth=user\n#${'x'.repeat(bytes)}\n`);
    const own = await conf(names.map((name) => `includeconf=${name}\n`).join(''));
    expect(own.values('main', 'rpcauth')).toHaveLength(read);
    expect(own.partly).toBe(true);
  });

  // SECURITY.md: A hostile `bitcoin.conf`
  it.skipIf(!canBeAnotherUser)('includes no file of another user (needs root to test)', async () => {
    const secret = join(folder, 'secret.conf');
    await writeFile(secret, 'rpcpassword=secret\n');
    const own = await conf('includeconf=secret.conf\nrpcport=7\n');
    expect(own.value('main', 'rpcpassword')).toBe('secret');
    await chown(join(folder, 'bitcoin.conf'), ANOTHER_USER, ANOTHER_USER);
    const read = (await readBitcoinConf(folder)) as BitcoinConf;
    expect(read.owner).toBe(ANOTHER_USER);
    expect(read.value('main', 'rpcport')).toBe('7');
    expect(read.value('main', 'rpcpassword')).toBeUndefined();
  });

  // SECURITY.md: A hostile `bitcoin.conf`
  it.skipIf(!canBeAnotherUser)('has the owner of the file, not of a link (needs root to test)', async () => {
    const file = join(folder, 'own.conf');
    await writeFile(file, 'rpcpassword=secret\n');
    await symlink(file, join(folder, 'bitcoin.conf'));
    expect(spawnSync('chown', ['-h', `${ANOTHER_USER}`, join(folder, 'bitcoin.conf')]).status).toBe(0);
    expect((await readBitcoinConf(folder))?.owner).toBe(process.getuid?.());
    await chown(file, ANOTHER_USER, ANOTHER_USER);
    expect((await readBitcoinConf(folder))?.owner).toBe(ANOTHER_USER);
  });

  // SECURITY.md: Links, pipes and devices in place of files
  it.skipIf(ON_WINDOWS)('waits for no pipe, neither as bitcoin.conf nor as an included file', async () => {
    const pipe = (name: string) => expect(spawnSync('mkfifo', [join(folder, name)]).status).toBe(0);
    pipe('bitcoin.conf');
    expect(await readBitcoinConf(folder)).toBeNull();
    await rm(join(folder, 'bitcoin.conf'));
    pipe('pipe.conf');
    const read = await conf('includeconf=pipe.conf\nrpcport=7\n');
    expect(read.value('main', 'rpcport')).toBe('7');
    meanwhile.act = () => {
      spawnSync('rm', [join(folder, 'bitcoin.conf')]);
      pipe('bitcoin.conf');
    };
    expect(await readBitcoinConf(folder)).toBeNull();
    expect(meanwhile.act).toBeNull();
  });

  it('is null without a file, and for a folder of that name', async () => {
    expect(await readBitcoinConf(folder)).toBeNull();
    await mkdir(join(folder, 'bitcoin.conf'));
    expect(await readBitcoinConf(folder)).toBeNull();
  });
});
