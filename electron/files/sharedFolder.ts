/** Whether other users of this computer can change a folder. */
import { type Stats, statSync } from 'node:fs';

/**
 * Looks at the folder itself, links followed; one that is not there yet is made for this user alone. On Windows rights
 * are no bits: there it is never shared.
 */
export function sharedFolder(folder: string): 'owned-by-another' | 'writable-by-others' | null {
  const user = process.getuid?.();
  const facts = factsOf(folder);
  if (user === undefined || facts === null) return null;
  if (facts.uid !== user) return 'owned-by-another';
  // Many systems give each user a group of their own, which may write as they do.
  const isOwnGroup = facts.gid === process.getgid?.();
  const othersWrite = (facts.mode & OTHERS_WRITE) !== 0 || ((facts.mode & GROUP_WRITES) !== 0 && !isOwnGroup);
  return othersWrite ? 'writable-by-others' : null;
}

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/** Null also where this user cannot look: then nothing of it can be used either. */
function factsOf(folder: string): Stats | null {
  try {
    return statSync(folder);
  } catch {
    return null;
  }
}
