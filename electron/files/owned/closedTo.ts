/** Checks whether another user of this computer is barred from a file. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { orNull } from '../../walletfile/bytes/once.ts';

/**
 * Whether the user with this id certainly cannot read the file at this real path: not as owner, group or other, or
 * because of a folder above it. False if unsure, as where a group may read, and for root, who may read everything.
 */
export function isClosedTo(user: number, path: string): boolean {
  if (user === ROOT) return false;
  return isRefused(user, path, READ) || foldersAbove(path).some((folder) => isRefused(user, folder, PASS));
}

/** Access control lists never grant more than the group bits. */
function isRefused(user: number, path: string, right: number): boolean {
  const facts = orNull(() => statSync(path));
  if (facts === null) return false;
  const bits = facts.uid === user ? right << OWNER : (right << GROUP) | right;
  return (facts.mode & bits) === 0;
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

const ROOT = 0;
const READ = 4;
const PASS = 1;
const OWNER = 6;
const GROUP = 3;
