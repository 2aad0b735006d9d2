import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { bundlePrograms } from '../../../e2e/app/bundlePrograms.ts';
import { systemError } from '../fileError.ts';
import { failing } from '../testing/failing.ts';
import { MODES_HOLD } from '../testing/system.ts';
import { makeTestFolder } from '../testing/testFolder.ts';
import { DATA_LOCK_NAME, lockDataFolder } from './processLock.ts';

let program = '';

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'lock-program-'));
  await bundlePrograms(outDir, {
    lockTestProcess: new URL('../testing/lockTestProcess.ts', import.meta.url),
  });
  program = join(outDir, 'lockTestProcess.cjs');
  return () => rm(outDir, { recursive: true });
}, 120_000);

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});

/** A process that tries to lock the folder on `take`, and returns the result. */
function holder(folder: string, inside: readonly string[] = []) {
  const [command = '', ...words] = [...inside, process.execPath, program, folder];
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    pid: child.pid,
    async take(): Promise<string> {
      const answered = once(lines, 'line');
      child.stdin.write('take\n');
      const [line] = await answered;
      return String(line);
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Only Linux shows which process holds the lock. */
const pidOf = ({ pid }: { pid: number | undefined }) => (process.platform === 'linux' ? pid : null);

describe('lockDataFolder', () => {
  it('refuses while another process lives, and names it if the system shows it', async () => {
    const missing = join(folder, 'not there yet');
    const first = holder(missing);
    expect(await first.take()).toBe('taken');
    const refusal = { taken: false, why: 'held', pid: pidOf(first), lockFile: join(missing, DATA_LOCK_NAME) };
    expect(lockDataFolder(missing)).toEqual(refusal);
  });

  it('takes over the lock of a killed process', async () => {
    const first = holder(folder);
    await first.take();
    await first.kill();
    const second = holder(folder);
    expect(await second.take()).toBe('taken');
    expect(lockDataFolder(folder)).toMatchObject({ taken: false, pid: pidOf(second) });
  });

  it.each(['a fresh folder', 'one that a killed process left locked'])(
    'lets only one of several processes take %s',
    async (which) => {
      if (which !== 'a fresh folder') {
        const dead = holder(folder);
        await dead.take();
        await dead.kill();
      }
      const all = Array.from({ length: 6 }, () => holder(folder));
      const lines = await Promise.all(all.map((each) => each.take()));
      expect(lines.filter((line) => line === 'taken')).toHaveLength(1);
      expect(await readdir(folder)).toEqual([DATA_LOCK_NAME]);
    },
  );

  it('leaves nothing after its release', async () => {
    const lock = lockDataFolder(folder);
    if (!lock.taken) throw new Error('not taken');
    lock.release();
    expect(await readdir(folder)).toEqual([]);
    expect(await holder(folder).take()).toBe('taken');
  });

  it.skipIf(!MODES_HOLD)('refuses a folder that it cannot write to', async () => {
    await chmod(folder, 0o500);
    expect(lockDataFolder(folder)).toMatchObject({ taken: false, why: 'unusable', code: 'EACCES' });
    await chmod(folder, 0o700);
  });

  it('refuses a folder whose lock is a folder', async () => {
    await mkdir(join(folder, DATA_LOCK_NAME));
    expect(lockDataFolder(folder)).toMatchObject({ taken: false, why: 'unusable' });
    expect(await readdir(folder)).toEqual([DATA_LOCK_NAME]);
  });

  it.each(['ENOSPC', 'EROFS'])('refuses a folder in which it cannot write (%s)', async (code) => {
    const opened = vi.spyOn(fs, 'openSync').mockImplementation(failing(systemError(code)));
    syncBuiltinESMExports();
    onTestFinished(() => {
      opened.mockRestore();
      syncBuiltinESMExports();
    });
    expect(lockDataFolder(folder)).toMatchObject({ taken: false, why: 'unusable', code });
  });
});

describe.skipIf(process.platform !== 'linux')('lockDataFolder, with a lock of another container,', () => {
  /** As a process there wrote it, whose number is none of a living process here. */
  async function putLock(space: string | null, ageSeconds: number): Promise<void> {
    const lockFile = join(folder, DATA_LOCK_NAME);
    await writeFile(lockFile, `${JSON.stringify({ pid: 2 ** 22 + 1, mark: 'boot:1', space })}\n`);
    const then = new Date(Date.now() - ageSeconds * 1000);
    await utimes(lockFile, then, then);
  }

  it.each(['another boot pid:[1]', null])('refuses while the lock is fresh (%s)', async (space) => {
    await putLock(space, 30);
    expect(lockDataFolder(folder)).toMatchObject({ taken: false, why: 'held', pid: null });
  });

  it.each(['another boot pid:[1]', null])('takes over an old lock (%s)', async (space) => {
    await putLock(space, 120);
    const lock = lockDataFolder(folder);
    expect(lock).toMatchObject({ taken: true });
    if (lock.taken) lock.release();
  });

  it.each([
    ['refuses while another process has a new gate', 0, false],
    ['removes the gate of a killed process', -60, true],
    ['removes a gate from before the clock was set back', 3600, true],
  ])('%s', async (_, ahead, taken) => {
    await putLock(null, 120);
    const gate = join(folder, `${DATA_LOCK_NAME}.gate`);
    const then = new Date(Date.now() + ahead * 1000);
    await writeFile(gate, '');
    await utimes(gate, then, then);
    const lock = lockDataFolder(folder);
    expect(lock.taken).toBe(taken);
    if (lock.taken) lock.release();
  });

  it('keeps its own lock fresh until its release', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const lock = lockDataFolder(folder);
    const lockFile = join(folder, DATA_LOCK_NAME);
    await utimes(lockFile, 1, 1);
    vi.advanceTimersByTime(10_000);
    expect(Date.now() - (await stat(lockFile)).mtimeMs).toBeLessThan(5000);
    if (lock.taken) lock.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.skipIf(process.getuid?.() !== 0 || !canUnshare())('refuses while a process there lives', async () => {
    const first = holder(folder, ['unshare', '--pid', '--fork', '--kill-child']);
    expect(await first.take()).toBe('taken');
    expect(lockDataFolder(folder)).toMatchObject({ taken: false, why: 'held' });
    const second = holder(folder, ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']);
    expect(await second.take()).toBe('held');
  });
});

function canUnshare(): boolean {
  return spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
}
