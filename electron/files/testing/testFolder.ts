/** Folders for tests. */
import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { removeTestFolder } from './removeTestFolder.ts';

/** Makes a folder, and removes it when the current test ends. Returns its real path. */
export function makeTestFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'ferry-')));
  onTestFinished(() => removeTestFolder(folder));
  return folder;
}

/**
 * Waits until new files get a later creation time than existing ones. The clock of a file system advances every few
 * milliseconds, and less often on a busy machine.
 */
export async function waitForNextFileTime(): Promise<void> {
  const probe = join(makeTestFolder(), 'probe');
  const timeOfNewFile = () => {
    rmSync(probe, { force: true });
    writeFileSync(probe, '');
    return statSync(probe, { bigint: true }).mtimeNs;
  };
  const before = timeOfNewFile();
  await vi.waitUntil(() => timeOfNewFile() > before, { interval: 1, timeout: 10_000 });
}
