/** What this system can do that some tests need. */
import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ON_WINDOWS = process.platform === 'win32';
/** Windows has no signals: there a program can only end another one at once. */
export const HAS_SIGNALS = !ON_WINDOWS;
/** Windows has no modes of files and folders: who may read them depends on lists of the folder above. */
export const HAS_MODES = !ON_WINDOWS;
/** Whether a mode keeps this user from reading or writing. Root reads and writes everything. */
export const MODES_HOLD = HAS_MODES && process.getuid?.() !== 0;
/** Windows lets only administrators and developers make links. */
export const CAN_LINK = canLink('dir');
/** Every user of Windows may make junctions, which lead to folders only. Emulators lack them. */
export const CAN_LINK_FOLDERS = CAN_LINK || canLink('junction');

function canLink(type: 'dir' | 'junction'): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'links-'));
  const link = join(folder, 'link');
  try {
    symlinkSync(folder, link, type);
    return lstatSync(link).isSymbolicLink();
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
