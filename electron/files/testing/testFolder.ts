/** Folders for tests. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeTestFolder } from './removeTestFolder.ts';

/** Makes a folder, and removes it when the current test ends. Returns its real path. */
export function makeTestFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'ferry-')));
  onTestFinished(() => removeTestFolder(folder));
  return folder;
}
