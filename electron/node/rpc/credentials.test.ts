import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createCredentialsProvider } from './credentials.ts';

const failing = vi.hoisted(() => ({ code: '' }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    open: (...given: Parameters<typeof real.open>) =>
      failing.code === ''
        ? real.open(...given)
        : Promise.reject(Object.assign(new Error('as the system says it'), { code: failing.code })),
  };
});

it.each([
  ['EMFILE', 'too many files and connections are open'],
  ['ENFILE', 'too many files and connections are open'],
  ['EACCES', 'this user is not allowed to'],
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
    const login = createCredentialsProvider({ by: 'cookie', file });
    expect((await login.authorization()).header).toMatch(/^Basic /);
    failing.code = code;
    const error = await login.authorization().catch((thrown: unknown) => thrown);
    if (!(error instanceof AppError)) throw new Error('It was read.');
    expect(error.code).toBe('credentials_missing');
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('There is no cookie file');
    expect(error.hint).toContain('Nothing was sent.');
  },
);
