/** A secret from a file descriptor, for programs that hold it. */
import { createReadStream } from 'node:fs';
import { isatty } from 'node:tty';
import { say } from '../../shared/wording/say.ts';
import { readBoundedBody } from '../http/boundedBody.ts';
import { UsageError } from './commandLine.ts';

/**
 * All that is to be read, without the end of its last line. Throws UsageError where nothing can be read, and for a
 * terminal, which would show what is typed.
 */
export async function readSecret(fd: number): Promise<string> {
  if (isatty(fd))
    throw new UsageError(say('File descriptor {fd} is the terminal: leave the option out.', { fd }));
  // Node has made the standard input one that does not wait: only its own stream does.
  // Not closed: a number that somebody else opened would be theirs.
  const stream = fd === 0 ? process.stdin : createReadStream('', { fd, autoClose: false });
  const text = await readBoundedBody(stream, MOST_BYTES).catch(() => {
    throw new UsageError(say('File descriptor {fd} cannot be read.', { fd }));
  });
  if (text === null) throw new UsageError(say('File descriptor {fd} sends too much data.', { fd }));
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(say('File descriptor {fd} is empty.', { fd }));
  return secret;
}

const MOST_BYTES = 100_000;
