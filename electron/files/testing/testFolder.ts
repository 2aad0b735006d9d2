/** Folders for tests. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder, and removes it when the current test ends. Returns its real path. */
export function makeTestFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'ferry-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
