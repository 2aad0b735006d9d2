import { appendFile, mkdir, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { followLog, type LogFollower, markLogEnd } from './logFollower.ts';

let path: string;
let lines: string[];
let follower: LogFollower | undefined;

/** Polls only by `drain`. */
const idle = { intervalMs: 3_600_000 };

const follow = async (options: { intervalMs?: number }) => {
  follower = await followLog(path, (line) => lines.push(line), options);
  return follower;
};

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
    const { drain } = await follow(idle);
    await appendFile(path, 'one\r\ntwo\n\nthree\n');
    await drain();
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
    const { drain } = await follow(idle);
    await appendFile(path, 'n\nnext\n');
    await drain();
    expect(lines).toEqual(['next']);
  });

  it('waits for the rest of an incomplete line', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, 'half');
    await drain();
    expect(lines).toEqual([]);
    await appendFile(path, ' and half\n');
    await drain();
    expect(lines).toEqual(['half and half']);
  });

  it('joins the bytes of a character', async () => {
    const { drain } = await follow(idle);
    for (const byte of Buffer.from('später 💰\n')) {
      await appendFile(path, Buffer.of(byte));
      await drain();
    }
    expect(lines).toEqual(['später 💰']);
  });

  it('reports 10,000 lines in order', async () => {
    const { drain } = await follow(idle);
    const burst = Array.from({ length: 10_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 200)}`);
    await appendFile(path, `${burst.join('\n')}\n`);
    await drain();
    expect(lines).toEqual(burst);
  });

  it('cuts a line after 64 kB, between two characters, and continues with the next', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, `a${'ä'.repeat(100_000)}\nnext\n`);
    await drain();
    expect(lines).toEqual([`a${'ä'.repeat(32_767)}`, 'next']);
  });

  it('finishes a renamed file before it starts the new one', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, 'old 1\n');
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, 'old 2\n');
    await writeFile(path, 'new 1\n');
    await drain();
    await appendFile(path, 'new 2\n');
    await drain();
    expect(lines).toEqual(['old 1', 'old 2', 'new 1', 'new 2']);
  });

  it('keeps reading the renamed file while the new one is empty', async () => {
    const { drain } = await follow(idle);
    await rename(path, `${path}.1`);
    await writeFile(path, '');
    await drain();
    await appendFile(`${path}.1`, 'still written to the old one\n');
    await drain();
    await appendFile(path, 'now to the new one\n');
    await drain();
    expect(lines).toEqual(['still written to the old one', 'now to the new one']);
  });

  it('reports the incomplete last line of a replaced file', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, 'the node stopped here');
    await drain();
    await rm(path);
    await writeFile(path, 'and started again\n');
    await drain();
    expect(lines).toEqual(['the node stopped here', 'and started again']);
  });

  it('waits for a removed file', async () => {
    const { drain } = await follow(idle);
    await rm(path);
    await drain();
    await drain();
    expect(lines).toEqual([]);
    await writeFile(path, 'back\n');
    await drain();
    expect(lines).toEqual(['back']);
  });

  it('keeps reading its file while a folder has its name', async () => {
    const { drain } = await follow(idle);
    const elsewhere = `${path}.1`;
    await rename(path, elsewhere);
    await mkdir(path);
    await drain();
    await appendFile(elsewhere, 'still written\n');
    await drain();
    expect(lines).toEqual(['still written']);
    await rm(path, { recursive: true });
    await writeFile(path, 'a file again\n');
    await drain();
    expect(lines).toEqual(['still written', 'a file again']);
  });

  it('refuses a folder', async () => {
    await rm(path);
    await mkdir(path);
    await expect(follow(idle)).rejects.toMatchObject({ name: 'NoFileError' });
  });

  it('reports whether it found its mark again', async () => {
    const mark = await markLogEnd(path, null);
    const again = async () => {
      await follower?.stop();
      follower = await followLog(path, (line) => lines.push(line), { ...idle, from: mark });
      return follower;
    };
    await appendFile(path, 'one\n');
    expect((await again()).found).toBe(true);
    await writeFile(path, 'another log, longer than the one before\n');
    expect((await again()).found).toBe(false);
  });

  it('starts again in a file that was truncated', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, 'one\n');
    await drain();
    await truncate(path, 0);
    await appendFile(path, 'two\n');
    await drain();
    expect(lines).toEqual(['one', 'two']);
  });

  it('reports no line twice when the node shortens its log in place', async () => {
    const { drain } = await follow(idle);
    const many = Array.from({ length: 5000 }, (_, n) => `2026-11-20T13:17:27Z UpdateTip: height=${n}`);
    await appendFile(path, `${many.join('\n')}\n`);
    await drain();
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
      const { drain, stop } = await follow(idle);
      await truncate(path, 1e12);
      await appendFile(path, '\nlast\n');
      await drain();
      expect(lines).toEqual(['last']);
      await truncate(path, 9e11);
      const drained = drain();
      await stop();
      await drained;
    });

    // SECURITY.md: A hostile RPC server
    it('does not search to the end for a mark that is gone', async () => {
      await appendFile(path, `${'a line to find the mark by\n'.repeat(10)}`);
      const mark = await markLogEnd(path, null);
      if (mark === null) throw new Error('no mark');
      await truncate(path, 1e12);
      const from = { ...mark, position: mark.position - 7 };
      follower = await followLog(path, (line) => lines.push(line), { ...idle, from });
      await appendFile(path, '\nlast\n');
      await follower.drain();
      expect(lines.at(-1)).toBe('last');
    });
  });

  it('reports nothing after a stop', async () => {
    const { drain, stop } = await follow({ intervalMs: 1 });
    await stop();
    await appendFile(path, 'too late\n');
    await drain();
    await stop();
    expect(lines).toEqual([]);
  });

  it('fails without a log', async () => {
    await rm(path);
    await expect(follow(idle)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
