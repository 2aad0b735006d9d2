/** Removes a folder that the app made for itself: what lies in that very folder, and nothing behind a link. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { orNull } from '../walletfile/bytes/once.ts';
import { isSameFile } from './fileMark.ts';
import { sharedWay } from './owned/sharedFolder.ts';

/**
 * Removes the folder with what lies in it, one name after the other. Gives false where something is left: a folder of
 * another user, one that others can change or put another folder in the place of, and what the system refuses. A link
 * is removed as the name that it is. Never throws.
 */
export function removeFolder(named: string): boolean {
  // With a slash at its end, the path of a link would be that of the folder that it leads to.
  const path = resolve(named);
  if (orNull(() => lstatSync(path, { throwIfNoEntry: false }) === undefined) === true) return true;
  // Whoever can rename what lies beside it can give the name of the app's folder to a folder of the user.
  if (orNull(() => sharedWay(path) === null) !== true) return false;
  return removeOwn(path);
}

/** `path` may lead through a folder that is held open: then no swap leads the removal elsewhere. */
function removeOwn(path: string): boolean {
  const removed = orNull(() => {
    const facts = lstatSync(path, { bigint: true });
    if (!facts.isDirectory() || !isOwn(facts)) return false;
    return WITH_HANDLES ? emptyHeld(path, facts) : emptyAt(path);
  });
  return removed === true && isDone(() => rmdirSync(path));
}

/** Linux names each open folder by a path of its own; elsewhere only the check above keeps others away. */
const WITH_HANDLES = process.platform === 'linux';

function emptyHeld(path: string, seen: BigIntStats): boolean {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const through = `/proc/self/fd/${folder}`;
    const held = fstatSync(folder, { bigint: true });
    if (!isSameFile(held, seen)) return false;
    const leadsThere = orNull(() => isSameFile(statSync(through, { bigint: true }), held)) === true;
    return emptyAt(leadsThere ? through : path);
  } finally {
    closeSync(folder);
  }
}

function emptyAt(folder: string): boolean {
  const removed = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const isFolder = orNull(() => lstatSync(path).isDirectory()) === true;
    return isFolder ? removeOwn(path) : isDone(() => unlinkSync(path));
  });
  return removed.every((each) => each);
}

function isOwn({ uid }: BigIntStats): boolean {
  const user = process.getuid?.();
  return user === undefined || Number(uid) === user;
}

/** Windows may hold a file for a moment after it was closed: there it is tried again. */
function isDone(work: () => void, turns = process.platform === 'win32' ? 5 : 1): boolean {
  try {
    work();
    return true;
  } catch {
    if (turns === 1) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MILLISECONDS);
    return isDone(work, turns - 1);
  }
}

const PAUSE_MILLISECONDS = 100;
