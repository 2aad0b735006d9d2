/** A folder of this user alone that goes with the process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-ferry-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
