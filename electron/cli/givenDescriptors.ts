/** Checks the file descriptors that the command line names, before anything starts. */
import { fstatSync, type Stats, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { say } from '../../shared/wording/say.ts';
import { isSameFile } from '../files/fileMark.ts';
import { type NamedDescriptor, UsageError } from './commandLine.ts';

/**
 * Throws UsageError for a descriptor that is closed, belongs to Node, cannot be written to, or is named by two options.
 * Call it before the program opens files, because their descriptors look like inherited ones.
 */
export function refuseForeignDescriptors(named: readonly NamedDescriptor[]): void {
  for (const [at, { option, fd, use }] of named.entries()) {
    const other = named.slice(0, at).find((each) => each.fd === fd);
    if (other !== undefined)
      throw new UsageError(
        say('{one} and {other} both take file descriptor {fd}.', { one: other.option, other: option, fd }),
      );
    if (isInherited(fd) && (use === 'read' || isWritable(fd))) continue;
    const closed = say('{option} {fd}: this file descriptor is not open.', { option, fd });
    throw new UsageError(process.env.npm_lifecycle_event && fd > 2 ? `${closed} ${OF_NPM}` : closed);
  }
}

/** npm starts a script with descriptors 0, 1 and 2 only. */
const OF_NPM = say('npm passes on only 0. Use 0, or “node build/ferry.mjs”.');

/**
 * Whether it is open and not Node's own. Node's own epoll, eventfd and io_uring have no file type, its pipes have both ends
 * in this process, and its only device is /dev/null.
 */
function isInherited(fd: number): boolean {
  // Node opens these where they are closed. Windows has no facts about some of them.
  if (fd <= 2) return true;
  const own = statOf(fd);
  if (own === null) return false;
  if (own.isFIFO()) return !hasOtherEnd(fd, own);
  return own.isFile() || own.isSocket() || isatty(fd);
}

function hasOtherEnd(fd: number, own: Stats): boolean {
  for (let other = 3; other < MOST_OF_NODE; other += 1) {
    const found = other === fd ? null : statOf(other);
    if (found?.isFIFO() && isSameFile(found, own)) return true;
  }
  return false;
}

/** At its start Node opens its own descriptors with the lowest free numbers. */
const MOST_OF_NODE = 256;

function statOf(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

/** The system refuses even an empty write to a descriptor that is open for reading only. */
function isWritable(fd: number): boolean {
  try {
    writeSync(fd, '');
    return true;
  } catch {
    return false;
  }
}
