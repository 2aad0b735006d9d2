import { appendFile, mkdir, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { followLog, readLogEnd } from './logFollower.ts';

let path: string;
let lines: string[];
let follower: Awaited<ReturnType<typeof followLog>> | undefined;

/** The path of the log once it is renamed. */
const older = () => `${path}.1`;

/** Follows the log, which it polls only by `drain` unless the options say more. `append` also has it polled. */
async function follow(options: Parameters<typeof followLog>[2] = {}) {
  const followed = await followLog(path, (line) => lines.push(line), { intervalMs: 3_600_000, ...options });
  follower = followed;
  const append = async (text: string | Buffer, to = path) => {
    await appendFile(to, text);
    await followed.drain();
  };
  return { ...followed, append };
}

beforeEach(async () => {
  path = join(makeTestFolder(), 'debug.log');
  lines = [];
  await writeFile(path, 'before\n');
});

afterEach(async () => {
  await follower?.stop();
  follower = undefined;
});

describe('followLog', () => {
  it('reports the lines written after the start only', async () => {
    const { append } = await follow();
    await append('one\r\ntwo\n\nthree\n');
    expect(lines).toEqual(['one', 'two', '', 'three']);
  });

  it('finds new lines by itself', async () => {
    await follow({ intervalMs: 5 });
    await appendFile(path, 'by itself\n');
    await vi.waitFor(() => expect(lines).toEqual(['by itself']));
    await appendFile(path, 'and again\n');
    await vi.waitFor(() => expect(lines).toEqual(['by itself', 'and again']));
  });

  it('skips a line that was started before', async () => {
    await writeFile(path, 'whole\nbegu');
    const { append } = await follow();
    await append('n\nnext\n');
    expect(lines).toEqual(['next']);
  });

  it('waits for the rest of an incomplete line', async () => {
    const { append } = await follow();
    await append('half');
    expect(lines).toEqual([]);
    await append(' and half\n');
    expect(lines).toEqual(['half and half']);
  });

  it('joins the bytes of a character', async () => {
    const { append } = await follow();
    for (const byte of Buffer.from('später 💰\n')) await append(Buffer.of(byte));
    expect(lines).toEqual(['später 💰']);
  });

  it('reports 10,000 lines in order', async () => {
    const { append } = await follow();
    const burst = Array.from({ length: 10_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 200)}`);
    await append(`${burst.join('\n')}\n`);
    expect(lines).toEqual(burst);
  });

  it('cuts a line after 64 kB, between two characters, and continues with the next', async () => {
    const { append } = await follow();
    await append(`a${'ä'.repeat(100_000)}\nnext\n`);
    expect(lines).toEqual([`a${'ä'.repeat(32_767)}`, 'next']);
  });

  it('finishes a renamed file before it starts the new one', async () => {
    const { append } = await follow();
    await append('old 1\n');
    await rename(path, older());
    await appendFile(older(), 'old 2\n');
    await append('new 1\n');
    await append('new 2\n');
    expect(lines).toEqual(['old 1', 'old 2', 'new 1', 'new 2']);
  });

  it('keeps reading the renamed file while the new one is empty', async () => {
    const { append } = await follow();
    await rename(path, older());
    await append('');
    await append('still written to the old one\n', older());
    await append('now to the new one\n');
    expect(lines).toEqual(['still written to the old one', 'now to the new one']);
  });

  it('reports the incomplete last line of a replaced file', async () => {
    const { append } = await follow();
    await append('the node stopped here');
    await rm(path);
    await append('and started again\n');
    expect(lines).toEqual(['the node stopped here', 'and started again']);
  });

  it('waits for a removed file', async () => {
    const { append, drain } = await follow();
    await rm(path);
    await drain();
    await drain();
    expect(lines).toEqual([]);
    await append('back\n');
    expect(lines).toEqual(['back']);
  });

  it('keeps reading its file while a folder has its name', async () => {
    const { append, drain } = await follow();
    await rename(path, older());
    await mkdir(path);
    await drain();
    await append('still written\n', older());
    expect(lines).toEqual(['still written']);
    await rm(path, { recursive: true });
    await append('a file again\n');
    expect(lines).toEqual(['still written', 'a file again']);
  });

  it('refuses a folder', async () => {
    await rm(path);
    await mkdir(path);
    await expect(follow()).rejects.toMatchObject({ name: 'NoFileError' });
  });

  it('reports whether it found its mark again', async () => {
    const from = await readLogEnd(path, null);
    await appendFile(path, 'one\n');
    expect((await follow({ from })).found).toBe(true);
    await follower?.stop();
    await writeFile(path, 'another log, longer than the one before\n');
    expect((await follow({ from })).found).toBe(false);
  });

  it('starts again in a file that was truncated', async () => {
    const { append } = await follow();
    await append('one\n');
    await truncate(path, 0);
    await append('two\n');
    expect(lines).toEqual(['one', 'two']);
  });

  it('reports no line twice when the node shortens its log in place', async () => {
    const { append, drain } = await follow();
    const many = Array.from({ length: 5000 }, (_, n) => `2026-11-20T13:17:27Z UpdateTip: height=${n}`);
    await append(`${many.join('\n')}\n`);
    expect(lines).toHaveLength(5000);
    const kept = (await readFile(path)).subarray(-100_000);
    const handle = await open(path, 'r+');
    await handle.truncate(0);
    await handle.write(Buffer.concat([kept, Buffer.from('after the restart\n')]), 0, undefined, 0);
    await handle.close();
    await drain();
    expect(lines).toHaveLength(5001);
    expect(lines.at(-1)).toBe('after the restart');
  });

  // Windows would allocate the whole file.
  describe.skipIf(process.platform === 'win32')('in a sparse log of a terabyte', () => {
    // SECURITY.md: A hostile RPC server
    it('reads only the end, and can be stopped', async () => {
      const { drain, stop } = await follow();
      await truncate(path, 1e12);
      await appendFile(path, '\nlast\n');
      expect(await drain()).toBe(false);
      expect(lines).toEqual(['last']);
      await truncate(path, 9e11);
      const drained = drain();
      await stop();
      await drained;
    });

    // SECURITY.md: A hostile RPC server
    it('does not search to the end for a mark that is gone', async () => {
      await appendFile(path, `${'a line to find the mark by\n'.repeat(10)}`);
      const mark = await readLogEnd(path, null);
      if (mark === null) throw new Error('no mark');
      await truncate(path, 1e12);
      const { append } = await follow({ from: { ...mark, position: mark.position - 7 } });
      await append('\nlast\n');
      expect(lines.at(-1)).toBe('last');
    });
  });

  it('reports nothing after a stop', async () => {
    const { append, stop } = await follow({ intervalMs: 1 });
    await stop();
    await append('too late\n');
    await stop();
    expect(lines).toEqual([]);
  });

  it('fails without a log', async () => {
    await rm(path);
    await expect(follow()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
