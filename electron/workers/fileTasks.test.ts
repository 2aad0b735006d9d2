import { describe, expect, it } from 'vitest';
import { createFileTasks } from './fileTasks.ts';

const never = new AbortController().signal;

/** Work that runs until its signal aborts. */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

describe('work on a file', () => {
  it('returns its result, or throws its error', async () => {
    const tasks = createFileTasks();
    expect(await tasks.run({ signal: never, task: 'a' }, async () => 7)).toBe(7);
    const failing = tasks.run({ signal: never }, () => Promise.reject(new RangeError('x')));
    await expect(failing).rejects.toThrow(RangeError);
  });

  // SECURITY.md: A hostile wallet file
  it('ends when its caller leaves', async () => {
    const page = new AbortController();
    const tasks = createFileTasks();
    const running = tasks.run({ signal: page.signal }, endless);
    const other = tasks.run({ signal: never, task: 'other' }, endless);
    page.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled', finding: { code: 'reading_stopped' } });
    await expect(tasks.run({ signal: page.signal }, endless)).rejects.toMatchObject({ code: 'cancelled' });
    tasks.cancel('other');
    await expect(other).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends when its name is cancelled, or used again', async () => {
    const tasks = createFileTasks();
    const older = tasks.run({ signal: never, task: 'a' }, endless);
    const newer = tasks.run({ signal: never, task: 'a' }, endless);
    await expect(older).rejects.toMatchObject({ code: 'cancelled' });
    tasks.cancel('b');
    tasks.cancel('a');
    await expect(newer).rejects.toMatchObject({ code: 'cancelled' });
    expect(await tasks.run({ signal: never, task: 'a' }, async () => 'again')).toBe('again');
  });

  it('does not start if it was cancelled before', async () => {
    const tasks = createFileTasks();
    tasks.cancel('a');
    let started = false;
    const late = tasks.run({ signal: never, task: 'a' }, async () => {
      started = true;
    });
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
    expect(started).toBe(false);
  });

  // SECURITY.md: A hostile wallet file
  it('ends with an error when its time is up', async () => {
    const tasks = createFileTasks(0.01);
    await expect(tasks.run({ signal: never }, endless)).rejects.toMatchObject({
      code: 'beyond_limits',
      finding: { code: 'work_too_long', seconds: 0.01 },
    });
  });

  it('returns no result after it was cancelled', async () => {
    const page = new AbortController();
    const late = createFileTasks().run({ signal: page.signal }, async () => {
      page.abort();
      return 'a late result';
    });
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends when the app closes, and no other starts', async () => {
    const tasks = createFileTasks();
    const running = tasks.run({ signal: never }, endless);
    tasks.close();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(tasks.run({ signal: never }, async () => 7)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
