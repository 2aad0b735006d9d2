/** Whether a file is closed to another user of this computer. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { orNull } from '../../wallet/bytes/once.ts';

/**
 * Whether a user, by its number, surely may not read the file at this real path: neither as its owner nor as a group or
 * others, or not pass a folder above it. False where that cannot be told, as where a group may, and for root, who may all.
 */
export function isClosedTo(user: number, path: string): boolean {
  if (user === ROOT) return false;
  return isRefused(user, path, READ) || foldersAbove(path).some((folder) => isRefused(user, folder, PASS));
}

/** Lists of further rights (ACLs) never give more than the group's bits. */
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
