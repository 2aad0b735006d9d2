import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundlePrograms } from '../../../e2e/app/bundlePrograms.ts';
import { DATA_LOCK_NAME, lockDataFolder } from './lockDataFolder.ts';

let program = '';

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'lock-program-'));
  await bundlePrograms(outDir, {
    lockTestProcess: new URL('../testing/lockTestProcess.ts', import.meta.url),
  });
  program = join(outDir, 'lockTestProcess.cjs');
  return () => rm(outDir, { recursive: true });
}, 120_000);

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'data-folder-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A process that takes the folder when it is told to, and says what came of it. */
function holder(folder: string) {
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
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

/** Off Linux the system itself holds the lock, and tells nobody for whom. */
const pidOf = ({ pid }: { pid: number | undefined }) => (process.platform === 'linux' ? pid : null);

describe('lockDataFolder', () => {
  it('gives way to a living process, and names it where the system tells', async () => {
    const folder = join(await newFolder(), 'not there yet');
    const first = holder(folder);
    expect(await first.take()).toBe('taken');
    expect(lockDataFolder(folder)).toEqual({
      taken: false,
      pid: pidOf(first),
      lockFile: join(folder, DATA_LOCK_NAME),
    });
  });

  it('takes over from a process that was killed', async () => {
    const folder = await newFolder();
    const first = holder(folder);
    await first.take();
    await first.kill();
    const second = holder(folder);
    expect(await second.take()).toBe('taken');
    expect(lockDataFolder(folder)).toMatchObject({ taken: false, pid: pidOf(second) });
  });

  it.each(['a fresh folder', 'one that a killed process left locked'])(
    'lets one of many that come at once have %s',
    async (which) => {
      const folder = await newFolder();
      if (which !== 'a fresh folder') {
        const dead = holder(folder);
        await dead.take();
        await dead.kill();
      }
      const all = Array.from({ length: 6 }, () => holder(folder));
      const told = await Promise.all(all.map((each) => each.take()));
      expect(told.filter((line) => line === 'taken')).toHaveLength(1);
      expect(await readdir(folder)).toEqual([DATA_LOCK_NAME]);
    },
  );

  it('leaves nothing behind when it is let go', async () => {
    const folder = await newFolder();
    const lock = lockDataFolder(folder);
    if (!lock.taken) throw new Error('not taken');
    lock.release();
    expect(await readdir(folder)).toEqual([]);
    expect(await holder(folder).take()).toBe('taken');
  });

  it.skipIf(process.getuid?.() === 0)('begins without one where nothing can be written', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o500);
    expect(lockDataFolder(folder)).toMatchObject({ taken: true });
    await chmod(folder, 0o700);
  });
});
