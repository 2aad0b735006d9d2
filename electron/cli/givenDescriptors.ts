/** File descriptors that the command line names: refused before anything starts where the program was not given them. */
import { fstatSync, type Stats, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { say } from '../../shared/wording/say.ts';
import { isSameFile } from '../files/fileMark.ts';
import { type NamedDescriptor, UsageError } from './commandLine.ts';

/**
 * Throws UsageError for a descriptor that is closed, that Node holds for itself, that cannot be written to, or that two
 * options name. Call it before files are opened: a descriptor that this program opens itself looks like one it was given.
 */
export function refuseForeignDescriptors(named: readonly NamedDescriptor[]): void {
  for (const [at, { option, fd, use }] of named.entries()) {
    const other = named.slice(0, at).find((each) => each.fd === fd);
    if (other !== undefined)
      throw new UsageError(
        say('{one} and {other} both take file descriptor {fd}.', { one: other.option, other: option, fd }),
      );
    if (isGiven(fd) && (use === 'read' || isWritable(fd))) continue;
    const closed = say('{option} {fd}: this file descriptor is not open.', { option, fd });
    throw new UsageError(process.env.npm_lifecycle_event && fd > 2 ? `${closed} ${OF_NPM}` : closed);
  }
}

/** npm starts a script with descriptors 0, 1 and 2 only. */
const OF_NPM = say(
  'npm passes on 0 only. Use 0, or “node build/ferry.mjs” in the place of “npm run ferry --”.',
);

/**
 * Whether it is open and not one of Node's own. Of these, epoll, eventfd and io_uring have no type, and a pipe has both of
 * its ends in this process, and the only device is /dev/null.
 */
function isGiven(fd: number): boolean {
  const own = statOf(fd);
  if (own === null) return false;
  if (fd <= 2) return true;
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

/** Node opens its own at its start, with the lowest numbers that are free. */
const MOST_OF_NODE = 256;

function statOf(fd: number): Stats | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

/** The system refuses even nothing at all where a descriptor is open for reading only. */
function isWritable(fd: number): boolean {
  try {
    writeSync(fd, '');
    return true;
  } catch {
    return false;
  }
}
