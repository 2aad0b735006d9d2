import { describe, expect, it } from 'vitest';
import { createFileJobs } from './fileJobs.ts';

const never = new AbortController().signal;

/** Work that goes on until its signal ends it. */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

describe('work on a file', () => {
  it('gives its result, and its error', async () => {
    const jobs = createFileJobs();
    expect(await jobs.run({ signal: never, job: 'a' }, async () => 7)).toBe(7);
    const failing = jobs.run({ signal: never }, () => Promise.reject(new RangeError('x')));
    await expect(failing).rejects.toThrow(RangeError);
  });

  // SECURITY.md: A hostile backup file
  it('ends with who asked for it', async () => {
    const page = new AbortController();
    const jobs = createFileJobs();
    const running = jobs.run({ signal: page.signal }, endless);
    const other = jobs.run({ signal: never, job: 'other' }, endless);
    page.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled', message: expect.any(String) });
    await expect(jobs.run({ signal: page.signal }, endless)).rejects.toMatchObject({ code: 'cancelled' });
    jobs.cancel('other');
    await expect(other).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends when it is cancelled by its name, and when a newer one has that name', async () => {
    const jobs = createFileJobs();
    const older = jobs.run({ signal: never, job: 'a' }, endless);
    const newer = jobs.run({ signal: never, job: 'a' }, endless);
    await expect(older).rejects.toMatchObject({ code: 'cancelled' });
    jobs.cancel('b');
    jobs.cancel('a');
    await expect(newer).rejects.toMatchObject({ code: 'cancelled' });
    expect(await jobs.run({ signal: never, job: 'a' }, async () => 'again')).toBe('again');
  });

  it('does not begin when it was cancelled before', async () => {
    const jobs = createFileJobs();
    jobs.cancel('a');
    let begun = false;
    const late = jobs.run({ signal: never, job: 'a' }, async () => {
      begun = true;
    });
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
    expect(begun).toBe(false);
  });

  // SECURITY.md: A hostile backup file
  it('ends when its time is up, and says so', async () => {
    const jobs = createFileJobs(0.01);
    await expect(jobs.run({ signal: never }, endless)).rejects.toMatchObject({
      code: 'beyond_limits',
      message: expect.stringContaining('Stopped after'),
      hint: expect.stringContaining('Nothing was changed'),
    });
  });

  it('gives no result that came although it was ended', async () => {
    const page = new AbortController();
    const deaf = createFileJobs().run({ signal: page.signal }, async () => {
      page.abort();
      return 'a check of what could not be looked at';
    });
    await expect(deaf).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends when the app closes, and no more begins', async () => {
    const jobs = createFileJobs();
    const running = jobs.run({ signal: never }, endless);
    jobs.close();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(jobs.run({ signal: never }, async () => 7)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
