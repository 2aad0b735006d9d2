/** Creates a temporary folder for this user only, and removes it when the process exits. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../files/removeFolder.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-ferry-'));
  process.on('exit', () => removeFolder(folder));
  return folder;
}
