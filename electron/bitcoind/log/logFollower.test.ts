import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followLog, type LogFollower, markLogEnd } from './logFollower.ts';

let folder: string;
let path: string;
let lines: string[];
let follower: LogFollower | undefined;

/** Never asks by itself within a test: what is seen is seen by `drain`. */
const idle = { intervalMs: 3_600_000 };

const follow = async (options: { intervalMs?: number }) => {
  follower = await followLog(path, (line) => lines.push(line), options);
  return follower;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-'));
  path = join(folder, 'debug.log');
  lines = [];
  await writeFile(path, 'before\n');
});

afterEach(async () => {
  await follower?.stop();
  follower = undefined;
  await rm(folder, { recursive: true });
});

describe('followLog', () => {
  it('gives out what is written after the start, and nothing from before', async () => {
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

  it('leaves out a line that was begun before the start', async () => {
    await writeFile(path, 'whole\nbegu');
    const { drain } = await follow(idle);
    await appendFile(path, 'n\nnext\n');
    await drain();
    expect(lines).toEqual(['next']);
  });

  it('holds back half a line until the rest of it is there', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, 'half');
    await drain();
    expect(lines).toEqual([]);
    await appendFile(path, ' and half\n');
    await drain();
    expect(lines).toEqual(['half and half']);
  });

  it('puts characters together that were written in pieces', async () => {
    const { drain } = await follow(idle);
    for (const byte of Buffer.from('später 💰\n')) {
      await appendFile(path, Buffer.of(byte));
      await drain();
    }
    expect(lines).toEqual(['später 💰']);
  });

  it('takes a burst of 10,000 lines in order', async () => {
    const { drain } = await follow(idle);
    const burst = Array.from({ length: 10_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 200)}`);
    await appendFile(path, `${burst.join('\n')}\n`);
    await drain();
    expect(lines).toEqual(burst);
  });

  it('cuts a line over 64 kB, between two characters, and reads on behind it', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, `a${'ä'.repeat(100_000)}\nnext\n`);
    await drain();
    expect(lines).toEqual([`a${'ä'.repeat(32_767)}`, 'next']);
  });

  it('finishes a file that was renamed before it begins the new one', async () => {
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

  it('stays with the renamed file while the new one is empty', async () => {
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

  it('gives out the unfinished last line of a file that was replaced', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, 'the node stopped here');
    await drain();
    await rm(path);
    await writeFile(path, 'and started again\n');
    await drain();
    expect(lines).toEqual(['the node stopped here', 'and started again']);
  });

  it('waits for a file that is gone', async () => {
    const { drain } = await follow(idle);
    await rm(path);
    await drain();
    await drain();
    expect(lines).toEqual([]);
    await writeFile(path, 'back\n');
    await drain();
    expect(lines).toEqual(['back']);
  });

  it('reads on in the file it has while there is a folder in its place', async () => {
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

  it('does not begin with what is no file', async () => {
    await rm(path);
    await mkdir(path);
    await expect(follow(idle)).rejects.toMatchObject({ name: 'NoFileError' });
  });

  it('says whether it found its place again', async () => {
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

  it('begins anew in a file that was emptied in place', async () => {
    const { drain } = await follow(idle);
    await appendFile(path, 'one\n');
    await drain();
    await truncate(path, 0);
    await appendFile(path, 'two\n');
    await drain();
    expect(lines).toEqual(['one', 'two']);
  });

  it('gives no line twice when the node cuts its log to the last part in place', async () => {
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

  // Windows would give such a file all of its bytes.
  describe.skipIf(process.platform === 'win32')('in a log that claims to be endless', () => {
    // SECURITY.md: A hostile server on the RPC port
    it('reads the end alone, and stops when it is told to', async () => {
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

    // SECURITY.md: A hostile server on the RPC port
    it('begins at a place that is not there, without a search to the end', async () => {
      await appendFile(path, `${'a line to know the place by\n'.repeat(10)}`);
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

  it('gives out nothing after it was stopped', async () => {
    const { drain, stop } = await follow({ intervalMs: 1 });
    await stop();
    await appendFile(path, 'too late\n');
    await drain();
    await stop();
    expect(lines).toEqual([]);
  });

  it('says so when there is no log to follow', async () => {
    await rm(path);
    await expect(follow(idle)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
