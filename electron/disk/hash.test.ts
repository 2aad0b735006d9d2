import { appendFileSync, rmSync, truncateSync, utimesSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashFile } from './hash.ts';

const MEGABYTE = 1024 * 1024;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hash-'));
  path = join(folder, 'file');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** Every look at the clock is a second later, so that progress is told after every chunk. */
const hurryClock = () => {
  let seconds = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++seconds * 1000);
};

describe('hashFile', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    // The third vector of FIPS 180-2, B.3: one million times "a".
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('gives the SHA-256 of known content', async (content, sha256) => {
    await writeFile(path, content);
    expect(await hashFile(path)).toEqual({ sha256 });
  });

  it('tells how far it is, and at the end that it is done', async () => {
    hurryClock();
    await writeFile(path, Buffer.alloc(2.5 * MEGABYTE));
    const told: [number, number][] = [];
    await hashFile(path, { onProgress: (done, total) => told.push([done, total]) });
    const total = 2.5 * MEGABYTE;
    expect(told).toEqual([
      [MEGABYTE, total],
      [2 * MEGABYTE, total],
      [total, total],
      [total, total],
    ]);
  });

  it('does not tell more often than every 100 ms', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(5000);
    await writeFile(path, Buffer.alloc(3 * MEGABYTE));
    const onProgress = vi.fn();
    await hashFile(path, { onProgress });
    expect(onProgress.mock.calls).toEqual([[3 * MEGABYTE, 3 * MEGABYTE]]);
  });

  it('can be cancelled before and meanwhile', async () => {
    hurryClock();
    await writeFile(path, Buffer.alloc(3 * MEGABYTE));
    await expect(hashFile(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    const controller = new AbortController();
    const running = hashFile(path, { onProgress: () => controller.abort(), signal: controller.signal });
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  });

  it.each<[string, string, () => void]>([
    ['grows', 'file_changed', () => appendFileSync(path, 'more')],
    ['is cut', 'file_changed', () => truncateSync(path, 5)],
    ['is touched', 'file_changed', () => utimesSync(path, 1, 1)],
    ['vanishes', 'file_missing', () => rmSync(path, { force: true })],
  ])('sees that the file %s meanwhile', async (_, code, change) => {
    hurryClock();
    await writeFile(path, Buffer.alloc(3 * MEGABYTE));
    const onProgress = vi.fn(change);
    await expect(hashFile(path, { onProgress })).rejects.toMatchObject({ code });
    expect(onProgress).toHaveBeenCalled();
  });

  it('refuses what is missing or not a file', async () => {
    await expect(hashFile(path)).rejects.toMatchObject({ code: 'file_missing' });
    await expect(hashFile(folder)).rejects.toMatchObject({ code: 'not_a_file' });
  });
});
