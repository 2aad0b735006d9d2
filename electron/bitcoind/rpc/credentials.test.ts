import { spawnSync } from 'node:child_process';
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { createLogin } from './credentials.ts';

const failing = vi.hoisted(() => ({ code: '' }));
/** What a file system that caches the state of files shows. */
const cached = vi.hoisted(() => ({ stats: null as object | null }));
/** Runs between the check of a file and its opening. */
const meanwhile = vi.hoisted(() => ({ act: null as (() => void) | null }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    lstat: async (...args: Parameters<typeof real.lstat>) => {
      const stats = cached.stats ?? (await real.lstat(...args));
      meanwhile.act?.();
      meanwhile.act = null;
      return stats;
    },
    open: (...args: Parameters<typeof real.open>) =>
      failing.code === ''
        ? real.open(...args)
        : Promise.reject(Object.assign(new Error('from the system'), { code: failing.code })),
  };
});

let file: string;
const login = () => createLogin({ by: 'cookie', cookieFile: file })();

beforeEach(async () => {
  file = join(makeTestFolder(), '.cookie');
  await writeFile(file, '__cookie__:0123');
});
afterEach(() => {
  failing.code = '';
  cached.stats = null;
});

// SECURITY.md: A flood of connections
it.each([
  ['EMFILE', 'Too many open files'],
  ['ENFILE', 'Too many open files'],
  ['EACCES', 'You are not allowed to open'],
  ['EIO', 'Unreadable cookie file'],
])('reports why it cannot read a cookie file: %s', async (code, words) => {
  expect((await login()).header).toMatch(/^Basic /);
  failing.code = code;
  await expect(login()).rejects.toMatchObject({
    code: 'credentials_missing',
    message: expect.stringContaining(words),
  });
});

it('reports that the offline engine’s wallets folder is gone, for example because its disk is disconnected', async () => {
  const walletsFolder = join(file, '..', 'wallets');
  const engine = () => createLogin({ by: 'cookie', cookieFile: file, walletsFolder })();
  await mkdir(walletsFolder);
  await rm(file);
  await expect(engine()).rejects.toMatchObject({ message: `No cookie file ${file}.` });
  await rm(walletsFolder, { recursive: true });
  await expect(engine()).rejects.toMatchObject({
    message: `No folder ${walletsFolder}.`,
    hint: 'Connect the wallets folder’s disk.',
  });
});

// SECURITY.md: A hostile wallets folder
it.skipIf(process.platform === 'win32').each(['before', 'after'])(
  'does not wait for a pipe that replaces a cookie file %s the check',
  async (when) => {
    const swap = () => expect(spawnSync('sh', ['-c', 'rm "$1" && mkfifo "$1"', 'sh', file]).status).toBe(0);
    if (when === 'before') swap();
    else meanwhile.act = swap;
    await expect(login()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('is not a cookie file'),
    });
  },
);

it('reads the cookie afresh on request, even if its file seems unchanged', async () => {
  const read = createLogin({ by: 'cookie', cookieFile: file });
  const old = await read();
  cached.stats = await lstat(file, { bigint: true });
  await writeFile(file, '__cookie__:4567');
  expect(await read()).toBe(old);
  const { header } = await read('afresh');
  expect(header).toBe(`Basic ${Buffer.from('__cookie__:4567').toString('base64')}`);
});
