import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../../shared/model/errors.ts';
import { createLogin } from './credentials.ts';

const failing = vi.hoisted(() => ({ code: '' }));
/** What is done between the look at a file and its opening. */
const meanwhile = vi.hoisted(() => ({ act: null as (() => void) | null }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    lstat: async (...given: Parameters<typeof real.lstat>) => {
      const stats = await real.lstat(...given);
      meanwhile.act?.();
      meanwhile.act = null;
      return stats;
    },
    open: (...given: Parameters<typeof real.open>) =>
      failing.code === ''
        ? real.open(...given)
        : Promise.reject(Object.assign(new Error('as the system says it'), { code: failing.code })),
  };
});

// SECURITY.md: Another user of this computer
it.each([
  ['EMFILE', 'Too many files and connections are open'],
  ['ENFILE', 'Too many files and connections are open'],
  ['EACCES', 'You may not read'],
  ['EIO', 'cannot be read (EIO)'],
])(
  'says of a cookie file that %s keeps from being read why, and not that there is none',
  async (code, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'credentials-'));
    onTestFinished(async () => {
      failing.code = '';
      await rm(folder, { recursive: true });
    });
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:0123');
    const login = createLogin({ by: 'cookie', cookieFile: file });
    expect((await login()).header).toMatch(/^Basic /);
    failing.code = code;
    const error = await login().catch((thrown: unknown) => thrown);
    if (!(error instanceof AppError)) throw new Error('It was read.');
    expect(error.code).toBe('credentials_missing');
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('There is no cookie file');
  },
);

// SECURITY.md: A hostile wallets folder
it.skipIf(process.platform === 'win32').each(['before it is looked at', 'after it was looked at'])(
  'waits for no pipe that takes the place of a cookie file %s',
  async (when) => {
    const folder = await mkdtemp(join(tmpdir(), 'credentials-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, '.cookie');
    const swap = () => expect(spawnSync('sh', ['-c', 'rm "$1" && mkfifo "$1"', 'sh', file]).status).toBe(0);
    await writeFile(file, '__cookie__:0123');
    if (when.startsWith('before')) swap();
    else meanwhile.act = swap;
    const login = createLogin({ by: 'cookie', cookieFile: file });
    await expect(login()).rejects.toMatchObject({
      code: 'credentials_missing',
      message: expect.stringContaining('is not a cookie file'),
    });
  },
);
